//! `tandem pull` as a process: killed, interrupted, out of disk.

mod cli;
#[path = "../../hub/tests/fake_hub/mod.rs"]
mod fake_hub;

use cli::{Home, ended, files_below, interrupt, wait_until};
use fake_hub::{FakeHub, Fault, Repo, content};
use std::process::{Child, Stdio};

const SIZE: usize = 3_000_000;
const STALL_AT: usize = 1_000_000;
const FILE: &str = "o--n--Q4_0/M-Q4_0.gguf";

struct Setup {
    hub: FakeHub,
    home: Home,
    bytes: Vec<u8>,
}

impl Setup {
    fn new() -> Setup {
        let (hub, home, bytes) = (FakeHub::start(), Home::new(), content(SIZE, 1));
        hub.put("o/n", Repo::new("r", &[("M-Q4_0.gguf", &bytes)]));
        Setup { hub, home, bytes }
    }

    /// A pull that has got [`STALL_AT`] bytes and waits for more.
    fn stalled(&self) -> Child {
        self.hub.faults(&[Fault::Stall { after_bytes: STALL_AT }]);
        let mut command = self.home.command();
        command.args(["pull", "o/n"]).env("HF_ENDPOINT", &self.hub.endpoint);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until("the first bytes", || self.part_bytes() == Some(STALL_AT as u64));
        child
    }

    fn part_bytes(&self) -> Option<u64> {
        let files = files_below(&self.home.models());
        files
            .iter()
            .find(|(name, _)| name.starts_with(FILE) && name.ends_with(".part"))
            .map(|(_, size)| *size)
    }

    fn pull(&self) -> cli::Ended {
        ended(
            self.home
                .command()
                .args(["pull", "o/n"])
                .env("HF_ENDPOINT", &self.hub.endpoint)
                .output()
                .unwrap(),
        )
    }

    #[track_caller]
    fn nothing_under_the_final_name(&self) {
        assert!(!self.home.models().join(FILE).exists());
    }

    #[track_caller]
    fn check_resumed(&self) {
        let pulled = self.pull();
        pulled.succeeded();
        assert!(pulled.stderr.contains("resuming at 1.0 MB"), "{}", pulled.stderr);
        assert_eq!(self.hub.ranges(), ["".to_owned(), format!("bytes={STALL_AT}-")]);
        assert_eq!(std::fs::read(self.home.models().join(FILE)).unwrap(), self.bytes);
        assert_eq!(self.part_bytes(), None);
        let listed = self.home.run(["models"]);
        assert!(listed.succeeded().stdout.contains("o/n:Q4_0"), "{}", listed.stdout);
    }
}

#[test]
fn a_killed_pull_is_resumed() {
    let setup = Setup::new();
    let mut child = setup.stalled();
    child.kill().unwrap();
    child.wait().unwrap();
    setup.nothing_under_the_final_name();
    setup.check_resumed();
}

#[test]
fn ctrl_c_keeps_what_came() {
    let setup = Setup::new();
    let child = setup.stalled();
    interrupt(&child);
    let stopped = ended(child.wait_with_output().unwrap());
    stopped.failed(130, "interrupted");
    assert!(stopped.stderr.contains("run the same command again"), "{}", stopped.stderr);
    assert_eq!(setup.part_bytes(), Some(STALL_AT as u64));
    setup.nothing_under_the_final_name();
    setup.check_resumed();
}

/// A limit on the size of files stands for a full disk.
#[test]
fn a_full_disk_keeps_what_came() {
    let setup = Setup::new();
    // In units of 1024 bytes.
    let mut command = setup.home.command_after("trap '' XFSZ; ulimit -f 1000");
    command.args(["pull", "o/n"]).env("HF_ENDPOINT", &setup.hub.endpoint);
    let full = ended(command.output().unwrap());
    full.failed(1, "the disk is full");
    assert!(full.stderr.contains("it resumes"), "{}", full.stderr);
    assert_eq!(setup.part_bytes(), Some(1_024_000));
    setup.nothing_under_the_final_name();
    let pulled = setup.pull();
    assert!(pulled.succeeded().stderr.contains("resuming at 1.0 MB"), "{}", pulled.stderr);
    assert_eq!(std::fs::read(setup.home.models().join(FILE)).unwrap(), setup.bytes);
}

/// A real small disk, where a file system can be mounted; elsewhere there is nothing to test with.
#[test]
fn a_disk_too_small_is_noticed_before() {
    let setup = Setup::new();
    let home = setup.home.path("home");
    let mount = format!("mount -t tmpfs -o size=2m none '{}'", home.display());
    let tried = std::process::Command::new("unshare").args(["-m", "sh", "-c", &mount]).output();
    if !tried.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: this user may not mount file systems");
        return;
    }
    let script = format!("{mount} && exec \"$0\" \"$@\"");
    let mut command = std::process::Command::new("unshare");
    command.args(["-m", "sh", "-c", &script, env!("CARGO_BIN_EXE_tandem"), "pull", "o/n"]);
    command.env("HF_ENDPOINT", &setup.hub.endpoint).env("TANDEM_HOME", &home).stdin(Stdio::null());
    let small = ended(command.output().unwrap());
    small.failed(1, "not enough disk space");
    assert!(
        small.stderr.contains("3.0 MB more needed") && small.stderr.contains("2.1 MB free"),
        "{}",
        small.stderr
    );
    assert!(setup.hub.ranges().is_empty());
}

#[test]
fn a_second_process_waits_for_the_first() {
    let setup = Setup::new();
    let mut first = setup.stalled();
    let mut command = setup.home.command();
    command.args(["pull", "o/n"]).env("HF_ENDPOINT", &setup.hub.endpoint);
    let second = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It has asked for the listing and now waits for the lock; the first is gone without a word.
    wait_until("the second's request", || {
        setup.hub.log().iter().filter(|line| line.contains("/api/")).count() == 2
    });
    first.kill().unwrap();
    first.wait().unwrap();
    let second = ended(second.wait_with_output().unwrap());
    second.succeeded();
    assert_eq!(std::fs::read(setup.home.models().join(FILE)).unwrap(), setup.bytes);
}

#[test]
fn json_for_scripts() {
    let setup = Setup::new();
    let pull = || {
        let mut command = setup.home.command();
        command.args(["pull", "o/n", "--json"]).env("HF_ENDPOINT", &setup.hub.endpoint);
        let ended = ended(command.output().unwrap());
        serde_json::from_str::<serde_json::Value>(&ended.succeeded().stdout).unwrap()
    };
    let first = pull();
    assert_eq!(first["downloaded"], true);
    assert_eq!(first["manifest"]["files"][0]["sha256"], fake_hub::sha256(&setup.bytes));
    assert_eq!(pull()["downloaded"], false);
    let listed = setup.home.run(["models", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed.succeeded().stdout).unwrap();
    assert_eq!(listed[0]["name"], "o/n:Q4_0");
    setup.home.run(["models", "--remove", "o/n"]).succeeded();
    assert_eq!(setup.home.run(["models", "--json"]).stdout.trim(), "[]");
}

#[test]
fn damage_is_found() {
    let setup = Setup::new();
    setup.pull().succeeded();
    let sound = setup.home.run(["models", "--verify"]);
    assert!(sound.succeeded().stdout.contains("is what was pulled"), "{}", sound.stdout);
    let file = setup.home.models().join(FILE);
    let mut bytes = setup.bytes.clone();
    bytes[SIZE / 2] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    setup.home.run(["models", "--verify"]).failed(1, "not what was pulled: o/n:Q4_0 (M-Q4_0.gguf)");
    setup.home.run(["models", "--verify", "o/n:Q4_0"]).failed(1, "not what was pulled");
}
