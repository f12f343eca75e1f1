//! `tandem key`: who may call the server from other machines.

use super::up::keys_file;
use crate::display::Table;
use anyhow::Result;
use serde_json::json;
use std::io::Write;
use std::time::{Duration, SystemTime};
use tandem_api::{KeyLimits, Keys};
use tandem_hub::Store;

/// Make, list and revoke API keys
///
/// A server that listens beyond this machine wants a key from everybody. Keys are kept as hashes: a secret is shown once,
/// when it is made. Changes hold at once, also for a server that runs.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem key add laptop                             print a new key
  tandem key add ci --requests-per-minute 60        … with a limit
  tandem key add me --manage                        … for the dashboard from another machine
  tandem key list
  tandem key revoke laptop

Clients send it as `Authorization: Bearer KEY` or `x-api-key: KEY`, which is what the
usual API key setting does.")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Make a key and print it
    Add {
        name: String,
        #[arg(long, value_name = "N")]
        requests_per_minute: Option<u32>,
        /// Requests at the same time
        #[arg(long, value_name = "N")]
        concurrent: Option<u32>,
        /// May also say who joins the cluster and who calls, as on the dashboard
        #[arg(long)]
        manage: bool,
    },
    /// List the keys' names and limits
    List {
        #[arg(long)]
        json: bool,
    },
    /// Make a key worthless
    Revoke { name: String },
}

pub fn run(args: Args) -> Result<()> {
    let keys = Keys::at(keys_file(&Store::from_env()?));
    let mut out = std::io::stdout().lock();
    match args.action {
        Action::Add { name, requests_per_minute, concurrent, manage } => {
            let secret = keys.add(&name, KeyLimits { requests_per_minute, concurrent }, manage)?;
            writeln!(out, "{secret}")?;
            eprintln!("This is the only time it is shown. `tandem key revoke {name}` makes it worthless.");
        }
        Action::List { json: true } => {
            let list: Vec<_> = keys
                .list()?
                .iter()
                .map(|key| {
                    json!({
                        "name": key.name, "created_unix_s": key.created_unix_s, "limits": key.limits,
                        "manages": key.manages,
                    })
                })
                .collect();
            writeln!(out, "{:#}", json!(list))?;
        }
        Action::List { json: false } => {
            let mut table = Table::new(&["NAME", ">AGE (DAYS)", ">PER MINUTE", ">AT ONCE", "MANAGES"]);
            let limit = |limit: Option<u32>| limit.map_or_else(|| "any".into(), |limit| limit.to_string());
            for key in keys.list()? {
                let created = SystemTime::UNIX_EPOCH + Duration::from_secs(key.created_unix_s);
                let days = created.elapsed().unwrap_or_default().as_secs() / 86_400;
                let limits = key.limits;
                table.row([
                    key.name,
                    days.to_string(),
                    limit(limits.requests_per_minute),
                    limit(limits.concurrent),
                    if key.manages { "yes" } else { "no" }.into(),
                ]);
            }
            table.print(&mut out)?;
        }
        Action::Revoke { name } => {
            keys.revoke(&name)?;
            writeln!(out, "{name} is revoked")?;
        }
    }
    Ok(())
}
