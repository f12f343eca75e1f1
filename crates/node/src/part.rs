//! One of this node's ranks of a generation: the worker process, from its start to its end.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use tandem_cluster::{Assignment, WorkerEvent};
use tandem_devices::{Device, DeviceError};
use tandem_fabric::{Encryption, LinkTerms, Meeting};
use tandem_ranks::{News, RemoteEngine, Task, WorkerProcess};

use crate::devices::CPU;
use crate::errands::any_address;
use crate::placing::Body;
use crate::runs::Place;

type FindFile =
    Box<dyn Fn(&Body, usize, &dyn Fn(u64, u64), &AtomicBool) -> Result<PathBuf, String> + Send + Sync>;

/// What every part needs from its node.
pub struct Workshop {
    pub worker: Box<dyn Fn() -> Command + Send + Sync>,
    /// Finds the model's file, or brings the slices a rank needs; tells of progress, and gives up once the flag is set.
    pub file: FindFile,
    /// Addresses of this machine that other nodes may reach.
    pub hosts: Box<dyn Fn() -> Vec<IpAddr> + Send + Sync>,
    /// Of data links to other hosts.
    pub encryption: Encryption,
    /// Where this node's ranks compute.
    pub device: Device,
    pub waiting_max: usize,
    pub workers: Workers,
}

/// The processes of this node's workers.
#[derive(Clone, Default)]
pub struct Workers(Arc<Mutex<BTreeSet<u32>>>);

impl Workers {
    /// Memory that they hold.
    pub fn resident_bytes(&self) -> u64 {
        let processes = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        processes.into_iter().filter_map(tandem_runtime::resident_bytes).sum()
    }

    /// Counts the process until this is dropped.
    fn add(&self, process: u32) -> Counted {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(process);
        Counted { workers: self.clone(), process }
    }
}

struct Counted {
    workers: Workers,
    process: u32,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.workers.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.process);
    }
}

/// A running part. Dropping it ends the worker.
pub struct Part {
    pub rank: usize,
    pub place: Place,
    orders: Sender<Order>,
    stop: Arc<AtomicBool>,
    was_ready: AtomicBool,
    engine: Arc<Mutex<Option<RemoteEngine>>>,
}

enum Order {
    Meet(Vec<String>),
    Stop,
}

impl Part {
    pub fn start(
        workshop: Arc<Workshop>,
        rank: usize,
        assignment: Assignment,
        report: impl Fn(WorkerEvent) + Send + Sync + 'static,
    ) -> Part {
        let (orders, waiting) = channel();
        let place = Place {
            model: assignment.instance.model.clone(),
            version: assignment.version,
            nodes: assignment.ranks.iter().map(|rank| rank.node).collect(),
            devices: assignment.ranks.iter().map(|rank| rank.device.clone()).collect(),
            // One that cannot be read is refused below.
            stages: serde_json::from_slice(&assignment.body)
                .map_or(1, |body: Body| body.blueprint.stages.len()),
        };
        let engine = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&engine);
        let report = Arc::new(report);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        std::thread::spawn(move || {
            let told = Arc::clone(&report);
            if let Err(reason) =
                run(&workshop, rank, &assignment, &waiting, &stopped, &shared, move |event| told(event))
            {
                report(WorkerEvent::Failed(reason));
            }
        });
        Part { rank, place, orders, stop, was_ready: AtomicBool::new(false), engine }
    }

    /// What the planner chose.
    pub fn device(&self) -> &str {
        self.place.devices.get(self.rank).map_or(CPU, String::as_str)
    }

    pub fn set_ready(&self) {
        self.was_ready.store(true, Ordering::Relaxed);
    }

    pub fn was_ready(&self) -> bool {
        self.was_ready.load(Ordering::Relaxed)
    }

    pub fn meet(&self, seats: Vec<String>) {
        let _ = self.orders.send(Order::Meet(seats));
    }

    /// Once it has joined; answers requests where this rank leads.
    pub fn engine(&self) -> Option<RemoteEngine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.orders.send(Order::Stop);
    }
}

fn run(
    workshop: &Workshop,
    rank: usize,
    assignment: &Assignment,
    orders: &Receiver<Order>,
    stop: &AtomicBool,
    engine: &Mutex<Option<RemoteEngine>>,
    report: impl Fn(WorkerEvent) + Send + Sync + Clone + 'static,
) -> Result<(), String> {
    let body: Body = serde_json::from_slice(&assignment.body)
        .map_err(|error| format!("the blueprint cannot be read: {error}"))?;
    let progress = report.clone();
    let progress = |done, total| progress(WorkerEvent::Progress { done, total });
    let model = (workshop.file)(&body, rank, &progress, stop)?;
    let news = report.clone();
    let start = |any: IpAddr| {
        let news = news.clone();
        WorkerProcess::start((workshop.worker)(), any, move |heard| {
            news(match heard {
                News::Progress { loaded, total } => WorkerEvent::Progress { done: loaded, total },
                News::Ready(ready) => {
                    if let Some(how) = ready.exchanges_by.clone() {
                        news(WorkerEvent::HandsOver(how));
                    }
                    WorkerEvent::Ready
                }
                News::Failed(failure) => WorkerEvent::Failed(failure.reason),
            });
        })
    };
    // A rank without others waits for nobody.
    let hosts = if body.threads.len() > 1 { (workshop.hosts)() } else { vec![Ipv4Addr::LOCALHOST.into()] };
    let worker = start(any_address(&hosts)).map_err(|error| format!("cannot start a worker: {error}"))?;
    let _counted = workshop.workers.add(worker.id());
    let port = worker.address().port();
    let seat: Vec<_> = hosts.iter().map(|host| SocketAddr::new(*host, port).to_string()).collect();
    report(WorkerEvent::Seated(seat.join(",")));
    let Ok(Order::Meet(seats)) = orders.recv() else { return Ok(()) };
    let addresses = seats
        .iter()
        .map(|seat| seat.split(',').filter_map(|address| address.parse().ok()).collect())
        .collect();
    let terms = LinkTerms { encryption: workshop.encryption, ..LinkTerms::default() };
    let task = Task {
        blueprint: body.blueprint,
        rank,
        model,
        device: match assignment.ranks.get(rank) {
            Some(place) => {
                let planned = place.device.parse().map_err(|error: DeviceError| error.to_string())?;
                // Somebody may have said where.
                if workshop.device.allows(&planned) { planned } else { workshop.device.clone() }
            }
            None => workshop.device.clone(),
        },
        threads: body.threads.get(rank).copied().unwrap_or(1),
        cores: Vec::new(),
        meeting: Meeting::under(assignment.secret, addresses, terms),
        waiting_max: workshop.waiting_max,
    };
    *engine.lock().unwrap_or_else(PoisonError::into_inner) = Some(worker.engine());
    worker.join(&task).map_err(|error| format!("the worker does not listen: {error}"))?;
    // Until the node lets go of it.
    let _ = orders.recv();
    drop(worker);
    Ok(())
}
