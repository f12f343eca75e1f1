//! Vocabularies in tiktoken's form (Kimi): a line for every token, its bytes in base64 and its rank, which is its id. There are no merges: two
//! neighbours become one where their bytes together are a token, the lowest rank first. That is the same as merging in the order of
//! ranks the two tokens that a token falls into without itself, so such a vocabulary is told as a `tokenizer.json`.

use crate::byte_level::char_of;
use crate::error::TokenizerError;
use crate::pre_tokenizers::KIMI;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The `tokenizer.json` of a `tiktoken.model`; `config` is the `tokenizer_config.json` beside it, which names the control tokens.
pub fn tiktoken_json(ranks: &[u8], config: &Value) -> Result<String, TokenizerError> {
    let broken = |line: usize, what: &str| {
        TokenizerError::Inconsistent(format!("tiktoken.model, line {}: {what}", line + 1))
    };
    let mut tokens: Vec<Vec<u8>> = Vec::new();
    for (number, line) in ranks.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let mut parts = line.split(|byte| *byte == b' ');
        let bytes = parts.next().and_then(decode_base64).filter(|bytes| !bytes.is_empty());
        let bytes = bytes.ok_or_else(|| broken(number, "expected a token in base64"))?;
        let rank = parts.next().and_then(|rank| std::str::from_utf8(rank).ok()?.parse::<usize>().ok());
        if rank != Some(tokens.len()) {
            return Err(broken(number, "expected the rank after that of the line before"));
        }
        tokens.push(bytes);
    }
    let by_bytes: HashMap<&[u8], usize> =
        tokens.iter().enumerate().map(|(rank, bytes)| (bytes.as_slice(), rank)).collect();
    let told = |bytes: &[u8]| bytes.iter().map(|byte| char_of(*byte)).collect::<String>();
    let mut merges = Vec::new();
    for (rank, bytes) in tokens.iter().enumerate() {
        if let Some((left, right)) = halves(bytes, rank, &by_bytes) {
            merges.push(json!([told(left), told(right)]));
        }
    }
    let vocab: serde_json::Map<String, Value> =
        tokens.iter().enumerate().map(|(rank, bytes)| (told(bytes), rank.into())).collect();
    let added = config.get("added_tokens_decoder").and_then(Value::as_object);
    let mut added: Vec<Value> = added.into_iter().flatten().filter_map(added_token).collect();
    added.sort_by_key(|token| token["id"].as_u64());
    let file = json!({
        "added_tokens": added,
        "normalizer": null,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": KIMI}, "behavior": "Isolated", "invert": false},
            {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false},
        ]},
        "post_processor": null,
        "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
        // A word that is a token is one, whatever its parts.
        "model": {"type": "BPE", "vocab": vocab, "merges": merges, "ignore_merges": true},
    });
    Ok(file.to_string())
}

fn added_token((id, token): (&String, &Value)) -> Option<Value> {
    let id: u64 = id.parse().ok()?;
    let content = token.get("content")?.as_str()?;
    let special = token.get("special").and_then(Value::as_bool).unwrap_or(true);
    Some(json!({
        "id": id, "content": content, "special": special,
        "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
    }))
}

/// The two tokens that are left of `bytes` once all those of lower ranks are made; none where it is a byte, or cannot be made at all.
fn halves<'b>(bytes: &'b [u8], rank: usize, ranks: &HashMap<&[u8], usize>) -> Option<(&'b [u8], &'b [u8])> {
    /// Longer ones would take too long, and none is.
    const MOST: usize = 1024;
    if bytes.len() > MOST {
        return None;
    }
    let mut starts: Vec<usize> = (0..=bytes.len()).collect();
    loop {
        let pairs = starts.windows(3).enumerate();
        let lowest = pairs
            .filter_map(|(at, ends)| Some((*ranks.get(&bytes[ends[0]..ends[2]])?, at + 1)))
            .filter(|(found, _)| *found < rank)
            .min();
        let Some((_, at)) = lowest else { break };
        starts.remove(at);
    }
    match starts[..] {
        [_, middle, _] => Some(bytes.split_at(middle)),
        _ => None,
    }
}

fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.trim_ascii_end();
    let digits = digits.strip_suffix(b"==").or_else(|| digits.strip_suffix(b"=")).unwrap_or(digits);
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    let (mut bits, mut count) = (0u32, 0);
    for digit in digits {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        (bits, count) = (bits << 6 | u32::from(value), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_vocabulary_is_named() {
        let check = |text: &str, expected: &str| {
            let error = tiktoken_json(text.as_bytes(), &Value::Null).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("IQ== 0\n!! 1\n", "line 2: expected a token in base64");
        check("IQ== 0\nIg== 2\n", "line 2: expected the rank after that of the line before");
        check("IQ==\n", "line 1: expected the rank");
        check(" 0\n", "line 1: expected");
    }
}
