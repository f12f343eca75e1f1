//! Calls as a name, then the text of the arguments: DeepSeek, Kimi, Mistral, Gemma.

use super::{AnswerParser, Found, HEADER_BYTES_MAX, Part, State, find};
use crate::answer_format::Calls;

impl AnswerParser {
    pub(super) fn step_section(&mut self, done: bool, parts: &mut Vec<Part>) -> bool {
        let marks: &[&str] = match self.format.calls {
            Calls::Kimi => &["<|tool_call_begin|>", "<|tool_calls_section_end|>"],
            _ => &["<｜tool▁call▁begin｜>", "<｜tool▁calls▁end｜>"],
        };
        match find(&self.input, marks, done) {
            Found::Perhaps(end) => {
                let text: String = self.input.drain(..end).collect();
                self.between_calls(&text, parts);
                self.state = State::Section;
                false
            }
            Found::At { start, mark } => {
                let text: String = self.input.drain(..start).collect();
                self.between_calls(&text, parts);
                let open: String = self.input.drain(..marks[mark].len()).collect();
                if mark == 0 {
                    self.state = State::Header { open, head: String::new() };
                }
                true
            }
        }
    }

    /// Layout is dropped, words are not.
    fn between_calls(&mut self, text: &str, parts: &mut Vec<Part>) {
        if !text.trim().is_empty() {
            self.content(text, parts);
        }
    }

    pub(super) fn step_header(
        &mut self,
        open: String,
        mut head: String,
        done: bool,
        parts: &mut Vec<Part>,
    ) -> bool {
        let marks: &[&str] = match self.format.calls {
            Calls::Kimi => &["<|tool_call_argument_begin|>", "<|tool_call_end|>"],
            Calls::MistralList | Calls::MistralArgs => &["[ARGS]", "{", "[CALL_ID]", "[TOOL_CALLS]"],
            Calls::Gemma => &["{", "<tool_call|>"],
            _ if head.is_empty() => &["<｜tool▁sep｜>", "<｜tool▁call▁end｜>"],
            // The name is on the line after `function<｜tool▁sep｜>`.
            _ => &["\n", "<｜tool▁call▁end｜>"],
        };
        let (start, mark) = match find(&self.input, marks, done) {
            Found::Perhaps(_) => {
                // A header is short: it is kept until it is whole.
                let whole = done || self.input.len() > HEADER_BYTES_MAX;
                if whole {
                    let text = open + &head + &std::mem::take(&mut self.input);
                    self.content(&text, parts);
                } else {
                    self.state = State::Header { open, head };
                }
                return whole;
            }
            Found::At { start, mark } => (start, marks[mark]),
        };
        let text: String = self.input.drain(..start).collect();
        match mark {
            "{" => {}
            _ => drop(self.input.drain(..mark.len())),
        }
        if mark == "<｜tool▁sep｜>" && text.trim() == "function" {
            head.push_str("function");
            self.state = State::Header { open: open + &text + mark, head };
            return true;
        }
        if mark == "[CALL_ID]" {
            // The id is dropped; `[ARGS]` follows it.
            if let Found::At { start, .. } = find(&self.input, &["[ARGS]"], true) {
                self.input.drain(..start);
                self.input.insert_str(0, &text);
                self.state = State::Header { open, head };
                return true;
            }
            self.input.insert_str(0, &(text + mark));
            self.state = State::Header { open, head };
            return false;
        }
        let ended =
            matches!(mark, "<|tool_call_end|>" | "<｜tool▁call▁end｜>" | "[TOOL_CALLS]" | "<tool_call|>");
        let name = text.trim();
        if name.is_empty() || ended {
            self.content(&(open + &head + &text), parts);
            if mark == "[TOOL_CALLS]" {
                self.input.insert_str(0, mark);
            } else if mark == "<tool_call|>" {
                self.content(mark, parts);
            } else if ended {
                self.state = State::Section;
            }
            return true;
        }
        let (name, id) = match self.format.calls {
            Calls::Kimi => (kimi_name(name), Some(name.to_owned())),
            _ => (name, None),
        };
        parts.push(Part::Call { name: name.to_owned(), id });
        self.call_began();
        self.state = match self.format.calls {
            Calls::Gemma => State::BareArguments(Box::default()),
            _ => State::Arguments { fenced: mark == "\n", any: false },
        };
        true
    }

    pub(super) fn step_arguments(
        &mut self,
        fenced: bool,
        any: bool,
        done: bool,
        parts: &mut Vec<Part>,
    ) -> bool {
        if fenced && !any {
            const FENCE: &str = "```json\n";
            if FENCE.starts_with(&self.input) && self.input != FENCE && !done {
                self.state = State::Arguments { fenced, any };
                return false;
            }
            if self.input.starts_with(FENCE) {
                self.input.drain(..FENCE.len());
            }
            self.state = State::Arguments { fenced, any: true };
            return true;
        }
        let marks: &[&str] = match self.format.calls {
            Calls::Kimi => &["<|tool_call_end|>", "<|tool_calls_section_end|>"],
            Calls::MistralList | Calls::MistralArgs => &["[TOOL_CALLS]"],
            _ if fenced => &["\n```<｜tool▁call▁end｜>", "```<｜tool▁call▁end｜>", "<｜tool▁call▁end｜>"],
            _ => &["<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"],
        };
        let found = find(&self.input, marks, done);
        let (end, ended) = match found {
            Found::At { start, mark } => (start, Some(marks[mark])),
            Found::Perhaps(end) => (end, None),
        };
        let text: String = self.input.drain(..end).collect();
        let any = any || !text.is_empty();
        if !text.is_empty() {
            parts.push(Part::Arguments(text));
        }
        match ended {
            None => {
                self.state = State::Arguments { fenced, any };
                false
            }
            Some(mark) => {
                if !any {
                    parts.push(Part::Arguments("{}".into()));
                }
                match mark {
                    // These also end what is around them.
                    "[TOOL_CALLS]" | "<|tool_calls_section_end|>" | "<｜tool▁calls▁end｜>" => {}
                    _ => drop(self.input.drain(..mark.len())),
                }
                if mark != "[TOOL_CALLS]" {
                    self.state = State::Section;
                }
                true
            }
        }
    }
}

/// `functions.name:0` names `name`.
fn kimi_name(id: &str) -> &str {
    let name = id.strip_prefix("functions.").unwrap_or(id);
    match name.rsplit_once(':') {
        Some((name, index)) if index.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    }
}
