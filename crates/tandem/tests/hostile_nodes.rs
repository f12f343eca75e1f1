//! The requests of `clients/hostile.py`, sent to a node alone and to nodes that joined: they cost a refusal, end no process and
//! start no worker anew.

mod cli;
mod node_up;

use cli::{Home, children, send_hostile_requests, wait_until};
use node_up::NodeUp;

#[test]
fn hostile_requests_end_no_process_of_a_cluster() {
    let homes = [Home::new(), Home::new(), Home::new()];
    let tiny = homes[0].tiny_model();
    let mut nodes = vec![NodeUp::start(&homes[0], "a", &[])];
    let load = |pins: &[&str]| {
        let command = ["load", tiny.to_str().unwrap(), "--context", "4096"];
        homes[0].run(command.iter().chain(pins)).succeeded();
    };
    load(&[]);
    check(&mut nodes, 1, &[0]);

    let token = homes[0].run(["token", "--uses", "2"]).succeeded().stdout.trim().to_owned();
    for (home, name) in homes[1..].iter().zip(["b", "c"]) {
        nodes.push(NodeUp::start(home, name, &["--join", &token]));
    }
    wait_until("three nodes", || nodes[0].live() == 3);
    load(&["--nodes", "b,c", "--parallelism", "tensor"]);
    wait_until("two ranks", || match &nodes[0].loaded()[..] {
        [(_, on, _)] => on.len() == 2 && ["b", "c"].iter().all(|name| on.iter().any(|node| node == name)),
        _ => false,
    });
    // A node without a rank, and the one that leads.
    check(&mut nodes, 2, &[0, 1]);
}

/// Sends everything to the nodes `asked`, while all of them have `ranks` workers together.
fn check(nodes: &mut [NodeUp], ranks: usize, asked: &[usize]) {
    let workers = |nodes: &[NodeUp]| nodes.iter().flat_map(|node| children(&node.child)).collect::<Vec<_>>();
    wait_until("the workers", || workers(nodes).len() == ranks);
    let before = workers(nodes);
    let addresses: Vec<&str> = asked.iter().map(|index| nodes[*index].address.as_str()).collect();
    send_hostile_requests("tiny", &addresses);
    assert_eq!(workers(nodes), before, "a worker was started anew");
    for node in nodes {
        assert!(node.child.try_wait().unwrap().is_none(), "a node ended");
    }
}
