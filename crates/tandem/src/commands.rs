//! One module per command: its arguments, and `run`.

pub mod bench;
mod bench_links;
mod bench_scale;
mod cluster_node;
pub mod convert;
pub mod devices;
pub mod doctor;
pub mod inspect;
pub mod key;
pub mod load;
pub mod make_model;
pub mod models;
pub mod nodes;
pub mod perplexity;
pub mod plan;
pub mod ps;
pub mod pull;
pub mod quantize;
pub mod remove;
pub mod run;
pub mod selftest;
pub mod token;
pub mod top;
pub mod unload;
pub mod up;
pub mod worker;
