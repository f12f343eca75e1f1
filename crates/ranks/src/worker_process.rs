//! A worker, seen from the process that started it.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::protocol::{Frames, FromWorker, Heard, ToWorker, write_frame};
use crate::remote_engine::{RemoteEngine, Replies};
use crate::{Failure, Ready, Spent, Task};

/// A worker process and the stream to it. Killed when dropped; whatever happens to it, the process that holds this only
/// hears [`News::Failed`].
///
/// 1. [`WorkerProcess::start`] on every machine of the group; each says where its peers may reach it.
/// 2. [`WorkerProcess::join`] with a [`Task`] that holds everyone's addresses under a fresh secret
///    ([`Meeting::new`](tandem_fabric::Meeting::new)).
/// 3. News come: progress, then `Ready`, and once something is lost `Failed`. Rank 0's [`WorkerProcess::engine`] answers
///    requests from then on.
pub struct WorkerProcess {
    child: Arc<Mutex<Child>>,
    pid: u32,
    address: SocketAddr,
    engine: RemoteEngine,
    thread: Option<JoinHandle<()>>,
}

/// What a worker says about itself.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// Bytes of weights.
    Progress { loaded: u64, total: u64 },
    /// It is loaded, and so is everyone else.
    Ready(Ready),
    /// It has ended, or was ended. Nothing comes after this.
    Failed(Failure),
}

/// A worker that says nothing for so long is lost.
const SILENCE_MAX: Duration = Duration::from_secs(2);
const PING_EVERY: Duration = Duration::from_millis(250);
/// A process that was just started may have to be read from disk first.
const START_MAX: Duration = Duration::from_secs(30);

impl WorkerProcess {
    /// Starts `command`, which must end in [`work`](crate::work) on its standard input, and asks it to wait for its peers on
    /// `address`. `news` is called on a thread of its own.
    pub fn start(
        mut command: Command,
        address: IpAddr,
        news: impl FnMut(News) + Send + 'static,
    ) -> io::Result<WorkerProcess> {
        let (near, far) = UnixStream::pair()?;
        let child = command.stdin(OwnedFd::from(far)).stdout(Stdio::null()).spawn()?;
        // The command holds a copy of the far end, which would hide the worker's death.
        drop(command);
        let pid = child.id();
        let child = Arc::new(Mutex::new(child));
        near.set_read_timeout(Some(PING_EVERY))?;
        near.set_write_timeout(Some(SILENCE_MAX))?;
        write_frame(&mut &near, &ToWorker::Listen { address })?;
        let (engine, replies) = RemoteEngine::new(near.try_clone()?);
        let (listening, heard) = channel();
        let listener = Listener { near, child: Arc::clone(&child), engine: engine.clone(), replies };
        let thread = std::thread::Builder::new().name(format!("worker {pid}")).spawn({
            let mut news = news;
            move || {
                let failure = listener.run(&listening, &mut news);
                drop(listening);
                news(News::Failed(failure));
            }
        })?;
        let mut worker =
            WorkerProcess { child, pid, address: (address, 0).into(), engine, thread: Some(thread) };
        worker.address = wait(&heard)?;
        Ok(worker)
    }

    /// Where its peers may reach it, for the [`Meeting`](tandem_fabric::Meeting).
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn id(&self) -> u32 {
        self.pid
    }

    /// Tells it what to be.
    pub fn join(&self, task: &Task) -> io::Result<()> {
        self.engine.set_rank(task.rank);
        self.engine.send(&ToWorker::Join(Box::new(task.clone())))
    }

    /// Where its time went since this was last asked; nothing from one that is lost.
    pub fn spent(&self) -> Option<Spent> {
        self.engine.spent()
    }

    /// The engine that rank 0 runs.
    pub fn engine(&self) -> RemoteEngine {
        self.engine.clone()
    }
}

fn wait(heard: &Receiver<SocketAddr>) -> io::Result<SocketAddr> {
    heard.recv_timeout(START_MAX).map_err(|_| io::Error::other("the worker ended before it was given a task"))
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        kill(&self.child);
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != std::thread::current().id()
        {
            let _ = thread.join();
        }
    }
}

fn kill(child: &Mutex<Child>) -> Option<std::process::ExitStatus> {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = child.kill();
    child.wait().ok()
}

/// The thread that reads what a worker says.
struct Listener {
    near: UnixStream,
    child: Arc<Mutex<Child>>,
    engine: RemoteEngine,
    replies: Replies,
}

impl Listener {
    /// Reads until the worker fails; returns why.
    fn run(&self, listening: &std::sync::mpsc::Sender<SocketAddr>, news: &mut impl FnMut(News)) -> Failure {
        let mut frames = Frames::new(&self.near);
        let (mut heard, mut pinged) = (Instant::now(), Instant::now());
        let mut patience = START_MAX;
        let failure = loop {
            match frames.next() {
                Ok(Heard::Message(message)) => {
                    heard = Instant::now();
                    match message {
                        FromWorker::Listening { address } => {
                            patience = SILENCE_MAX;
                            let _ = listening.send(address);
                        }
                        FromWorker::Progress { loaded, total } => news(News::Progress { loaded, total }),
                        FromWorker::Ready(ready) => {
                            self.engine.set_ready(&ready);
                            news(News::Ready(ready));
                        }
                        FromWorker::Failed(failure) => break failure,
                        reply => self.replies.hear(reply),
                    }
                }
                Ok(Heard::Nothing) => {}
                Ok(Heard::End) => {
                    let status = kill(&self.child);
                    let how = status.map_or_else(String::new, |status| format!(" ({status})"));
                    break self.own(format!("its process ended{how}"));
                }
                Err(e) => break self.own(format!("it cannot be understood: {e}")),
            }
            if heard.elapsed() > patience {
                break self.own(format!("it said nothing for {} ms", heard.elapsed().as_millis()));
            }
            if pinged.elapsed() >= PING_EVERY {
                pinged = Instant::now();
                // What cannot be written now will be noticed as silence.
                let _ = self.engine.send(&ToWorker::Ping);
            }
        };
        self.engine.fail(&failure);
        kill(&self.child);
        failure
    }

    fn own(&self, what: String) -> Failure {
        match self.engine.rank() {
            Some(rank) => Failure { lost: Some(rank), reason: format!("rank {rank} is lost: {what}") },
            None => {
                Failure { lost: None, reason: format!("the worker was lost before it had a task: {what}") }
            }
        }
    }
}
