//! A conversation, as a chat template sees it.

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
    pub(crate) fn to_json(&self) -> Value {
        let mut object = Map::new();
        // gpt-oss reads the thoughts under this name, the others under `reasoning_content`.
        if let Some(reasoning) = &self.reasoning {
            object.insert("thinking".into(), reasoning.as_str().into());
        }
        object.insert("role".into(), self.role.name().into());
        object.insert("content".into(), self.content.to_json());
        if let Some(reasoning) = &self.reasoning {
            object.insert("reasoning_content".into(), reasoning.as_str().into());
        }
        if !self.tool_calls.is_empty() {
            object.insert("tool_calls".into(), self.tool_calls.iter().map(ToolCall::to_json).collect());
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
    fn to_json(&self) -> Value {
        let mut object = Map::new();
        if let Some(id) = &self.id {
            object.insert("id".into(), id.as_str().into());
        }
        object.insert("type".into(), "function".into());
        object.insert("function".into(), json!({"name": self.name, "arguments": self.arguments}));
        Value::Object(object)
    }
}
