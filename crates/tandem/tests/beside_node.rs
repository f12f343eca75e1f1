//! Commands beside a node that runs on the same machine: they ask it.

mod cli;
mod node_up;

use cli::{Home, wait_until};
use node_up::NodeUp;
use serde_json::Value;

#[test]
fn run_asks_the_node_and_load_moves_what_is_loaded() {
    let home = Home::new();
    let model = home.tiny_model();
    let node = NodeUp::start(&home, "a", &[]);
    wait_until("the node's inventory", || node.live() == 1);
    let path = model.to_str().unwrap();
    home.run(["load", path, "--context", "512"]).succeeded();

    // The name is the node's; this process could not find it.
    let said = home.run(["run", "tiny", "hi", "-n", "5", "-v", "--seed", "1"]);
    assert!(said.succeeded().stderr.contains("The node on this machine answers"), "{}", said.stderr);
    assert!(!said.stdout.trim().is_empty());
    let facts = home.run(["run", "tiny", "--raw", "once", "-n", "5", "--json"]);
    let facts: Value = serde_json::from_str(&facts.succeeded().stdout).unwrap();
    assert_eq!(facts["tokens"], 5, "{facts}");
    home.run(["run", "tiny", "hi", "--here"]).failed(1, "");
    home.run(["run", "no-such-model", "hi"]).failed(1, "");

    // Another context is another placement, and one that cannot be leaves all as it is.
    home.run(["load", path, "--context", "1024"]).succeeded();
    let context = || {
        let listed = home.run(["ps", "--json"]);
        let listed: Value = serde_json::from_str(&listed.succeeded().stdout).unwrap();
        let ready = listed["instances"].as_array().unwrap().iter().filter(|it| it["state"] == "ready");
        ready.map(|it| it["context"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    wait_until("the new context alone", || context() == [1024]);
    home.run(["load", path, "--nodes", "nowhere"]).failed(1, "stays as it is");
    assert_eq!(context(), [1024]);

    let token = home.run(["token", "--json"]);
    let token: Value = serde_json::from_str(&token.succeeded().stdout).unwrap();
    assert!(token["token"].as_str().unwrap().starts_with("tandem1-"), "{token}");
}

#[test]
fn a_node_that_was_alone_joins_another_cluster_with_its_models() {
    let (home, other) = (Home::new(), Home::new());
    let model = home.tiny_model();
    let mut alone = NodeUp::start(&home, "b", &[model.to_str().unwrap()]);
    wait_until("it is loaded", || alone.loaded().len() == 1);
    alone.kill();
    let host = NodeUp::start(&other, "a", &[]);
    let token = other.run(["token"]).succeeded().stdout.trim().to_owned();
    let _joined = NodeUp::start(&home, "b", &["--join", &token]);
    wait_until("both nodes", || host.live() == 2);
    let (status, text) = host.ask("tiny");
    assert_eq!(status, 200, "{text}");
}

#[test]
fn memory_is_a_number_of_gigabytes() {
    let home = Home::new();
    for wrong in ["-1", "nan", "0", "inf", "much"] {
        home.run(["up".to_owned(), format!("--memory={wrong}")]).failed(2, "expected gigabytes");
    }
}
