//! One module per command: its arguments, and `run`.

pub mod bench;
mod bench_links;
mod bench_scale;
mod cluster_node;
pub mod completions;
pub mod convert;
pub mod cp;
pub mod devices;
pub mod doctor;
pub mod inspect;
pub mod key;
pub mod launch;
pub mod load;
pub mod make_model;
pub mod man;
pub mod models;
pub mod nodes;
mod output_file;
pub mod perplexity;
pub mod plan;
pub mod ps;
pub mod pull;
pub mod quantize;
pub mod remove;
pub mod run;
pub mod selftest;
pub mod service;
mod speed;
pub mod token;
pub mod top;
pub mod unload;
pub mod up;
pub mod worker;

/// How many threads work takes that is not told.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
