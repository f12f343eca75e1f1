//! The API's description, and a page that shows it.

use serde_json::{Value, json};

pub(crate) fn document() -> Value {
    json!({"openapi": "3.1.0", "info": {"title": "Tandem", "version": env!("CARGO_PKG_VERSION")}, "paths": {}})
}

pub(crate) fn page() -> &'static str {
    "<!doctype html><title>Tandem</title>"
}
