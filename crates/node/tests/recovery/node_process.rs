//! A node in a process of its own, which ends with this one.

use std::io::{BufRead, BufReader, Write};
use std::net::{IpAddr, TcpListener};
use std::ops::Range;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use tandem_node::Home;

use crate::PATIENCE;
use crate::lab::Lab;
use crate::protocol::{Order, Reply};

/// Where a node lives: the same folder, identity and address in all its lives.
pub struct Seat<'a> {
    pub name: &'static str,
    root: PathBuf,
    host: IpAddr,
    port: u16,
    model: &'a Path,
    lab: Option<&'a Lab>,
}

impl<'a> Seat<'a> {
    /// With an id that begins with one of `firsts`.
    pub fn new(
        name: &'static str,
        firsts: Range<u16>,
        folder: &Path,
        model: &'a Path,
        lab: Option<&'a Lab>,
    ) -> Seat<'a> {
        let root = folder.join(name);
        let home = Home::open(&root).unwrap();
        while !firsts.contains(&u16::from(home.new_identity().unwrap().id.0[0])) {}
        let host = lab.map_or(IpAddr::from([127, 0, 0, 1]), |lab| lab.host(name));
        // Below those that callers get: it is free in the next life too.
        let first = 10_000 + (std::process::id() * 16 % 20_000) as u16;
        let free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
        let port = (first..first + 1000).find(free).unwrap();
        Seat { name, root, host, port, model, lab }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// Its workers must notice by themselves.
    Killed,
    /// With its workers.
    Stopped,
    /// Its cable is pulled.
    Cut,
}

pub struct NodeProcess<'a> {
    seat: Seat<'a>,
    child: Child,
    stdin: ChildStdin,
    replies: Receiver<Reply>,
    pub token: String,
}

impl<'a> NodeProcess<'a> {
    pub fn start(seat: Seat<'a>, join: Option<&str>) -> NodeProcess<'a> {
        let (child, stdin, replies) = spawn(&seat, join);
        let mut node = NodeProcess { seat, child, stdin, replies, token: String::new() };
        node.hear_token();
        node
    }

    pub fn name(&self) -> &'static str {
        self.seat.name
    }

    pub fn tell(&mut self, order: &Order) {
        writeln!(self.stdin, "{}", serde_json::to_string(order).unwrap()).unwrap();
    }

    pub fn hear(&mut self) -> Reply {
        match self.replies.recv_timeout(2 * PATIENCE) {
            Ok(Reply::Missed(what)) => panic!("node {}: {what}", self.seat.name),
            Ok(reply) => reply,
            Err(_) => panic!("node {} says nothing", self.seat.name),
        }
    }

    pub fn ask(&mut self, order: &Order) -> Reply {
        self.tell(order);
        self.hear()
    }

    pub fn lose(&mut self, how: Loss) {
        match (how, self.seat.lab) {
            (Loss::Killed, _) => {
                self.child.kill().unwrap();
                self.child.wait().unwrap();
            }
            (Loss::Stopped, _) => self.signal_all("-STOP"),
            (Loss::Cut, lab) => lab.expect("cables are of the lab").cable(self.seat.name, "down"),
        }
    }

    pub fn bring_back(&mut self, how: Loss) {
        match (how, self.seat.lab) {
            (Loss::Killed, _) => {
                (self.child, self.stdin, self.replies) = spawn(&self.seat, None);
                self.hear_token();
            }
            (Loss::Stopped, _) => self.signal_all("-CONT"),
            (Loss::Cut, lab) => lab.expect("cables are of the lab").cable(self.seat.name, "up"),
        }
    }

    fn hear_token(&mut self) {
        match self.hear() {
            Reply::Token(token) => self.token = token,
            other => panic!("node {} began with {other:?}", self.seat.name),
        }
    }

    fn signal_all(&self, signal: &str) {
        let group = format!("-{}", self.child.id());
        let _ = Command::new("kill").args([signal, "--", &group]).stderr(Stdio::null()).status();
    }
}

impl Drop for NodeProcess<'_> {
    fn drop(&mut self) {
        self.signal_all("-KILL");
        let _ = self.child.wait();
    }
}

fn spawn(seat: &Seat, join: Option<&str>) -> (Child, ChildStdin, Receiver<Reply>) {
    let program = std::env::current_exe().unwrap();
    let mut command = match seat.lab {
        Some(lab) => {
            let mut command = lab.command(seat.name);
            command.arg(program);
            command
        }
        None => Command::new(program),
    };
    command.arg("node").arg(&seat.root).args([seat.host.to_string(), seat.port.to_string()]);
    command.arg(seat.model).args(join);
    // With its workers it can be stopped as a whole.
    command.process_group(0);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    let stdout = child.stdout.take().unwrap();
    let (sender, replies) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let _ = sender.send(serde_json::from_str(&line).unwrap());
        }
    });
    (child, stdin, replies)
}
