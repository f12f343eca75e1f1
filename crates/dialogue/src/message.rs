//! What was said.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

impl Message {
    pub fn new(role: Role, text: impl Into<String>) -> Message {
        Message { role, content: Content::Text(text.into()), ..Message::default() }
    }
}

/// Who speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    System,
    Developer,
    #[default]
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

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Part {
    Text(String),
    /// A PNG or JPEG file.
    Picture(Vec<u8>),
    /// Anything else, as the object the template expects.
    Other(Value),
}

impl Content {
    /// Its words. Parts that are text are joined by line ends.
    pub fn text(&self) -> String {
        match self {
            Content::Text(text) => text.clone(),
            Content::Parts(parts) => {
                let texts = parts.iter().filter_map(|part| match part {
                    Part::Text(text) => Some(text.as_str()),
                    Part::Picture(_) | Part::Other(_) => None,
                });
                texts.collect::<Vec<_>>().join("\n")
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        match self {
            Content::Text(text) => text.is_empty(),
            Content::Parts(parts) => parts.is_empty(),
        }
    }
}

impl Default for Content {
    fn default() -> Content {
        Content::Text(String::new())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Content {
        Content::Text(text)
    }
}

/// A function the assistant asked to be called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: Option<String>,
    pub name: String,
    /// Usually an object.
    pub arguments: Value,
}
