//! `config.json` as Python writes it.

use serde_json::Value;

/// Parses a `config.json`. Python also writes numbers that JSON has no words for. `Infinity` is read as the object that newer files
/// have for it, `{"__float__": "Infinity"}`, the others as null.
pub fn parse_config(text: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(text).or_else(|error| match without_odd_numbers(text) {
        Some(text) => serde_json::from_slice(&text),
        None => Err(error),
    })
}

/// The text with others in place of such words outside strings; none where there are none.
fn without_odd_numbers(text: &[u8]) -> Option<Vec<u8>> {
    const WORDS: [(&[u8], &[u8]); 3] =
        [(b"-Infinity", b"null"), (b"Infinity", b"{\"__float__\": \"Infinity\"}"), (b"NaN", b"null")];
    let mut out = Vec::with_capacity(text.len());
    let (mut at, mut in_text, mut found) = (0, false, false);
    while at < text.len() {
        match text[at] {
            b'\\' if in_text => {
                out.extend(text[at..].iter().take(2));
                at += 2;
                continue;
            }
            b'"' => in_text = !in_text,
            _ if !in_text => {
                if let Some((word, instead)) = WORDS.iter().find(|(word, _)| text[at..].starts_with(word)) {
                    out.extend(*instead);
                    (at, found) = (at + word.len(), true);
                    continue;
                }
            }
            _ => {}
        }
        out.push(text[at]);
        at += 1;
    }
    found.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_that_json_lacks_are_read() {
        let text =
            br#"{"limit": [0.0, Infinity], "a": -Infinity, "b": NaN, "c": "NaN \"Infinity", "d": "\\"}"#;
        let infinite = json!({"__float__": "Infinity"});
        let expected =
            json!({"limit": [0.0, infinite], "a": null, "b": null, "c": "NaN \"Infinity", "d": "\\"});
        assert_eq!(parse_config(text).unwrap(), expected);
        assert!(parse_config(b"{").is_err());
        assert!(parse_config(b"{\"a\": Infinit}").is_err());
        assert!(parse_config(b"\"\\").is_err());
    }
}
