//! Two nodes started by hand: a token, pins, several models and copies, and what is said when something does not fit.

mod cli;
mod node_up;

use cli::{Home, wait_until};
use node_up::NodeUp;
use serde_json::Value;
use std::io::Read;
use std::path::Path;

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
