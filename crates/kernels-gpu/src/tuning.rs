//! Which of several ways of doing the same is fastest on a device, found out when a model is first opened on it.
//!
//! Whole steps are timed with an option and with what is chosen so far, in turns. An option is taken where it is clearly faster and
//! gives the same. What was found out is kept by device and driver, so that it is found out once, and for all models that have
//! the same products.

use std::path::Path;
use std::time::{Duration, Instant};

use tandem_tensor::{Alone, Batch, Limits, Op, Program, Session, Span};

use crate::device::DeviceInfo;
use crate::kept;
use crate::plan::Choice;
use crate::session::GpuSession;

const FILE: &str = "chosen.txt";
/// Models with fewer bytes of weights are fast enough.
const BYTES_MIN: u64 = 256 << 20;
/// What is not decided within this time is asked the next time.
const TIME_MAX: Duration = Duration::from_secs(4);
/// Clocks rise with work: steps are run for so long before any is timed.
const WARM_UP: Duration = Duration::from_millis(300);
/// Turns of each option, and steps of a turn, the first of which is not timed.
const TURNS: usize = 3;
const TURN_STEPS: usize = 4;
/// Long steps have fewer turns, so that a comparison takes about so long.
const COMPARED: Duration = Duration::from_millis(250);
/// An option must take no more than this part of the other's time.
const FASTER: f64 = 0.992;
/// How far results may be from each other, as a part of the largest: sums in another order, of activations in few bits.
const TOLERANCE: f32 = 2e-2;

/// Whether options of a program are worth timing. Steps of a stage cannot be run alone.
pub fn is_worth_it(program: &Program) -> bool {
    let exchanges = |op: &Op| matches!(op, Op::Send { .. } | Op::Recv { .. });
    program.weight_bytes() >= BYTES_MIN && !program.ops.iter().any(exchanges)
}

/// What was found out before: an option for each choice that was decided.
pub fn known(folder: Option<&Path>, device: &DeviceInfo, choices: &[Choice]) -> Vec<Option<u8>> {
    let lines = folder.map(|folder| kept::lines(folder, FILE, device)).unwrap_or_default();
    let option = |choice: &Choice| {
        let found = |line: &String| {
            let found = line.strip_prefix(&choice.name)?.strip_prefix(" = ")?;
            choice.options.iter().position(|option| option == found)
        };
        lines.iter().find_map(found).map(|option| option as u8)
    };
    choices.iter().map(option).collect()
}

/// Keep what was found out. What cannot be kept is found out again the next time.
pub fn keep(folder: Option<&Path>, device: &DeviceInfo, found: &[(&Choice, u8)]) {
    let line =
        |(choice, option): &(&Choice, u8)| format!("{} = {}", choice.name, choice.options[*option as usize]);
    let lines: Vec<String> = found.iter().map(line).collect();
    let _ = folder.filter(|_| !lines.is_empty()).map(|folder| kept::add(folder, FILE, device, &lines));
}

/// A choice that was made by timing steps.
pub struct Decided {
    /// Its number.
    pub choice: usize,
    /// How long steps took with each option but the first, as parts of the time with the best before it.
    pub ratios: Vec<f64>,
}

/// Time the options of choices, by their numbers, and take the fastest. A step that fails with what was chosen before ends it: the
/// next one will say why.
pub fn tune(session: &mut GpuSession, choices: &[Choice], undecided: &[usize]) -> Vec<Decided> {
    let start = Instant::now();
    let mut decided: Vec<Decided> = Vec::new();
    // What one conversation needs comes first: time may be over before the rest.
    let mut undecided = undecided.to_vec();
    undecided.sort_by_key(|choice| (choices[*choice].rows, choices[*choice].depth));
    for choice in undecided {
        let Some(batch) = batch(session.program(), session.limits(), &choices[choice]) else { continue };
        while start.elapsed() < WARM_UP {
            if timed(session, &batch).is_none() {
                return decided;
            }
        }
        let mut ratios = Vec::new();
        for option in 1..choices[choice].options.len() as u8 {
            if start.elapsed() > TIME_MAX {
                return decided;
            }
            let best = session.chosen().option(choice);
            let compared = compare(session, &batch, choice, [best, option]);
            session.chosen().set(choice, best);
            let Some(ratio) = compared else { return decided };
            if ratio < FASTER {
                session.chosen().set(choice, option);
            }
            ratios.push(ratio);
        }
        decided.push(Decided { choice, ratios });
    }
    decided
}

/// How long steps take with the second option, as a part of how long they take with the first. Where results differ, or there are none,
/// it takes forever. `None` where the first fails.
fn compare(session: &mut GpuSession, batch: &Batch, choice: usize, options: [u8; 2]) -> Option<f64> {
    let mut times = [Vec::new(), Vec::new()];
    let mut results = [Vec::new(), Vec::new()];
    let start = Instant::now();
    for turn in 0..TURNS {
        if turn > 0 && start.elapsed() > COMPARED {
            break;
        }
        for (at, option) in options.into_iter().enumerate() {
            session.chosen().set(choice, option);
            for step in 0..TURN_STEPS {
                match timed(session, batch) {
                    Some(time) if step > 0 => times[at].push(time),
                    Some(_) => {}
                    None if at > 0 => return Some(f64::INFINITY),
                    None => return None,
                }
            }
            results[at].clear();
            results[at].extend_from_slice(session.result());
        }
    }
    let [first, second] = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64()
    });
    Some(if agree(&results[0], &results[1]) { second / first } else { f64::INFINITY })
}

fn timed(session: &mut GpuSession, batch: &Batch) -> Option<Duration> {
    let start = Instant::now();
    session.run(batch, &mut Alone).ok()?;
    Some(start.elapsed())
}

/// Whether values are the same, where any are given.
fn agree(a: &[f32], b: &[f32]) -> bool {
    let largest = a.iter().filter(|a| a.is_finite()).fold(0.0f32, |most, a| most.max(a.abs()));
    let near = |(a, b): (&f32, &f32)| a == b || (a - b).abs() <= TOLERANCE * largest;
    a.len() == b.len() && a.iter().zip(b).all(near)
}

/// Rows of one sequence, as far on as the choice wants; `None` where a step cannot have that.
fn batch(program: &Program, limits: &Limits, choice: &Choice) -> Option<Batch> {
    let Choice { rows, depth, .. } = *choice;
    let tokens = (depth + rows) as usize;
    let blocks = tokens.div_ceil(limits.block_len);
    let unseen = (depth as usize + 1).saturating_sub(limits.window) / limits.block_len;
    let windowed = if limits.window > 0 { blocks - unseen } else { 0 };
    let table = program.ops.iter().find_map(|op| match op {
        Op::Embed { table, .. } => Some(program.weight(*table).slice.rows.end as u32),
        _ => None,
    });
    let vocabulary = table.unwrap_or(1);
    let fits = rows as usize <= limits.tokens_max
        && tokens <= limits.context_max
        && blocks <= limits.blocks
        && windowed <= limits.window_blocks;
    let span = Span {
        rows,
        start: depth,
        blocks: blocks as u32,
        window_blocks: windowed as u32,
        state: 0,
        state_from: 0,
    };
    fits.then(|| Batch {
        // All kinds, as experts are chosen by them.
        tokens: (0..rows).map(|row| row % vocabulary).collect(),
        spans: vec![span],
        blocks: (0..blocks as u32).collect(),
        window_blocks: (0..windowed as u32).collect(),
        outputs: (0..rows.min(limits.outputs_max as u32)).collect(),
        // Of logits the likeliest, as where text is written.
        top: program.first_token.is_some().into(),
        ..Batch::default()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tandem_tensor::CacheType;
    use tandem_tensor::conformance::{Llama, Random};

    use super::*;
    use crate::GpuBackend;

    fn choice(name: &str, depth: u32) -> Choice {
        let options = ["usual", "other"].map(String::from).to_vec();
        Choice { name: name.into(), options, rows: 1, depth }
    }

    #[test]
    fn what_was_found_out_is_known_to_the_next_process() {
        let folder = std::env::temp_dir().join(format!("tandem-chosen-{}", std::process::id()));
        let device = DeviceInfo {
            index: 0,
            name: "A GPU".into(),
            api: "vulkan".into(),
            driver: "1.0".into(),
            software: false,
            unified: false,
            memory: None,
            missing: None,
        };
        let choices = [choice("products", 0), choice("products of 8 rows", 0), choice("attention", 8192)];
        assert_eq!(known(Some(&folder), &device, &choices), [None; 3]);
        keep(Some(&folder), &device, &[(&choices[1], 1), (&choices[2], 0)]);
        assert_eq!(known(Some(&folder), &device, &choices), [None, Some(1), Some(0)]);
        let newer = DeviceInfo { driver: "1.1".into(), ..device.clone() };
        assert_eq!(known(Some(&folder), &newer, &choices), [None; 3]);
        // An option that there is no more.
        let changed = Choice { options: vec!["usual".into()], ..choices[1].clone() };
        assert_eq!(known(Some(&folder), &device, &[changed]), [None]);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn results_agree_up_to_rounding() {
        let none = f32::NEG_INFINITY;
        assert!(agree(&[none, 8.0, none], &[none, 8.01, none]));
        assert!(!agree(&[none, 8.0, none], &[none, 7.0, none]));
        assert!(!agree(&[none, 8.0, none], &[7.9, none, none]));
        assert!(!agree(&[8.0], &[f32::NAN]));
        assert!(!agree(&[8.0], &[8.0, 8.0]));
    }

    #[test]
    fn steps_keep_within_the_limits() {
        let llama = Llama { window: Some(tandem_tensor::Window::Sliding(300)), ..Llama::default() };
        let (program, limits) = (llama.program(), llama.limits(32, CacheType::F16));
        let deep = batch(&program, &limits, &choice("", 2047)).unwrap();
        assert_eq!((deep.blocks.len(), deep.window_blocks.len()), (64, 64 - 1748 / 32));
        assert!(batch(&program, &limits, &choice("", 2048)).is_none());
        let many = Choice { rows: limits.tokens_max as u32, ..choice("", 0) };
        assert_eq!(batch(&program, &limits, &many).unwrap().outputs.len(), limits.outputs_max);
        assert!(batch(&program, &limits, &Choice { rows: many.rows + 1, ..many }).is_none());
    }

    /// Options that are as fast as the first are not taken, and a session works after it was tuned.
    #[test]
    #[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
    fn choices_are_decided_by_steps() {
        let backend = GpuBackend::choosing(0, None).expect("a GPU, or Mesa's software Vulkan");
        let llama = Llama { hidden: 1024, ffn: 2048, layers: 1, ..Llama::default() };
        let limits = llama.limits(32, CacheType::F16);
        let mut session = backend.session(llama.program(), limits, &Random, &|_| ()).unwrap();
        let choices: Vec<Choice> = session.choices().map(|(choice, _)| choice.clone()).collect();
        let asked = [0, choices.len() - 1];
        let decided = tune(&mut session, &choices, &asked);
        assert!(!decided.is_empty());
        for Decided { choice, ratios } in decided {
            assert!(asked.contains(&choice));
            assert_eq!(ratios.len(), choices[choice].options.len() - 1);
            // Forever is for results that differ.
            assert!(ratios.iter().all(|ratio| ratio.is_finite()), "{}: {ratios:?}", choices[choice].name);
        }
        let batch = batch(&Arc::clone(&llama.program()), &limits, &choices[0]).unwrap();
        assert!(timed(&mut session, &batch).is_some());
    }
}
