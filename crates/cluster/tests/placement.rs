//! What the coordinator decides, told as stories: nodes come and go, models are wanted, requests are asked, and time passes as
//! the test says. Messages arrive at once and workers do their best; `simulation.rs` is for bad weather.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tandem_cluster::*;

/// Takes `need` bytes by the model's name ("m40" takes 40), on as many nodes as there are, for speed, or as few as pinned.
struct Fit;

impl Planner for Fit {
    fn plan(&self, model: &str, spec: &Spec, nodes: &[Candidate]) -> Result<Placement, Refusal> {
        let need: u64 = model[1..].parse().expect("a number");
        let most = spec.detail.parse().unwrap_or(nodes.len());
        for count in (1..=nodes.len().min(most)).rev() {
            let share = need.div_ceil(count as u64);
            let fitting: Vec<_> = nodes.iter().filter(|node| node.room_bytes >= share).take(count).collect();
            if fitting.len() == count {
                let ranks = fitting
                    .iter()
                    .map(|node| RankPlace { node: node.id, bytes: share, device: "cpu".into() })
                    .collect();
                return Ok(Placement { ranks, score: count as f64, context: 1, version: 1, body: vec![] });
            }
        }
        Err(Refusal::Impossible(format!("it takes {need}")))
    }
}

#[derive(Default)]
struct Cluster {
    now_ms: u64,
    cores: BTreeMap<NodeId, Core<Fit>>,
    disks: BTreeMap<NodeId, Saved>,
    boots: u64,
    mail: VecDeque<(NodeId, NodeId, Message)>,
    /// They neither hear nor say anything.
    hung: BTreeSet<NodeId>,
    /// They hear only each other.
    apart: BTreeSet<NodeId>,
    /// Ranks that ever started: who, which model, under which generation.
    started: Vec<(u8, String, u64)>,
    /// Attempts a worker has, and how long before it they were asked.
    working: Vec<(Attempt, InstanceId, u64)>,
    failed: Vec<String>,
}

fn id(n: u8) -> NodeId {
    NodeId([n; 32])
}

impl Cluster {
    /// Nodes 1 to `count` that know each other, none of which runs yet.
    fn of(count: u8) -> Cluster {
        let mut saved = Saved::default();
        for n in 1..=count {
            saved.shared.members.insert(id(n), Member { version: 1, ..Member::default() });
        }
        Cluster { disks: (1..=count).map(|n| (id(n), saved.clone())).collect(), ..Cluster::default() }
    }

    fn start(&mut self, n: u8, memory_bytes: u64) {
        self.boots += 1;
        let config = Config::new(id(n), self.boots, [n; 32]);
        self.cores.insert(id(n), Core::new(config, self.disks[&id(n)].clone(), Fit));
        self.input(n, Input::Inventory(Box::new(Inventory { memory_bytes, ..Inventory::default() })));
    }

    fn stop(&mut self, n: u8) {
        self.cores.remove(&id(n));
        let others: Vec<_> = self.cores.keys().map(|id| id.0[0]).collect();
        others.into_iter().for_each(|other| self.input(other, Input::Disconnected { node: id(n) }));
    }

    fn input(&mut self, n: u8, input: Input) {
        let Some(core) = self.cores.get_mut(&id(n)) else { return };
        let actions = core.handle(input, self.now_ms);
        actions.into_iter().for_each(|action| self.act(n, action));
        while let Some((from, to, message)) = self.mail.pop_front() {
            let cut = self.apart.contains(&from) != self.apart.contains(&to);
            if !cut && !self.hung.contains(&from) && !self.hung.contains(&to) {
                self.input(to.0[0], Input::Heard { from, message });
            }
        }
    }

    fn act(&mut self, n: u8, action: Action) {
        match action {
            Action::Persist(saved) => _ = self.disks.insert(id(n), saved),
            Action::Send { to, message } => self.mail.push_back((id(n), to, message)),
            Action::Start { rank, assignment: Assignment { instance, generation, .. } } => {
                self.started.push((n, instance.to_string(), generation.counter));
                let event = WorkerEvent::Seated(String::new());
                self.input(n, Input::Worker { instance, generation, rank, event });
            }
            Action::Meet { instance, generation, rank, .. } => {
                self.input(n, Input::Worker { instance, generation, rank, event: WorkerEvent::Ready });
            }
            Action::Submit { to, attempt, instance, generation, asked_ms_ago } => {
                let (body, answered) = (Vec::new(), Vec::new());
                let submission = Submission { attempt, instance, generation, body, answered, asked_ms_ago };
                match to == id(n) {
                    true => self.input(n, Input::Host(submission)),
                    false => self.act(n, Action::Send { to, message: Message::Submit(submission) }),
                }
            }
            Action::Host(Submission { attempt, instance, asked_ms_ago, .. }) => {
                self.working.push((attempt, instance, asked_ms_ago));
            }
            Action::Fail { reason, .. } => self.failed.push(reason),
            _ => {}
        }
    }

    fn pass(&mut self, ms: u64) {
        let end = self.now_ms + ms;
        while self.now_ms < end {
            self.now_ms += 100;
            let nodes: Vec<_> = self.cores.keys().filter(|id| !self.hung.contains(id)).copied().collect();
            nodes.into_iter().for_each(|node| self.input(node.0[0], Input::Tick));
        }
    }

    fn want(&mut self, model: &str, spec: Spec) {
        self.input(1, Input::Want { model: model.into(), spec: Some(spec) });
    }

    /// The nodes that hold the ready instance, as node 1 sees it.
    fn holders(&self, instance: &str) -> Vec<u8> {
        let ready = |(_, part): &&(NodeId, PartReport)| {
            part.instance.to_string() == instance && part.phase == Phase::Ready
        };
        let reports = self.cores.values().next().expect("a node runs").instances();
        reports.iter().filter(ready).map(|(node, _)| node.0[0]).collect()
    }

    fn refusal(&self, model: &str) -> Option<String> {
        self.cores.values().next().expect("a node runs").refusal(model).map(ToString::to_string)
    }
}

fn one() -> Spec {
    Spec { instances: 1, ..Spec::default() }
}

#[test]
fn after_a_restart_of_all_nodes_a_model_waits_for_them_but_not_for_ever() {
    let mut cluster = Cluster::of(2);
    cluster.start(1, 100);
    cluster.start(2, 100);
    cluster.pass(1000);
    cluster.want("m40", one());
    assert_eq!(cluster.holders("m40"), [1, 2]);
    cluster.stop(1);
    cluster.stop(2);

    cluster.start(1, 100);
    cluster.pass(3000);
    assert_eq!(cluster.holders("m40"), [0; 0], "the other may still come");
    cluster.start(2, 100);
    cluster.pass(500);
    assert_eq!(cluster.holders("m40"), [1, 2]);
    cluster.stop(1);
    cluster.stop(2);

    cluster.start(1, 100);
    cluster.pass(6000);
    assert_eq!(cluster.holders("m40"), [1], "the other does not come");
}

#[test]
fn a_node_that_returns_is_used_again() {
    let mut cluster = Cluster::of(2);
    cluster.start(1, 100);
    cluster.start(2, 100);
    cluster.want("m40", one());
    cluster.pass(2000);
    cluster.stop(2);
    assert_eq!(cluster.holders("m40"), [1]);
    cluster.pass(1000);
    cluster.start(2, 100);
    cluster.pass(15_000);
    assert_eq!(cluster.holders("m40"), [1, 2]);
    // Where nothing better is found, nothing moves.
    let started = cluster.started.len();
    cluster.pass(60_000);
    assert_eq!(cluster.started.len(), started);
}

#[test]
fn a_silent_node_is_not_planned_with() {
    let mut cluster = Cluster::of(3);
    (1..=3).for_each(|n| cluster.start(n, 100));
    cluster.want("m40", one());
    cluster.pass(1000);
    assert_eq!(cluster.holders("m40"), [1, 2, 3]);
    cluster.hung.insert(id(3));
    cluster.pass(1700);
    // The data links notice first.
    let generation = Generation { counter: 1, by: id(1) };
    let instance = InstanceId { model: "m40".into(), index: 0 };
    let event = WorkerEvent::Failed("rank 2 said nothing".into());
    cluster.input(2, Input::Worker { instance, generation, rank: 1, event });
    cluster.pass(1000);
    assert_eq!(cluster.holders("m40"), [1, 2]);
    let generations: BTreeSet<_> = cluster.started.iter().map(|(_, _, counter)| *counter).collect();
    assert_eq!(generations, BTreeSet::from([1, 2]), "one generation was enough");
}

#[test]
fn what_was_placed_in_a_partition_stays_there_when_it_heals() {
    let mut cluster = Cluster::of(4);
    (1..=4).for_each(|n| cluster.start(n, 100));
    cluster.want("m40", Spec { detail: "2".into(), ..one() });
    cluster.pass(2000);
    assert_eq!(cluster.holders("m40"), [1, 2]);
    cluster.apart = [id(3), id(4)].into();
    cluster.pass(10_000);
    let generations = |cluster: &Cluster| -> BTreeSet<u64> {
        cluster.started.iter().map(|(_, _, counter)| *counter).collect()
    };
    assert_eq!(generations(&cluster).len(), 2, "each side has one: {:?}", cluster.started);
    cluster.apart.clear();
    cluster.pass(30_000);
    assert_eq!(cluster.holders("m40"), [3, 4], "the newer one");
    assert_eq!(generations(&cluster).len(), 2, "nothing moved: {:?}", cluster.started);
}

#[test]
fn several_models_and_instances_share_the_nodes_and_requests_go_to_the_least_busy() {
    let mut cluster = Cluster::of(2);
    cluster.start(1, 100);
    cluster.start(2, 100);
    cluster.want("m40", Spec { instances: 2, detail: "1".into(), ..Spec::default() });
    cluster.want("m60", one());
    cluster.pass(1000);
    let mut copies = [cluster.holders("m40"), cluster.holders("m40#2")].concat();
    copies.sort_unstable();
    assert_eq!((copies, cluster.holders("m60")), (vec![1, 1], vec![2]));

    for request in 0..4 {
        cluster.input(2, Input::Ask { request, model: "m40".into() });
    }
    let at = |index| cluster.working.iter().filter(|(_, instance, _)| instance.index == index).count();
    assert_eq!((at(0), at(1)), (2, 2));
}

#[test]
fn an_idle_model_goes_only_where_room_is_needed_and_it_may() {
    let evictable = || Spec { evictable: true, ..one() };
    let mut cluster = Cluster::of(1);
    cluster.start(1, 100);
    cluster.want("m80", evictable());
    cluster.pass(120_000);
    assert_eq!(cluster.holders("m80"), [1], "nobody needs the room");
    cluster.input(1, Input::Ask { request: 1, model: "m80".into() });
    cluster.want("m50", one());
    cluster.pass(120_000);
    assert_eq!(cluster.holders("m80"), [1], "it is in use");
    assert_eq!(cluster.refusal("m50").unwrap(), "it takes 50");
    let attempt = cluster.working[0].0;
    cluster.input(1, Input::Served { attempt });
    cluster.pass(30_000);
    assert_eq!(cluster.holders("m80"), [1], "it was in use a moment ago");
    cluster.pass(60_000);
    assert_eq!((cluster.holders("m80"), cluster.holders("m50")), (vec![], vec![1]));
    assert_eq!(cluster.refusal("m50"), None);

    cluster.want("m70", evictable());
    cluster.pass(120_000);
    assert_eq!(cluster.holders("m50"), [1], "it is kept");
    assert_eq!(cluster.refusal("m70").unwrap(), "it takes 70");
}

#[test]
fn a_request_waits_for_room_that_is_being_made_and_only_enough_is_made() {
    let evictable = || Spec { evictable: true, ..one() };
    let mut cluster = Cluster::of(1);
    cluster.start(1, 100);
    for model in ["m30", "m40", "m20"] {
        cluster.want(model, evictable());
        cluster.pass(1000);
    }
    cluster.pass(70_000);
    cluster.want("m200", evictable());
    cluster.pass(10_000);
    assert_eq!(cluster.refusal("m200").unwrap(), "it takes 200", "nothing would help");
    cluster.want("m60", evictable());
    assert_eq!(cluster.refusal("m60"), None, "room is being made");
    cluster.input(1, Input::Ask { request: 1, model: "m60".into() });
    cluster.pass(5000);
    assert_eq!((cluster.failed.len(), cluster.working.len()), (0, 1), "it was not refused");
    let holders = ["m30", "m40", "m60", "m20"].map(|model| cluster.holders(model).len());
    assert_eq!(holders, [0, 0, 1, 1], "the longest idle went, and the last did not have to");
}

#[test]
fn a_request_is_refused_while_its_model_does_not_fit_and_served_once_it_does() {
    let mut cluster = Cluster::of(2);
    cluster.start(1, 100);
    cluster.start(2, 100);
    cluster.want("m150", one());
    cluster.pass(1000);
    cluster.stop(2);
    cluster.input(1, Input::Ask { request: 1, model: "m150".into() });
    cluster.pass(3000);
    assert_eq!(cluster.failed, ["it takes 150"]);
    cluster.start(2, 100);
    cluster.pass(3000);
    cluster.input(1, Input::Ask { request: 2, model: "m150".into() });
    assert_eq!(cluster.working.len(), 1);
}

#[test]
fn a_request_that_moves_carries_how_long_ago_it_was_asked() {
    let mut cluster = Cluster::of(2);
    cluster.start(1, 100);
    cluster.start(2, 100);
    cluster.want("m40", one());
    cluster.pass(1000);
    cluster.input(1, Input::Ask { request: 1, model: "m40".into() });
    cluster.pass(5000);
    cluster.stop(2);
    cluster.pass(1000);
    let ago: Vec<_> = cluster.working.iter().map(|(_, _, ago)| *ago).collect();
    assert_eq!((ago.len(), ago[0]), (2, 0));
    assert!((5000..6000).contains(&ago[1]), "{ago:?}");
}

#[test]
fn what_a_node_just_got_counts_for_what_it_wants_next() {
    let mut cluster = Cluster::of(2);
    cluster.start(1, 10);
    cluster.start(2, 10);
    cluster.pass(2000);
    let inventory = Inventory { memory_bytes: 100, ..Inventory::default() };
    cluster.input(2, Input::Inventory(Box::new(inventory)));
    cluster.input(2, Input::Want { model: "m60".into(), spec: Some(one()) });
    assert_eq!((cluster.holders("m60"), cluster.refusal("m60")), (vec![2], None));
}

#[test]
fn a_model_moves_when_something_else_is_asked_of_it() {
    let mut cluster = Cluster::of(2);
    cluster.start(1, 100);
    cluster.start(2, 100);
    cluster.want("m40", one());
    cluster.pass(3000);
    let generations = |cluster: &Cluster| {
        let of = cluster.started.iter().filter(|(_, instance, _)| instance == "m40");
        of.map(|(_, _, generation)| *generation).collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!(generations(&cluster), 1);
    cluster.want("m40", Spec { evictable: true, ..one() });
    cluster.pass(3000);
    assert_eq!(generations(&cluster), 1, "whether it may go is not where it is");
    cluster.want("m40", Spec { detail: "another context".into(), ..one() });
    cluster.pass(3000);
    assert_eq!((generations(&cluster), cluster.holders("m40")), (2, vec![1, 2]), "{:?}", cluster.started);
}
