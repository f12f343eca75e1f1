//! Chat templates render what `transformers` renders. Made by `goldens/make_goldens.py`.

use serde_json::Value;
use tandem_text::{ChatRequest, ChatTemplate, ChatTemplateError, Content, Message, Part, Role, ToolCall};

#[test]
fn templates_render_like_transformers() {
    let goldens: Vec<Value> = serde_json::from_str(include_str!("goldens/chat.json")).unwrap();
    check("templates", goldens.iter().map(|case| (case, case)));
}

/// Templates as models publish them, with the same conversations. Made by `oracles/chat_templates.py`.
#[test]
fn published_templates_render_like_transformers() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("goldens/chat.json")).unwrap();
    let goldens: Vec<Value> = serde_json::from_str(include_str!("goldens/families.json")).unwrap();
    check(
        "families",
        goldens.iter().map(|golden| (&cases[golden["case"].as_u64().unwrap() as usize], golden)),
    );
}

fn check<'a>(folder: &str, goldens: impl Iterator<Item = (&'a Value, &'a Value)>) {
    let mut wrong = Vec::new();
    for (case, golden) in goldens {
        let name = golden["template"].as_str().unwrap();
        let source = std::fs::read_to_string(format!("tests/goldens/{folder}/{name}.jinja")).unwrap();
        let template =
            ChatTemplate::new(&source, Some("<s>"), Some("</s>")).unwrap().with_clock(|| 1_709_210_096);
        let messages: Vec<Message> = case["messages"].as_array().unwrap().iter().map(message).collect();
        let request = ChatRequest {
            messages: &messages,
            tools: case["tools"].as_array().map(Vec::as_slice).unwrap_or_default(),
            add_generation_prompt: case["add_generation_prompt"].as_bool().unwrap(),
            extra: case["extra"].as_object().unwrap().clone(),
        };
        let rendered = template.render(&request);
        let same = match (&rendered, golden["expected"].as_str(), golden["error"].as_str()) {
            (Ok(text), Some(expected), _) => text == expected,
            (Err(ChatTemplateError::Refused(why)), None, Some(error)) => why == error,
            _ => false,
        };
        if !same {
            wrong.push(format!("{name}\n--- expected\n{}\n--- rendered\n{rendered:#?}", golden["expected"]));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n\n"));
}

fn message(json: &Value) -> Message {
    let text = |key: &str| json[key].as_str().map(str::to_owned);
    let content = match &json["content"] {
        Value::String(text) => Content::Text(text.clone()),
        Value::Array(parts) => Content::Parts(parts.iter().map(|part| Part::Other(part.clone())).collect()),
        other => panic!("content is {other}"),
    };
    let tool_call = |call: &Value| ToolCall {
        id: call["id"].as_str().map(str::to_owned),
        name: call["function"]["name"].as_str().unwrap().to_owned(),
        arguments: call["function"]["arguments"].clone(),
    };
    Message {
        role: Role::named(json["role"].as_str().unwrap()).unwrap(),
        content,
        reasoning: text("reasoning_content"),
        tool_calls: json["tool_calls"]
            .as_array()
            .map(|calls| calls.iter().map(tool_call).collect())
            .unwrap_or_default(),
        tool_call_id: text("tool_call_id"),
        name: text("name"),
    }
}
