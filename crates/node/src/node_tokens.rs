//! The tokens of a model that a node on this machine serves, for another program of its user: over the node's control socket.

use std::io::{BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tandem_engine::{Event, Load, Refused, Request, Sink, Ticket, Tokens};

use crate::control::{ControlError, Order, connect, order};

/// A model of the cluster.
#[derive(Debug)]
pub struct NodeModel {
    /// As the cluster knows it.
    pub name: String,
    /// A file on this machine with its tokenizer and template; its weights may be elsewhere.
    pub header: PathBuf,
    pub tokens: NodeTokens,
}

/// Asks the node for each request over a connection of its own.
#[derive(Debug)]
pub struct NodeTokens {
    root: PathBuf,
    model: String,
    context: usize,
}

impl NodeModel {
    /// Has the node that runs from `root` load the model, if it is not loaded.
    pub fn open(root: &Path, model: &str) -> Result<NodeModel, ControlError> {
        let opened = order(root, &Order::Open { model: model.to_owned() })?;
        let text = |name: &str| opened[name].as_str().unwrap_or_default().to_owned();
        let name = text("name");
        let context = opened["context"].as_u64().unwrap_or(0) as usize;
        let tokens = NodeTokens { root: root.to_owned(), model: name.clone(), context };
        Ok(NodeModel { name, header: PathBuf::from(text("header")), tokens })
    }
}

impl Tokens for NodeTokens {
    fn submit(&self, request: Request, mut events: Sink) -> Result<Ticket, Refused> {
        let stopped = |error: &dyn std::fmt::Display| Refused::Stopped(error.to_string());
        let order = Order::Generate { model: self.model.clone(), request: Box::new(request) };
        let mut line = serde_json::to_vec(&order).map_err(|error| stopped(&error))?;
        line.push(b'\n');
        let mut stream = connect(&self.root).map_err(|error| stopped(&error))?;
        stream.write_all(&line).map_err(|error| stopped(&error))?;
        let stream = Arc::new(stream);
        let heard = Arc::clone(&stream);
        std::thread::spawn(move || {
            for line in BufReader::new(&*heard).lines().map_while(Result::ok) {
                let Ok(event) = serde_json::from_str::<Event>(&line) else { break };
                let last = event.is_last();
                events(event);
                if last {
                    return;
                }
            }
            events(Event::Failed("the node on this machine has ended".into()));
        });
        Ok(Ticket::new(move || cancel(&stream)))
    }

    fn load(&self) -> Load {
        Load { context: self.context, ..Load::default() }
    }
}

/// The node ends the request once nothing more can come from here; what it says until then is still heard.
fn cancel(stream: &UnixStream) {
    let _ = stream.shutdown(Shutdown::Write);
}

/// What nodes of the cluster have, by model.
pub fn models_of(state: &Value) -> std::collections::BTreeMap<String, Vec<String>> {
    let mut found: std::collections::BTreeMap<String, Vec<String>> = std::collections::BTreeMap::new();
    for node in state["nodes"].as_array().into_iter().flatten().filter(|node| node["live"] == true) {
        for model in node["models"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let name = node["name"].as_str().unwrap_or_default().to_owned();
            found.entry(model.to_owned()).or_default().push(name);
        }
    }
    found
}
