//! Models come and go in a cluster: one makes room for another where it may, and a download outlives the node that began it.
//!
//! `TANDEM_SMOLLM2` names the model file; `cargo xtask test` fetches it and sets the variable. This binary is also the workers and
//! the node that it starts.

use std::io::{BufRead, BufReader, Lines};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tandem_api::{Failure, GenerateRequest, Prompt, PullProgress, Service};
use tandem_cluster::Phase;
use tandem_hub::Store;
use tandem_node::{ClusterService, Node, Options, Snapshot, Wish};
use tandem_plan::Pins;
use tandem_serving::{Catalogue, LocalService, Trouble};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;

#[path = "../../hub/tests/fake_hub/mod.rs"]
mod fake_hub;
mod folder;

use fake_hub::{FakeHub, Fault, Repo};
use folder::in_folder;

/// Only a hang takes so long.
const PATIENCE: Duration = Duration::from_secs(180);
/// Of this the nodes plan with less than the model takes on one of them, and with less than twice what it takes on both.
const MEMORY: u64 = 320 << 20;
const PULLED: &str = "o/smol:Q4_1";

const TESTS: [(&str, fn()); 2] = [
    ("a_model_makes_room_for_another_and_comes_back", a_model_makes_room_for_another_and_comes_back),
    ("another_node_takes_a_download_over", another_node_takes_a_download_over),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("worker") => {
            return ExitCode::from(u8::from(tandem_ranks::work(tandem_runtime::grammars_at).is_err()));
        }
        Some("pulling") => return pulling(&arguments[1..]),
        Some("--list") => {
            let listed = TESTS.iter().filter(|_| !arguments.iter().any(|it| it == "--ignored"));
            listed.for_each(|(name, _)| println!("{name}: test"));
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let asked = arguments.iter().find(|argument| !argument.starts_with('-'));
    for (name, test) in TESTS.iter().filter(|(name, _)| asked.is_none_or(|part| name.contains(part.as_str())))
    {
        test();
        println!("test {name} ... ok");
    }
    ExitCode::SUCCESS
}

fn smollm2() -> PathBuf {
    let path = std::env::var_os("TANDEM_SMOLLM2");
    path.expect("TANDEM_SMOLLM2 must name the SmolLM2 GGUF file; `cargo xtask test` sets it").into()
}

/// A node and the service it gives.
struct Served {
    node: Node,
    service: ClusterService,
}

impl Served {
    async fn start(root: PathBuf, join: Option<&str>, hub: Option<&str>) -> Served {
        let store = Store::at(&root);
        let options = Options {
            name: Some(root.file_name().unwrap().to_string_lossy().into_owned()),
            root,
            port: 0,
            host: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            peers: Vec::new(),
            join: join.map(|token| token.parse().unwrap()),
            discovery: false,
            device: Default::default(),
            encryption: Default::default(),
            cores: Some(1),
            // Three nodes that only pull have room for the model on each.
            memory_bytes: Some(if hub.is_some() { 3 * MEMORY } else { MEMORY }),
            worker: Box::new(|| {
                let mut command = Command::new(std::env::current_exe().unwrap());
                command.arg("worker");
                command
            }),
            devices: None,
            sequences_max: 4,
            waiting_max: 4,
            api: None,
        };
        let node = Node::start(options).await.unwrap();
        let nothing = |_: &Path| Err(Trouble { message: "only the cluster serves".into(), memory: false });
        let endpoint = hub.map(str::to_owned);
        let local = LocalService::new(Catalogue::new(store.clone()), store, endpoint, Box::new(nothing));
        let pins = Pins { context: Some(512), ..Pins::default() };
        Served { service: ClusterService::new(node.clone(), local, pins), node }
    }

    /// A few tokens.
    async fn ask(&self, model: &str) -> Result<(), Failure> {
        let request = GenerateRequest {
            model: model.to_owned(),
            prompt: Prompt::Text("Once upon a time".into()),
            tokens_max: Some(3),
            ..GenerateRequest::default()
        };
        let mut answer = timeout(PATIENCE, self.service.generate(request)).await.expect("an answer")?;
        while let Some(delta) = timeout(PATIENCE, answer.next()).await.expect("the answer's end") {
            delta?;
        }
        Ok(())
    }

    /// Why not, from the one who would have to find room.
    async fn is_refused(&self, model: &str) {
        let failure = self.ask(model).await.expect_err("there is no room");
        let text = failure.to_string();
        assert!(failure.status() == 503 && text.contains("it takes") && text.contains("MB free"), "{text}");
        // A wish that was refused is forgotten, and so is why.
        self.until("the refusal is forgotten", |snapshot| snapshot.refusals.is_empty()).await;
    }

    async fn until(&self, what: &str, seen: impl FnMut(&Arc<Snapshot>) -> bool) {
        let mut watch = self.node.watch();
        if timeout(PATIENCE, watch.wait_for(seen)).await.is_err() {
            let snapshot = self.node.snapshot();
            panic!("never seen: {what}; parts {:#?}, refusals {:?}", snapshot.parts, snapshot.refusals);
        }
    }

    /// Until this model, and no other, is loaded and wanted.
    async fn until_only(&self, model: &str) {
        self.until(model, |snapshot| {
            let mut parts = snapshot.parts.iter().map(|(_, part)| part);
            let wanted = ["one", "two"].map(|name| snapshot.shared.spec(name).is_some());
            wanted == ["one", "two"].map(|name| name == model)
                && parts.clone().count() > 0
                && parts.all(|part| part.instance.model == model && part.phase == Phase::Ready)
        })
        .await;
    }

    fn pull(&self) -> UnboundedReceiver<Result<PullProgress, Failure>> {
        self.service.pull(PULLED.to_owned())
    }
}

fn a_model_makes_room_for_another_and_comes_back() {
    in_folder("room", async |folder| {
        let a = Served::start(folder.join("a"), None, None).await;
        let token = a.node.invite(Duration::from_secs(600), 1).await.unwrap().to_string();
        let b = Served::start(folder.join("b"), Some(&token), None).await;
        for name in ["one", "two"] {
            a.node.name_model(name, smollm2()).unwrap();
        }
        a.node.look_again().await;
        for served in [&a, &b] {
            let here = |snapshot: &Arc<Snapshot>| {
                let known = snapshot.inventories.values().any(|it| it.models.contains_key("two"));
                known && snapshot.live.len() == 2 && snapshot.inventories.len() == 2
            };
            served.until("both nodes, and the models", here).await;
        }

        // Used a moment ago.
        [&a, &b].iter().for_each(|it| it.node.evict_idle_after(Duration::from_secs(3600)));
        a.ask("one").await.unwrap();
        a.is_refused("two").await;
        a.until_only("one").await;

        // Idle, but to be kept.
        let pins = Pins { context: Some(512), ..Pins::default() };
        a.node.want("one", &Wish { keep: true, pins: pins.clone(), ..Wish::default() });
        [&a, &b].iter().for_each(|it| it.node.evict_idle_after(Duration::ZERO));
        for served in [&a, &b] {
            let kept = |snapshot: &Arc<Snapshot>| snapshot.shared.spec("one").is_some_and(|it| !it.evictable);
            served.until("it is kept", kept).await;
            served.node.settled().await;
        }
        a.is_refused("two").await;
        a.until_only("one").await;

        // Idle, and may go; and comes back when it is asked for, at any node.
        a.node.want("one", &Wish { pins, ..Wish::default() });
        a.ask("two").await.unwrap();
        b.until_only("two").await;
        b.ask("one").await.unwrap();
        a.until_only("one").await;
    });
}

fn another_node_takes_a_download_over() {
    in_folder("takeover", async |folder| {
        let hub = FakeHub::start();
        let bytes = std::fs::read(smollm2()).unwrap();
        hub.put("o/smol", Repo::new("rev", &[("smol-Q4_1.gguf", &bytes)]));
        hub.faults(&[Fault::Stall { after_bytes: bytes.len() / 3 }]);
        // Who asked the hub for the file's bytes: the node that is lost has a token of its own.
        let asked_by_others = || {
            let log = hub.log();
            let gets = log.iter().filter(|line| line.starts_with("GET /o/smol/resolve/"));
            gets.filter(|line| !line.ends_with("auth=Bearer-lost")).count()
        };

        let a = Served::start(folder.join("a"), None, Some(&hub.endpoint)).await;
        let token = a.node.invite(Duration::from_secs(600), 2).await.unwrap().to_string();
        let c = Served::start(folder.join("c"), Some(&token), Some(&hub.endpoint)).await;
        let lost_at = folder.join("lost");
        let lost = Lost::start(&lost_at, &hub.endpoint, &token);
        for served in [&a, &c] {
            let pulling = |snapshot: &Arc<Snapshot>| {
                snapshot.live.len() == 3 && snapshot.inventories.values().any(|it| !it.pulling.is_empty())
            };
            served.until("the download", pulling).await;
        }
        let mut pulls = [a.pull(), c.pull()];
        for pull in &mut pulls {
            let note = next(pull).await;
            assert!(
                matches!(&note, PullProgress::Note(it) if it == "node lost is getting it already"),
                "{note:?}"
            );
        }
        while hub.ranges().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        drop(lost);
        for pull in &mut pulls {
            while next(pull).await != PullProgress::Done {}
        }
        assert_eq!(asked_by_others(), 1, "one of the others asked the hub: {:?}", hub.log());

        // Whoever asks has it: nodes that were there, and the one that was lost.
        let mut lost = Lost::start(&lost_at, &hub.endpoint, &token);
        a.ask(PULLED).await.unwrap();
        c.ask(PULLED).await.unwrap();
        assert_eq!(lost.says(), "another node has it");
        assert_eq!(lost.says(), "answered");
        assert_eq!(asked_by_others(), 1, "nobody asked the hub again: {:?}", hub.log());
    });
}

async fn next(pull: &mut UnboundedReceiver<Result<PullProgress, Failure>>) -> PullProgress {
    timeout(PATIENCE, pull.recv()).await.expect("the pull goes on").expect("it has an end").unwrap()
}

/// A node in a process of its own, which pulls the model and then asks it; killed when dropped.
struct Lost {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Lost {
    fn start(root: &Path, hub: &str, token: &str) -> Lost {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg("pulling").arg(root).args([hub, token]).env("HF_TOKEN", "lost");
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Lost { child, lines }
    }

    fn says(&mut self) -> String {
        self.lines.next().expect("the node says something").unwrap()
    }
}

impl Drop for Lost {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `root hub token`
fn pulling(arguments: &[String]) -> ExitCode {
    let [root, hub, token] = arguments else { return ExitCode::from(2) };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let served = Served::start(root.into(), Some(token), Some(hub)).await;
        let mut pull = served.pull();
        let mut known = false;
        loop {
            match next(&mut pull).await {
                PullProgress::Note(note) => {
                    known |= note.ends_with("has it, and gives the others what they need")
                }
                PullProgress::Done => break,
                _ => {}
            }
        }
        println!("{} has it", if known { "another node" } else { "this node" });
        served.ask(PULLED).await.unwrap();
        println!("answered");
        std::future::pending().await
    })
}
