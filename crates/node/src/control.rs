//! Orders from the command line to the node that runs on this machine: JSON lines over a socket only its owner can open.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tandem_api::{Failure, PullProgress};
use tandem_cluster::{ModelHere, PartReport, Phase, Spec};
use tandem_engine::Request;
use tandem_plan::Pins;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixListener;
use tokio::sync::mpsc;

use crate::cluster_service::{ClusterService, state_of};
use crate::commands::Wish;
use crate::files;
use crate::hex::{random_bytes, to_hex};
use crate::node::Node;

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Order {
    Token {
        lasting_s: u64,
        uses: u32,
    },
    Tokens,
    Revoke {
        id: String,
    },
    Remove {
        node: String,
    },
    Load {
        model: String,
        path: Option<PathBuf>,
        instances: u32,
        keep: bool,
        pins: Box<Pins>,
        dry_run: bool,
        /// What is known of a model that no node has, for a dry run.
        facts: Option<ModelHere>,
    },
    Unload {
        model: String,
    },
    /// Answered with lines of progress before the last.
    Pull {
        model: String,
        endpoint: Option<String>,
        token: Option<String>,
    },
    /// Bring files that another node shares. Answered with lines of progress before the last.
    Copy {
        node: String,
        path: String,
        to: PathBuf,
    },
    State,
    /// Keep the links to all other nodes full for so long, and say what they gave.
    Strain {
        seconds: u32,
    },
    /// Load a model, and say what is needed to speak with it.
    Open {
        model: String,
    },
    /// Answered with lines that are events.
    Generate {
        model: String,
        request: Box<Request>,
    },
}

#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    #[error("no node runs here ({0}); start one with `tandem up`")]
    NoNode(io::Error),
    #[error("the node did not answer: {0}")]
    Silent(io::Error),
    #[error("{0}")]
    Refused(String),
}

/// A prompt of some million tokens.
const LINE_MAX: u64 = 64 << 20;
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);
const LOAD_MAX: Duration = Duration::from_secs(600);

/// Where the socket is, unless that is too long for a socket: then this file beside it says where.
fn socket_paths(root: &Path) -> (PathBuf, PathBuf) {
    let folder = root.join("node");
    (folder.join("control.sock"), folder.join("control.path"))
}

const SOCKET_PATH_MAX: usize = 100;

pub(crate) fn connect(root: &Path) -> Result<UnixStream, ControlError> {
    let (socket, pointer) = socket_paths(root);
    let socket = match socket.as_os_str().len() < SOCKET_PATH_MAX {
        true => socket,
        false => fs::read_to_string(pointer).map_err(ControlError::NoNode)?.into(),
    };
    UnixStream::connect(socket).map_err(ControlError::NoNode)
}

/// Whether a node runs from `root`.
pub fn is_running(root: &Path) -> bool {
    connect(root).is_ok()
}

/// A home with a long name has its socket in a folder that others can neither guess nor enter.
fn socket_to_serve(root: &Path) -> io::Result<PathBuf> {
    let (socket, pointer) = socket_paths(root);
    if socket.as_os_str().len() < SOCKET_PATH_MAX {
        let _ = fs::remove_file(&socket);
        return Ok(socket);
    }
    if let Some(old) = fs::read_to_string(&pointer).ok().map(PathBuf::from) {
        let _ = fs::remove_file(&old);
        let _ = old.parent().map(fs::remove_dir);
    }
    let folder = std::env::temp_dir().join(format!("tandem-{}", to_hex(&random_bytes::<8>()?)));
    fs::DirBuilder::new().mode(0o700).create(&folder)?;
    let socket = folder.join("control.sock");
    fs::write(&pointer, socket.as_os_str().as_encoded_bytes())?;
    Ok(socket)
}

/// Gives an order to the node that runs from `root` and waits for its answer.
pub fn order(root: &Path, order: &Order) -> Result<Value, ControlError> {
    order_with_progress(root, order, |_| {})
}

/// As [`order`]; hears of the progress.
pub fn order_with_progress(
    root: &Path,
    order: &Order,
    mut progress: impl FnMut(&Value),
) -> Result<Value, ControlError> {
    let stream = connect(root)?;
    let mut line = serde_json::to_vec(order).map_err(|error| ControlError::Silent(error.into()))?;
    line.push(b'\n');
    (&stream).write_all(&line).map_err(ControlError::Silent)?;
    let mut lines = BufReader::new(&stream);
    let answer = loop {
        let mut line = String::new();
        if lines.read_line(&mut line).map_err(ControlError::Silent)? == 0 {
            return Err(ControlError::Silent(io::Error::other("it ended before it was done")));
        }
        let line: Value = serde_json::from_str(&line).map_err(|error| ControlError::Silent(error.into()))?;
        match line.get("progress") {
            Some(news) => progress(news),
            None => break line,
        }
    };
    match answer.get("error").and_then(Value::as_str) {
        Some(error) => Err(ControlError::Refused(error.to_owned())),
        None => Ok(answer),
    }
}

/// Where orders for the node that runs from `root` arrive. From now on they can be given; [`serve`] takes them.
pub fn listen(root: &Path) -> io::Result<UnixListener> {
    let path = socket_to_serve(root)?;
    let listener = UnixListener::bind(&path)?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Takes orders for as long as it is polled.
pub async fn serve(listener: UnixListener, node: Node, service: Arc<ClusterService>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_AGAIN).await;
            continue;
        };
        let (node, service) = (node.clone(), Arc::clone(&service));
        tokio::spawn(async move {
            let (reader, mut write) = stream.into_split();
            let mut line = String::new();
            let mut reader = tokio::io::BufReader::new(reader.take(LINE_MAX));
            let read = reader.read_line(&mut line).await;
            let answer = match (read, serde_json::from_str::<Order>(&line)) {
                (Ok(_), Ok(Order::Generate { model, request })) => {
                    return generate(&node, model, *request, reader, &mut write).await;
                }
                (Ok(_), Ok(Order::Open { model })) => {
                    let opened = service.open(&model).await.map_err(|failure| failure.to_string());
                    opened.map(|(name, header, context)| {
                        json!({ "name": name, "header": header, "context": context })
                    })
                }
                (Ok(_), Ok(Order::Pull { model, endpoint, token })) => {
                    pull(service.pull_from(model, endpoint, token), &mut write).await
                }
                (Ok(_), Ok(Order::State)) => Ok(service.state_with_requests()),
                (Ok(_), Ok(Order::Copy { node: name, path, to })) => {
                    copy(&node, name, path, to, reader, &mut write).await
                }
                (Ok(_), Ok(order)) => carry_out(&node, order).await,
                (Err(error), _) => Err(error.to_string()),
                (_, Err(error)) => Err(format!("not an order: {error}")),
            };
            let answer = answer.unwrap_or_else(|error| json!({ "error": error }));
            let _ = write.write_all(format!("{answer}\n").as_bytes()).await;
        });
    }
}

async fn carry_out(node: &Node, order: Order) -> Result<Value, String> {
    let text = |error: crate::commands::CommandError| error.to_string();
    match order {
        Order::Token { lasting_s, uses } => {
            let token = node.invite(Duration::from_secs(lasting_s), uses).await.map_err(text)?;
            Ok(json!({ "token": token.to_string(), "id": token.id() }))
        }
        Order::Tokens => {
            let snapshot = node.snapshot();
            let invites = snapshot.shared.invites.iter().map(|(id, invite)| {
                json!({
                    "id": id, "expires_unix_ms": invite.expires_unix_ms, "revoked": invite.revoked,
                    "used": invite.used.len(), "uses_max": invite.uses_max,
                })
            });
            Ok(json!({ "tokens": invites.collect::<Vec<_>>() }))
        }
        Order::Revoke { id } => node.revoke(&id).await.map(|()| json!({})).map_err(text),
        Order::Remove { node: name } => {
            let removed = node.remove(&name).await.map_err(text)?;
            Ok(json!({ "removed": removed.to_string() }))
        }
        Order::Strain { seconds } => {
            let strained = node.strain(seconds).await.map_err(text)?;
            let from = node.snapshot().name_of(node.id());
            let links = strained.iter().map(|link| {
                json!({
                    "from": from, "to": link.to, "transport": link.last.transport, "seconds": seconds,
                    "first_bytes_per_s": link.first.bytes_per_s, "last_bytes_per_s": link.last.bytes_per_s,
                })
            });
            Ok(json!({ "links": links.collect::<Vec<_>>() }))
        }
        Order::Load { model, path, instances, keep, pins, dry_run, facts } => {
            if let Some(path) = path {
                node.name_model(&model, path).map_err(|error| error.to_string())?;
                node.look_again().await;
            }
            let wish = Wish { instances, keep, pins: *pins };
            if dry_run {
                let plan = node.dry_run(&model, &wish, facts).await.map_err(text)?;
                return Ok(json!({ "plan": plan }));
            }
            // A wish that cannot be met does not take the place of one that is.
            if node.snapshot().shared.spec(&model).is_some() {
                let plan = node.dry_run(&model, &wish, None).await;
                plan.map_err(|error| format!("{model} stays as it is: {error}"))?;
            }
            node.want(&model, &wish);
            node.settled().await;
            loaded(node, &model).await
        }
        Order::Unload { model } => {
            if node.snapshot().shared.spec(&model).is_none() {
                return Err(format!("{model} is not loaded; `tandem ps` lists what is"));
            }
            node.unwant(&model);
            Ok(json!({}))
        }
        // Above.
        Order::Pull { .. }
        | Order::Copy { .. }
        | Order::Open { .. }
        | Order::Generate { .. }
        | Order::State => Ok(json!({})),
    }
}

/// Passes the events on, until the last or until whoever asked has hung up.
async fn generate(
    node: &Node,
    model: String,
    request: Request,
    mut from: impl AsyncReadExt + Unpin,
    to: &mut (impl AsyncWriteExt + Unpin),
) {
    let (sender, mut events) = mpsc::unbounded_channel();
    let ticket = node.ask(model, request, Box::new(move |event| _ = sender.send(event)));
    let mut hung_up = false;
    let mut byte = [0];
    loop {
        let event = tokio::select! {
            event = events.recv() => event,
            _ = from.read(&mut byte), if !hung_up => {
                hung_up = true;
                ticket.cancel();
                continue;
            }
        };
        let Some(event) = event else { return };
        let Ok(mut line) = serde_json::to_vec(&event) else { return };
        line.push(b'\n');
        if to.write_all(&line).await.is_err() || event.is_last() {
            return;
        }
    }
}

/// Passes the progress on; whoever has hung up wants it no more.
async fn pull(
    mut progress: mpsc::UnboundedReceiver<Result<PullProgress, Failure>>,
    to: &mut (impl AsyncWriteExt + Unpin),
) -> Result<Value, String> {
    while let Some(news) = progress.recv().await {
        let news = match news.map_err(|failure| failure.to_string())? {
            PullProgress::Done => return Ok(json!({})),
            PullProgress::Note(note) => json!({ "note": note }),
            PullProgress::File { name, total_bytes, have_bytes, .. } => {
                json!({ "file": name, "total_bytes": total_bytes, "have_bytes": have_bytes })
            }
        };
        let line = format!("{}\n", json!({ "progress": news }));
        to.write_all(line.as_bytes()).await.map_err(|error| error.to_string())?;
    }
    Err("the download ended without saying why; start it again, and it goes on where it was".into())
}

/// Copies while whoever asked listens.
async fn copy(
    node: &Node,
    name: String,
    path: String,
    to: PathBuf,
    mut from: impl AsyncReadExt + Unpin,
    write: &mut (impl AsyncWriteExt + Unpin),
) -> Result<Value, String> {
    let from_node = node.live_node(&name).map_err(|error| error.to_string())?;
    if from_node == node.id() {
        return Err(format!("`{name}` is this node itself; `cp` copies its files"));
    }
    let (sender, mut news) = mpsc::unbounded_channel();
    let stop = Arc::new(AtomicBool::new(false));
    let (copier, stopped) = (node.clone(), Arc::clone(&stop));
    let mut copied = tokio::task::spawn_blocking(move || {
        let progress = |have: u64, total: u64| _ = sender.send((have, total));
        files::copy(&copier.inner.fetcher, from_node, &path, &to, &progress, &stopped)
    });
    let mut hung_up = false;
    let mut byte = [0];
    let copied = loop {
        tokio::select! {
            copied = &mut copied => break copied,
            Some((have, total)) = news.recv() => {
                let line = json!({ "progress": { "have_bytes": have, "total_bytes": total } });
                let _ = write.write_all(format!("{line}\n").as_bytes()).await;
            }
            _ = from.read(&mut byte), if !hung_up => {
                hung_up = true;
                stop.store(true, Ordering::Relaxed);
            }
        }
    };
    let copied = copied.map_err(|error| error.to_string())??;
    Ok(json!({ "files": copied.files, "bytes": copied.bytes, "to": copied.to }))
}

async fn loaded(node: &Node, model: &str) -> Result<Value, String> {
    let mut watch = node.watch();
    let ready = |snapshot: &crate::Snapshot| {
        let asked = snapshot.shared.spec(model).map(Spec::wish);
        let is_it = |part: &PartReport| part.instance.model == model && Some(part.wish) == asked;
        snapshot.parts.iter().any(|(_, part)| is_it(part) && part.leads() && part.phase == Phase::Ready)
    };
    let decided = watch.wait_for(|snapshot| {
        ready(snapshot) || snapshot.refusals.contains_key(model) || snapshot.shared.spec(model).is_none()
    });
    let snapshot = match tokio::time::timeout(LOAD_MAX, decided).await {
        Ok(Ok(snapshot)) => snapshot.clone(),
        _ => {
            return Err(format!(
                "{model} did not load in {} s; it is still being loaded, and `tandem ps` shows how far it is",
                LOAD_MAX.as_secs()
            ));
        }
    };
    if ready(&snapshot) {
        return Ok(state_of(&snapshot));
    }
    let reason = snapshot.refusals.get(model).map(ToString::to_string);
    let reason = reason.unwrap_or_else(|| "it was unloaded meanwhile".into());
    Err(format!(
        "{reason}. It stays wanted and will be loaded once it fits; `tandem unload {model}` gives it up"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_home_has_its_socket_in_a_folder_that_cannot_be_guessed() {
        let top = std::env::temp_dir().join(format!("tandem-control-{}", std::process::id()));
        let short = top.join("home");
        let long = top.join("a-home-with-a-long-path-".repeat(6));
        for (root, is_short) in [(&short, true), (&long, false)] {
            std::fs::create_dir_all(root.join("node")).unwrap();
            let first = socket_to_serve(root).unwrap();
            assert_eq!(first.starts_with(root), is_short);
            drop(std::os::unix::net::UnixListener::bind(&first).unwrap());
            // The next run removes what this one leaves.
            let second = socket_to_serve(root).unwrap();
            assert!(!first.exists());
            assert_eq!(second == first, is_short);
            let _listener = std::os::unix::net::UnixListener::bind(&second).unwrap();
            connect(root).unwrap();
            if !is_short {
                assert!(!first.parent().unwrap().exists());
                let folder = second.parent().unwrap();
                assert_eq!(std::fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
                std::fs::remove_dir_all(folder).unwrap();
            }
        }
        std::fs::remove_dir_all(&top).unwrap();
    }
}
