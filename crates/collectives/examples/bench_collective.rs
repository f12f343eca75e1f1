//! All-reduce between processes of this machine, by size.
//!
//!     cargo run --release --example bench_collective -- [shm|tcp] [ranks] [cores, as 0,1] [algorithms, as direct,mesh] [sizes, in bytes] [milliseconds each]

use std::{env, error::Error, process::Command};

use tandem_collectives::bench::{self, Options};
use tandem_fabric::local::{LinkChoice, Seat};

fn main() -> Result<(), Box<dyn Error>> {
    if Seat::from_env().is_some() {
        return Ok(bench::worker()?);
    }
    let arguments: Vec<_> = env::args().skip(1).collect();
    let list = |at: usize| -> Vec<String> {
        let text = arguments.get(at).map_or("", String::as_str);
        text.split(',').filter(|part| !part.is_empty()).map(str::to_string).collect()
    };
    let link = if list(0) == ["tcp"] { LinkChoice::Tcp } else { LinkChoice::Shm };
    let ranks = list(1).first().map_or(Ok(2), |text| text.parse())?;
    let cores = list(2).iter().map(|core| core.parse()).collect::<Result<_, _>>()?;
    let mut options = Options { ranks, link, cores, algorithms: list(3), ..Options::default() };
    if !list(4).is_empty() {
        options.sizes = list(4).iter().map(|size| size.parse()).collect::<Result<_, _>>()?;
    }
    if let Some(each_ms) = list(5).first() {
        options.each_ms = each_ms.parse()?;
    }
    let program = env::current_exe()?;
    print!("{}", bench::run(&options, || Command::new(&program))?);
    Ok(())
}
