//! Times building a tokenizer and encoding a text:
//! `cargo run --release -p tandem-text --example tokenizer_speed -- VOCAB.json TEXT`
//!
//! `VOCAB.json` holds the tokenizer's facts from a GGUF file, as `tests/goldens/make_goldens.py --dump MODEL.gguf`
//! writes them. With `--ids`, TEXT is a JSON list of strings and the ids of each are printed, control tokens as
//! text and then parsed, for comparing with other implementations.

#[path = "../tests/facts/mod.rs"]
mod facts;

use facts::gguf_vocab;
use std::hint::black_box;
use std::time::Instant;
use tandem_text::{Specials, Tokenizer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [vocab_path, text_path, rest @ ..] = arguments.as_slice() else {
        return Err("usage: tokenizer_speed VOCAB.json TEXT [--ids]".into());
    };
    let facts: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(vocab_path)?)?;
    let vocab = gguf_vocab(&facts);
    let text = std::fs::read_to_string(text_path)?;

    let started = Instant::now();
    let tokenizer = Tokenizer::from_gguf(&vocab)?;
    let build_ms = started.elapsed().as_secs_f64() * 1e3;
    for warning in tokenizer.warnings() {
        eprintln!("warning: {warning}");
    }
    if rest.iter().any(|flag| flag == "--ids") {
        let texts: Vec<String> = serde_json::from_str(&text)?;
        for text in &texts {
            let plain = tokenizer.encode(text, Specials::Text);
            let parsed = tokenizer.encode(text, Specials::Parse);
            println!("{}", serde_json::json!([plain, parsed]));
        }
        return Ok(());
    }
    let started = Instant::now();
    black_box(tokenizer.encode("Why is the sky blue?", Specials::Text));
    let first_us = started.elapsed().as_secs_f64() * 1e6;
    let mut best_s = f64::INFINITY;
    let mut ids = Vec::new();
    for _ in 0..5 {
        let started = Instant::now();
        ids = tokenizer.encode(&text, Specials::Text);
        best_s = best_s.min(started.elapsed().as_secs_f64());
    }
    let started = Instant::now();
    let decoded = tokenizer.decode(&ids);
    let decode_s = started.elapsed().as_secs_f64();
    let mb = text.len() as f64 / 1e6;
    println!(
        "build {build_ms:.2} ms, first encode {first_us:.0} us, encode {:.1} MB/s ({} tokens), decode {:.1} MB/s, round trip {}",
        mb / best_s,
        ids.len(),
        mb / decode_s,
        if decoded == text { "exact" } else { "differs" },
    );
    Ok(())
}
