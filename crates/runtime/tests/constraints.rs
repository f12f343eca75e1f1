//! A model that knows nothing, held to a shape: whatever it would say, batched and streamed, what comes out parses.

use std::sync::Arc;

use serde_json::{Value, json};
use tandem_engine::{Config, Engine, Handle, Sampling, Stepper};
use tandem_runtime::{
    CacheType, Chat, Constraint, Delta, Finish, Message, Model, Next, Params, Role, Speech, Tool, ToolChoice,
};
use tandem_tensor::{Batch, Limits, PeerLost};
use tandem_text::{GgufVocab, Tokenizer};

/// Logits without rhyme or reason.
struct Random {
    vocab: usize,
    state: u64,
    result: Vec<f32>,
}

impl Stepper for Random {
    fn start(&mut self, batch: &Batch) -> Result<(), PeerLost> {
        self.result.clear();
        for _ in 0..batch.outputs.len() * self.vocab {
            self.state =
                self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            self.result.push((self.state >> 40) as f32 / 4e6);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), PeerLost> {
        Ok(())
    }

    fn result(&self) -> &[f32] {
        &self.result
    }
}

fn model() -> Model {
    let vocabs: Value =
        serde_json::from_str(include_str!("../../text/tests/goldens/gguf_vocabs.json")).unwrap();
    let facts = &vocabs["byte_level"];
    let list = |key: &str| facts[key].as_array().unwrap().iter();
    let strings = |key: &str| list(key).map(|text| text.as_str().unwrap().as_bytes()).collect();
    let vocab = GgufVocab {
        model: facts["model"].as_str().unwrap(),
        pre: Some("qwen2"),
        tokens: strings("tokens"),
        token_types: list("token_type").map(|kind| kind.as_i64().unwrap() as i32).collect(),
        merges: strings("merges"),
        eos: facts["eos_token_id"].as_u64().map(|id| id as u32),
        ..GgufVocab::default()
    };
    let speech = Arc::new(Speech::new(Tokenizer::from_gguf(&vocab).unwrap(), None).unwrap());
    let vocab = speech.tokenizer().token_count();
    let limits = Limits {
        tokens_max: 256,
        outputs_max: 16,
        block_len: 32,
        blocks: 1024,
        window: 0,
        window_blocks: 0,
        states: 0,
        context_max: 4096,
        cache_type: CacheType::F16,
    };
    let config = Config { limits, vocab, sequences_max: 16, prefill_chunk: 64, waiting_max: 64 };
    let session = Box::new(Random { vocab, state: 1, result: Vec::new() });
    let engine = Engine::new(session, config).with_grammars(speech.grammars());
    Model::new(speech, Arc::new(Handle::spawn(engine).unwrap()))
}

fn params(seed: u64, constraint: Option<Constraint>) -> Params {
    let sampling = Sampling { temperature: 1.0, seed: Some(seed), ..Sampling::default() };
    Params { sampling, constraint, tokens_max: Some(1500), ..Params::default() }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 6},
            "age": {"type": "integer", "minimum": 0, "maximum": 150},
            "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 3},
        },
        "required": ["name", "age", "tags"],
        "additionalProperties": false,
    })
}

fn save(strict: bool) -> Tool {
    Tool { name: "save".into(), description: None, parameters: schema(), strict }
}

fn check(text: &str) {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
    assert!(value["name"].as_str().unwrap().chars().count() <= 6, "{text}");
    assert!((0..=150).contains(&value["age"].as_i64().unwrap()), "{text}");
    assert!(value["tags"].as_array().unwrap().len() <= 3, "{text}");
}

/// Content, names of the tools called, all their arguments, and how it ended.
fn told(answer: impl Iterator<Item = Next>) -> (String, Vec<String>, String, Option<Finish>) {
    let (mut content, mut arguments, mut calls, mut finish) =
        (String::new(), String::new(), Vec::new(), None);
    for delta in answer {
        match delta.unwrap() {
            Delta::Content(more) => content.push_str(&more),
            Delta::ToolCall { name, .. } => calls.push(name),
            Delta::ToolArguments { piece, .. } => arguments.push_str(&piece),
            Delta::Done(summary) => finish = Some(summary.finish),
            _ => {}
        }
    }
    (content, calls, arguments, finish)
}

/// A model that likes braces begins a call by chance; it has to end it as the tool's schema says.
#[test]
fn a_call_of_a_strict_tool_obeys_its_schema_where_none_is_demanded() {
    let model = model();
    let brace = model.tokenizer().token_named("{").unwrap();
    let asked =
        |strict| Chat { tools: vec![save(strict)], ..Chat::new(vec![Message::new(Role::User, "Who?")]) };
    let (free, strict) = (asked(false), asked(true));
    for seed in 0..6 {
        let mut params = params(seed, None);
        params.sampling.logit_bias = vec![(brace, 50.0)];
        assert_eq!(model.speech().chat(&free, &params).unwrap().0.constraint, None);
        let answer = model.generate(model.speech().chat(&strict, &params).unwrap()).unwrap();
        let (content, calls, arguments, finish) = told(answer);
        assert_eq!((finish, calls), (Some(Finish::ToolCalls), vec!["save".to_owned()]), "{content:?}");
        check(&arguments);
    }
    // And one that does not begin one says what it likes.
    let mut params = params(9, None);
    params.sampling.logit_bias = vec![(brace, -1000.0)];
    params.tokens_max = Some(30);
    let answer = model.generate(model.speech().chat(&strict, &params).unwrap()).unwrap();
    let (content, calls, ..) = told(answer);
    assert!(calls.is_empty() && !content.is_empty(), "{content:?}");
}

#[test]
fn what_a_model_without_sense_says_has_its_shape() {
    let model = model();
    let schema = schema();
    let tools = vec![save(false)];
    let question = vec![Message::new(Role::User, "Who?")];
    // All at once, shaped and free ones side by side.
    let answers: Vec<_> = (0..12)
        .map(|seed| {
            let chat = match seed % 3 {
                0 => Chat::new(question.clone()),
                1 => Chat {
                    tools: tools.clone(),
                    tool_choice: ToolChoice::Required,
                    ..Chat::new(question.clone())
                },
                _ => Chat::new(question.clone()),
            };
            let constraint = (seed % 3 == 0).then(|| Constraint::JsonSchema(schema.to_string()));
            let mut params = params(seed, constraint);
            if seed % 3 == 2 {
                params.tokens_max = Some(40);
            }
            (seed, model.generate(model.speech().chat(&chat, &params).unwrap()).unwrap())
        })
        .collect();
    for (seed, answer) in answers {
        let (content, calls, arguments, finish) = told(answer);
        match seed % 3 {
            0 => {
                assert_eq!((finish, calls.len()), (Some(Finish::End), 0), "{content:?}");
                check(&content);
            }
            1 => {
                assert_eq!(
                    (finish, calls),
                    (Some(Finish::ToolCalls), vec!["save".to_owned()]),
                    "{content:?}"
                );
                check(&arguments);
            }
            _ => assert!(calls.is_empty()),
        }
    }
}

#[test]
fn a_shape_that_cannot_be_is_refused_when_asked_for() {
    let model = model();
    let asked = |schema: &str| {
        let params = params(0, Some(Constraint::JsonSchema(schema.into())));
        let chat = Chat::new(vec![Message::new(Role::User, "Who?")]);
        model.generate(model.speech().chat(&chat, &params).unwrap()).err().unwrap().to_string()
    };
    assert!(asked("false").contains("constraint"), "{}", asked("false"));
    assert!(asked(r#"{"type": "stone"}"#).contains("stone"));
    let named = Chat {
        tool_choice: ToolChoice::Named("nothing".into()),
        ..Chat::new(vec![Message::new(Role::User, "Who?")])
    };
    assert!(model.speech().chat(&named, &params(0, None)).err().unwrap().to_string().contains("nothing"));
}

#[test]
fn an_answer_that_has_begun_is_continued() {
    let model = model();
    let (speech, tokenizer) = (model.speech(), model.tokenizer());
    let prompt = |messages: Vec<Message>, continues: bool| {
        let chat = Chat { continues, ..Chat::new(messages) };
        let (request, _) = speech.chat(&chat, &Params::default()).unwrap();
        let bytes: Vec<u8> = request.prompt.iter().flat_map(|id| tokenizer.piece(*id).into_owned()).collect();
        String::from_utf8(bytes).unwrap()
    };
    let question = Message::new(Role::User, "A number?".to_owned());
    let begun = Message::new(Role::Assistant, "It is <|im_end|> 4".to_owned());
    let asked = prompt(vec![question.clone()], false);
    assert_eq!(prompt(vec![question.clone(), begun.clone()], true), format!("{asked}It is <|im_end|> 4"));
    assert_ne!(prompt(vec![question, begun], false), format!("{asked}It is <|im_end|> 4"));
}
