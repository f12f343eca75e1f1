//! How much work a step's actions are, so that a long step is submitted in pieces. Drivers give up on what they are given at once where
//! it takes too long: Linux resets an AMD GPU after two seconds, macOS ends what keeps the screen waiting.

use tandem_tensor::{Op, Program, Window};

use crate::device::DeviceInfo;

/// Multiplications of an action. What is little beside products and attention counts as none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Of each row.
    pub row: f64,
    /// Of each row for each key of its sequence.
    pub key: f64,
}

/// Multiplications that are submitted at once: a fraction of a second on slow devices, and long enough on fast ones that another
/// submission costs little beside it. Devices that share the machine's memory are the slower ones.
pub fn submitted_max(device: &DeviceInfo) -> f64 {
    if device.unified { 1e11 } else { 5e11 }
}

/// Attention of so many rows over all keys that there may be is one kernel, which nothing cuts: whether it may be so long.
pub fn may_attend(device: &DeviceInfo, work: &[Work], rows: usize, keys: usize) -> bool {
    let each = work.iter().map(|work| work.key).fold(0.0, f64::max);
    each * rows as f64 * keys as f64 <= 10.0 * submitted_max(device)
}

impl Work {
    pub fn of(program: &Program, op: &Op) -> Work {
        let values = |id| {
            let weight = program.weight(id);
            (weight.experts() * weight.rows() * weight.cols()) as f64
        };
        let once = |row: f64| Work { row, key: 0.0 };
        // Where no more than so many keys are seen, they are work of the row.
        let attention = |each: usize, most: Option<usize>| match most {
            Some(most) => once((each * most) as f64),
            None => Work { row: 0.0, key: each as f64 },
        };
        match op {
            Op::Linear { parts, .. } => once(parts.iter().map(|part| values(part.weight)).sum()),
            Op::GatedLinear { gate, up, .. } if gate == up => once(values(*gate)),
            Op::GatedLinear { gate, up, .. } => once(values(*gate) + values(*up)),
            Op::Stacked { weight, .. } => once(values(*weight)),
            Op::Experts(op) => {
                let all = values(op.gate) + values(op.up) + values(op.down);
                once(all * op.routing.used as f64 / program.weight(op.down).experts() as f64)
            }
            Op::Attend(op) => {
                let cache = program.caches[op.cache.index()];
                let runs = op.runs.map(|runs| program.buf(runs.list).width / cache.kv_heads * runs.len);
                attention(op.heads * (cache.key_dim + cache.value_dim), op.window.map(Window::len).or(runs))
            }
            Op::AttendLatent(op) => {
                let (cached, latent) =
                    (program.caches[op.cache.index()].key_dim, program.weight(op.key).rows());
                let each = op.heads * (cached + latent);
                let attended = attention(each, op.indexer.map(|indexer| indexer.count));
                let scored = op
                    .indexer
                    .map_or(0, |indexer| indexer.heads * program.caches[indexer.cache.index()].key_dim);
                Work {
                    row: attended.row + values(op.key) + values(op.value),
                    key: attended.key + scored as f64,
                }
            }
            Op::Choose(op) => attention(op.heads * program.caches[op.cache.index()].key_dim, None),
            Op::ChooseRuns(op) => attention(op.heads * program.caches[op.cache.index()].key_dim, None),
            Op::AttendChosen(op) => {
                let chosen = op.chosen.map_or(0, |chosen| program.buf(chosen.list).width);
                let each = 2 * op.heads * program.caches[op.cache.index()].key_dim;
                attention(each, Some(op.window + chosen))
            }
            _ => Work::default(),
        }
    }

    /// Of so many rows whose sequences have so many keys.
    pub fn total(self, rows: u32, keys: u32) -> f64 {
        f64::from(rows) * (self.row + self.key * f64::from(keys))
    }
}

/// What is submitted at once: actions until there is enough, and one at least.
pub struct Portion {
    most: f64,
    work: f64,
}

impl Portion {
    pub fn new(most: f64) -> Portion {
        Portion { most, work: 0.0 }
    }

    /// Whether an action of so much work belongs to it.
    pub fn takes(&mut self, work: f64) -> bool {
        let takes = self.work == 0.0 || self.work + work <= self.most;
        self.work += if takes { work } else { 0.0 };
        takes
    }
}

#[cfg(test)]
mod tests {
    use tandem_tensor::conformance::Llama;
    use tandem_tensor::{Attend, CacheType};

    use super::*;
    use crate::plan::{Abilities, Plan};

    #[test]
    fn a_piece_has_one_action_at_least_and_no_more_than_is_allowed() {
        let taken = |most: f64, works: &[f64]| {
            let mut portion = Portion::new(most);
            works.iter().take_while(|work| portion.takes(**work)).count()
        };
        assert_eq!(taken(10.0, &[4.0, 6.0, 1.0]), 2);
        assert_eq!(taken(10.0, &[0.0, 40.0, 0.0, 1.0]), 2);
        assert_eq!(taken(f64::INFINITY, &[4.0; 7]), 7);
    }

    #[test]
    fn products_and_attention_are_counted() {
        let llama = Llama {
            hidden: 64,
            heads: 4,
            kv_heads: 2,
            ffn: 96,
            layers: 3,
            vocabulary: 50,
            ..Llama::default()
        };
        let program = llama.program();
        let abilities = Abilities {
            threads_max: 256,
            shared_max: 32 << 10,
            side: 0,
            attention_side: 0,
            matrices_max: 1 << 30,
            subgroup_min: 32,
            chooses: false,
        };
        let plan = Plan::new(&program, &llama.limits(16, CacheType::F32), abilities);
        assert_eq!(plan.work.len(), plan.actions.len());
        let matrices = program.weights.iter().filter(|weight| weight.rows() > 1);
        let all: usize = matrices.map(|weight| weight.rows() * weight.cols()).sum();
        let embedded = llama.vocabulary * llama.hidden;
        assert_eq!(plan.work.iter().map(|work| work.row).sum::<f64>(), (all - embedded) as f64);
        let head_dim = program.caches[0].key_dim;
        let keys: f64 = plan.work.iter().map(|work| work.key).sum();
        assert_eq!(keys, (3 * 4 * 2 * head_dim) as f64);
        assert_eq!(Work { row: 10.0, key: 2.0 }.total(3, 5), 60.0);
    }

    #[test]
    fn long_contexts_have_shorter_batches_on_devices_that_share_memory() {
        let device = |unified| DeviceInfo {
            index: 0,
            name: String::new(),
            api: String::new(),
            driver: String::new(),
            software: false,
            unified,
            memory: None,
            missing: None,
        };
        // 32 heads of 128 values, as an 8B model has.
        let work = [Work { row: 5e7, key: 0.0 }, Work { row: 0.0, key: 8192.0 }];
        assert!(may_attend(&device(true), &work, 2048, 32_768));
        assert!(
            !may_attend(&device(true), &work, 2048, 131_072)
                && may_attend(&device(true), &work, 512, 131_072)
        );
        assert!(may_attend(&device(false), &work, 2048, 131_072));
    }

    #[test]
    fn a_window_is_all_that_a_row_sees() {
        let mut program = (*Llama::default().program()).clone();
        let attend = program.ops.iter_mut().find_map(|op| match op {
            Op::Attend(attend) => Some(attend),
            _ => None,
        });
        let attend: &mut Attend = attend.unwrap();
        attend.window = Some(Window::Sliding(7));
        let attend = attend.clone();
        let (op, cache) = (Op::Attend(attend.clone()), program.caches[attend.cache.index()]);
        let each = attend.heads * (cache.key_dim + cache.value_dim);
        assert_eq!(Work::of(&program, &op), Work { row: (7 * each) as f64, key: 0.0 });
    }
}
