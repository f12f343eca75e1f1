//! A conversation that wants an answer.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::Message;

/// What is asked of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chat {
    pub messages: Vec<Message>,
    pub tools: Vec<Tool>,
    pub tool_choice: ToolChoice,
    /// Whether an answer may hold several calls.
    pub parallel_tool_calls: bool,
    pub effort: Effort,
    /// Further variables for the template.
    pub template: Map<String, Value>,
    /// The last message is the beginning of the answer.
    pub continues: bool,
}

impl Chat {
    pub fn new(messages: Vec<Message>) -> Chat {
        Chat {
            messages,
            tools: Vec::new(),
            tool_choice: ToolChoice::default(),
            parallel_tool_calls: true,
            effort: Effort::default(),
            template: Map::new(),
            continues: false,
        }
    }
}

/// A function the model may ask to be called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    pub name: String,
    pub description: Option<String>,
    /// JSON schema of the arguments.
    pub parameters: Value,
    /// Hold the arguments to the schema while sampling, also where the model is free to call.
    pub strict: bool,
}

impl Tool {
    /// As templates expect tools: the way OpenAI describes them.
    pub fn to_json(&self) -> Value {
        let mut function = json!({"name": self.name, "parameters": self.parameters});
        if let Some(description) = &self.description {
            function["description"] = description.as_str().into();
        }
        json!({"type": "function", "function": function})
    }
}

/// Which tools the model must call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToolChoice {
    /// As it likes.
    #[default]
    Auto,
    None,
    /// At least one.
    Required,
    Named(String),
}

/// Whether, and how long, a model that can should think before it answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effort {
    /// As it likes.
    #[default]
    Model,
    None,
    Low,
    Medium,
    High,
}
