//! `tandem perplexity`: how well a model predicts a text; for comparing quantisations and engines.

use super::run::{LoadArgs, load};
use crate::locate;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use tandem_text::Specials;

/// Tokens that are predicted with what came before them in the same chunk.
const CHUNK: usize = 512;

/// Measure how well a model predicts a text
///
/// The text, after the token that begins one where the model wants it, is cut into chunks of 512 tokens. Each is
/// predicted on its own, and every token but a chunk's first counts.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem perplexity --model model.gguf --text book.txt
  tandem perplexity --model model.gguf --text book.txt --json")]
pub struct Args {
    #[arg(long)]
    model: OsString,
    /// UTF-8 text
    #[arg(long, value_name = "FILE")]
    text: PathBuf,
    /// Stop after this many chunks
    #[arg(long, value_name = "N")]
    chunks: Option<usize>,
    #[command(flatten)]
    load: LoadArgs,
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let text = std::fs::read_to_string(&args.text)
        .with_context(|| format!("cannot read {}", args.text.display()))?;
    let located = locate::on_this_machine(&locate::parse(Some(&args.model))?)?;
    let mut options = args.load.options();
    options.context.get_or_insert(2 * CHUNK);
    let model = load(&located.path, &options, args.load.nodes())?;
    let tokens = model.tokenizer().encode_with_bos(&text, Specials::Text);
    let (mut counted, mut nll) = (0usize, 0.0f64);
    let chunks = tokens.chunks(CHUNK).filter(|chunk| chunk.len() > 1);
    for chunk in chunks.take(args.chunks.unwrap_or(usize::MAX)) {
        let scores = model.score(chunk.to_vec())?;
        counted += scores.len();
        nll -= scores.iter().map(|&score| f64::from(score)).sum::<f64>();
    }
    if counted == 0 {
        bail!("{} has {} tokens; at least 2 are needed", args.text.display(), tokens.len());
    }
    let ppl = (nll / counted as f64).exp();
    let mut out = std::io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", json!({ "tokens": counted, "nll": nll, "ppl": ppl }))?,
        false => writeln!(out, "perplexity {ppl:.4} over {counted} tokens")?,
    }
    Ok(())
}
