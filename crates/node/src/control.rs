//! Orders from the command line to the node that runs on this machine: JSON lines over a socket only its owner can open.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tandem_api::{Failure, PullProgress};
use tandem_cluster::Phase;
use tandem_plan::Pins;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixListener;
use tokio::sync::mpsc;

use crate::cluster_service::{ClusterService, state_of};
use crate::commands::Wish;
use crate::hex::random_bytes;
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
        pins: Pins,
        dry_run: bool,
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
    State,
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

const LINE_MAX: u64 = 1 << 20;
const LOAD_MAX: Duration = Duration::from_secs(600);

/// Socket paths must be shorter than this on every system.
const SOCKET_PATH_MAX: usize = 100;

/// Where the node that runs from `root` listens. Under a long path the socket lies elsewhere, and a file says where.
fn socket_path(root: &Path) -> io::Result<PathBuf> {
    let path = root.join("node").join("control.sock");
    if path.as_os_str().len() < SOCKET_PATH_MAX {
        return Ok(path);
    }
    Ok(PathBuf::from(OsString::from_vec(std::fs::read(elsewhere(root))?)))
}

/// The same for the node itself. The folder elsewhere is new, nobody else's, and has a name that nobody can know before.
fn own_socket_path(root: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = socket_path(root) {
        // Of the run before.
        let _ = std::fs::remove_file(&path);
        if path.starts_with(root) {
            return Ok(path);
        }
        path.parent().map(std::fs::remove_dir);
    }
    let name = format!("tandem-{:016x}", u64::from_le_bytes(random_bytes()?));
    let folder = std::env::temp_dir().join(name);
    std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
    let path = folder.join("control.sock");
    std::fs::write(elsewhere(root), path.as_os_str().as_bytes())?;
    Ok(path)
}

fn elsewhere(root: &Path) -> PathBuf {
    root.join("node").join("control.path")
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
    let stream = std::os::unix::net::UnixStream::connect(socket_path(root).map_err(ControlError::NoNode)?)
        .map_err(ControlError::NoNode)?;
    let mut line = serde_json::to_vec(order).map_err(|error| ControlError::Silent(error.into()))?;
    line.push(b'\n');
    (&stream).write_all(&line).map_err(ControlError::Silent)?;
    let mut lines = BufReader::new(&stream);
    let answer = loop {
        let mut line = String::new();
        lines.read_line(&mut line).map_err(ControlError::Silent)?;
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

/// Takes orders for as long as it is polled.
pub async fn serve(node: Node, service: Arc<ClusterService>, root: PathBuf) -> io::Result<()> {
    let path = own_socket_path(&root)?;
    let listener = UnixListener::bind(&path)?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of descriptors, most likely: others must close some first.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (node, service) = (node.clone(), Arc::clone(&service));
        tokio::spawn(async move {
            let (read, mut write) = stream.into_split();
            let mut line = String::new();
            let read = tokio::io::BufReader::new(read.take(LINE_MAX)).read_line(&mut line).await;
            let answer = match (read, serde_json::from_str::<Order>(&line)) {
                (Ok(_), Ok(Order::Pull { model, endpoint, token })) => {
                    pull(service.pull_from(model, endpoint, token), &mut write).await
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
        Order::Load { model, path, instances, keep, pins, dry_run } => {
            if let Some(path) = path {
                node.name_model(&model, path).map_err(|error| error.to_string())?;
                node.look_again().await;
            }
            let wish = Wish { instances, keep, pins };
            if dry_run {
                let plan = node.dry_run(&model, &wish).await.map_err(text)?;
                return Ok(json!({ "plan": plan }));
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
        // With its progress, above.
        Order::Pull { .. } => Ok(json!({})),
        Order::State => {
            let mut state = state_of(&node.snapshot());
            state["self"] = node.id().to_string().into();
            Ok(state)
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
    Err("the pull ended without a word".into())
}

async fn loaded(node: &Node, model: &str) -> Result<Value, String> {
    let mut watch = node.watch();
    let ready = |snapshot: &crate::Snapshot| {
        snapshot
            .parts
            .iter()
            .any(|(_, part)| part.instance.model == model && part.leads() && part.phase == Phase::Ready)
    };
    let decided = watch.wait_for(|snapshot| {
        ready(snapshot) || snapshot.refusals.contains_key(model) || snapshot.shared.spec(model).is_none()
    });
    let snapshot = match tokio::time::timeout(LOAD_MAX, decided).await {
        Ok(Ok(snapshot)) => snapshot.clone(),
        _ => return Err(format!("{model} did not load in {} s; it is still wanted", LOAD_MAX.as_secs())),
    };
    if ready(&snapshot) {
        return Ok(state_of(&snapshot));
    }
    let reason = snapshot.refusals.get(model).cloned().unwrap_or_else(|| "it was unloaded meanwhile".into());
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
            let first = own_socket_path(root).unwrap();
            assert_eq!(first.starts_with(root), is_short);
            drop(std::os::unix::net::UnixListener::bind(&first).unwrap());
            // The next run removes what this one leaves.
            let second = own_socket_path(root).unwrap();
            assert!(!first.exists());
            assert_eq!(second == first, is_short);
            let _listener = std::os::unix::net::UnixListener::bind(&second).unwrap();
            std::os::unix::net::UnixStream::connect(socket_path(root).unwrap()).unwrap();
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
