//! Token ids equal those of llama.cpp and of Hugging Face's tokenizers. Made by `goldens/make_goldens.py`.

mod facts;

use facts::gguf_vocab;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use tandem_text::{Detokenizer, GgufVocab, SpecialNames, Specials, Tokenizer, tiktoken_json};

#[test]
fn gguf_vocabularies_encode_like_llama_cpp() {
    let vocabs: Value = serde_json::from_str(include_str!("goldens/gguf_vocabs.json")).unwrap();
    let tokenizer = |name: &str| {
        let vocab = match name {
            "llama" => gguf_vocab(&vocabs["sentence_piece"]),
            "llama no prefix" => {
                GgufVocab { add_space_prefix: Some(false), ..gguf_vocab(&vocabs["sentence_piece"]) }
            }
            pre => GgufVocab { pre: Some(pre), ..gguf_vocab(&vocabs["byte_level"]) },
        };
        let tokenizer = Tokenizer::from_gguf(&vocab).unwrap();
        assert_eq!(tokenizer.warnings(), [], "{name}");
        tokenizer
    };
    check_ids(include_str!("goldens/gguf_ids.json"), tokenizer);
}

#[test]
fn tokenizer_json_encodes_like_tokenizers() {
    let files = Files::read();
    check_ids(include_str!("goldens/json_ids.json"), |name| files.tokenizer(name));
}

#[test]
fn tokenizer_json_decodes_like_tokenizers() {
    let files = Files::read();
    let texts = golden_ids(include_str!("goldens/json_ids.json"));
    for (name, differing) in files.json["decoded"].as_object().unwrap() {
        let tokenizer = files.tokenizer(name);
        for (number, (text, outcomes)) in texts.iter().enumerate() {
            let Some((_, ids, _)) = outcomes.iter().find(|(names, ..)| names.contains(name)) else {
                continue;
            };
            let expected =
                differing.get(number.to_string()).map_or(text.as_str(), |text| text.as_str().unwrap());
            assert_eq!(tokenizer.decode(ids), expected, "{name}: {text:?}");
        }
    }
}

#[test]
fn a_stream_of_tokens_is_the_text_in_whole_characters() {
    let vocabs: Value = serde_json::from_str(include_str!("goldens/gguf_vocabs.json")).unwrap();
    let byte_level = GgufVocab { pre: Some("llama-bpe"), ..gguf_vocab(&vocabs["byte_level"]) };
    for vocab in [byte_level, gguf_vocab(&vocabs["sentence_piece"])] {
        let tokenizer = Tokenizer::from_gguf(&vocab).unwrap();
        // SentencePiece cannot tell its visible space from one in the text.
        let texts = golden_ids(include_str!("goldens/gguf_ids.json")).into_iter().map(|(text, _)| text);
        for text in texts.filter(|text| !text.contains('▁') || vocab.model == "gpt2") {
            let ids = tokenizer.encode(&text, Specials::Text);
            let mut detokenizer = Detokenizer::new(&tokenizer);
            let mut streamed = String::new();
            for &id in &ids {
                streamed.push_str(detokenizer.push(id));
                assert!(text.starts_with(&streamed), "{streamed:?} of {text:?}");
            }
            streamed.push_str(detokenizer.finish());
            assert_eq!(streamed, text);
            assert_eq!(tokenizer.decode(&ids), text);
        }
    }
}

#[test]
fn the_post_processor_adds_bos() {
    let files = Files::read();
    for (name, variant) in files.json["variants"].as_object().unwrap() {
        let tokenizer = files.tokenizer(name);
        let before: Vec<u32> = serde_json::from_value(variant["before"].clone()).unwrap();
        let ids = tokenizer.encode_with_bos("a", Specials::Text);
        assert_eq!(ids, [before.clone(), tokenizer.encode("a", Specials::Text)].concat(), "{name}");
        assert_eq!(tokenizer.adds_bos(), !before.is_empty(), "{name}");
    }
}

struct Files {
    json: Value,
}

impl Files {
    fn read() -> Files {
        Files { json: serde_json::from_str(include_str!("goldens/tokenizers.json")).unwrap() }
    }

    /// Puts the `tokenizer.json` of a variant together from its pipeline and its model.
    fn tokenizer(&self, name: &str) -> Tokenizer {
        let variant = self.json["variants"][name].as_object().unwrap();
        let mut model = self.json["models"][variant["model"].as_str().unwrap()].clone();
        let flags = variant.get("flags").and_then(Value::as_object).cloned().unwrap_or(Map::new());
        model.as_object_mut().unwrap().extend(flags);
        let mut file = variant.clone();
        file.insert("model".into(), model);
        let names = SpecialNames { eos: Some("</s>"), ..SpecialNames::default() };
        let tokenizer = Tokenizer::from_json(&json!(file).to_string(), names).unwrap();
        assert_eq!(tokenizer.warnings(), [], "{name}");
        tokenizer
    }
}

/// By text, the ids of each variant: with control tokens as text, and parsed.
type Golden = Vec<(String, Vec<(Vec<String>, Vec<u32>, Vec<u32>)>)>;

fn golden_ids(golden: &str) -> Golden {
    serde_json::from_str(golden).unwrap()
}

fn check_ids(golden: &str, tokenizer: impl Fn(&str) -> Tokenizer) {
    let mut tokenizers = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (text, outcomes) in golden_ids(golden) {
        for (names, plain, parsed) in outcomes {
            for name in names {
                let tokenizer = tokenizers.entry(name.clone()).or_insert_with(|| tokenizer(&name));
                for (specials, expected) in [(Specials::Text, &plain), (Specials::Parse, &parsed)] {
                    let ids = tokenizer.encode(&text, specials);
                    checked += 1;
                    if ids != *expected {
                        let at = ids.iter().zip(expected).take_while(|(ours, theirs)| ours == theirs).count();
                        let show = |ids: &[u32]| -> Vec<String> {
                            let ids = &ids[at.saturating_sub(2).min(ids.len())..ids.len().min(at + 4)];
                            ids.iter()
                                .map(|&id| format!("{id}={}", String::from_utf8_lossy(&tokenizer.piece(id))))
                                .collect()
                        };
                        let short: String = text.chars().take(60).collect();
                        wrong.push(format!(
                            "{name}, {specials:?}, {short:?} at {at}:\n  ours {:?}\n  theirs {:?}",
                            show(&ids),
                            show(expected)
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {checked} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Made by `goldens/make_tiktoken.py`.
#[test]
fn tiktoken_vocabularies_encode_like_tiktoken() {
    let golden: Value = serde_json::from_str(include_str!("goldens/tiktoken.json")).unwrap();
    let special = golden["special"].as_object().unwrap();
    let added: Map<String, Value> = special
        .iter()
        .map(|(name, id)| (id.to_string(), json!({"content": name, "special": true})))
        .collect();
    let config = json!({"added_tokens_decoder": added});
    let file = tiktoken_json(golden["model"].as_str().unwrap().as_bytes(), &config).unwrap();
    let names = SpecialNames { bos: Some("[BOS]"), eos: Some("<|im_end|>"), ..SpecialNames::default() };
    let tokenizer = Tokenizer::from_json(&file, names).unwrap();
    assert_eq!(tokenizer.warnings(), []);
    assert_eq!(tokenizer.bos(), special["[BOS]"].as_u64().map(|id| id as u32));
    for case in golden["cases"].as_array().unwrap() {
        let text = case[0].as_str().unwrap();
        let expected: Vec<u32> =
            case[1].as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect();
        assert_eq!(tokenizer.encode(text, Specials::Text), expected, "{text:?}");
        assert_eq!(tokenizer.decode(&expected), text);
    }
}
