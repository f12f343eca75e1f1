//! What comes after a step's last operator: few of its logits instead of all.

use super::{Action, Draft, EACH, Extent, ONE, Planner};
use crate::kernels::{Key, Kind};
use crate::sampling::{DRAWN, RUN, TOP_MAX};

impl Planner<'_> {
    pub(super) fn sample(&mut self) {
        let Some(found) = self.plan.map.found else { return };
        let result = self.program.result;
        let (logits, width) = (self.at(result), self.width(result) as u32);
        let draft = |key: Key, params: Vec<u32>, grid| Draft {
            key,
            params,
            chunk: None,
            cache: None,
            x: None,
            from: None,
            grid,
        };
        let params = vec![logits, width, found.named() as u32, f32::NEG_INFINITY.to_bits()];
        let name = draft(Key::new(Kind::Name, 64), params, [Extent::PerNamed(64), ONE, ONE]);
        let first_token = self.program.first_token.unwrap_or(0);
        let runs = found.runs as u32;
        let params = vec![logits, width, runs, first_token, found.parts() as u32, 0, 0, 0];
        let sums = vec![logits, width, runs, first_token, found.sums() as u32, 0, 0, 0];
        let key = Key::new(Kind::Total, 256).with("RUN", RUN as u32);
        let total = draft(key, sums, [Extent::Fixed(runs), EACH, Extent::Summed]);
        let passes = [(0, runs), (1, 1)].map(|(merge, groups)| {
            let key = Key::new(Kind::Candidates, 256)
                .with("MERGE", merge)
                .with("RUN", RUN as u32)
                .with("TOP_MAX", TOP_MAX as u32)
                .with("DRAWN", DRAWN as u32);
            draft(key, params.clone(), [Extent::Fixed(groups), EACH, Extent::Choices])
        });
        self.plan.actions.push(Action::Sample([vec![name], passes.to_vec(), vec![total]].concat()));
    }
}
