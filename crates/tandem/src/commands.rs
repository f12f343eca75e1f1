//! One module per command: its arguments, and `run`.

pub mod inspect;
pub mod make_model;
pub mod models;
pub mod pull;
pub mod quantize;
