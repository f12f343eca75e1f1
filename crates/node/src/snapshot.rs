//! The cluster as one node sees it, for whoever wants to look.

use std::collections::{BTreeMap, BTreeSet};

use tandem_cluster::{Core, Inventory, NodeId, PartReport, Planner, Shared};

#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub shared: Shared,
    pub live: BTreeSet<NodeId>,
    pub inventories: BTreeMap<NodeId, Inventory>,
    pub parts: Vec<(NodeId, PartReport)>,
    /// Why models are not placed.
    pub refusals: BTreeMap<String, String>,
}

impl Snapshot {
    pub fn of<P: Planner>(core: &Core<P>) -> Snapshot {
        let me = core.me();
        let mut inventories = BTreeMap::from([(me, core.inventory().clone())]);
        for (id, _) in core.shared().present() {
            if let Some(inventory) = core.peer(id).and_then(|peer| peer.inventory.clone()) {
                inventories.insert(id, inventory);
            }
        }
        let models = core.shared().wanted.keys();
        let refusals = models.filter_map(|model| Some((model.clone(), core.refusal(model)?.clone())));
        Snapshot {
            refusals: refusals.collect(),
            shared: core.shared().clone(),
            live: core.live().clone(),
            inventories,
            parts: core.instances(),
        }
    }

    /// A node by name, id or the beginning of its id.
    pub fn find_node(&self, text: &str) -> Option<NodeId> {
        let mut found = self.shared.present().filter(|(id, member)| {
            member.name == text || (text.len() >= 4 && id.to_string().starts_with(&text.to_ascii_lowercase()))
        });
        let (id, _) = found.next()?;
        found.next().is_none().then_some(id)
    }

    pub fn name_of(&self, node: NodeId) -> String {
        let name = self.shared.members.get(&node).map(|member| member.name.clone());
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| node.short())
    }
}
