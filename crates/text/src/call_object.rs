//! `{"name": …, "arguments": …}` as it comes, character by character.

use crate::answer_parser::Part;

/// Reads one call of a tool written as a JSON object. The call is announced as soon as its name is known, and its
/// arguments are passed on as they come; until then everything is kept, in case it is no call.
#[derive(Debug, Default)]
pub(crate) struct CallObject {
    raw: String,
    step: Step,
    /// The key that is being read or was read last.
    key: String,
    value: Value,
    escaped: bool,
    announced: bool,
    /// Arguments that came before the name.
    held: Option<String>,
    has_arguments: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Step {
    #[default]
    Open,
    Key,
    KeyText,
    Colon,
    ValueStart,
    InValue,
    Next,
    Closed,
    Broken,
}

#[derive(Debug, Default)]
struct Value {
    kind: Kind,
    text: String,
    depth: usize,
    in_string: bool,
    escaped: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Scalar,
    String,
    Nested,
}

/// How far a call has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Going,
    Closed,
    /// This is no call; what came before it was announced is in `raw`.
    Broken,
}

impl CallObject {
    /// Takes the next character. `is_tool` says whether a name is to be believed.
    pub(crate) fn push(
        &mut self,
        c: char,
        is_tool: &dyn Fn(&str) -> bool,
        parts: &mut Vec<Part>,
    ) -> Progress {
        if !self.announced {
            self.raw.push(c);
        }
        self.step = self.next(c, is_tool, parts);
        if self.step == Step::Closed {
            if !self.announced {
                self.step = Step::Broken;
            } else if !self.has_arguments {
                parts.push(Part::Arguments("{}".into()));
            }
        }
        match self.step {
            Step::Closed => Progress::Closed,
            Step::Broken => Progress::Broken,
            _ => Progress::Going,
        }
    }

    pub(crate) fn is_announced(&self) -> bool {
        self.announced
    }

    /// What came before the call was announced.
    pub(crate) fn into_raw(self) -> String {
        self.raw
    }

    fn next(&mut self, c: char, is_tool: &dyn Fn(&str) -> bool, parts: &mut Vec<Part>) -> Step {
        let blank = c.is_ascii_whitespace();
        match self.step {
            Step::Open | Step::Key | Step::Colon | Step::ValueStart | Step::Next if blank => self.step,
            Step::Open if c == '{' => Step::Key,
            Step::Key if c == '"' => {
                self.key.clear();
                Step::KeyText
            }
            Step::Key | Step::Next if c == '}' => Step::Closed,
            Step::KeyText if c == '"' && !self.escaped => Step::Colon,
            Step::KeyText => {
                self.escaped = c == '\\' && !self.escaped;
                self.key.push(c);
                Step::KeyText
            }
            Step::Colon if c == ':' => Step::ValueStart,
            Step::ValueStart => {
                let kind = match c {
                    '"' => Kind::String,
                    '{' | '[' => Kind::Nested,
                    ',' | '}' | ']' | ':' => return Step::Broken,
                    _ => Kind::Scalar,
                };
                self.value = Value { kind, ..Value::default() };
                self.in_value(c, is_tool, parts)
            }
            Step::InValue => self.in_value(c, is_tool, parts),
            Step::Next if c == ',' => Step::Key,
            _ => Step::Broken,
        }
    }

    fn in_value(&mut self, c: char, is_tool: &dyn Fn(&str) -> bool, parts: &mut Vec<Part>) -> Step {
        let value = &mut self.value;
        if value.kind == Kind::Scalar && (c.is_ascii_whitespace() || matches!(c, ',' | '}')) {
            let step = self.end_value(is_tool, parts);
            return if step == Step::Next {
                self.step = Step::Next;
                self.next(c, is_tool, parts)
            } else {
                step
            };
        }
        if value.kind == Kind::Scalar {
            value.text.push(c);
            let plain = c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
            return if plain { Step::InValue } else { Step::Broken };
        }
        let streams = self.announced && is_arguments(&self.key) && value.kind == Kind::Nested;
        match (streams, parts.last_mut()) {
            (true, Some(Part::Arguments(text))) => text.push(c),
            (true, _) => parts.push(Part::Arguments(c.into())),
            (false, _) => value.text.push(c),
        }
        if value.in_string {
            let ends = c == '"' && !value.escaped;
            value.escaped = c == '\\' && !value.escaped;
            value.in_string = !ends;
        } else {
            match c {
                '"' => value.in_string = true,
                '{' | '[' => value.depth += 1,
                '}' | ']' => value.depth = value.depth.saturating_sub(1),
                _ => {}
            }
        }
        if value.depth == 0 && !value.in_string {
            return self.end_value(is_tool, parts);
        }
        Step::InValue
    }

    fn end_value(&mut self, is_tool: &dyn Fn(&str) -> bool, parts: &mut Vec<Part>) -> Step {
        let Value { kind, text, .. } = std::mem::take(&mut self.value);
        if is_arguments(&self.key) {
            let arguments = match kind {
                Kind::Nested => text,
                // Some models write the arguments' text as a string.
                Kind::String => serde_json::from_str(&text).unwrap_or(text),
                Kind::Scalar => "{}".to_owned(),
            };
            self.has_arguments = true;
            if !self.announced {
                self.held = Some(arguments);
            } else if !arguments.is_empty() {
                parts.push(Part::Arguments(arguments));
            }
        } else if self.key == "name" {
            let name = if kind == Kind::String { serde_json::from_str::<String>(&text).ok() } else { None };
            match name {
                Some(name) if !self.announced && is_tool(&name) => {
                    parts.push(Part::Call { name, id: None });
                    self.announced = true;
                    parts.extend(self.held.take().map(Part::Arguments));
                }
                _ => return Step::Broken,
            }
        }
        Step::Next
    }
}

fn is_arguments(key: &str) -> bool {
    matches!(key, "arguments" | "parameters")
}
