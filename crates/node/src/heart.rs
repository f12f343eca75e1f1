//! The thread of the node's own task, its channels and its beacons.
//!
//! Whoever serves requests may be busy; the beats that keep this node alive in the eyes of the others must not wait for that.

use std::future::Future;
use std::io;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// What was spawned on it ends when this is dropped.
pub struct Heart {
    tasks: Handle,
    _stop: oneshot::Sender<()>,
}

impl Heart {
    pub fn start() -> io::Result<Heart> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let tasks = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        std::thread::Builder::new().name("node".into()).spawn(move || {
            let _ = runtime.block_on(stopped);
            runtime.shutdown_background();
        })?;
        Ok(Heart { tasks, _stop: stop })
    }

    pub fn spawn<T: Send + 'static>(&self, task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        self.tasks.spawn(task)
    }
}
