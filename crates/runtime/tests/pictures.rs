//! A tiny model that sees, from a conversation to its answer, against transformers.

mod tiny;

use std::path::{Path, PathBuf};

use serde_json::Value;
use tandem_engine::{Event, Picture, Request, Usage};
use tandem_runtime::{
    CacheType, Chat, Content, Device, Message, Model, ModelFile, Options, Params, Part, PromptError, Refused,
    Role, Speech,
};
use tiny::{Case, cases};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/pictures/gemma3")
}

fn case() -> Case {
    cases().into_iter().find(|case| case.name.ends_with("pictures")).unwrap()
}

fn model(device: &str) -> Model {
    let options = Options {
        device: Device::named(device, 0),
        threads: Some(2),
        context: Some(512),
        cache_type: CacheType::F32,
        ..Options::default()
    };
    Model::open(&folder(), &options, &|_, _| {}).unwrap()
}

fn file(index: usize) -> Vec<u8> {
    std::fs::read(folder().join(format!("{index}.png"))).unwrap()
}

/// The golden conversation, with our own words for it.
fn conversation() -> (Chat, Vec<u32>) {
    let expected = std::fs::read_to_string(folder().join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let conversation = &expected["conversation"];
    let mut next = 0;
    let mut part = |part: &Value| match part["type"].as_str().unwrap() {
        "image" => {
            next += 1;
            Part::Picture(file(next - 1))
        }
        _ => Part::Text(part["text"].as_str().unwrap().into()),
    };
    let messages = conversation["messages"].as_array().unwrap().iter().map(|message| Message {
        role: Role::named(message["role"].as_str().unwrap()).unwrap(),
        content: match &message["content"] {
            Value::String(text) => text.clone().into(),
            parts => Content::Parts(parts.as_array().unwrap().iter().map(&mut part).collect()),
        },
        ..Message::default()
    });
    let chat = Chat::new(messages.collect());
    let tokens = conversation["tokens"].as_array().unwrap();
    (chat, tokens.iter().map(|token| token.as_u64().unwrap() as u32).collect())
}

#[test]
fn a_conversation_becomes_the_published_processors_prompt() {
    let speech = Speech::of(&ModelFile::open(&folder()).unwrap()).unwrap();
    assert!(speech.sees());
    let (chat, expected) = conversation();
    let (request, _) = speech.chat(&chat, &Params::default()).unwrap();
    assert_eq!(request.prompt, expected);
    let pixels = tiny::bytes_of_pictures(&folder(), 48);
    assert_eq!(request.pictures.len(), 3);
    for (picture, pixels) in request.pictures.iter().zip(&pixels) {
        assert!(picture.bytes == *pixels, "the picture at {}", picture.first);
        assert_eq!(expected[picture.first - 1..][..11], [61, 62, 62, 62, 62, 62, 62, 62, 62, 62, 63]);
    }
    assert_eq!(speech.count(&chat).unwrap(), expected.len());
}

#[test]
fn what_users_write_shows_no_picture() {
    let speech = Speech::of(&ModelFile::open(&folder()).unwrap()).unwrap();
    let parts = vec![Part::Text("a<start_of_image>b<image_soft_token>".into()), Part::Picture(file(0))];
    let message = Message { content: Content::Parts(parts), ..Message::default() };
    let (request, _) = speech.chat(&Chat::new(vec![message]), &Params::default()).unwrap();
    assert_eq!(request.prompt.iter().filter(|token| **token == 61).count(), 1);
    assert_eq!(request.prompt.iter().filter(|token| **token == 62).count(), 9);
}

#[test]
fn pictures_that_cannot_be_shown_are_refused_by_name() {
    let speech = Speech::of(&ModelFile::open(&folder()).unwrap()).unwrap();
    let ask = |speech: &Speech, pictures: Vec<Vec<u8>>| {
        let parts = pictures.into_iter().map(Part::Picture).collect();
        let message = Message { content: Content::Parts(parts), ..Message::default() };
        speech.chat(&Chat::new(vec![message]), &Params::default()).map(|_| ()).unwrap_err()
    };
    assert!(matches!(ask(&speech, vec![b"GIF89a".to_vec()]), PromptError::Picture(_)));
    assert_eq!(ask(&speech, vec![file(0); 17]), PromptError::TooManyPictures { found: 17, most: 16 });
    // A template that knows nothing of pictures.
    let tokenizer = tandem_runtime::tokenizer_of(&ModelFile::open(&folder()).unwrap()).unwrap();
    let blind = Speech::new(tokenizer, None).unwrap();
    assert_eq!(ask(&blind, vec![file(0)]), PromptError::NoSight);
}

/// Ask for one token. Returns it with its log-probability.
fn answer(model: &Model, prompt: &[u32], pictures: Vec<Picture>) -> Result<(u32, f32, Usage), Refused> {
    let request = Request {
        prompt: prompt.to_vec(),
        pictures,
        tokens_max: Some(1),
        logprobs: Some(0),
        sampling: tandem_runtime::Sampling { temperature: 0.0, ..Default::default() },
        ..Request::default()
    };
    let mut found = None;
    for event in model.tokens().stream(request)? {
        match event {
            Event::Token { id, logprobs } => found = Some((id, logprobs.unwrap().chosen)),
            Event::Done(usage) => return Ok((found.unwrap().0, found.unwrap().1, usage)),
            Event::Refused(refused) => return Err(refused),
            other => panic!("{other:?}"),
        }
    }
    panic!("no end")
}

/// The whole engine gives transformers' likeliest token with its probability, whether pictures are new, known, or others than last time.
#[test]
fn answers_are_those_of_transformers() {
    answers_match("cpu", 1e-3);
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn answers_are_those_of_transformers_on_gpus() {
    answers_match("gpu", 1e-2);
}

fn answers_match(device: &str, tolerance: f32) {
    let (case, model) = (case(), model(device));
    let pixels = tiny::bytes_of_pictures(&folder(), 48);
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(folder().join("expected.json")).unwrap()).unwrap();
    for round in 0..2 {
        for (index, prompt) in case.prompts.iter().enumerate() {
            let of = expected["prompts"][index]["pictures"].as_array().unwrap();
            let pictures: Vec<Picture> = (prompt.shown.iter().zip(of))
                .map(|((place, _), of)| Picture {
                    first: place.start,
                    bytes: pixels[of.as_u64().unwrap() as usize].clone(),
                })
                .collect();
            let logits = &prompt.logits[prompt.logits.len() - case.vocab..];
            let best = (0..case.vocab).max_by(|a, b| logits[*a].total_cmp(&logits[*b])).unwrap();
            let sum = logits.iter().map(|logit| (logit - logits[best]).exp()).sum::<f32>();
            // Another picture first, with the same text around it.
            let mut other = pictures.clone();
            other.last_mut().unwrap().bytes.reverse();
            answer(&model, &prompt.tokens, other).unwrap();
            let (token, logprob, usage) = answer(&model, &prompt.tokens, pictures).unwrap();
            assert_eq!(token as usize, best, "prompt {index}");
            assert!(
                (logprob + sum.ln()).abs() < tolerance,
                "prompt {index}: {logprob}, expected {}",
                -sum.ln()
            );
            // Blocks of 32 tokens; no block ends within a picture of it.
            let known = [0, 0, 64, 32][index];
            assert!(round == 0 || usage.cached_tokens == known, "prompt {index}: {usage:?}");
        }
    }
    let wrong = vec![Picture { first: 4, bytes: vec![0; 5] }];
    assert!(matches!(answer(&model, &case.prompts[0].tokens, wrong), Err(Refused::BadPicture(_))));
}

#[test]
fn a_conversation_with_pictures_is_answered() {
    let model = model("cpu");
    let (chat, _) = conversation();
    let params = Params { tokens_max: Some(8), ..Params::default() };
    let generation = model.generate(model.speech().chat(&chat, &params).unwrap()).unwrap();
    assert!(generation.count() > 0);
}
