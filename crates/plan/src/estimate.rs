//! How fast a division decodes.

use crate::planner::Draft;
use crate::{Link, Links, Machine, ModelFacts};

/// Tokens per second of one stream: the slowest rank's reading of each stage, all-reduces inside it, and the way to the next.
pub fn tokens_per_s(model: &ModelFacts, machines: &[Machine], links: &Links, draft: &Draft) -> f64 {
    let mut seconds = 0.0;
    for (index, stage) in draft.stages.iter().enumerate() {
        let part = stage.layers.len() as f64 / model.layers.max(1) as f64;
        let read = model.read_bytes as f64 * part;
        let slowest = stage
            .machines
            .iter()
            .zip(&stage.shares)
            .map(|(machine, share)| read * share / machines[*machine].read_bytes_per_s.max(1.0))
            .fold(0.0, f64::max);
        let reduces = if stage.machines.len() > 1 { 2 * stage.layers.len() } else { 0 };
        seconds += slowest + reduces as f64 * all_reduce_s(model, links, &stage.machines);
        if let Some(next) = draft.stages.get(index + 1) {
            seconds += message_s(model, links.get(stage.machines[0], next.machines[0]));
        }
    }
    // Fetching weights takes time once; all else equal, those who have them come first.
    let without = draft.machines().filter(|machine| !machines[*machine].has_file).count();
    (1.0 - 0.01 * without as f64) / seconds.max(1e-9)
}

/// Everyone sends to everyone: the worst pair decides.
fn all_reduce_s(model: &ModelFacts, links: &Links, members: &[usize]) -> f64 {
    let pairs =
        members.iter().enumerate().flat_map(|(at, a)| members[at + 1..].iter().map(move |b| (*a, *b)));
    pairs.map(|(a, b)| message_s(model, links.get(a, b))).fold(0.0, f64::max)
}

fn message_s(model: &ModelFacts, link: Link) -> f64 {
    link.round_trip_us / 2e6 + model.hidden as f64 * 4.0 / link.bytes_per_s.max(1.0)
}
