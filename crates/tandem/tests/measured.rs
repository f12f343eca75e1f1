//! What a model gave is kept by the node that led it, and stands beside the next prediction.

mod cli;
mod node_up;

use cli::{Home, wait_until};
use node_up::NodeUp;
use std::io::Read;

#[test]
fn what_was_measured_is_kept_and_corrects_the_next_prediction() {
    let home = Home::new();
    let tiny = home.tiny_model();
    let options = [tiny.to_str().unwrap()];
    let dry_run = || home.run(["load", options[0], "--dry-run"]).succeeded().stdout.clone();
    {
        let node = NodeUp::start(&home, "desk", &options);
        assert!(!dry_run().contains("measured on"), "{}", dry_run());
        node.chat("tiny", 64).read_to_string(&mut String::new()).unwrap();
        wait_until("a measurement", || dry_run().contains("measured on desk: "));
        assert!(dry_run().contains("corrected by what was measured here: answers "), "{}", dry_run());
        wait_until("it is on the disk", || home.path("home/node/runs.json").exists());
    }
    let _again = NodeUp::start(&home, "desk", &options);
    wait_until("a measurement of an earlier life", || dry_run().contains("measured on desk: "));
}
