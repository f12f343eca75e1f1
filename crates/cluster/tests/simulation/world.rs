//! A whole cluster in virtual time: cores, a bad network, workers that load and answer, clients that ask.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use tandem_cluster::*;

use super::random::{Random, mix};

/// Every fault is a field; a seed picks them.
#[derive(Clone, Debug)]
pub struct Faults {
    pub nodes: usize,
    pub loss_percent: u64,
    pub delay_ms_max: u64,
    pub crashes: u64,
    pub hangs: u64,
    pub partitions: u64,
    pub clock_jumps: u64,
    pub until_ms: u64,
    /// Planted: the disk loses the last write when a node crashes.
    pub forgetful_disk: bool,
    /// Planted: the network between worker and node repeats an answer now and then.
    pub repeated_answers: bool,
}

impl Faults {
    pub fn from_seed(seed: u64) -> Faults {
        let mut random = Random::new(seed);
        Faults {
            nodes: random.between(3, 10) as usize,
            loss_percent: [0, 0, 2, 10][random.below(4) as usize],
            delay_ms_max: [2, 20, 120][random.below(3) as usize],
            crashes: random.below(4),
            hangs: random.below(3),
            partitions: random.below(3),
            clock_jumps: random.below(3),
            until_ms: 9_000,
            forgetful_disk: false,
            repeated_answers: false,
        }
    }
}

struct Node {
    id: NodeId,
    core: Option<Core<Halves>>,
    disk: Saved,
    disk_before: Saved,
    boot: u64,
    hung_until_ms: u64,
    clock_ahead_ms: u64,
}

/// As many of the roomiest nodes as hold the model; more of them is better.
struct Halves;

impl Planner for Halves {
    fn plan(&self, model: &str, _spec: &Spec, nodes: &[Candidate]) -> Result<Placement, Refusal> {
        let need = 60 + model.len() as u64;
        let mut nodes: Vec<_> = nodes.iter().filter(|node| node.room_bytes >= 20).collect();
        nodes.sort_by_key(|node| (Reverse(node.room_bytes), node.id));
        for count in (1..=nodes.len().min(3)).rev() {
            let share = need.div_ceil(count as u64);
            if nodes[count - 1].room_bytes >= share {
                let rank =
                    |node: NodeId, bytes: u64, device: &str| RankPlace { node, bytes, device: device.into() };
                let mut ranks: Vec<_> =
                    nodes[..count].iter().map(|node| rank(node.id, share, "cpu")).collect();
                // One model takes two devices of the last node.
                if model == MODELS[1] {
                    ranks[count - 1].bytes = share / 2;
                    ranks.push(rank(nodes[count - 1].id, share - share / 2, "gpu"));
                }
                return Ok(Placement { ranks, score: count as f64, context: 1, version: 1, body: vec![] });
            }
        }
        Err(Refusal::Impossible(format!("{model} takes {need}, the nodes have less")))
    }
}

enum Event {
    Tick {
        node: usize,
        boot: u64,
    },
    Deliver {
        from: usize,
        to: usize,
        message: Message,
    },
    Disconnected {
        at: usize,
        node: NodeId,
    },
    Worker(WorkerKey, WorkerStep),
    Token {
        worker: WorkerKey,
        attempt: Attempt,
        index: usize,
        word: u64,
    },
    /// A word of an attempt's stream reaches the node that asked.
    Word {
        from: usize,
        attempt: Attempt,
        word: u64,
        kind: Said,
    },
    Ask,
    Fault(Fault),
    Restart {
        node: usize,
    },
    Heal {
        nodes: BTreeSet<usize>,
    },
}

/// What a worker says of an attempt.
#[derive(Clone, Copy, Debug)]
enum Said {
    Token(u32),
    Done,
    Lost,
}

enum Fault {
    Crash,
    Hang,
    Partition,
    Jump,
}

enum WorkerStep {
    Seat,
    Join,
    Watch,
}

type WorkerKey = (usize, InstanceId, Generation, usize);

struct Worker {
    /// The nodes of the ranks.
    ranks: Vec<usize>,
    met: bool,
    ready: bool,
    since_ms: u64,
    running: BTreeMap<Attempt, u64>,
}

struct Request {
    front: usize,
    front_boot: u64,
    tokens: usize,
    ledger: Ledger,
    ended: Option<String>,
}

/// What a generation was first given out as, and which of its ranks have started.
type Started = (Vec<RankPlace>, [u8; 32], BTreeSet<usize>);

pub struct World {
    faults: Faults,
    random: Random,
    now_ms: u64,
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    events: BTreeMap<u64, Event>,
    events_made: u64,
    nodes: Vec<Node>,
    /// Pairs that cannot reach each other.
    cut: BTreeSet<(usize, usize)>,
    workers: BTreeMap<WorkerKey, Worker>,
    /// When the last word of each attempt arrives.
    streams: BTreeMap<Attempt, u64>,
    requests: BTreeMap<u64, Request>,
    requests_made: u64,
    /// Every start of a rank, ever.
    started: BTreeMap<(InstanceId, Generation), Started>,
    pub violations: Vec<String>,
    pub answered: usize,
    pub generations: usize,
    quiet: bool,
    trace: bool,
}

const MODELS: [&str; 2] = ["big", "small model"];

impl World {
    pub fn new(seed: u64, faults: Faults) -> World {
        let mut random = Random::new(seed ^ 0xfau64);
        let ids: Vec<_> = (0..faults.nodes)
            .map(|n| NodeId(std::array::from_fn(|i| (mix(seed ^ n as u64) >> (i % 8 * 8)) as u8)))
            .collect();
        let mut disk = Saved::default();
        for id in &ids {
            disk.shared.members.insert(*id, Member { version: 1, ..Member::default() });
        }
        for model in MODELS {
            let instances = if random.chance(30) { 2 } else { 1 };
            disk.shared.want(model, ids[0], Some(Spec { instances, ..Spec::default() }));
        }
        let nodes = ids.iter().map(|id| Node {
            id: *id,
            core: None,
            disk: disk.clone(),
            disk_before: disk.clone(),
            boot: 0,
            hung_until_ms: 0,
            clock_ahead_ms: 1_000_000,
        });
        let mut world = World {
            nodes: nodes.collect(),
            faults,
            random,
            now_ms: 0,
            queue: BinaryHeap::new(),
            events: BTreeMap::new(),
            events_made: 0,
            cut: BTreeSet::new(),
            workers: BTreeMap::new(),
            streams: BTreeMap::new(),
            requests: BTreeMap::new(),
            requests_made: 0,
            started: BTreeMap::new(),
            violations: Vec::new(),
            answered: 0,
            generations: 0,
            quiet: false,
            trace: std::env::var_os("TANDEM_SEED").is_some(),
        };
        for node in 0..world.nodes.len() {
            let at = world.random.below(300);
            world.at(at, Event::Restart { node });
        }
        let until = world.faults.until_ms;
        let mut faults = Vec::new();
        for (count, make) in [
            (world.faults.crashes, (|| Fault::Crash) as fn() -> Fault),
            (world.faults.hangs, || Fault::Hang),
            (world.faults.partitions, || Fault::Partition),
            (world.faults.clock_jumps, || Fault::Jump),
        ] {
            faults.extend((0..count).map(|_| make()));
        }
        for fault in faults {
            let at = world.random.between(500, until);
            world.at(at, Event::Fault(fault));
        }
        for _ in 0..12 {
            let at = world.random.between(200, until);
            world.at(at, Event::Ask);
        }
        world
    }

    /// Faults, then peace; what must hold all the time is checked on the way, what must hold in the end at the end.
    pub fn run(&mut self) {
        self.run_until(self.faults.until_ms + 500);
        self.quiet = true;
        self.cut.clear();
        for node in 0..self.nodes.len() {
            self.nodes[node].hung_until_ms = self.nodes[node].hung_until_ms.min(self.now_ms);
            if self.nodes[node].core.is_none() {
                self.restart(node);
            }
        }
        self.run_until(self.now_ms + 11_000);
        for _ in 0..self.nodes.len() {
            self.at(self.now_ms + 1, Event::Ask);
        }
        let asked_before = self.requests_made;
        self.run_until(self.now_ms + 4_000);
        self.check_converged(asked_before);
    }

    fn run_until(&mut self, end_ms: u64) {
        while let Some(Reverse((at, id))) = self.queue.peek().copied() {
            if at > end_ms || !self.violations.is_empty() {
                break;
            }
            self.queue.pop();
            self.now_ms = self.now_ms.max(at);
            let event = self.events.remove(&id).expect("queued");
            self.happen(event);
        }
        self.now_ms = self.now_ms.max(end_ms);
    }

    fn at(&mut self, at_ms: u64, event: Event) {
        self.events_made += 1;
        self.queue.push(Reverse((at_ms, self.events_made)));
        self.events.insert(self.events_made, event);
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Tick { node, boot } => {
                if self.nodes[node].core.is_some() && self.nodes[node].boot == boot {
                    self.at(self.now_ms + 150, Event::Tick { node, boot });
                    if self.nodes[node].hung_until_ms <= self.now_ms {
                        self.input(node, Input::Tick);
                    }
                }
            }
            Event::Deliver { from, to, message } => {
                let resume = self.nodes[to].hung_until_ms;
                if resume > self.now_ms {
                    self.at(resume, Event::Deliver { from, to, message });
                } else if self.reach(from, to) {
                    let from = self.nodes[from].id;
                    self.input(to, Input::Heard { from, message });
                }
            }
            Event::Disconnected { at, node } => self.input(at, Input::Disconnected { node }),
            Event::Worker(key, step) => self.worker_step(key, step),
            Event::Token { worker, attempt, index, word } => self.token(worker, attempt, index, word),
            Event::Word { from, attempt, word, kind } => self.hear_word(from, attempt, word, kind),
            Event::Ask => self.ask(),
            Event::Fault(fault) => self.fault(fault),
            Event::Restart { node } => {
                if self.nodes[node].core.is_none() {
                    self.restart(node);
                }
            }
            Event::Heal { nodes } => self.cut.retain(|(a, _)| !nodes.contains(a)),
        }
    }

    fn restart(&mut self, node: usize) {
        let boot = self.random.next();
        let mut config = Config::new(self.nodes[node].id, boot, [node as u8; 32]);
        config.improve_ms = 3000;
        let state = &mut self.nodes[node];
        state.boot = boot;
        state.hung_until_ms = 0;
        state.core = Some(Core::new(config, state.disk.clone(), Halves));
        let memory_bytes = 45 + mix(node as u64) % 60;
        self.input(node, Input::Inventory(Box::new(Inventory { memory_bytes, ..Inventory::default() })));
        self.at(self.now_ms, Event::Tick { node, boot });
    }

    fn fault(&mut self, fault: Fault) {
        let node = self.random.below(self.nodes.len() as u64) as usize;
        match fault {
            Fault::Crash => {
                if self.nodes[node].core.take().is_none() {
                    return;
                }
                if self.faults.forgetful_disk {
                    self.nodes[node].disk = self.nodes[node].disk_before.clone();
                }
                self.workers.retain(|(of, ..), _| *of != node);
                for at in 0..self.nodes.len() {
                    // A closed connection is often noticed, not always.
                    if at != node && self.random.chance(80) {
                        let when = self.now_ms + self.random.below(50);
                        self.at(when, Event::Disconnected { at, node: self.nodes[node].id });
                    }
                }
                let back = self.now_ms + self.random.between(50, 6000);
                self.at(back, Event::Restart { node });
            }
            Fault::Hang => {
                let length = self.random.between(200, 5000);
                self.nodes[node].hung_until_ms = self.now_ms + length;
            }
            Fault::Partition => {
                let side: BTreeSet<_> = (0..self.nodes.len()).filter(|_| self.random.chance(40)).collect();
                for a in &side {
                    for b in (0..self.nodes.len()).filter(|b| !side.contains(b)) {
                        self.cut.insert((*a, b));
                    }
                }
                let heal = self.now_ms + self.random.between(500, 6000);
                self.at(heal, Event::Heal { nodes: side });
            }
            Fault::Jump => {
                let jump = self.random.below(60_000);
                let back = self.random.chance(50);
                let ahead = &mut self.nodes[node].clock_ahead_ms;
                *ahead = if back { ahead.saturating_sub(jump) } else { *ahead + jump };
            }
        }
    }

    fn reach(&self, a: usize, b: usize) -> bool {
        !self.cut.contains(&(a, b)) && !self.cut.contains(&(b, a))
    }

    fn index_of(&self, id: NodeId) -> usize {
        self.nodes.iter().position(|node| node.id == id).expect("a node of this world")
    }

    fn input(&mut self, node: usize, input: Input) {
        let clock_ms = self.now_ms + self.nodes[node].clock_ahead_ms;
        let Some(core) = &mut self.nodes[node].core else { return };
        let actions = core.handle(input, clock_ms);
        for action in actions {
            self.act(node, action);
        }
    }

    fn act(&mut self, node: usize, action: Action) {
        let beat = matches!(&action, Action::Send { message: Message::Beat(_), .. });
        if self.trace && !beat && !matches!(action, Action::Persist(_)) {
            println!("{:6} ms node {:?}: {action:?}", self.now_ms, self.nodes[node].id);
        }
        match action {
            Action::Persist(saved) => {
                let state = &mut self.nodes[node];
                state.disk_before = std::mem::replace(&mut state.disk, saved);
            }
            Action::Send { to, message } => {
                let to = self.index_of(to);
                let loss = if self.quiet { 0 } else { self.faults.loss_percent };
                if self.reach(node, to) && !self.random.chance(loss) {
                    let at = self.now_ms + 1 + self.random.below(self.faults.delay_ms_max);
                    self.at(at, Event::Deliver { from: node, to, message });
                }
            }
            Action::Start { rank, assignment } => self.start(node, rank, assignment),
            Action::Meet { instance, generation, rank, .. } => {
                let key = (node, instance, generation, rank);
                if let Some(worker) = self.workers.get_mut(&key) {
                    worker.met = true;
                    worker.since_ms = self.now_ms;
                    let at = self.now_ms + self.random.between(20, 600);
                    self.at(at, Event::Worker(key, WorkerStep::Join));
                }
            }
            Action::Stop { instance, generation, rank } => {
                self.workers.remove(&(node, instance, generation, rank));
            }
            Action::Submit { to, attempt, instance, generation, asked_ms_ago } => {
                let request = self.requests.get_mut(&attempt.request).expect("it was asked here");
                let answered = request.ledger.begin(attempt.number).to_vec();
                let body = attempt.request.to_le_bytes().to_vec();
                let submission = Submission { attempt, instance, generation, body, answered, asked_ms_ago };
                match self.index_of(to) == node {
                    true => self.input(node, Input::Host(submission)),
                    false => self.act(node, Action::Send { to, message: Message::Submit(submission) }),
                }
            }
            Action::Host(Submission { attempt, instance, generation, body, answered, .. }) => {
                let request = u64::from_le_bytes(body.try_into().expect("eight bytes"));
                let known = self.requests.get(&request).map_or(0, |it| it.tokens);
                for (index, token) in answered.iter().enumerate() {
                    if *token != token_of(request, index) || answered.len() > known {
                        self.violations
                            .push(format!("request {request} resumed with tokens that were never streamed"));
                    }
                }
                let worker = (node, instance, generation, 0);
                if let Some(found) = self.workers.get_mut(&worker) {
                    found.running.insert(attempt, request);
                    let index = answered.len();
                    self.at(self.now_ms + 5, Event::Token { worker, attempt, index, word: 0 });
                } else {
                    self.say(node, attempt, 0, Said::Lost);
                }
            }
            Action::Abort { attempt, instance, generation } => {
                if let Some(worker) = self.workers.get_mut(&(node, instance, generation, 0)) {
                    worker.running.remove(&attempt);
                }
            }
            Action::Fail { request, reason } => self.end(node, request, reason),
            Action::Cut { .. } | Action::Expelled => self.violations.push("nobody was removed".into()),
        }
    }

    fn start(&mut self, node: usize, rank: usize, assignment: Assignment) {
        let Assignment { instance, generation, ranks, secret, .. } = assignment;
        let owner = (instance.clone(), generation);
        let known = self.started.entry(owner).or_insert_with(|| {
            self.generations += 1;
            (ranks.clone(), secret, BTreeSet::new())
        });
        if known.0 != ranks || known.1 != secret {
            self.violations.push(format!("generation {generation} of {instance} was given out twice"));
        } else if !known.2.insert(rank) {
            self.violations
                .push(format!("rank {rank} of generation {generation} of {instance} has two owners"));
        }
        let ranks = ranks.iter().map(|place| self.index_of(place.node)).collect();
        let worker =
            Worker { ranks, met: false, ready: false, since_ms: self.now_ms, running: BTreeMap::new() };
        let key = (node, instance, generation, rank);
        self.workers.insert(key.clone(), worker);
        let at = self.now_ms + self.random.between(1, 60);
        self.at(at, Event::Worker(key, WorkerStep::Seat));
    }

    fn worker_step(&mut self, key: WorkerKey, step: WorkerStep) {
        let (node, instance, generation, rank) = key.clone();
        let Some(worker) = self.workers.get(&key) else { return };
        let resume = self.nodes[node].hung_until_ms;
        let event = |event| Input::Worker { instance: instance.clone(), generation, rank, event };
        if resume > self.now_ms {
            self.at(resume, Event::Worker(key, step));
            return;
        }
        let others = || {
            let at = |(rank, at): (usize, &usize)| (*at, instance.clone(), generation, rank);
            worker.ranks.iter().enumerate().map(at).map(|key| (key.0, self.workers.get(&key)))
        };
        let whole = others().all(|(at, other)| other.is_some_and(|other| other.met) && self.reach(node, at));
        match step {
            WorkerStep::Seat => self.input(node, event(WorkerEvent::Seated(format!("node {node}")))),
            WorkerStep::Join if whole => {
                self.workers.get_mut(&key).expect("found above").ready = true;
                self.input(node, event(WorkerEvent::Ready));
                self.at(self.now_ms + 400, Event::Worker(key, WorkerStep::Watch));
            }
            WorkerStep::Join if self.now_ms < worker.since_ms + 2000 => {
                self.at(self.now_ms + 50, Event::Worker(key, WorkerStep::Join));
            }
            WorkerStep::Watch if whole => self.at(self.now_ms + 400, Event::Worker(key, WorkerStep::Watch)),
            _ => {
                self.workers.remove(&key);
                self.input(node, event(WorkerEvent::Failed("a rank is lost".into())));
            }
        }
    }

    fn token(&mut self, key: WorkerKey, attempt: Attempt, index: usize, word: u64) {
        let node = key.0;
        let Some(request) = self.workers.get(&key).and_then(|worker| worker.running.get(&attempt)).copied()
        else {
            return;
        };
        let resume = self.nodes[node].hung_until_ms;
        if resume > self.now_ms {
            self.at(resume, Event::Token { worker: key, attempt, index, word });
            return;
        }
        let worker = &self.workers[&key];
        let whole = worker
            .ranks
            .iter()
            .enumerate()
            .map(|(rank, at)| (*at, key.1.clone(), key.2, rank))
            .all(|key| self.workers.contains_key(&key) && self.reach(node, key.0));
        let last = !whole || index == length_of(request);
        if last {
            self.workers.get_mut(&key).expect("found above").running.remove(&attempt);
            self.say(node, attempt, word, if whole { Said::Done } else { Said::Lost });
        } else {
            self.say(node, attempt, word, Said::Token(token_of(request, index)));
            let mut next = word + 1;
            if self.faults.repeated_answers && self.random.chance(2) {
                self.say(node, attempt, next, Said::Token(token_of(request, index)));
                next += 1;
            }
            let at = self.now_ms + self.random.between(5, 120);
            self.at(at, Event::Token { worker: key, attempt, index: index + 1, word: next });
        }
    }

    /// A worker of `node` says a word to whoever asked, over the same network as everything else.
    fn say(&mut self, node: usize, attempt: Attempt, word: u64, kind: Said) {
        let front = self.index_of(attempt.front);
        let loss = if self.quiet { 0 } else { self.faults.loss_percent };
        let near = front == node;
        if near || (self.reach(node, front) && !self.random.chance(loss)) {
            let delay = if near { 0 } else { 1 + self.random.below(self.faults.delay_ms_max) };
            // A stream keeps its order, whatever is lost of it.
            let last = self.streams.entry(attempt).or_default();
            *last = (self.now_ms + delay).max(*last);
            let at = *last;
            self.at(at, Event::Word { from: node, attempt, word, kind });
        }
        if !matches!(kind, Said::Token(_)) {
            self.input(node, Input::Served { attempt });
        }
    }

    fn hear_word(&mut self, from: usize, attempt: Attempt, word: u64, kind: Said) {
        let front = self.index_of(attempt.front);
        let resume = self.nodes[front].hung_until_ms;
        if resume > self.now_ms {
            return self.at(resume, Event::Word { from, attempt, word, kind });
        }
        if self.nodes[front].core.is_none() || self.nodes[front].boot != attempt.boot {
            return;
        }
        let id = attempt.request;
        let Some(request) = self.requests.get_mut(&id).filter(|request| request.ended.is_none()) else {
            return;
        };
        if let Said::Lost = kind {
            return self.input(front, Input::Progressed { attempt, progress: Progress::Lost });
        }
        let heard = match kind {
            Said::Token(token) => WordKind::Token(token),
            _ => WordKind::Last,
        };
        let begun = request.ledger.has_begun();
        match request.ledger.hear(attempt.number, word, heard) {
            Verdict::Skip => return,
            Verdict::Gap => {
                return self.input(front, Input::Progressed { attempt, progress: Progress::Broken });
            }
            Verdict::Pass => {}
        }
        let wrong = match kind {
            Said::Token(token) => {
                request.tokens += 1;
                let expected = token_of(id, request.tokens - 1);
                (token != expected).then_some("got a token twice or missed one")
            }
            _ => {
                request.ended = Some("done".into());
                self.answered += 1;
                (request.tokens != length_of(id)).then_some("ended too early")
            }
        };
        let ended = request.ended.is_some();
        if let Some(wrong) = wrong {
            self.violations.push(format!("request {id} {wrong}"));
        }
        if !begun {
            self.input(front, Input::Progressed { attempt, progress: Progress::Begun });
        }
        if ended {
            self.input(front, Input::Progressed { attempt, progress: Progress::Ended });
        }
    }

    /// The core gave a request up.
    fn end(&mut self, node: usize, id: u64, reason: String) {
        let Some(request) = self.requests.get_mut(&id) else { return };
        if request.front != node {
            self.violations.push(format!("request {id} was given up by a node that was not asked"));
        } else if request.ended.is_some() {
            self.violations.push(format!("request {id} was given up after its end"));
        }
        request.ended = Some(reason);
    }

    fn ask(&mut self) {
        let front = self.random.below(self.nodes.len() as u64) as usize;
        if self.nodes[front].core.is_none() || self.nodes[front].hung_until_ms > self.now_ms {
            return;
        }
        self.requests_made += 1;
        let request = self.requests_made;
        let front_boot = self.nodes[front].boot;
        self.requests.insert(
            request,
            Request { front, front_boot, tokens: 0, ledger: Ledger::default(), ended: None },
        );
        let model = MODELS[self.random.below(2) as usize].to_owned();
        self.input(front, Input::Ask { request, model });
    }

    fn check_converged(&mut self, asked_before: u64) {
        let mut wrong = Vec::new();
        let shared = self.nodes[0].core.as_ref().expect("all run").shared().clone();
        for node in &self.nodes {
            let core = node.core.as_ref().expect("all run");
            if *core.shared() != shared {
                wrong.push(format!("node {:?} still has another shared state", node.id));
            }
            if core.live().len() != self.nodes.len() {
                wrong.push(format!("node {:?} sees only {:?}", node.id, core.live()));
            }
        }
        let mut running: BTreeMap<InstanceId, BTreeMap<Generation, usize>> = BTreeMap::new();
        for ((_, instance, generation, _), worker) in &self.workers {
            if !worker.ready {
                wrong.push(format!("{instance} {generation} is still not ready"));
            }
            *running.entry(instance.clone()).or_default().entry(*generation).or_default() += 1;
        }
        for (instance, generations) in &running {
            if generations.len() != 1 {
                wrong.push(format!("{instance} runs in several generations: {generations:?}"));
            }
        }
        for (model, wanted) in &shared.wanted {
            for index in 0..wanted.spec.as_ref().map_or(0, |spec| spec.instances) {
                let instance = InstanceId { model: model.clone(), index };
                let refused = self
                    .nodes
                    .iter()
                    .any(|node| node.core.as_ref().expect("all run").refusal(model).is_some());
                if !running.contains_key(&instance) && !refused {
                    wrong.push(format!("{instance} neither runs nor is refused"));
                }
            }
        }
        for (id, request) in &self.requests {
            let front = &self.nodes[request.front];
            if front.boot != request.front_boot {
                continue;
            }
            let runs = running.keys().any(|_| true);
            match &request.ended {
                None => wrong.push(format!("request {id} was lost")),
                Some(end) if *id > asked_before && end != "done" && runs && !end.contains("takes") => {
                    wrong.push(format!("request {id} was refused in peace: {end}"));
                }
                _ => {}
            }
        }
        self.violations.extend(wrong);
    }
}

fn token_of(request: u64, index: usize) -> u32 {
    mix(request * 1000 + index as u64) as u32
}

fn length_of(request: u64) -> usize {
    1 + (mix(request) % 25) as usize
}
