//! Times building a tokenizer and encoding a text:
//! `cargo run --release -p tandem-text --example tokenizer_speed -- VOCAB.json TEXT`
//!
//! `VOCAB.json` holds the tokenizer's facts from a GGUF file, as `tests/goldens/make_goldens.py --dump MODEL.gguf`
//! writes them. With `--ids`, TEXT is a JSON list of strings and the ids of each are printed, control tokens as
//! text and then parsed, for comparing with other implementations.

use std::hint::black_box;
use std::time::Instant;
use tandem_text::{GgufVocab, Specials, Tokenizer};

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

fn gguf_vocab(facts: &serde_json::Value) -> GgufVocab<'_> {
    let strings = |key: &str| -> Vec<&[u8]> {
        let list = facts[key].as_array().map(Vec::as_slice).unwrap_or_default();
        list.iter().map(|text| text.as_str().unwrap_or_default().as_bytes()).collect()
    };
    let numbers = |key: &str| facts[key].as_array().map(Vec::as_slice).unwrap_or_default().iter();
    let id = |key: &str| facts[key].as_u64().map(|id| id as u32);
    GgufVocab {
        model: facts["model"].as_str().unwrap_or_default(),
        pre: facts["pre"].as_str(),
        tokens: strings("tokens"),
        scores: numbers("scores").map(|score| score.as_f64().unwrap_or_default() as f32).collect(),
        token_types: numbers("token_type").map(|kind| kind.as_i64().unwrap_or_default() as i32).collect(),
        merges: strings("merges"),
        bos: id("bos_token_id"),
        eos: id("eos_token_id"),
        eot: id("eot_token_id"),
        eom: id("eom_token_id"),
        unknown: id("unknown_token_id"),
        padding: id("padding_token_id"),
        add_bos: facts["add_bos_token"].as_bool(),
        add_eos: facts["add_eos_token"].as_bool(),
        add_space_prefix: facts["add_space_prefix"].as_bool(),
    }
}
