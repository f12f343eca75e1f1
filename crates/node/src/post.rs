//! The queues to connected nodes, for whoever has something to say to one of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tandem_cluster::NodeId;
use tokio::sync::mpsc;

use crate::frame::Frame;

#[derive(Clone, Default)]
pub struct Post {
    queues: Arc<Mutex<HashMap<NodeId, Queue>>>,
}

struct Queue {
    /// Of the channel that it leads to.
    number: u64,
    messages: mpsc::Sender<Vec<u8>>,
}

impl Post {
    pub fn open(&self, node: NodeId, number: u64, messages: mpsc::Sender<Vec<u8>>) {
        self.queues().insert(node, Queue { number, messages });
    }

    pub fn close(&self, node: NodeId, number: u64) {
        let mut queues = self.queues();
        if queues.get(&node).is_some_and(|queue| queue.number == number) {
            queues.remove(&node);
        }
    }

    /// To a node that is not connected nothing is said. One that does not take what waits for it is hung up on: its queue ends,
    /// and the channel with it.
    pub fn send(&self, node: NodeId, frame: &Frame) {
        let Some(messages) = self.queues().get(&node).map(|queue| queue.messages.clone()) else { return };
        if messages.try_send(frame.to_bytes()).is_err() {
            self.queues().remove(&node);
        }
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<NodeId, Queue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
