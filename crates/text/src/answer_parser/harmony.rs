//! Messages on channels, as gpt-oss writes them: thoughts, content and calls alike.

use super::{AnswerParser, Body, Found, HEADER_BYTES_MAX, Part, State, find};

impl AnswerParser {
    /// Harmony: `<|channel|>name to=functions.tool<|constrain|>json<|message|>`.
    pub(super) fn step_channel(&mut self, mut head: String, done: bool, parts: &mut Vec<Part>) -> bool {
        let found = find(&self.input, &["<|message|>"], done);
        let Found::At { start, .. } = found else {
            if done || self.input.len() + head.len() > HEADER_BYTES_MAX {
                head.push_str(&std::mem::take(&mut self.input));
                self.state = State::Channel { head: String::new() };
                if !head.trim().is_empty() && !head.contains("<|channel|>") && !head.contains("<|start|>") {
                    self.content(&head, parts);
                }
                return false;
            }
            self.state = State::Channel { head };
            return false;
        };
        head.extend(self.input.drain(..start));
        self.input.drain(.."<|message|>".len());
        let recipient = head.split("to=").nth(1).map(|rest| {
            let end = rest.find(|c: char| c.is_whitespace() || c == '<').unwrap_or(rest.len());
            rest[..end].to_owned()
        });
        let channel = head.split("<|channel|>").nth(1).map(str::trim_start).unwrap_or_default();
        let body = match recipient {
            Some(name) if !self.tools.is_empty() => {
                let name = name.strip_prefix("functions.").unwrap_or(&name).to_owned();
                parts.push(Part::Call { name, id: None });
                self.call_began();
                self.begun = true;
                Body::Arguments
            }
            _ if channel.starts_with("analysis") => Body::Thoughts,
            _ => Body::Content,
        };
        self.state = State::Message { body };
        true
    }

    pub(super) fn step_message(&mut self, body: Body, done: bool, parts: &mut Vec<Part>) -> bool {
        let marks = ["<|end|>", "<|call|>", "<|return|>", "<|start|>", "<|channel|>"];
        let (end, ended) = match find(&self.input, &marks, done) {
            Found::At { start, mark } => (start, Some(mark)),
            Found::Perhaps(end) => (end, None),
        };
        let text: String = self.input.drain(..end).collect();
        match body {
            _ if text.is_empty() => {}
            Body::Content => self.content(&text, parts),
            Body::Thoughts => self.thought(&text, parts),
            Body::Arguments => parts.push(Part::Arguments(text)),
        }
        match ended {
            None => {
                self.state = State::Message { body };
                false
            }
            Some(mark) => {
                if mark < 3 {
                    self.input.drain(..marks[mark].len());
                }
                self.blank_thought.clear();
                self.state = State::Channel { head: String::new() };
                true
            }
        }
    }
}
