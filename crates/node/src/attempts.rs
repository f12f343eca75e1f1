//! Requests that this node's leading workers answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tandem_cluster::{Answer, Attempt, Input, Submission};
use tandem_engine::{Event as TokenEvent, Refused, Request, Ticket, Tokens};
use tandem_ranks::RemoteEngine;
use tokio::sync::mpsc;

use crate::shell::Event;

type Tickets = Mutex<HashMap<Attempt, Option<Ticket>>>;

pub struct Attempts {
    events: mpsc::UnboundedSender<Event>,
    /// `None` while the worker has not answered yet whether it takes the request.
    tickets: Arc<Tickets>,
}

impl Attempts {
    pub fn new(events: mpsc::UnboundedSender<Event>) -> Attempts {
        Attempts { events, tickets: Arc::default() }
    }

    pub fn abort(&self, attempt: Attempt) {
        // Dropped once the lock is let go: the ticket tells the worker.
        let ticket = lock(&self.tickets).remove(&attempt);
        drop(ticket);
    }

    /// Hand an attempt to the worker that leads here.
    pub fn submit(&self, submission: Submission, engine: Option<RemoteEngine>) {
        let attempt = submission.attempt;
        let events = self.events.clone();
        let tell = move |answer| {
            let _ = events.send(Event::Input(Input::Engine { attempt, answer }));
        };
        let Some(engine) = engine else { return tell(Answer::Lost("the worker is gone".into())) };
        let request: Request = match serde_json::from_slice(&submission.body) {
            Ok(request) => request,
            Err(error) => {
                return tell(refused(&Refused::Stopped(format!("the request cannot be read: {error}"))));
            }
        };
        let request = resumed(request, &submission);
        let tickets = Arc::clone(&self.tickets);
        lock(&tickets).insert(attempt, None);
        // Taking a request is a round trip to the worker.
        tokio::task::spawn_blocking(move || {
            let (sink_tell, sink_tickets) = (tell.clone(), Arc::clone(&tickets));
            let sink = move |event: TokenEvent| {
                let last = event.is_last();
                sink_tell(match event {
                    TokenEvent::Token { id, logprobs } => {
                        let detail = logprobs.and_then(|logprobs| serde_json::to_vec(&logprobs).ok());
                        Answer::Token { id, detail }
                    }
                    TokenEvent::Done(usage) => Answer::Done(serde_json::to_vec(&usage).unwrap_or_default()),
                    TokenEvent::Refused(refusal) => refused(&refusal),
                    TokenEvent::Failed(reason) => Answer::Lost(reason),
                    other => Answer::Other(serde_json::to_vec(&other).unwrap_or_default()),
                });
                if last {
                    lock(&sink_tickets).remove(&attempt);
                }
            };
            match engine.submit(request, Box::new(sink)) {
                Ok(ticket) => {
                    // Aborted, or done, while it was being taken: the ticket goes, and the request with it.
                    if let Some(place) = lock(&tickets).get_mut(&attempt) {
                        *place = Some(ticket);
                    }
                }
                Err(refusal) => {
                    lock(&tickets).remove(&attempt);
                    let lost = engine.failure().is_some() || matches!(refusal, Refused::Stopped(_));
                    tell(if lost { Answer::Lost(refusal.to_string()) } else { refused(&refusal) });
                }
            }
        });
    }
}

fn refused(refusal: &Refused) -> Answer {
    Answer::Refused(serde_json::to_vec(refusal).unwrap_or_default())
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
    use tandem_cluster::{Generation, InstanceId, NodeId};

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
