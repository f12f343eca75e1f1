//! Three nodes in three network namespaces form a cluster from a token, find each other by multicast, and notice when a cable
//! is pulled. Needs the right to make namespaces; without it, it says so and is skipped.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tandem_node::{Node, Options};

mod lab;
use lab::Lab;

/// Only a hang takes so long.
const PATIENCE: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("node") => return node_process(&arguments[1..]),
        Some("--list") => {
            if !arguments.iter().any(|argument| argument == "--ignored") {
                println!("three_namespaces_form_a_cluster: test");
            }
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    match Lab::new(&["a", "b", "c", "d"]) {
        Some(lab) => {
            let folder =
                Folder(std::env::temp_dir().join(format!("tandem-namespaces-{}", std::process::id())));
            three_namespaces_form_a_cluster(&lab, &folder.0);
        }
        None => eprintln!("SKIPPED: network namespaces cannot be made here (needs root and `ip`)"),
    }
    println!("test three_namespaces_form_a_cluster ... ok");
    ExitCode::SUCCESS
}

fn three_namespaces_form_a_cluster(lab: &Lab, folder: &Path) {
    let mut a = NodeProcess::start(lab, folder, "a", None);
    let token = a.line();
    let begin = Instant::now();
    let mut b = NodeProcess::start(lab, folder, "b", Some(&token));
    let mut c = NodeProcess::start(lab, folder, "c", Some(&token));
    for node in [&mut a, &mut b, &mut c] {
        node.sees(3);
    }
    println!("three nodes formed a cluster within {:?} of the start of the last two", begin.elapsed());

    // Of the same cluster, but with another key; and all of the network's packets come past.
    let digits = token.find('@').unwrap_or(token.len());
    let wrong = format!("{}0000{}", &token[..digits - 4], &token[digits..]);
    let mut stranger = NodeProcess::start(lab, folder, "d", Some(&wrong));
    let said = stranger.line();
    assert!(said.starts_with("refused"), "{said}");

    lab.cable("c", "down");
    let begin = Instant::now();
    a.sees(2);
    b.sees(2);
    println!("a pulled cable was noticed after {:?}", begin.elapsed());
    c.sees(1);
    lab.cable("c", "up");
    a.sees(3);
    c.sees(3);
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

struct NodeProcess {
    name: String,
    child: Child,
    _stdin: ChildStdin,
    lines: Receiver<String>,
    /// What it said last.
    last: String,
}

impl NodeProcess {
    fn start(lab: &Lab, folder: &Path, name: &str, token: Option<&str>) -> NodeProcess {
        let mut command = lab.command(name);
        command.arg(std::env::current_exe().unwrap()).arg("node").arg(folder).arg(name).args(token);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        NodeProcess { name: name.to_owned(), child, _stdin: stdin, lines, last: String::new() }
    }

    fn line(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("node {} says nothing", self.name))
    }

    /// Until it sees so many now, whatever it saw before.
    fn sees(&mut self, count: usize) {
        let wanted = format!("sees {count}");
        loop {
            while let Ok(line) = self.lines.try_recv() {
                self.last = line;
            }
            if self.last == wanted {
                return;
            }
            self.last = self.line();
        }
    }
}

impl Drop for NodeProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Prints a token (where it founds the cluster) and then how many nodes it sees, whenever that changes.
fn node_process(arguments: &[String]) -> ExitCode {
    let [folder, name, ..] = arguments else { return ExitCode::from(2) };
    let token = arguments.get(2).map(|token| token.parse().unwrap());
    let founds = token.is_none();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let options = Options {
        root: Path::new(folder).join(name),
        name: Some(name.to_owned()),
        port: 0,
        host: None,
        peers: Vec::new(),
        join: token,
        discovery: true,
        device: Default::default(),
        encryption: Default::default(),
        cores: Some(1),
        memory_bytes: Some(1 << 30),
        worker: Box::new(|| Command::new("false")),
        devices: None,
        sequences_max: 4,
        waiting_max: 4,
        api: None,
    };
    let say = |line: String| {
        println!("{line}");
        let _ = std::io::stdout().flush();
    };
    let node = match runtime.block_on(Node::start(options)) {
        Ok(node) => node,
        Err(error) => {
            say(format!("refused: {error}"));
            return ExitCode::FAILURE;
        }
    };
    if founds {
        let mut token = runtime.block_on(node.invite(Duration::from_secs(600), 5)).unwrap();
        // They must find it by themselves.
        token.addresses.clear();
        say(token.to_string());
    }
    let mut watch = node.watch();
    runtime.spawn(async move {
        let mut last = 0;
        loop {
            let count = watch.borrow_and_update().live.len();
            if count != last {
                last = count;
                say(format!("sees {count}"));
            }
            if watch.changed().await.is_err() {
                return;
            }
        }
    });
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    ExitCode::SUCCESS
}
