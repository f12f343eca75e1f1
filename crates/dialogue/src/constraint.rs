//! What an answer must look like.

use serde::{Deserialize, Serialize};

/// What an answer must look like, enforced while sampling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Constraint {
    /// JSON that this schema, a JSON text, allows.
    JsonSchema(String),
    /// Any JSON object.
    JsonObject,
    Regex(String),
    /// A grammar in llguidance's variant of Lark's notation.
    Lark(String),
}
