//! Two nodes started by hand: a token, pins, several models and copies, and what is said when something does not fit.

mod cli;

use cli::{Home, PATIENCE, wait_until};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

/// Nodes of one machine share its memory: each has half of this.
const MEMORY_GB: &str = "0.2";

struct NodeUp<'a> {
    home: &'a Home,
    child: Child,
    address: String,
}

impl<'a> NodeUp<'a> {
    fn start(home: &'a Home, name: &str, more: &[&str]) -> NodeUp<'a> {
        let mut command = home.command();
        command.args(["up", "--port", "0", "--cluster-port", "0", "--no-discovery", "--threads", "1"]);
        command.args(["--sequences", "4", "--memory", MEMORY_GB, "--name", name]).args(more);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.split("http://").nth(1).unwrap_or_else(|| panic!("node {name} did not start: {line}"));
        NodeUp { home, child, address: address.split_whitespace().next().unwrap().to_owned() }
    }

    fn chat(&self, model: &str, tokens: usize) -> TcpStream {
        let messages = [json!({"role": "user", "content": "hi"})];
        let body = json!({"model": model, "messages": messages, "max_tokens": tokens, "stream": tokens > 10});
        let body = body.to_string();
        let mut socket = TcpStream::connect(&self.address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let (path, length) = ("/v1/chat/completions", body.len());
        let head = "host: x\r\nconnection: close\r\ncontent-type: application/json";
        write!(socket, "POST {path} HTTP/1.1\r\n{head}\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
        socket
    }

    /// The status and all that follows.
    fn ask(&self, model: &str) -> (u16, String) {
        let mut text = String::new();
        self.chat(model, 2).read_to_string(&mut text).unwrap();
        (text.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("{text}")), text)
    }

    fn metrics(&self) -> String {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(socket, "GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        socket.read_to_string(&mut text).unwrap();
        text
    }

    /// What is loaded: name, nodes, requests.
    fn loaded(&self) -> Vec<(String, Vec<String>, u64)> {
        let listed = self.home.run(["ps", "--json"]);
        let listed: Value = serde_json::from_str(&listed.succeeded().stdout).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let instances = listed["instances"].as_array().unwrap().iter();
        let ready = instances.filter(|it| it["state"] == "ready");
        let nodes =
            |it: &Value| it["ranks"].as_array().unwrap().iter().map(|rank| text(&rank["node"])).collect();
        ready.map(|it| (text(&it["model"]), nodes(it), it["requests"].as_u64().unwrap())).collect()
    }
}

impl Drop for NodeUp<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn path_of(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn two_nodes_share_models_and_say_what_does_not_fit() {
    let (home, other) = (Home::new(), Home::new());
    let tiny = home.tiny_model();
    let [one, two, big] = ["one.gguf", "two.gguf", "big.gguf"].map(|name| home.path(name));
    std::fs::copy(&tiny, &one).unwrap();
    std::fs::copy(&tiny, &two).unwrap();
    let tokenizer = home.path("tokenizer.gguf");
    let shape =
        ["--shape=llama-tiny", "--layers=64", "--type=F16", "--tied", "--tokenizer", path_of(&tokenizer)];
    home.run(["make-model", path_of(&big)].iter().chain(&shape)).succeeded();
    let (one, two, big) = (path_of(&one), path_of(&two), path_of(&big));

    let a = NodeUp::start(&home, "a", &[]);
    let token = home.run(["token"]).succeeded().stdout.trim().to_owned();
    let mut b = NodeUp::start(&other, "b", &["--join", &token]);
    wait_until("both nodes", || {
        let listed = home.run(["nodes", "--json"]);
        let listed: Value = serde_json::from_str(&listed.succeeded().stdout).unwrap();
        let here = |node: &&Value| node["live"] == true && node["read_bytes_per_s"].as_f64() > Some(0.0);
        listed.as_array().unwrap().iter().filter(here).count() == 2
    });
    assert!(home.run(["nodes"]).succeeded().stdout.contains("GB/s"));

    // What would be done, and what was pinned.
    let dry = |pins: &[&str]| home.run(["load", one, "--dry-run"].iter().chain(pins));
    let plan = dry(&["--nodes", "b,a", "--parallelism", "pipeline"]).succeeded().stdout.clone();
    for line in
        ["stage 0: layers 0..1\n  rank 0: b 100%", "stage 1: layers 1..2\n  rank 1: a 100%", "link b – a:"]
    {
        assert!(plan.contains(line) && plan.contains(" MB\n"), "{plan}");
    }
    let plan =
        dry(&["--nodes", "a,b", "--parallelism", "tensor", "--shares", "1,3"]).succeeded().stdout.clone();
    assert!(plan.contains("rank 0: a 25%") && plan.contains("rank 1: b 75%"), "{plan}");
    dry(&["--nodes", "z"]).failed(1, "node `z` is pinned, but only");
    dry(&["--nodes", "a", "--shares", "1,2"]).failed(1, "2 shares are pinned for 1 nodes");
    assert_eq!(a.loaded(), [], "nothing was loaded by asking");

    // Several models, and copies of one; any node answers for all.
    home.run(["load", one, "--nodes", "b", "--context", "512"]).succeeded();
    home.run(["load", two, "--instances", "2", "--nodes", "a", "--context", "8192"]).succeeded();
    wait_until("three instances", || a.loaded().len() == 3);
    let on = |name: &str, node: &str| (name.to_owned(), vec![node.to_owned()], 0);
    assert_eq!(a.loaded(), [on("one", "b"), on("two", "a"), on("two", "a")]);
    for (node, model) in [(&a, "one"), (&b, "one"), (&b, "two")] {
        let (status, text) = node.ask(model);
        assert_eq!(status, 200, "{text}");
    }
    let begin = || {
        let mut streams = [a.chat("two", 8000), a.chat("two", 8000)];
        streams.iter_mut().for_each(|stream| stream.read_exact(&mut [0]).unwrap());
        streams
    };
    let mut streams = begin();
    wait_until("a request for each copy", || {
        let requests: Vec<u64> = a.loaded().iter().map(|it| it.2).collect();
        // Such small models may have answered before anyone looked.
        if requests == [0, 0, 0] {
            streams = begin();
        }
        requests == [0, 1, 1]
    });
    drop(streams);
    // Each node tells of the ranks that it runs.
    for (node, instances) in [(&a, &["two", "two#2"][..]), (&b, &["one"])] {
        let metrics = node.metrics();
        let told = |line: String| assert!(metrics.contains(&line), "no {line} in {metrics}");
        for instance in instances {
            told(format!("steps_total{{model=\"{instance}\"}}"));
            told(format!("rank_exchanging_seconds_total{{model=\"{instance}\",rank=\"0\"}}"));
        }
    }

    // What does not fit is refused with numbers, and what can be done again is done without a word.
    home.run(["load", big, "--context", "8192"]).failed(1, "it takes");
    let (status, text) = a.ask("big");
    assert!(status == 503 && text.contains("it takes") && text.contains("MB free"), "{text}");
    home.run(["unload", "big"]).succeeded();
    b.child.kill().unwrap();
    b.child.wait().unwrap();
    wait_until("a refusal", || {
        let (status, text) = a.ask("one");
        assert!(status == 200 || text.contains("node `b` is pinned, but only a"), "{status} {text}");
        status == 503
    });
    let _again = NodeUp::start(&other, "b", &[]);
    wait_until("the node is used again", || a.ask("one").0 == 200);

    home.run(["unload", "two"]).succeeded();
    wait_until("one model", || a.loaded() == [on("one", "b")]);
    home.run(["remove", "b"]).succeeded();
    home.run(["load", one, "--nodes", "b"]).failed(1, "only a are here");
}
