//! The API's words in the runtime's.

use std::time::Duration;

use serde_json::{Value, json};
use tandem_api::{Failure, Format, Tool};
use tandem_runtime::{Constraint, Content, Effort, Message, Refused, Role, Sampling, ToolCall, ToolChoice};

pub(crate) fn sampling(sampling: tandem_api::Sampling) -> Sampling {
    let tandem_api::Sampling {
        temperature,
        top_k,
        top_p,
        min_p,
        repetition_penalty,
        frequency_penalty,
        presence_penalty,
        logit_bias,
        seed,
    } = sampling;
    Sampling {
        temperature,
        top_k,
        top_p,
        min_p,
        repetition_penalty,
        frequency_penalty,
        presence_penalty,
        logit_bias,
        seed,
    }
}

pub(crate) fn message(message: tandem_api::Message) -> Message {
    use tandem_api::Role as Api;
    Message {
        role: match message.role {
            Api::System => Role::System,
            Api::Developer => Role::Developer,
            Api::User => Role::User,
            Api::Assistant => Role::Assistant,
            Api::Tool => Role::Tool,
        },
        content: Content::Text(message.content),
        reasoning: message.reasoning,
        tool_calls: message
            .tool_calls
            .into_iter()
            .map(|call| ToolCall { id: call.id, name: call.name, arguments: call.arguments })
            .collect(),
        tool_call_id: message.tool_call_id,
        name: message.name,
    }
}

/// As templates expect tools: the way OpenAI describes them.
pub(crate) fn tool(tool: &Tool) -> Value {
    let mut function = json!({"name": tool.name, "parameters": tool.parameters});
    if let Some(description) = &tool.description {
        function["description"] = description.as_str().into();
    }
    json!({"type": "function", "function": function})
}

pub(crate) fn constraint(format: Format) -> Option<Constraint> {
    match format {
        Format::Free => None,
        Format::JsonObject => Some(Constraint::JsonObject),
        Format::JsonSchema(schema) => Some(Constraint::JsonSchema(schema.to_string())),
        Format::Regex(regex) => Some(Constraint::Regex(regex)),
        Format::Lark(grammar) => Some(Constraint::Lark(grammar)),
    }
}

pub(crate) fn tool_choice(choice: tandem_api::ToolChoice) -> ToolChoice {
    use tandem_api::ToolChoice as Api;
    match choice {
        Api::Auto => ToolChoice::Auto,
        Api::None => ToolChoice::None,
        Api::Required => ToolChoice::Required,
        Api::Named(name) => ToolChoice::Named(name),
    }
}

pub(crate) fn effort(effort: tandem_api::Effort) -> Option<Effort> {
    use tandem_api::Effort as Api;
    match effort {
        Api::Model => None,
        Api::None => Some(Effort::None),
        Api::Low => Some(Effort::Low),
        Api::Medium => Some(Effort::Medium),
        Api::High => Some(Effort::High),
    }
}

/// What a client is told of an engine's refusal.
pub(crate) fn refused(model: &str, refused: Refused) -> Failure {
    match refused {
        Refused::TooLong { prompt, context } => Failure::TooLong { model: model.to_owned(), prompt, context },
        Refused::Busy { waiting } => Failure::Busy {
            message: format!("{waiting} requests are waiting for {model} already, the most that may"),
            // A place is likely free by then; an answer takes seconds.
            retry_after: Duration::from_secs(2),
        },
        Refused::Stopped(reason) => Failure::Unavailable(format!("{model} has stopped: {reason}")),
        Refused::UnknownToken { .. } => Failure::invalid("prompt", refused.to_string()),
        Refused::UnknownBias { .. } => Failure::invalid("logit_bias", refused.to_string()),
        Refused::BadConstraint(_) => Failure::invalid("response_format", refused.to_string()),
        Refused::NotFinite(_) => Failure::Unavailable(format!("{model}: {refused}")),
        other => Failure::malformed(other.to_string()),
    }
}
