//! Broken and hostile descriptions give errors; arbitrary text comes back as it went in.

mod facts;

use facts::gguf_vocab;
use serde_json::{Value, json};
use tandem_text::{
    ChatRequest, ChatTemplate, ChatTemplateError, Detokenizer, GgufVocab, Message, Role, SpecialNames,
    Specials, StopMatcher, Tokenizer, TokenizerError, TokenizerWarning,
};

/// A small generator of pseudo-random numbers, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    fn text(&mut self, length_max: usize) -> String {
        const ALPHABETS: [&str; 6] = [
            " \t\n\r\u{a0}\u{3000}",
            "abzABZ'sl<|>_im",
            "019²Ⅷ",
            "éßЖяΩ日本語กา",
            "👩‍🔥🏽\u{301}\u{fe0f}",
            "\0\u{7f}\u{85}\u{fdd0}\u{10ffff}▁Ġ",
        ];
        let length = self.below(length_max);
        let mut alphabet = ALPHABETS[0];
        (0..length)
            .map(|_| {
                if self.below(4) == 0 {
                    alphabet = ALPHABETS[self.below(ALPHABETS.len())];
                }
                let count = alphabet.chars().count();
                match self.below(12) {
                    0 => char::from_u32(self.below(0x11_0000) as u32).unwrap_or('\u{fffd}'),
                    _ => alphabet.chars().nth(self.below(count)).unwrap(),
                }
            })
            .collect()
    }
}

fn vocabs() -> Value {
    serde_json::from_str(include_str!("goldens/gguf_vocabs.json")).unwrap()
}

#[test]
fn arbitrary_text_comes_back_whole_and_streamed() {
    let vocabs = vocabs();
    let mut random = Random(0x5eed);
    for pre in [
        "default",
        "smollm",
        "llama-bpe",
        "deepseek-llm",
        "deepseek-v3",
        "gpt-4o",
        "kimi-k2",
        "tekken",
        "superbpe",
        "tiny_aya",
    ] {
        let tokenizer =
            Tokenizer::from_gguf(&GgufVocab { pre: Some(pre), ..gguf_vocab(&vocabs["byte_level"]) }).unwrap();
        for _ in 0..150 {
            let text = random.text(200);
            let ids = tokenizer.encode(&text, Specials::Text);
            assert_eq!(tokenizer.decode(&ids), text, "{pre}");
            tokenizer.encode(&text, Specials::Parse);
        }
        // Any ids at all, in a stream and at once.
        for _ in 0..150 {
            let ids: Vec<u32> = (0..40).map(|_| random.below(tokenizer.token_count() + 3) as u32).collect();
            let mut detokenizer = Detokenizer::new(&tokenizer);
            let mut streamed: String = ids.iter().map(|&id| detokenizer.push(id).to_owned()).collect();
            streamed.push_str(detokenizer.finish());
            assert_eq!(streamed, tokenizer.decode(&ids));
        }
    }
    let spm = Tokenizer::from_gguf(&gguf_vocab(&vocabs["sentence_piece"])).unwrap();
    for _ in 0..300 {
        let text = random.text(200).replace('▁', "_");
        let ids = spm.encode(&text, Specials::Text);
        assert_eq!(spm.decode(&ids).replace("<tool>", ""), text.replace("<tool>", ""));
    }
}

#[test]
fn long_words_take_no_quadratic_time() {
    let vocabs = vocabs();
    let length = 100_000;
    let texts = ["a", "ab", " ", "\n", "1", "日", "!", "é", "A", "\u{301}", "aA", " \t", "<|im_"]
        .map(|unit| unit.repeat(length / unit.len()));
    let mixed = [
        " ".repeat(length) + "1",
        "1".to_owned() + &" ".repeat(length) + "\u{4e00}",
        "'".repeat(length) + "s",
    ];
    let names = ["smollm", "llama-bpe", "gpt-4o", "deepseek-llm"];
    for pre in names {
        let tokenizer =
            Tokenizer::from_gguf(&GgufVocab { pre: Some(pre), ..gguf_vocab(&vocabs["byte_level"]) }).unwrap();
        for text in texts.iter().chain(&mixed) {
            let ids = tokenizer.encode(text, Specials::Parse);
            assert!(tokenizer.decode(&ids) == *text, "{pre}: {:?}", text.chars().next());
        }
    }
    let spm = Tokenizer::from_gguf(&gguf_vocab(&vocabs["sentence_piece"])).unwrap();
    for text in texts.iter().chain(&mixed) {
        assert!(spm.decode(&spm.encode(text, Specials::Parse)) == *text, "{:?}", text.chars().next());
    }
}

#[test]
fn broken_gguf_vocabularies_are_refused() {
    let tokens: Vec<&[u8]> = vec![b"a", b"b", b"ab", b"<s>"];
    let good =
        GgufVocab { model: "gpt2", pre: Some("gpt-2"), tokens, merges: vec![b"a b"], ..GgufVocab::default() };
    let tokenizer = Tokenizer::from_gguf(&good).unwrap();
    assert_eq!(tokenizer.encode("ab?a", Specials::Text), [2, 0]);

    let error = |vocab: GgufVocab| Tokenizer::from_gguf(&vocab).unwrap_err().to_string();
    let good = || good.clone();
    for (vocab, expected) in [
        (GgufVocab { model: "rwkv", ..good() }, "\"rwkv\" is not supported"),
        (GgufVocab { tokens: vec![], ..good() }, "vocabulary is empty"),
        (GgufVocab { tokens: vec![b"a", b"b", b"a"], ..good() }, "tokens 0 and 2 have the same text \"a\""),
        (GgufVocab { bos: Some(4), ..good() }, "bos_token_id is token 4, but there are only 4"),
        (GgufVocab { eot: Some(u32::MAX), ..good() }, "eot_token_id is token 4294967295"),
        (GgufVocab { token_types: vec![1], ..good() }, "token_type has 1 entries for 4 tokens"),
        (GgufVocab { scores: vec![0.0; 9], ..good() }, "scores has 9 entries for 4 tokens"),
        (GgufVocab { model: "llama", ..good() }, "needs tokenizer.ggml.scores"),
    ] {
        let message = error(vocab);
        assert!(message.contains(expected), "{message}");
    }
    let warnings = |vocab: GgufVocab| Tokenizer::from_gguf(&vocab).unwrap().warnings().to_vec();
    let unknown = warnings(GgufVocab { pre: Some("martian"), ..good() });
    assert_eq!(unknown, [TokenizerWarning::UnknownPreTokenizer { found: "martian".into() }]);
    assert_eq!(warnings(GgufVocab { pre: None, ..good() }), [TokenizerWarning::NoPreTokenizer]);
    // Merges that go in circles, name nothing, or are none at all.
    let merges: Vec<&[u8]> = vec![b"ab a", b"a", b"", b" ", b"a b", b"a b", b"\xff \xfe", b"b a"];
    let odd = warnings(GgufVocab { merges, ..good() });
    assert!(matches!(&odd[..], [TokenizerWarning::MergesIgnored { count: 6, .. }]), "{odd:?}");
}

#[test]
fn random_gguf_vocabularies_never_panic() {
    let mut random = Random(77);
    for round in 0..400 {
        let mut pool: Vec<Vec<u8>> = (0..60)
            .map(|_| match random.below(5) {
                0 => (0..random.below(6)).map(|_| random.below(256) as u8).collect(),
                1 => format!("<0x{:02X}>", random.below(300)).into_bytes(),
                2 => b"<|im_end|>"[..random.below(11)].to_vec(),
                _ => random.text(6).into_bytes(),
            })
            .collect();
        pool.sort();
        pool.dedup();
        let tokens: Vec<&[u8]> = pool.iter().map(Vec::as_slice).collect();
        let merge_texts: Vec<Vec<u8>> = (0..40)
            .map(|_| [tokens[random.below(tokens.len())], b" ", tokens[random.below(tokens.len())]].concat())
            .collect();
        let vocab = GgufVocab {
            model: if round % 2 == 0 { "gpt2" } else { "llama" },
            pre: Some("llama-bpe"),
            scores: (0..tokens.len())
                .map(|_| f32::from_bits(random.below(u32::MAX as usize) as u32))
                .collect(),
            token_types: (0..tokens.len()).map(|_| random.below(9) as i32 - 1).collect(),
            merges: if random.below(4) == 0 {
                vec![]
            } else {
                merge_texts.iter().map(Vec::as_slice).collect()
            },
            bos: Some(random.below(70) as u32),
            add_space_prefix: Some(random.below(2) == 0),
            tokens,
            ..GgufVocab::default()
        };
        if let Ok(tokenizer) = Tokenizer::from_gguf(&vocab) {
            for _ in 0..5 {
                let ids = tokenizer.encode_with_bos(&random.text(80), Specials::Parse);
                assert!(ids.iter().all(|&id| (id as usize) < tokenizer.token_count()));
                tokenizer.decode(&ids);
            }
        }
    }
}

fn minimal_json() -> Value {
    json!({
        "added_tokens": [{"id": 3, "content": "<s>", "special": true}],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]},
    })
}

#[test]
fn broken_tokenizer_json_is_refused_by_name() {
    let build = |json: &Value| Tokenizer::from_json(&json.to_string(), SpecialNames::default());
    assert_eq!(build(&minimal_json()).unwrap().encode("<s>ab a", Specials::Parse), [3, 2, 0]);
    for (pointer, value, expected) in [
        ("/model/type", json!("WordPiece"), "model \"WordPiece\" is not supported"),
        ("/model/vocab", json!({"a": 0, "b": 0}), "\"a\" and \"b\" have the same id 0"),
        ("/model/vocab", json!({"a": 4_000_000_000u32}), "is token 4000000000"),
        ("/model/vocab", json!({"a": -1}), "invalid value"),
        ("/model/vocab", json!("a"), "a vocabulary"),
        ("/model/merges", json!([["a", "b", "c"]]), "more than two"),
        ("/model/merges", json!(["ab"]), "no merge"),
        ("/added_tokens/0/id", json!(4_294_967_295u32), "4294967295"),
        ("/pre_tokenizer", json!({"type": "UnicodeScripts"}), "pre-tokenizer \"UnicodeScripts\""),
        ("/pre_tokenizer", json!({"kind": 1}), "\"type\" is missing"),
        (
            "/pre_tokenizer",
            json!({"type": "Split", "pattern": {"Regex": "(a"}, "behavior": "Isolated"}),
            "not closed",
        ),
        (
            "/pre_tokenizer",
            json!({"type": "Sequence", "pretokenizers": [{"type": "ByteLevel"}, {"type": "Digits"}]}),
            "after ByteLevel",
        ),
        ("/decoder", json!({"type": "WordPiece"}), ""),
    ] {
        let mut json = minimal_json();
        *json.pointer_mut(pointer).unwrap() = value;
        match build(&json) {
            Ok(_) => assert_eq!(expected, "", "{pointer}"),
            Err(error) => assert!(error.to_string().contains(expected), "{pointer}: {error}"),
        }
    }
    for (key, value, expected) in [
        (
            "normalizer",
            json!({"type": "Precompiled", "precompiled_charsmap": ""}),
            "normalizer \"Precompiled\"",
        ),
        ("post_processor", json!({"type": "Magic"}), "post-processor \"Magic\""),
        (
            "post_processor",
            json!({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<x>"}}]}),
            "<x>",
        ),
    ] {
        let mut json = minimal_json();
        json[key] = value;
        let error = build(&json).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert!(matches!(Tokenizer::from_json("{", SpecialNames::default()), Err(TokenizerError::Json(_))));
    let deep = "[".repeat(100_000);
    assert!(Tokenizer::from_json(&deep, SpecialNames::default()).is_err());
}

#[test]
fn mutated_tokenizer_json_never_panics() {
    let files: Value = serde_json::from_str(include_str!("goldens/tokenizers.json")).unwrap();
    let mut random = Random(4242);
    let mut base = minimal_json();
    base["normalizer"] = files["variants"]["lowercase"]["normalizer"].clone();
    base["pre_tokenizer"] = files["variants"]["lowercase"]["pre_tokenizer"].clone();
    base["post_processor"] = files["variants"]["llama3"]["post_processor"].clone();
    let text = base.to_string();
    for _ in 0..3_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = b"{}[],:\"\\0919aA|*+?()"[random.below(20)],
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"0123[]{}\"|*(?"[random.below(13)]),
                _ => bytes.truncate(at.max(bytes.len() / 2)),
            }
        }
        if let Ok(tokenizer) = Tokenizer::from_json(&String::from_utf8_lossy(&bytes), SpecialNames::default())
        {
            let ids = tokenizer.encode_with_bos(&random.text(60), Specials::Parse);
            tokenizer.decode(&ids);
        }
    }
}

#[test]
fn bad_templates_give_errors() {
    let messages = [Message::new(Role::User, "hello")];
    let request = ChatRequest { messages: &messages, add_generation_prompt: true, ..Default::default() };
    let fail = |source: &str| match ChatTemplate::new(source, None, None) {
        Ok(template) => template.render(&request).unwrap_err(),
        Err(error) => error,
    };
    assert!(matches!(fail("a\n{% if %}"), ChatTemplateError::Syntax { line: 2, .. }));
    assert!(matches!(fail("{{ 'open"), ChatTemplateError::Syntax { .. }));
    assert!(matches!(fail("\n\n{{ missing.attribute }}"), ChatTemplateError::Failed { line: 3, .. }));
    assert!(matches!(
        fail("{{ messages | no_such_filter }}"),
        ChatTemplateError::Failed { .. } | ChatTemplateError::Syntax { .. }
    ));
    assert_eq!(
        fail("{{ raise_exception('no ' ~ messages[0].role) }}"),
        ChatTemplateError::Refused("no user".into())
    );
    let macro_raises = "{% macro m() %}{{ raise_exception('inner') }}{% endmacro %}{{ m() }}";
    assert_eq!(fail(macro_raises), ChatTemplateError::Refused("inner".into()));
    assert!(matches!(
        fail("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"),
        ChatTemplateError::Failed { .. }
    ));
    let endless = "{% for a in range(10000) %}{% for b in range(10000) %}{% for c in range(10000) %}{% endfor %}{% endfor %}{% endfor %}";
    assert!(matches!(fail(endless), ChatTemplateError::TooManySteps(_)));
    assert!(ChatTemplate::new(&"{% if true %}".repeat(5_000), None, None).is_err());
    assert!(
        ChatTemplate::new(&format!("{{{{ {}1{} }}}}", "(".repeat(50_000), ")".repeat(50_000)), None, None)
            .is_err()
    );

    let fallback = ChatTemplate::new(tandem_text::FALLBACK_TEMPLATE, None, None).unwrap();
    assert_eq!(
        fallback.render(&request).unwrap(),
        "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n"
    );
}

#[test]
fn random_streams_through_the_stop_matcher_lose_nothing() {
    let mut random = Random(99);
    for _ in 0..300 {
        let stops: Vec<String> = (0..random.below(4)).map(|_| random.text(5)).collect();
        let mut matcher = StopMatcher::new(stops.clone());
        let (mut all, mut out, mut stopped) = (String::new(), String::new(), None);
        for _ in 0..12 {
            let piece = random.text(5);
            all.push_str(&piece);
            let flow = matcher.push(&piece);
            out.push_str(flow.text);
            stopped = flow.stopped_by;
            if stopped.is_some() {
                break;
            }
        }
        out.push_str(matcher.finish());
        match stopped {
            Some(index) => assert!(all.starts_with(&(out + &stops[index]))),
            None => assert_eq!(out, all),
        }
    }
}
