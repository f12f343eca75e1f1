//! Calls as XML: `<function=name><parameter=key>value</parameter></function>`, and its kin.

use super::{AnswerParser, Found, HEADER_BYTES_MAX, Part, State, find, function_of, name_of};
use crate::answer_format::Calls;
use serde_json::Value as Json;

/// How a family writes such calls.
pub(super) struct Dialect {
    /// Before a call's name; nothing where the name follows what opens the call.
    pub function: &'static str,
    parameter: &'static str,
    /// Between a key and its value, perhaps with more before it that closes the key.
    key_end: &'static str,
    value_end: &'static str,
    pub call_end: &'static str,
    /// What closes one call or several.
    pub close: &'static str,
}

impl Dialect {
    pub(super) fn of(calls: Calls) -> &'static Dialect {
        match calls {
            Calls::Glm => &Dialect {
                function: "",
                parameter: "<arg_key>",
                key_end: "<arg_value>",
                value_end: "</arg_value>",
                call_end: "</tool_call>",
                close: "</tool_call>",
            },
            Calls::MiniMax => &Dialect {
                function: "<invoke name=",
                parameter: "<parameter name=",
                key_end: ">",
                value_end: "</parameter>",
                call_end: "</invoke>",
                close: "</minimax:tool_call>",
            },
            Calls::MiniMaxM3 => &Dialect {
                function: "]<]minimax[>[<invoke name=",
                parameter: "]<]minimax[>[<",
                key_end: ">",
                value_end: "]<]minimax[>[</",
                call_end: "]<]minimax[>[</invoke>",
                close: "]<]minimax[>[</tool_call>",
            },
            Calls::Dsml => &Dialect {
                function: "<｜DSML｜invoke name=",
                parameter: "<｜DSML｜parameter name=",
                key_end: ">",
                value_end: "</｜DSML｜parameter>",
                call_end: "</｜DSML｜invoke>",
                close: "</｜DSML｜function_calls>",
            },
            Calls::Seed => &Dialect { close: "</seed:tool_call>", ..QWEN },
            Calls::Xtml => &Dialect {
                function: "<|open|>call tool=",
                parameter: "<|open|>argument key=",
                key_end: "<|sep|>",
                value_end: "<|close|>argument<|sep|>",
                call_end: "<|close|>call<|sep|>",
                close: "<|close|>tools<|sep|>",
            },
            _ => &QWEN,
        }
    }
}

const QWEN: Dialect = Dialect {
    function: "<function=",
    parameter: "<parameter=",
    key_end: ">",
    value_end: "</parameter>",
    call_end: "</function>",
    close: "</tool_call>",
};

/// An attribute's text.
fn unescaped(text: String) -> String {
    text.replace("&quot;", "\"").replace("&amp;", "&")
}

/// A name without what may stand around it.
fn bare(text: &str) -> String {
    let text = text.split("</arg_key>").next().unwrap_or_default().trim();
    text.trim_matches(['"', '\'']).to_owned()
}

impl AnswerParser {
    pub(super) fn step_xml_name(&mut self, open: String, mut name: String, parts: &mut Vec<Part>) -> bool {
        if self.format.calls == Calls::Xtml {
            return self.step_xtml_name(open, name, parts);
        }
        let is_glm = self.format.calls == Calls::Glm;
        let ends = if is_glm { ['\n', '<'] } else { ['>', '>'] };
        match self.input.find(['>', '<', '\n']) {
            Some(end) if self.input[end..].starts_with(ends) => {
                // What follows a name at once is a mark of its own.
                let taken = if is_glm { end } else { end + 1 };
                name.extend(self.input.drain(..taken));
                let name = bare(name.trim_end_matches('>'));
                parts.push(Part::Call { name: name.clone(), id: None });
                self.call_began();
                if self.format.calls == Calls::MiniMaxM3 {
                    self.state = State::Elements { name, text: String::new() };
                    return true;
                }
                parts.push(Part::Arguments("{".into()));
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

    /// `"name" index="1"<|sep|>`
    fn step_xtml_name(&mut self, open: String, mut name: String, parts: &mut Vec<Part>) -> bool {
        name.push_str(&std::mem::take(&mut self.input));
        let Some((head, rest)) = name.split_once("<|sep|>") else {
            if name.len() > HEADER_BYTES_MAX {
                self.content(&(open + &name), parts);
                return true;
            }
            self.state = State::XmlName { open, name };
            return false;
        };
        self.input = rest.to_owned();
        let name = unescaped(bare(head.split("\" index=").next().unwrap_or_default()));
        parts.push(Part::Call { name: name.clone(), id: None });
        parts.push(Part::Arguments("{".into()));
        self.call_began();
        self.state = State::XmlBody { name, count: 0 };
        true
    }

    pub(super) fn step_xml_body(
        &mut self,
        name: String,
        count: usize,
        done: bool,
        parts: &mut Vec<Part>,
    ) -> bool {
        let Dialect { parameter, call_end, close, .. } = Dialect::of(self.format.calls);
        let marks = [*parameter, *call_end, *close, self.block()[0]];
        match find(&self.input, &marks, done) {
            Found::Perhaps(end) => {
                self.input.drain(..end);
                self.state = State::XmlBody { name, count };
                false
            }
            Found::At { start, mark } => {
                self.input.drain(..start + marks[mark].len());
                self.state = match mark {
                    0 | 3 => State::XmlParameter { name, count, key: None, text: String::new() },
                    _ => {
                        parts.push(Part::Arguments("}".into()));
                        if mark == 1 && call_end != close { State::ObjectEnd } else { State::Content }
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
        let &Dialect { parameter, key_end, value_end, call_end, .. } = Dialect::of(self.format.calls);
        let Some(key) = key else {
            return match find(&self.input, &[key_end], done) {
                Found::At { start, .. } => {
                    text.extend(self.input.drain(..start));
                    self.input.drain(..key_end.len());
                    let key = Some(bare(&text));
                    self.state = State::XmlParameter { name, count, key, text: String::new() };
                    true
                }
                Found::Perhaps(end) => {
                    text.extend(self.input.drain(..end));
                    self.state = State::XmlParameter { name, count, key: None, text };
                    false
                }
            };
        };
        // Some forget to close a parameter before the next.
        let marks = [value_end, self.block()[1], parameter, call_end];
        match find(&self.input, &marks, done) {
            Found::Perhaps(end) => {
                text.extend(self.input.drain(..end));
                self.state = State::XmlParameter { name, count, key: Some(key), text };
                false
            }
            Found::At { start, mark } => {
                text.extend(self.input.drain(..start));
                if mark < 2 {
                    self.input.drain(..marks[mark].len());
                }
                parts.push(Part::Arguments(self.xml_argument(&name, count, &key, &text)));
                self.state = State::XmlBody { name, count: count + 1 };
                true
            }
        }
    }

    /// Around all arguments in one object, which Kimi K3 may write in place of one after the other.
    fn block(&self) -> [&'static str; 2] {
        match self.format.calls {
            Calls::Xtml => ["<|open|>json", "<|close|>json<|sep|>"],
            calls => [Dialect::of(calls).parameter, Dialect::of(calls).value_end],
        }
    }

    /// `"key": value`, as the model says, or else the tool's schema.
    pub(super) fn xml_argument(&self, name: &str, count: usize, key: &str, text: &str) -> String {
        let is_xtml = self.format.calls == Calls::Xtml;
        // Of a block nothing but its kind is said.
        if is_xtml && (key.is_empty() || key.starts_with("type=\"")) {
            let object = serde_json::from_str::<serde_json::Map<String, Json>>(text).unwrap_or_default();
            let arguments =
                object.iter().map(|(key, value)| format!("{}: {value}", Json::from(key.as_str())));
            return arguments.collect::<Vec<_>>().join(", ");
        }
        let (key, told) = match (key.split_once("\" string=\""), key.split_once("\" type=\"")) {
            (Some((key, told)), _) => (key, Some(if told == "true" { "string" } else { "other" })),
            (None, Some((key, told))) if is_xtml => (key, Some(told)),
            _ => (key, None),
        };
        let key = if is_xtml { &unescaped(key.to_owned()) } else { key };
        let mut text = text;
        // Others have a line for each value.
        if !is_xtml {
            text = text.strip_prefix('\n').unwrap_or(text);
            text = text.strip_suffix('\n').unwrap_or(text);
        }
        let tool = self.tools.iter().find(|tool| name_of(tool) == Some(name));
        let kind = tool
            .and_then(|tool| function_of(tool).pointer("/parameters/properties")?.get(key)?.get("type"))
            .and_then(Json::as_str);
        let value = match told.or(kind) {
            Some("string") => None,
            _ => serde_json::from_str::<Json>(text.trim()).ok(),
        };
        let value = value.unwrap_or_else(|| text.into());
        let comma = if count > 0 { ", " } else { "" };
        format!("{comma}{}: {value}", Json::from(key))
    }
}
