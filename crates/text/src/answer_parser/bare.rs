//! Arguments in Gemma's notation: bare keys, and texts between quotes that are a token of their own.

use super::{AnswerParser, Found, Part, State, find};
use serde_json::Value as Json;

/// What a text is put between.
pub(crate) const QUOTE: &str = "<|\"|>";

/// Reads `{key:<|"|>text<|"|>,list:[1,2]}` as it comes and writes it as JSON.
#[derive(Debug, Default)]
pub(super) struct BareObject {
    /// The objects and lists that are open, and whether they have a member yet.
    open: Vec<(Bracket, bool)>,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bracket {
    Object,
    List,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Step {
    Key,
    #[default]
    Value,
    Text,
    /// After a value.
    Next,
    /// The outermost object is closed, or what came belongs to none.
    Ended,
}

impl AnswerParser {
    pub(super) fn step_bare_arguments(
        &mut self,
        mut object: Box<BareObject>,
        done: bool,
        parts: &mut Vec<Part>,
    ) -> bool {
        let mut json = String::new();
        while object.step != Step::Ended && object.read(&mut self.input, done, &mut json) {}
        if !json.is_empty() {
            parts.push(Part::Arguments(json));
        }
        let ended = object.step == Step::Ended;
        self.state = if ended { State::ObjectEnd } else { State::BareArguments(object) };
        ended
    }
}

impl BareObject {
    /// Takes what is certain from the front of `input`; false when it needs more.
    fn read(&mut self, input: &mut String, done: bool, json: &mut String) -> bool {
        if self.step == Step::Text {
            return self.text(input, done, json);
        }
        let blank = input.len() - input.trim_start().len();
        input.drain(..blank);
        let Some(first) = input.chars().next() else { return false };
        let quoted = input.starts_with(QUOTE);
        if !quoted && QUOTE.starts_with(input.as_str()) && !done {
            return false;
        }
        match (self.step, first) {
            // Marks stand for themselves wherever they are; none but the quote belongs here.
            _ if first == '<' && !quoted => self.end(json),
            (Step::Key | Step::Next, ',') => {
                self.step = if self.is_list() { Step::Value } else { Step::Key };
                input.remove(0);
            }
            (Step::Key | Step::Next, '}') | (Step::Next, ']') => {
                input.remove(0);
                self.close(json);
            }
            (Step::Value, ']') if self.is_list() => {
                input.remove(0);
                self.close(json);
            }
            (Step::Key, _) => return self.key(input, quoted, json),
            (Step::Value, '{' | '[') => {
                self.member(json);
                json.push(first);
                let bracket = if first == '{' { Bracket::Object } else { Bracket::List };
                self.step = if first == '{' { Step::Key } else { Step::Value };
                self.open.push((bracket, false));
                input.remove(0);
            }
            (Step::Value, _) if quoted => {
                self.member(json);
                json.push('"');
                self.step = Step::Text;
                input.drain(..QUOTE.len());
            }
            (Step::Value, _) => return self.scalar(input, done, json),
            _ => self.end(json),
        }
        true
    }

    /// `key:`
    fn key(&mut self, input: &mut String, quoted: bool, json: &mut String) -> bool {
        let after = if quoted { QUOTE.len() } else { 0 };
        let name_end = if quoted { input[after..].find(QUOTE).map(|end| after + end) } else { Some(0) };
        let Some(colon) = name_end.and_then(|end| input[end..].find([':', '}']).map(|at| end + at)) else {
            return false;
        };
        if input[colon..].starts_with('}') {
            self.end(json);
            return true;
        }
        let name = input[..colon].trim();
        let name = name.strip_prefix(QUOTE).and_then(|name| name.strip_suffix(QUOTE)).unwrap_or(name);
        let name = Json::from(name).to_string();
        self.comma(json);
        json.push_str(&name);
        json.push_str(": ");
        input.drain(..=colon);
        self.step = Step::Value;
        true
    }

    /// A number, `true`, `false` or `null`; anything else is taken for a text without quotes.
    fn scalar(&mut self, input: &mut String, done: bool, json: &mut String) -> bool {
        let Some(end) = input.find([',', '}', ']', '<']).or(done.then_some(input.len())) else {
            return false;
        };
        let text: String = input.drain(..end).collect();
        let value = match text.trim() {
            "None" => Json::Null,
            text => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
        };
        self.member(json);
        json.push_str(&value.to_string());
        self.step = Step::Next;
        true
    }

    fn text(&mut self, input: &mut String, done: bool, json: &mut String) -> bool {
        let (end, ended) = match find(input, &[QUOTE], done) {
            Found::At { start, .. } => (start, true),
            Found::Perhaps(end) => (end, false),
        };
        let text: String = input.drain(..end).collect();
        let text = Json::from(text).to_string();
        json.push_str(&text[1..text.len() - 1]);
        if ended {
            input.drain(..QUOTE.len());
            json.push('"');
            self.step = Step::Next;
        }
        ended
    }

    /// What stands before a value: in an object, its key has the comma.
    fn member(&mut self, json: &mut String) {
        if self.is_list() {
            self.comma(json);
        }
    }

    fn is_list(&self) -> bool {
        matches!(self.open.last(), Some((Bracket::List, _)))
    }

    fn comma(&mut self, json: &mut String) {
        if let Some((_, any)) = self.open.last_mut()
            && std::mem::replace(any, true)
        {
            json.push_str(", ");
        }
    }

    /// Closes what was opened last, whichever bracket it was closed with.
    fn close(&mut self, json: &mut String) {
        let bracket = self.open.pop().map(|(bracket, _)| if bracket == Bracket::List { ']' } else { '}' });
        json.extend(bracket);
        self.step = if self.open.is_empty() { Step::Ended } else { Step::Next };
    }

    /// What comes is no part of the arguments.
    fn end(&mut self, json: &mut String) {
        if self.step == Step::Value && !self.is_list() {
            json.push_str("null");
        }
        while self.step != Step::Ended {
            self.close(json);
        }
    }
}
