//! `tandem pull` and `tandem up MODEL` on nodes of one cluster: the hub is asked once for all of them.

mod cli;
#[path = "../../hub/tests/fake_hub/mod.rs"]
mod fake_hub;

use cli::{Home, ended, files_below, wait_until};
use fake_hub::{FakeHub, Fault, Repo};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

/// A running node; killed with the test.
struct Up {
    home: Home,
    child: Child,
}

impl Up {
    /// Until it serves.
    fn start(hub: &FakeHub, arguments: &[&str]) -> Up {
        let home = Home::new();
        let mut command = home.command();
        command.args(["up", "--port", "0", "--cluster-port", "0", "--no-discovery"]).args(arguments);
        command.args(["--context", "512", "--threads", "1"]).env("HF_ENDPOINT", &hub.endpoint);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let up = Up { home, child };
        assert!(line.starts_with("Serving on"), "{line}");
        up
    }

    fn command(&self, hub: &FakeHub, arguments: &[&str]) -> Command {
        let mut command = self.home.command();
        command.args(arguments).env("HF_ENDPOINT", &hub.endpoint);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn token(&self) -> String {
        self.home.run(["token"]).succeeded().stdout.trim().to_owned()
    }

    fn has(&self, file: &str) -> bool {
        files_below(&self.home.models()).iter().any(|(name, _)| name.ends_with(file))
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How often the hub was asked for a model, and for a file from its beginning.
fn asked(hub: &FakeHub) -> (usize, usize) {
    let listings = hub.log().iter().filter(|line| line.contains("/api/")).count();
    (listings, hub.ranges().iter().filter(|range| range.is_empty()).count())
}

#[test]
fn one_node_downloads_for_all() {
    let hub = FakeHub::start();
    let maker = Home::new();
    let model = std::fs::read(maker.tiny_model()).unwrap();
    hub.put("o/n", Repo::new("r", &[("M-F16.gguf", &model)]));
    hub.put("o/m", Repo::new("r", &[("M-F16.gguf", &model)]));
    hub.put("o/k", Repo::new("r", &[("M-F16.gguf", &model)]));
    let a = Up::start(&hub, &[]);
    let b = Up::start(&hub, &["--join", &a.token()]);

    // The second asks while the first is downloading.
    hub.faults(&[Fault::Stall { after_bytes: 1000 }]);
    let first = a.command(&hub, &["pull", "o/n"]).spawn().unwrap();
    wait_until("the first download", || asked(&hub) == (1, 1));
    let mut second = b.command(&hub, &["pull", "o/n:f16"]).spawn().unwrap();
    let mut told = BufReader::new(second.stderr.take().unwrap());
    let mut line = String::new();
    told.read_line(&mut line).unwrap();
    assert!(line.contains("is getting it already"), "{line}");
    hub.release();
    ended(first.wait_with_output().unwrap()).succeeded();
    let second = ended(second.wait_with_output().unwrap());
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    assert!(second.succeeded().stdout.contains("o/n:F16 is in the cluster"), "{}{rest}", second.stdout);
    assert_eq!(asked(&hub), (1, 1), "{:?}", hub.log());
    assert!(a.has("M-F16.gguf") && !b.has("M-F16.gguf"));

    // Both at the same moment, by two names.
    let pulls = [a.command(&hub, &["pull", "o/m"]).spawn(), b.command(&hub, &["pull", "o/m:F16"]).spawn()];
    for pull in pulls {
        ended(pull.unwrap().wait_with_output().unwrap()).succeeded();
    }
    assert_eq!(asked(&hub), (2, 2), "{:?}", hub.log());

    // A node that joins with a model that another has needs no hub; one that nobody has comes from it, once.
    let c = Up::start(&hub, &["--join", &a.token(), "o/n"]);
    assert_eq!(asked(&hub), (2, 2), "{:?}", hub.log());
    assert!(!c.has("M-F16.gguf"));
    let listed = ended(c.command(&hub, &["ps"]).output().unwrap());
    assert!(listed.succeeded().stdout.contains("o/n:F16"), "{}", listed.stdout);
    let d = Up::start(&hub, &["--join", &b.token(), "o/k"]);
    assert!(d.has("M-F16.gguf"));
    assert_eq!(asked(&hub), (3, 3), "{:?}", hub.log());

    // A mistake is told as without a node.
    ended(a.command(&hub, &["pull", "o/nowhere"]).output().unwrap()).failed(1, "o/nowhere");
}

#[test]
fn a_model_on_the_hub_is_planned_from_its_head() {
    let (hub, home) = (FakeHub::start(), Home::new());
    let bytes = std::fs::read(home.tiny_model()).unwrap();
    hub.put("o/n", Repo::new("r", &[("tiny-F16.gguf", &bytes)]));
    let up = Up::start(&hub, &[]);
    let load = |model: &str| ended(up.command(&hub, &["load", model, "--dry-run"]).output().unwrap());
    wait_until("a plan", || load("o/n").stdout.contains("rank 0:"));
    assert!(!up.has(".gguf"), "nothing was downloaded");
    load("no-such-name").failed(1, "no-such-name");
    load("o/missing").failed(1, "o/missing");
}
