//! A node that a test starts with `tandem up`, and asks over plain sockets.
// Each test uses what it needs.
#![allow(dead_code)]

use crate::cli::{Home, PATIENCE};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// Nodes of one machine share its memory: each has half of this.
const MEMORY_GB: &str = "0.2";

pub struct NodeUp<'a> {
    home: &'a Home,
    pub child: Child,
    pub address: String,
}

impl<'a> NodeUp<'a> {
    pub fn start(home: &'a Home, name: &str, more: &[&str]) -> NodeUp<'a> {
        NodeUp::start_logging(home, name, more, Stdio::null())
    }

    pub fn start_logging(home: &'a Home, name: &str, more: &[&str], log: Stdio) -> NodeUp<'a> {
        NodeUp::start_as(home.command(), home, name, more, log)
    }

    /// Started by `command`, which is the program in its surroundings.
    pub fn start_as(
        mut command: Command,
        home: &'a Home,
        name: &str,
        more: &[&str],
        log: Stdio,
    ) -> NodeUp<'a> {
        command.args(["up", "--port", "0", "--cluster-port", "0", "--no-discovery", "--threads", "1"]);
        command.args(["--sequences", "4", "--memory", MEMORY_GB, "--name", name]).args(more);
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.split("http://").nth(1).unwrap_or_else(|| panic!("node {name} did not start: {line}"));
        NodeUp { home, child, address: address.split_whitespace().next().unwrap().to_owned() }
    }

    pub fn chat(&self, model: &str, tokens: usize) -> TcpStream {
        let messages = [json!({"role": "user", "content": "hi"})];
        self.post(&json!({"model": model, "messages": messages, "max_tokens": tokens, "stream": tokens > 10}))
    }

    /// A chat with this body.
    pub fn post(&self, body: &Value) -> TcpStream {
        let body = body.to_string();
        let mut socket = TcpStream::connect(&self.address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let (path, length) = ("/v1/chat/completions", body.len());
        let head = "host: localhost\r\nconnection: close\r\ncontent-type: application/json";
        write!(socket, "POST {path} HTTP/1.1\r\n{head}\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
        socket
    }

    /// The status and all that follows.
    pub fn ask(&self, model: &str) -> (u16, String) {
        let mut text = String::new();
        self.chat(model, 2).read_to_string(&mut text).unwrap();
        (text.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("{text}")), text)
    }

    pub fn metrics(&self) -> String {
        self.get("/metrics")
    }

    /// The body of an answer.
    pub fn get(&self, path: &str) -> String {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        socket.read_to_string(&mut text).unwrap();
        text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_else(|| panic!("{text}"))
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// How many nodes this one hears and knows of what they have, itself included.
    pub fn live(&self) -> usize {
        let listed = self.home.run(["nodes", "--json"]);
        let listed: Value = serde_json::from_str(&listed.succeeded().stdout).unwrap();
        let here = |node: &&Value| node["live"] == true && node["cores"].as_u64() > Some(0);
        listed.as_array().unwrap().iter().filter(here).count()
    }

    /// What is loaded: name, nodes, requests.
    pub fn loaded(&self) -> Vec<(String, Vec<String>, u64)> {
        let listed = self.home.run(["ps", "--json"]);
        let listed: Value = serde_json::from_str(&listed.succeeded().stdout).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let instances = listed["instances"].as_array().unwrap().iter();
        let ready = instances.filter(|it| it["state"] == "ready");
        let nodes =
            |it: &Value| it["ranks"].as_array().unwrap().iter().map(|rank| text(&rank["node"])).collect();
        ready.map(|it| (text(&it["model"]), nodes(it), it["requests"].as_u64().unwrap())).collect()
    }
}

impl Drop for NodeUp<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
