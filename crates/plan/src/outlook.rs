//! What would I get? The answer for people and for scripts.

use std::fmt;

use serde::Serialize;

use crate::planner::Bytes;
use crate::setup::best_cable;
use crate::{Hardware, ModelFacts, Pins, Plan, RANKS_MAX, Setup, TokenTime, plan};

/// A model, and where it might run.
pub struct Question<'a> {
    pub model: String,
    pub facts: &'a ModelFacts,
    /// The same model in other quantisations, large to small.
    pub others: &'a [(String, ModelFacts)],
    pub setup: &'a Setup,
    pub pins: &'a Pins,
    /// Dollars for a kilowatt-hour.
    pub kwh_usd: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outlook {
    pub model: String,
    pub setup: String,
    pub answer: Answer,
    /// What the whole setup costs, where prices are known.
    pub price_usd: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "there is one")]
pub enum Answer {
    Fits {
        plan: Plan,
        /// Of the speeds: a fifth is 0.2.
        uncertainty: f64,
        energy: Option<Energy>,
        /// What would make it faster.
        next: Vec<Choice>,
    },
    DoesNotFit {
        why: String,
        /// What would fit.
        instead: Vec<Choice>,
    },
}

/// While it answers one stream; an upper bound, since a machine of a pipeline rests while others work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Energy {
    pub watts_max: f64,
    pub kwh_per_million_tokens: f64,
    pub usd_per_million_tokens: f64,
    /// Of this, at this price.
    pub kwh_usd: f64,
}

/// Another way, and what it would give.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    pub what: String,
    pub decode_tokens_per_s: f64,
    pub prefill_tokens_per_s: f64,
    pub watts_max: Option<f64>,
    /// Of all of it.
    pub price_usd: Option<f64>,
}

/// Less is not worth telling.
const WORTH: f64 = 1.02;

impl Outlook {
    pub fn new(question: &Question) -> Outlook {
        let Question { model, facts, setup, pins, .. } = question;
        let answer = match plan(facts, &setup.machines(), &setup.links, pins) {
            Ok(plan) => Answer::Fits {
                uncertainty: setup.uncertainty(),
                energy: watts(setup, &plan).map(|watts| Energy::new(watts, &plan, question.kwh_usd)),
                next: next(question, &plan),
                plan,
            },
            Err(refusal) => Answer::DoesNotFit { why: refusal.to_string(), instead: instead(question) },
        };
        Outlook { model: model.clone(), setup: describe(setup), answer, price_usd: setup.price_usd() }
    }
}

/// One machine more, and better cables, where they bring something.
fn next(question: &Question, now: &Plan) -> Vec<Choice> {
    let better = |choice: &Choice| {
        choice.decode_tokens_per_s > now.prediction.decode.tokens_per_s() * WORTH
            || choice.prefill_tokens_per_s > now.prediction.prefill.tokens_per_s() * WORTH
    };
    let setup = question.setup;
    let more = setup.with_one_more().and_then(|more| {
        let name = more.machines.last().map(|own| own.name.clone())?;
        choice(question.facts, &more, question.pins, format!("one {} more", kind_of(&name)))
    });
    let cables = Hardware::known().cables.iter().filter_map(|cable| {
        let other = setup.with_cable(cable).filter(|_| setup.cable != Some(cable))?;
        choice(question.facts, &other, question.pins, format!("by {}", cable.id))
    });
    let best = cables.filter(better).max_by(|a, b| a.decode_tokens_per_s.total_cmp(&b.decode_tokens_per_s));
    // Pinned nodes stay; a machine more would not be used.
    let more = more.filter(|choice| better(choice) && question.pins.nodes.is_empty());
    more.into_iter().chain(best).collect()
}

/// The fewest of the same machines that hold it, and the largest quantisation that fits here.
fn instead(question: &Question) -> Vec<Choice> {
    let mut grown = question.setup.clone();
    let mut choices = Vec::new();
    while let Some(more) = grown.with_one_more() {
        if let Some(found) = choice(question.facts, &more, question.pins, describe(&more)) {
            choices.push(found);
            break;
        }
        grown = more;
    }
    let fits =
        |(name, facts): &(String, ModelFacts)| choice(facts, question.setup, question.pins, name.clone());
    let smaller =
        question.others.iter().filter(|(_, other)| other.weights_bytes < question.facts.weights_bytes);
    choices.extend(smaller.into_iter().find_map(fits));
    choices
}

fn choice(facts: &ModelFacts, setup: &Setup, pins: &Pins, what: String) -> Option<Choice> {
    let plan = plan(facts, &setup.machines(), &setup.links, pins).ok()?;
    Some(Choice {
        what,
        decode_tokens_per_s: plan.prediction.decode.tokens_per_s(),
        prefill_tokens_per_s: plan.prediction.prefill.tokens_per_s(),
        watts_max: watts(setup, &plan),
        price_usd: setup.price_usd(),
    })
}

/// Clusters of one kind of machine that a budget buys and that hold the model, fastest first; of equally fast ones the cheapest.
pub fn clusters(facts: &ModelFacts, budget_usd: f64, pins: &Pins) -> Vec<Choice> {
    let mut found: Vec<Choice> = Vec::new();
    for chip in &Hardware::known().chips {
        for (memory_gb, price) in &chip.price_usd {
            for count in 1..=RANKS_MAX {
                if price * count as f64 > budget_usd {
                    break;
                }
                let machines = vec![(chip, *memory_gb); count];
                let Ok(setup) = Setup::of(&machines, best_cable(&machines)) else { break };
                found.extend(choice(facts, &setup, pins, describe(&setup)));
            }
        }
    }
    found.sort_by(|a, b| {
        let faster = b.decode_tokens_per_s.total_cmp(&a.decode_tokens_per_s);
        faster.then(a.price_usd.unwrap_or(0.0).total_cmp(&b.price_usd.unwrap_or(0.0)))
    });
    // Who pays more must get more.
    let mut cheapest = f64::INFINITY;
    found.retain(|choice| {
        let price = choice.price_usd.unwrap_or(0.0);
        let is_worth_it = price < cheapest;
        cheapest = cheapest.min(price);
        is_worth_it
    });
    found
}

/// What the machines that the plan uses draw at most, where that is known of all of them.
fn watts(setup: &Setup, plan: &Plan) -> Option<f64> {
    let ranks = plan.stages.iter().flat_map(|stage| &stage.ranks);
    ranks.map(|rank| setup.machines[rank.machine].chip?.load_w).sum()
}

impl Energy {
    fn new(watts_max: f64, plan: &Plan, kwh_usd: f64) -> Energy {
        let kwh = watts_max * plan.prediction.decode.total_s() * 1e6 / 3.6e6;
        Energy { watts_max, kwh_per_million_tokens: kwh, usd_per_million_tokens: kwh * kwh_usd, kwh_usd }
    }
}

/// `2x m3-ultra-512 + dgx-spark-128, tb5-rdma`.
fn describe(setup: &Setup) -> String {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for own in &setup.machines {
        let name = if own.chip.is_some() { kind_of(&own.name) } else { own.name.as_str() };
        match kinds.iter_mut().find(|(kind, _)| *kind == name) {
            Some((_, count)) => *count += 1,
            None => kinds.push((name, 1)),
        }
    }
    let kinds: Vec<_> = kinds
        .iter()
        .map(|(name, count)| if *count > 1 { format!("{count}x {name}") } else { (*name).to_owned() })
        .collect();
    let cable = setup.cable.map_or_else(String::new, |cable| format!(", {}", cable.id));
    kinds.join(" + ") + &cable
}

/// Without its number.
fn kind_of(name: &str) -> &str {
    name.split(' ').next().unwrap_or(name)
}

impl fmt::Display for Outlook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} on {}", self.model, self.setup)?;
        match &self.answer {
            Answer::Fits { plan, uncertainty, energy, next } => {
                fits(f, plan, *uncertainty)?;
                let now = plan.prediction.decode.tokens_per_s();
                writeln!(f, "\nWhat would bring more")?;
                match next.is_empty() {
                    true => writeln!(f, "  neither a machine more nor another cable that is known here")?,
                    false => next.iter().try_for_each(|choice| {
                        let gain = (choice.decode_tokens_per_s / now - 1.0) * 100.0;
                        writeln!(f, "  {choice} ({gain:+.0}%)")
                    })?,
                }
                if energy.is_some() || self.price_usd.is_some() {
                    writeln!(f)?;
                }
                if let Some(energy) = energy {
                    writeln!(
                        f,
                        "Power: at most {:.0} W; {:.1} kWh, ${:.2} for a million tokens of one stream (${:.2} for a kWh)",
                        energy.watts_max,
                        energy.kwh_per_million_tokens,
                        energy.usd_per_million_tokens,
                        energy.kwh_usd
                    )?;
                }
            }
            Answer::DoesNotFit { why, instead } => {
                writeln!(f, "\nDoes not fit: {why}")?;
                if !instead.is_empty() {
                    writeln!(f, "\nWhat would fit")?;
                    instead.iter().try_for_each(|choice| writeln!(f, "  {choice}"))?;
                }
            }
        }
        match self.price_usd {
            Some(price) => writeln!(f, "Price: ${price:.0} for the machines"),
            None => Ok(()),
        }
    }
}

fn fits(f: &mut fmt::Formatter<'_>, plan: &Plan, uncertainty: f64) -> fmt::Result {
    let (decode, prefill) = (&plan.prediction.decode, &plan.prediction.prefill);
    let range = |time: &TokenTime| {
        let speed = time.tokens_per_s();
        format!(
            "{} tokens/s ({} to {})",
            Speed(speed),
            Speed(speed * (1.0 - uncertainty)),
            Speed(speed * (1.0 + uncertainty))
        )
    };
    writeln!(f, "\nAnswers {}", range(decode))?;
    writeln!(f, "Prompts {}", range(prefill))?;
    writeln!(
        f,
        "Context {} tokens, {} for all streams; memory is left for {} in all",
        plan.context, plan.cache_tokens, plan.context_room
    )?;
    writeln!(f, "\nWho holds what")?;
    for stage in &plan.stages {
        writeln!(f, "  layers {}..{}", stage.layers.start, stage.layers.end)?;
        for rank in &stage.ranks {
            writeln!(f, "    {} {:.0}% {}", rank.name, rank.share * 100.0, Bytes(rank.bytes))?;
        }
    }
    writeln!(f, "\nWhere the {:.1} ms of a token go", decode.total_s() * 1e3)?;
    let parts = [
        ("reading weights", decode.weights_s),
        ("reading the cache", decode.cache_s),
        ("launches and small work of layers", decode.layers_s),
        ("sums between machines", decode.sums_s),
        ("from stage to stage", decode.hops_s),
    ];
    for (what, seconds) in parts.iter().filter(|(_, seconds)| *seconds > 0.0) {
        writeln!(f, "  {:.1} ms {:.0}% {what}", seconds * 1e3, seconds / decode.total_s() * 100.0)?;
    }
    Ok(())
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Choice { what, decode_tokens_per_s, prefill_tokens_per_s, .. } = self;
        write!(
            f,
            "{what}: {} tokens/s, prompts {}",
            Speed(*decode_tokens_per_s),
            Speed(*prefill_tokens_per_s)
        )?;
        self.price_usd.map_or(Ok(()), |price| write!(f, ", ${price:.0}"))
    }
}

/// As many digits as mean something.
struct Speed(f64);

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            speed if speed < 10.0 => write!(f, "{speed:.1}"),
            speed => write!(f, "{speed:.0}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backtest::shapes::shape;

    /// With what loading needs beyond what was measured.
    fn facts(model: &str, quant: &str) -> ModelFacts {
        ModelFacts {
            scratch_bytes: 500_000_000,
            context_trained: 131_072,
            replicated_bytes: 0,
            ..shape(model).facts(quant)
        }
    }

    fn check(case: &str, model: &str, quant: &str, setup: &str) {
        let setup = Setup::parse(setup).unwrap();
        let others = [("Q4_K_M".to_owned(), facts(model, "q4_k_m"))];
        let outlook = Outlook::new(&Question {
            model: format!("{model} {quant}"),
            facts: &facts(model, quant),
            others: &others,
            setup: &setup,
            pins: &Pins::default(),
            kwh_usd: 0.3,
        });
        crate::snapshot::check(&format!("snapshots/{case}.txt"), &outlook.to_string());
    }

    #[test]
    fn four_macs_share_a_large_mixture() {
        check("four_macs", "qwen3-235b", "q8_0", "4x m3-ultra-512 tb5-mesh");
    }

    #[test]
    fn a_slow_network_makes_a_pipeline_of_what_one_cannot_hold() {
        check("slow_network", "deepseek-v3.1", "q4_k_m", "2x m3-ultra-256 + m3-ultra-256 10gbe");
    }

    #[test]
    fn one_machine_does_where_the_model_fits() {
        check("one_machine", "gpt-oss-120b", "mxfp4", "2x dgx-spark 10gbe");
    }

    #[test]
    fn unequal_chips_get_unequal_shares() {
        check("unequal", "llama-70b", "q4_k_m", "m3-ultra-96 + m4-max-128 tb5-mesh");
    }

    #[test]
    fn what_does_not_fit_is_told_what_would() {
        check("too_big", "deepseek-v3.1", "q8_0", "m3-ultra-512");
    }

    #[test]
    fn a_chip_that_nobody_measured_is_less_certain() {
        check("unmeasured", "llama-70b", "q4_k_m", "m5-max-128");
    }

    #[test]
    fn a_budget_buys_clusters() {
        let choices = clusters(&facts("qwen3-235b", "q8_0"), 40_000.0, &Pins::default());
        let lines: String = choices.iter().map(|choice| format!("{choice}\n")).collect();
        crate::snapshot::check("snapshots/budget.txt", &lines);
        assert!(clusters(&facts("qwen3-235b", "q8_0"), 3_000.0, &Pins::default()).is_empty());
    }
}
