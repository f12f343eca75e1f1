//! Several ways of doing the same, of which the device takes the one that is fastest on it (see `tuning`).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::taken::Taken;
use super::{Plan, Planner, Variant};

/// What is chosen between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The same in all programs where the same is chosen between. Others with this name differ in options.
    pub name: String,
    /// What each option is. The first is taken where nothing is known.
    pub options: Vec<String>,
    /// Rows of a step in which the difference shows, and how many tokens are before them.
    pub rows: u32,
    pub depth: u32,
}

/// One option of one choice, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optional {
    pub choice: usize,
    pub option: u8,
}

/// Which options are taken.
pub struct Chosen {
    options: Vec<AtomicU8>,
    /// The same as one number.
    all: AtomicU64,
}

impl Chosen {
    /// The first of each.
    pub fn new(choices: &[Choice]) -> Chosen {
        Chosen { options: choices.iter().map(|_| AtomicU8::new(0)).collect(), all: AtomicU64::new(0) }
    }

    pub fn option(&self, choice: usize) -> u8 {
        self.options[choice].load(Ordering::Relaxed)
    }

    pub fn set(&self, choice: usize, option: u8) {
        self.options[choice].store(option, Ordering::Relaxed);
        let options: Vec<u8> = (0..self.options.len()).map(|choice| self.option(choice)).collect();
        let mut hasher = DefaultHasher::new();
        options.hash(&mut hasher);
        self.all.store(hasher.finish(), Ordering::Relaxed);
    }

    pub fn takes(&self, optional: Optional) -> bool {
        self.option(optional.choice) == optional.option
    }

    /// A number for everything that is taken: commands are recorded for it.
    #[cfg_attr(target_os = "macos", allow(dead_code, reason = "only the lane of Vulkan keeps commands"))]
    pub fn all(&self) -> u64 {
        self.all.load(Ordering::Relaxed)
    }
}

impl Plan {
    /// The number of a choice, which may have been met before. One with other options is another, whatever its name: whoever belongs to a
    /// choice has all of its options.
    fn choice(&mut self, choice: Choice) -> usize {
        let known = self.choices.iter().position(|known| *known == choice);
        known.unwrap_or_else(|| {
            self.choices.push(choice);
            self.choices.len() - 1
        })
    }
}

impl Planner<'_> {
    /// Variants for the same rows, between which the device chooses; the first where it does not, or there is but one.
    pub(super) fn optional(
        &mut self,
        name: String,
        (rows, depth): (u32, u32),
        mut variants: Vec<(String, Variant)>,
    ) -> Vec<Variant> {
        if variants.len() > 1 && self.abilities.chooses {
            let options = variants.iter().map(|(name, _)| name.clone()).collect();
            let choice = self.plan.choice(Choice { name, options, rows, depth });
            for (option, (_, variant)) in variants.iter_mut().enumerate() {
                variant.options.push(Optional { choice, option: option as u8 });
            }
        } else {
            variants.truncate(1);
        }
        variants.into_iter().map(|(_, variant)| variant).collect()
    }
}

impl Planner<'_> {
    /// Variants of which the norm is a part, or those that come after the norm, as the device chooses.
    pub(super) fn either(&mut self, taken: &Taken, with: Vec<Variant>, after: Vec<Variant>) -> Vec<Variant> {
        if !self.abilities.chooses {
            return with;
        }
        let options = ["on the way of products", "before them"].map(String::from).to_vec();
        let name = format!("norms of {} values", self.width(taken.out));
        let choice = self.plan.choice(Choice { name, options, rows: 1, depth: 0 });
        let of = |variants: Vec<Variant>, option| {
            variants.into_iter().map(move |mut variant| {
                variant.options.push(Optional { choice, option });
                variant
            })
        };
        of(with, 0).chain(of(after, 1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use tandem_tensor::conformance::Llama;
    use tandem_tensor::{CacheType, DType, Op, Program};

    use super::*;
    use crate::plan::{Abilities, Action};

    /// Whatever is chosen, every action runs what was made for a step's rows and splits, and not what is for more.
    fn check(program: &Program, llama: &Llama) {
        let limits = llama.limits(32, CacheType::F16);
        for side in [0, 8, 16] {
            let (threads_max, shared_max, matrices_max) = (1024, 48 << 10, 1 << 30);
            let (subgroup_min, chooses) = (32, true);
            let attention_side = side;
            let abilities = Abilities {
                threads_max,
                shared_max,
                side,
                attention_side,
                matrices_max,
                subgroup_min,
                chooses,
            };
            let plan = Plan::new(program, &limits, abilities);
            let chosen = Chosen::new(&plan.choices);
            let fits = |variants: &[Variant], rows: u32, splits: u32| {
                let mut taking =
                    variants.iter().filter(|variant| rows <= variant.upto && splits <= variant.splits);
                let is_for = |variant: &Variant| (variant.upto, variant.splits);
                let closest = taking.clone().next().map(is_for);
                let is_chosen =
                    |variant: &&Variant| variant.options.iter().all(|option| chosen.takes(*option));
                closest.is_some() && taking.find(is_chosen).map(is_for) == closest
            };
            let runs = |rows: u32, splits: u32| {
                plan.actions.iter().all(|action| match action {
                    Action::Run { variants, .. } => fits(variants, rows, splits),
                    _ => true,
                })
            };
            assert!(!plan.choices.is_empty());
            for (choice, what) in plan.choices.iter().enumerate() {
                for option in 0..what.options.len() as u8 {
                    chosen.set(choice, option);
                    for (rows, splits) in
                        [(1, 1), (1, 4), (1, 9), (8, 9), (16, 1), (32, 1), (64, 9), (128, 1), (200, 1)]
                    {
                        assert!(runs(rows, splits), "{} = {option}, {rows} rows, {splits} splits", what.name);
                    }
                }
                chosen.set(choice, 0);
            }
        }
    }

    #[test]
    fn whatever_is_chosen_what_is_for_the_rows_runs() {
        let llama = Llama { hidden: 1024, heads: 8, kv_heads: 2, ffn: 1056, layers: 2, ..Llama::default() };
        for dtype in [DType::Q4_0, DType::Q8_0, DType::F16] {
            let llama = Llama { dtype, ..llama.clone() };
            let mut program = (*llama.program()).clone();
            check(&program, &llama);
            // A layer that reads another's keys does not rotate any.
            let last = program.ops.iter_mut().rev().find_map(|op| match op {
                Op::Attend(attend) => Some(attend),
                _ => None,
            });
            last.expect("two layers").kv = None;
            check(&program, &llama);
        }
    }
}
