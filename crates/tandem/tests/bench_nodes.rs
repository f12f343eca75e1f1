//! `tandem bench fabric|collective --nodes`: what machines that are named measure between them.

mod cli;

use cli::Home;
use std::net::TcpListener;
use std::process::{Child, Stdio};

const SECRET: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Addresses that were free a moment ago.
fn free_addresses(count: usize) -> String {
    let listeners: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<_> = listeners.iter().map(|it| it.local_addr().unwrap().to_string()).collect();
    addresses.join(",")
}

fn start(home: &Home, what: &str, nodes: &str, me: usize, secret: &str) -> Child {
    let mut command = home.command();
    command.args(["bench", what, "--nodes", nodes, "--me", &me.to_string(), "--secret", secret]);
    command.args(["--link", "tcp", "--sizes", "64,8192", "--each-ms", "20", "--json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Node 0's report.
fn report(what: &str, count: usize) -> serde_json::Value {
    let home = Home::new();
    let nodes = free_addresses(count);
    let children: Vec<_> = (0..count).map(|me| start(&home, what, &nodes, me, SECRET)).collect();
    let outputs: Vec<_> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    for output in &outputs {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(outputs[1..].iter().all(|output| output.stdout.is_empty()));
    serde_json::from_slice(&outputs[0].stdout).unwrap()
}

#[test]
fn two_machines_measure_their_link() {
    let report = report("fabric", 2);
    assert_eq!(report["link"], "tcp");
    assert_eq!(report["rows"].as_array().unwrap().len(), 2);
}

#[test]
fn three_machines_measure_their_sums() {
    let report = report("collective", 3);
    assert_eq!(report["options"]["ranks"], 3);
    assert_eq!(report["rows"][1]["bytes"], 8192);
}

#[test]
fn wrong_places_and_secrets_are_refused_with_what_was_expected() {
    let home = Home::new();
    let nodes = ["bench", "fabric", "--nodes", "127.0.0.1:1,127.0.0.1:2", "--me"];
    let check = |more: &[&str], expected: &str| {
        let ended = home.run(nodes.iter().chain(more));
        assert_ne!(ended.code, Some(0));
        assert!(ended.stderr.contains(expected), "{}", ended.stderr);
    };
    check(&["2"], "--nodes names 2 machines");
    check(&["1"], "start node 0 first");
    check(&["1", "--secret", "abc"], "64 hexadecimal digits");
}
