//! `tandem launch`: starts the ranks of a program that uses Tandem's links, such as a Python script.

use crate::failure::{Advised, Interrupted};
use crate::interrupt::Listener;
use anyhow::Result;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;
use tandem_collectives::RANKS_MAX;
use tandem_fabric::local::{Crew, LinkChoice, Seat};

/// Start a program once for each rank, on this machine
///
/// Each process finds its place by itself: in Python, `tandem.init()`. What the ranks print comes line by line. When one fails the others are ended, and
/// its exit code is the command's.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem launch -n 4 python script.py
  tandem launch -n 2 --link tcp python script.py --epochs 3
  tandem launch -n 4 --keep-going python script.py    the others may go on when one is lost

Each rank also sees its number in TANDEM_RANK, and how many there are in TANDEM_WORLD.")]
pub struct Args {
    /// How many ranks
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=RANKS_MAX as i64))]
    ranks: u16,
    /// What they talk over: shm or tcp; by default, the fastest
    #[arg(long, value_name = "LINK", value_parser = parse_link)]
    link: Option<LinkChoice>,
    /// Bind each rank to a core of its own
    #[arg(long)]
    bind: bool,
    /// Registered memory for each rank's arrays, in MB; pages cost memory only once written
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    memory: u32,
    /// Let the others run when one fails
    #[arg(long)]
    keep_going: bool,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

fn parse_link(text: &str) -> Result<LinkChoice, String> {
    match text {
        "shm" => Ok(LinkChoice::Shm),
        "tcp" => Ok(LinkChoice::Tcp),
        _ => Err("expected shm or tcp".into()),
    }
}

pub fn run(args: Args) -> Result<()> {
    let mut seats = Seat::row(args.ranks.into(), args.link.unwrap_or(LinkChoice::Best));
    let cores = tandem_fabric::usable_cores();
    for (seat, index) in seats.iter_mut().zip(0..) {
        seat.arena_bytes = (args.memory as usize) << 20;
        let core = cores.get(index % cores.len().max(1)).copied();
        seat.core = core.filter(|_| args.bind);
    }
    let interrupted = Listener::new(Duration::from_secs(2));
    let started = Crew::start(&seats, |seat| {
        let mut command = Command::new(&args.program[0]);
        command.args(&args.program[1..]);
        command.env("TANDEM_RANK", seat.rank.to_string()).env("TANDEM_WORLD", seat.size.to_string());
        command
    });
    let mut crew = started.map_err(|error| {
        Advised::new(
            format!("cannot start `{}`: {error}", args.program[0].display()),
            "is it installed, and in PATH?",
        )
    })?;
    let voices: Vec<_> = crew.children_mut().iter_mut().filter_map(pass_on).collect();
    let failed = loop {
        if interrupted.is_raised() {
            return Err(Interrupted("the ranks were ended").into());
        }
        let ended: Vec<Option<ExitStatus>> =
            crew.children_mut().iter_mut().map(Child::try_wait).collect::<Result<_, _>>()?;
        let mut ended_badly = ended.iter().enumerate().filter_map(|(rank, status)| Some((rank, (*status)?)));
        let failed = ended_badly.find(|(_, status)| !status.success());
        if ended.iter().all(Option::is_some) || (failed.is_some() && !args.keep_going) {
            break failed;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    // Those that still run end here.
    drop(crew);
    voices.into_iter().for_each(|voice| drop(voice.join()));
    match failed {
        None => Ok(()),
        Some((rank, status)) => {
            eprintln!("rank {rank} ended with {status}");
            std::process::exit(status.code().filter(|code| *code != 0).unwrap_or(1));
        }
    }
}

/// What a rank prints, whole lines at a time.
fn pass_on(child: &mut Child) -> Option<std::thread::JoinHandle<()>> {
    let mut said = BufReader::new(child.stdout.take()?);
    Some(std::thread::spawn(move || {
        let mut line = Vec::new();
        while said.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
            let mut out = std::io::stdout().lock();
            if out.write_all(&line).and_then(|()| out.flush()).is_err() {
                return;
            }
            line.clear();
        }
    }))
}
