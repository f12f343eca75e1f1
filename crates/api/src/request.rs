//! The one request that every dialect is lowered to.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GenerateRequest {
    pub model: String,
    pub prompt: Prompt,
    pub sampling: Sampling,
    /// As many as the context holds when not given.
    pub tokens_max: Option<usize>,
    /// Texts that end the answer; not part of it.
    pub stop: Vec<String>,
    /// Report each token's log-probability, with this many alternatives.
    pub logprobs: Option<usize>,
    pub format: Format,
    /// Whose request it is: clients get equal turns.
    pub client: u64,
    /// To be answered within this time from now; what is there by then is the answer.
    pub deadline: Option<Duration>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Prompt {
    /// A conversation, for the model's chat template.
    Chat {
        messages: Vec<Message>,
        tools: Vec<Tool>,
        tool_choice: ToolChoice,
        parallel_tool_calls: bool,
        effort: Effort,
        /// Further variables for the template.
        template: Map<String, Value>,
        /// The last message is the beginning of the answer.
        continues: bool,
    },
    /// Text to continue.
    Text(String),
    Tokens(Vec<u32>),
}

impl Default for Prompt {
    fn default() -> Prompt {
        Prompt::Text(String::new())
    }
}

/// Whether, and how long, a model that can should think before it answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effort {
    #[default]
    Model,
    None,
    Low,
    Medium,
    High,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub role: Role,
    /// Parts of it, where the client sent several, are joined by line ends.
    pub content: String,
    pub reasoning: Option<String>,
    pub tool_calls: Vec<ToolCall>,
    /// In a tool's answer: which call it answers.
    pub tool_call_id: Option<String>,
    pub name: Option<String>,
}

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

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: Option<String>,
    pub name: String,
    /// Usually an object.
    pub arguments: Value,
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

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToolChoice {
    #[default]
    Auto,
    None,
    /// At least one call.
    Required,
    Named(String),
}

/// What the answer must look like, enforced while sampling.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Format {
    #[default]
    Free,
    JsonObject,
    JsonSchema(Value),
    Regex(String),
    Lark(String),
}

/// How the next token is picked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// 0 picks the likeliest token.
    pub temperature: f32,
    /// Keep the k likeliest; 0 keeps all.
    pub top_k: usize,
    pub top_p: f32,
    pub min_p: f32,
    pub repetition_penalty: f32,
    pub frequency_penalty: f32,
    pub presence_penalty: f32,
    pub logit_bias: Vec<(u32, f32)>,
    pub seed: Option<u64>,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling {
            temperature: 1.0,
            top_k: 0,
            top_p: 1.0,
            min_p: 0.0,
            repetition_penalty: 1.0,
            frequency_penalty: 0.0,
            presence_penalty: 0.0,
            logit_bias: Vec::new(),
            seed: None,
        }
    }
}
