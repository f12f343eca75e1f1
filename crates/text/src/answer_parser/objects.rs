//! Calls as JSON objects: Hermes, Llama 3, Mistral's lists, or nothing but the object.

use super::xml::Dialect;
use super::{AnswerParser, Part, State, name_of};
use crate::answer_format::Calls;
use crate::call_object::{CallObject, Progress};

/// What Gemma writes before the name of a tool.
const BARE_CALL: &str = "call:";

impl AnswerParser {
    /// White space, then whatever the format has.
    pub(super) fn step_call_start(&mut self, mut open: String, done: bool, parts: &mut Vec<Part>) -> bool {
        let blank = self.input.len() - self.input.trim_start().len();
        open.extend(self.input.drain(..blank));
        let Some(first) = self.input.chars().next() else {
            self.state = State::CallStart { open };
            return false;
        };
        let function = Dialect::of(self.format.calls).function;
        let is_xml = matches!(
            self.format.calls,
            Calls::Tagged
                | Calls::Xml
                | Calls::MiniMax
                | Calls::MiniMaxM3
                | Calls::Dsml
                | Calls::Seed
                | Calls::Xtml
        );
        match (self.format.calls, first) {
            (Calls::MistralList | Calls::MistralArgs, '[') if open.trim_end().ends_with("[TOOL_CALLS]") => {
                open.push(self.input.remove(0));
                self.state = State::CallStart { open };
            }
            (_, '{') => self.state = State::Object { open, object: Box::default() },
            (Calls::MistralList | Calls::MistralArgs, c) if c.is_alphanumeric() || c == '_' => {
                self.state = State::Header { open, head: String::new() };
            }
            // The name follows at once.
            (Calls::Glm, c) if c.is_alphanumeric() || c == '_' => {
                self.state = State::XmlName { open, name: String::new() };
            }
            (Calls::Gemma, 'c') if self.input.starts_with(BARE_CALL) => {
                open.extend(self.input.drain(..BARE_CALL.len()));
                self.state = State::Header { open, head: String::new() };
            }
            (Calls::Gemma, 'c') if BARE_CALL.starts_with(&self.input) && !done => {
                self.state = State::CallStart { open };
                return false;
            }
            _ if is_xml && self.input.starts_with(function) => {
                open.extend(self.input.drain(..function.len()));
                self.state = State::XmlName { open, name: String::new() };
            }
            _ if is_xml && function.starts_with(&self.input) && !done => {
                self.state = State::CallStart { open };
                return false;
            }
            _ => self.content(&open, parts),
        }
        true
    }

    pub(super) fn step_object(
        &mut self,
        open: String,
        mut object: Box<CallObject>,
        parts: &mut Vec<Part>,
    ) -> bool {
        // Without a mark before it, an object is a call only if it names a tool.
        let bare =
            matches!(self.format.calls, Calls::Plain | Calls::Llama) && !open.contains("<|python_tag|>");
        let tools = &self.tools;
        let is_tool = |name: &str| !bare || tools.iter().any(|tool| name_of(tool) == Some(name));
        let first = parts.len();
        let mut rest = self.input.char_indices();
        let progress = loop {
            match rest.next().map(|(_, c)| object.push(c, &is_tool, parts)) {
                None => break Progress::Going,
                Some(Progress::Going) => {}
                Some(end) => break end,
            }
        };
        let taken = self.input.len() - rest.as_str().len();
        let taken: String = self.input.drain(..taken).collect();
        if parts[first..].iter().any(|part| matches!(part, Part::Call { .. })) {
            self.call_began();
        }
        match progress {
            Progress::Going => self.state = State::Object { open, object },
            Progress::Closed => self.state = State::ObjectEnd,
            Progress::Broken if object.is_announced() => {
                // Too late to take the call back: what remains is shown as it is.
                let last = taken.chars().next_back().map(String::from).unwrap_or_default();
                parts.push(Part::Arguments(last));
            }
            Progress::Broken => self.content(&(open + &object.into_raw()), parts),
        }
        true
    }

    /// What may stand between or behind objects is dropped; anything else is content again.
    pub(super) fn step_object_end(&mut self, done: bool) -> bool {
        let closers: &[&str] = match self.format.calls {
            Calls::Tagged | Calls::Xml | Calls::Glm => &["</tool_call>"],
            Calls::MiniMax => &["</minimax:tool_call>", "<invoke name="],
            Calls::MiniMaxM3 => &["]<]minimax[>[</tool_call>", "]<]minimax[>[<invoke name="],
            Calls::Dsml => &["</｜DSML｜function_calls>", "<｜DSML｜invoke name="],
            Calls::Seed => &["</seed:tool_call>"],
            Calls::Xtml => &["<|close|>tools<|sep|>", "<|open|>call tool="],
            Calls::Gemma => &["<tool_call|>"],
            Calls::Plain => &["```"],
            Calls::Llama => &["```", ";", "<|python_tag|>"],
            Calls::MistralList | Calls::MistralArgs => &["]", ","],
            _ => &[],
        };
        let text = self.input.trim_start();
        if text.is_empty() {
            self.input.clear();
            self.state = State::ObjectEnd;
            return false;
        }
        if let Some(closer) = closers.iter().find(|closer| text.starts_with(**closer)) {
            let taken = self.input.len() - text.len() + closer.len();
            self.input.drain(..taken);
            self.state = match *closer {
                "," | ";" | "<|python_tag|>" => State::CallStart { open: String::new() },
                "<invoke name="
                | "]<]minimax[>[<invoke name="
                | "<｜DSML｜invoke name="
                | "<|open|>call tool=" => State::XmlName { open: (*closer).to_owned(), name: String::new() },
                "```" | "]" => State::ObjectEnd,
                _ => State::Content,
            };
            return true;
        }
        if closers.iter().any(|closer| closer.starts_with(text)) && !done {
            self.state = State::ObjectEnd;
            return false;
        }
        self.state = State::Content;
        true
    }
}
