//! Answers from few values of every row are those from whole rows, with the same log-probabilities.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tandem_engine::{
    Config, Constraint, Engine, Event, Grammar, Grammars, Logprobs, Request, RequestId, Sampling, Stepper,
};
use tandem_tensor::conformance::{Noise, reduced};
use tandem_tensor::{Batch, CacheType, Limits, PeerLost, Rest};

/// No multiple of anything.
const VOCAB: usize = 1003;

/// Rows of noise that depend on token and position, some with few likely tokens and some with many.
struct Noisy {
    /// Whether it gives few of them.
    reduces: bool,
    whole: Vec<f32>,
    result: Vec<f32>,
    rests: Vec<Rest>,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    rows: AtomicUsize,
    fetched: AtomicUsize,
    whole: AtomicUsize,
}

impl Stepper for Noisy {
    fn start(&mut self, batch: &Batch) -> Result<(), PeerLost> {
        self.whole.clear();
        let positions = batch.spans.iter().flat_map(|span| span.start..span.start + span.rows);
        let positions: Vec<u32> = positions.collect();
        for row in &batch.outputs {
            let (token, position) = (batch.tokens[*row as usize], positions[*row as usize]);
            let mut noise = Noise(u64::from(token) * 1000 + u64::from(position));
            let spread = [4.0, 40.0, 100.0][position as usize % 3];
            self.whole.extend((0..VOCAB).map(|_| noise.value() * spread));
        }
        (self.result, self.rests) = (self.whole.clone(), Vec::new());
        self.counts.rows.fetch_add(batch.outputs.len(), Ordering::Relaxed);
        if self.reduces && batch.top > 0 {
            (self.result, self.rests) = reduced(batch, &self.whole);
        } else {
            assert!(batch.masks.is_empty() && batch.sums.is_empty());
            self.counts.whole.fetch_add(batch.outputs.len(), Ordering::Relaxed);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), PeerLost> {
        Ok(())
    }

    fn result(&self) -> &[f32] {
        &self.result
    }

    fn reduces(&self) -> bool {
        self.reduces
    }

    fn rests(&self) -> &[Rest] {
        &self.rests
    }

    fn fetch(&mut self, output: usize) -> Result<(), PeerLost> {
        let row = output * VOCAB..(output + 1) * VOCAB;
        self.result[row.clone()].copy_from_slice(&self.whole[row]);
        self.counts.fetched.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// Every so many tokens may come, from one on that the last decides.
struct Every {
    step: usize,
    last: u32,
    mask: Vec<u32>,
}

struct Steps;

impl Grammars for Steps {
    fn compile(&self, constraint: &Constraint) -> Result<Box<dyn Grammar>, String> {
        let Constraint::Regex(text) = constraint else { return Err("a number is wanted".into()) };
        let step = text.parse().map_err(|_| "a number is wanted".to_string())?;
        Ok(Box::new(Every { step, last: 1, mask: Vec::new() }))
    }
}

impl Grammar for Every {
    fn mask(&mut self) -> Result<&[u32], String> {
        self.mask = vec![0; VOCAB.div_ceil(32)];
        let first = self.last as usize * 7 % self.step;
        (first..VOCAB).step_by(self.step).for_each(|token| self.mask[token / 32] |= 1 << (token % 32));
        Ok(&self.mask)
    }

    fn accept(&mut self, token: u32) -> Result<bool, String> {
        self.last = token;
        Ok(false)
    }
}

fn engine(reduces: bool) -> (Engine, Arc<Counts>) {
    let limits = Limits {
        tokens_max: 16,
        outputs_max: 8,
        block_len: 4,
        blocks: 400,
        window: 0,
        window_blocks: 0,
        states: 0,
        context_max: 120,
        cache_type: CacheType::F32,
    };
    let config = Config { limits, vocab: VOCAB, sequences_max: 8, prefill_chunk: 6, waiting_max: 300 };
    let counts = Arc::new(Counts::default());
    let noisy = Noisy {
        reduces,
        whole: Vec::new(),
        result: Vec::new(),
        rests: Vec::new(),
        counts: Arc::clone(&counts),
    };
    (Engine::new(Box::new(noisy), config).with_grammars(Arc::new(Steps)), counts)
}

type Answer = Vec<(u32, Option<Logprobs>)>;

fn answers(requests: &[Request], reduces: bool) -> (Vec<Answer>, Arc<Counts>) {
    let (mut engine, counts) = engine(reduces);
    for (id, request) in (0..).zip(requests) {
        engine.submit(RequestId(id), request.clone()).unwrap();
    }
    let mut answers = vec![Vec::new(); requests.len()];
    let mut events = Vec::new();
    while !engine.is_idle() {
        engine.step(&mut events).unwrap();
        for (id, event) in events.drain(..) {
            match event {
                Event::Token { id: token, logprobs } => {
                    answers[id.0 as usize].push((token, logprobs.map(|found| *found)));
                }
                Event::Done(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }
    (answers, counts)
}

fn check_equal(found: &[Answer], expected: &[Answer]) {
    let near = |a: f32, b: f32| (a - b).abs() < 1e-4;
    for (which, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found.len(), expected.len(), "answer {which}");
        for (at, ((token, found), (wanted, expected))) in found.iter().zip(expected).enumerate() {
            assert_eq!(token, wanted, "answer {which}, token {at}");
            assert_eq!(found.is_some(), expected.is_some());
            let Some((found, expected)) = found.as_ref().zip(expected.as_ref()) else { continue };
            assert!(near(found.chosen, expected.chosen), "answer {which}, token {at}");
            assert_eq!(found.top.len(), expected.top.len());
            for (found, expected) in found.top.iter().zip(&expected.top) {
                assert_eq!(found.id, expected.id, "answer {which}, token {at}");
                assert!(near(found.logprob, expected.logprob), "answer {which}, token {at}");
            }
        }
    }
}

/// Every way to choose, with and without a grammar, penalties and log-probabilities.
fn requests() -> Vec<Request> {
    let plain = |temperature| Sampling { temperature, seed: Some(11), ..Sampling::default() };
    let ways = [
        plain(0.0),
        plain(1.0),
        Sampling { top_p: 0.8, ..plain(1.0) },
        Sampling { top_p: 0.95, ..plain(0.6) },
        Sampling { top_p: 0.0, ..plain(1.0) },
        Sampling { min_p: 0.1, ..plain(1.0) },
        Sampling { min_p: 0.02, top_p: 0.9, ..plain(1.5) },
        Sampling { top_k: 20, top_p: 0.9, ..plain(1.0) },
        Sampling { top_k: 20, min_p: 0.3, ..plain(1.0) },
    ];
    let penalties = |sampling: &Sampling| Sampling {
        repetition_penalty: 1.2,
        presence_penalty: 0.5,
        frequency_penalty: 0.3,
        logit_bias: vec![(5, 3.0), (900, -4.0), (1, 2.0), (5, 1.0)],
        ..sampling.clone()
    };
    let mut requests = Vec::new();
    for way in &ways {
        for sampling in [way.clone(), penalties(way)] {
            for grammar in [None, Some("2"), Some("40"), Some("1003")] {
                for logprobs in [None, Some(0), Some(5)] {
                    requests.push(Request {
                        prompt: vec![1, 2, 3 + requests.len() as u32],
                        tokens_max: Some(24),
                        sampling: sampling.clone(),
                        logprobs,
                        constraint: grammar.map(|text| Constraint::Regex(text.into())),
                        ..Request::default()
                    });
                }
            }
        }
    }
    requests
}

#[test]
fn few_values_give_the_same_answers() {
    let requests = requests();
    // Alone, where only its own needs count; and among others, whose needs are theirs too.
    for request in &requests {
        let request = std::slice::from_ref(request);
        let (expected, _) = answers(request, false);
        let (found, counts) = answers(request, true);
        assert_eq!(expected[0].len(), 24);
        check_equal(&found, &expected);
        assert_eq!(counts.whole.load(Ordering::Relaxed), 0, "{request:?}");
    }
    let (expected, _) = answers(&requests, false);
    let (found, counts) = answers(&requests, true);
    check_equal(&found, &expected);
    let [rows, fetched, whole] =
        [&counts.rows, &counts.fetched, &counts.whole].map(|count| count.load(Ordering::Relaxed));
    assert_eq!(whole, 0);
    println!("{fetched} of {rows} rows were fetched");
}

#[test]
fn rows_are_fetched_only_where_few_values_do_not_decide() {
    let fetched = |sampling: Sampling, grammar: Option<&str>, logprobs: Option<usize>| {
        let sampling = Sampling { seed: Some(3), ..sampling };
        let constraint = grammar.map(|text| Constraint::Regex(text.into()));
        let request = Request {
            prompt: vec![1, 2],
            tokens_max: Some(90),
            sampling,
            constraint,
            logprobs,
            ..Request::default()
        };
        let (_, counts) = answers(&[request], true);
        assert_eq!(counts.rows.load(Ordering::Relaxed), 90);
        counts.fetched.load(Ordering::Relaxed)
    };
    let plain = Sampling { temperature: 1.0, ..Sampling::default() };
    let greedy = Sampling::default();
    for sampling in [greedy.clone(), plain.clone()] {
        assert_eq!(fetched(sampling.clone(), Some("2"), None), 0);
        assert_eq!(fetched(sampling.clone(), None, Some(20)), 0);
        assert_eq!(fetched(sampling.clone(), Some("2"), Some(0)), 0);
        assert_eq!(fetched(sampling.clone(), Some("2"), Some(5)), 0);
        assert_eq!(fetched(sampling.clone(), Some("1003"), Some(5)), 0);
    }
    // A third of the rows is so flat that 64 tokens do not have the wanted part of the probability.
    let nucleus = fetched(Sampling { top_p: 0.9, ..plain.clone() }, None, None);
    assert!((25..=45).contains(&nucleus), "{nucleus}");
    let cut = fetched(Sampling { min_p: 0.05, ..plain.clone() }, None, None);
    assert!((25..=45).contains(&cut), "{cut}");
    assert_eq!(
        fetched(Sampling { top_p: 0.9, ..plain }, Some("40"), None),
        0,
        "all that is allowed is known"
    );
}
