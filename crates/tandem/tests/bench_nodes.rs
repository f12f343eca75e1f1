//! `tandem bench fabric|collective --nodes`: what machines that are named measure between them.

mod cli;

use cli::Home;
use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};

const SECRET: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Addresses that were free a moment ago, with ports below those that callers get: nobody takes them meanwhile.
fn free_addresses(count: usize) -> String {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 10_000 + (std::process::id() * 16 % 20_000) as u16;
    let ports = std::iter::repeat_with(|| first + NEXT.fetch_add(1, Ordering::Relaxed));
    let free = ports.map(|port| format!("127.0.0.1:{port}")).filter(|it| TcpListener::bind(it).is_ok());
    free.take(count).collect::<Vec<_>>().join(",")
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
