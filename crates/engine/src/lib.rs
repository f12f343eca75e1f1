//! Runs many token requests at once on one model: the scheduler, the paged cache, the sampler and the step loop.
//!
//! A step is `schedule → run → postprocess`:
//! - [`Scheduler`] picks rows from running and waiting sequences and writes a `Batch`;
//! - a [`Stepper`] (any backend, any number of ranks) runs it;
//! - [`Sampler`] picks each finished row's next token, and [`Engine`] reports [`Event`]s.
//!
//! [`Engine`] is a plain state machine. [`Handle`] runs one on its own thread. [`Tokens`] is the interface to anything that answers
//! token requests, in this process or another; a handle is one implementation. Constraints on answers are compiled by the
//! [`Grammars`] that an engine is given. This crate works with token ids. It knows no text, no HTTP and no weights.

mod blocks;
mod engine;
mod grammar;
mod handle;
mod pacer;
mod paging;
mod pictures;
mod request;
mod sampler;
mod scheduler;
mod stepper;
mod tokens;
mod turns;

pub use blocks::BlockPool;
pub use engine::{Admitted, Config, Engine, EngineError, Entrance};
pub use grammar::{Grammar, Grammars};
pub use handle::Handle;
pub use pictures::{Picture, Sight};
pub use request::{Event, Finish, Logprob, Logprobs, Refused, Request, RequestId, Usage};
pub use sampler::Sampler;
pub use scheduler::Scheduler;
pub use stepper::{OneRank, Stepper};
pub use tokens::{Load, RankReport, Sink, Stream, Ticket, Tokens};

pub use tandem_dialogue::{Constraint, Sampling};
