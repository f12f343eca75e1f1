//! Measures a transfer of weights beside what its link carries; see `bench/cluster/weights.sh`.
//!
//! `weights_rate receive ADDRESS:PORT FOLDER ROUNDS` on one side, `weights_rate send ADDRESS:PORT MODEL` on the other.

use std::path::Path;
use std::process::ExitCode;

use tandem_node::rates::{Rates, receive, send};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["send", to, model] => to.parse().map_err(Into::into).and_then(|to| send(Path::new(model), to)),
        ["receive", at, folder, rounds] => match (at.parse(), rounds.parse()) {
            (Ok(at), Ok(rounds)) => receive(at, Path::new(folder), rounds, print),
            _ => Err("expected an address with a port, and a number of rounds".into()),
        },
        _ => Err("expected `send ADDRESS:PORT MODEL` or `receive ADDRESS:PORT FOLDER ROUNDS`".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(rates: Rates) {
    let Rates { bytes, link, links, written, transfer } = rates;
    let giga = |rate: f64| rate / 1e9;
    println!(
        "{:.0} MB, GB/s: link {:.2}, several links {:.2}, link and file {:.2}, transfer {:.2} ({:.0}% of the link, {:.0}% of link and file)",
        bytes as f64 / 1e6,
        giga(link),
        giga(links),
        giga(written),
        giga(transfer),
        100.0 * transfer / link,
        100.0 * transfer / written,
    );
}
