//! `tandem token`: lets another machine join the cluster.

use crate::display::Table;
use anyhow::Result;
use serde_json::json;
use std::io::Write;
use tandem_hub::Store;
use tandem_node::JoinToken;
use tandem_node::control::{Order, order};

/// Make, list and revoke join tokens
///
/// A token lets as many nodes join as it says, until it expires. Needs a node running on this machine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem token                        a token for one node, good for an hour
  tandem token --uses 5 --hours 24    … for five, good for a day
  tandem token --json
  tandem token list
  tandem token revoke 1f2e3d4c5b6a7988
  tandem token --new --at node-0      … of a cluster that is yet to be founded, with no node running

On the other machine:
  tandem up --join TOKEN

Where a machine starts the nodes: `tandem up --found TOKEN` on the first, with a token made by --new.")]
pub struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    /// How many nodes may join with it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    uses: u32,
    /// How long it is good for
    #[arg(long, value_name = "H", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8760))]
    hours: u32,
    /// For a cluster that `tandem up --found TOKEN` will found: good until it is revoked there, and needs no node
    #[arg(long, conflicts_with_all = ["uses", "hours"])]
    new: bool,
    /// Where the first node will be reached; can be given several times
    #[arg(long, value_name = "HOST[:PORT]", requires = "new")]
    at: Vec<String>,
    /// Print the token and its id as JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Action {
    /// List tokens by their ids
    List {
        #[arg(long)]
        json: bool,
    },
    /// Make a token worthless
    Revoke { id: String },
}

pub fn run(args: Args) -> Result<()> {
    let store = Store::from_env()?;
    let mut out = std::io::stdout().lock();
    match args.action {
        None if args.new => {
            let port = |host: String| match host.rsplit_once(':') {
                Some((name, port)) if !name.contains(':') && port.parse::<u16>().is_ok() => host,
                _ => format!("{host}:{}", tandem_node::DEFAULT_PORT),
            };
            let token = JoinToken::of_new_cluster(args.at.into_iter().map(port).collect())?;
            match args.json {
                true => writeln!(out, "{:#}", json!({ "token": token.to_string(), "id": token.id() }))?,
                false => writeln!(out, "{token}")?,
            }
        }
        None => {
            let wanted = Order::Token { lasting_s: u64::from(args.hours) * 3600, uses: args.uses };
            let made = order(store.home(), &wanted)?;
            if args.json {
                writeln!(out, "{made:#}")?;
                return Ok(());
            }
            writeln!(out, "{}", made["token"].as_str().unwrap_or_default())?;
            eprintln!(
                "On the other machine: tandem up --join TOKEN. Whoever has the token can join until it is used up."
            );
        }
        Some(Action::List { json }) => {
            let listed = order(store.home(), &Order::Tokens)?;
            if json {
                writeln!(out, "{:#}", listed["tokens"])?;
                return Ok(());
            }
            let mut table = Table::new(&["ID", ">USED", ">OF", "STATE"]);
            let now = std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .unwrap_or_default()
                .as_millis() as u64;
            for token in listed["tokens"].as_array().into_iter().flatten() {
                let state = match (token["revoked"].as_bool(), token["expires_unix_ms"].as_u64()) {
                    (Some(true), _) => "revoked".to_owned(),
                    (_, Some(expires)) if expires <= now => "expired".to_owned(),
                    (_, Some(expires)) => format!("good for {} min", (expires - now) / 60_000),
                    _ => String::new(),
                };
                let text = |name: &str| token[name].to_string();
                table.row([
                    token["id"].as_str().unwrap_or_default().to_owned(),
                    text("used"),
                    text("uses_max"),
                    state,
                ]);
            }
            table.print(&mut out)?;
        }
        Some(Action::Revoke { id }) => {
            order(store.home(), &Order::Revoke { id: id.clone() })?;
            writeln!(out, "{id} is revoked")?;
        }
    }
    Ok(())
}
