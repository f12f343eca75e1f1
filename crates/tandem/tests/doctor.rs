//! `tandem doctor` on a machine and a cluster with planted faults, in network namespaces made for it.
#![cfg(target_os = "linux")]

mod cli;

use cli::{Ended, Home, ended, wait_until};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Two namespaces and the cable between them.
struct Lab {
    name: String,
}

impl Lab {
    fn new() -> Option<Lab> {
        let lab = Lab { name: format!("tdmdoc{}", std::process::id()) };
        let (a, b) = (lab.space("a"), lab.space("b"));
        ip(&["netns", "add", &a])?;
        ip(&["netns", "add", &b])?;
        ip(&["-n", &a, "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", &b])?;
        for (space, address) in [(&a, "10.72.0.1/24"), (&b, "10.72.0.2/24")] {
            ip(&["-n", space, "address", "add", address, "dev", "eth0"])?;
            ip(&["-n", space, "link", "set", "lo", "up"])?;
            ip(&["-n", space, "link", "set", "eth0", "up"])?;
        }
        Some(lab)
    }

    fn space(&self, name: &str) -> String {
        format!("{}{name}", self.name)
    }

    /// The command line in a namespace, after `preparation`.
    fn command(&self, space: &str, home: &Home, preparation: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.space(space), "bash", "-c"]);
        command.arg(format!("{preparation}; exec \"$0\" \"$@\"")).arg(env!("CARGO_BIN_EXE_tandem"));
        home.surround(&mut command);
        command
    }

    fn run(&self, space: &str, home: &Home, preparation: &str, arguments: &[&str]) -> Ended {
        ended(self.command(space, home, preparation).args(arguments).output().unwrap())
    }

    /// What is bad, as `check: found`.
    fn bad(&self, space: &str, home: &Home, preparation: &str, arguments: &[&str]) -> Vec<String> {
        let told = self.run(space, home, preparation, &[&["doctor", "--json"], arguments].concat());
        let listed: Vec<Value> =
            serde_json::from_str(&told.stdout).unwrap_or_else(|_| panic!("{}", told.stderr));
        let bad: Vec<_> = listed.iter().filter(|it| it["weight"] == "bad").collect();
        assert_eq!(told.code, Some(i32::from(!bad.is_empty())), "{}", told.stdout);
        for finding in &bad {
            assert!(
                ["found", "why", "mend", "place"].iter().all(|name| finding[name].is_string()),
                "{finding}"
            );
        }
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        bad.iter().map(|it| format!("{}: {}", text(&it["check"]), text(&it["found"]))).collect()
    }

    fn up(&self, space: &str, home: &Home, more: &[&str]) -> NodeUp {
        let mut command = self.command(space, home, "true");
        command.args(["up", "--port", "0", "--no-discovery", "--threads", "1", "--name", space]).args(more);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("http://"), "{space} did not start: {line}");
        NodeUp(child)
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        for name in ["a", "b"] {
            let _ =
                Command::new("ip").args(["netns", "del", &self.space(name)]).stderr(Stdio::null()).status();
        }
    }
}

struct NodeUp(Child);

impl Drop for NodeUp {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ip(arguments: &[&str]) -> Option<()> {
    let done = Command::new("ip").args(arguments).stderr(Stdio::null()).status().ok()?;
    done.success().then_some(())
}

fn has(found: &[String], beginning: &str) -> bool {
    found.iter().any(|finding| finding.starts_with(beginning))
}

#[test]
fn planted_faults_are_found_with_what_mends_them() {
    let (home, other) = (Home::new(), Home::new());
    let Some(lab) = Lab::new() else {
        eprintln!(
            "SKIPPED planted_faults_are_found_with_what_mends_them: no network namespaces here (needs root and `ip`)"
        );
        return;
    };
    // A machine alone.
    let clean = lab.bad("a", &home, "true", &[]);
    for kind in ["memlock", "mtu", "ports", "link", "versions"] {
        assert!(!has(&clean, kind), "{clean:?}");
    }
    let locked = lab.bad("a", &home, "ulimit -l 64", &[]);
    assert!(has(&locked, "memlock: 0.1 MB may be locked"), "{locked:?}");
    let full = "mount -t tmpfs -o size=1m none \"$TANDEM_HOME\"";
    let full = lab.bad("a", &home, full, &[]);
    assert!(has(&full, "disk: 1.0 MB of 1.0 MB free"), "{full:?}");
    ip(&["-n", &lab.space("a"), "link", "set", "eth0", "mtu", "900"]).unwrap();
    let small = lab.bad("a", &home, "true", &[]);
    assert!(has(&small, "mtu: eth0 sends frames of at most 900 bytes"), "{small:?}");
    ip(&["-n", &lab.space("a"), "link", "set", "eth0", "mtu", "1500"]).unwrap();

    // A cluster over a cable that carries 50 Mbit/s.
    for space in ["a", "b"] {
        let mut tc = Command::new("ip");
        tc.args(["netns", "exec", &lab.space(space), "tc", "qdisc", "add", "dev", "eth0", "root", "tbf"]);
        if !tc
            .args(["rate", "50mbit", "burst", "64k", "latency", "50ms"])
            .status()
            .is_ok_and(|it| it.success())
        {
            eprintln!(
                "SKIPPED planted_faults_are_found_with_what_mends_them: this kernel cannot slow a link (`tc`, tbf)"
            );
            return;
        }
    }
    let _a = lab.up("a", &home, &[]);
    let token = lab.run("a", &home, "true", &["token"]).succeeded().stdout.trim().to_owned();
    let _b = lab.up("b", &other, &["--join", &token]);
    wait_until("the slow link is found", || has(&lab.bad("a", &home, "true", &[]), "link: a – b"));
    // Answers from b's port do not come back: b can call, but cannot be called.
    let nodes = lab.run("a", &home, "true", &["nodes", "--json"]).succeeded().stdout.clone();
    let nodes: Value = serde_json::from_str(&nodes).unwrap();
    let b = nodes.as_array().unwrap().iter().find(|node| node["name"] == "b").unwrap();
    let addresses = b["addresses"].as_array().unwrap().iter().filter_map(Value::as_str);
    let port = addresses.filter_map(|address| address.strip_prefix("10.72.0.2:")).next().unwrap();
    ip(&["-n", &lab.space("b"), "rule", "add", "ipproto", "tcp", "sport", port, "blackhole"]).unwrap();
    ip(&["-n", &lab.space("b"), "-6", "rule", "add", "ipproto", "tcp", "sport", port, "blackhole"]).unwrap();
    wait_until("the blocked port is found", || {
        has(&lab.bad("a", &home, "true", &["--all"]), "ports: b is heard, but cannot be called at")
    });
}
