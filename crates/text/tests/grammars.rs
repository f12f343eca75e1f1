//! Whatever a model would like to say, a constrained answer has its shape: random walks through grammars.

mod facts;

use facts::gguf_vocab;
use serde_json::{Value, json};
use tandem_text::{
    AnswerFormat, AnswerParser, AnswerPart as Part, Calls, Constraint, GgufVocab, GrammarError, GrammarMaker,
    Prelude, ShapedAnswer, Thoughts, TokenKind, Tokenizer, check_constraint,
};

const MARKS: &[&str] = &[
    "<tool_call>",
    "</tool_call>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    "<minimax:tool_call>",
    "</minimax:tool_call>",
    "｜DSML｜",
    "<seed:tool_call>",
    "</seed:tool_call>",
    "<seed:think>",
    "</seed:think>",
    "<|tool_call>",
    "<tool_call|>",
    "<|\"|>",
    "<|channel>",
    "<channel|>",
    "<think>",
    "</think>",
    "<|python_tag|>",
    "[TOOL_CALLS]",
    "[ARGS]",
    "[THINK]",
    "[/THINK]",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁end｜>",
    "<｜tool▁call▁begin｜>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁sep｜>",
    "<|tool_calls_section_begin|>",
    "<|tool_calls_section_end|>",
    "<|tool_call_begin|>",
    "<|tool_call_end|>",
    "<|tool_call_argument_begin|>",
    "<|open|>",
    "<|close|>",
    "<|sep|>",
    "<|channel|>",
    "<|message|>",
    "<|start|>",
    "<|end|>",
    "<|call|>",
    "<|return|>",
    "<|constrain|>",
];
const CONTROL: i32 = 3;

/// All bytes, a few words, and the marks: as control tokens, or not at all.
fn tokenizer(with_marks: bool) -> Tokenizer {
    let vocabs: Value = serde_json::from_str(include_str!("goldens/gguf_vocabs.json")).unwrap();
    let mut vocab = GgufVocab { pre: Some("qwen2"), ..gguf_vocab(&vocabs["byte_level"]) };
    let known = vocab.tokens.clone();
    for mark in MARKS.iter().filter(|_| with_marks) {
        if !known.contains(&mark.as_bytes()) {
            vocab.tokens.push(mark.as_bytes());
            vocab.token_types.push(CONTROL);
        }
    }
    let words = [
        "\":",
        "\",",
        "\"}",
        "{\"",
        "}}",
        "\"name\"",
        "true",
        "null",
        "</arg_value>",
        "</parameter>\n",
        "</parameter>",
        "</",
        "<|\"|>",
    ];
    for word in words {
        if !(known.contains(&word.as_bytes()) || with_marks && MARKS.contains(&word)) {
            vocab.tokens.push(word.as_bytes());
            vocab.token_types.push(1);
        }
    }
    Tokenizer::from_gguf(&vocab).unwrap()
}

/// Deterministic "random" numbers.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}

const ENDS: &[&str] = &[
    "<|close|>",
    "｜DSML｜",
    "<|\"|>",
    "</seed:think>",
    "<channel|>",
    "</arg_value>",
    "</parameter>\n",
    "</parameter>",
    "</minimax:tool_call>",
    "</think>",
    "</",
    "[/THINK]",
    "<|end|>",
    "\"",
    "}",
    "]",
    "/",
    "<",
    "\n",
];

/// A random walk; the spelled answer once it ends, `None` if it takes too long. Ends of strings and of thoughts are
/// a little likelier than chance, or most walks would be long.
fn walk(maker: &GrammarMaker, tokenizer: &Tokenizer, shape: &Constraint, seed: u64) -> Option<String> {
    walk_on(maker, tokenizer, shape, "", seed)
}

/// A walk that begins with what was `said`, marks in it as the tokens that they are.
fn walk_on(
    maker: &GrammarMaker,
    tokenizer: &Tokenizer,
    shape: &Constraint,
    said: &str,
    seed: u64,
) -> Option<String> {
    let mut grammar = maker.make(shape).unwrap();
    let mut number = numbers(seed);
    let mut bytes = Vec::new();
    while bytes.len() < said.len() {
        let rest = &said[bytes.len()..];
        let mark =
            MARKS.iter().filter(|mark| rest.starts_with(**mark)).find_map(|m| tokenizer.token_named(m));
        let first = rest.chars().next().unwrap().to_string();
        let spelled = || (0..).find(|id| *tokenizer.piece(*id) == *first.as_bytes()).unwrap();
        let token = mark.unwrap_or_else(spelled);
        grammar.accept(token).unwrap_or_else(|error| panic!("{error}: {rest:?} of {said:?}"));
        bytes.extend_from_slice(&tokenizer.piece(token));
    }
    for _ in 0..600 {
        let mask = grammar.mask().unwrap();
        let allowed: Vec<u32> = (0..tokenizer.token_count() as u32)
            .filter(|id| mask.get(*id as usize / 32).is_some_and(|word| word >> (id % 32) & 1 == 1))
            .collect();
        let named = |text: &&&str| allowed.iter().find(|id| *tokenizer.piece(**id) == *text.as_bytes());
        let new = ENDS.iter().filter(|end| !bytes.ends_with(end.as_bytes()));
        let token = match new.clone().find_map(|text| named(&text)) {
            Some(end) if number(3) == 0 => *end,
            _ => allowed[number(allowed.len())],
        };
        if tokenizer.end_of_generation().contains(&token) {
            return Some(String::from_utf8(bytes).unwrap());
        }
        bytes.extend_from_slice(&tokenizer.piece(token));
        if grammar.accept(token).unwrap() {
            return Some(String::from_utf8(bytes).unwrap());
        }
    }
    None
}

fn tools() -> Vec<Value> {
    let weather = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "maxLength": 8},
            "days": {"type": "integer", "minimum": 1, "maximum": 99},
            "unit": {"enum": ["C", "F"]},
        },
        "required": ["city", "unit"],
        "additionalProperties": false,
    });
    let now = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let tool =
        |name, parameters| json!({"type": "function", "function": {"name": name, "parameters": parameters}});
    vec![tool("weather", weather), tool("now", now)]
}

fn formats() -> Vec<AnswerFormat> {
    let think = Thoughts::Between { open: "<think>", close: "</think>" };
    let mistral = Thoughts::Between { open: "[THINK]", close: "[/THINK]" };
    [
        (Calls::Plain, Thoughts::None),
        (Calls::Tagged, think),
        (Calls::Xml, Thoughts::None),
        (Calls::Glm, think),
        (Calls::MiniMax, think),
        (Calls::Dsml, think),
        (Calls::Seed, Thoughts::Between { open: "<seed:think>", close: "</seed:think>" }),
        (Calls::Gemma, Thoughts::Between { open: "<|channel>thought", close: "<channel|>" }),
        (Calls::Llama, Thoughts::None),
        (Calls::MistralList, mistral),
        (Calls::MistralArgs, mistral),
        (Calls::DeepSeekFenced, think),
        (Calls::DeepSeek, think),
        (Calls::Kimi, think),
        (Calls::Xtml, Thoughts::Between { open: "<|open|>think<|sep|>", close: "<|close|>think<|sep|>" }),
        (Calls::Harmony, Thoughts::Channel),
    ]
    .map(|(calls, thoughts)| AnswerFormat { calls, thoughts })
    .to_vec()
}

/// The calls in an answer, with nothing else beside thoughts.
fn calls_of(format: AnswerFormat, thinking: bool, tools: &[Value], answer: &str) -> Vec<(String, Value)> {
    let mut parser = AnswerParser::new(format, tools, thinking);
    let mut parts = Vec::new();
    parser.push(answer, &mut parts);
    parser.finish(&mut parts);
    let mut calls: Vec<(String, String)> = Vec::new();
    for part in parts {
        match part {
            Part::Call { name, .. } => calls.push((name, String::new())),
            Part::Arguments(more) => calls.last_mut().unwrap().1.push_str(&more),
            Part::Content(text) => panic!("content {text:?} in {answer:?}"),
            Part::Reasoning(_) => {}
        }
    }
    let parse = |text: &str| {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text} in {answer:?}"))
    };
    calls.into_iter().map(|(name, text)| (name, parse(&text))).collect()
}

fn check_call(name: &str, arguments: &Value) {
    let keys: Vec<&String> = arguments.as_object().unwrap().keys().collect();
    match name {
        "now" => assert!(keys.is_empty()),
        "weather" => {
            assert!(keys.iter().all(|key| ["city", "days", "unit"].contains(&key.as_str())), "{arguments}");
            assert!(
                arguments["city"].is_string() && ["C", "F"].contains(&arguments["unit"].as_str().unwrap())
            );
            assert!(
                arguments.get("days").is_none_or(|days| (1..=99).contains(&days.as_i64().unwrap())),
                "{arguments}"
            );
        }
        _ => panic!("{name} is no tool"),
    }
}

#[test]
fn required_calls_parse_in_every_format() {
    for with_marks in [true, false] {
        let tokenizer = tokenizer(with_marks);
        let maker = GrammarMaker::new(&tokenizer).unwrap();
        for format in formats() {
            for (prelude, parallel) in
                [(Prelude::Answering, false), (Prelude::Free, true), (Prelude::Thinking, true)]
            {
                let shaped = ShapedAnswer { format, tokenizer: &tokenizer, prelude };
                let shape = shaped.calls(&tools(), parallel).unwrap();
                let thinking = prelude == Prelude::Thinking;
                let mut ended = 0;
                for seed in 0..8 {
                    let Some(answer) = walk(&maker, &tokenizer, &shape, seed) else { continue };
                    let calls = calls_of(format, thinking, &tools(), &answer);
                    assert!(!calls.is_empty() && (parallel || calls.len() == 1), "{answer:?}");
                    calls.iter().for_each(|(name, arguments)| check_call(name, arguments));
                    ended += 1;
                }
                // Spelled out by chance, the end of thoughts is rare.
                let rare = !with_marks && prelude != Prelude::Answering;
                assert!(ended > 2 || rare, "{format:?} {prelude:?}: {ended} of 8 walks ended");
            }
        }
    }
}

#[test]
fn what_begins_as_a_call_is_one_where_none_is_demanded() {
    for with_marks in [true, false] {
        let tokenizer = tokenizer(with_marks);
        let maker = GrammarMaker::new(&tokenizer).unwrap();
        for format in formats() {
            let opening = match format.calls {
                Calls::Plain | Calls::Llama => "{",
                Calls::Tagged | Calls::Xml | Calls::Glm => "Hm. <tool_call>",
                Calls::MiniMax => "Hm. <minimax:tool_call>",
                Calls::Dsml => "Hm. <｜DSML｜function_calls>",
                Calls::Seed => "Hm. <seed:tool_call>",
                Calls::Gemma => "Hm. <|tool_call>",
                Calls::MistralList | Calls::MistralArgs => "Hm. [TOOL_CALLS]",
                Calls::DeepSeekFenced | Calls::DeepSeek => "Hm. <｜tool▁calls▁begin｜>",
                Calls::Kimi => "Hm. <|tool_calls_section_begin|>",
                Calls::Xtml => "Hm. <|close|>response<|sep|><|open|>tools<|sep|>",
                Calls::Harmony => "<|channel|>commentary",
            };
            // A vocabulary of bytes spells only ASCII here.
            if !with_marks && !opening.is_ascii() {
                continue;
            }
            let words = if format.calls == Calls::Harmony { "<|channel|>final<|message|>Hm" } else { "Hm. " };
            for (prelude, parallel) in [(Prelude::Answering, false), (Prelude::Free, true)] {
                let shaped = ShapedAnswer { format, tokenizer: &tokenizer, prelude };
                let shape = shaped.perhaps_calls(&tools(), parallel, |_| true).unwrap();
                let mut ended = 0;
                for seed in 0..8 {
                    if let Some(answer) = walk_on(&maker, &tokenizer, &shape, opening, seed) {
                        let calls = calls_of(format, false, &tools(), answer.trim_start_matches("Hm. "));
                        assert!(!calls.is_empty() && (parallel || calls.len() == 1), "{answer:?}");
                        calls.iter().for_each(|(name, arguments)| check_call(name, arguments));
                        ended += 1;
                    }
                    // Said without a mark, it may go on and end as it likes.
                    let mut grammar = maker.make(&shape).unwrap();
                    let first = tokenizer.encode(words, tandem_text::Specials::Parse);
                    for token in first {
                        grammar.accept(token).unwrap_or_else(|error| panic!("{error}: {format:?}"));
                    }
                    let mask = grammar.mask().unwrap();
                    let end = tokenizer.end_of_generation()[0];
                    assert!(mask[end as usize / 32] >> (end % 32) & 1 == 1, "{format:?} may end");
                }
                assert!(ended > 1, "{format:?} {prelude:?}: {ended} of 8 walks ended");
            }
            // Only what is strict is held to its schema.
            let shaped = ShapedAnswer { format, tokenizer: &tokenizer, prelude: Prelude::Answering };
            let loose = shaped.perhaps_calls(&tools(), false, |name| name == "weather").unwrap();
            maker.make(&loose).unwrap();
        }
    }
}

#[test]
fn schemas_objects_and_regexes_hold() {
    let tokenizer = tokenizer(true);
    let maker = GrammarMaker::new(&tokenizer).unwrap();
    let schema = json!({
        "$defs": {"leaf": {"type": "string", "pattern": "^[a-c]{2,4}$"}},
        "type": "object",
        "properties": {
            "kind": {"enum": ["x", "y\"z", 3, null]},
            "list": {"type": "array", "items": {"$ref": "#/$defs/leaf"}, "minItems": 1, "maxItems": 3},
            "either": {"anyOf": [{"type": "boolean"}, {"type": "integer", "minimum": -5, "maximum": 1000}]},
        },
        "required": ["kind", "list", "either"],
        "additionalProperties": false,
    });
    for seed in 0..40 {
        let Some(text) = walk(&maker, &tokenizer, &Constraint::JsonSchema(schema.to_string()), seed) else {
            continue;
        };
        let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
        assert!([json!("x"), json!("y\"z"), json!(3), Value::Null].contains(&value["kind"]), "{text}");
        let list = value["list"].as_array().unwrap();
        assert!((1..=3).contains(&list.len()), "{text}");
        assert!(list.iter().all(|leaf| (2..=4).contains(&leaf.as_str().unwrap().len())), "{text}");
        assert!(
            value["either"].is_boolean() || value["either"].as_f64().is_some_and(|n| n >= -5.0),
            "{text}"
        );
    }
    for seed in 0..20 {
        if let Some(text) = walk(&maker, &tokenizer, &Constraint::JsonObject, seed) {
            match serde_json::from_str::<Value>(&text) {
                Ok(value) => assert!(value.is_object(), "{text}"),
                // 1e999999 is JSON all the same.
                Err(error) => assert!(error.to_string().contains("number out of range"), "{error}: {text:?}"),
            }
        }
        let text =
            walk(&maker, &tokenizer, &Constraint::Regex("[0-9]{4}-(0[1-9]|1[0-2])".into()), seed).unwrap();
        assert_eq!(text.len(), 7, "{text}");
        let lark = Constraint::Lark("start: \"a\" WORD \"!\"\nWORD: /[xyz]{1,3}/".into());
        let text = walk(&maker, &tokenizer, &lark, seed).unwrap();
        assert!(text.starts_with('a') && text.ends_with('!') && text.len() <= 5, "{text}");
    }
}

#[test]
fn content_of_a_shape_follows_the_thoughts() {
    let tokenizer = tokenizer(true);
    let maker = GrammarMaker::new(&tokenizer).unwrap();
    let shape = Constraint::JsonSchema(r#"{"type": "integer", "minimum": 0, "maximum": 9}"#.into());
    for format in formats() {
        for prelude in [Prelude::Answering, Prelude::Free, Prelude::Thinking] {
            let shape = ShapedAnswer { format, tokenizer: &tokenizer, prelude }.content(&shape).unwrap();
            for seed in 0..6 {
                let Some(answer) = walk(&maker, &tokenizer, &shape, seed) else { continue };
                let mut parser = AnswerParser::new(format, &[], prelude == Prelude::Thinking);
                let mut parts = Vec::new();
                parser.push(&answer, &mut parts);
                parser.finish(&mut parts);
                let Some(Part::Content(text)) = parts.last() else { panic!("{answer:?}: {parts:?}") };
                assert!(text.parse::<u8>().is_ok_and(|digit| digit < 10), "{answer:?}");
            }
        }
    }
}

#[test]
fn what_cannot_be_enforced_is_refused_with_the_reason() {
    let tokenizer = tokenizer(true);
    let maker = GrammarMaker::new(&tokenizer).unwrap();
    let check = |shape: Constraint, part: &str| {
        let error = maker.make(&shape).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(part), "{shape:?}: {error:?}");
    };
    check(Constraint::JsonSchema("{\"type\": ".into()), "no JSON");
    check(Constraint::JsonSchema("{\"type\": \"thing\"}".into()), "thing");
    check(Constraint::JsonSchema("false".into()), "nsatisfiable");
    check(Constraint::JsonSchema(r##"{"$ref": "#/nowhere"}"##.into()), "nowhere");
    check(Constraint::JsonSchema(r#"{"not": {"type": "string"}}"#.into()), "not");
    check(Constraint::Regex("[a".into()), "");
    check(Constraint::Lark("start: nothing".into()), "nothing");
    check(Constraint::Lark(String::new()), "");
    assert!(maker.make(&Constraint::Regex("(a".into())).is_err());
    // Huge repetitions are refused or made, in bounded time.
    let _ = maker.make(&Constraint::Regex("((a{1000}){1000}){1000}".into()));
    let deep = "[".repeat(5000);
    assert!(maker.make(&Constraint::JsonSchema(deep)).is_err());
}

/// Control tokens are never made from their spelling.
#[test]
fn control_tokens_stay_out_of_strings() {
    let tokenizer = tokenizer(true);
    let maker = GrammarMaker::new(&tokenizer).unwrap();
    let mut grammar = maker.make(&Constraint::JsonSchema(r#"{"type": "string"}"#.into())).unwrap();
    grammar.accept(tokenizer.token_named("\"").unwrap()).unwrap();
    let mask = grammar.mask().unwrap().to_vec();
    let allowed = |id: u32| mask.get(id as usize / 32).is_some_and(|word| word >> (id % 32) & 1 == 1);
    let count = tokenizer.token_count() as u32;
    assert!((0..count).any(allowed));
    assert!((0..count).filter(|id| tokenizer.kind(*id) == TokenKind::Control).all(|id| !allowed(id)));
}

/// A schema whose references lead from one to the next, `links` times.
fn chain(links: usize) -> Value {
    let link = |i: usize| {
        let next = format!("#/$defs/d{}", i + 1);
        (format!("d{i}"), json!({"type": "object", "properties": {"a": {"$ref": next}}}))
    };
    let mut links: serde_json::Map<_, _> = (0..links).map(link).collect();
    links.insert(format!("d{}", links.len()), json!({"type": "string"}));
    json!({"$defs": links, "$ref": "#/$defs/d0"})
}

fn properties(count: usize) -> Value {
    let properties: serde_json::Map<_, _> =
        (0..count).map(|i| (format!("p{i}"), json!({"type": "string"}))).collect();
    json!({"type": "object", "properties": properties})
}

#[test]
fn what_would_cost_too_much_is_refused_with_the_reason() {
    let maker = GrammarMaker::new(&tokenizer(true)).unwrap();
    let check = |shape: Constraint, reason: &str| {
        for refused in [check_constraint(&shape).unwrap_err(), maker.make(&shape).err().unwrap()] {
            assert!(matches!(&refused, GrammarError::TooCostly(why) if why.contains(reason)), "{refused}");
        }
    };
    let schema = |schema: Value| Constraint::JsonSchema(schema.to_string());
    check(schema(chain(300)), "levels");
    // The same inside of a larger grammar, which is how calls of tools are written.
    check(Constraint::Lark(format!("start: \"x\" %json {}\n", chain(300))), "levels");
    let anchors = (0..300).map(|i| {
        (format!("d{i}"), json!({"$anchor": format!("a{i}"), "items": {"$ref": format!("#a{}", i + 1)}}))
    });
    let anchors: serde_json::Map<_, _> = anchors.collect();
    check(schema(json!({"properties": anchors})), "no JSON pointers");
    let patterns = (1..50).map(|i| json!({"type": "string", "pattern": format!("(.*[a-z]{{{i}}}){{3}}")}));
    let patterns: Vec<_> = patterns.collect();
    check(schema(json!({"allOf": patterns.clone()})), "hold together");
    let apart: Vec<_> = patterns.iter().map(|pattern| json!({"properties": {"a": pattern}})).collect();
    check(schema(json!({"allOf": apart})), "hold together");
    check(schema(properties(3000)), "properties");
    check(Constraint::Regex((0..600_000).map(|i| format!("w{i}|")).collect()), "bytes");
    check(Constraint::Lark((0..100_000).map(|i| format!("r{i}: \"x\"\n")).collect()), "bytes");
    check(Constraint::Lark((0..25_000).map(|i| format!("r{i}:\"x\"\n")).collect()), "rules");
    let both = Constraint::Lark("start: A\nA: /(.*a){300}/ & /(.*b){300}/\n".into());
    assert!(matches!(check_constraint(&both), Err(GrammarError::TooCostly(_))));
    check_constraint(&Constraint::Lark("start: \"a & b\" /x & y/ // and & so on\n".into())).unwrap();
}

#[test]
fn large_schemas_of_ordinary_shape_are_compiled_whatever_the_stack() {
    let maker = GrammarMaker::new(&tokenizer(true)).unwrap();
    let objects: serde_json::Map<_, _> = (0..100).map(|i| (format!("o{i}"), properties(10))).collect();
    let tree = json!({
        "$defs": {"node": {"type": "object", "properties": {
            "value": {"type": "string", "pattern": "^[a-z]{1,64}$", "maxLength": 40},
            "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
        }}},
        "$ref": "#/$defs/node",
    });
    let shapes = [chain(60), json!({"type": "object", "properties": objects}), properties(1000), tree];
    let small = std::thread::Builder::new().stack_size(128 << 10);
    let compiled = small.spawn(move || {
        for schema in shapes {
            maker.make(&Constraint::JsonSchema(schema.to_string())).map(drop).unwrap();
        }
    });
    compiled.unwrap().join().unwrap();
}
