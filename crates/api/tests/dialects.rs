//! Each dialect over a service that echoes: what is asked arrives, and what is answered has the dialect's shape.

mod fake;

use axum::body::Body;
use axum::http::Request;
use fake::Bench;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tandem_api::*;

fn bench() -> Bench {
    Bench::new(Settings::default())
}

fn user(text: &str) -> Value {
    json!([{"role": "user", "content": text}])
}

#[tokio::test]
async fn chat_completions_whole() {
    let bench = bench();
    let answer = bench
        .ask(
            "/v1/chat/completions",
            json!({"model": "tiny", "messages": user("hello you"), "n": 2, "seed": 5}),
        )
        .await;
    assert_eq!(answer["object"], "chat.completion");
    assert_eq!(answer["choices"][1]["index"], 1);
    assert_eq!(answer["choices"][1]["message"]["content"], "hello you");
    assert_eq!(answer["choices"][0]["finish_reason"], "stop");
    assert_eq!(answer["usage"]["prompt_tokens"], 7);
    assert_eq!(answer["usage"]["completion_tokens"], 4);
    assert_eq!(answer["usage"]["prompt_tokens_details"]["cached_tokens"], 3);
    // The second choice got a seed of its own.
    assert_eq!(bench.asked().sampling.seed, Some(6));
    let calls = bench.ask("/v1/chat/completions", json!({"model": "tiny", "messages": user("call")})).await;
    let message = &calls["choices"][0]["message"];
    assert_eq!(message["content"], Value::Null);
    assert_eq!(message["reasoning_content"], "Let me look.");
    assert_eq!(
        message["tool_calls"][0]["function"],
        json!({"name": "look", "arguments": "{\"at\":\"sky\"}"})
    );
    assert_eq!(calls["choices"][0]["finish_reason"], "tool_calls");
}

#[tokio::test]
async fn chat_completions_streamed() {
    let bench = bench();
    let body = json!({
        "model": "tiny", "messages": user("hello you"), "stream": true, "stream_options": {"include_usage": true},
        "logprobs": true, "top_logprobs": 1,
    });
    let chunks = bench.stream("/v1/chat/completions", body).await;
    assert_eq!(chunks[0]["choices"][0]["delta"], json!({"role": "assistant", "content": ""}));
    let text: String =
        chunks.iter().filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str()).collect();
    assert_eq!(text, "hello you");
    assert_eq!(chunks[1]["choices"][0]["logprobs"]["content"][0]["logprob"], -9999.0);
    assert_eq!(chunks[chunks.len() - 2]["choices"][0]["finish_reason"], "stop");
    let last = chunks.last().unwrap();
    assert_eq!((&last["choices"], &last["usage"]["total_tokens"]), (&json!([]), &json!(9)));
    let (_, text) = bench
        .post(
            "/v1/chat/completions",
            json!({"model": "tiny", "messages": user("fail"), "stream": true}).to_string(),
        )
        .await;
    assert!(text.contains("rank 1 was lost") && !text.contains("[DONE]"), "{text}");
}

#[tokio::test]
async fn every_field_of_chat_completions_arrives() {
    let bench = bench();
    bench
        .ask(
            "/v1/chat/completions",
            json!({
                "model": "tiny", "messages": [
                    {"role": "developer", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
                    {"role": "assistant", "content": null, "reasoning_content": "hm", "tool_calls": [
                        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{\"x\":1}"}}]},
                    {"role": "tool", "tool_call_id": "c1", "content": "seen"},
                ],
                "temperature": 0.5, "top_p": 0.9, "top_k": -1, "min_p": 0.1, "seed": -1, "stop": "END",
                "repetition_penalty": 1.1, "frequency_penalty": 0.2, "presence_penalty": -0.3,
                "logit_bias": {"5": -100}, "max_completion_tokens": 9, "reasoning_effort": "low",
                "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}, "strict": true}}],
                "tool_choice": {"type": "function", "function": {"name": "look"}}, "parallel_tool_calls": false,
                "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}}},
                "user": "u", "metadata": {}, "store": false, "service_tier": "auto", "stream": null, "unknown": null,
            }),
        )
        .await;
    let asked = bench.asked();
    let sampling = Sampling {
        temperature: 0.5,
        top_k: 0,
        top_p: 0.9,
        min_p: 0.1,
        repetition_penalty: 1.1,
        frequency_penalty: 0.2,
        presence_penalty: -0.3,
        logit_bias: vec![(5, -100.0)],
        seed: Some(u64::MAX),
    };
    assert_eq!(asked.sampling, sampling);
    assert_eq!((asked.tokens_max, asked.stop), (Some(9), vec!["END".to_owned()]));
    assert_eq!(asked.format, Some(Constraint::JsonSchema(json!({"type": "object"}).to_string())));
    let Prompt::Chat(Chat { messages, tools, tool_choice, parallel_tool_calls, effort, .. }) = asked.prompt
    else {
        panic!("not a chat")
    };
    assert_eq!(messages[0].content.text(), "a\nb");
    assert_eq!(messages[1].tool_calls[0].arguments, json!({"x": 1}));
    assert_eq!(messages[1].reasoning.as_deref(), Some("hm"));
    assert_eq!(messages[2].tool_call_id.as_deref(), Some("c1"));
    assert!(tools[0].strict && !parallel_tool_calls);
    assert_eq!((tool_choice, effort), (ToolChoice::Named("look".into()), Effort::Low));
}

#[tokio::test]
async fn completions() {
    let bench = bench();
    let body = json!({"model": "tiny", "prompt": ["a b", "c"], "echo": true, "max_tokens": 5});
    let answer = bench.ask("/v1/completions", body).await;
    assert_eq!(answer["choices"][0]["text"], "a ba b");
    assert_eq!(answer["choices"][1]["text"], "cc");
    assert_eq!(answer["usage"]["prompt_tokens"], 14);
    let body = json!({"model": "tiny", "prompt": [1, 2], "stream": true, "logprobs": 1});
    let chunks = bench.stream("/v1/completions", body).await;
    assert_eq!(chunks[0]["choices"][0]["text"], "2 ");
    assert_eq!(chunks[0]["choices"][0]["logprobs"]["tokens"], json!(["2 "]));
    assert_eq!(bench.asked().prompt, Prompt::Tokens(vec![1, 2]));
    assert_eq!(bench.asked().tokens_max, Some(16));
}

#[tokio::test]
async fn responses() {
    let bench = bench();
    let body = json!({
        "model": "tiny", "instructions": "Be brief.", "max_output_tokens": 9,
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "hi"}]},
            {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": "hello you"},
        ],
        "text": {"format": {"type": "json_object"}},
    });
    let answer = bench.ask("/v1/responses", body).await;
    assert_eq!((&answer["object"], &answer["status"]), (&json!("response"), &json!("completed")));
    assert_eq!(answer["output"][0]["content"][0]["text"], "hello you");
    assert_eq!(answer["usage"]["input_tokens"], 7);
    let asked = bench.asked();
    let Prompt::Chat(Chat { messages, .. }) = asked.prompt else { panic!("not a chat") };
    let roles: Vec<Role> = messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool]);
    assert_eq!(asked.format, Some(Constraint::JsonObject));

    let events =
        bench.stream("/v1/responses", json!({"model": "tiny", "input": "call", "stream": true})).await;
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    let expected = [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.reasoning_text.delta",
        "response.reasoning_text.done",
        "response.output_item.done",
        "response.output_item.added",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.output_item.done",
        "response.completed",
    ];
    assert_eq!(kinds, expected);
    let last = &events.last().unwrap()["response"];
    assert_eq!(last["output"][1]["arguments"], "{\"at\":\"sky\"}");
    assert!(events.iter().enumerate().all(|(index, event)| event["sequence_number"] == index));
}

#[tokio::test]
async fn anthropic_messages() {
    let bench = bench();
    let body = json!({
        "model": "tiny", "max_tokens": 9, "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        "stop_sequences": ["END"], "top_k": 3, "metadata": {"user_id": "u"},
        "tools": [{"name": "look", "input_schema": {"type": "object"}}], "tool_choice": {"type": "any"},
        "messages": [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "look", "input": {"x": 1}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "seen"}]},
                {"type": "text", "text": "hello you"}]},
        ],
    });
    let answer = bench.ask("/v1/messages", body).await;
    assert_eq!(answer["content"], json!([{"type": "text", "text": "hello you"}]));
    assert_eq!((&answer["stop_reason"], &answer["stop_sequence"]), (&json!("stop_sequence"), &json!("END")));
    assert_eq!(answer["usage"]["input_tokens"], 4);
    let asked = bench.asked();
    assert_eq!((asked.sampling.top_k, asked.tokens_max), (3, Some(9)));
    let Prompt::Chat(Chat { messages, tool_choice, continues, .. }) = asked.prompt else {
        panic!("not a chat")
    };
    assert!(!continues);
    let roles: Vec<Role> = messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool, Role::User]);
    assert_eq!(tool_choice, ToolChoice::Required);

    // The beginning of an answer is continued.
    let turns = json!([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]);
    bench.ask("/v1/messages", json!({"model": "tiny", "max_tokens": 9, "messages": turns})).await;
    assert!(matches!(bench.asked().prompt, Prompt::Chat(Chat { continues: true, .. })));

    let body = json!({"model": "tiny", "max_tokens": 9, "messages": user("call"), "stream": true});
    let events = bench.stream("/v1/messages", body).await;
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    let expected = [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(events[9]["delta"]["stop_reason"], "tool_use");
    let counted =
        bench.ask("/v1/messages/count_tokens", json!({"model": "tiny", "messages": user("a b c")})).await;
    assert_eq!(counted, json!({"input_tokens": 3}));
}

#[tokio::test]
async fn ollama() {
    let bench = bench();
    let body = json!({
        "model": "tiny", "messages": user("hello you"), "format": "json",
        "options": {"num_predict": 9, "seed": 1, "num_ctx": 50, "num_gpu": 1, "stop": ["END"]},
    });
    let lines = bench.stream("/api/chat", body).await;
    assert_eq!(lines[0]["message"]["content"], "hello ");
    assert_eq!((&lines[2]["done"], &lines[2]["eval_count"]), (&json!(true), &json!(2)));
    let asked = bench.asked();
    assert_eq!(
        (asked.tokens_max, asked.format, asked.sampling.top_k),
        (Some(9), Some(Constraint::JsonObject), 40)
    );
    let calls =
        bench.ask("/api/chat", json!({"model": "tiny", "messages": user("call"), "stream": false})).await;
    assert_eq!(calls["message"]["tool_calls"][0]["function"]["arguments"], json!({"at": "sky"}));
    let body = json!({"model": "tiny", "prompt": "hello you", "system": "Be brief.", "stream": false});
    assert_eq!(bench.ask("/api/generate", body).await["response"], "hello you");
    let loaded = bench.ask("/api/generate", json!({"model": "tiny"})).await;
    assert_eq!(loaded["done_reason"], "load");
    let unloaded = bench.ask("/api/chat", json!({"model": "tiny", "messages": [], "keep_alive": 0})).await;
    assert_eq!(unloaded["done_reason"], "unload");
    let embedded = bench.ask("/api/embed", json!({"model": "tiny", "input": ["a", "b"]})).await;
    assert_eq!(embedded["embeddings"].as_array().unwrap().len(), 2);
    assert_eq!(bench.ask("/api/pull", json!({"model": "tiny"})).await, json!({"status": "success"}));
    assert_eq!(
        bench.ask("/api/show", json!({"model": "tiny"})).await["model_info"]["llama.context_length"],
        100
    );
    for (path, says) in
        [("/api/tags", "org/large:Q4_0"), ("/api/ps", "context_length"), ("/api/version", "version")]
    {
        let (status, text) = bench.get(path).await;
        assert!(status == 200 && text.contains(says), "{path}: {text}");
    }
}

#[tokio::test]
async fn models_and_embeddings() {
    let bench = bench();
    let (_, list) = bench.get("/v1/models").await;
    assert!(list.contains("\"id\":\"tiny\""), "{list}");
    assert_eq!(bench.get("/v1/models/org/large:Q4_0").await.0, 200);
    assert_eq!(bench.get("/v1/models/tin").await.0, 404);
    let plain = bench.ask("/v1/embeddings", json!({"model": "tiny", "input": ["a", "b"]})).await;
    assert_eq!(plain["data"][1]["index"], 1);
    let body = json!({"model": "tiny", "input": [1, 2], "encoding_format": "base64", "dimensions": 2});
    let coded = bench.ask("/v1/embeddings", body).await;
    assert_eq!(coded["data"][0]["embedding"], "mpkZP83MTD8=");
}

#[tokio::test]
async fn refusals_have_the_dialects_shape_and_name_the_field() {
    let bench = bench();
    let check = async |path: &str, body: Value, status: u16, pointer: &str, says: &str| {
        let (found, text) = bench.post(path, body.to_string()).await;
        assert_eq!(found, status, "{path} {body}: {text}");
        let answer: Value = serde_json::from_str(&text).unwrap();
        let message = answer.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{answer}"));
        assert!(message.contains(says), "{path} {body}: {message}");
    };
    let chat = |extra: Value| {
        let mut body = json!({"model": "tiny", "messages": user("hi")});
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        body
    };
    let openai = "/error/message";
    let path = "/v1/chat/completions";
    check(
        path,
        chat(json!({"temperature": "hot"})),
        400,
        openai,
        "`temperature` is \"hot\", expected a number",
    )
    .await;
    check(path, chat(json!({"temperature": 3})), 400, openai, "expected 0 to 2").await;
    check(path, chat(json!({"typical_p": 0.5})), 400, openai, "`typical_p` is not supported").await;
    check(path, chat(json!({"store": true})), 400, openai, "`store` is true").await;
    check(path, chat(json!({"n": 1000})), 400, openai, "`n` is 1000").await;
    check(path, chat(json!({"max_tokens": 0})), 400, openai, "`max_tokens` is 0").await;
    check(path, chat(json!({"stop": ["a", ""]})), 400, openai, "empty text").await;
    check(path, chat(json!({"logit_bias": {"x": 1}})), 400, openai, "token ids").await;
    check(path, chat(json!({"tool_choice": "required"})), 400, openai, "there are no `tools`").await;
    check(
        path,
        chat(json!({"response_format": {"type": "xml"}})),
        400,
        "/error/param",
        "response_format.type",
    )
    .await;
    check(path, chat(json!({"model": "tinny"})), 404, openai, "did you mean `tiny`").await;
    check(path, chat(json!({"messages": user(&"a ".repeat(101))})), 400, openai, "101 tokens").await;
    check(path, chat(json!({"messages": user(&"a ".repeat(101))})), 400, "/error/code", "context_length")
        .await;
    let sound = json!([{"role": "user", "content": [{"type": "input_audio", "input_audio": {}}]}]);
    check(path, chat(json!({"messages": sound})), 400, openai, "messages[0].content[0].type").await;
    check(path, chat(json!({"messages": user("busy")})), 429, "/error/type", "rate_limit_error").await;
    check(path, chat(json!({"messages": user("fail")})), 503, openai, "rank 1 was lost").await;
    check(
        "/v1/messages",
        json!({"model": "tiny", "messages": user("hi")}),
        400,
        openai,
        "`max_tokens` is missing",
    )
    .await;
    check(
        "/v1/messages",
        json!({"model": "x", "max_tokens": 1, "messages": user("hi")}),
        404,
        "/error/type",
        "not_found_error",
    )
    .await;
    check(
        "/api/chat",
        json!({"model": "tiny", "messages": user("hi"), "options": {"mirostat": 2}}),
        400,
        "/error",
        "`options.mirostat` is 2",
    )
    .await;
    check(
        "/api/chat",
        json!({"model": "tiny", "messages": user("hi"), "options": {"num_ctx": 5000}}),
        400,
        "/error",
        "context of 100",
    )
    .await;
    check(
        "/v1/responses",
        json!({"model": "tiny", "input": "hi", "previous_response_id": "r"}),
        400,
        openai,
        "nothing is stored",
    )
    .await;
    check("/nowhere", json!({}), 404, openai, "/docs").await;
    assert_eq!(bench.get("/v1/messages").await.0, 405);
}

/// Pictures come in each dialect's own shape, in order, and nothing is fetched for anybody.
#[tokio::test]
async fn pictures_are_read_or_refused_by_name() {
    let bench = bench();
    let shown = |url: &str| json!({"type": "image_url", "image_url": {"url": url, "detail": "high"}});
    let two = "data:image/png;base64,AAEC";
    let openai = json!([{"role": "user", "content": [{"type": "text", "text": "a"}, shown(two), {"type": "text", "text": "b"}]}]);
    let responses = json!([{"role": "user", "content": [
        {"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": two}, {"type": "input_text", "text": "b"}]}]);
    let source = json!({"type": "base64", "media_type": "image/png", "data": "AAEC"});
    let anthropic = json!([{"role": "user", "content": [
        {"type": "text", "text": "a"}, {"type": "image", "source": source}, {"type": "text", "text": "b"}]}]);
    let picture = || Part::Picture(vec![0, 1, 2]);
    let between = vec![Part::Text("a".into()), picture(), Part::Text("b".into())];
    let before = vec![picture(), Part::Text("ab".into())];
    for (path, body, expected) in [
        ("/v1/chat/completions", json!({"model": "tiny", "messages": openai}), &between),
        ("/v1/responses", json!({"model": "tiny", "input": responses}), &between),
        ("/v1/messages", json!({"model": "tiny", "max_tokens": 5, "messages": anthropic}), &between),
        (
            "/api/chat",
            json!({"model": "tiny", "stream": false, "messages": [{"role": "user", "content": "ab", "images": ["AAEC"]}]}),
            &before,
        ),
        (
            "/api/generate",
            json!({"model": "tiny", "stream": false, "prompt": "ab", "images": ["AAEC"]}),
            &before,
        ),
    ] {
        bench.ask(path, body).await;
        let asked = bench.asked();
        let Prompt::Chat(chat) = asked.prompt else { panic!("{path}: no conversation") };
        assert_eq!(chat.messages[0].content, Content::Parts(expected.clone()), "{path}");
    }
    let refused = async |path: &str, body: Value, says: &str| {
        let (status, text) = bench.post(path, body.to_string()).await;
        assert!(status == 400 && text.contains(says), "{path} {body}: {status} {text}");
    };
    let chat = |role: &str, url: &str| json!({"model": "tiny", "messages": [{"role": role, "content": [shown(url)]}]});
    let path = "/v1/chat/completions";
    refused(
        path,
        chat("user", "https://example.com/a.png"),
        "messages[0].content[0].image_url.url` names another machine",
    )
    .await;
    refused(path, chat("user", "HTTP://127.0.0.1/a.png"), "fetches nothing").await;
    refused(path, chat("user", "file:///etc/passwd"), "expected `data:image/png;base64,").await;
    refused(path, chat("user", "data:image/png,AAEC"), "expected `data:image/png;base64,").await;
    refused(path, chat("user", "data:image/png;base64,A!"), "expected a PNG or JPEG file in base64").await;
    refused(path, chat("user", "data:image/png;base64,"), "is empty").await;
    refused(path, chat("system", two), "only messages of users may have").await;
    let message = |source: Value| json!({"model": "tiny", "max_tokens": 5, "messages": [{"role": "user", "content": [{"type": "image", "source": source}]}]});
    refused(
        "/v1/messages",
        message(json!({"type": "url", "url": "https://example.com/a.png"})),
        "fetches nothing",
    )
    .await;
    refused("/v1/messages", message(json!({"type": "file", "file_id": "f"})), "no files are kept here").await;
    let ollama = |images: Value| json!({"model": "tiny", "messages": [{"role": "user", "content": "hi", "images": images}]});
    refused("/api/chat", ollama(json!(["%"])), "messages[0].images[0]` is").await;
    refused("/api/chat", ollama(json!([7])), "messages[0].images[0]` is 7, expected a string").await;
    let raw = json!({"model": "tiny", "raw": true, "prompt": "a", "images": ["AAEC"]});
    refused("/api/generate", raw, "cannot be used with `raw`").await;
}

#[tokio::test]
async fn what_is_described_is_served() {
    let bench = bench();
    let (_, text) = bench.get("/openapi.json").await;
    let described: Value = serde_json::from_str(&text).unwrap();
    for (path, methods) in described["paths"].as_object().unwrap() {
        // A change of state never comes, and a body would wait for it.
        if path == "/events" {
            continue;
        }
        let path = path.replace("{name}", "tiny").replace(['{', '}'], "");
        for method in methods.as_object().unwrap().keys() {
            let request = Request::builder().method(method.to_uppercase().as_str()).uri(&path);
            let response = bench.send(request.body(Body::from("{}")).unwrap()).await;
            let status = response.status().as_u16();
            let told = response.into_body().collect().await.unwrap().to_bytes();
            // A fake has no keys and no cluster; what is not there at all is told so.
            let unserved = String::from_utf8_lossy(&told).contains("nothing is served here");
            assert!([200, 400, 404].contains(&status) && !unserved, "{method} {path}: {status}");
        }
    }
    let (_, page) = bench.get("/docs").await;
    assert!(page.contains("/openapi.json") && !page.contains("//cdn"), "{page}");
    let (_, metrics) = bench.get("/metrics").await;
    assert!(metrics.contains("tandem_requests_waiting{model=\"ti\\\"ny\"} 2"), "{metrics}");
    assert!(metrics.contains("tandem_first_token_seconds_bucket{le=\"+Inf\"}"), "{metrics}");
    assert_eq!(metrics.matches("# TYPE tandem_requests_waiting ").count(), 1, "{metrics}");
}
