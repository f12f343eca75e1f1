//! A `tokenizer.json` told in GGUF's terms.
//!
//! GGUF names the rules that cut text into words instead of holding them. Which name is right is found by trying: the
//! rules under which the new vocabulary encodes a text full of odd cases as the old one does.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::HashMap;
use tandem_formats::GgufWriter;
use tandem_text::{GgufVocab, Specials, Tokenizer, TokenizerError, pre_tokenizer_names};

/// What differs between ways of cutting: digits, contractions, scripts, runs of spaces and newlines, punctuation, code.
const PROBE: &str = "\n \n\n \n\n\n \t \t\t \t\n  \n   \n    \n     \nHello, World! I'VE been; you'll see, we're DONE\r\n\
    3 33 333 3333 33333 333333 3.14 1,000,000 ½ ２３ ٣٤\nfn main() { println!(\"{:?}\", x[0]+=1); }  // done\n\
    日本語の文章です。你好，世界！ 한국어 문장 Ünïcödé ñandú straße İstanbul Здравствуйте ภาษาไทย हिन्दी\n\
    🚀🦙👨‍👩‍👧 (normal) 😶‍🌫️ ❤️ 'tis don't o'clock it's_x camelCaseWord HTTPServer x=y*z/2 a@b.c #tag $5 50% ^~`|<>\u{a0}\u{3000}end";

/// Token types of GGUF.
const NORMAL: i32 = 1;
const UNKNOWN: i32 = 2;
const CONTROL: i32 = 3;
const USER_DEFINED: i32 = 4;
const UNUSED: i32 = 5;
const BYTE: i32 = 6;

pub struct Vocabulary {
    model: &'static str,
    pre: Option<&'static str>,
    tokens: Vec<String>,
    types: Vec<i32>,
    scores: Vec<f32>,
    merges: Vec<String>,
    bos: Option<u32>,
    eos: Option<u32>,
    unknown: Option<u32>,
    padding: Option<u32>,
    add_bos: bool,
    add_space_prefix: Option<bool>,
}

impl Vocabulary {
    /// `own` is the tokenizer as the model's folder has it, `rows` how many rows its embedding has.
    pub fn new(json: &str, own: &Tokenizer, rows: usize) -> Result<Vocabulary> {
        let json: Value = serde_json::from_str(json).context("tokenizer.json")?;
        let model = &json["model"];
        let is_unigram = model["vocab"].is_array();
        let is_known =
            model["type"].as_str().is_none_or(|kind| kind == if is_unigram { "Unigram" } else { "BPE" });
        if !is_known || !(is_unigram || model["vocab"].is_object()) {
            bail!("tokenizer.json has a {} model; supported: BPE and Unigram", model["type"]);
        }
        let byte_fallback = model["byte_fallback"] == true;
        let mut vocabulary = Vocabulary {
            model: match (is_unigram, byte_fallback) {
                (true, _) => "t5",
                (false, true) => "llama",
                (false, false) => "gpt2",
            },
            pre: None,
            tokens: Vec::new(),
            types: Vec::new(),
            scores: Vec::new(),
            merges: Vec::new(),
            bos: own.bos(),
            eos: own.eos(),
            unknown: own.unknown(),
            padding: own.padding(),
            add_bos: own.adds_bos(),
            add_space_prefix: None,
        };
        let kind = |text: &str| match byte_fallback
            && text.len() == 6
            && text.starts_with("<0x")
            && text.ends_with('>')
        {
            true => BYTE,
            false => NORMAL,
        };
        for (text, id) in model["vocab"].as_object().into_iter().flatten() {
            vocabulary.put(text, id, kind(text))?;
        }
        for (id, entry) in model["vocab"].as_array().into_iter().flatten().enumerate() {
            let entry = entry[0].as_str().zip(entry[1].as_f64());
            let (text, score) =
                entry.context("tokenizer.json: a token of a Unigram model is no text with a score")?;
            vocabulary.put(text, &id.into(), kind(text))?;
            vocabulary.scores.push(score as f32);
        }
        for token in json["added_tokens"].as_array().into_iter().flatten() {
            let kind = if token["special"] == true { CONTROL } else { USER_DEFINED };
            vocabulary.put(token["content"].as_str().unwrap_or_default(), &token["id"], kind)?;
        }
        let named = model["unk_token"].as_str().and_then(|name| model["vocab"].get(name)?.as_u64());
        if let Some(id) = model["unk_id"].as_u64().filter(|_| is_unigram).or(named) {
            let kind = vocabulary.types.get_mut(id as usize);
            *kind.context("tokenizer.json: the unknown token is none of its tokens")? = UNKNOWN;
            vocabulary.unknown = Some(id as u32);
        }
        let merges = merges(model)?;
        if is_unigram {
            vocabulary.scores.resize(vocabulary.tokens.len(), 0.0);
        } else if byte_fallback {
            vocabulary.scores = scores(&vocabulary.tokens, &merges);
        } else {
            vocabulary.merges = merges.iter().map(|(left, right)| format!("{left} {right}")).collect();
        }
        vocabulary.find_rules(own)?;
        if vocabulary.tokens.len() > rows {
            let tokens = vocabulary.tokens.len();
            bail!(
                "there are {tokens} tokens, but the embedding has {rows} rows; the two are of different models"
            );
        }
        // The embedding may have rows that no text leads to.
        for id in vocabulary.tokens.len()..rows {
            vocabulary.tokens.push(format!("[PAD{id}]"));
            vocabulary.types.push(UNUSED);
            // The lowest score decides what an unknown character costs.
            if is_unigram {
                vocabulary.scores.push(0.0);
            } else if byte_fallback {
                vocabulary.scores.push(-1000.0);
            }
        }
        Ok(vocabulary)
    }

    pub fn write(&self, writer: &mut GgufWriter) -> Result<()> {
        let key = |name: &str| format!("tokenizer.ggml.{name}");
        writer.set(&key("model"), self.model)?;
        writer.set(&key("pre"), self.pre.unwrap_or("default"))?;
        writer.set(&key("tokens"), self.tokens.as_slice())?;
        writer.set(&key("token_type"), self.types.as_slice())?;
        if !self.scores.is_empty() {
            writer.set(&key("scores"), self.scores.as_slice())?;
        }
        if !self.merges.is_empty() {
            writer.set(&key("merges"), self.merges.as_slice())?;
        }
        for (name, id) in [
            ("bos_token_id", self.bos),
            ("eos_token_id", self.eos),
            ("unknown_token_id", self.unknown),
            ("padding_token_id", self.padding),
        ] {
            if let Some(id) = id {
                writer.set(&key(name), id)?;
            }
        }
        writer.set(&key("add_bos_token"), self.add_bos)?;
        if self.model == "t5" {
            // Else it is taken to be wanted.
            writer.set(&key("add_eos_token"), false)?;
        }
        if let Some(add) = self.add_space_prefix {
            writer.set(&key("add_space_prefix"), add)?;
        }
        Ok(())
    }

    fn put(&mut self, text: &str, id: &Value, kind: i32) -> Result<()> {
        // Memory for many more tokens than any model has is not set aside.
        let id = id.as_u64().filter(|&id| id < 1 << 24).context("tokenizer.json: a token without an id")?;
        let id = id as usize;
        while self.tokens.len() <= id {
            self.tokens.push(format!("[PAD{}]", self.tokens.len()));
            self.types.push(UNUSED);
        }
        self.tokens[id] = text.to_owned();
        self.types[id] = kind;
        Ok(())
    }

    /// Finds the rules under which both vocabularies encode alike.
    fn find_rules(&mut self, own: &Tokenizer) -> Result<()> {
        let expected = own.encode(PROBE, Specials::Text);
        if self.model != "gpt2" {
            for prefix in [true, false] {
                self.add_space_prefix = Some(prefix);
                if self.encodes(None, &expected) {
                    return Ok(());
                }
            }
            bail!(
                "the tokenizer cannot be told in GGUF's terms: no SentencePiece rules encode text as it does"
            );
        }
        // The default is a guess for files that name nothing.
        for name in pre_tokenizer_names().skip(1).chain(pre_tokenizer_names().take(1)) {
            if self.encodes(Some(name), &expected) {
                self.pre = Some(name);
                return Ok(());
            }
        }
        bail!(
            "the tokenizer cannot be told in GGUF's terms: none of its named rules cut text as tokenizer.json does \
             (tried {})",
            pre_tokenizer_names().collect::<Vec<_>>().join(", ")
        )
    }

    fn encodes(&self, pre: Option<&str>, expected: &[u32]) -> bool {
        self.tokenizer(pre).is_ok_and(|told| told.encode(PROBE, Specials::Text) == expected)
    }

    /// What a reader of the file will have.
    fn tokenizer(&self, pre: Option<&str>) -> Result<Tokenizer, TokenizerError> {
        let vocab = GgufVocab {
            model: self.model,
            pre,
            tokens: self.tokens.iter().map(|token| token.as_bytes()).collect(),
            scores: self.scores.clone(),
            token_types: self.types.clone(),
            merges: self.merges.iter().map(|merge| merge.as_bytes()).collect(),
            bos: self.bos,
            eos: self.eos,
            unknown: self.unknown,
            padding: self.padding,
            add_bos: Some(self.add_bos),
            add_space_prefix: self.add_space_prefix,
            ..GgufVocab::default()
        };
        Tokenizer::from_gguf(&vocab)
    }
}

/// Written as `"a b"`, or as `["a", "b"]`.
fn merges(model: &Value) -> Result<Vec<(&str, &str)>> {
    let pairs = model["merges"].as_array().into_iter().flatten().map(|merge| match merge {
        Value::String(text) => text.split_once(' '),
        Value::Array(pair) => pair.first()?.as_str().zip(pair.get(1)?.as_str()),
        _ => None,
    });
    pairs.collect::<Option<_>>().context("tokenizer.json: a merge is no pair of strings")
}

/// SentencePiece merges what makes the token of the highest score: the earlier a merge is listed, the higher. What no
/// merge makes comes last.
fn scores(tokens: &[String], merges: &[(&str, &str)]) -> Vec<f32> {
    let mut rank: HashMap<String, usize> = HashMap::new();
    for (at, (left, right)) in merges.iter().enumerate() {
        rank.entry(format!("{left}{right}")).or_insert(at);
    }
    tokens.iter().map(|token| rank.get(token).map_or(-1e6, |&at| -(at as f32) - 1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tandem_text::SpecialNames;

    /// GPT-2's spelling of bytes: printable ones as they are, the rest from U+0100 on.
    fn spelled() -> Vec<String> {
        let printable = |byte: u32| matches!(byte, 33..=126 | 161..=172 | 174..=255);
        let mut next = 0x100;
        let spell = |byte: u32| {
            let code = if printable(byte) {
                byte
            } else {
                next += 1;
                next - 1
            };
            char::from_u32(code).unwrap().to_string()
        };
        (0..256).map(spell).collect()
    }

    #[track_caller]
    fn check(pre_tokenizer: Value, expected: Option<&str>) {
        // Every two bytes that are neighbours in the probe can merge, so that each cut between them shows.
        let mut ids: Vec<String> = spelled();
        let mut merges: Vec<[String; 2]> = Vec::new();
        for pair in PROBE.as_bytes().windows(2) {
            let pair = [ids[pair[0] as usize].clone(), ids[pair[1] as usize].clone()];
            if !merges.contains(&pair) {
                merges.push(pair);
            }
        }
        ids.extend(merges.iter().map(|pair| pair.concat()));
        let last = ids.len();
        let vocab: Value = ids.iter().enumerate().map(|(id, text)| (text.clone(), json!(id))).collect();
        let json = json!({
            "added_tokens": [
                {"id": last, "content": "<|end|>", "special": true},
                {"id": last + 2, "content": "<tool>", "special": false},
            ],
            "pre_tokenizer": pre_tokenizer,
            "decoder": {"type": "ByteLevel"},
            "model": {"type": "BPE", "vocab": vocab, "merges": merges},
        });
        let names = SpecialNames { eos: Some("<|end|>"), ..SpecialNames::default() };
        let own = Tokenizer::from_json(&json.to_string(), names).unwrap();
        let told = Vocabulary::new(&json.to_string(), &own, last + 5);
        let Some(expected) = expected else { return assert!(told.is_err()) };
        let told = told.unwrap();
        assert_eq!((told.model, told.pre), ("gpt2", Some(expected)));
        assert_eq!(told.eos, Some(last as u32));
        assert_eq!(told.tokens.len(), last + 5);
        assert_eq!(told.types[last - 1..], [NORMAL, CONTROL, UNUSED, USER_DEFINED, UNUSED, UNUSED]);
        assert_eq!(told.merges.len(), merges.len());
    }

    /// A vocabulary and ids that the `tokenizers` package made.
    #[test]
    fn a_unigram_vocabulary_gives_the_same_ids() {
        let files = include_str!("../../../../text/tests/goldens/tokenizers.json");
        let files: Value = serde_json::from_str(files).unwrap();
        let ids = include_str!("../../../../text/tests/goldens/json_ids.json");
        // By text, the ids of each variant: with control tokens as text, and parsed.
        type Variant = (Vec<String>, Vec<u32>, Vec<u32>);
        let texts: Vec<(String, Vec<Variant>)> = serde_json::from_str(ids).unwrap();
        let mut json = files["variants"]["unigram"].clone();
        json["model"] = files["models"]["unigram"].clone();
        let names = SpecialNames { eos: Some("</s>"), ..SpecialNames::default() };
        let own = Tokenizer::from_json(&json.to_string(), names).unwrap();
        let tokens = own.token_count();
        let told = Vocabulary::new(&json.to_string(), &own, tokens + 3).unwrap();
        assert_eq!((told.model, told.tokens.len(), told.scores.len()), ("t5", tokens + 3, tokens + 3));
        let tokenizer = told.tokenizer(None).unwrap();
        let (mut checked, mut ties) = (0, 0);
        for (text, outcomes) in &texts {
            let of = outcomes.iter().find(|(names, ..)| names.iter().any(|name| name == "unigram"));
            let Some((_, plain, parsed)) = of else { continue };
            for (specials, expected) in [(Specials::Text, plain), (Specials::Parse, parsed)] {
                let found = tokenizer.encode(text, specials);
                let sorted = |ids: &[u32]| {
                    let mut ids = ids.to_vec();
                    ids.sort_unstable();
                    ids
                };
                // GGUF's scores have half as many bits: between the same tokens in another order, other rounding decides.
                assert_eq!(sorted(&found), sorted(expected), "{text:?}");
                ties += usize::from(found != *expected);
                checked += 1;
            }
        }
        assert!(checked > 50 && ties * 10 < checked, "{ties} ties of {checked}");
        // Words that span spaces would be found in GGUF, and are not here.
        let mut crossing = json.clone();
        crossing["model"]["vocab"].as_array_mut().unwrap().push(json!(["!▁I", -0.1]));
        let own = Tokenizer::from_json(&crossing.to_string(), SpecialNames::default()).unwrap();
        assert!(Vocabulary::new(&crossing.to_string(), &own, tokens + 3).is_err());
    }

    #[test]
    fn rules_are_told_by_what_they_do() {
        let bytes = json!({"type": "ByteLevel", "add_prefix_space": false, "use_regex": true});
        check(bytes.clone(), Some("gpt-2"));
        let digits = json!({"type": "Digits", "individual_digits": true});
        check(json!({"type": "Sequence", "pretokenizers": [digits, bytes]}), Some("smollm"));
        let whole = json!({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false});
        let split = |pattern: &str| {
            let split = json!({"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": false});
            json!({"type": "Sequence", "pretokenizers": [split, whole]})
        };
        let qwen2 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
        check(split(qwen2), Some("qwen2"));
        check(split("[aeiou]+"), None);
    }
}
