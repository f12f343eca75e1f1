//! Nodes find each other, let in who has a token, and put out who is removed.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use tandem_cluster::Refusal;
use tandem_node::{Ending, JoinToken, Node, NodeError, Options, Snapshot, Wish};
use tokio::time::timeout;

/// Only a hang takes so long.
const PATIENCE: Duration = Duration::from_secs(120);

mod folder;
use folder::in_folder;

fn options(folder: &Path, name: &str, join: Option<JoinToken>) -> Options {
    Options {
        root: folder.join(name),
        name: Some(name.to_owned()),
        port: 0,
        host: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        peers: Vec::new(),
        join,
        discovery: false,
        device: Default::default(),
        encryption: Default::default(),
        cores: Some(1),
        memory_bytes: Some(1 << 30),
        worker: Box::new(|| Command::new("false")),
        devices: None,
        sequences_max: 4,
        waiting_max: 4,
        api: None,
    }
}

/// What a node has written, while it may be writing anew beside it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    let written = |entry: &std::fs::DirEntry| {
        entry.path().is_file() && !entry.file_name().to_string_lossy().starts_with('.')
    };
    for entry in std::fs::read_dir(from).unwrap().flatten().filter(written) {
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

async fn sees(node: &Node, count: usize) {
    let mut watch = node.watch();
    let seen = timeout(PATIENCE, watch.wait_for(|snapshot| snapshot.live.len() == count)).await;
    let found = node.snapshot().live.len();
    assert!(seen.is_ok(), "{:?} sees {found} nodes, expected {count}", node.id());
}

#[test]
fn three_nodes_join_by_token_and_one_is_removed() {
    in_folder("three", async |folder| {
        let a = Node::start(options(folder, "a", None)).await.unwrap();
        let token = a.invite(Duration::from_secs(600), 2).await.unwrap();
        let b = Node::start(options(folder, "b", Some(token.clone()))).await.unwrap();
        let c = Node::start(options(folder, "c", Some(token.clone()))).await.unwrap();
        for node in [&a, &b, &c] {
            sees(node, 3).await;
            assert_eq!(node.cluster(), a.cluster());
        }
        // Links are measured while nobody asks for anything.
        let mut watch = a.watch();
        let (b_id, a_id) = (b.id(), a.id());
        let measured = watch.wait_for(|snapshot| {
            let link =
                |from, to| snapshot.inventories.get(&from).is_some_and(|it| it.links.contains_key(&to));
            link(a_id, b_id) || link(b_id, a_id)
        });
        assert!(timeout(PATIENCE, measured).await.is_ok(), "the link was not measured");

        let used_up = Node::start(options(folder, "d", Some(token.clone()))).await.err().unwrap();
        assert!(used_up.to_string().contains("used 2 times already"), "{used_up}");
        let expired = a.invite(Duration::ZERO, 1).await.unwrap();
        let refused = Node::start(options(folder, "d", Some(expired))).await.err().unwrap();
        assert!(refused.to_string().contains("expired"), "{refused}");
        let revoked = a.invite(Duration::from_secs(600), 1).await.unwrap();
        a.revoke(&revoked.id()).await.unwrap();
        let refused = Node::start(options(folder, "d", Some(revoked))).await.err().unwrap();
        assert!(refused.to_string().contains("revoked"), "{refused}");
        let wrong = JoinToken { key: [1; 32], ..token.clone() };
        let refused = Node::start(options(folder, "d", Some(wrong))).await.err().unwrap();
        assert!(matches!(refused, NodeError::Join(_)), "{refused}");
        let unknown = JoinToken { invite: [1; 8], ..token };
        let refused = Node::start(options(folder, "d", Some(unknown))).await.err().unwrap();
        assert!(refused.to_string().contains("does not know the token"), "{refused}");

        // Any member may remove any other, also the founder. What was on its disk does not help it, nor a token it knows of.
        let known = c.invite(Duration::from_secs(600), 1).await.unwrap();
        let mut watch = b.watch();
        let heard = watch.wait_for(|snapshot| snapshot.shared.invites.contains_key(&known.id()));
        assert!(timeout(PATIENCE, heard).await.is_ok(), "the token is not known to all");
        copy(&folder.join("a/node"), &folder.join("old/node"));
        b.remove("a").await.unwrap();
        let ending = timeout(PATIENCE, a.ended()).await.expect("the removed node hears of it");
        assert_eq!(ending, Ending::Removed);
        for node in [&b, &c] {
            sees(node, 2).await;
            let out = |snapshot: &Arc<Snapshot>| !snapshot.shared.is_member(a_id);
            assert!(timeout(PATIENCE, node.watch().wait_for(out)).await.is_ok(), "a member still");
        }
        let old = Node::start(options(folder, "old", None)).await.unwrap();
        assert_eq!(old.id(), a.id());
        timeout(PATIENCE, old.ended()).await.expect("it is told when it comes back");
        assert!(!b.snapshot().live.contains(&old.id()) && !c.snapshot().live.contains(&old.id()));
        let refused = Node::start(options(folder, "d", Some(known))).await.err().unwrap();
        assert!(refused.to_string().contains("revoked"), "{refused}");
        drop((a, old));
        // It comes back as another, with a new token.
        let token = c.invite(Duration::from_secs(600), 1).await.unwrap();
        let again = start_again(options(folder, "a", Some(token))).await;
        sees(&again, 3).await;
    });
}

#[test]
fn nodes_of_one_machine_come_back_where_they_were() {
    in_folder("ports", async |folder| {
        let a = Node::start(options(folder, "a", None)).await.unwrap();
        let token = a.invite(Duration::from_secs(600), 1).await.unwrap();
        // Both ask for this port from now on, and `a` has it.
        let port = a.port();
        let asked = |name, join| Options { port, ..options(folder, name, join) };
        let b = Node::start(asked("b", Some(token))).await.unwrap();
        sees(&a, 2).await;
        let ports = [a.port(), b.port()];
        drop((a, b));
        // The other way round; nobody is told where the other is.
        let b = start_again(asked("b", None)).await;
        let a = start_again(asked("a", None)).await;
        assert_eq!([a.port(), b.port()], ports);
        sees(&a, 2).await;
        sees(&b, 2).await;
    });
}

#[test]
fn a_cluster_survives_the_restart_of_all_its_nodes() {
    in_folder("restart", async |folder| {
        let a = Node::start(options(folder, "a", None)).await.unwrap();
        let token = a.invite(Duration::from_secs(600), 1).await.unwrap();
        let b = Node::start(options(folder, "b", Some(token))).await.unwrap();
        sees(&a, 2).await;
        b.want("some model", &tandem_node::Wish::default());
        let mut watch = a.watch();
        timeout(PATIENCE, watch.wait_for(|snapshot| snapshot.shared.spec("some model").is_some()))
            .await
            .unwrap()
            .unwrap();
        let ids = [a.id(), b.id()];
        drop((a, b));
        let a = start_again(options(folder, "a", None)).await;
        let b = start_again(options(folder, "b", None)).await;
        assert_eq!([a.id(), b.id()], ids, "identities are kept");
        // Ports have changed: one of the two must be told where the other is.
        let port = a.port();
        drop(b);
        let peers = vec![format!("127.0.0.1:{port}")];
        let b = start_again(Options { peers, ..options(folder, "b", None) }).await;
        sees(&a, 2).await;
        sees(&b, 2).await;
        assert!(b.snapshot().shared.spec("some model").is_some(), "what should be loaded is kept");
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &std::fs::metadata(folder.join("a/node/identity")).unwrap().permissions(),
        );
        assert_eq!(mode & 0o777, 0o600);
    });
}

/// The folder is free once the old node's task has ended.
async fn start_again(options: Options) -> Node {
    let taken = options.root.join("node/lock");
    let free = || std::fs::File::open(&taken).unwrap().try_lock().is_ok();
    while !free() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Node::start(options).await.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_node_listens_beyond_its_machine_only_once_it_has_invited_somebody() {
    in_folder("alone", async |folder| {
        let interfaces = if_addrs::get_if_addrs().unwrap();
        let own = interfaces.iter().map(if_addrs::Interface::ip).find(|ip| ip.is_ipv4() && !ip.is_loopback());
        let Some(own) = own else {
            eprintln!("SKIPPED: this machine has no address but its own");
            return;
        };
        let node = Node::start(Options { host: None, ..options(folder, "a", None) }).await.unwrap();
        let reach = || tokio::net::TcpStream::connect((own, node.port()));
        assert!(reach().await.is_err());
        node.invite(Duration::from_secs(600), 1).await.unwrap();
        while reach().await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
}

#[test]
fn nodes_of_one_network_find_each_other_and_clusters_do_not_mix() {
    in_folder("discovery", async |folder| {
        let on_network = |name: &str, join: Option<JoinToken>| Options {
            host: None,
            discovery: true,
            ..options(folder, name, join)
        };
        let a = Node::start(on_network("a", None)).await.unwrap();
        let stranger = Node::start(on_network("stranger", None)).await.unwrap();
        let mut token = a.invite(Duration::from_secs(600), 1).await.unwrap();
        token.addresses.clear();
        let b = match Node::start(on_network("b", Some(token))).await {
            Ok(b) => b,
            Err(error) if error.to_string().contains("no member of the cluster was found") => {
                eprintln!("SKIPPED: multicast does not pass on this machine");
                return;
            }
            Err(error) => panic!("{error}"),
        };
        sees(&a, 2).await;
        sees(&b, 2).await;
        assert_eq!(stranger.snapshot().live.len(), 1);
        assert_ne!(stranger.cluster(), a.cluster());
    });
}

/// Passes bytes on in both directions and keeps them.
async fn recording_proxy(to: u16) -> (u16, std::sync::Arc<std::sync::Mutex<Vec<u8>>>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let captured = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let record = captured.clone();
    tokio::spawn(async move {
        while let Ok((near, _)) = listener.accept().await {
            let Ok(far) = tokio::net::TcpStream::connect(("127.0.0.1", to)).await else { continue };
            let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), far.into_split());
            tokio::spawn(pass(near_read, far_write, record.clone()));
            tokio::spawn(pass(far_read, near_write, record.clone()));
        }
    });
    (port, captured)
}

async fn pass(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    record: std::sync::Arc<std::sync::Mutex<Vec<u8>>>,
) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut bytes = vec![0; 4096];
    while let Ok(len @ 1..) = from.read(&mut bytes).await {
        record.lock().unwrap().extend_from_slice(&bytes[..len]);
        if to.write_all(&bytes[..len]).await.is_err() {
            return;
        }
    }
}

#[test]
fn a_captured_session_shows_no_plaintext() {
    in_folder("captured", async |folder| {
        let a = Node::start(options(folder, "unmistakable-founder", None)).await.unwrap();
        a.want("unmistakable-model", &tandem_node::Wish::default());
        let mut token = a.invite(Duration::from_secs(600), 1).await.unwrap();
        let (port, captured) = recording_proxy(a.port()).await;
        token.addresses = vec![format!("127.0.0.1:{port}")];
        let b = Node::start(options(folder, "unmistakable-guest", Some(token.clone()))).await.unwrap();
        sees(&a, 2).await;
        sees(&b, 2).await;
        let captured = captured.lock().unwrap().clone();
        assert!(captured.len() > 500, "the join went past the proxy: {} bytes", captured.len());
        let shows = |secret: &[u8]| captured.windows(secret.len()).any(|window| window == secret);
        assert!(!shows(b"unmistakable"), "names can be read");
        assert!(!shows(&token.key), "the token's key can be read");
        assert!(!shows(&b.id().0) && !shows(&a.id().0), "who is who can be read");
    });
}

#[test]
fn a_fault_of_the_nodes_task_is_said_to_be_one() {
    in_folder("fault", async |folder| {
        let node = Node::start(options(folder, "a", None)).await.unwrap();
        let answer = node.with(|_| -> u32 { panic!("a fault for this test") }).await;
        assert_eq!(answer, None);
        let ending = timeout(PATIENCE, node.ended()).await.expect("the fault is heard of");
        assert_eq!(ending, Ending::Failed("a fault for this test".into()));
    });
}

#[test]
fn a_disk_that_takes_nothing_is_said_and_waited_for() {
    in_folder("full", async |folder| {
        let node = Node::start(options(folder, "a", None)).await.unwrap();
        node.settled().await;
        // Where the next state would be written. A folder stops root as well. The node may be writing there at this moment.
        let in_the_way = folder.join("a/node/.cluster.json.new");
        let blocked = timeout(PATIENCE, async {
            while std::fs::create_dir(&in_the_way).is_err() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
        assert!(blocked.await.is_ok(), "the node writes its state all the time");
        let refused = node.invite(Duration::from_secs(600), 1).await.expect_err("a refusal");
        assert!(refused.to_string().contains("cannot keep it"), "{refused}");
        node.want("some-model", &Wish::default());
        let mut watch = node.watch();
        let said = watch.wait_for(|snapshot| {
            let told = snapshot.refusals.get("some-model");
            snapshot.storage_fault.is_some() && matches!(told, Some(Refusal::Storage { .. }))
        });
        assert!(timeout(PATIENCE, said).await.is_ok(), "{:?}", node.snapshot());
        std::fs::remove_dir(&in_the_way).unwrap();
        let goes_on = watch.wait_for(|snapshot| {
            let told = snapshot.refusals.get("some-model");
            snapshot.storage_fault.is_none() && matches!(told, Some(Refusal::NoFile { .. }))
        });
        assert!(timeout(PATIENCE, goes_on).await.is_ok(), "{:?}", node.snapshot());
        node.invite(Duration::from_secs(600), 1).await.expect("a token");
    });
}
