//! Requests that nobody should send: none may cost more than a refusal.

mod fake;

use axum::body::Body;
use axum::http::{Request, header};
use fake::Bench;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;
use tandem_api::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const PATHS: [&str; 12] = [
    "/v1/chat/completions",
    "/v1/completions",
    "/v1/responses",
    "/v1/embeddings",
    "/v1/messages",
    "/api/chat",
    "/api/generate",
    "/v1/messages/count_tokens",
    "/api/embed",
    "/api/show",
    "/api/pull",
    "/tandem/load",
];

/// Requests that are answered, to be spoilt; in the order of their paths.
fn sound() -> Vec<Value> {
    let tools = json!([{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]);
    let messages = json!([
        {"role": "system", "content": "s"},
        {"role": "user", "content": [{"type": "text", "text": "hello you"}]},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "seen"},
    ]);
    vec![
        json!({"model": "tiny", "messages": messages, "tools": tools, "tool_choice": "auto", "stream": true,
            "stream_options": {"include_usage": true}, "temperature": 1, "top_p": 1, "n": 2, "seed": 1,
            "stop": ["x"], "logit_bias": {"1": 2}, "logprobs": true, "top_logprobs": 2, "max_tokens": 9,
            "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "object"}}}}),
        json!({"model": "tiny", "prompt": ["a", "b"], "stream": true, "echo": true, "max_tokens": 3, "n": 2}),
        json!({"model": "tiny", "input": [{"role": "user", "content": "hi"},
            {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": "seen"}],
            "text": {"format": {"type": "json_object"}}, "reasoning": {"effort": "low"}, "stream": true}),
        json!({"model": "tiny", "input": ["a", "b"], "encoding_format": "base64"}),
        json!({"model": "tiny", "max_tokens": 5, "system": [{"type": "text", "text": "s"}], "messages": [
            {"role": "user", "content": [{"type": "text", "text": "call"}]}], "stream": true,
            "tools": [{"name": "look", "input_schema": {"type": "object"}}], "tool_choice": {"type": "any"},
            "thinking": {"type": "enabled", "budget_tokens": 1024}}),
        json!({"model": "tiny", "messages": [{"role": "user", "content": "call", "images": []}],
            "options": {"temperature": 0, "num_predict": 4, "num_ctx": 10}, "format": "json", "think": true}),
        json!({"model": "tiny", "prompt": "hi", "system": "s", "raw": false, "keep_alive": "5m", "stream": false}),
    ]
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Replaces, removes or repeats something somewhere inside.
fn spoil(value: &mut Value, dice: &mut Dice) {
    let deeper = dice.below(8) > 0;
    match value {
        Value::Object(object) if deeper && !object.is_empty() => {
            let name = object.keys().nth(dice.below(object.len())).unwrap().clone();
            match dice.below(6) {
                0 => drop(object.remove(&name)),
                1 => drop(object.insert(format!("{name}_"), json!(1))),
                _ => spoil(object.get_mut(&name).unwrap(), dice),
            }
        }
        Value::Array(list) if deeper && !list.is_empty() => {
            let index = dice.below(list.len());
            match dice.below(6) {
                0 => drop(list.remove(index)),
                1 => list.push(list[index].clone()),
                _ => spoil(&mut list[index], dice),
            }
        }
        place => {
            let odd = [
                json!(null),
                json!(true),
                json!(-1),
                json!(0),
                json!(1e300),
                json!(u64::MAX),
                json!(i64::MIN),
                json!(0.5),
                json!(""),
                json!("\u{0}\u{fffd}\u{1f600}"),
                json!("x".repeat(5000)),
                json!([]),
                json!({}),
                json!([[[[1]]]]),
                json!({"type": "text"}),
                json!("tiny"),
                json!("auto"),
                json!(["a", 1]),
                json!({"$ref": "#"}),
            ];
            *place = odd[dice.below(odd.len())].clone();
        }
    }
}

#[tokio::test]
async fn ten_thousand_spoilt_requests_are_answered_or_refused() {
    let bench = Bench::new(Settings::default());
    let sound = sound();
    for (path, body) in PATHS.iter().zip(&sound) {
        let (status, text) = bench.post(path, body.to_string()).await;
        assert_eq!(status, 200, "{path}: {text}");
    }
    let mut dice = Dice(7);
    let mut answered = [0; 6];
    for round in 0..10_000 {
        let kind = dice.below(sound.len());
        let mut body = sound[kind].clone();
        for _ in 0..=dice.below(3) {
            spoil(&mut body, &mut dice);
        }
        let mut bytes = body.to_string().into_bytes();
        // Some are not even JSON.
        if dice.below(10) == 0 && !bytes.is_empty() {
            match dice.below(3) {
                0 => bytes.truncate(dice.below(bytes.len())),
                1 => {
                    let place = dice.below(bytes.len());
                    bytes[place] = dice.below(256) as u8;
                }
                _ => bytes.insert(dice.below(bytes.len()), 0xff),
            }
        }
        let path = PATHS[if dice.below(4) > 0 { kind } else { dice.below(PATHS.len()) }];
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let response = bench.send(Request::post(path).body(Body::from(bytes)).unwrap()).await;
        let status = response.status().as_u16();
        assert!((200..500).contains(&status), "round {round}: {status} for {path} {shown}");
        answered[usize::from(status / 100)] += 1;
        // Some clients leave without reading.
        if dice.below(4) > 0 {
            response.into_body().collect().await.unwrap();
        }
    }
    assert!(answered[2] > 500 && answered[4] > 2000, "{answered:?}");
    assert_eq!(bench.fake.held.load(SeqCst), 0, "slots are still held");
    let (_, metrics) = bench.get("/metrics").await;
    // This request itself is in flight.
    assert!(metrics.contains("tandem_requests_in_flight 1\n"), "{metrics}");
}

#[tokio::test]
async fn bad_bodies_are_refused() {
    let settings = Settings { body_bytes_max: 10_000, ..Settings::default() };
    let bench = Bench::new(settings);
    let path = "/v1/chat/completions";
    let check = async |body: Vec<u8>, status: u16, says: &str| {
        let (found, text) = bench.post(path, body).await;
        assert_eq!(found, status, "{text}");
        assert!(text.contains(says), "{text}");
    };
    check(b"".to_vec(), 400, "not valid JSON").await;
    check(b"{\"model\": ".to_vec(), 400, "not valid JSON").await;
    check(b"{\"model\": \"\xff\xfe\"}".to_vec(), 400, "not valid JSON").await;
    check(b"[]".to_vec(), 400, "expected an object").await;
    check("[".repeat(9000).into_bytes(), 400, "recursion limit").await;
    check(b"{\"model\": \"tiny\", \"temperature\": 1e999}".to_vec(), 400, "not valid JSON").await;
    check(vec![b' '; 10_001], 413, "10000 bytes").await;
    let declared =
        Request::post(path).header(header::CONTENT_LENGTH, "99999999999").body(Body::empty()).unwrap();
    assert_eq!(bench.send(declared).await.status(), 413);
}

async fn serve(settings: Settings) -> (Bench, std::net::SocketAddr, tokio::sync::oneshot::Sender<()>) {
    let bench = Bench::new(settings);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = bench.server.clone();
    let ended = async move {
        let _ = stopped.await;
    };
    tokio::spawn(server.run(listener, ended, Duration::from_secs(60)));
    (bench, address, stop)
}

async fn send(address: std::net::SocketAddr, text: &str) -> TcpStream {
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(text.as_bytes()).await.unwrap();
    socket
}

fn post(path: &str, body: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

#[tokio::test]
async fn slow_headers_and_slow_bodies_are_cut_off() {
    let brief = Duration::from_millis(50);
    let (_bench, address, _stop) = serve(Settings { body_within: brief, ..Settings::default() }).await;
    let mut answer = String::new();
    let mut slow_body = send(
        address,
        "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{",
    )
    .await;
    slow_body.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    let (_bench, address, _stop) = serve(Settings { headers_within: brief, ..Settings::default() }).await;
    let mut slow_headers = send(address, "POST /v1/chat/completions HTTP/1.1\r\nho").await;
    answer.clear();
    // Closed, with or without a word.
    let _ = slow_headers.read_to_string(&mut answer).await;
    assert!(!answer.contains("200"), "{answer}");
}

#[tokio::test]
async fn a_client_that_leaves_frees_its_slot() {
    let log = std::sync::Arc::new(std::sync::Mutex::new(Vec::<Value>::new()));
    let lines = std::sync::Arc::clone(&log);
    let log_to = move |line: &Value| lines.lock().unwrap().push(line.clone());
    let silence_max = Duration::from_millis(20);
    let settings = Settings { log: Box::new(log_to), silence_max, ..Settings::default() };
    let (bench, address, _stop) = serve(settings).await;
    for (count, stream) in [true, false].into_iter().enumerate() {
        let body =
            json!({"model": "tiny", "messages": [{"role": "user", "content": "endless"}], "stream": stream});
        let mut socket = send(address, &post("/v1/chat/completions", &body.to_string())).await;
        while bench.fake.held.load(SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        if stream {
            let mut first = [0; 100];
            socket.read_exact(&mut first).await.unwrap();
        }
        drop(socket);
        while bench.fake.held.load(SeqCst) > 0 || log.lock().unwrap().len() == count {
            tokio::task::yield_now().await;
        }
        let line = log.lock().unwrap()[count].clone();
        let told = [&line["cancelled"], &line["prompt_tokens"], &line["tokens"]];
        assert_eq!(told, [&json!(true), &json!(7), &json!(1)], "what was made until then: {line}");
    }
    let (_, metrics) = bench.get("/metrics").await;
    assert!(metrics.contains("tandem_generations_cancelled_total 2\n"), "{metrics}");
    assert!(metrics.contains("tandem_generated_tokens_total 2\n"), "{metrics}");
}

#[tokio::test]
async fn a_stopped_server_finishes_what_it_began() {
    let (bench, address, stop) = serve(Settings::default()).await;
    let body = json!({"model": "tiny", "messages": [{"role": "user", "content": "hello you"}]}).to_string();
    // All but the last byte has been sent when the server is told to stop.
    let text = post("/v1/chat/completions", &body);
    let (most, rest) = text.split_at(text.len() - 1);
    let mut socket = send(address, most).await;
    while !bench.get("/metrics").await.1.contains("tandem_requests_in_flight 2\n") {
        tokio::task::yield_now().await;
    }
    // A feed of changes has no end of its own.
    let mut feed = send(address, "GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    let mut begun = Vec::new();
    while !String::from_utf8_lossy(&begun).contains("event: state") {
        feed.read_buf(&mut begun).await.unwrap();
    }
    bench.fake.changes.0.send(json!({"event": "ready"})).unwrap();
    stop.send(()).unwrap();
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    socket.write_all(rest.as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("hello you"), "{answer}");
    let mut rest = String::new();
    feed.read_to_string(&mut rest).await.unwrap();
    assert!(rest.contains("event: change"), "{rest}");
}

#[tokio::test]
async fn keys_origins_and_limits() {
    let folder = std::env::temp_dir().join(format!("tandem-gate-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let keys = Keys::at(folder.join("keys.json"));
    let limits = KeyLimits { requests_per_minute: Some(2), concurrent: None };
    let (secret, limited) =
        (keys.add("anna", KeyLimits::default(), false).unwrap(), keys.add("ben", limits, true).unwrap());
    let log = std::sync::Arc::new(std::sync::Mutex::new(Vec::<Value>::new()));
    let lines = std::sync::Arc::clone(&log);
    let bench = Bench::new(Settings {
        key_required: true,
        keys: Some(Keys::at(folder.join("keys.json"))),
        origins: vec!["https://chat.example".into()],
        log: Box::new(move |line| lines.lock().unwrap().push(line.clone())),
        ..Settings::default()
    });
    let with = |name: &'static str, value: String| Request::get("/v1/models").header(name, value);
    let status = async |request: axum::http::request::Builder| {
        let response = bench.send(request.body(Body::empty()).unwrap()).await;
        (response.status().as_u16(), response.headers().clone())
    };
    assert_eq!(status(Request::get("/v1/models")).await.0, 401);
    assert_eq!(status(Request::get("/metrics")).await.0, 401);
    assert_eq!(status(Request::get("/health")).await.0, 200);
    assert_eq!(status(with("authorization", "Bearer td-wrong".into())).await.0, 401);
    assert_eq!(status(with("authorization", format!("Bearer {secret}"))).await.0, 200);
    // The pages ask for a key themselves. Who calls may not say who else does, unless the key is for that.
    assert_eq!(status(Request::get("/")).await.0, 200);
    assert_eq!(status(Request::get("/tandem/keys")).await.0, 401);
    assert_eq!(status(Request::get("/tandem/keys").header("x-api-key", secret.clone())).await.0, 403);
    assert_eq!(status(Request::get("/tandem/keys").header("x-api-key", limited.clone())).await.0, 200);
    assert_eq!(status(with("x-api-key", limited.clone())).await.0, 200);
    let (code, headers) = status(with("x-api-key", limited)).await;
    assert_eq!(code, 429);
    assert!(headers.contains_key("retry-after"));
    let (code, headers) =
        status(with("x-api-key", secret.clone()).header("origin", "https://chat.example")).await;
    assert_eq!(
        (code, &headers["access-control-allow-origin"]),
        (200, &"https://chat.example".parse().unwrap())
    );
    assert_eq!(
        status(with("x-api-key", secret.clone()).header("origin", "https://evil.example")).await.0,
        403
    );
    let line = log.lock().unwrap().iter().find(|line| line["key"] == "anna").cloned().unwrap();
    assert!(line["request"].as_str().unwrap().starts_with("req_") && line["status"] == 200, "{line}");
    keys.revoke("anna").unwrap();
    while status(with("authorization", format!("Bearer {secret}"))).await.0 != 401 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn pages_of_others_may_not_call() {
    let bench = Bench::new(Settings::default());
    let status = async |origin: &str, host: &str| {
        let request = Request::get("/v1/models").header("origin", origin).header("host", host);
        bench.send(request.body(Body::empty()).unwrap()).await.status().as_u16()
    };
    assert_eq!(status("http://127.0.0.1:11435", "127.0.0.1:11435").await, 200);
    assert_eq!(status("http://localhost:11435", "localhost:11435").await, 200);
    // A name that was made to point at this machine.
    assert_eq!(status("http://evil.example", "evil.example").await, 403);
    assert_eq!(status("https://evil.example", "127.0.0.1:11435").await, 403);
    // No page may call just because all may.
    let open = Bench::new(Settings { origins: vec!["*".into()], ..Settings::default() });
    let request = Request::get("/v1/models").header("origin", "https://evil.example");
    assert_eq!(open.send(request.body(Body::empty()).unwrap()).await.status(), 403);
}

/// A page can make its own name point at this machine; its requests have no origin then.
#[tokio::test]
async fn names_of_others_are_not_answered_to() {
    let bench = Bench::new(Settings { origins: vec!["https://chat.example".into()], ..Settings::default() });
    let status = async |path: &str, host: &str| {
        let request = Request::get(path).header("host", host).body(Body::empty()).unwrap();
        bench.send(request).await.status().as_u16()
    };
    for path in ["/state", "/metrics", "/v1/models", "/health", "/docs", "/api/tags", "/nowhere", "/events"] {
        for host in [
            "evil.example",
            "evil.example:11435",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "::1:x",
        ] {
            assert_eq!(status(path, host).await, 403, "{path} {host}");
        }
    }
    for host in [
        "localhost",
        "LOCALHOST:1",
        "a.localhost",
        "127.0.0.1:11435",
        "[::1]:11435",
        "192.168.1.5",
        "chat.example",
    ] {
        assert_eq!(status("/v1/models", host).await, 200, "{host}");
    }
    let absolute = Request::get("http://evil.example/v1/models").header("host", "localhost");
    assert_eq!(bench.send(absolute.body(Body::empty()).unwrap()).await.status(), 403);
}

#[tokio::test]
async fn a_client_that_closed_its_sending_side_gets_its_answer() {
    let silence_max = Duration::from_millis(20);
    let (_bench, address, _stop) = serve(Settings { silence_max, ..Settings::default() }).await;
    for (said, stream) in
        [("hello you", false), ("hello you", true), ("slow hello", false), ("slow hello", true)]
    {
        let body =
            json!({"model": "tiny", "messages": [{"role": "user", "content": said}], "stream": stream});
        let request =
            post("/v1/chat/completions", &body.to_string()).replace("host:", "connection: close\r\nhost:");
        let mut socket = send(address, &request).await;
        socket.shutdown().await.unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("hello"), "{said} {stream}: {answer}");
    }
}

/// The service takes its time with what begins with `slow`: signs of life come meanwhile, in each dialect's form.
#[tokio::test]
async fn whoever_waits_is_sent_signs_of_life() {
    let bench = Bench::new(Settings { silence_max: Duration::from_millis(20), ..Settings::default() });
    let chat = |stream: bool| json!({"model": "tiny", "max_tokens": 9, "messages": [{"role": "user", "content": "slow hello"}], "stream": stream});
    for (path, sign) in
        [("/v1/chat/completions", ": still working"), ("/v1/messages", "event: ping"), ("/api/chat", " ")]
    {
        let body = |stream| {
            let mut body = chat(stream);
            if path == "/api/chat" {
                body.as_object_mut().unwrap().remove("max_tokens");
            }
            body.to_string()
        };
        let (status, text) = bench.post(path, body(true)).await;
        let first = text.find("hello").unwrap_or_else(|| panic!("{path}: {text}"));
        assert!(status == 200 && text[..first].contains(sign), "{path}: {text}");
        assert!(
            path != "/api/chat" || text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()),
            "{text}"
        );
        let (status, text) = bench.post(path, body(false)).await;
        assert!(status == 200 && text.contains("hello"), "{path}: {text}");
        serde_json::from_str::<Value>(&text).unwrap();
    }
    // What is refused late is told in the stream, or by the status where nothing was sent yet.
    let refused =
        json!({"model": "tiny", "messages": [{"role": "user", "content": "slow refusal"}], "stream": true});
    let (status, text) = bench.post("/v1/chat/completions", refused.to_string()).await;
    assert!(status == 200 && text.contains("\"error\""), "{text}");
}

/// Each waits until the other has begun.
#[tokio::test]
async fn choices_are_answered_together() {
    let bench = Bench::new(Settings::default());
    let body = json!({"model": "tiny", "messages": [{"role": "user", "content": "pair"}], "n": 2});
    let (status, text) = bench.post("/v1/chat/completions", body.to_string()).await;
    assert_eq!(status, 200, "{text}");
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["choices"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn idle_connections_shut_nobody_out() {
    let settings = Settings { connections_max: 8, connections_per_address_max: 6, ..Settings::default() };
    let (_bench, address, _stop) = serve(settings).await;
    let mut idle = Vec::new();
    for _ in 0..30 {
        idle.push(TcpStream::connect(address).await.unwrap());
    }
    let mut socket =
        send(address, "GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await;
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
