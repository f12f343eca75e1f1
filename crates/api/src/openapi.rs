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

#[cfg(test)]
#[path = "../tests/fake/mod.rs"]
mod fake;

/// The description is written by hand: what the code serves and reads is what it must say.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use crate::fields::READ;
    use serde_json::json;
    use std::collections::BTreeSet;

    /// For people, not for programs.
    const PAGES: [&str; 2] = ["/docs", "/openapi.json"];
    /// Fields that are read only to say why they cannot be used.
    const REFUSED: [&str; 5] = ["context", "conversation", "previous_response_id", "suffix", "template"];

    #[test]
    fn every_route_is_described() {
        let sources = [
            include_str!("openai.rs"),
            include_str!("anthropic.rs"),
            include_str!("ollama.rs"),
            include_str!("operations.rs"),
            include_str!("management.rs"),
        ];
        let routes: BTreeSet<(String, String)> = sources
            .iter()
            .flat_map(|source| source.split(".route(\"").skip(1))
            .map(|route| {
                let (path, rest) = route.split_once("\", ").unwrap();
                (path.replace("{*", "{"), rest.split_once('(').unwrap().0.to_owned())
            })
            .filter(|(path, _)| !PAGES.contains(&path.as_str()))
            .collect();
        let document = document();
        let methods = |(path, methods): (&String, &Value)| {
            let methods: Vec<String> = methods.as_object().unwrap().keys().cloned().collect();
            methods.into_iter().map(|method| (path.clone(), method)).collect::<Vec<_>>()
        };
        let described: BTreeSet<_> =
            document["paths"].as_object().unwrap().iter().flat_map(methods).collect();
        assert!(routes.len() > 20, "{routes:?}");
        assert_eq!(described, routes);
    }

    #[tokio::test]
    async fn every_field_that_is_read_is_described() {
        let keys = std::env::temp_dir().join(format!("tandem-described-keys-{}", std::process::id()));
        let bench = fake::Bench::new(Settings { keys: Some(crate::Keys::at(&keys)), ..Settings::default() });
        let document = document();
        let mut wrong = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            let Some(body) = methods.pointer("/post/requestBody/content/application~1json/schema") else {
                continue;
            };
            let name = body["$ref"].as_str().unwrap().trim_start_matches('#');
            let schema = document.pointer(name).unwrap();
            let mut request = json!({});
            for needed in schema["required"].as_array().unwrap() {
                request[needed.as_str().unwrap()] = match needed.as_str().unwrap() {
                    "messages" => json!([{"role": "user", "content": "hi"}]),
                    "model" => json!("tiny"),
                    "max_tokens" => json!(5),
                    _ => json!("hi"),
                };
            }
            let options = schema.pointer("/properties/options/properties");
            if options.is_some() {
                request["options"] = json!({});
            }
            READ.take();
            let (status, text) = bench.post(path, request.to_string()).await;
            assert_eq!(status, 200, "{path} {request}: {text}");
            let mut read = READ.take();
            // What is inside other fields depends on what they are.
            read.retain(|name| match name.strip_prefix("options.") {
                Some(_) => options.is_some(),
                None => !name.contains(['.', '[']) && !REFUSED.contains(&name.as_str()),
            });
            let names = |of: &Value| of.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
            let mut described = BTreeSet::from_iter(names(&schema["properties"]));
            described.extend(options.iter().flat_map(|of| names(of)).map(|name| format!("options.{name}")));
            let only_read: Vec<_> = read.difference(&described).collect();
            let only_described: Vec<_> = described.difference(&read).collect();
            if !only_read.is_empty() || !only_described.is_empty() {
                wrong.push(format!(
                    "{path}: read, not described {only_read:?}; described, not read {only_described:?}"
                ));
            }
        }
        std::fs::remove_file(keys).unwrap();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
