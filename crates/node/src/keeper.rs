//! Keeps the node's membership on disk, on a thread of its own: a slow disk must not hold up the beats.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use crate::home::{Home, Membership};

/// The one writer of the membership. States are numbered; the newest is written, and those before it count as written too.
pub struct Keeper {
    states: Sender<State>,
    given: u64,
}

/// A state by its number; none where the node is no member any more.
type State = (u64, Option<Membership>);

/// That everything up to a number is on the disk, or why it is not.
pub type Kept = Result<u64, String>;

/// A disk that takes nothing is tried again after this time.
const TRY_AGAIN: Duration = Duration::from_secs(1);

impl Keeper {
    /// `tell` hears what became of each write.
    pub fn start(home: Arc<Home>, tell: impl Fn(Kept) + Send + 'static) -> Keeper {
        let (states, waiting) = channel();
        std::thread::spawn(move || keep(&home, &waiting, tell));
        Keeper { states, given: 0 }
    }

    pub fn keep(&mut self, membership: Option<Membership>) {
        self.given += 1;
        let _ = self.states.send((self.given, membership));
    }

    /// The number of the newest state.
    pub fn given(&self) -> u64 {
        self.given
    }
}

fn keep(home: &Home, states: &Receiver<State>, tell: impl Fn(Kept)) {
    let Ok(mut newest) = states.recv() else { return };
    loop {
        newest = states.try_iter().last().unwrap_or(newest);
        let saved = match &newest.1 {
            Some(membership) => home.save(membership),
            None => home.forget_membership(),
        };
        let next = match saved {
            Ok(()) => {
                tell(Ok(newest.0));
                states.recv().map_err(|_| RecvTimeoutError::Disconnected)
            }
            Err(error) => {
                tell(Err(error.to_string()));
                states.recv_timeout(TRY_AGAIN)
            }
        };
        match next {
            Ok(state) => newest = state,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}
