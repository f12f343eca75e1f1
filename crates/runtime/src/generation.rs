//! An answer as it is being written, for a thread that waits for it.

use std::collections::VecDeque;

use tandem_dialogue::{Delta, Summary};
use tandem_engine::Stream;

use crate::{Next, Reply, Unanswered};

/// Streams one answer. Dropping it stops the work.
pub struct Generation {
    stream: Stream,
    reply: Reply,
    deltas: Vec<Next>,
    queue: VecDeque<Next>,
    done: bool,
}

impl Generation {
    pub(crate) fn new(stream: Stream, reply: Reply) -> Generation {
        Generation { stream, reply, deltas: Vec::new(), queue: VecDeque::new(), done: false }
    }

    /// Stop soon; `Done` still comes.
    pub fn cancel(&self) {
        self.stream.ticket().cancel();
    }

    /// A way to cancel from elsewhere, such as a signal handler's thread.
    pub fn canceller(&self) -> impl Fn() + Send + Sync + 'static {
        self.stream.ticket().canceller()
    }

    /// The content of the whole answer.
    pub fn text(self) -> Result<(String, Summary), Unanswered> {
        let mut text = String::new();
        for delta in self {
            match delta? {
                Delta::Content(more) => text.push_str(&more),
                Delta::Done(summary) => return Ok((text, summary)),
                _ => {}
            }
        }
        Err(Unanswered::Lost("the answer ended early".into()))
    }
}

impl Iterator for Generation {
    type Item = Next;

    fn next(&mut self) -> Option<Next> {
        if self.done {
            return None;
        }
        while self.queue.is_empty() {
            self.reply.push(self.stream.next()?, &mut self.deltas);
            self.queue.extend(self.deltas.drain(..));
            if self.reply.is_stopped() {
                self.cancel();
            }
        }
        let delta = self.queue.pop_front()?;
        self.done = matches!(delta, Err(_) | Ok(Delta::Done(_)));
        Some(delta)
    }
}
