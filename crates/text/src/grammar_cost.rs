//! Estimates what a grammar would cost to compile, and refuses those that cost too much.
//!
//! The compiler has limits of its own, but it recurses as deep as a schema's references go, and some of its steps take time and
//! memory that grow with a power of the input. What is let through here compiles in about a second at most, on a stack of
//! [`STACK_BYTES`].

use crate::grammar::GrammarError;
use regex_syntax::hir::{Hir, HirKind};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;
use tandem_dialogue::Constraint;

/// The text of a schema, pattern or grammar.
const BYTES_MAX: usize = 512 << 10;
/// JSON levels, along references too.
const DEPTH_MAX: usize = 256;
/// References that are no JSON pointers into the schema: how deep they lead is not known here.
const NAMED_REFS_MAX: usize = 64;
/// The compiler compares the properties of an object with each other: the sum over all objects.
const COMPARISONS_MAX: u64 = 2_000_000;
/// Comparing two patterns of names costs as much as comparing this many names.
const PATTERN_COMPARISONS: u64 = 1000;
/// Patterns that must hold together: the product of their lengths, with counted repetitions written out.
const TOGETHER_MAX: u64 = 1_000_000;
/// What a `format` counts for beside a pattern.
const FORMAT_LEN: u64 = 64;
/// Rules of a Lark grammar.
const RULES_MAX: usize = 20_000;
/// Enough for the deepest grammar that is let through. Only what is used takes memory.
pub(crate) const STACK_BYTES: usize = 256 << 20;

/// Refuses a shape that somebody outside asks for if it could take more than its share of time and memory.
pub fn check_constraint(shape: &Constraint) -> Result<(), GrammarError> {
    if let Constraint::Lark(text) = shape
        && has_intersection(text)
    {
        return Err(GrammarError::TooCostly(
            "it has an intersection (`&`), which can take unbounded time; write the rule without one".into(),
        ));
    }
    check(shape)
}

/// The same for shapes that were made here, which may be made of parts from outside.
pub(crate) fn check(shape: &Constraint) -> Result<(), GrammarError> {
    let (Constraint::JsonSchema(text) | Constraint::Regex(text) | Constraint::Lark(text)) = shape else {
        return Ok(());
    };
    if text.len() > BYTES_MAX {
        return Err(too_costly("bytes", text.len(), BYTES_MAX));
    }
    match shape {
        Constraint::JsonSchema(text) => check_schema(&parse(text)?),
        Constraint::Lark(text) => {
            let rules = text.lines().filter(|line| line.contains(':')).count();
            if rules > RULES_MAX {
                return Err(too_costly("rules", rules, RULES_MAX));
            }
            for (at, mark) in text.match_indices("%json") {
                let mut values = serde_json::Deserializer::from_str(&text[at + mark.len()..]).into_iter();
                // What is no JSON is the compiler's to refuse.
                if let Some(Ok(schema)) = values.next() {
                    check_schema(&schema)?;
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

pub(crate) fn parse(schema: &str) -> Result<Json, GrammarError> {
    serde_json::from_str(schema).map_err(|error| GrammarError::NoJson(error.to_string()))
}

fn check_schema(schema: &Json) -> Result<(), GrammarError> {
    Judge { root: schema, targets: HashMap::new(), named_refs: 0, comparisons: 0 }.judge(schema, 0).map(drop)
}

fn too_costly(what: &str, found: impl std::fmt::Display, most: impl std::fmt::Display) -> GrammarError {
    GrammarError::TooCostly(format!("it has {found} {what}, at most {most} are taken"))
}

/// Whether a Lark grammar has an `&` outside of strings, patterns and comments.
fn has_intersection(text: &str) -> bool {
    text.lines().any(|line| {
        let mut inside = None;
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match (inside, c) {
                (Some(_), '\\') => _ = chars.next(),
                (Some(quote), _) if quote == c => inside = None,
                (None, '"' | '/') if c == '"' || chars.peek() != Some(&'/') => inside = Some(c),
                (None, '/' | '#') => return false,
                (None, '&') => return true,
                _ => {}
            }
        }
        false
    })
}

/// Walks a schema once, every target of a reference once.
struct Judge<'a> {
    root: &'a Json,
    /// By reference; nothing while it is being walked.
    targets: HashMap<&'a str, Option<Cost>>,
    named_refs: usize,
    comparisons: u64,
}

#[derive(Clone, Copy)]
struct Cost {
    /// Levels below.
    height: usize,
    /// The length of the longest pattern, or the product of those that must hold together.
    patterns: u64,
}

impl Cost {
    const NONE: Cost = Cost { height: 0, patterns: 1 };

    fn or(self, other: Cost) -> Cost {
        Cost { height: self.height.max(other.height), patterns: self.patterns.max(other.patterns) }
    }
}

impl<'a> Judge<'a> {
    fn judge(&mut self, schema: &'a Json, depth: usize) -> Result<Cost, GrammarError> {
        if depth > DEPTH_MAX {
            return Err(too_costly("or more levels, counted along its references", depth, DEPTH_MAX));
        }
        let below = match schema {
            Json::Array(items) => self.any_of(items.iter(), depth)?,
            Json::Object(keywords) => self.keywords(keywords, depth)?,
            _ => return Ok(Cost::NONE),
        };
        let height = below.height + 1;
        Ok(Cost { height, ..below })
    }

    fn any_of(
        &mut self,
        schemas: impl Iterator<Item = &'a Json>,
        depth: usize,
    ) -> Result<Cost, GrammarError> {
        schemas.map(|schema| self.judge(schema, depth + 1)).try_fold(Cost::NONE, |all, one| Ok(all.or(one?)))
    }

    fn keywords(&mut self, keywords: &'a Map<String, Json>, depth: usize) -> Result<Cost, GrammarError> {
        // What holds for the value itself, all together; and what holds for its parts.
        let mut together = Vec::new();
        let mut parts = Cost::NONE;
        for (keyword, value) in keywords {
            match (keyword.as_str(), value) {
                ("$ref", Json::String(target)) => together.push(self.target(target, depth)?),
                ("allOf", Json::Array(schemas)) => {
                    for schema in schemas {
                        together.push(self.judge(schema, depth + 1)?);
                    }
                }
                ("anyOf" | "oneOf", Json::Array(schemas)) => {
                    together.push(self.any_of(schemas.iter(), depth)?);
                }
                ("pattern", Json::String(pattern)) => {
                    together.push(Cost { height: 0, patterns: pattern_len(pattern) });
                }
                ("format", Json::String(_)) if keywords.contains_key("pattern") => {
                    together.push(Cost { height: 0, patterns: FORMAT_LEN });
                }
                // Walked where they are referred to.
                ("$defs" | "definitions", _) | ("enum" | "const" | "default" | "examples", _) => {}
                ("patternProperties", Json::Object(schemas)) => {
                    self.compare(schemas.len() as u64, PATTERN_COMPARISONS)?;
                    let names = schemas.keys().map(|name| pattern_len(name)).max().unwrap_or(1);
                    hold_together(&[names, names])?;
                    parts = parts.or(self.any_of(schemas.values(), depth)?);
                }
                ("properties", Json::Object(schemas)) => {
                    self.compare(schemas.len() as u64, 1)?;
                    parts = parts.or(self.any_of(schemas.values(), depth)?);
                }
                (_, value) => parts = parts.or(self.judge(value, depth + 1)?),
            }
        }
        let height = together.iter().fold(parts.height, |height, cost| height.max(cost.height));
        let mut lengths: Vec<u64> = together.iter().map(|cost| cost.patterns).collect();
        if lengths.len() < 2 {
            let patterns = lengths.first().copied().unwrap_or(1).max(parts.patterns);
            return Ok(Cost { height, patterns });
        }
        // Parts of the value may have patterns from several of these.
        lengths.push(parts.patterns);
        Ok(Cost { height, patterns: hold_together(&lengths)? })
    }

    fn target(&mut self, reference: &'a str, depth: usize) -> Result<Cost, GrammarError> {
        let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
        let Some(target) = target else {
            self.named_refs += 1;
            if self.named_refs > NAMED_REFS_MAX {
                return Err(too_costly(
                    "references that are no JSON pointers into it",
                    self.named_refs,
                    NAMED_REFS_MAX,
                ));
            }
            return Ok(Cost::NONE);
        };
        let cost = match self.targets.get(reference) {
            // Around again: that costs no more.
            Some(None) => Cost::NONE,
            Some(Some(known)) => *known,
            None => {
                self.targets.insert(reference, None);
                let cost = self.judge(target, depth + 1)?;
                self.targets.insert(reference, Some(cost));
                cost
            }
        };
        match depth + cost.height {
            levels if levels > DEPTH_MAX => {
                Err(too_costly("or more levels, counted along its references", levels, DEPTH_MAX))
            }
            _ => Ok(cost),
        }
    }

    fn compare(&mut self, names: u64, each: u64) -> Result<(), GrammarError> {
        self.comparisons = self.comparisons.saturating_add(names.saturating_mul(names).saturating_mul(each));
        match self.comparisons {
            comparisons if comparisons > COMPARISONS_MAX => Err(GrammarError::TooCostly(format!(
                "it has too many properties: the squares of their numbers, over all objects, add up to {comparisons}, at \
                 most {COMPARISONS_MAX} are taken (a pattern of names counts as {PATTERN_COMPARISONS})"
            ))),
            _ => Ok(()),
        }
    }
}

/// The product of patterns' lengths.
fn hold_together(lengths: &[u64]) -> Result<u64, GrammarError> {
    let product = lengths.iter().fold(1u64, |product, len| product.saturating_mul((*len).max(1)));
    if product > TOGETHER_MAX && lengths.iter().filter(|len| **len > 1).count() > 1 {
        return Err(GrammarError::TooCostly(format!(
            "patterns that must hold together are too long: the product of their lengths, with counted repetitions \
             written out, may be {TOGETHER_MAX} at most"
        )));
    }
    Ok(product)
}

/// The length of a pattern with its counted repetitions written out.
fn pattern_len(pattern: &str) -> u64 {
    fn len(hir: &Hir) -> u64 {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => 0,
            HirKind::Literal(literal) => literal.0.len() as u64,
            HirKind::Class(_) => 1,
            HirKind::Repetition(repetition) => {
                let times = u64::from(repetition.max.unwrap_or(repetition.min)).max(1);
                len(&repetition.sub).saturating_mul(times)
            }
            HirKind::Capture(capture) => len(&capture.sub),
            HirKind::Concat(parts) | HirKind::Alternation(parts) => {
                parts.iter().map(len).fold(0, u64::saturating_add)
            }
        }
    }
    // One that cannot be read is refused by the compiler.
    regex_syntax::parse(pattern).map_or(1, |hir| len(&hir).max(1))
}
