//! `tandem up` over two local nodes, spoken to over plain sockets.

mod cli;

use cli::{Home, PATIENCE, children, interrupt, send_hostile_requests, signal, wait_until};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// A server that is killed if a test leaves it running.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(home: &Home, options: &[&str]) -> Server {
        let divided = ["--local-nodes", "2"].iter().chain(options).copied().collect::<Vec<_>>();
        Server::start_with(home, &divided, Stdio::inherit())
    }

    fn start_with(home: &Home, options: &[&str], stderr: Stdio) -> Server {
        let model = home.tiny_model();
        let mut command = home.command();
        command.arg("up").arg(model).args(["--port", "0", "--context", "4096", "--threads", "1"]);
        let mut child = command.args(options).stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap_or_else(|| panic!("{line}"));
        Server { address: address.split_whitespace().next().unwrap().to_owned(), child }
    }

    fn send(&self, method: &str, path: &str, body: &[u8]) -> TcpStream {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
        );
        socket.write_all(&[head.as_bytes(), body].concat()).unwrap();
        socket
    }

    /// The status, and everything after it.
    fn ask(&self, method: &str, path: &str, body: &[u8]) -> (u16, String) {
        answer(self.send(method, path, body))
    }

    fn chat(&self, extra: Value) -> TcpStream {
        let mut body =
            json!({"model": "tiny", "messages": [{"role": "user", "content": "hi"}], "temperature": 0});
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        self.send("POST", "/v1/chat/completions", body.to_string().as_bytes())
    }

    /// The processes that it started.
    fn workers(&self) -> Vec<String> {
        children(&self.child)
    }

    /// Whether so many requests are answered beside this one.
    fn holds_in_flight(&self, in_flight: usize) -> bool {
        let (_, metrics) = self.ask("GET", "/metrics", b"");
        metrics.contains(&format!("tandem_requests_in_flight {}\n", in_flight + 1))
    }

    fn is_idle(&self) -> bool {
        self.holds(0, 0, 0)
    }

    /// Whether so many requests are computed, wait, and are answered beside this one.
    fn holds(&self, running: usize, waiting: usize, in_flight: usize) -> bool {
        let (_, metrics) = self.ask("GET", "/metrics", b"");
        [
            format!("tandem_sequences_running{{model=\"tiny\"}} {running}\n"),
            format!("tandem_requests_waiting{{model=\"tiny\"}} {waiting}\n"),
            format!("tandem_requests_in_flight {}\n", in_flight + 1),
        ]
        .iter()
        .all(|line| metrics.contains(line))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn answer(mut socket: TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    socket.read_to_end(&mut bytes).unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (text.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("{text}")), text)
}

fn pieces(text: &str) -> usize {
    text.lines()
        .filter(|line| {
            line.starts_with("data: {") && line.contains("\"content\":") && !line.contains("\"content\":\"\"")
        })
        .count()
}

#[test]
fn many_clients_stream_while_others_send_nonsense_and_leave() {
    let home = Home::new();
    let server = Server::start(&home, &["--sequences", "8"]);
    let alone = answer(server.chat(json!({"max_tokens": 12, "stream": true}))).1;
    std::thread::scope(|scope| {
        for index in 0..64 {
            let (server, alone) = (&server, &alone);
            scope.spawn(move || {
                let (status, text) = answer(server.chat(json!({"max_tokens": 12, "stream": true})));
                assert_eq!(status, 200, "client {index}: {text}");
                assert!(text.contains("[DONE]"), "client {index}: {text}");
                assert_eq!(pieces(&text), pieces(alone), "client {index}: {text}");
            });
        }
        scope.spawn(|| {
            let spoilt: [&[u8]; 8] = [
                b"{",
                b"\xff",
                b"[]",
                br#"{"model":"tiny","messages":[{"role":"user","content":"hi"}],"max_tokens":-1}"#,
                br#"{"model":"tinny","messages":[{"role":"user","content":"hi"}]}"#,
                br#"{"model":"tiny","messages":[{"role":"user","content":"hi"}],"logit_bias":{"99999":1}}"#,
                br#"{"model":"tiny","messages":[{"role":"user","content":"hi"}],"seed":18446744073709551615,"max_tokens":2}"#,
                br#"{"model":"tiny","messages":[{"role":"user","content":"hi"}],"response_format":{"type":"regex","regex":"("}}"#,
            ];
            for round in 0..96 {
                let paths = ["/v1/chat/completions", "/v1/messages", "/api/chat"];
                let (status, text) = server.ask("POST", paths[round % 3], spoilt[round % 8]);
                assert!(status < 500, "{text}");
            }
        });
        scope.spawn(|| {
            for _ in 0..8 {
                let mut socket = server.chat(json!({"max_tokens": 400, "stream": true}));
                let _ = socket.read_exact(&mut [0; 200]);
            }
        });
    });
    wait_until("no slot held", || server.is_idle());
}

#[test]
fn beyond_the_queue_requests_are_refused_and_a_drained_server_ends_well() {
    let home = Home::new();
    let mut server = Server::start(&home, &["--sequences", "1", "--queue", "1"]);
    // Answers of so small a model may end before the refusal; then all is asked again.
    let mut begun = None;
    wait_until("a refusal", || {
        wait_until("no slot held", || server.is_idle());
        let settles = |running, waiting| (0..100).any(|_| server.holds(running, waiting, running + waiting));
        let running = server.chat(json!({"max_tokens": 1500, "stream": true}));
        if !settles(1, 0) {
            return false;
        }
        let waiting = server.chat(json!({"max_tokens": 1500, "stream": true}));
        if !settles(1, 1) {
            return false;
        }
        let (status, text) = answer(server.chat(json!({"max_tokens": 1})));
        begun = (status == 429).then_some((running, waiting, text));
        begun.is_some()
    });
    let (running, waiting, refused) = begun.unwrap();
    assert!(refused.contains("retry-after: 2") && refused.contains("rate_limit_error"), "{refused}");
    // As a service manager ends it: the whole group hears the signal.
    for process in server.workers().iter().chain([&server.child.id().to_string()]) {
        signal("-TERM", process);
    }
    // What was begun is finished, and what waited too.
    for socket in [running, waiting] {
        let mut rest = String::new();
        BufReader::new(socket).read_to_string(&mut rest).unwrap();
        assert!(rest.contains("[DONE]"), "{rest}");
    }
    let status = server.child.wait().unwrap();
    assert!(status.success(), "{status}");
}

#[test]
fn a_second_interrupt_does_not_wait_for_answers() {
    let home = Home::new();
    let mut server = Server::start_with(&home, &["--alone"], Stdio::piped());
    let mut unfinished = TcpStream::connect(&server.address).unwrap();
    let head = "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{";
    unfinished.write_all(head.as_bytes()).unwrap();
    wait_until("the request is in flight", || server.holds_in_flight(1));
    let mut said = BufReader::new(server.child.stderr.take().unwrap()).lines();
    interrupt(&server.child);
    let heard = said.by_ref().find(|line| line.as_ref().is_ok_and(|line| line.contains("Finishing")));
    assert!(heard.is_some());
    interrupt(&server.child);
    assert_eq!(server.child.wait().unwrap().code(), Some(130));
}

/// By the counts of the engine in rank 0's process: the step under way when it hears that the client has left is the last.
#[test]
fn a_slot_is_free_within_a_step_of_its_clients_leaving() {
    for division in [&[][..], &["--pipeline"]] {
        let home = Home::new();
        let server = Server::start(&home, division);
        let count = |name: &str| -> u64 {
            let (_, metrics) = server.ask("GET", "/metrics", b"");
            let line = metrics.lines().find(|line| line.starts_with(&format!("tandem_{name}{{")));
            line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or(0)
        };
        // An answer may be over before it is known that its client has left.
        wait_until("three cancellations", || {
            let mut socket = server.chat(json!({"max_tokens": 4000, "stream": true}));
            let _ = socket.read_exact(&mut [0; 300]);
            drop(socket);
            wait_until("no slot held", || server.is_idle());
            count("sequences_cancelled_total") >= 3
        });
        assert!(count("cancel_steps_max") <= 1, "{division:?}: {}", count("cancel_steps_max"));
    }
}

/// The script has the requests and what must come of each; here it is held to that no process ends meanwhile.
#[test]
fn hostile_requests_cost_a_refusal_and_nothing_else() {
    for nodes in [&["--alone"][..], &["--local-nodes", "2"]] {
        let home = Home::new();
        let mut server = Server::start_with(&home, nodes, Stdio::inherit());
        // Loads the model, and asks for more than its context holds.
        let (status, text) =
            answer(server.chat(json!({"max_tokens": 1_000_000, "stop": ["a", "e", "i", "o", " "]})));
        assert_eq!(status, 200, "{text}");
        let workers = server.workers();
        send_hostile_requests("tiny", &[&server.address]);
        assert!(server.child.try_wait().unwrap().is_none(), "{nodes:?}: the server ended");
        assert_eq!(server.workers(), workers, "{nodes:?}: a worker was started anew");
        wait_until("no slot held", || server.is_idle());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_model_that_lost_a_rank_is_loaded_anew_when_it_is_asked_for() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let (status, text) = answer(server.chat(json!({"max_tokens": 2})));
    assert_eq!(status, 200, "{text}");
    let workers = || server.workers();
    let ranks = workers();
    assert_eq!(ranks.len(), 2, "{ranks:?}");
    let killed = std::process::Command::new("kill").args(["-9", &ranks[1]]).status().unwrap();
    assert!(killed.success());
    wait_until("an answer of other ranks", || {
        let (status, _) = answer(server.chat(json!({"max_tokens": 2})));
        status == 200 && workers().iter().all(|rank| !ranks.contains(rank))
    });
}

#[test]
fn others_need_a_key() {
    let home = Home::new();
    home.run(["up", "--host", "0.0.0.0"]).failed(1, "there is no key yet");
    let added = home.run(["key", "add", "laptop", "--requests-per-minute", "9"]);
    assert!(added.succeeded().stdout.starts_with("td-"), "{}", added.stdout);
    home.run(["key", "add", "laptop"]).failed(1, "already called `laptop`");
    let listed = home.run(["key", "list", "--json"]);
    assert!(listed.succeeded().stdout.contains("\"requests_per_minute\": 9"), "{}", listed.stdout);
    assert!(!listed.stdout.contains(added.stdout.trim()));
    home.run(["key", "revoke", "laptop"]).succeeded();
    home.run(["key", "revoke", "laptop"]).failed(1, "no key is called `laptop`");
}
