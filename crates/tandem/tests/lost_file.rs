//! A model goes on answering, from every node, after the only node that had its file is gone.

mod cli;
mod node_up;

use cli::{Home, wait_until};
use node_up::NodeUp;
use serde_json::Value;

#[test]
fn a_model_outlives_the_node_that_had_its_file() {
    let homes = [Home::new(), Home::new(), Home::new()];
    let model = homes[0].tiny_model();
    let mut a = NodeUp::start(&homes[0], "a", &[]);
    let token = homes[0].run(["token", "--uses", "2"]).succeeded().stdout.trim().to_owned();
    let b = NodeUp::start(&homes[1], "b", &["--join", &token]);
    let c = NodeUp::start(&homes[2], "c", &["--join", &token]);
    wait_until("all nodes", || b.live() == 3 && a.live() == 3);
    homes[0].run(["load", model.to_str().unwrap(), "--nodes", "b", "--context", "512"]).succeeded();
    // What a node without the file says of it.
    let listed: Value = serde_json::from_str(&c.get("/v1/models")).unwrap();
    let context = listed["data"][0]["context_length"].as_u64();
    assert!(context > Some(0), "{listed}");
    a.kill();
    wait_until("the loss is seen", || b.live() == 2 && c.live() == 2);
    // b has what its rank needs, c has nothing of it.
    for node in [&b, &c] {
        let (status, text) = node.ask("tiny");
        assert_eq!(status, 200, "{text}");
    }
}
