//! The engine over a session whose every answer depends on the whole history as the cache holds it: any slip
//! in paging, prefix sharing, chunking, batching or eviction changes the text.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tandem_engine::{
    Config, Constraint, Engine, EngineError, Event, Finish, Grammar, Grammars, Handle, Picture, Refused,
    Request, RequestId, Sampling, Sight, Stepper, Tokens,
};
use tandem_tensor::{Batch, CacheType, Given, Limits, PeerLost};

const VOCAB: usize = 50;
/// More than the engine computes of prompts at a time beside others.
const PICTURE_ROWS: usize = 7;

/// Keeps each token where its keys and values would go, and predicts a hash of the sequence so far.
struct Recorder {
    limits: Limits,
    slots: Vec<u32>,
    /// The same in a layer with a window.
    window_slots: Vec<u32>,
    /// The history that each place for states stands for.
    states: Vec<Vec<u32>>,
    result: Vec<f32>,
    /// Token and position of every output.
    hidden: Vec<f32>,
    fail_after: usize,
    /// Batches that may be under way, and the results of those that are.
    depth: usize,
    flying: VecDeque<Vec<f32>>,
    /// Whether a batch's tokens may come from the one before, and how often they did.
    feeds: bool,
    fed: Arc<AtomicUsize>,
    /// Rows computed in all.
    rows: Arc<AtomicUsize>,
    /// Without one of these a batch waits.
    permits: Option<Receiver<()>>,
    /// A prompt token whose results are this.
    poison: Option<(u32, f32)>,
}

fn predict(history: impl Iterator<Item = u32>) -> u32 {
    let hash = history.fold(17u32, |hash, token| hash.wrapping_mul(31).wrapping_add(token) ^ (hash >> 15));
    hash % VOCAB as u32
}

impl Recorder {
    fn run(&mut self, batch: &Batch) -> Result<(), PeerLost> {
        if self.fail_after == 0 {
            return Err(PeerLost { rank: 3, reason: "pulled".into() });
        }
        self.fail_after -= 1;
        if let Some(permits) = &self.permits {
            permits.recv().expect("a permit");
        }
        self.rows.fetch_add(batch.tokens.len(), Ordering::Relaxed);
        let len = self.limits.block_len;
        assert!(
            batch.tokens.len() <= self.limits.tokens_max && batch.outputs.len() <= self.limits.outputs_max
        );
        assert_eq!(batch.spans.iter().map(|span| span.rows as usize).sum::<usize>(), batch.tokens.len());
        self.result.clear();
        self.hidden.clear();
        let (mut row, mut first_block, mut first_window) = (0, 0, 0);
        for span in &batch.spans {
            let table = &batch.blocks[first_block..][..span.blocks as usize];
            first_block += span.blocks as usize;
            let window = &batch.window_blocks[first_window..][..span.window_blocks as usize];
            first_window += window.len();
            let slot = |position: usize| table[position / len] as usize * len + position % len;
            let window_slot = |position: usize| {
                window[position / len - span.window_first()] as usize * len + position % len
            };
            let mut state = match span.start {
                0 => Vec::new(),
                _ => self.states.get(span.state_from as usize).cloned().unwrap_or_default(),
            };
            if !self.states.is_empty() {
                let before = (0..span.start as usize).map(|position| self.slots[slot(position)]);
                assert_eq!(state, before.collect::<Vec<_>>(), "the state is that of the tokens before");
                state.extend_from_slice(&batch.tokens[row..][..span.rows as usize]);
                self.states[span.state as usize] = state;
            }
            for position in span.start as usize..(span.start + span.rows) as usize {
                self.slots[slot(position)] = batch.tokens[row];
                if self.limits.window > 0 {
                    self.window_slots[window_slot(position)] = batch.tokens[row];
                    for seen in (position + 1).saturating_sub(self.limits.window)..=position {
                        assert_eq!(self.window_slots[window_slot(seen)], self.slots[slot(seen)]);
                    }
                }
                if batch.outputs.contains(&(row as u32)) {
                    self.hidden.extend([batch.tokens[row] as f32, position as f32]);
                    let next = predict((0..=position).map(|position| self.slots[slot(position)]));
                    self.result.extend((0..VOCAB as u32).map(|token| if token == next { 10.0 } else { 0.0 }));
                    if let Some((_, value)) = self.poison.filter(|(token, _)| *token == batch.tokens[row]) {
                        self.result.iter_mut().rev().take(VOCAB).for_each(|logit| *logit = value);
                        self.hidden.iter_mut().rev().take(2).for_each(|state| *state = value);
                    }
                }
                row += 1;
            }
        }
        Ok(())
    }
}

impl Stepper for Recorder {
    fn result(&self) -> &[f32] {
        &self.result
    }

    fn hidden(&self) -> Option<&[f32]> {
        Some(&self.hidden)
    }

    fn depth(&self) -> usize {
        self.depth
    }

    fn feeds(&self) -> bool {
        self.feeds
    }

    fn start(&mut self, batch: &Batch) -> Result<(), PeerLost> {
        let mut batch = batch.clone();
        for (row, output) in std::mem::take(&mut batch.fed) {
            let row_before = &self.flying.back().expect("a batch before")[output as usize * VOCAB..][..VOCAB];
            let largest = (0..VOCAB).max_by(|a, b| row_before[*a].total_cmp(&row_before[*b])).unwrap();
            batch.tokens[row as usize] = largest as u32;
            self.fed.fetch_add(1, Ordering::Relaxed);
        }
        // What is given counts for what it shows; all of a picture comes at once.
        for token in &mut batch.tokens {
            *token = if *token >= Given::TOKEN_MIN { u32::MAX } else { *token };
        }
        for given in std::mem::take(&mut batch.given) {
            assert_eq!(given.rows as usize, PICTURE_ROWS);
            for (row, value) in (given.first as usize..).zip(given.values.unwrap().iter()) {
                assert_eq!(std::mem::replace(&mut batch.tokens[row], *value as u32), u32::MAX);
            }
        }
        assert!(!batch.tokens.contains(&u32::MAX), "a picture's row that is not given");
        self.run(&batch)?;
        self.flying.push_back(std::mem::take(&mut self.result));
        assert!(self.flying.len() <= self.depth + usize::from(self.feeds));
        Ok(())
    }

    fn finish(&mut self) -> Result<(), PeerLost> {
        self.result = self.flying.pop_front().expect("something is under way");
        Ok(())
    }
}

fn engine(blocks: usize, sequences_max: usize, fail_after: usize) -> Engine {
    deep_engine(blocks, sequences_max, fail_after, 1)
}

fn deep_engine(blocks: usize, sequences_max: usize, fail_after: usize, depth: usize) -> Engine {
    windowed_engine(blocks, [0, 0], sequences_max, fail_after, depth)
}

fn windowed_engine(
    blocks: usize,
    windows: [usize; 2],
    sequences_max: usize,
    fail_after: usize,
    depth: usize,
) -> Engine {
    over(recorder(blocks, windows, fail_after, depth), sequences_max)
}

fn recorder(blocks: usize, [window, window_blocks]: [usize; 2], fail_after: usize, depth: usize) -> Recorder {
    let limits = Limits {
        tokens_max: 16,
        outputs_max: 8,
        block_len: 4,
        blocks,
        window,
        window_blocks,
        states: 0,
        context_max: 80,
        cache_type: CacheType::F32,
    };
    let slots = vec![u32::MAX; blocks * limits.block_len];
    let result = Vec::with_capacity(limits.outputs_max * VOCAB);
    Recorder {
        limits,
        slots,
        window_slots: vec![u32::MAX; window_blocks * limits.block_len],
        states: Vec::new(),
        result,
        hidden: Vec::new(),
        fail_after,
        depth,
        flying: VecDeque::new(),
        feeds: false,
        fed: Arc::default(),
        rows: Arc::default(),
        permits: None,
        poison: None,
    }
}

fn with_states(session: Recorder, states: usize) -> Recorder {
    let limits = Limits { states, ..session.limits };
    Recorder { limits, states: vec![Vec::new(); states], ..session }
}

fn over(session: Recorder, sequences_max: usize) -> Engine {
    let limits = session.limits;
    let config = Config { limits, vocab: VOCAB, sequences_max, prefill_chunk: 6, waiting_max: 100 };
    Engine::new(Box::new(session), config)
}

fn request(prompt: &[u32], tokens_max: usize) -> Request {
    Request { prompt: prompt.to_vec(), tokens_max: Some(tokens_max), ..Request::default() }
}

fn expected(prompt: &[u32], tokens: usize) -> Vec<u32> {
    let mut history = prompt.to_vec();
    for _ in 0..tokens {
        history.push(predict(history.iter().copied()));
    }
    history.split_off(prompt.len())
}

/// Step until idle; answers and usage by request.
fn finish(engine: &mut Engine) -> HashMap<RequestId, (Vec<u32>, Option<tandem_engine::Usage>)> {
    let mut answers: HashMap<RequestId, (Vec<u32>, Option<tandem_engine::Usage>)> = HashMap::new();
    let mut events = Vec::new();
    for _ in 0..100_000 {
        if engine.is_idle() {
            return answers;
        }
        engine.step(&mut events).unwrap();
        for (id, event) in events.drain(..) {
            let answer = answers.entry(id).or_default();
            match event {
                Event::Token { id, .. } => answer.0.push(id),
                Event::Done(usage) => assert!(answer.1.replace(usage).is_none(), "done once"),
                Event::Scored(_) | Event::Hidden(_) => {}
                Event::Refused(refused) => panic!("{refused}"),
                Event::Failed(reason) => panic!("{reason}"),
            }
        }
    }
    panic!("the engine made no progress");
}

/// Deterministic "random" numbers.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}

#[test]
fn many_sequences_in_little_room_answer_as_if_alone() {
    for seed in 0..60 {
        let mut number = numbers(seed);
        // 20 blocks hold one whole context: sequences must give way to each other.
        let (blocks, sequences) = (20 + number(30), 1 + number(6));
        // And so do the fewest blocks that the window of one sequence needs.
        let window = number(3) * (1 + number(20));
        let windows = [window, window.div_ceil(4) + 1 + number(12)];
        let depth = 1 + seed as usize % 4;
        let mut session = recorder(blocks, windows, usize::MAX, depth);
        if number(2) == 1 {
            session = with_states(session, sequences + number(8));
        }
        session.feeds = depth == 1 && number(2) == 1;
        let mut engine = over(session, sequences);
        let mut wanted = HashMap::new();
        for id in 0..12 {
            // Prompts from a small alphabet, so that prefixes repeat.
            let prompt: Vec<u32> =
                (0..1 + number(40)).map(|i| if i < 20 { 1 } else { number(3) as u32 }).collect();
            let tokens = 1 + number(40);
            engine.submit(RequestId(id), request(&prompt, tokens)).unwrap();
            wanted.insert(RequestId(id), expected(&prompt, tokens.min(80 - prompt.len())));
        }
        let answers = finish(&mut engine);
        for (id, wanted) in wanted {
            let (answer, usage) = &answers[&id];
            assert_eq!(*answer, wanted, "seed {seed}, {id:?}");
            assert_eq!(usage.unwrap().tokens, wanted.len());
        }
        assert_eq!(engine.scheduler().pool_used(), (0, 0), "every block came back");
    }
}

/// What the tests' models see: a picture is one byte, and every row shows it.
fn sight() -> Sight {
    let rows =
        |picture: &[u8]| (0..PICTURE_ROWS).map(|row| (1000 * picture[0] as usize + row) as f32).collect();
    Sight::new(PICTURE_ROWS, 1, move |picture| match picture {
        [255] => Err("it is too bright".into()),
        picture => Ok(rows(picture)),
    })
}

/// A prompt of texts and pictures, and what it shows.
fn shown(parts: &[Result<&[u32], u8>]) -> (Request, Vec<u32>) {
    let (mut asked, mut history) = (Request::default(), Vec::new());
    for part in parts {
        match part {
            Ok(text) => {
                asked.prompt.extend_from_slice(text);
                history.extend_from_slice(text);
            }
            Err(picture) => {
                asked.pictures.push(Picture { first: asked.prompt.len(), bytes: vec![*picture] });
                asked.prompt.extend([3; PICTURE_ROWS]);
                history.extend((0..PICTURE_ROWS as u32).map(|row| 1000 * u32::from(*picture) + row));
            }
        }
    }
    (asked, history)
}

/// However pieces, prefixes and evictions fall, a picture is computed at once and never taken for another.
#[test]
fn pictures_among_many_sequences_answer_as_if_alone() {
    let mut cached = 0;
    for seed in 0..60 {
        let mut number = numbers(seed);
        let (blocks, sequences) = (20 + number(30), 1 + number(6));
        let window = number(3) * (1 + number(20));
        let windows = [window, window.div_ceil(4) + 4 + number(12)];
        let session = recorder(blocks, windows, usize::MAX, 1 + seed as usize % 4);
        let mut engine = over(session, sequences).with_sight(sight());
        let mut wanted = HashMap::new();
        for id in 0..12 {
            // Few pictures and texts, so that prefixes repeat.
            let texts: [Vec<u32>; 3] = std::array::from_fn(|_| vec![1; number(9)]);
            let pictures = [number(2) as u8, number(2) as u8];
            let (asked, history) = match number(4) {
                0 => {
                    shown(&[Ok(&texts[0]), Err(pictures[0]), Ok(&texts[1]), Err(pictures[1]), Ok(&texts[2])])
                }
                1 => shown(&[Err(pictures[0]), Err(pictures[1]), Ok(&texts[0])]),
                _ => shown(&[Ok(&texts[0]), Ok(&[1]), Err(pictures[0]), Ok(&texts[1])]),
            };
            let tokens = 1 + number(20);
            engine.submit(RequestId(id), Request { tokens_max: Some(tokens), ..asked }).unwrap();
            wanted.insert(RequestId(id), expected(&history, tokens.min(80 - history.len())));
        }
        let answers = finish(&mut engine);
        for (id, wanted) in wanted {
            let (answer, usage) = &answers[&id];
            assert_eq!(*answer, wanted, "seed {seed}, {id:?}");
            cached += usage.unwrap().cached_tokens;
        }
        assert_eq!(engine.scheduler().pool_used(), (0, 0), "every block came back");
    }
    assert!(cached > 1000, "prefixes with pictures are shared too: {cached}");
}

#[test]
fn a_prefix_is_shared_up_to_the_first_picture_that_differs() {
    let mut engine = engine(40, 4, usize::MAX).with_sight(sight());
    let text: Vec<u32> = (0..6).collect();
    let mut ask = |id, pictures: [u8; 2]| {
        // Rows 6..13 and 14..21 of blocks of 4.
        let (asked, history) =
            shown(&[Ok(&text), Err(pictures[0]), Ok(&[9]), Err(pictures[1]), Ok(&[1, 2, 3, 4, 5])]);
        engine.submit(RequestId(id), Request { tokens_max: Some(3), ..asked }).unwrap();
        let (answer, usage) = finish(&mut engine).remove(&RequestId(id)).unwrap();
        assert_eq!(answer, expected(&history, 3));
        usage.unwrap().cached_tokens
    };
    assert_eq!(ask(0, [1, 2]), 0);
    assert_eq!(ask(1, [1, 3]), 4, "no block ends after the first picture and before the second");
    assert_eq!(ask(2, [2, 2]), 4);
    assert_eq!(ask(3, [1, 2]), 24);
}

#[test]
fn pictures_that_cannot_be_used_are_refused() {
    let mut blind = engine(40, 4, usize::MAX);
    let picture = |first, bytes: &[u8]| Picture { first, bytes: bytes.to_vec() };
    let asked = |pictures: &[Picture]| Request { pictures: pictures.to_vec(), ..request(&[1; 20], 3) };
    assert_eq!(blind.submit(RequestId(0), asked(&[picture(0, &[1])])).unwrap_err(), Refused::NoSight);
    let mut engine = engine(40, 4, usize::MAX).with_sight(sight());
    for (pictures, says) in [
        (&[picture(0, &[1, 2])][..], "it has 2 bytes, but this model takes 1"),
        (&[picture(14, &[1])], "it is at 14 of 20 tokens"),
        (&[picture(usize::MAX, &[1])], "of 20 tokens"),
        (&[picture(5, &[1]), picture(11, &[1])], "after 12"),
        (&[picture(0, &[255])], "it is too bright"),
    ] {
        let refused = engine.submit(RequestId(1), asked(pictures)).unwrap_err().to_string();
        assert!(refused.contains(says), "{refused}");
    }
    let scored = Request { score_prompt: true, ..asked(&[picture(0, &[1])]) };
    assert!(matches!(engine.submit(RequestId(2), scored), Err(Refused::Conflict(_))));
    assert!(engine.is_idle());
}

#[test]
fn tokens_fed_from_batch_to_batch_give_the_same_answers() {
    let mut session = recorder(60, [0, 0], usize::MAX, 1);
    session.feeds = true;
    let (fed, rows) = (Arc::clone(&session.fed), Arc::clone(&session.rows));
    let mut engine = over(session, 4);
    let whole = expected(&[1, 2, 3], 30);
    let stop = whole[12];
    let end = whole.iter().position(|token| *token == stop).unwrap();
    engine.submit(RequestId(0), Request { stop: vec![stop], ..request(&[1, 2, 3], 30) }).unwrap();
    let (answer, usage) = finish(&mut engine).remove(&RequestId(0)).unwrap();
    assert_eq!(answer, whole[..end], "what follows a stop token is dropped");
    assert_eq!(usage.unwrap().finish, Finish::Stop(stop));
    assert_eq!(fed.load(Ordering::Relaxed), end + 1, "every row but the prompt's, and one too many");
    assert_eq!(rows.load(Ordering::Relaxed), 3 + end + 1);
    // An answer of a known length has no row too many; draws and penalties are not fed.
    fed.store(0, Ordering::Relaxed);
    engine.submit(RequestId(1), request(&[5, 6], 9)).unwrap();
    assert_eq!(finish(&mut engine)[&RequestId(1)].0, expected(&[5, 6], 9));
    assert_eq!(fed.load(Ordering::Relaxed), 8);
    let sampling = Sampling { temperature: 0.0, repetition_penalty: 1.1, ..Sampling::default() };
    engine.submit(RequestId(2), Request { sampling, ..request(&[5, 6], 9) }).unwrap();
    finish(&mut engine);
    assert_eq!(fed.load(Ordering::Relaxed), 8);
    assert_eq!(engine.scheduler().pool_used(), (0, 0), "every block came back");
}

#[test]
fn a_repeated_prompt_is_taken_from_the_cache() {
    let mut engine = engine(40, 4, usize::MAX);
    let prompt: Vec<u32> = (0..30).collect();
    engine.submit(RequestId(0), request(&prompt, 5)).unwrap();
    assert_eq!(finish(&mut engine)[&RequestId(0)].1.unwrap().cached_tokens, 0);
    engine.submit(RequestId(1), request(&prompt, 5)).unwrap();
    let answers = finish(&mut engine);
    let (answer, usage) = &answers[&RequestId(1)];
    assert_eq!(usage.unwrap().cached_tokens, 28, "all whole blocks before the last token");
    assert_eq!(*answer, expected(&prompt, 5));
}

#[test]
fn prompts_that_begin_alike_are_computed_once_when_they_come_together() {
    for windows in [[0, 0], [6, 30]] {
        let session = recorder(80, windows, usize::MAX, 1);
        let rows = Arc::clone(&session.rows);
        let mut engine = over(session, 6);
        let prompt: Vec<u32> = (0..41).map(|i| i * 3 % 50).collect();
        // Two of another client, one that differs soon, one that has only the beginning.
        let mut other = prompt.clone();
        other[9] = 49;
        let prompts = [&prompt, &prompt, &prompt, &prompt, &other, &prompt[..22].to_vec()];
        for (id, prompt) in prompts.iter().enumerate() {
            let client = u64::from(id >= 2);
            engine.submit(RequestId(id as u64), Request { client, ..request(prompt, 5) }).unwrap();
        }
        let answers = finish(&mut engine);
        let cached: Vec<usize> = (0..6).map(|id| answers[&RequestId(id)].1.unwrap().cached_tokens).collect();
        assert_eq!(cached, [0, 40, 40, 40, 8, 20], "windows {windows:?}");
        for (id, prompt) in prompts.iter().enumerate() {
            assert_eq!(answers[&RequestId(id as u64)].0, expected(prompt, 5), "{id}");
        }
        let computed = 41 + 3 + (41 - 8) + 2 + 6 * 4;
        assert_eq!(rows.load(Ordering::Relaxed), computed, "each token once, and four of each answer");
    }
}

#[test]
fn a_prompt_goes_on_by_itself_when_the_one_it_follows_leaves() {
    let mut engine = engine(80, 2, usize::MAX);
    let prompt: Vec<u32> = (0..60).map(|i| i % 50).collect();
    for id in 0..2 {
        engine.submit(RequestId(id), request(&prompt, 3)).unwrap();
    }
    let mut events = Vec::new();
    engine.step(&mut events).unwrap();
    engine.cancel(RequestId(0), &mut events);
    let answers = finish(&mut engine);
    let (answer, usage) = &answers[&RequestId(1)];
    assert_eq!((usage.unwrap().cached_tokens, answer), (16, &expected(&prompt, 3)));
}

#[test]
fn blocks_that_a_window_has_left_are_released() {
    let mut engine = windowed_engine(40, [6, 5], 1, usize::MAX, 1);
    engine.submit(RequestId(0), request(&[1; 30], 40)).unwrap();
    let mut events = Vec::new();
    let mut most = 0;
    while !engine.is_idle() {
        engine.step(&mut events).unwrap();
        let (whole, window) = engine.scheduler().pool_used();
        assert!(engine.is_idle() || whole >= window);
        most = most.max(whole);
        // Six tokens lie in three blocks of four at most.
        assert!(window <= 3, "{window} blocks of a window");
    }
    assert_eq!(most, 17, "68 tokens were computed before the last step");
}

#[test]
fn a_shared_prefix_is_found_with_the_window_before_its_end() {
    let mut engine = windowed_engine(60, [6, 40], 4, usize::MAX, 1);
    let prompt: Vec<u32> = (0..30).collect();
    let mut other = prompt.clone();
    other[17] = 49;
    for (id, prompt, cached) in [(0, &prompt, 0), (1, &prompt, 28), (2, &other, 16)] {
        engine.submit(RequestId(id), request(prompt, 5)).unwrap();
        let answers = finish(&mut engine);
        let (answer, usage) = &answers[&RequestId(id)];
        assert_eq!((usage.unwrap().cached_tokens, answer), (cached, &expected(prompt, 5)));
    }
}

#[test]
fn a_shared_prefix_is_found_where_a_state_was_kept() {
    let mut engine = over(with_states(recorder(60, [0, 0], usize::MAX, 1), 6), 2);
    let prompt: Vec<u32> = (0..30).collect();
    let mut other = prompt.clone();
    other[17] = 49;
    // Pieces of six tokens end at whole blocks of four, and the last one before the last token.
    for (id, prompt, cached) in [(0, &prompt, 0), (1, &prompt, 28), (2, &other, 16), (3, &other, 28)] {
        engine.submit(RequestId(id), request(prompt, 5)).unwrap();
        let answers = finish(&mut engine);
        let (answer, usage) = &answers[&RequestId(id)];
        assert_eq!((usage.unwrap().cached_tokens, answer), (cached, &expected(prompt, 5)));
    }
}

#[test]
fn a_window_that_was_evicted_shortens_the_prefix_that_is_found() {
    // Eight blocks of windows: a prompt of thirty tokens leaves its last ones.
    let mut engine = windowed_engine(60, [6, 8], 4, usize::MAX, 1);
    let prompt: Vec<u32> = (0..30).collect();
    let other: Vec<u32> = (10..28).rev().collect();
    let mut run = |id, prompt: &[u32]| {
        engine.submit(RequestId(id), request(prompt, 1)).unwrap();
        let answers = finish(&mut engine);
        let (answer, usage) = &answers[&RequestId(id)];
        assert_eq!(*answer, expected(prompt, 1));
        usage.unwrap().cached_tokens
    };
    assert_eq!(run(0, &prompt), 0);
    assert_eq!(run(1, &prompt), 28);
    // Takes five of the eight blocks, those that were left longest ago first.
    assert_eq!(run(2, &other), 0);
    assert_eq!(run(3, &prompt[..13]), 0, "its end is known as a whole, but the window before it is gone");
    assert_eq!(run(4, &prompt), 12, "which took the room of the longer one's window, and is found itself");
}

#[test]
fn a_stop_token_ends_the_answer_and_is_not_part_of_it() {
    let answer = expected(&[1, 2, 3], 10);
    let stop = answer[6];
    let before: Vec<u32> = answer.iter().copied().take_while(|token| *token != stop).collect();
    let mut engine = engine(40, 4, usize::MAX);
    engine.submit(RequestId(0), Request { stop: vec![stop], ..request(&[1, 2, 3], 10) }).unwrap();
    let answers = finish(&mut engine);
    let (found, usage) = &answers[&RequestId(0)];
    assert_eq!((found, usage.unwrap().finish), (&before, Finish::Stop(stop)));
}

#[test]
fn without_a_limit_an_answer_fills_the_context() {
    let mut engine = engine(40, 4, usize::MAX);
    engine.submit(RequestId(0), Request { prompt: vec![1; 10], ..Request::default() }).unwrap();
    let answers = finish(&mut engine);
    let (answer, usage) = &answers[&RequestId(0)];
    assert_eq!((answer.len(), usage.unwrap().finish), (70, Finish::Length));
}

#[test]
fn a_cancelled_request_frees_its_slot_at_once() {
    let mut engine = engine(40, 1, usize::MAX);
    engine.submit(RequestId(0), request(&[1; 10], 60)).unwrap();
    engine.submit(RequestId(1), request(&[2; 10], 3)).unwrap();
    let mut events = Vec::new();
    engine.step(&mut events).unwrap();
    assert_eq!(engine.scheduler().running(), 1);
    engine.cancel(RequestId(0), &mut events);
    engine.cancel(RequestId(7), &mut events);
    let cancelled =
        events.iter().filter(|(_, event)| matches!(event, Event::Done(u) if u.finish == Finish::Cancelled));
    assert_eq!(cancelled.map(|(id, _)| *id).collect::<Vec<_>>(), [RequestId(0)]);
    assert_eq!(finish(&mut engine)[&RequestId(1)].0, expected(&[2; 10], 3));
    assert_eq!(engine.scheduler().pool_used(), (0, 0));
}

/// The steps are counted: the one under way when the client leaves is the last that its slot is taken in.
#[test]
fn a_slot_is_free_within_a_step_of_its_clients_leaving() {
    for depth in [1, 2] {
        let (permit, permits) = channel();
        let session = Recorder { permits: Some(permits), ..recorder(40, [0, 0], usize::MAX, depth) };
        let handle = Handle::spawn(over(session, 1)).unwrap();
        let mut leaving = handle.stream(request(&[1; 3], 60)).unwrap();
        let staying = handle.stream(request(&[2; 3], 4)).unwrap();
        permit.send(()).unwrap();
        assert!(matches!(leaving.next(), Some(Event::Token { .. })));
        drop(leaving);
        (0..5).for_each(|_| permit.send(()).unwrap());
        assert_eq!(staying.filter(|event| matches!(event, Event::Token { .. })).count(), 4);
        let load = handle.load();
        assert!(load.cancelled == 1 && load.steps <= 6, "depth {depth}: {load:?}");
        assert!(load.cancel_steps_max <= 1, "depth {depth}: {}", load.cancel_steps_max);
        drop(permit);
    }
}

#[test]
fn scores_cover_the_prompt_once_and_in_order() {
    let prompt: Vec<u32> = (0..40).map(|i| i % 7).collect();
    let mut engine = engine(20, 2, usize::MAX);
    engine.submit(RequestId(0), Request { score_prompt: true, ..request(&prompt, 1) }).unwrap();
    let (mut scores, mut events) = (Vec::new(), Vec::new());
    while !engine.is_idle() {
        engine.step(&mut events).unwrap();
        for (_, event) in events.drain(..) {
            if let Event::Scored(more) = event {
                scores.extend(more);
            }
        }
    }
    assert_eq!(scores.len(), prompt.len() - 1);
    for (position, score) in scores.iter().enumerate() {
        let hit = predict(prompt[..=position].iter().copied()) == prompt[position + 1];
        assert_eq!(*score > -1.0, hit, "position {position}");
    }
}

#[test]
fn logprobs_come_with_tokens_when_asked_for() {
    let mut engine = engine(20, 2, usize::MAX);
    engine.submit(RequestId(0), Request { logprobs: Some(3), ..request(&[1, 2], 2) }).unwrap();
    let mut events = Vec::new();
    while !engine.is_idle() {
        engine.step(&mut events).unwrap();
    }
    let Event::Token { id, logprobs: Some(logprobs) } = &events[0].1 else { panic!("{events:?}") };
    assert_eq!((logprobs.top.len(), logprobs.top[0].id), (3, *id));
}

#[test]
fn bad_requests_are_refused_with_the_numbers() {
    let mut engine = engine(40, 4, usize::MAX);
    let mut check = |request: Request, part: &str| {
        let refused = engine.submit(RequestId(0), request).unwrap_err().to_string();
        assert!(refused.contains(part), "{refused}");
    };
    check(request(&[], 1), "empty");
    check(request(&[1; 90], 1), "90 tokens");
    check(request(&[1; 80], 1), "context holds 80");
    check(request(&[50], 1), "token 50 of the prompt");
    let sampling = |sampling| Request { sampling, ..request(&[1], 1) };
    check(sampling(Sampling { temperature: f32::NAN, ..Sampling::default() }), "temperature is NaN");
    check(sampling(Sampling { top_p: 1.5, ..Sampling::default() }), "top_p is 1.5");
    check(
        sampling(Sampling { logit_bias: vec![(99, 1.0)], ..Sampling::default() }),
        "token 99 of `logit_bias`",
    );
}

#[test]
fn the_most_tokens_asked_for_may_be_more_than_the_context_holds() {
    let mut engine = engine(40, 4, usize::MAX);
    engine.submit(RequestId(0), request(&[1; 70], 2000)).unwrap();
    // Begun where the context was larger: what there is is the answer.
    let resumed = Request { resumed: 20, ..request(&[1; 90], 2000) };
    engine.submit(RequestId(1), resumed).unwrap();
    let answers = finish(&mut engine);
    let (answer, usage) = &answers[&RequestId(0)];
    assert_eq!((answer.len(), usage.unwrap().finish), (10, Finish::Length));
    let (answer, usage) = &answers[&RequestId(1)];
    assert_eq!((answer.len(), usage.unwrap().finish, usage.unwrap().tokens), (0, Finish::Length, 20));
}

#[test]
fn no_sequence_starves_where_slots_outnumber_results() {
    // Eight results in a step.
    let mut engine = engine(200, 12, usize::MAX);
    for id in 0..12 {
        engine.submit(RequestId(id), request(&[1, id as u32], 30)).unwrap();
    }
    assert_eq!(engine.load().running_max, 8);
    let mut events = Vec::new();
    while !engine.is_idle() {
        engine.step(&mut events).unwrap();
        assert!(engine.scheduler().running() <= 8);
    }
}

#[test]
fn results_that_are_no_numbers_end_the_request_and_mark_the_model() {
    for (poison, embed) in [(f32::NAN, false), (f32::INFINITY, false), (f32::NAN, true)] {
        let session = Recorder { poison: Some((7, poison)), ..recorder(40, [0, 0], usize::MAX, 1) };
        let handle = Handle::spawn(over(session, 4)).unwrap();
        let sound = || handle.stream(request(&[1, 2], 3)).unwrap().last().unwrap();
        assert!(matches!(sound(), Event::Done(_)) && !handle.load().unsound);
        let last = handle.stream(Request { embed, ..request(&[1, 7], 3) }).unwrap().last().unwrap();
        assert!(matches!(&last, Event::Refused(Refused::NotFinite(_))), "{last:?}");
        assert!(handle.load().unsound && !handle.load().stopped);
        assert!(matches!(sound(), Event::Done(_)), "others go on");
    }
}

#[test]
fn the_queue_is_bounded() {
    let mut engine = engine(40, 1, usize::MAX);
    for id in 0..101 {
        engine.submit(RequestId(id), request(&[1], 1)).unwrap();
    }
    assert!(matches!(engine.submit(RequestId(101), request(&[1], 1)), Err(Refused::Busy { .. })));
}

#[test]
fn a_handle_serves_threads_and_cancels_what_is_dropped() {
    let handle = Handle::spawn(engine(60, 4, usize::MAX)).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4u32 {
            let handle = &handle;
            scope.spawn(move || {
                for i in 0..20 {
                    let prompt = [thread, i, 3];
                    let mut stream = handle.stream(request(&prompt, 8)).unwrap();
                    if i % 3 == 0 {
                        stream.next();
                        continue;
                    }
                    let tokens = stream.filter_map(|event| match event {
                        Event::Token { id, .. } => Some(id),
                        _ => None,
                    });
                    assert_eq!(tokens.collect::<Vec<_>>(), expected(&prompt, 8));
                }
            });
        }
    });
    let error = handle.stream(request(&[], 8)).err().unwrap();
    assert_eq!(error, Refused::EmptyPrompt);
}

#[test]
fn a_lost_rank_fails_the_request_and_later_ones_say_why() {
    let handle = Handle::spawn(engine(60, 4, 3)).unwrap();
    let last = handle.stream(request(&[1], 50)).unwrap().last().unwrap();
    assert_eq!(last, Event::Failed("rank 3 is lost: pulled".into()));
    // The thread may still be saying goodbye: either answer names the end.
    let refused = handle.stream(request(&[1], 5)).err().unwrap();
    assert!(matches!(refused, Refused::Stopped(_)), "{refused}");
}

#[test]
fn clients_take_turns() {
    let mut engine = engine(60, 2, usize::MAX);
    for id in 0..10 {
        engine.submit(RequestId(id), Request { client: 1, ..request(&[1, id as u32], 5) }).unwrap();
    }
    engine.submit(RequestId(10), Request { client: 2, ..request(&[2], 5) }).unwrap();
    let (mut done, mut events) = (Vec::new(), Vec::new());
    while !engine.is_idle() {
        engine.step(&mut events).unwrap();
        done.extend(events.drain(..).filter(|(_, event)| event.is_last()).map(|(id, _)| id.0));
    }
    assert!(done.iter().position(|id| *id == 10).unwrap() < 4, "{done:?}");
    assert_eq!(done.len(), 11);
}

#[test]
fn time_over_ends_running_and_waiting_requests() {
    let mut engine = engine(60, 1, usize::MAX);
    let deadline = Some(Duration::ZERO);
    engine.submit(RequestId(0), Request { deadline, ..request(&[1], 50) }).unwrap();
    engine.submit(RequestId(1), Request { deadline, ..request(&[1], 50) }).unwrap();
    engine.submit(RequestId(2), request(&[1], 2)).unwrap();
    let answers = finish(&mut engine);
    for id in 0..2 {
        assert_eq!(answers[&RequestId(id)].1.unwrap().finish, Finish::Deadline);
    }
    assert_eq!(answers[&RequestId(2)].0, expected(&[1], 2));
}

#[test]
fn a_resumed_answer_is_the_same_answer() {
    let sampling = Sampling {
        temperature: 1.0,
        seed: Some(11),
        repetition_penalty: 1.2,
        presence_penalty: 0.3,
        ..Sampling::default()
    };
    let whole = Request { sampling, ..request(&[3, 1, 4], 30) };
    let run = |request: Request| {
        let mut engine = engine(60, 2, usize::MAX);
        engine.submit(RequestId(0), request).unwrap();
        finish(&mut engine).remove(&RequestId(0)).unwrap()
    };
    let (answer, usage) = run(whole.clone());
    for cut in [1, 7, 29] {
        let prompt = [&[3, 1, 4], &answer[..cut]].concat();
        let (rest, resumed) = run(Request { prompt, resumed: cut, ..whole.clone() });
        assert_eq!(rest, answer[cut..], "cut at {cut}");
        let (usage, resumed) = (usage.unwrap(), resumed.unwrap());
        assert_eq!((resumed.tokens, resumed.prompt_tokens), (usage.tokens, usage.prompt_tokens));
    }
}

/// Tokens of one parity, and three of them.
struct Parity {
    odd: bool,
    left: usize,
    mask: [u32; 2],
}

struct Parities;

impl Grammars for Parities {
    fn compile(&self, constraint: &Constraint) -> Result<Box<dyn Grammar>, String> {
        match constraint {
            Constraint::Regex(text) if text == "odd" || text == "even" => {
                let odd = text == "odd";
                let mask = if odd { 0xaaaa_aaaa } else { 0x5555_5555 };
                Ok(Box::new(Parity { odd, left: 3, mask: [mask, mask] }))
            }
            _ => Err("only odd and even are known".into()),
        }
    }
}

impl Grammar for Parity {
    fn mask(&mut self) -> Result<&[u32], String> {
        Ok(&self.mask)
    }

    fn accept(&mut self, token: u32) -> Result<bool, String> {
        if (token % 2 == 1) != self.odd {
            return Err(format!("{token} has the wrong parity"));
        }
        self.left -= 1;
        Ok(self.left == 0)
    }
}

#[test]
fn constraints_hold_among_other_requests_and_when_resumed() {
    let mut engine = engine(60, 4, usize::MAX).with_grammars(Arc::new(Parities));
    let constrained =
        |text: &str| Request { constraint: Some(Constraint::Regex(text.into())), ..request(&[1, 2], 20) };
    engine.submit(RequestId(0), constrained("odd")).unwrap();
    engine.submit(RequestId(1), request(&[1, 2], 6)).unwrap();
    engine.submit(RequestId(2), constrained("even")).unwrap();
    let resumed = Request { prompt: vec![1, 2, 4], resumed: 1, ..constrained("even") };
    engine.submit(RequestId(3), resumed.clone()).unwrap();
    let answers = finish(&mut engine);
    let check = |id: u64, odd: bool, tokens: usize| {
        let (answer, usage) = &answers[&RequestId(id)];
        assert!(answer.len() == tokens && answer.iter().all(|token| (token % 2 == 1) == odd), "{answer:?}");
        assert_eq!(usage.unwrap().finish, Finish::Complete);
    };
    check(0, true, 3);
    check(2, false, 3);
    check(3, false, 2);
    assert_eq!(answers[&RequestId(1)].0, expected(&[1, 2], 6));
    let unknown = engine.submit(RequestId(4), constrained("prime"));
    assert_eq!(unknown, Err(Refused::BadConstraint("only odd and even are known".into())));
    let wrong = Request { prompt: vec![1, 2, 3], ..resumed };
    assert!(matches!(engine.submit(RequestId(5), wrong), Err(Refused::BadConstraint(_))));
}

#[test]
fn draining_lets_answers_finish_and_takes_no_more() {
    let handle = Handle::spawn(engine(60, 4, usize::MAX)).unwrap();
    let stream = handle.stream(request(&[1], 40)).unwrap();
    assert!(handle.drain(Duration::from_secs(60)));
    assert_eq!(stream.filter(|event| matches!(event, Event::Token { .. })).count(), 40);
    assert!(matches!(handle.stream(request(&[1], 1)).err(), Some(Refused::Stopped(_))));
    assert_eq!(handle.load().running + handle.load().waiting, 0);
}

#[test]
fn embeddings_are_the_mean_over_the_prompt_in_little_room_too() {
    for blocks in [20, 60] {
        let mut engine = engine(blocks, 4, usize::MAX);
        for id in 0..5 {
            let prompt: Vec<u32> = (0..30 + id as u32).map(|i| i % 7 + id as u32).collect();
            engine.submit(RequestId(id), Request { embed: true, ..request(&prompt, 1) }).unwrap();
            engine.submit(RequestId(10 + id), request(&prompt, 20)).unwrap();
        }
        let (mut found, mut events) = (HashMap::new(), Vec::new());
        while !engine.is_idle() {
            engine.step(&mut events).unwrap();
            for (id, event) in events.drain(..) {
                if let Event::Hidden(mean) = event {
                    assert!(found.insert(id.0, mean).is_none(), "told once");
                }
            }
        }
        for id in 0..5u64 {
            let prompt: Vec<u32> = (0..30 + id as u32).map(|i| i % 7 + id as u32).collect();
            let mean = prompt.iter().sum::<u32>() as f32 / prompt.len() as f32;
            let expected = [mean, (prompt.len() as f32 - 1.0) / 2.0];
            assert!(
                found[&id].iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3),
                "{:?} {expected:?}",
                found[&id]
            );
        }
    }
}

/// A clock by which every step takes a random time, so that the budget for prompts is often spent.
fn clock(seed: u64) -> impl FnMut() -> Instant + Send + 'static {
    let (mut number, mut now) = (numbers(seed), Instant::now());
    move || {
        now += Duration::from_micros(number(200_000) as u64);
        now
    }
}

/// Requests that an engine gets after a loss: resumed ones, which have answers and yet must be computed from their first token,
/// among others that come, leave and push each other out.
#[test]
fn every_request_ends_however_they_come_and_go() {
    for seed in 0..150 {
        let mut number = numbers(seed);
        let (blocks, sequences) = (20 + number(30), 1 + number(6));
        let window = number(3) * (1 + number(20));
        let windows = [window, window.div_ceil(4) + 1 + number(12)];
        let depth = 1 + seed as usize % 4;
        let mut engine = windowed_engine(blocks, windows, sequences, usize::MAX, depth)
            .with_grammars(Arc::new(Parities))
            .with_clock(clock(seed));
        let (mut wanted, mut cancelled, mut events) = (HashMap::new(), Vec::new(), Vec::new());
        for id in 0..24 {
            let prompt: Vec<u32> =
                (0..1 + number(40)).map(|i| if i < 20 { 1 } else { number(3) as u32 }).collect();
            let tokens = 1 + number(35);
            let whole = expected(&prompt, tokens);
            let kind = number(6);
            let odd = Some(Constraint::Regex("odd".into()));
            let resumed = number(tokens).min(if kind == 3 { 2 } else { usize::MAX });
            let answered = if kind == 3 { vec![1; resumed] } else { whole[..resumed].to_vec() };
            let resuming =
                Request { prompt: [&*prompt, &*answered].concat(), resumed, ..request(&prompt, tokens) };
            let (request, answer) = match kind {
                0 => (request(&prompt, tokens), Some(whole)),
                1 => (Request { constraint: odd, ..request(&prompt, tokens) }, None),
                2 => (Request { embed: true, ..request(&prompt, 1) }, None),
                3 => (Request { constraint: odd, ..resuming }, None),
                _ => (resuming, Some(whole[resumed..].to_vec())),
            };
            engine.submit(RequestId(id), request).unwrap();
            wanted.insert(RequestId(id), answer);
            for _ in 0..number(6) {
                engine.step(&mut events).unwrap();
            }
            if number(4) == 0 {
                let id = RequestId(number(id as usize + 1) as u64);
                if engine.cancel(id, &mut events) {
                    cancelled.push(id);
                }
            }
        }
        for step in 0.. {
            if engine.is_idle() {
                break;
            }
            assert!(step < 10_000, "seed {seed}: it goes on and on");
            engine.step(&mut events).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        }
        for (id, answer) in wanted {
            let own = || events.iter().filter(|(other, _)| *other == id).map(|(_, event)| event);
            assert_eq!(own().filter(|event| event.is_last()).count(), 1, "seed {seed}, {id:?}");
            let tokens = own().filter_map(|event| match event {
                Event::Token { id, .. } => Some(*id),
                Event::Refused(refused) => panic!("seed {seed}, {id:?}: {refused}"),
                Event::Failed(reason) => panic!("seed {seed}, {id:?}: {reason}"),
                _ => None,
            });
            let tokens: Vec<u32> = tokens.collect();
            match answer {
                Some(answer) if cancelled.contains(&id) => assert!(answer.starts_with(&tokens)),
                Some(answer) => assert_eq!(tokens, answer, "seed {seed}, {id:?}"),
                None => {}
            }
        }
        assert_eq!(engine.scheduler().pool_used(), (0, 0), "every block came back");
    }
}

#[test]
fn an_engine_that_plans_nothing_for_its_requests_ends_with_an_error() {
    // No slot for any sequence: the one way left to plan nothing.
    let mut stuck = engine(40, 0, usize::MAX);
    stuck.submit(RequestId(0), request(&[1], 1)).unwrap();
    let error = stuck.step(&mut Vec::new()).unwrap_err();
    assert!(matches!(error, EngineError::Standstill { running: 0, waiting: 1 }), "{error}");

    let handle = Handle::spawn(engine(40, 0, usize::MAX)).unwrap();
    let last = handle.stream(request(&[1], 1)).unwrap().last().unwrap();
    assert!(matches!(&last, Event::Failed(reason) if reason.contains("plans no work")), "{last:?}");
    assert!(handle.load().stopped);
}
