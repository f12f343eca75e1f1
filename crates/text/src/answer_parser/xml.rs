//! Calls as XML: `<function=name><parameter=key>value</parameter></function>`.

use super::{AnswerParser, Found, Part, State, find, function_of, name_of};
use serde_json::Value as Json;

impl AnswerParser {
    pub(super) fn step_xml_name(&mut self, open: String, mut name: String, parts: &mut Vec<Part>) -> bool {
        match self.input.find(['>', '<', '\n']) {
            Some(end) if self.input[end..].starts_with('>') => {
                name.extend(self.input.drain(..=end));
                name.pop();
                parts.push(Part::Call { name: name.clone(), id: None });
                parts.push(Part::Arguments("{".into()));
                self.call_began();
                self.state = State::XmlBody { name, count: 0 };
                true
            }
            Some(_) => {
                self.content(&(open + &name), parts);
                true
            }
            None => {
                name.push_str(&std::mem::take(&mut self.input));
                self.state = State::XmlName { open, name };
                false
            }
        }
    }

    pub(super) fn step_xml_body(
        &mut self,
        name: String,
        count: usize,
        done: bool,
        parts: &mut Vec<Part>,
    ) -> bool {
        let marks = ["<parameter=", "</function>", "</tool_call>"];
        match find(&self.input, &marks, done) {
            Found::Perhaps(end) => {
                self.input.drain(..end);
                self.state = State::XmlBody { name, count };
                false
            }
            Found::At { start, mark } => {
                self.input.drain(..start + marks[mark].len());
                self.state = match mark {
                    0 => State::XmlParameter { name, count, key: None, text: String::new() },
                    _ => {
                        parts.push(Part::Arguments("}".into()));
                        if mark == 1 { State::ObjectEnd } else { State::Content }
                    }
                };
                true
            }
        }
    }

    pub(super) fn step_xml_parameter(
        &mut self,
        name: String,
        count: usize,
        key: Option<String>,
        mut text: String,
        done: bool,
        parts: &mut Vec<Part>,
    ) -> bool {
        let Some(key) = key else {
            return match self.input.find('>') {
                Some(end) => {
                    text.extend(self.input.drain(..=end));
                    text.pop();
                    self.state = State::XmlParameter { name, count, key: Some(text), text: String::new() };
                    true
                }
                None => {
                    text.push_str(&std::mem::take(&mut self.input));
                    self.state = State::XmlParameter { name, count, key: None, text };
                    false
                }
            };
        };
        // Some forget to close a parameter before the next.
        let marks = ["</parameter>", "<parameter=", "</function>"];
        match find(&self.input, &marks, done) {
            Found::Perhaps(end) => {
                text.extend(self.input.drain(..end));
                self.state = State::XmlParameter { name, count, key: Some(key), text };
                false
            }
            Found::At { start, mark } => {
                text.extend(self.input.drain(..start));
                if mark == 0 {
                    self.input.drain(..marks[0].len());
                }
                parts.push(Part::Arguments(self.xml_argument(&name, count, &key, &text)));
                self.state = State::XmlBody { name, count: count + 1 };
                true
            }
        }
    }

    /// `"key": value`, as the tool's schema has it.
    pub(super) fn xml_argument(&self, name: &str, count: usize, key: &str, text: &str) -> String {
        let text = text.strip_prefix('\n').unwrap_or(text);
        let text = text.strip_suffix('\n').unwrap_or(text);
        let tool = self.tools.iter().find(|tool| name_of(tool) == Some(name));
        let kind = tool
            .and_then(|tool| function_of(tool).pointer("/parameters/properties")?.get(key)?.get("type"))
            .and_then(Json::as_str);
        let value = match kind {
            Some("string") => None,
            _ => serde_json::from_str::<Json>(text.trim()).ok(),
        };
        let value = value.unwrap_or_else(|| text.into());
        let comma = if count > 0 { ", " } else { "" };
        format!("{comma}{}: {value}", Json::from(key))
    }
}
