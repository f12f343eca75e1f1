//! The API's description, and a page that shows it.

use serde_json::Value;

pub(crate) fn document() -> Value {
    let mut document: Value =
        serde_json::from_str(include_str!("openapi.json")).expect("a test parses the embedded description");
    document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    document
}

/// Needs nothing but this server.
pub(crate) fn page() -> &'static str {
    include_str!("docs.html")
}
