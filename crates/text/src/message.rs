//! A conversation, as a chat template sees it.

use crate::python_json::python_text;
use serde_json::{Map, Value, json};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    System,
    Developer,
    User,
    Assistant,
    Tool,
}

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::Developer => "developer",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        }
    }

    pub fn named(name: &str) -> Option<Role> {
        [Role::System, Role::Developer, Role::User, Role::Assistant, Role::Tool]
            .into_iter()
            .find(|role| role.name() == name)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub role: Role,
    pub content: Content,
    /// What the assistant thought before it answered.
    pub reasoning: Option<String>,
    pub tool_calls: Vec<ToolCall>,
    /// In a tool's answer: which call it answers.
    pub tool_call_id: Option<String>,
    /// The speaker's name, or that of the tool.
    pub name: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Text(String),
    /// Anything else, such as an image, as the object the template expects.
    Other(Value),
}

/// A function the assistant asked to be called.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    pub id: Option<String>,
    pub name: String,
    /// Usually an object.
    pub arguments: Value,
}

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

impl Message {
    pub fn new(role: Role, text: impl Into<String>) -> Message {
        Message {
            role,
            content: Content::Text(text.into()),
            reasoning: None,
            tool_calls: Vec::new(),
            tool_call_id: None,
            name: None,
        }
    }

    /// The object templates expect. What is absent has no key: templates ask whether keys exist. Parts that are all
    /// text become one string, which every template takes and few take lists.
    pub(crate) fn to_json(&self, style: CallStyle) -> Value {
        let mut object = Map::new();
        // gpt-oss reads the thoughts under this name, the others under `reasoning_content`.
        if let Some(reasoning) = &self.reasoning {
            object.insert("thinking".into(), reasoning.as_str().into());
        }
        object.insert("role".into(), self.role.name().into());
        let is_empty = !self.tool_calls.is_empty() && self.content == Content::Text(String::new());
        let content = if is_empty && style.empty_as_null { Value::Null } else { self.content.to_json() };
        object.insert("content".into(), content);
        if let Some(reasoning) = &self.reasoning {
            object.insert("reasoning_content".into(), reasoning.as_str().into());
        }
        if !self.tool_calls.is_empty() {
            object.insert(
                "tool_calls".into(),
                self.tool_calls.iter().map(|call| call.to_json(style)).collect(),
            );
        }
        if let Some(id) = &self.tool_call_id {
            object.insert("tool_call_id".into(), id.as_str().into());
        }
        if let Some(name) = &self.name {
            object.insert("name".into(), name.as_str().into());
        }
        Value::Object(object)
    }
}

impl Content {
    fn to_json(&self) -> Value {
        let parts = match self {
            Content::Text(text) => return text.as_str().into(),
            Content::Parts(parts) => parts,
        };
        let texts: Option<Vec<&str>> = parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                Part::Other(_) => None,
            })
            .collect();
        match texts {
            Some(texts) => texts.join("\n").into(),
            None => parts.iter().map(Part::to_json).collect(),
        }
    }
}

impl Part {
    fn to_json(&self) -> Value {
        match self {
            Part::Text(text) => json!({"type": "text", "text": text}),
            Part::Other(value) => value.clone(),
        }
    }
}

impl ToolCall {
    fn to_json(&self, style: CallStyle) -> Value {
        let mut object = Map::new();
        if let Some(id) = &self.id {
            object.insert("id".into(), id.as_str().into());
        }
        object.insert("type".into(), "function".into());
        let arguments = match style.arguments_as_text {
            true => python_text(&self.arguments).into(),
            false => self.arguments.clone(),
        };
        object.insert("function".into(), json!({"name": self.name, "arguments": arguments}));
        Value::Object(object)
    }
}
