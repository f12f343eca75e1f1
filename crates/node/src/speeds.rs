//! How fast models answered lately, to stand beside what was predicted.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tandem_engine::{Event, Sink, Usage};

/// Tokens per second of the last answer of each model that had the cluster to itself, as this node saw it.
#[derive(Default)]
pub struct Speeds {
    last: Mutex<HashMap<String, f64>>,
    under_way: AtomicU64,
    /// Answers that began beside another.
    crowded: AtomicU64,
}

/// Shorter answers say little.
const TOKENS_MIN: usize = 16;

impl Speeds {
    pub fn last(&self, model: &str) -> Option<f64> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).get(model).copied()
    }

    /// The same sink, watched.
    pub fn watch(self: &Arc<Self>, model: String, mut events: Sink) -> Sink {
        let watch = Watch::begin(Arc::clone(self), model);
        Box::new(move |event| {
            if let Event::Done(usage) = &event {
                watch.note(usage);
            }
            events(event);
        })
    }
}

struct Watch {
    speeds: Arc<Speeds>,
    model: String,
    /// `None` where it began beside another.
    crowded_before: Option<u64>,
}

impl Watch {
    fn begin(speeds: Arc<Speeds>, model: String) -> Watch {
        let is_alone = speeds.under_way.fetch_add(1, Ordering::Relaxed) == 0;
        if !is_alone {
            speeds.crowded.fetch_add(1, Ordering::Relaxed);
        }
        let crowded_before = is_alone.then(|| speeds.crowded.load(Ordering::Relaxed));
        Watch { speeds, model, crowded_before }
    }

    fn note(&self, usage: &Usage) {
        let was_alone = self.crowded_before == Some(self.speeds.crowded.load(Ordering::Relaxed));
        let seconds = usage.decoding_for.as_secs_f64();
        if was_alone && usage.tokens >= TOKENS_MIN && seconds > 0.0 {
            let mut last = self.speeds.last.lock().unwrap_or_else(PoisonError::into_inner);
            last.insert(self.model.clone(), (usage.tokens - 1) as f64 / seconds);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.speeds.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tandem_engine::Finish;

    fn answer(sink: &mut Sink, tokens: usize) {
        sink(Event::Done(Usage {
            finish: Finish::Length,
            prompt_tokens: 1,
            cached_tokens: 0,
            tokens,
            first_token_after: Duration::ZERO,
            decoding_for: Duration::from_secs(2),
        }));
    }

    #[test]
    fn answers_that_are_alone_and_long_enough_are_measured() {
        let speeds = Arc::new(Speeds::default());
        let watch = |model: &str| speeds.watch(model.to_owned(), Box::new(|_| {}));
        answer(&mut watch("short"), 10);
        answer(&mut watch("alone"), 41);
        let (mut one, mut other) = (watch("one"), watch("other"));
        answer(&mut one, 41);
        answer(&mut other, 41);
        drop((one, other));
        answer(&mut watch("again"), 21);
        let known = ["short", "alone", "one", "other", "again"].map(|model| speeds.last(model));
        assert_eq!(known, [None, Some(20.0), None, None, Some(10.0)]);
    }
}
