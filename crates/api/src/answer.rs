//! An answer as it is being written.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::task::{Context, Poll};

use tandem_dialogue::Delta;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::Failure;

/// Deltas of one answer, ending with `Done` or a failure. Dropping it cancels the work.
pub struct Answer {
    deltas: UnboundedReceiver<Result<Delta, Failure>>,
    ended: bool,
    progress: Arc<Progress>,
    /// Whatever must live as long as somebody listens.
    _ticket: Box<dyn Any + Send>,
}

/// How far an answer has come, for those who do not hear its end.
#[derive(Debug, Default)]
pub struct Progress {
    pub prompt_tokens: usize,
    pub tokens: AtomicUsize,
}

impl Answer {
    /// `ticket` is dropped with the answer: what cancels the work.
    pub fn new(deltas: UnboundedReceiver<Result<Delta, Failure>>, ticket: impl Any + Send) -> Answer {
        Answer { deltas, ended: false, progress: Arc::default(), _ticket: Box::new(ticket) }
    }

    /// With `progress`, which whoever makes the tokens keeps.
    pub fn counted_by(self, progress: Arc<Progress>) -> Answer {
        Answer { progress, ..self }
    }

    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// `None` once the answer has ended.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Delta, Failure>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        self.deltas.poll_recv(context).map(|next| {
            let next = next.unwrap_or_else(|| Err(Failure::Internal("the answer ended early".into())));
            self.ended = matches!(next, Err(_) | Ok(Delta::Done(_)));
            Some(next)
        })
    }

    pub async fn next(&mut self) -> Option<Result<Delta, Failure>> {
        std::future::poll_fn(|context| self.poll_next(context)).await
    }
}
