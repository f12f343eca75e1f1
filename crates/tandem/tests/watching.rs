//! A node watched from a terminal: `tandem top` in a pseudo-terminal, with keys pressed as a person would, and the log.
#![cfg(target_os = "linux")]

mod cli;
mod node_up;
mod terminal;

use cli::{Home, wait_until};
use node_up::NodeUp;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Read;
use terminal::Terminal;

/// Nobody would think of this by chance.
const SECRET: &str = "xyzzyplugh";

fn said(content: &str) -> Value {
    json!({"model": "tiny", "messages": [{"role": "user", "content": content}], "max_tokens": 2})
}

/// The answer to a chat, head and all.
fn answer(node: &NodeUp, body: &Value) -> String {
    let mut answer = String::new();
    node.post(body).read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn what_is_logged_connects_by_ids_and_holds_nothing_of_prompts() {
    let home = Home::new();
    let (tiny, log) = (home.tiny_model(), home.path("log"));
    let stderr = File::create(&log).unwrap();
    let options = [tiny.to_str().unwrap(), "-vv", "--log", "json"];
    let node = NodeUp::start_logging(&home, "desk", &options, stderr.into());
    let answered = answer(&node, &said(SECRET));
    assert!(answered.starts_with("HTTP/1.1 200"), "{answered}");
    let id = answered.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap().trim().to_owned();
    // Refusals say what is wrong, and not with what words.
    for wrong in [
        json!({"model": "tiny", "messages": SECRET}),
        json!({"model": "tiny", "messages": [{"role": "user", "content": {"text": SECRET}}]}),
    ] {
        let refused = answer(&node, &wrong);
        assert!(refused.starts_with("HTTP/1.1 400"), "{refused}");
    }
    // Every line is one of JSON.
    let lines = || -> Vec<Value> {
        let text = std::fs::read_to_string(&log).unwrap();
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        whole.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
    };
    let count = |message: &str| lines().iter().filter(|line| line["message"] == message).count();
    wait_until("the requests' lines", || (count("request"), count("request refused")) == (1, 2));
    wait_until("a line for the placement", || count("tiny is ready on desk") == 1);
    let lines = lines();
    let find = |message: &str| {
        lines.iter().find(|line| line["message"] == message).unwrap_or_else(|| panic!("no {message}"))
    };
    let (asked, sent, taken) =
        (find("asks the cluster"), find("a request is sent"), find("a request is taken"));
    assert_eq!(asked["span"]["request"], id.as_str(), "{asked}");
    for name in ["front", "number"] {
        assert!(asked[name] == sent[name] && sent[name] == taken[name], "{asked} {sent} {taken}");
    }
    assert_eq!(sent["node_id"], asked["front"], "one node does it all");
    let ready = find("tiny is ready on desk");
    for name in ["instance", "generation"] {
        assert!(
            ready[name].is_string() && ready[name] == sent[name] && sent[name] == taken[name],
            "{ready} {sent} {taken}"
        );
    }
    let told = find("request");
    assert!(told["request"] == id.as_str() && told["status"] == 200 && told["tokens"] == 2, "{told}");
    assert!(find("request refused")["failure"].is_string());
    assert!(!std::fs::read_to_string(&log).unwrap().contains(SECRET));
}

#[test]
fn little_is_logged_unless_asked_for() {
    let home = Home::new();
    let (tiny, log) = (home.tiny_model(), home.path("log"));
    let quiet = || {
        let node = NodeUp::start_logging(
            &home,
            "desk",
            &[tiny.to_str().unwrap()],
            File::create(&log).unwrap().into(),
        );
        assert!(answer(&node, &said(SECRET)).starts_with("HTTP/1.1 200"));
        drop(node);
        std::fs::read_to_string(&log).unwrap()
    };
    // One line for whoever started it.
    let told = quiet();
    assert!(told.starts_with("Node ") && told.lines().count() == 1, "{told}");

    let options = [tiny.to_str().unwrap(), "-v", "--log-texts"];
    let node = NodeUp::start_logging(&home, "desk", &options, File::create(&log).unwrap().into());
    assert!(answer(&node, &said(SECRET)).starts_with("HTTP/1.1 200"));
    wait_until("the prompt in the log", || std::fs::read_to_string(&log).unwrap().contains(SECRET));
}

#[test]
fn a_cluster_is_watched_and_ordered_about_from_a_small_terminal() {
    let (home, other) = (Home::new(), Home::new());
    let tiny = home.tiny_model();
    let mut desk = NodeUp::start(&home, "desk", &[tiny.to_str().unwrap()]);
    let token = home.run(["token"]).succeeded().stdout.trim().to_owned();
    let _shelf = NodeUp::start(&other, "shelf", &["--join", &token]);
    wait_until("both nodes", || desk.live() == 2);
    let nodes =
        || -> Vec<Value> { serde_json::from_str(&home.run(["nodes", "--json"]).succeeded().stdout).unwrap() };
    let place = nodes().iter().position(|node| node["name"] == "shelf").unwrap();

    let Some(mut top) = Terminal::start(&home, &["top", "--every", "0.2"], 80, 24) else {
        eprintln!(
            "SKIPPED a_cluster_is_watched_and_ordered_about_from_a_small_terminal: no `script` to give it a terminal (Debian: bsdutils)"
        );
        return;
    };
    for text in ["2 of 2 nodes", "tokens/s", "desk*", "shelf", "tiny", "ready", "q quit"] {
        top.wait_for(text);
    }
    // The node one looks from stays, and so does one whose removal was not confirmed.
    if place == 0 {
        top.press("j");
    }
    top.press("r");
    top.wait_for("this is the node you look from");
    top.press(if place == 0 { "k" } else { "j" });
    top.press("r");
    top.wait_for("Remove shelf from the cluster for good? y / n");
    top.press("n");
    top.wait_for("q quit");
    top.press("l");
    top.wait_for("CARRIES");
    top.press("l");
    assert_eq!(nodes().len(), 2);
    top.press("r");
    top.wait_for("Remove shelf from");
    top.press("y");
    top.wait_for("1 of 1 nodes");
    assert_eq!(nodes().len(), 1);
    top.press("u");
    top.wait_for("Unload tiny? y / n");
    top.press("y");
    top.wait_for("none is loaded");
    assert_eq!(desk.loaded(), []);
    top.press("p");
    top.wait_for("PAUSED");
    top.press("p");
    top.wait_until("it goes on", |screen| !screen.contains("PAUSED"));
    // A node that is gone is told of; when it is back, all goes on.
    desk.kill();
    top.wait_for("NO ANSWER");
    top.wait_for("no node runs here");
    let _again = NodeUp::start(&home, "desk", &[]);
    top.wait_until("it is back", |screen| !screen.contains("NO ANSWER") && screen.contains("q quit"));
    top.press("q");
    assert!(top.ended(), "it did not end well");
    assert!(top.is_restored());
}

#[test]
fn without_a_terminal_or_a_node_top_says_what_to_do() {
    let home = Home::new();
    home.run(["top"]).failed(1, "no node runs here");
    let _node = NodeUp::start(&home, "desk", &[]);
    home.run(["top"]).failed(1, "draws in a terminal");
}
