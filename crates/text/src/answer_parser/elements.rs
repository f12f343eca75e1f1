//! Arguments as elements within each other: `<key>value</key>`, every tag after a mark of its own (MiniMax M3).

use super::xml::Dialect;
use super::{AnswerParser, Found, Part, State, find, function_of, name_of};
use serde_json::Value as Json;

/// Before every tag.
const MARK: &str = "]<]minimax[>[";
/// What an element of a list is called.
const ITEM: &str = "item";

impl AnswerParser {
    pub(super) fn step_elements(
        &mut self,
        name: String,
        mut text: String,
        done: bool,
        parts: &mut Vec<Part>,
    ) -> bool {
        let Dialect { call_end, close, .. } = Dialect::of(self.format.calls);
        let marks = [*call_end, *close];
        match find(&self.input, &marks, done) {
            Found::Perhaps(end) => {
                text.extend(self.input.drain(..end));
                self.state = State::Elements { name, text };
                false
            }
            Found::At { start, mark } => {
                text.extend(self.input.drain(..start));
                self.input.drain(..marks[mark].len());
                parts.push(Part::Arguments(self.elements(&name, &text)));
                self.state = if mark == 0 { State::ObjectEnd } else { State::Content };
                true
            }
        }
    }

    /// The JSON text of the arguments, read by the tool's schema where it has one.
    pub(super) fn elements(&self, name: &str, text: &str) -> String {
        let tool = self.tools.iter().find(|tool| name_of(tool) == Some(name));
        let schema = tool.and_then(|tool| function_of(tool).get("parameters"));
        object(&children(text), schema).to_string()
    }
}

/// The elements that are not within another, with what they hold.
fn children(mut text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    while let Some((_, after)) = text.split_once(MARK) {
        let Some((tag, inner)) = after.strip_prefix('<').and_then(|tag| tag.split_once('>')) else {
            text = after;
            continue;
        };
        let (open, close) = (format!("{MARK}<{tag}>"), format!("{MARK}</{tag}>"));
        // An element of the same name within it has an end of its own.
        let (mut depth, mut at) = (1, 0);
        let end = loop {
            let Some(next) = inner[at..].find(&close).map(|next| at + next) else { break inner.len() };
            depth += inner[at..next].matches(&open).count();
            depth -= 1;
            if depth == 0 {
                break next;
            }
            at = next + close.len();
        };
        found.push((tag, &inner[..end]));
        text = inner[end..].strip_prefix(&*close).unwrap_or_default();
    }
    found
}

fn object(children: &[(&str, &str)], schema: Option<&Json>) -> Json {
    let of = |key: &str| schema?.get("properties")?.get(key);
    let entry = |(key, text): &(&str, &str)| ((*key).to_owned(), value(text, of(key)));
    Json::Object(children.iter().map(entry).collect())
}

fn value(text: &str, schema: Option<&Json>) -> Json {
    let kind = schema.and_then(|schema| schema.get("type")).and_then(Json::as_str);
    let children = children(text);
    let is_list = !children.is_empty() && children.iter().all(|(tag, _)| *tag == ITEM);
    match kind {
        Some("array") if is_list => {
            let of = schema.and_then(|schema| schema.get("items"));
            children.iter().map(|(_, text)| value(text, of)).collect()
        }
        Some("string") if children.is_empty() => text.into(),
        Some("object") if !children.is_empty() => object(&children, schema),
        None if is_list => children.iter().map(|(_, text)| value(text, None)).collect(),
        _ if !children.is_empty() => object(&children, schema),
        // What holds nothing is empty, whatever it is.
        Some("array") if text.trim().is_empty() => Json::Array(Vec::new()),
        Some("object") if text.trim().is_empty() => object(&[], None),
        _ => serde_json::from_str(text.trim()).unwrap_or_else(|_| text.into()),
    }
}
