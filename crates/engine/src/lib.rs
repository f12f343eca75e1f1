//! Many requests, one model: the scheduler, the paged cache, the sampler and the step loop.
//!
//! A step is `schedule → run → postprocess`:
//! - [`Scheduler`] picks rows from running and waiting sequences and writes a `Batch`;
//! - a [`Stepper`] (any backend, any number of ranks) runs it;
//! - [`Sampler`] picks each finished row's next token, and [`Engine`] reports [`Event`]s.
//!
//! [`Engine`] is a plain state machine; [`Handle`] runs one on its own thread and is one kind of [`Tokens`]: what answers
//! token requests, here or elsewhere. Constraints on answers are compiled by whatever [`Grammars`] it is given. This crate knows token ids:
//! no text, no HTTP, no weights.

mod blocks;
mod engine;
mod grammar;
mod handle;
mod pacer;
mod paging;
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
pub use request::{
    Constraint, Event, Finish, Logprob, Logprobs, Refused, Request, RequestId, Sampling, Usage,
};
pub use sampler::Sampler;
pub use scheduler::Scheduler;
pub use stepper::{OneRank, Stepper};
pub use tokens::{Load, RankReport, Sink, Stream, Ticket, Tokens};
