//! Arguments in Gemma's notation: `{key:<|"|>text<|"|>,list:[1,2]}`.

use super::{ShapedAnswer, json_rule, quoted};
use crate::answer_parser::QUOTE;
use serde_json::Value as Json;
use std::fmt::Write;

impl ShapedAnswer<'_> {
    /// The rule of a tool's parameters; any at all where there is no schema to obey.
    pub(super) fn bare_parameters(&self, index: usize, parameters: Option<&Json>, rules: &mut String) {
        let rule = format!("parameters{index}");
        match parameters {
            Some(schema) => self.bare_object(&rule, schema, rules),
            None => rule_as(&rule, "bare_object", rules),
        }
    }

    /// The rules of what obeys no schema.
    pub(super) fn bare_rules(&self) -> String {
        let text = self.any_until("bare_rest", QUOTE);
        let scalar = json_rule(serde_json::json!({"type": ["number", "boolean", "null"]}));
        format!(
            "bare: bare_text | bare_scalar | bare_list | bare_object\n\
             bare_text: {} bare_rest\n{text}\nbare_scalar: {scalar}\n\
             bare_list: \"[\" (bare (\",\" bare)*)? \"]\"\n\
             bare_object: \"{{\" (bare_member (\",\" bare_member)*)? \"}}\"\n\
             bare_member: BARE_KEY \":\" bare\nBARE_KEY: /[^<>{{}}\\[\\]:,\"\\s]+/\n",
            self.mark(QUOTE)
        )
    }

    /// A rule of this name for an object: its properties by name, as templates write them.
    fn bare_object(&self, rule: &str, schema: &Json, rules: &mut String) {
        let none = serde_json::Map::new();
        let properties = schema.get("properties").and_then(Json::as_object).unwrap_or(&none);
        let required = schema.get("required").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        let mut properties: Vec<(&String, &Json)> = properties.iter().collect();
        properties.sort_by_cached_key(|(key, _)| key.to_lowercase());
        // What may follow once there is a member needs a comma before it.
        let _ = writeln!(rules, "{rule}: \"{{\" {rule}first0 \"}}\"");
        for (number, (key, schema)) in properties.iter().enumerate() {
            let value = format!("{rule}value{number}");
            let next = number + 1;
            let is_required = required.iter().any(|name| name.as_str() == Some(key));
            let member = format!("{} {value} {rule}more{next}", quoted(&format!("{key}:")));
            let or_without = |start: &str| match is_required {
                true => String::new(),
                false => format!(" | {rule}{start}{next}"),
            };
            let (first, more) = (or_without("first"), or_without("more"));
            let _ = writeln!(rules, "{rule}first{number}: {member}{first}");
            let _ = writeln!(rules, "{rule}more{number}: \",\" {member}{more}");
            self.bare_value(&value, schema, rules);
        }
        let count = properties.len();
        let _ = writeln!(rules, "{rule}first{count}: \"\"\n{rule}more{count}: \"\"");
    }

    /// A rule of this name for a value. What a schema asks beyond kinds, choices and members is not held to.
    fn bare_value(&self, rule: &str, schema: &Json, rules: &mut String) {
        let one_of = |key: &str| schema.get(key).and_then(Json::as_array).filter(|list| !list.is_empty());
        let constant = schema.get("const").map(std::slice::from_ref);
        if let Some(choices) = constant.or(one_of("enum").map(Vec::as_slice)) {
            let spelled = |choice: &Json| match choice {
                Json::String(text) => format!("{} {} {}", self.mark(QUOTE), quoted(text), self.mark(QUOTE)),
                Json::Array(_) | Json::Object(_) => "bare".to_owned(),
                scalar => quoted(&scalar.to_string()),
            };
            let choices: Vec<String> = choices.iter().map(spelled).collect();
            let _ = writeln!(rules, "{rule}: {}", choices.join(" | "));
            return;
        }
        let of_kind = |kind: &Json| {
            let mut schema = schema.clone();
            schema["type"] = kind.clone();
            schema
        };
        let kinds =
            schema.get("type").and_then(Json::as_array).map(|kinds| kinds.iter().map(of_kind).collect());
        let either: Option<Vec<Json>> = kinds.or_else(|| one_of("anyOf").or(one_of("oneOf")).cloned());
        if let Some(either) = either {
            let names: Vec<String> = (0..either.len()).map(|number| format!("{rule}or{number}")).collect();
            let _ = writeln!(rules, "{rule}: {}", names.join(" | "));
            for (name, schema) in names.iter().zip(&either) {
                self.bare_value(name, schema, rules);
            }
            return;
        }
        match schema.get("type").and_then(Json::as_str) {
            Some("string") => rule_as(rule, "bare_text", rules),
            Some("integer" | "number" | "boolean" | "null") => {
                rule_as(rule, &json_rule(schema.clone()), rules);
            }
            Some("array") => {
                let item = format!("{rule}item");
                let any = if schema.get("minItems").and_then(Json::as_u64) > Some(0) { "" } else { "?" };
                let _ = writeln!(rules, "{rule}: \"[\" ({item} (\",\" {item})*){any} \"]\"");
                self.bare_value(&item, schema.get("items").unwrap_or(&Json::Null), rules);
            }
            Some("object") if schema.get("properties").is_some() => self.bare_object(rule, schema, rules),
            Some("object") => rule_as(rule, "bare_object", rules),
            _ => rule_as(rule, "bare", rules),
        }
    }
}

fn rule_as(rule: &str, body: &str, rules: &mut String) {
    let _ = writeln!(rules, "{rule}: {body}");
}
