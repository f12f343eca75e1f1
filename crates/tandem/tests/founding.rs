//! A cluster from a token that was made before it: how nodes are started by a scheduler.

mod cli;
mod node_up;

use cli::{Home, wait_until};
use node_up::NodeUp;

#[test]
fn a_token_comes_before_its_cluster() {
    let (home, other, stranger) = (Home::new(), Home::new(), Home::new());
    // With no node running. The port is not known yet: the second node is told.
    let token = home.run(["token", "--new"]).succeeded().stdout.trim().to_owned();
    let first = NodeUp::start(&home, "first", &["--found", &token]);
    let at = home.run(["token", "--json"]).succeeded().stdout.clone();
    let at: serde_json::Value = serde_json::from_str(&at).unwrap();
    let peer = at["token"].as_str().unwrap().split_once('@').unwrap().1.split(',').next().unwrap();
    let mut second = NodeUp::start(&other, "second", &["--join", &token, "--peer", peer]);
    wait_until("both nodes", || first.live() == 2);

    // Started again, each is still of that cluster.
    second.kill();
    let second = NodeUp::start(&other, "second", &["--join", &token, "--peer", peer]);
    wait_until("both nodes again", || first.live() == 2);
    drop(second);

    // Who belongs to a cluster with others founds no second one.
    let another = home.run(["token", "--new"]).succeeded().stdout.trim().to_owned();
    other.run(["up", "--port", "0", "--found", &another]).failed(1, "already of cluster");
    stranger.run(["up", "--port", "0", "--found", "tandem1-12"]).failed(1, "this is no join token");
    stranger.run(["token", "--new", "--uses", "3"]).failed(2, "cannot be used with");
    let told =
        stranger.run(["token", "--new", "--at", "node-0", "--at", "node-1:7"]).succeeded().stdout.clone();
    assert!(told.trim().ends_with("@node-0:48485,node-1:7"), "{told}");
}
