//! The requests that clients of this node wait for: what each has of its answer, and where the rest of it comes from.
//!
//! Words of answers come here straight from the channels and workers; the node's own task only hears when an attempt begins
//! and ends. Each client is told by a task of its own, so that a slow one delays nobody.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tandem_cluster::{
    Attempt, Generation, Input, InstanceId, Ledger, NodeId, Progress, Submission, Verdict, WordKind,
};
use tandem_engine::{Event as TokenEvent, Finish, Request, Sink, Usage};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::shell::Event;

/// What a worker says of an attempt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Word {
    Event(TokenEvent),
    /// The worker is gone; the request can go on elsewhere.
    Lost(String),
}

pub struct Fronts {
    events: mpsc::UnboundedSender<Event>,
    /// Where clients are told.
    runtime: Handle,
    requests: Mutex<HashMap<u64, FrontRequest>>,
}

struct FrontRequest {
    /// The request, as workers read it.
    body: Vec<u8>,
    ledger: Ledger,
    /// The attempt that is heard, and the node that works on it.
    at: Option<(Attempt, NodeId)>,
    to_client: mpsc::UnboundedSender<TokenEvent>,
    prompt_tokens: usize,
    tokens: usize,
    asked: Instant,
    first: Option<Instant>,
    deadline: Option<Duration>,
}

/// Whoever works on a request ends it at its deadline; where nobody does, it is ended here, this much later.
const GRACE: Duration = Duration::from_secs(1);

impl Fronts {
    pub fn new(events: mpsc::UnboundedSender<Event>, runtime: Handle) -> Fronts {
        Fronts { events, runtime, requests: Mutex::default() }
    }

    pub fn begin(&self, number: u64, request: &Request, mut sink: Sink) {
        let (to_client, mut heard) = mpsc::unbounded_channel();
        self.runtime.spawn(async move {
            while let Some(event) = heard.recv().await {
                sink(event);
            }
        });
        let front = FrontRequest {
            body: postcard::to_allocvec(request).unwrap_or_default(),
            ledger: Ledger::default(),
            at: None,
            to_client,
            prompt_tokens: request.prompt.len(),
            tokens: 0,
            asked: Instant::now(),
            first: None,
            deadline: request.deadline,
        };
        self.requests().insert(number, front);
    }

    /// What to send for a new attempt, which is the one that is heard from now on.
    pub fn submission(
        &self,
        attempt: Attempt,
        to: NodeId,
        instance: InstanceId,
        generation: Generation,
        asked_ms_ago: u64,
    ) -> Option<Submission> {
        let mut requests = self.requests();
        let front = requests.get_mut(&attempt.request)?;
        front.at = Some((attempt, to));
        let answered = front.ledger.begin(attempt.number).to_vec();
        let body = front.body.clone();
        Some(Submission { attempt, instance, generation, body, answered, asked_ms_ago })
    }

    /// The `index`th word of an attempt, from the node that works on it.
    pub fn hear(&self, from: NodeId, attempt: Attempt, index: u64, word: Word) {
        let mut requests = self.requests();
        let Some(front) = requests.get_mut(&attempt.request) else { return };
        if front.at != Some((attempt, from)) {
            return;
        }
        let Word::Event(event) = word else { return self.tell(attempt, Progress::Lost) };
        let last = event.is_last();
        let kind = match &event {
            TokenEvent::Token { id, .. } => WordKind::Token(*id),
            _ if last => WordKind::Last,
            _ => WordKind::Other,
        };
        let begins = !front.ledger.has_begun();
        match front.ledger.hear(attempt.number, index, kind) {
            Verdict::Skip => return,
            Verdict::Gap => return self.tell(attempt, Progress::Broken),
            Verdict::Pass => front.pass(event),
        }
        if last {
            requests.remove(&attempt.request);
            self.tell(attempt, Progress::Ended);
        } else if begins {
            self.tell(attempt, Progress::Begun);
        }
    }

    /// The node cannot go on.
    pub fn fail_all(&self, reason: &str) {
        for (_, mut front) in self.requests().drain() {
            front.pass(TokenEvent::Failed(reason.to_owned()));
        }
    }

    /// Nothing serves it, and why.
    pub fn fail(&self, request: u64, reason: String) {
        if let Some(mut front) = self.requests().remove(&request) {
            front.pass(TokenEvent::Failed(reason));
        }
    }

    /// Nothing more of it is wanted. False where it has ended already.
    pub fn end(&self, request: u64, finish: Finish) -> bool {
        let Some(mut front) = self.requests().remove(&request) else { return false };
        let usage = front.usage(finish);
        front.pass(TokenEvent::Done(usage));
        true
    }

    /// Requests whose time is over though nobody ended them.
    pub fn overdue(&self) -> Vec<u64> {
        let requests = self.requests();
        requests.iter().filter(|(_, front)| front.is_overdue()).map(|(request, _)| *request).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.requests().is_empty()
    }

    fn tell(&self, attempt: Attempt, progress: Progress) {
        let _ = self.events.send(Event::Input(Input::Progressed { attempt, progress }));
    }

    fn requests(&self) -> MutexGuard<'_, HashMap<u64, FrontRequest>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FrontRequest {
    fn is_overdue(&self) -> bool {
        self.deadline.is_some_and(|deadline| self.asked.elapsed() > deadline + GRACE)
    }

    fn pass(&mut self, event: TokenEvent) {
        let event = match event {
            // As the client saw it, with the pauses.
            TokenEvent::Done(usage) => TokenEvent::Done(Usage {
                tokens: self.tokens,
                prompt_tokens: self.prompt_tokens,
                ..self.timed(usage)
            }),
            TokenEvent::Token { .. } => {
                self.tokens += 1;
                self.first.get_or_insert_with(Instant::now);
                event
            }
            other => other,
        };
        let _ = self.to_client.send(event);
    }

    fn usage(&self, finish: Finish) -> Usage {
        Usage {
            finish,
            prompt_tokens: self.prompt_tokens,
            cached_tokens: 0,
            tokens: self.tokens,
            first_token_after: Duration::ZERO,
            decoding_for: Duration::ZERO,
        }
    }

    fn timed(&self, usage: Usage) -> Usage {
        let first = self.first.unwrap_or_else(Instant::now);
        Usage { first_token_after: first - self.asked, decoding_for: first.elapsed(), ..usage }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_engine::Refused;

    const HOST: NodeId = NodeId([2; 32]);

    fn attempt(number: u32) -> Attempt {
        Attempt { front: NodeId([1; 32]), boot: 1, request: 7, number }
    }

    struct Asked {
        fronts: Fronts,
        told: mpsc::UnboundedReceiver<Event>,
        client: std::sync::mpsc::Receiver<TokenEvent>,
    }

    impl Asked {
        fn new(request: &Request) -> Asked {
            let (events, told) = mpsc::unbounded_channel();
            let (sender, client) = std::sync::mpsc::channel();
            let fronts = Fronts::new(events, Handle::current());
            fronts.begin(7, request, Box::new(move |event| _ = sender.send(event)));
            Asked { fronts, told, client }
        }

        fn submit(&self, number: u32) -> Submission {
            let instance = InstanceId { model: "m".into(), index: 0 };
            let generation = Generation { counter: 1, by: HOST };
            self.fronts.submission(attempt(number), HOST, instance, generation, 0).unwrap()
        }

        fn hear(&self, number: u32, index: u64, event: TokenEvent) {
            self.fronts.hear(HOST, attempt(number), index, Word::Event(event));
        }

        fn progress(&mut self) -> Vec<Progress> {
            std::iter::from_fn(|| self.told.try_recv().ok())
                .filter_map(|event| match event {
                    Event::Input(Input::Progressed { progress, .. }) => Some(progress),
                    _ => None,
                })
                .collect()
        }
    }

    fn token(id: u32) -> TokenEvent {
        TokenEvent::Token { id, logprobs: None }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_core_hears_of_attempts_and_the_client_of_words() {
        let mut asked = Asked::new(&Request { prompt: vec![1], ..Request::default() });
        assert!(asked.submit(1).answered.is_empty());
        asked.hear(1, 0, token(5));
        asked.hear(1, 1, token(6));
        asked.fronts.hear(NodeId([9; 32]), attempt(1), 2, Word::Event(token(66)));
        asked.fronts.hear(HOST, attempt(1), 2, Word::Lost("its worker died".into()));
        assert_eq!(asked.progress(), [Progress::Begun, Progress::Lost]);
        assert_eq!(asked.submit(2).answered, [5, 6]);
        asked.hear(1, 2, token(7));
        asked.hear(2, 0, token(7));
        // A refusal keeps its type, and ends it for good.
        asked.hear(2, 1, TokenEvent::Refused(Refused::EmptyPrompt));
        assert_eq!(asked.progress(), [Progress::Begun, Progress::Ended]);
        let heard: Vec<_> = asked.client.iter().collect();
        assert_eq!(heard, [token(5), token(6), token(7), TokenEvent::Refused(Refused::EmptyPrompt)]);
        assert!(asked.fronts.is_empty());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_client_that_is_slow_to_listen_delays_nobody() {
        let (events, mut told) = mpsc::unbounded_channel();
        let fronts = Fronts::new(events, Handle::current());
        let (go_on, wait) = std::sync::mpsc::channel::<()>();
        let sink = move |_| _ = wait.recv();
        fronts.begin(7, &Request::default(), Box::new(sink));
        let generation = Generation { counter: 1, by: HOST };
        let instance = InstanceId { model: "m".into(), index: 0 };
        fronts.submission(attempt(1), HOST, instance, generation, 0).unwrap();
        for index in 0..100 {
            fronts.hear(HOST, attempt(1), index, Word::Event(token(index as u32)));
        }
        assert!(told.try_recv().is_ok(), "it begins while its client has not taken the first word");
        drop(go_on);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_request_that_nobody_works_on_ends_at_its_deadline() {
        let asked = Asked::new(&Request { deadline: Some(Duration::from_secs(2)), ..Request::default() });
        assert!(asked.fronts.overdue().is_empty());
        asked.fronts.requests().get_mut(&7).unwrap().asked -= Duration::from_secs(4);
        assert_eq!(asked.fronts.overdue(), [7]);
        assert!(asked.fronts.end(7, Finish::Deadline));
        assert!(!asked.fronts.end(7, Finish::Deadline));
        let ended = asked.client.recv().unwrap();
        assert!(matches!(ended, TokenEvent::Done(usage) if usage.finish == Finish::Deadline), "{ended:?}");
    }

    #[test]
    fn every_word_and_request_survives_the_way() {
        let said = [
            Word::Event(token(3)),
            Word::Event(TokenEvent::Hidden(vec![0.5])),
            Word::Event(TokenEvent::Failed("why".into())),
            Word::Event(TokenEvent::Refused(Refused::BadSampling {
                name: "top_p".into(),
                found: 2.0,
                expected: "less".into(),
            })),
            Word::Lost("why".into()),
        ];
        for word in said {
            let bytes = postcard::to_allocvec(&word).unwrap();
            let read: Word = postcard::from_bytes(&bytes).unwrap();
            assert_eq!(format!("{read:?}"), format!("{word:?}"));
        }
        let request =
            Request { prompt: vec![1, 2], deadline: Some(Duration::from_secs(1)), ..Request::default() };
        let bytes = postcard::to_allocvec(&request).unwrap();
        assert_eq!(postcard::from_bytes::<Request>(&bytes).unwrap(), request);
    }
}
