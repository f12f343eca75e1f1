//! Many requests, one session: the scheduler, the paged cache, the sampler and the step loop.
//!
//! A step is `schedule → run → postprocess`:
//! - [`Scheduler`] picks rows from running and waiting sequences and writes a `Batch`;
//! - the session (any backend, any number of ranks) runs it;
//! - [`Sampler`] picks each finished row's next token, and [`Engine`] reports [`Event`]s.
//!
//! [`Engine`] is a plain state machine; [`Handle`] runs one on its own thread. This crate knows token ids:
//! no text, no HTTP, no weights.

mod blocks;
mod engine;
mod handle;
mod request;
mod sampler;
mod scheduler;

pub use blocks::BlockPool;
pub use engine::{Config, Engine};
pub use handle::{Handle, Stream};
pub use request::{Event, Finish, Logprob, Logprobs, Refused, Request, RequestId, Sampling, Usage};
pub use sampler::Sampler;
pub use scheduler::Scheduler;
