//! One module per command: its arguments, and `run`.

pub mod bench;
pub mod inspect;
pub mod make_model;
pub mod models;
pub mod perplexity;
pub mod pull;
pub mod quantize;
pub mod run;
