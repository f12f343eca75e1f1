//! A sequence that begins like others, or has to make room for them and begin again, says what it says alone.

mod tiny;

use std::sync::Arc;

use tandem_engine::{Config, Engine, Event, OneRank, Request, RequestId, Sampling};
use tandem_kernels_cpu::CpuBackend;
use tandem_models::Shard;
use tandem_tensor::{Backend, Limits};

use tiny::{Case, cases};

const BLOCK_LEN: usize = 16;

/// An engine with room for so many blocks.
fn engine(case: &Case, blocks: usize) -> Engine {
    let model = case.file.description().unwrap();
    let program = Arc::new(case.file.program(&model, &Shard::whole(&model)).unwrap());
    let limits = Limits {
        tokens_max: 64,
        outputs_max: 8,
        block_len: BLOCK_LEN,
        blocks,
        window: program.window(),
        window_blocks: if program.window() > 0 { 64 } else { 0 },
        states: if program.states.is_empty() { 0 } else { 12 },
        context_max: 128,
        ..tiny::limits()
    };
    let session = CpuBackend::new().with_threads(1).open(program, limits, &case.source(), &|_| {}).unwrap();
    let config = Config { limits, vocab: case.vocab, sequences_max: 4, prefill_chunk: 48, waiting_max: 8 };
    Engine::new(Box::new(OneRank(session)), config)
}

/// The answers, and how many tokens of each prompt were taken over. The first request is answered before the others come.
fn answers(engine: &mut Engine, prompts: &[Vec<u32>]) -> Vec<(Vec<u32>, usize)> {
    let mut answers = vec![(Vec::new(), 0); prompts.len()];
    let mut events = Vec::new();
    for ids in [0..1, 1..prompts.len()] {
        for id in ids {
            let sampling = Sampling { temperature: 0.0, ..Default::default() };
            let request =
                Request { prompt: prompts[id].clone(), tokens_max: Some(40), sampling, ..Request::default() };
            engine.submit(RequestId(id as u64), request).unwrap();
        }
        while !engine.is_idle() {
            engine.step(&mut events).unwrap();
            for (id, event) in events.drain(..) {
                let answer = &mut answers[id.0 as usize];
                match event {
                    Event::Token { id: token, .. } => answer.0.push(token),
                    Event::Done(done) => answer.1 = done.cached_tokens,
                    other => panic!("{other:?}"),
                }
            }
        }
    }
    answers
}

#[test]
fn what_is_taken_over_changes_nothing() {
    for case in cases() {
        let Some(prompt) = case.prompts.iter().find(|prompt| prompt.tokens.len() == 64) else { continue };
        if !prompt.shown.is_empty() {
            continue;
        }
        let begins = |len: usize, then: &[u32]| [&prompt.tokens[..len], then].concat();
        let prompts =
            [begins(50, &[]), begins(50, &[1, 2, 3]), begins(64, &[4]), begins(40, &[5]), begins(50, &[6])];
        let alone: Vec<Vec<u32>> = prompts
            .iter()
            .map(|prompt| answers(&mut engine(&case, 64), std::slice::from_ref(prompt)).remove(0).0)
            .collect();
        for blocks in [64, 13] {
            let together = answers(&mut engine(&case, blocks), &prompts);
            for (at, ((found, taken), expected)) in together.iter().zip(&alone).enumerate() {
                assert_eq!(found, expected, "{}, answer {at} with {blocks} blocks", case.name);
                assert_eq!(found.len(), 40, "{}, answer {at}", case.name);
                // The last begins as the first did, whose blocks are known as long as nobody needs them.
                assert!(at != 4 || blocks < 64 || *taken > 0, "{}: nothing was taken over", case.name);
            }
        }
    }
}
