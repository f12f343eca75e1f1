//! A conversation that wants an answer.

use serde_json::{Map, Value as Json};
use tandem_text::{Calls, ChatTemplateError, Content, GrammarError, Message, Role, ToolChoice};

/// What is asked of the model.
#[derive(Clone, Debug, Default)]
pub struct Chat {
    pub messages: Vec<Message>,
    /// Tools as JSON schema objects, the way OpenAI's API describes them.
    pub tools: Vec<Json>,
    pub tool_choice: ToolChoice,
    /// At most one call in an answer.
    pub one_call: bool,
    /// Names of tools whose arguments must obey their schemas also where the model need not call.
    pub strict: Vec<String>,
    /// How much to think; as the model likes when not given.
    pub effort: Option<Effort>,
    /// Further variables for the template.
    pub extra: Map<String, Json>,
    /// The last message is the beginning of the answer.
    pub continues: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    None,
    Low,
    Medium,
    High,
}

/// Why a conversation makes no prompt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    #[error(transparent)]
    Template(#[from] ChatTemplateError),
    #[error("the tool {name:?} must be called, but the tools given are: {given}")]
    UnknownTool { name: String, given: String },
    #[error(transparent)]
    Grammar(#[from] GrammarError),
}

impl Chat {
    pub fn new(messages: Vec<Message>) -> Chat {
        Chat { messages, ..Chat::default() }
    }

    /// The variables that templates of different families read.
    pub(crate) fn variables(&self) -> Map<String, Json> {
        let mut variables = Map::new();
        if let Some(effort) = self.effort {
            let level = match effort {
                Effort::None | Effort::Low => "low",
                Effort::Medium => "medium",
                Effort::High => "high",
            };
            variables.insert("enable_thinking".into(), (effort != Effort::None).into());
            variables.insert("thinking".into(), (effort != Effort::None).into());
            variables.insert("reasoning_effort".into(), level.into());
        }
        variables.extend(self.extra.clone());
        variables
    }

    /// The tools the answer may call.
    pub(crate) fn callable(&self) -> Result<Vec<Json>, PromptError> {
        match &self.tool_choice {
            ToolChoice::None => Ok(Vec::new()),
            ToolChoice::Auto | ToolChoice::Required => Ok(self.tools.clone()),
            ToolChoice::Named(name) => {
                let named = self.tools.iter().find(|tool| name_of(tool) == *name).cloned();
                let given = || self.tools.iter().map(name_of).collect::<Vec<_>>().join(", ");
                named
                    .map(|tool| vec![tool])
                    .ok_or_else(|| PromptError::UnknownTool { name: name.clone(), given: given() })
            }
        }
    }

    /// For templates that know no tools: they are described in the system message, and calls and results told in words.
    pub(crate) fn in_words(&self, tools: &[Json]) -> Vec<Message> {
        let mut messages: Vec<Message> = self.messages.iter().map(told).collect();
        if tools.is_empty() {
            return messages;
        }
        let mut text = String::from("You can call these functions, described by JSON schemas:\n\n");
        for tool in tools {
            text.push_str(&tool.get("function").unwrap_or(tool).to_string());
            text.push('\n');
        }
        text.push_str(
            "\nTo call one, answer with nothing but JSON of this form: {\"name\": the function's name, \"arguments\": {…}}",
        );
        match messages.first_mut() {
            Some(Message { role: Role::System, content: Content::Text(before), .. }) => {
                before.push_str("\n\n");
                before.push_str(&text);
            }
            _ => messages.insert(0, Message::new(Role::System, text)),
        }
        messages
    }
}

/// Whether a template that writes calls in this format needs them told in words.
pub(crate) fn needs_words(calls: Calls, template: &str) -> bool {
    calls == Calls::Plain && !template.contains("tools")
}

fn told(message: &Message) -> Message {
    let mut told = Message { tool_calls: Vec::new(), tool_call_id: None, ..message.clone() };
    let text = match &message.content {
        Content::Text(text) => text.clone(),
        Content::Parts(_) => return told,
    };
    if message.role == Role::Tool {
        let name = message.name.as_deref().unwrap_or("the function");
        told = Message::new(Role::User, format!("Result of {name}:\n{text}"));
    } else if !message.tool_calls.is_empty() {
        let mut lines: Vec<String> = if text.is_empty() { Vec::new() } else { vec![text] };
        lines.extend(message.tool_calls.iter().map(|call| {
            format!("{{\"name\": {}, \"arguments\": {}}}", Json::from(call.name.as_str()), call.arguments)
        }));
        told.content = Content::Text(lines.join("\n"));
    }
    told
}

fn name_of(tool: &Json) -> &str {
    tool.get("function").unwrap_or(tool).get("name").and_then(Json::as_str).unwrap_or_default()
}
