//! Nodes find each other, let in who has a token, and put out who is removed.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tandem_node::{JoinToken, Node, NodeError, Options};
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(20);

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tandem-forming-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn options(folder: &Path, name: &str, join: Option<JoinToken>) -> Options {
    Options {
        root: folder.join(name),
        name: Some(name.to_owned()),
        port: 0,
        host: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        peers: Vec::new(),
        join,
        discovery: false,
        cores: Some(1),
        memory_bytes: Some(1 << 30),
        worker: Box::new(|| Command::new("false")),
        sequences_max: 4,
        waiting_max: 4,
        api: None,
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

async fn sees(node: &Node, count: usize) {
    let mut watch = node.watch();
    let seen = timeout(PATIENCE, watch.wait_for(|snapshot| snapshot.live.len() == count)).await;
    let found = node.snapshot().live.len();
    assert!(seen.is_ok(), "{:?} sees {found} nodes, expected {count}", node.id());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_join_by_token_and_one_is_removed() {
    let folder = Folder::new("three");
    let a = Node::start(options(&folder.0, "a", None)).await.unwrap();
    let token = a.invite(Duration::from_secs(600), 2).await.unwrap();
    let b = Node::start(options(&folder.0, "b", Some(token.clone()))).await.unwrap();
    let c = Node::start(options(&folder.0, "c", Some(token.clone()))).await.unwrap();
    for node in [&a, &b, &c] {
        sees(node, 3).await;
        assert_eq!(node.cluster(), a.cluster());
    }
    // Links are measured while nobody asks for anything.
    let mut watch = a.watch();
    let (b_id, a_id) = (b.id(), a.id());
    let measured = watch.wait_for(|snapshot| {
        let link = |from, to| snapshot.inventories.get(&from).is_some_and(|it| it.links.contains_key(&to));
        link(a_id, b_id) || link(b_id, a_id)
    });
    assert!(timeout(PATIENCE, measured).await.is_ok(), "the link was not measured");

    let used_up = Node::start(options(&folder.0, "d", Some(token.clone()))).await.err().unwrap();
    assert!(used_up.to_string().contains("used 2 times already"), "{used_up}");
    let expired = a.invite(Duration::ZERO, 1).await.unwrap();
    let refused = Node::start(options(&folder.0, "d", Some(expired))).await.err().unwrap();
    assert!(refused.to_string().contains("expired"), "{refused}");
    let revoked = a.invite(Duration::from_secs(600), 1).await.unwrap();
    a.revoke(&revoked.id()).await.unwrap();
    let refused = Node::start(options(&folder.0, "d", Some(revoked))).await.err().unwrap();
    assert!(refused.to_string().contains("revoked"), "{refused}");
    let wrong = JoinToken { key: [1; 32], ..token.clone() };
    let refused = Node::start(options(&folder.0, "d", Some(wrong))).await.err().unwrap();
    assert!(matches!(refused, NodeError::Join(_)), "{refused}");
    let unknown = JoinToken { invite: [1; 8], ..token };
    let refused = Node::start(options(&folder.0, "d", Some(unknown))).await.err().unwrap();
    assert!(refused.to_string().contains("does not know the token"), "{refused}");

    // Any member may remove any other, also the founder. What was on its disk does not help it, nor a token it knows of.
    let known = c.invite(Duration::from_secs(600), 1).await.unwrap();
    let mut watch = b.watch();
    let heard = watch.wait_for(|snapshot| snapshot.shared.invites.contains_key(&known.id()));
    assert!(timeout(PATIENCE, heard).await.is_ok(), "the token is not known to all");
    copy(&folder.0.join("a/node"), &folder.0.join("old/node"));
    b.remove("a").await.unwrap();
    timeout(PATIENCE, a.expelled()).await.expect("the removed node hears of it");
    sees(&b, 2).await;
    sees(&c, 2).await;
    let old = Node::start(options(&folder.0, "old", None)).await.unwrap();
    assert_eq!(old.id(), a.id());
    timeout(PATIENCE, old.expelled()).await.expect("it is told when it comes back");
    assert_eq!((b.snapshot().live.len(), c.snapshot().live.len()), (2, 2));
    let refused = Node::start(options(&folder.0, "d", Some(known))).await.err().unwrap();
    assert!(refused.to_string().contains("revoked"), "{refused}");
    drop((a, old));
    // It comes back as another, with a new token.
    let token = c.invite(Duration::from_secs(600), 1).await.unwrap();
    let again = Node::start(options(&folder.0, "a", Some(token))).await.unwrap();
    sees(&again, 3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_survives_the_restart_of_all_its_nodes() {
    let folder = Folder::new("restart");
    let a = Node::start(options(&folder.0, "a", None)).await.unwrap();
    let token = a.invite(Duration::from_secs(600), 1).await.unwrap();
    let b = Node::start(options(&folder.0, "b", Some(token))).await.unwrap();
    sees(&a, 2).await;
    b.want("some model", &tandem_node::Wish::default());
    let mut watch = a.watch();
    timeout(PATIENCE, watch.wait_for(|snapshot| snapshot.shared.spec("some model").is_some()))
        .await
        .unwrap()
        .unwrap();
    let ids = [a.id(), b.id()];
    drop((a, b));
    let a = start_again(&folder.0, "a").await;
    let b = start_again(&folder.0, "b").await;
    assert_eq!([a.id(), b.id()], ids, "identities are kept");
    // Ports have changed: one of the two must be told where the other is.
    let port = a.port();
    drop(b);
    let b = loop {
        let mut with_peer = options(&folder.0, "b", None);
        with_peer.peers = vec![format!("127.0.0.1:{port}")];
        match Node::start(with_peer).await {
            Ok(node) => break node,
            Err(NodeError::Home(_)) => tokio::time::sleep(Duration::from_millis(50)).await,
            Err(error) => panic!("{error}"),
        }
    };
    sees(&a, 2).await;
    sees(&b, 2).await;
    assert!(b.snapshot().shared.spec("some model").is_some(), "what should be loaded is kept");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(folder.0.join("a/node/identity")).unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
}

/// The folder is free once the old node's task has ended.
async fn start_again(folder: &Path, name: &str) -> Node {
    loop {
        match Node::start(options(folder, name, None)).await {
            Ok(node) => return node,
            Err(NodeError::Home(_)) => tokio::time::sleep(Duration::from_millis(50)).await,
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_listens_beyond_its_machine_only_once_it_has_invited_somebody() {
    let interfaces = if_addrs::get_if_addrs().unwrap();
    let own = interfaces.iter().map(if_addrs::Interface::ip).find(|ip| ip.is_ipv4() && !ip.is_loopback());
    let Some(own) = own else {
        eprintln!("SKIPPED: this machine has no address but its own");
        return;
    };
    let folder = Folder::new("alone");
    let node = Node::start(Options { host: None, ..options(&folder.0, "a", None) }).await.unwrap();
    let reach = || tokio::net::TcpStream::connect((own, node.port()));
    assert!(reach().await.is_err());
    node.invite(Duration::from_secs(600), 1).await.unwrap();
    while reach().await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_of_one_network_find_each_other_and_clusters_do_not_mix() {
    let folder = Folder::new("discovery");
    let on_network = |name: &str, join: Option<JoinToken>| Options {
        host: None,
        discovery: true,
        ..options(&folder.0, name, join)
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_captured_session_shows_no_plaintext() {
    let folder = Folder::new("captured");
    let a = Node::start(options(&folder.0, "unmistakable-founder", None)).await.unwrap();
    a.want("unmistakable-model", &tandem_node::Wish::default());
    let mut token = a.invite(Duration::from_secs(600), 1).await.unwrap();
    let (port, captured) = recording_proxy(a.port()).await;
    token.addresses = vec![format!("127.0.0.1:{port}")];
    let b = Node::start(options(&folder.0, "unmistakable-guest", Some(token.clone()))).await.unwrap();
    sees(&a, 2).await;
    sees(&b, 2).await;
    let captured = captured.lock().unwrap().clone();
    assert!(captured.len() > 500, "the join went past the proxy: {} bytes", captured.len());
    let shows = |secret: &[u8]| captured.windows(secret.len()).any(|window| window == secret);
    assert!(!shows(b"unmistakable"), "names can be read");
    assert!(!shows(&token.key), "the token's key can be read");
    assert!(!shows(&b.id().0) && !shows(&a.id().0), "who is who can be read");
}
