//! Latency and bandwidth of a link between two processes of this machine.
//!
//!     cargo run --release --example bench_link -- [shm|tcp] [core,core] [sizes, in bytes, as 64,1024] [milliseconds each]

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
    let mut options = Options { link, cores, ..Options::default() };
    if let Some(sizes) = arguments.get(2) {
        options.sizes = sizes.split(',').map(|size| size.parse()).collect::<Result<_, _>>()?;
    }
    if let Some(each_ms) = arguments.get(3) {
        options.each_ms = each_ms.parse()?;
    }
    print!("{}", bench::run(&options, || Command::new(&program))?);
    Ok(())
}
