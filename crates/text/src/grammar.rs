//! Compiles constraints, and says which tokens may come next in an answer that obeys one.

use crate::grammar_cost::{STACK_BYTES, check, parse};
use crate::tokenizer::Tokenizer;
use crate::vocab::TokenKind;
use llguidance::api::TopLevelGrammar;
use llguidance::earley::SlicedBiasComputer;
use llguidance::toktrie::{ApproximateTokEnv, InferenceCapabilities, TokEnv, TokRxInfo, TokTrie};
use llguidance::{Matcher, ParserFactory};
use serde_json::{Value as Json, json};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use tandem_dialogue::Constraint;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrammarError {
    #[error("the JSON schema is no JSON: {0}")]
    NoJson(String),
    #[error("{0}")]
    Unsupported(String),
    #[error("it would cost too much: {0}")]
    TooCostly(String),
    #[error("it was not compiled in {} s; make it simpler", .0.as_secs())]
    TooSlow(Duration),
    #[error("{COMPILING_MAX} others were being compiled for {} s; ask again", .0.as_secs())]
    Busy(Duration),
    #[error("the vocabulary cannot be constrained: {0}")]
    Vocabulary(String),
}

/// Makes grammars for one tokenizer.
pub struct GrammarMaker {
    factory: Arc<ParserFactory>,
    places: Arc<Places>,
}

/// Grammars that a maker compiles at a time. One that nobody waits for any more counts until it is done, since it cannot be
/// interrupted: so these, their stacks and their states are all that can ever be held.
const COMPILING_MAX: usize = 2;
/// The longest that anybody waits for a grammar. What is let through takes about a second.
const COMPILE_MAX: Duration = Duration::from_secs(10);
/// States of the automaton for a grammar's words, one or two kilobytes each.
const STATES_MAX: usize = 50_000;

/// Longer ones are beyond what the trie holds, and no part of an answer that has a shape.
const TOKEN_BYTES_MAX: usize = 512;
const TOKENS_MAX: usize = 1 << 21;

impl GrammarMaker {
    /// Takes a tenth of a second for a large vocabulary.
    pub fn new(tokenizer: &Tokenizer) -> Result<GrammarMaker, GrammarError> {
        let count = tokenizer.token_count();
        let ends = tokenizer.end_of_generation();
        let Some(eos) = ends.first() else {
            return Err(GrammarError::Vocabulary("it has no token that ends an answer".into()));
        };
        if count > TOKENS_MAX {
            return Err(GrammarError::Vocabulary(format!("{count} tokens, at most {TOKENS_MAX} can be")));
        }
        let word = |id: u32| {
            let piece = tokenizer.piece(id);
            match tokenizer.kind(id) {
                _ if piece.len() > TOKEN_BYTES_MAX => Vec::new(),
                TokenKind::Unused => Vec::new(),
                TokenKind::Control => [&[TokTrie::SPECIAL_TOKEN_MARKER], &*piece].concat(),
                _ => piece.into_owned(),
            }
        };
        let words: Vec<Vec<u8>> = (0..count as u32).map(word).collect();
        let trie = TokTrie::from(&TokRxInfo::new(count as u32, *eos), &words).with_eos_tokens(ends);
        let environment: TokEnv = Arc::new(ApproximateTokEnv::new(trie));
        let slices = SlicedBiasComputer::general_slices();
        let mut factory = ParserFactory::new(&environment, InferenceCapabilities::default(), &slices)
            .map_err(|error| GrammarError::Vocabulary(error.to_string()))?;
        factory.quiet();
        factory.limits_mut().max_lexer_states = STATES_MAX;
        Ok(GrammarMaker { factory: Arc::new(factory), places: Arc::default() })
    }

    /// Refuses what cannot be enforced, or costs too much. Compiles on a thread of its own, whose stack is large enough for
    /// whatever is let through, and waits for it.
    pub fn make(&self, shape: &Constraint) -> Result<Grammar, GrammarError> {
        check(shape)?;
        let place = Places::take(&self.places)?;
        let (factory, shape) = (Arc::clone(&self.factory), shape.clone());
        let (sender, made) = channel();
        let compiling = std::thread::Builder::new().name("grammar".into()).stack_size(STACK_BYTES);
        let started = compiling.spawn(move || {
            let _ = sender.send(compile(&factory, &shape));
            drop(place);
        });
        started.map_err(|error| GrammarError::Unsupported(format!("no thread to compile it on: {error}")))?;
        made.recv_timeout(COMPILE_MAX).unwrap_or_else(|error| {
            Err(match error {
                RecvTimeoutError::Timeout => GrammarError::TooSlow(COMPILE_MAX),
                RecvTimeoutError::Disconnected => GrammarError::Unsupported("its compiler panicked".into()),
            })
        })
    }
}

fn compile(factory: &ParserFactory, shape: &Constraint) -> Result<Grammar, GrammarError> {
    let grammar = match shape {
        Constraint::JsonSchema(text) => TopLevelGrammar::from_json_schema(laid_out(parse(text)?)),
        Constraint::JsonObject => TopLevelGrammar::from_json_schema(laid_out(json!({"type": "object"}))),
        Constraint::Regex(regex) => TopLevelGrammar::from_regex(regex),
        Constraint::Lark(text) => TopLevelGrammar::from_lark(text.clone()),
    };
    let parser = factory.create_parser(grammar).map_err(failed)?;
    let mut grammar = Grammar { matcher: Matcher::new(Ok(parser)), mask: None };
    grammar.mask()?;
    Ok(grammar)
}

/// Counts what is being compiled.
#[derive(Default)]
struct Places {
    taken: Mutex<usize>,
    freed: Condvar,
}

struct Place(Arc<Places>);

impl Places {
    fn take(places: &Arc<Places>) -> Result<Place, GrammarError> {
        let taken = places.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |taken: &mut usize| *taken >= COMPILING_MAX;
        let (mut taken, waited) =
            places.freed.wait_timeout_while(taken, COMPILE_MAX, full).unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return Err(GrammarError::Busy(COMPILE_MAX));
        }
        *taken += 1;
        Ok(Place(Arc::clone(places)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *self.0.taken.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.freed.notify_one();
    }
}

/// An answer's way through a constraint.
pub struct Grammar {
    matcher: Matcher,
    /// Of the tokens that may come next, until one has.
    mask: Option<Vec<u32>>,
}

impl Grammar {
    /// The tokens that may come next, ends of generation among them where the answer may end: bit `t % 32` of word `t / 32`.
    pub fn mask(&mut self) -> Result<&[u32], GrammarError> {
        if self.mask.is_none() {
            let mask = self.matcher.compute_mask_or_eos().map_err(failed)?;
            if mask.is_zero() {
                return Err(GrammarError::Unsupported("nothing fits it: no token may come next".into()));
            }
            self.mask = Some(mask.into());
        }
        Ok(self.mask.as_deref().unwrap_or_default())
    }

    /// Takes note of the token that came. Says whether the answer is complete and nothing more may come.
    pub fn accept(&mut self, token: u32) -> Result<bool, GrammarError> {
        self.mask = None;
        self.matcher.consume_token(token).map_err(failed)?;
        Ok(self.matcher.is_stopped())
    }
}

fn failed(error: impl std::fmt::Display) -> GrammarError {
    GrammarError::Unsupported(first_lines(&error.to_string()))
}

/// The library appends its state, or where it panicked, to its messages.
fn first_lines(message: &str) -> String {
    let end = ["\n<state>", "\n<backtrace>"].iter().filter_map(|mark| message.find(mark)).min();
    let short: String = message[..end.unwrap_or(message.len())].chars().take(500).collect();
    match short.strip_prefix("panic: ") {
        Some(panic) => format!("the compiler of grammars cannot handle it ({})", panic.trim()),
        None => short.trim().trim_start_matches("Parser Error: ").to_owned(),
    }
}

/// On one line: a model must not be able to go on with white space for ever.
pub(crate) fn laid_out(mut schema: Json) -> Json {
    if let Json::Bool(true) = schema {
        schema = json!({});
    }
    if let Json::Object(object) = &mut schema {
        let layout = json!({"whitespace_flexible": false, "item_separator": ", ?", "key_separator": ": ?"});
        object.insert("x-guidance".into(), layout);
    }
    schema
}
