//! Measures each request, and writes the totals in Prometheus' format.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde::Serialize;
use serde_json::{Value, json};

use crate::{Answer, Delta, Failure, Metric, MetricKind, Progress, Summary};

/// Counts since the start, and what is asked now. Whoever starts a server may keep one to look at it.
#[derive(Default)]
pub struct Totals {
    /// By route and status.
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    pub(crate) in_flight: AtomicU64,
    generations: AtomicU64,
    cancelled: AtomicU64,
    failed: AtomicU64,
    prompt_tokens: AtomicU64,
    cached_tokens: AtomicU64,
    tokens: AtomicU64,
    first_token_s: Histogram,
    between_tokens_s: Histogram,
    request_s: Histogram,
    /// Requests for answers that have not ended, by when they came.
    asked: Mutex<BTreeMap<u64, UnderWay>>,
    asked_count: AtomicU64,
}

/// What has been answered so far, and how much is asked now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Requests under way, and those of them that have no token yet.
    pub requests: usize,
    pub waiting: usize,
    pub prompt_tokens: u64,
    pub cached_tokens: u64,
    pub tokens: u64,
    /// Answers that had a first token, and what they waited for it in all.
    pub first_tokens: u64,
    pub first_token_us: u64,
}

/// A request for an answer that has not ended.
#[derive(Clone, Debug)]
pub struct UnderWay {
    pub id: String,
    pub model: String,
    pub since: Instant,
    pub first_token_ms: Option<u64>,
    /// Of whoever makes the tokens, once that is known.
    progress: Option<Arc<Progress>>,
}

impl UnderWay {
    pub fn prompt_tokens(&self) -> usize {
        self.progress.as_ref().map_or(0, |progress| progress.prompt_tokens)
    }

    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id, "model": self.model, "for_ms": self.since.elapsed().as_millis() as u64,
            "first_token_ms": self.first_token_ms, "prompt_tokens": self.prompt_tokens(), "tokens": self.tokens(),
        })
    }

    pub fn tokens(&self) -> usize {
        self.progress.as_ref().map_or(0, |progress| progress.tokens.load(Relaxed))
    }
}

/// Keeps a request among those under way until it is dropped.
pub(crate) struct Asked {
    totals: Arc<Totals>,
    key: u64,
}

impl Asked {
    pub fn begin(totals: &Arc<Totals>, id: String, model: String) -> Asked {
        let key = totals.asked_count.fetch_add(1, Relaxed);
        let entry = UnderWay { id, model, since: Instant::now(), first_token_ms: None, progress: None };
        totals.asked().insert(key, entry);
        Asked { totals: Arc::clone(totals), key }
    }

    pub fn answered_by(&self, progress: Arc<Progress>) {
        self.change(|entry| entry.progress = Some(progress));
    }

    fn change(&self, change: impl FnOnce(&mut UnderWay)) {
        if let Some(entry) = self.totals.asked().get_mut(&self.key) {
            change(entry);
        }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.totals.asked().remove(&self.key);
    }
}

/// Follows one request's answers.
pub(crate) struct Meter {
    totals: Arc<Totals>,
    start: Instant,
    last: Vec<Option<Instant>>,
    /// Of each answer that is not done.
    open: Vec<Option<Arc<Progress>>>,
    asked: Vec<Option<Asked>>,
    pub record: Arc<Mutex<Record>>,
}

/// What the log says of a request's answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// The request's id, as its answer carries it.
    pub id: String,
    pub model: String,
    pub prompt_tokens: usize,
    pub cached_tokens: usize,
    pub tokens: usize,
    pub first_token_ms: Option<u64>,
    /// The longest that an answer stood still after it had begun.
    pub longest_pause_ms: u64,
    pub failure: Option<String>,
    pub cancelled: bool,
    /// Only where whoever runs the server asked for them.
    pub texts: Option<Texts>,
}

/// What was said, by answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    pub prompts: Vec<Value>,
    pub answers: Vec<String>,
}

impl Meter {
    /// `start` is when the request came; `asked` has one entry for each answer.
    pub fn new(
        totals: Arc<Totals>,
        record: Arc<Mutex<Record>>,
        answers: &[Answer],
        asked: Vec<Asked>,
        start: Instant,
    ) -> Meter {
        totals.generations.fetch_add(answers.len() as u64, Relaxed);
        let open = answers.iter().map(|answer| Some(answer.progress())).collect();
        let asked = asked.into_iter().map(Some).collect();
        Meter { totals, start, last: vec![None; answers.len()], open, asked, record }
    }

    pub fn observe(&mut self, choice: usize, delta: &Delta) {
        if let Delta::Done(summary) = delta {
            self.open[choice] = None;
            self.asked[choice] = None;
            return self.done(summary);
        }
        if let (Delta::Content(text) | Delta::Reasoning(text), Some(texts)) =
            (delta, &mut self.record().texts)
        {
            texts.answers[choice].push_str(text);
        }
        let now = Instant::now();
        match self.last[choice].replace(now) {
            Some(last) => {
                self.totals.between_tokens_s.observe((now - last).as_secs_f64());
                let mut record = self.record();
                record.longest_pause_ms = record.longest_pause_ms.max((now - last).as_millis() as u64);
            }
            None => {
                let waited = now - self.start;
                self.totals.first_token_s.observe(waited.as_secs_f64());
                let waited_ms = waited.as_millis() as u64;
                if let Some(asked) = &self.asked[choice] {
                    asked.change(|entry| entry.first_token_ms = Some(waited_ms));
                }
                self.record().first_token_ms.get_or_insert(waited_ms);
            }
        }
    }

    pub fn failed(&mut self, failure: &Failure) {
        self.open.clear();
        self.asked.clear();
        self.totals.failed.fetch_add(1, Relaxed);
        self.record().failure = Some(failure.logged());
    }

    fn done(&mut self, summary: &Summary) {
        self.totals.request_s.observe(self.start.elapsed().as_secs_f64());
        self.totals.cached_tokens.fetch_add(summary.cached_tokens as u64, Relaxed);
        self.record().cached_tokens += summary.cached_tokens;
        self.count(summary.prompt_tokens, summary.tokens);
    }

    fn count(&self, prompt_tokens: usize, tokens: usize) {
        self.totals.prompt_tokens.fetch_add(prompt_tokens as u64, Relaxed);
        self.totals.tokens.fetch_add(tokens as u64, Relaxed);
        let mut record = self.record();
        record.prompt_tokens += prompt_tokens;
        record.tokens += tokens;
    }

    fn record(&self) -> std::sync::MutexGuard<'_, Record> {
        self.record.lock().expect("nobody panics holding this")
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        // The client has left: what it has not waited for was made all the same.
        for progress in std::mem::take(&mut self.open).into_iter().flatten() {
            self.totals.cancelled.fetch_add(1, Relaxed);
            self.record().cancelled = true;
            self.count(progress.prompt_tokens, progress.tokens.load(Relaxed));
        }
    }
}

impl Totals {
    pub fn counts(&self) -> Counts {
        let asked = self.asked();
        let made: usize = asked.values().map(UnderWay::tokens).sum();
        Counts {
            requests: asked.len(),
            waiting: asked.values().filter(|entry| entry.first_token_ms.is_none()).count(),
            prompt_tokens: self.prompt_tokens.load(Relaxed),
            cached_tokens: self.cached_tokens.load(Relaxed),
            tokens: self.tokens.load(Relaxed) + made as u64,
            first_tokens: self.first_token_s.count(),
            first_token_us: self.first_token_s.sum_us.load(Relaxed),
        }
    }

    /// Requests for answers that have not ended, the oldest first.
    pub fn under_way(&self) -> Vec<UnderWay> {
        self.asked().values().cloned().collect()
    }

    fn asked(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, UnderWay>> {
        self.asked.lock().expect("nobody panics holding this")
    }

    pub(crate) fn answered(&self, route: &str, status: u16) {
        let mut requests = self.requests.lock().expect("nobody panics holding this");
        *requests.entry((route.to_owned(), status)).or_default() += 1;
    }

    /// The exposition format, version 0.0.4.
    pub(crate) fn render(&self, service: &[Metric]) -> String {
        let mut out = String::new();
        head(&mut out, "requests_total", "HTTP requests answered.", "counter");
        for ((route, status), count) in self.requests.lock().expect("nobody panics holding this").iter() {
            let _ = writeln!(
                out,
                "tandem_requests_total{{route=\"{}\",status=\"{status}\"}} {count}",
                escaped(route)
            );
        }
        let plain = [
            ("requests_in_flight", "HTTP requests being answered.", "gauge", &self.in_flight),
            ("generations_total", "Answers begun.", "counter", &self.generations),
            ("generations_cancelled_total", "Answers whose client left.", "counter", &self.cancelled),
            ("generations_failed_total", "Answers that failed after they began.", "counter", &self.failed),
            ("prompt_tokens_total", "Prompt tokens of answers.", "counter", &self.prompt_tokens),
            ("cache_hit_tokens_total", "Prompt tokens found in the cache.", "counter", &self.cached_tokens),
            (
                "generated_tokens_total",
                "Tokens of answers, whether or not they were waited for.",
                "counter",
                &self.tokens,
            ),
        ];
        for (name, help, kind, value) in plain {
            head(&mut out, name, help, kind);
            let _ = writeln!(out, "tandem_{name} {}", value.load(Relaxed));
        }
        self.first_token_s.render(&mut out, "first_token_seconds", "From the request to its first token.");
        self.between_tokens_s.render(
            &mut out,
            "between_tokens_seconds",
            "From one piece of an answer to the next.",
        );
        self.request_s.render(&mut out, "generation_seconds", "From the request to its last token.");
        // Readers of metrics refuse a name that comes a second time, so all of one name stand together.
        let mut service: Vec<&Metric> = service.iter().collect();
        service.sort_by_key(|metric| metric.name);
        let mut named = "";
        for metric in service {
            if metric.name != named {
                named = metric.name;
                let kind = match metric.kind {
                    MetricKind::Counter => "counter",
                    MetricKind::Gauge => "gauge",
                };
                head(&mut out, metric.name, metric.help, kind);
            }
            let labels: Vec<String> =
                metric.labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
            let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
            let _ = writeln!(out, "tandem_{}{labels} {}", metric.name, metric.value);
        }
        out
    }
}

fn head(out: &mut String, name: &str, help: &str, kind: &str) {
    let _ = writeln!(out, "# HELP tandem_{name} {help}\n# TYPE tandem_{name} {kind}");
}

fn escaped(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

const BOUNDS_S: [f64; 16] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0];

#[derive(Default)]
struct Histogram {
    /// How many fell below each bound and above the one before; the last: above all.
    counts: [AtomicU64; BOUNDS_S.len() + 1],
    sum_us: AtomicU64,
}

impl Histogram {
    fn observe(&self, seconds: f64) {
        let index = BOUNDS_S.partition_point(|bound| *bound < seconds);
        self.counts[index].fetch_add(1, Relaxed);
        self.sum_us.fetch_add((seconds * 1e6) as u64, Relaxed);
    }

    fn count(&self) -> u64 {
        self.counts.iter().map(|count| count.load(Relaxed)).sum()
    }

    fn render(&self, out: &mut String, name: &str, help: &str) {
        head(out, name, help, "histogram");
        let mut below = 0;
        for (bound, count) in BOUNDS_S.iter().zip(&self.counts) {
            below += count.load(Relaxed);
            let _ = writeln!(out, "tandem_{name}_bucket{{le=\"{bound}\"}} {below}");
        }
        below += self.counts[BOUNDS_S.len()].load(Relaxed);
        let sum = self.sum_us.load(Relaxed) as f64 / 1e6;
        let _ = writeln!(
            out,
            "tandem_{name}_bucket{{le=\"+Inf\"}} {below}\ntandem_{name}_sum {sum}\ntandem_{name}_count {below}"
        );
    }
}
