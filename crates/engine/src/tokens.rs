//! The interface to anything that answers token requests.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use serde::{Deserialize, Serialize};

use crate::{Event, Refused, Request};

/// Hears one request's events, the last of which is `Done`, `Refused` or `Failed`. It is called by whoever makes the tokens and must
/// not block.
pub type Sink = Box<dyn FnMut(Event) + Send>;

/// What turns a token request into token events, near or far.
pub trait Tokens: Send + Sync {
    /// Returns at once; `events` hears of the request until its last event.
    fn submit(&self, request: Request, events: Sink) -> Result<Ticket, Refused>;

    fn load(&self) -> Load;

    /// What is known of each rank that makes the tokens, where there are several.
    fn ranks(&self) -> Vec<RankReport> {
        Vec::new()
    }

    /// As `submit`, for a thread that waits for the events.
    fn stream(&self, request: Request) -> Result<Stream, Refused> {
        let (sender, events) = channel();
        let sink = move |event| {
            let _ = sender.send(event);
        };
        let ticket = self.submit(request, Box::new(sink))?;
        Ok(Stream { ticket, events, done: false })
    }
}

/// How busy an engine is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Load {
    /// Requests that have a slot.
    pub running: usize,
    pub waiting: usize,
    /// Slots.
    pub running_max: usize,
    pub waiting_max: usize,
    /// Cache blocks held by running requests, and in all.
    pub blocks_used: usize,
    pub blocks: usize,
    pub block_len: usize,
    /// Most tokens of one request, prompt and answer.
    pub context: usize,
    /// Nothing more is taken, as after the loss of a rank.
    pub stopped: bool,
    /// It computed values that are not numbers: its weights may be damaged.
    #[serde(default)]
    pub unsound: bool,
    /// Batches computed since it was opened.
    pub steps: u64,
    /// Requests that were cancelled before their end, and the most steps that ended between the wish and the slot's being free.
    pub cancelled: u64,
    pub cancel_steps_max: u64,
}

/// How a rank fares, since its model was opened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankReport {
    pub computing_us: f64,
    /// Exchanging values with other ranks, and waiting for them.
    pub exchanging_us: f64,
    /// The kind of link to each other rank.
    pub links: Vec<(usize, String)>,
    /// How its steps pass to other ranks and back, where its device has several ways.
    pub exchanges_by: Option<String>,
    pub resident_bytes: Option<u64>,
}

/// A request on its way. Dropping the ticket cancels it, if it is not done.
pub struct Ticket {
    cancel: Arc<dyn Fn() + Send + Sync>,
}

impl Ticket {
    /// `cancel` may be called any number of times, also after the request's end.
    pub fn new(cancel: impl Fn() + Send + Sync + 'static) -> Ticket {
        Ticket { cancel: Arc::new(cancel) }
    }

    /// Stop at the next step; `Done` still comes, with what was produced until then.
    pub fn cancel(&self) {
        (self.cancel)();
    }

    /// A way to cancel from elsewhere.
    pub fn canceller(&self) -> impl Fn() + Send + Sync + 'static {
        let cancel = Arc::clone(&self.cancel);
        move || cancel()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// One request's events, to wait for. Dropping it cancels the request.
pub struct Stream {
    ticket: Ticket,
    events: Receiver<Event>,
    done: bool,
}

impl Stream {
    pub fn ticket(&self) -> &Ticket {
        &self.ticket
    }
}

impl Iterator for Stream {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        if self.done {
            return None;
        }
        let event = self.events.recv().unwrap_or_else(|_| Event::Failed("the engine is gone".into()));
        self.done = event.is_last();
        Some(event)
    }
}
