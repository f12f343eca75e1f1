//! A conversation, as a chat template sees it.

use crate::python_json::python_text;
use serde_json::{Map, Value, json};
use tandem_dialogue::{Content, Message, Part, ToolCall};

/// How a template wants to be told of calls; families differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallStyle {
    /// The arguments' JSON text, where most want the value.
    pub(crate) arguments_as_text: bool,
    /// A message with calls and no words has no content, instead of an empty one.
    pub(crate) empty_as_null: bool,
}

impl CallStyle {
    /// The likeliest first.
    pub(crate) const ALL: [CallStyle; 4] = {
        const fn style(arguments_as_text: bool, empty_as_null: bool) -> CallStyle {
            CallStyle { arguments_as_text, empty_as_null }
        }
        [style(false, true), style(false, false), style(true, true), style(true, false)]
    };
}

/// The object templates expect. What is absent has no key: templates ask whether keys exist. Parts that are all
/// text become one string, which every template takes and few take lists.
pub(crate) fn message_json(message: &Message, style: CallStyle) -> Value {
    let mut object = Map::new();
    // gpt-oss reads the thoughts under this name, the others under `reasoning_content`.
    if let Some(reasoning) = &message.reasoning {
        object.insert("thinking".into(), reasoning.as_str().into());
    }
    object.insert("role".into(), message.role.name().into());
    let is_empty = !message.tool_calls.is_empty() && message.content == Content::Text(String::new());
    let content = if is_empty && style.empty_as_null { Value::Null } else { content_json(&message.content) };
    object.insert("content".into(), content);
    if let Some(reasoning) = &message.reasoning {
        object.insert("reasoning_content".into(), reasoning.as_str().into());
    }
    if !message.tool_calls.is_empty() {
        object.insert(
            "tool_calls".into(),
            message.tool_calls.iter().map(|call| call_json(call, style)).collect(),
        );
    }
    if let Some(id) = &message.tool_call_id {
        object.insert("tool_call_id".into(), id.as_str().into());
    }
    if let Some(name) = &message.name {
        object.insert("name".into(), name.as_str().into());
    }
    Value::Object(object)
}

fn content_json(content: &Content) -> Value {
    let parts = match content {
        Content::Text(text) => return text.as_str().into(),
        Content::Parts(parts) => parts,
    };
    let texts: Option<Vec<&str>> = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Picture(_) | Part::Other(_) => None,
        })
        .collect();
    match texts {
        Some(texts) => texts.join("\n").into(),
        None => parts.iter().map(part_json).collect(),
    }
}

fn part_json(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Picture(_) => json!({"type": "image"}),
        Part::Other(value) => value.clone(),
    }
}

fn call_json(call: &ToolCall, style: CallStyle) -> Value {
    let mut object = Map::new();
    if let Some(id) = &call.id {
        object.insert("id".into(), id.as_str().into());
    }
    object.insert("type".into(), "function".into());
    let arguments = match style.arguments_as_text {
        true => python_text(&call.arguments).into(),
        false => call.arguments.clone(),
    };
    object.insert("function".into(), json!({"name": call.name, "arguments": arguments}));
    Value::Object(object)
}
