//! One module per command: its arguments, and `run`.

pub mod bench;
mod bench_links;
mod bench_scale;
pub mod convert;
pub mod inspect;
pub mod key;
pub mod make_model;
pub mod models;
pub mod perplexity;
pub mod pull;
pub mod quantize;
pub mod run;
pub mod up;
pub mod worker;
