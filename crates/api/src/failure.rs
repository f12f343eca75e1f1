//! Why a request is refused or fails.

use std::time::Duration;

/// Why a request got no answer. Each dialect words it in its own shape.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The request is wrong, at `field` where one can be named.
    #[error("{message}")]
    Invalid { field: Option<String>, message: String },
    #[error("no model is called `{name}`{}", suggestion(nearest))]
    UnknownModel { name: String, nearest: Vec<String> },
    #[error(
        "the prompt has {prompt} tokens, but the context of {model} holds {context}, of which at least one is for the \
         answer; shorten the prompt, or load the model with a larger context"
    )]
    TooLong { model: String, prompt: usize, context: usize },
    #[error("{0}")]
    Unauthorised(String),
    #[error("{0}")]
    Forbidden(String),
    #[error("{0}")]
    NotFound(String),
    #[error("{message}")]
    Busy { message: String, retry_after: Duration },
    #[error("the body has more than {limit_bytes} bytes, the most that is taken")]
    BodyTooLarge { limit_bytes: usize },
    #[error("the request did not arrive within {0:?}")]
    Slow(Duration),
    #[error("this method is not served here; /docs lists what is")]
    Method,
    /// Nothing can serve this now: no room, no nodes. Says why.
    #[error("{0}")]
    Unavailable(String),
    #[error("{0}")]
    Internal(String),
}

impl Failure {
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Failure {
        Failure::Invalid { field: Some(field.into()), message: message.into() }
    }

    pub fn malformed(message: impl Into<String>) -> Failure {
        Failure::Invalid { field: None, message: message.into() }
    }

    pub fn status(&self) -> u16 {
        match self {
            Failure::Invalid { .. } | Failure::TooLong { .. } => 400,
            Failure::Unauthorised(_) => 401,
            Failure::Forbidden(_) => 403,
            Failure::UnknownModel { .. } | Failure::NotFound(_) => 404,
            Failure::Method => 405,
            Failure::Slow(_) => 408,
            Failure::BodyTooLarge { .. } => 413,
            Failure::Busy { .. } => 429,
            Failure::Internal(_) => 500,
            Failure::Unavailable(_) => 503,
        }
    }

    /// For a log: what is wrong, without the words of the request.
    pub fn logged(&self) -> String {
        match self {
            Failure::Invalid { field: Some(field), .. } => format!("`{field}` is not as it should be"),
            Failure::Invalid { field: None, .. } => "the body is not as it should be".into(),
            other => other.to_string(),
        }
    }

    /// An unknown model, and the names among `known` a person may have meant, best first.
    pub fn unknown_model<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Failure {
        let wanted = name.to_ascii_lowercase();
        let mut near: Vec<(f64, &str)> = known
            .into_iter()
            .map(|known| (strsim::jaro_winkler(&known.to_ascii_lowercase(), &wanted), known))
            .filter(|(likeness, _)| *likeness > 0.7)
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
        let nearest = near.into_iter().take(3).map(|(_, name)| name.to_owned()).collect();
        Failure::UnknownModel { name: name.to_owned(), nearest }
    }
}

fn suggestion(nearest: &[String]) -> String {
    if nearest.is_empty() {
        return "; /v1/models lists what there is".into();
    }
    let names: Vec<String> = nearest.iter().map(|name| format!("`{name}`")).collect();
    format!("; did you mean {}?", names.join(" or "))
}
