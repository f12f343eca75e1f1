//! A model's tokens, wherever in the cluster they are made.

use tandem_cluster::Phase;
use tandem_engine::{Load, Refused, Request, Sink, Ticket, Tokens};

use crate::node::Node;

/// Submits to the least busy instance of a model, and goes on elsewhere when that is lost.
pub struct ClusterTokens {
    pub node: Node,
    pub model: String,
}

impl Tokens for ClusterTokens {
    fn submit(&self, request: Request, events: Sink) -> Result<Ticket, Refused> {
        Ok(self.node.ask(self.model.clone(), request, events))
    }

    /// Of all instances together.
    fn load(&self) -> Load {
        let snapshot = self.node.snapshot();
        let mut load = Load::default();
        for (_, part) in &snapshot.parts {
            if part.instance.model == self.model && part.leads() && part.phase == Phase::Ready {
                load.running += part.busy as usize;
                load.context = if load.context == 0 { part.context } else { load.context.min(part.context) };
            }
        }
        load
    }
}
