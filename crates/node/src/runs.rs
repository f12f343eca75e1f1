//! What models gave where they ran. The node that leads a model measures it, keeps it over restarts, and tells the others.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tandem_cluster::NodeId;
use tandem_engine::{Event, Sink, Usage};

use crate::home::Home;

/// Where a model runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub model: String,
    pub version: u64,
    /// By rank.
    pub nodes: Vec<NodeId>,
    pub devices: Vec<String>,
    pub stages: usize,
}

/// What it gave there to an answer that had it to itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    pub place: Place,
    pub decode_tokens_per_s: f64,
    /// Where a prompt was long enough to tell.
    pub prefill_tokens_per_s: Option<f64>,
}

#[derive(Default)]
pub struct Runs {
    /// Where they are kept, if anywhere.
    home: Option<Arc<Home>>,
    /// The latest last.
    known: Mutex<Vec<Ran>>,
    writing: Mutex<()>,
    under_way: AtomicU64,
    /// Answers that began beside another.
    crowded: AtomicU64,
}

const KEPT: &str = "runs.json";
const KEPT_MAX: usize = 64;
/// Shorter answers and prompts say little.
const TOKENS_MIN: usize = 16;
const PROMPT_MIN: usize = 128;
/// Smaller changes are not worth telling everyone.
const CHANGE_MIN: f64 = 0.05;

impl Runs {
    /// With what was measured in earlier lives.
    pub fn open(home: &Arc<Home>) -> Runs {
        let kept = std::fs::read(home.folder().join(KEPT)).ok();
        let known = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        Runs { home: Some(Arc::clone(home)), known: Mutex::new(known), ..Runs::default() }
    }

    pub fn known(&self) -> Vec<Ran> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same sink, watched.
    pub fn watch(self: &Arc<Self>, place: Place, mut events: Sink) -> Sink {
        let watch = Watch::begin(Arc::clone(self), place);
        Box::new(move |event| {
            if let Event::Done(usage) = &event {
                watch.note(usage);
            }
            events(event);
        })
    }

    fn take(self: &Arc<Self>, new: Ran) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let old = known.iter().position(|ran| ran.place == new.place).map(|at| known.remove(at));
        let kept = match &old {
            Some(old) => old.and(&new),
            None => new,
        };
        let changed = old.is_none_or(|old| old.differs(&kept));
        known.push(kept);
        let surplus = known.len().saturating_sub(KEPT_MAX);
        known.drain(..surplus);
        drop(known);
        if let Some(home) = self.home.clone().filter(|_| changed) {
            let runs = Arc::clone(self);
            // The disk is not waited for; what is not kept is measured again.
            std::thread::spawn(move || {
                let _turn = runs.writing.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = serde_json::to_vec(&runs.known()).map(|bytes| home.write(KEPT, &bytes));
            });
        }
    }
}

impl Ran {
    /// One answer may have been unlucky: the mean of what was known and what is new, unless they are of different moments
    /// altogether.
    fn and(&self, new: &Ran) -> Ran {
        let mean =
            |old: f64, new: f64| if (old / new).max(new / old) > 2.0 { new } else { (old + new) / 2.0 };
        Ran {
            place: new.place.clone(),
            decode_tokens_per_s: mean(self.decode_tokens_per_s, new.decode_tokens_per_s),
            prefill_tokens_per_s: match (self.prefill_tokens_per_s, new.prefill_tokens_per_s) {
                (Some(old), Some(new)) => Some(mean(old, new)),
                (old, new) => new.or(old),
            },
        }
    }

    fn differs(&self, other: &Ran) -> bool {
        let far = |a: f64, b: f64| (a / b - 1.0).abs() > CHANGE_MIN;
        let [own, theirs] = [self, other].map(|ran| ran.prefill_tokens_per_s);
        far(self.decode_tokens_per_s, other.decode_tokens_per_s)
            || own.is_some() != theirs.is_some()
            || own.zip(theirs).is_some_and(|(a, b)| far(a, b))
    }
}

struct Watch {
    runs: Arc<Runs>,
    place: Place,
    /// `None` where it began beside another.
    crowded_before: Option<u64>,
}

impl Watch {
    fn begin(runs: Arc<Runs>, place: Place) -> Watch {
        let is_alone = runs.under_way.fetch_add(1, Ordering::Relaxed) == 0;
        if !is_alone {
            runs.crowded.fetch_add(1, Ordering::Relaxed);
        }
        let crowded_before = is_alone.then(|| runs.crowded.load(Ordering::Relaxed));
        Watch { runs, place, crowded_before }
    }

    fn note(&self, usage: &Usage) {
        let was_alone = self.crowded_before == Some(self.runs.crowded.load(Ordering::Relaxed));
        let seconds = usage.decoding_for.as_secs_f64();
        if !was_alone || usage.tokens < TOKENS_MIN || seconds <= 0.0 {
            return;
        }
        let read = usage.prompt_tokens.saturating_sub(usage.cached_tokens);
        let reading = usage.first_token_after.as_secs_f64();
        self.runs.take(Ran {
            place: self.place.clone(),
            decode_tokens_per_s: (usage.tokens - 1) as f64 / seconds,
            prefill_tokens_per_s: (read >= PROMPT_MIN && reading > 0.0).then(|| read as f64 / reading),
        });
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.runs.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tandem_engine::Finish;

    fn answer(sink: &mut Sink, prompt_tokens: usize, tokens: usize) {
        sink(Event::Done(Usage {
            finish: Finish::Length,
            prompt_tokens,
            cached_tokens: 0,
            tokens,
            first_token_after: Duration::from_secs(1),
            decoding_for: Duration::from_secs(2),
        }));
    }

    fn place(model: &str) -> Place {
        Place {
            model: model.into(),
            version: 1,
            nodes: vec![NodeId([1; 32])],
            devices: vec!["cpu".into()],
            stages: 1,
        }
    }

    #[test]
    fn answers_that_are_alone_and_long_enough_are_measured() {
        let runs: Arc<Runs> = Arc::default();
        let watch = |model: &str| runs.watch(place(model), Box::new(|_| {}));
        answer(&mut watch("short"), 1, 10);
        answer(&mut watch("alone"), 1, 41);
        let (mut one, mut other) = (watch("one"), watch("other"));
        answer(&mut one, 1, 41);
        answer(&mut other, 1, 41);
        drop((one, other));
        answer(&mut watch("again"), 300, 21);
        let known: Vec<_> = runs
            .known()
            .into_iter()
            .map(|ran| (ran.place.model, ran.decode_tokens_per_s, ran.prefill_tokens_per_s))
            .collect();
        assert_eq!(known, [("alone".into(), 20.0, None), ("again".into(), 10.0, Some(300.0))]);
        // The next answer counts half, and an entirely different one replaces what was known.
        answer(&mut watch("alone"), 1, 31);
        assert_eq!(runs.known()[1].decode_tokens_per_s, 17.5);
        answer(&mut watch("alone"), 1, 201);
        assert_eq!(runs.known()[1].decode_tokens_per_s, 100.0);
    }
}
