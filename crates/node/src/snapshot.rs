//! The cluster as one node sees it, for whoever wants to look.

use std::collections::{BTreeMap, BTreeSet};

use tandem_cluster::{Core, Inventory, Member, NodeId, PartReport, Planner, Refusal, Shared};

#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub shared: Shared,
    pub live: BTreeSet<NodeId>,
    pub inventories: BTreeMap<NodeId, Inventory>,
    pub parts: Vec<(NodeId, PartReport)>,
    /// Why models are not placed.
    pub refusals: BTreeMap<String, Refusal>,
    /// Why this node cannot write its state.
    pub storage_fault: Option<String>,
    /// How nodes fare, as they last said.
    pub vitals: BTreeMap<NodeId, Vec<u8>>,
    /// Who answered a call in another version of the protocol, by address, and what that was.
    pub strangers: BTreeMap<String, String>,
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
        let told = |id: &NodeId| (*id, core.vitals(*id).to_vec());
        Snapshot {
            vitals: core.live().iter().map(told).filter(|(_, vitals)| !vitals.is_empty()).collect(),
            refusals: refusals.collect(),
            shared: core.shared().clone(),
            live: core.live().clone(),
            inventories,
            parts: core.instances(),
            storage_fault: core.storage_fault().cloned(),
            strangers: BTreeMap::new(),
        }
    }

    /// A node by name, id or the beginning of its id.
    pub fn find_node(&self, text: &str) -> Option<NodeId> {
        let mut found = self.shared.present().filter(|(id, member)| {
            member.name == text
                || self.name_of(*id) == text
                || (text.len() >= 4 && id.to_string().starts_with(&text.to_ascii_lowercase()))
        });
        let (id, _) = found.next()?;
        found.next().is_none().then_some(id)
    }

    /// What people call it, with its id where others are called the same.
    pub fn name_of(&self, node: NodeId) -> String {
        let name = self.shared.members.get(&node).map_or("", |member| &member.name);
        if name.is_empty() {
            return node.short();
        }
        let is_twin = |(id, member): (NodeId, &Member)| id != node && member.name == name;
        if self.shared.present().any(is_twin) {
            format!("{name} ({})", node.short())
        } else {
            name.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_one_name_are_told_apart() {
        let mut snapshot = Snapshot::default();
        let [a, b, c] = [1, 2, 3].map(|byte| NodeId([byte; 32]));
        for (id, name) in [(a, "desk"), (b, "desk"), (c, "shelf")] {
            snapshot.shared.members.insert(id, Member { name: name.into(), ..Member::default() });
        }
        assert_eq!(snapshot.name_of(c), "shelf");
        assert_eq!(snapshot.name_of(b), format!("desk ({})", b.short()));
        assert_eq!(snapshot.find_node("desk"), None);
        assert_eq!(
            [a, b, c].map(|id| snapshot.find_node(&snapshot.name_of(id))),
            [Some(a), Some(b), Some(c)]
        );
    }
}
