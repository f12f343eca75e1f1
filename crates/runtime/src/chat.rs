//! From a conversation to what a template is given.

use serde_json::{Map, Value as Json};
use tandem_dialogue::{Chat, Content, Effort, Message, Role, Tool, ToolChoice};
use tandem_pictures::PictureError;
use tandem_text::{Calls, ChatTemplateError, GrammarError};

/// Why a conversation makes no prompt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    #[error(transparent)]
    Template(#[from] ChatTemplateError),
    #[error("the tool {name:?} must be called, but the tools given are: {given}")]
    UnknownTool { name: String, given: String },
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    #[error(
        "the conversation has pictures, but this model reads only text here; choose one that sees, such as Gemma 3 from safetensors"
    )]
    NoSight,
    #[error(transparent)]
    Picture(#[from] PictureError),
    #[error("the conversation has {found} pictures; expected at most {most}")]
    TooManyPictures { found: usize, most: usize },
    #[error(
        "the model's chat template shows {shown} of the conversation's {given} pictures; send pictures in messages of users"
    )]
    PicturesNotShown { shown: usize, given: usize },
}

/// The variables that templates of different families read.
pub(crate) fn variables(chat: &Chat) -> Map<String, Json> {
    let mut variables = Map::new();
    let level = match chat.effort {
        Effort::Model => None,
        Effort::None | Effort::Low => Some("low"),
        Effort::Medium => Some("medium"),
        Effort::High => Some("high"),
    };
    if let Some(level) = level {
        variables.insert("enable_thinking".into(), (chat.effort != Effort::None).into());
        variables.insert("thinking".into(), (chat.effort != Effort::None).into());
        variables.insert("reasoning_effort".into(), level.into());
    }
    // Seed-OSS counts its thoughts.
    if chat.effort == Effort::None {
        variables.insert("thinking_budget".into(), 0.into());
    }
    variables.extend(chat.template.clone());
    variables
}

/// The tools the answer may call, as templates expect them.
pub(crate) fn callable(chat: &Chat) -> Result<Vec<Json>, PromptError> {
    let tools = || chat.tools.iter();
    match &chat.tool_choice {
        ToolChoice::None => Ok(Vec::new()),
        ToolChoice::Auto | ToolChoice::Required => Ok(tools().map(Tool::to_json).collect()),
        ToolChoice::Named(name) => {
            let named = tools().find(|tool| tool.name == *name);
            let given = || tools().map(|tool| tool.name.as_str()).collect::<Vec<_>>().join(", ");
            named
                .map(|tool| vec![tool.to_json()])
                .ok_or_else(|| PromptError::UnknownTool { name: name.clone(), given: given() })
        }
    }
}

/// For templates that know no tools: they are described in the system message, and calls and results told in words.
pub(crate) fn in_words(messages: &[Message], tools: &[Json]) -> Vec<Message> {
    let mut messages: Vec<Message> = messages.iter().map(told).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_effort_turns_thoughts_off_whatever_a_template_calls_it() {
        let variables = |effort| variables(&Chat { effort, ..Chat::new(Vec::new()) });
        let none = variables(Effort::None);
        assert_eq!(none["enable_thinking"], Json::Bool(false));
        assert_eq!(none["thinking"], Json::Bool(false));
        assert_eq!(none["thinking_budget"], 0);
        assert!(!variables(Effort::Low).contains_key("thinking_budget"));
        assert!(variables(Effort::Model).is_empty());
    }
}
