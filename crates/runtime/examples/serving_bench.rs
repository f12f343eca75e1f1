//! What requests do to each other: a long prompt beside a running answer, many answers at once, a prefix that comes again,
//! a constrained answer.
//!
//!     cargo run --release -p tandem-runtime --example serving_bench MODEL.gguf

use std::time::{Duration, Instant};

use tandem_engine::{Event, Request, Tokens};
use tandem_runtime::{Chat, Constraint, Message, Model, Options, Params, Role};

fn main() {
    let path = std::env::args().nth(1).expect("the path of a model");
    let options = Options { sequences_max: 64, ..Options::default() };
    let model = Model::open(path.as_ref(), &options, &|_, _| {}).expect("a model that loads");
    beside_a_long_prompt(&model);
    many_at_once(&model);
    shared_prefix(&model);
    constrained(&model);
}

/// Ordinary words; no two prompts begin alike.
fn prompt(model: &Model, tokens: usize, salt: usize) -> Vec<u32> {
    let vocabulary = model.tokenizer().token_count();
    (0..tokens).map(|i| (1000 + (i * 7919 + salt * 977) % (vocabulary * 3 / 4)) as u32).collect()
}

/// When each token of an answer came.
fn times(tokens: &dyn Tokens, prompt: Vec<u32>, answer: usize) -> Vec<Instant> {
    let request = Request { prompt, tokens_max: Some(answer), ..Request::default() };
    let stream = tokens.stream(request).expect("a request that fits");
    stream.filter(|event| matches!(event, Event::Token { .. })).map(|_| Instant::now()).collect()
}

fn beside_a_long_prompt(model: &Model) {
    let tokens = &**model.tokens();
    let (running, long) = std::thread::scope(|scope| {
        let running = scope.spawn(|| times(tokens, prompt(model, 20, 1), 1500));
        std::thread::sleep(Duration::from_millis(1500));
        let asked = Instant::now();
        let first = times(tokens, prompt(model, 4000, 2), 1)[0];
        (running.join().expect("an answer"), (asked, first))
    });
    let count = |from: Instant, to: Instant| running.iter().filter(|at| (from..to).contains(at)).count();
    let rate = |from: Instant, to: Instant| count(from, to) as f64 / (to - from).as_secs_f64();
    let (asked, first) = long;
    let before = rate(running[0], asked);
    let beside = rate(asked, first.min(running[running.len() - 1]));
    println!(
        "one answer alone {before:.1} tokens/s, beside a prompt of 4000 tokens {beside:.1} ({:.0} %), the prompt took {:.2} s",
        100.0 * beside / before,
        (first - asked).as_secs_f64()
    );
}

fn many_at_once(model: &Model) {
    let tokens = &**model.tokens();
    let began = Instant::now();
    let answers: Vec<Vec<Instant>> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..64)
            .map(|client| scope.spawn(move || times(tokens, prompt(model, 50, 10 + client), 60)))
            .collect();
        clients.into_iter().map(|client| client.join().expect("an answer")).collect()
    });
    let took_s = began.elapsed().as_secs_f64();
    let mut gaps_ms: Vec<f64> = Vec::new();
    let mut slowest_ms: f64 = 0.0;
    for answer in &answers {
        let mut own: Vec<f64> =
            answer.windows(2).map(|pair| (pair[1] - pair[0]).as_secs_f64() * 1e3).collect();
        own.sort_by(f64::total_cmp);
        slowest_ms = slowest_ms.max(own[own.len() * 99 / 100]);
        gaps_ms.extend(own);
    }
    gaps_ms.sort_by(f64::total_cmp);
    let mut firsts_ms: Vec<f64> =
        answers.iter().map(|answer| (answer[0] - began).as_secs_f64() * 1e3).collect();
    firsts_ms.sort_by(f64::total_cmp);
    println!(
        "64 answers of 60 tokens: {:.1} tokens/s in all; between tokens: median {:.1} ms, slowest client's p99 {slowest_ms:.1} ms; \
         first token: median {:.0} ms, last {:.0} ms",
        answers.iter().map(Vec::len).sum::<usize>() as f64 / took_s,
        gaps_ms[gaps_ms.len() / 2],
        firsts_ms[32],
        firsts_ms[63],
    );
}

fn shared_prefix(model: &Model) {
    let tokens = &**model.tokens();
    let mut shared = prompt(model, 1000, 200);
    let mut first_ms = |end: u32| {
        shared.push(end);
        let asked = Instant::now();
        (times(tokens, shared.clone(), 1)[0] - asked).as_secs_f64() * 1e3
    };
    let (first, second) = (first_ms(1000), first_ms(1001));
    println!(
        "a prompt of 1000 tokens: first token after {first:.1} ms, the second time {second:.1} ms ({:.1}×)",
        first / second
    );
}

fn constrained(model: &Model) {
    let speed = |constraint: Option<Constraint>| {
        let params = Params { tokens_max: Some(200), constraint, ..Params::default() };
        let chat = Chat::new(vec![Message::new(Role::User, "Describe twenty cities as a long JSON list.")]);
        let asked = model.speech().chat(&chat, &params).expect("a prompt");
        let (text, summary) = model.generate(asked).expect("room").text().expect("an answer");
        (summary.tokens_per_second().unwrap_or_default(), summary.tokens, text.len())
    };
    let schema = r#"{"type": "array", "items": {"type": "object", "properties": {"city": {"type": "string"}, "size": {"type": "integer"}}, "required": ["city", "size"]}, "minItems": 20}"#;
    speed(Some(Constraint::JsonObject));
    let (free, ..) = speed(None);
    let (held, tokens, bytes) = speed(Some(Constraint::JsonSchema(schema.into())));
    println!("free {free:.1} tokens/s, held to a schema {held:.1} tokens/s ({tokens} tokens, {bytes} bytes)");
}
