//! What somebody on the cable between two nodes sees, captured between network namespaces: neither prompts nor ids nor floats,
//! unless both nodes were told `--plain-links`. Needs the right to make namespaces; without it, it says so and is skipped.

mod cli;
#[path = "../../node/tests/lab/mod.rs"]
mod lab;

use cli::{Home, wait_until};
use lab::Lab;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const TEXT: &str = "the quick brown fox jumps over the lazy dog again and again";

#[test]
fn a_capture_between_nodes_shows_nothing_unless_links_are_plain() {
    let Some(lab) = Lab::new(&["a", "b"]) else {
        return eprintln!("SKIPPED: network namespaces cannot be made here (needs root and `ip`)");
    };
    let ids: Vec<u32> = (0..100).map(|i| 3 + i * 7 % 120).collect();
    let plain = capture(&lab, &["--plain-links"], &ids);
    assert!(runs_of(&plain, &ids) > 50, "the capture holds no ids even in clear: it proves nothing");
    assert!(floats(&plain) > 500, "the capture holds no floats even in clear: it proves nothing");
    // Texts go over control links, which are always encrypted.
    assert!(!holds_text(&plain));

    let hidden = capture(&lab, &[], &ids);
    let bytes = |packets: &[Vec<u8>]| packets.iter().map(Vec::len).sum::<usize>();
    assert!(bytes(&hidden) * 2 > bytes(&plain), "{} bytes against {}", bytes(&hidden), bytes(&plain));
    assert_eq!(runs_of(&hidden, &ids), 0);
    // Of random bytes, one run in a hundred million looks like floats.
    assert_eq!(floats(&hidden), 0);
    assert!(!holds_text(&hidden));
}

/// What two nodes send each other while they answer a text and a prompt of ids: the payload of every packet.
fn capture(lab: &Lab, options: &[&str], ids: &[u32]) -> Vec<Vec<u8>> {
    let homes = [Home::new(), Home::new()];
    let tiny = homes[0].tiny_model();
    let file = homes[0].path("captured");
    let a = Node::start(lab, &homes[0], "a", options, &[]);
    let token = said(&mut a.run(&["token"]));
    let _b = Node::start(lab, &homes[1], "b", options, &["--join", token.trim()]);
    wait_until("both nodes, and their link measured from both ends", || {
        let listed: Value = serde_json::from_str(&said(&mut a.run(&["nodes", "--json"]))).unwrap();
        let measured = |node: &Value| node["links"].as_array().is_some_and(|links| !links.is_empty());
        let here = |node: &&Value| node["live"] == true && node["cores"].as_u64() > Some(0) && measured(node);
        listed.as_array().unwrap().iter().filter(here).count() == 2
    });
    // What measuring sends is many times the rest, and another number of bytes each time.
    let watcher = Watcher::start(lab, &file);
    let tiny = tiny.to_str().unwrap();
    said(&mut a.run(&["load", tiny, "--nodes", "a,b", "--parallelism", "tensor", "--context", "512"]));
    let chat = json!({"model": "tiny", "messages": [{"role": "user", "content": TEXT}], "max_tokens": 4});
    a.post("/v1/chat/completions", &chat);
    a.post("/v1/completions", &json!({"model": "tiny", "prompt": ids, "max_tokens": 8}));
    watcher.packets(&file)
}

struct Node<'a> {
    lab: &'a Lab,
    home: &'a Home,
    name: &'static str,
    address: String,
    child: Child,
}

impl<'a> Node<'a> {
    fn start(lab: &'a Lab, home: &'a Home, name: &'static str, options: &[&str], more: &[&str]) -> Node<'a> {
        let mut command = tandem(lab, home, name);
        command.args(["up", "--port", "0", "--cluster-port", "0", "--no-discovery", "--threads", "1"]);
        command.args(["--sequences", "4", "--memory", "0.4", "--name", name]).args(options).args(more);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split_whitespace().next());
        let address = address.unwrap_or_else(|| panic!("node {name} did not start: {line}")).to_owned();
        Node { lab, home, name, address, child }
    }

    fn run(&self, arguments: &[&str]) -> Command {
        let mut command = tandem(self.lab, self.home, self.name);
        command.args(arguments);
        command
    }

    /// From within its namespace, whose loopback nobody else has.
    fn post(&self, path: &str, body: &Value) {
        const POST: &str = "import sys, urllib.request as r\n\
            q = r.Request(sys.argv[1], sys.argv[2].encode(), {'content-type': 'application/json'})\n\
            print(r.urlopen(q, timeout=120).read().decode())";
        let mut command = self.lab.command(self.name);
        let url = format!("http://{}{path}", self.address);
        said(command.args(["python3", "-c", POST, &url, &body.to_string()]));
    }
}

impl Drop for Node<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn tandem(lab: &Lab, home: &Home, name: &str) -> Command {
    let mut command = lab.command(name);
    home.surround(&mut command);
    command.arg(env!("CARGO_BIN_EXE_tandem"));
    command
}

fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Writes every packet that passes node a's end of the cable to a file, after its length.
struct Watcher {
    child: Child,
}

impl Watcher {
    fn start(lab: &Lab, file: &Path) -> Watcher {
        const CAPTURE: &str = "import select, socket, struct, sys\n\
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))\n\
            s.setsockopt(socket.SOL_SOCKET, 33, 64 << 20)\n\
            s.bind(('eth0', 0))\n\
            out = open(sys.argv[1], 'wb')\n\
            print('watching', flush=True)\n\
            while True:\n\
            \x20   ready = select.select([s, sys.stdin], [], [])[0]\n\
            \x20   if s in ready:\n\
            \x20       p = s.recv(1 << 18)\n\
            \x20       out.write(struct.pack('<I', len(p)) + p)\n\
            \x20   elif not sys.stdin.read(1):\n\
            \x20       break\n\
            out.close()";
        let mut command = lab.command("a");
        command.args(["python3", "-c", CAPTURE]).arg(file);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "watching\n");
        Watcher { child }
    }

    /// The payloads of the TCP packets.
    fn packets(mut self, file: &Path) -> Vec<Vec<u8>> {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
        let bytes = std::fs::read(file).unwrap();
        let (mut rest, mut packets) = (&bytes[..], Vec::new());
        while let Some((length, after)) = rest.split_first_chunk() {
            let (packet, after) = after.split_at(u32::from_le_bytes(*length) as usize);
            packets.extend(payload(packet));
            rest = after;
        }
        packets
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What follows the headers of Ethernet, IPv4 and TCP.
fn payload(packet: &[u8]) -> Option<Vec<u8>> {
    const ETHERNET: usize = 14;
    const TCP: u8 = 6;
    let ip = packet.get(ETHERNET..)?;
    if packet[12..14] != [8, 0] || *ip.get(9)? != TCP {
        return None;
    }
    let tcp = ip.get(usize::from(ip[0] & 15) * 4..)?;
    let payload = tcp.get(usize::from(tcp.get(12)? >> 4) * 4..)?;
    (!payload.is_empty()).then(|| payload.to_vec())
}

/// How many runs of three ids there are, as words or as half words.
fn runs_of(packets: &[Vec<u8>], ids: &[u32]) -> usize {
    let runs = ids.windows(3).flat_map(|ids| {
        let words: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
        let halves: Vec<u8> = ids.iter().flat_map(|id| (*id as u16).to_le_bytes()).collect();
        [words, halves]
    });
    runs.filter(|run| packets.iter().any(|packet| packet.windows(run.len()).any(|at| at == run))).count()
}

/// How many runs of eight words are floats of the sizes that activations have.
fn floats(packets: &[Vec<u8>]) -> usize {
    let activation = |word: &[u8]| {
        let value = f32::from_le_bytes(word.try_into().unwrap()).abs();
        (1e-5..1e3).contains(&value)
    };
    let runs = |bytes: &[u8], at: usize| {
        let from = bytes.get(at..).unwrap_or_default();
        from.chunks_exact(32).filter(|run| run.chunks_exact(4).all(activation)).count()
    };
    packets.iter().map(|packet| (0..4).map(|at| runs(packet, at)).max().unwrap()).sum()
}

/// Whether a part of the prompt is there in words.
fn holds_text(packets: &[Vec<u8>]) -> bool {
    let parts: Vec<&[u8]> = TEXT.as_bytes().windows(12).collect();
    packets.iter().any(|packet| packet.windows(12).any(|window| parts.contains(&window)))
}
