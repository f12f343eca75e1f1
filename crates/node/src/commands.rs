//! What a person may ask of a node.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::Duration;

use tandem_cluster::{Candidate, Input, Invite, LinkMeasure, ModelHere, NodeId, Spec};
use tandem_fabric::Lobby;
use tandem_plan::{Pins, Plan};

use crate::errands;
use crate::frame::{Errand, Frame, Purpose};
use crate::hex::random_bytes;
use crate::node::{Node, unix_ms};
use crate::placing::{Drafted, Spot, draft, measured, roomiest};
use crate::runs::Ran;
use crate::shell::Event;
use crate::snapshot::Snapshot;
use crate::token::JoinToken;

/// What a wish for a model may say.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    pub instances: u32,
    /// Stays loaded until it is unloaded, even when room is needed.
    pub keep: bool,
    pub pins: Pins,
}

#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    #[error("no node is called `{name}`; there are {known}")]
    NoSuchNode { name: String, known: String },
    #[error("{0}")]
    NotPlaced(String),
    #[error("no token with id `{0}`")]
    NoSuchToken(String),
    #[error("this node cannot keep it: {0}; make room on the disk and ask again")]
    NotKept(String),
    #[error("the link to {to} could not be kept full: {why}")]
    NotStrained { to: String, why: String },
    #[error("the node has ended")]
    Ended,
    #[error("no random numbers: {0}")]
    Random(#[from] std::io::Error),
}

/// A link that was kept full for a while.
#[derive(Clone, Debug)]
pub struct Strained {
    pub to: String,
    pub first: LinkMeasure,
    pub last: LinkMeasure,
}

impl Node {
    /// A token that lets `uses` nodes in until it expires.
    pub async fn invite(&self, lasting: Duration, uses: u32) -> Result<JoinToken, CommandError> {
        let snapshot = self.with(Snapshot::of).await.ok_or(CommandError::Ended)?;
        let mut addresses = snapshot
            .shared
            .members
            .get(&self.id())
            .map(|member| member.addresses.clone())
            .unwrap_or_default();
        for (id, member) in snapshot.shared.present() {
            if id != self.id() && snapshot.live.contains(&id) {
                addresses.extend(member.addresses.first().cloned());
            }
        }
        addresses.truncate(4);
        let token = JoinToken::new(self.inner.membership.cluster.clone(), addresses)?;
        let invite = Invite {
            key: token.key,
            expires_unix_ms: unix_ms() + lasting.as_millis() as u64,
            uses_max: uses,
            revoked: false,
            used: Default::default(),
        };
        self.input(Input::Invite { id: token.id(), invite });
        match self.kept().await {
            Ok(()) => Ok(token),
            Err(error) => {
                self.input(Input::Revoke { id: token.id() });
                Err(error)
            }
        }
    }

    pub async fn revoke(&self, id: &str) -> Result<(), CommandError> {
        if !self.snapshot().shared.invites.contains_key(id) {
            return Err(CommandError::NoSuchToken(id.to_owned()));
        }
        self.input(Input::Revoke { id: id.to_owned() });
        self.kept().await
    }

    /// Puts a node out of the cluster, at once and for good.
    pub async fn remove(&self, name: &str) -> Result<NodeId, CommandError> {
        let snapshot = self.snapshot();
        let Some(node) = snapshot.find_node(name) else {
            let known: Vec<_> = snapshot.shared.present().map(|(id, _)| snapshot.name_of(id)).collect();
            return Err(CommandError::NoSuchNode { name: name.to_owned(), known: known.join(", ") });
        };
        self.input(Input::Remove { node });
        self.kept().await?;
        Ok(node)
    }

    /// Keeps the links to all other live nodes full for so long, at the same time: what each gave at first and at the end.
    pub async fn strain(&self, seconds: u32) -> Result<Vec<Strained>, CommandError> {
        let snapshot = self.snapshot();
        let others = snapshot.live.iter().filter(|node| **node != self.id());
        let under_way: Vec<_> = others
            .map(|other| {
                let (node, other) = (self.clone(), *other);
                let strained = tokio::task::spawn_blocking(move || node.strain_one(other, seconds));
                (snapshot.name_of(other), strained)
            })
            .collect();
        let mut strained = Vec::new();
        for (to, under_way) in under_way {
            let ended = under_way.await.map_err(|error| error.to_string()).and_then(|ended| ended);
            let (first, last) = ended.map_err(|why| CommandError::NotStrained { to: to.clone(), why })?;
            strained.push(Strained { to, first, last });
        }
        Ok(strained)
    }

    fn strain_one(&self, other: NodeId, seconds: u32) -> Result<(LinkMeasure, LinkMeasure), String> {
        let fetcher = &self.inner.fetcher;
        let hosts = (fetcher.hosts)();
        let lobby = Lobby::open(errands::any_address(&hosts)).map_err(|error| error.to_string())?;
        let secret = random_bytes::<32>().map_err(|error| error.to_string())?;
        let addresses: Vec<_> =
            hosts.iter().map(|host| SocketAddr::new(*host, lobby.address().port())).collect();
        let texts = addresses.iter().map(SocketAddr::to_string).collect();
        let errand = Errand { addresses: texts, secret, purpose: Purpose::Strain { seconds } };
        let _ = self.inner.events.send(Event::Send { to: other, frame: Frame::Errand(errand) });
        let attended = errands::attend(lobby, errands::HOST, secret, addresses, fetcher.encryption)?;
        errands::strain(attended, errands::HOST, Duration::from_secs(u64::from(seconds)))
    }

    /// The live node of that name.
    pub(crate) fn live_node(&self, name: &str) -> Result<NodeId, CommandError> {
        let snapshot = self.snapshot();
        let found = snapshot.find_node(name).filter(|node| snapshot.live.contains(node));
        found.ok_or_else(|| {
            let known: Vec<_> = snapshot.live.iter().map(|id| snapshot.name_of(*id)).collect();
            CommandError::NoSuchNode { name: name.to_owned(), known: known.join(", ") }
        })
    }

    /// Has the cluster load a model, and keeps it loaded from then on.
    pub fn want(&self, model: &str, wish: &Wish) {
        let pinned = wish.pins != Pins::default();
        let detail =
            if pinned { serde_json::to_string(&wish.pins).unwrap_or_default() } else { String::new() };
        let spec = Spec { instances: wish.instances.max(1), evictable: !wish.keep, detail };
        self.input(Input::Want { model: model.to_owned(), spec: Some(spec) });
    }

    pub fn unwant(&self, model: &str) {
        self.input(Input::Want { model: model.to_owned(), spec: None });
    }

    /// How long a model must have been idle before it makes room for another, where this node decides; a minute when not said.
    pub fn evict_idle_after(&self, idle: Duration) {
        let idle_ms = idle.as_millis() as u64;
        let _ = self.inner.events.send(Event::With(Box::new(move |core, _| {
            core.set_idle_ms(idle_ms);
            Vec::new()
        })));
    }

    /// Where a model would go if it were loaded now, for people. `facts` are of a model that no node has yet.
    pub async fn dry_run(
        &self,
        model: &str,
        wish: &Wish,
        facts: Option<ModelHere>,
    ) -> Result<String, CommandError> {
        let (plan, devices, transports) = self.plan(model, wish, facts)?;
        let mut text = plan.to_string();
        devices.iter().for_each(|device| text += &format!("device {device}\n"));
        transports.iter().for_each(|link| text += &format!("transport {link}\n"));
        let snapshot = self.snapshot();
        let ran = snapshot
            .inventories
            .values()
            .flat_map(|it| serde_json::from_slice::<Vec<Ran>>(&it.runs).unwrap_or_default());
        for ran in ran.filter(|ran| ran.place.model == model) {
            let nodes: Vec<_> = ran.place.nodes.iter().map(|node| snapshot.name_of(*node)).collect();
            let prompts =
                ran.prefill_tokens_per_s.map_or(String::new(), |it| format!(", prompts at {it:.0} tokens/s"));
            text += &format!(
                "measured on {}: {:.1} tokens/s{prompts}\n",
                nodes.join(", "),
                ran.decode_tokens_per_s
            );
        }
        Ok(text)
    }

    /// Where a model would go if it were loaded now, on which devices, and what its links are. `facts` are of a model that no node has yet.
    pub(crate) fn plan(
        &self,
        model: &str,
        wish: &Wish,
        facts: Option<ModelHere>,
    ) -> Result<(Plan, Vec<String>, Vec<String>), CommandError> {
        let mut snapshot = Snapshot::clone(&self.snapshot());
        if let (Some(facts), Some(own)) = (facts, snapshot.inventories.get_mut(&self.id())) {
            own.models.insert(model.to_owned(), facts);
        }
        let detail = serde_json::to_string(&wish.pins).unwrap_or_default();
        let spec = Spec { instances: wish.instances.max(1), evictable: !wish.keep, detail };
        let held = |node: NodeId| -> u64 {
            let own = snapshot.parts.iter().filter(|(at, part)| *at == node && part.instance.model != model);
            own.filter_map(|(_, part)| part.ranks.get(part.rank)).map(|place| place.bytes).sum()
        };
        let nodes: Vec<_> = snapshot
            .live
            .iter()
            .filter_map(|id| {
                let inventory = snapshot.inventories.get(id)?;
                Some(Candidate {
                    id: *id,
                    room_bytes: inventory.memory_bytes.saturating_sub(held(*id)),
                    inventory,
                })
            })
            .collect();
        let nodes = roomiest(model, &spec, &nodes);
        let Drafted { plan, spots, .. } =
            draft(model, &spec, &nodes).map_err(|refusal| CommandError::NotPlaced(refusal.to_string()))?;
        let used: BTreeSet<_> =
            plan.stages.iter().flat_map(|stage| &stage.ranks).map(|rank| rank.machine).collect();
        let holding: BTreeSet<_> = used.iter().map(|at| spots[*at].node).collect();
        let pairs = holding.iter().flat_map(|a| holding.range(a + 1..).map(move |b| (*a, *b)));
        let transports = pairs.map(|(a, b)| (&nodes[a], &nodes[b])).filter_map(|(a, b)| {
            let link = measured(a, b)?;
            Some(format!("{} – {}: {}", a.inventory.name, b.inventory.name, link.transport))
        });
        let transports = transports.collect();
        let computes = used.iter().map(|at| {
            let Spot { node, device } = &spots[*at];
            let inventory = nodes[*node].inventory;
            let told = crate::devices::told(inventory);
            let name = told
                .into_iter()
                .find(|it| it.device == *device)
                .map_or(String::new(), |it| format!(" ({})", it.name));
            format!("{}: {device}{name}", inventory.name)
        });
        let computes = computes.collect();
        Ok((plan, computes, transports))
    }
}
