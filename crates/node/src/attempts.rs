//! Requests that this node's leading workers answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tandem_cluster::{Attempt, Input, NodeId, Submission};
use tandem_engine::{Event as TokenEvent, Refused, Request, Ticket, Tokens};
use tandem_ranks::RemoteEngine;
use tokio::sync::mpsc;

use crate::frame::Frame;
use crate::fronts::{Fronts, Word};
use crate::post::Post;
use crate::runs::{Place, Runs};
use crate::shell::Event;

type Tickets = Mutex<HashMap<Attempt, Option<Ticket>>>;

pub struct Attempts {
    me: NodeId,
    events: mpsc::UnboundedSender<Event>,
    /// Where the words of attempts go: to clients of this node, or to other nodes.
    fronts: Arc<Fronts>,
    post: Post,
    runs: Arc<Runs>,
    /// `None` while the worker has not answered yet whether it takes the request.
    tickets: Arc<Tickets>,
}

/// Says an attempt's words to whoever made it.
struct Speaker {
    me: NodeId,
    attempt: Attempt,
    next: u64,
    events: mpsc::UnboundedSender<Event>,
    fronts: Arc<Fronts>,
    post: Post,
}

impl Speaker {
    fn say(&mut self, word: Word) {
        let (attempt, index) = (self.attempt, self.next);
        self.next += 1;
        let last = matches!(&word, Word::Lost(_)) || matches!(&word, Word::Event(event) if event.is_last());
        if attempt.front == self.me {
            self.fronts.hear(self.me, attempt, index, word);
        } else {
            self.post.send(attempt.front, &Frame::Word { attempt, index, word });
        }
        if last {
            let _ = self.events.send(Event::Input(Input::Served { attempt }));
        }
    }
}

impl Attempts {
    pub fn new(
        me: NodeId,
        events: mpsc::UnboundedSender<Event>,
        fronts: Arc<Fronts>,
        post: Post,
        runs: Arc<Runs>,
    ) -> Attempts {
        Attempts { me, events, fronts, post, runs, tickets: Arc::default() }
    }

    pub fn abort(&self, attempt: Attempt) {
        // Dropped once the lock is let go: the ticket tells the worker.
        let ticket = lock(&self.tickets).remove(&attempt);
        drop(ticket);
    }

    /// Hand an attempt to the worker that leads here, and measure what it gives at its place.
    pub fn submit(&self, submission: Submission, worker: Option<(RemoteEngine, Place)>) {
        let attempt = submission.attempt;
        let (me, events, fronts, post) =
            (self.me, self.events.clone(), Arc::clone(&self.fronts), self.post.clone());
        let mut speaker = Speaker { me, attempt, next: 0, events, fronts, post };
        let Some((engine, place)) = worker else {
            return speaker.say(Word::Lost("the worker is gone".into()));
        };
        let runs = Arc::clone(&self.runs);
        let tickets = Arc::clone(&self.tickets);
        lock(&tickets).insert(attempt, None);
        // Reading a long request and having it taken, which is a round trip to the worker, must not hold up the node.
        tokio::task::spawn_blocking(move || {
            let request: Request = match postcard::from_bytes(&submission.body) {
                Ok(request) => request,
                Err(error) => {
                    lock(&tickets).remove(&attempt);
                    let refused = Refused::Stopped(format!("the request cannot be read: {error}"));
                    return speaker.say(Word::Event(TokenEvent::Refused(refused)));
                }
            };
            let request = resumed(request, &submission);
            let sink_tickets = Arc::clone(&tickets);
            let speaker = Arc::new(Mutex::new(speaker));
            let sink_speaker = Arc::clone(&speaker);
            let sink = move |event: TokenEvent| {
                let last = event.is_last();
                let word = match event {
                    TokenEvent::Failed(reason) => Word::Lost(reason),
                    event => Word::Event(event),
                };
                sink_speaker.lock().unwrap_or_else(PoisonError::into_inner).say(word);
                if last {
                    lock(&sink_tickets).remove(&attempt);
                }
            };
            match engine.submit(request, runs.watch(place, Box::new(sink))) {
                Ok(ticket) => {
                    // Aborted, or done, while it was being taken: the ticket goes, and the request with it.
                    if let Some(place) = lock(&tickets).get_mut(&attempt) {
                        *place = Some(ticket);
                    }
                }
                Err(refusal) => {
                    lock(&tickets).remove(&attempt);
                    let lost = engine.failure().is_some() || matches!(refusal, Refused::Stopped(_));
                    let word = match lost {
                        true => Word::Lost(refusal.to_string()),
                        false => Word::Event(TokenEvent::Refused(refusal)),
                    };
                    speaker.lock().unwrap_or_else(PoisonError::into_inner).say(word);
                }
            }
        });
    }
}

/// The request with what was already answered, and what is left of its time.
fn resumed(mut request: Request, submission: &Submission) -> Request {
    request.prompt.extend_from_slice(&submission.answered);
    request.resumed += submission.answered.len();
    let passed = Duration::from_millis(submission.asked_ms_ago);
    request.deadline = request.deadline.map(|whole| whole.saturating_sub(passed));
    request
}

fn lock(tickets: &Tickets) -> MutexGuard<'_, HashMap<Attempt, Option<Ticket>>> {
    tickets.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_cluster::{Generation, InstanceId};

    #[test]
    fn a_request_goes_on_from_what_was_answered_with_what_is_left_of_its_time() {
        let node = NodeId([1; 32]);
        let submission = Submission {
            attempt: Attempt { front: node, boot: 1, request: 1, number: 2 },
            instance: InstanceId { model: "m".into(), index: 0 },
            generation: Generation { counter: 1, by: node },
            body: Vec::new(),
            answered: vec![7, 8],
            asked_ms_ago: 4000,
        };
        let within = |seconds| Request {
            prompt: vec![5],
            deadline: Some(Duration::from_secs(seconds)),
            ..Request::default()
        };
        let request = resumed(within(10), &submission);
        assert_eq!((request.prompt, request.resumed), (vec![5, 7, 8], 2));
        assert_eq!(request.deadline, Some(Duration::from_secs(6)));
        assert_eq!(resumed(within(3), &submission).deadline, Some(Duration::ZERO));
    }
}
