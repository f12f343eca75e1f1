//! Latency and bandwidth of a link between two processes of this machine.
//!
//!     cargo run --release --example bench_link -- [shm|tcp] [core,core]

use std::{env, error::Error, process::Command};

use tandem_fabric::{
    bench::{self, Options},
    local::{LinkChoice, Seat},
};

fn main() -> Result<(), Box<dyn Error>> {
    if Seat::from_env().is_some() {
        return Ok(bench::worker()?);
    }
    let arguments: Vec<_> = env::args().skip(1).collect();
    let link = match arguments.first().map(String::as_str) {
        Some("tcp") => LinkChoice::Tcp,
        _ => LinkChoice::Shm,
    };
    let cores = arguments.get(1).and_then(|text| text.split_once(','));
    let cores = cores.and_then(|(a, b)| Some([a.parse().ok()?, b.parse().ok()?]));
    let program = env::current_exe()?;
    print!("{}", bench::run(&Options { link, cores, ..Options::default() }, || Command::new(&program))?);
    Ok(())
}
