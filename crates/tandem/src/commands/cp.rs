//! `tandem cp`: files and folders of another node, over the fastest link to it.

use crate::display;
use crate::failure::Advised;
use crate::progress::NodePullProgress;
use anyhow::Result;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use tandem_hub::Store;
use tandem_node::control::{Order, order_with_progress};

/// Copy a file or a folder from another node
///
/// Verified on arrival, over the fastest link between the two; what was interrupted goes on where it stopped when the same command is
/// given again. A node lets the members of its cluster read what lies below `shared` in its TANDEM_HOME, if its owner made that (a folder,
/// or a link to one), and nothing else. Needs a node running on this machine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem cp desk:datasets/wiki .                  a folder, into this one
  tandem cp desk:models/a.gguf /data/b.gguf       a file, under another name

On the node that shares:
  ln -s /data ~/.local/share/tandem/shared        members may read what is below /data")]
pub struct Args {
    /// The node's name, and a path below what it shares
    #[arg(value_name = "NODE:PATH")]
    from: String,
    /// Where to: a name, or a folder to put it in
    to: PathBuf,
    /// Print what was copied as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let Some((node, path)) = args.from.split_once(':').filter(|(node, _)| !node.is_empty()) else {
        return Err(Advised::new(
            format!("found `{}`, expected NODE:PATH", args.from),
            "`tandem nodes` lists the nodes; files are copied from another node to this one",
        )
        .into());
    };
    let order = Order::Copy {
        node: node.to_owned(),
        path: path.trim_end_matches('/').to_owned(),
        to: std::path::absolute(&args.to)?,
    };
    let mut shown = NodePullProgress::default();
    let started = Instant::now();
    let copied = order_with_progress(Store::from_env()?.home(), &order, |news| {
        let number = |name: &str| news[name].as_u64().unwrap_or(0);
        if number("total_bytes") > 0 {
            shown.file(&args.from, number("total_bytes"), number("have_bytes"));
        }
    });
    drop(shown);
    let copied = copied?;
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{copied:#}")?;
        return Ok(());
    }
    let (files, bytes) = (copied["files"].as_u64().unwrap_or(0), copied["bytes"].as_u64().unwrap_or(0));
    let rate = bytes as f64 / started.elapsed().as_secs_f64().max(1e-3);
    let (size, rate) = (display::bytes(bytes), display::bytes(rate as u64));
    let what = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
    writeln!(out, "{what}, {size} at {rate}/s, verified: {}", copied["to"].as_str().unwrap_or_default())?;
    Ok(())
}
