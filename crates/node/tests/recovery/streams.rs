//! A node's clients: they ask, and note what comes and when.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tandem_engine::{Event, Logprobs, Request, Ticket, Tokens};
use tandem_node::ClusterTokens;

use crate::PATIENCE;
use crate::protocol::Answer;

/// So many tokens are asked for.
pub const TOKENS: usize = 32;
/// With f16 weights only a tie may fall differently: prompts that lead to one are not asked.
const TIE: f32 = 2e-2;

/// Prompts without ties, and what is answered to them.
pub fn undisturbed(tokens: &ClusterTokens, count: usize) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
    let (mut prompts, mut answers) = (Vec::new(), Vec::new());
    let mut numbers = 0_u32..;
    while prompts.len() < count {
        let asked: Vec<_> =
            numbers.by_ref().take(count).map(|i| vec![1, 2683 + i, 314, 260, 1000 + i]).collect();
        let streams: Vec<_> = asked.iter().map(|prompt| Streaming::begin(tokens, prompt)).collect();
        for (prompt, stream) in asked.into_iter().zip(streams) {
            let heard = stream.hear().unwrap_or_else(|reason| panic!("a stream failed: {reason}"));
            let margin = |(_, it): &(u32, Logprobs)| it.top[0].logprob - it.top[1].logprob;
            if heard.tokens.len() == TOKENS && heard.tokens.iter().all(|token| margin(token) >= TIE) {
                prompts.push(prompt);
                answers.push(heard.tokens.into_iter().map(|(id, _)| id).collect());
            }
        }
    }
    prompts.truncate(count);
    answers.truncate(count);
    (prompts, answers)
}

pub struct Streaming {
    events: Receiver<(u64, Event)>,
    count: Arc<AtomicUsize>,
    _ticket: Ticket,
}

struct Heard {
    tokens: Vec<(u32, Logprobs)>,
    longest_pause_ms: u64,
    resumed_unix_ms: u64,
}

impl Streaming {
    pub fn begin(tokens: &ClusterTokens, prompt: &[u32]) -> Streaming {
        let prompt = prompt.to_vec();
        let request = Request { prompt, tokens_max: Some(TOKENS), logprobs: Some(2), ..Request::default() };
        let (sender, events) = channel();
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let sink = move |event: Event| {
            let _ = sender.send((unix_ms(), event));
            counted.fetch_add(1, Ordering::Relaxed);
        };
        let ticket = tokens.submit(request, Box::new(sink)).unwrap();
        Streaming { events, count, _ticket: ticket }
    }

    pub fn wait_for(&self, tokens: usize) {
        let begin = Instant::now();
        while self.count.load(Ordering::Relaxed) < tokens {
            assert!(begin.elapsed() < PATIENCE, "no tokens came");
            std::thread::yield_now();
        }
    }

    pub fn finish(self) -> Answer {
        let heard = self.hear();
        let pause = heard.as_ref().map_or((0, 0), |heard| (heard.longest_pause_ms, heard.resumed_unix_ms));
        Answer {
            tokens: heard.map(|heard| heard.tokens.into_iter().map(|(id, _)| id).collect()),
            longest_pause_ms: pause.0,
            resumed_unix_ms: pause.1,
            ended_unix_ms: unix_ms(),
        }
    }

    fn hear(&self) -> Result<Heard, String> {
        let mut heard = Heard { tokens: Vec::new(), longest_pause_ms: 0, resumed_unix_ms: 0 };
        let mut last = None;
        loop {
            let (at, event) = self.events.recv_timeout(PATIENCE).map_err(|_| "the stream hangs")?;
            match event {
                Event::Token { id, logprobs } => {
                    heard.tokens.push((id, *logprobs.ok_or("no log-probabilities came")?));
                    let pause = at.saturating_sub(last.replace(at).unwrap_or(at));
                    if pause > heard.longest_pause_ms {
                        (heard.longest_pause_ms, heard.resumed_unix_ms) = (pause, at);
                    }
                }
                Event::Done(usage) if usage.tokens == heard.tokens.len() => return Ok(heard),
                Event::Done(usage) => {
                    return Err(format!("{} tokens came, {} were told of", heard.tokens.len(), usage.tokens));
                }
                Event::Failed(reason) => return Err(reason),
                _ => {}
            }
        }
    }
}

pub fn unix_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64
}
