//! Measures the links to other nodes, one at a time.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tandem_cluster::{LinkMeasure, NodeId, Shared};
use tandem_fabric::{Encryption, Lobby};
use tokio::sync::mpsc;

use crate::errands;
use crate::frame::{Errand, Purpose};
use crate::hex::random_bytes;
use crate::home::Home;
use crate::shell::Event;

pub type Measures = Arc<Mutex<BTreeMap<NodeId, LinkMeasure>>>;

pub struct Prober {
    home: Arc<Home>,
    under_way: HashSet<NodeId>,
    begun: BTreeMap<NodeId, Instant>,
    pub measures: Measures,
    encryption: Encryption,
}

const MEASURE_AGAIN: Duration = Duration::from_secs(300);
const KEPT: &str = "links.json";

impl Prober {
    /// Knows what was measured in earlier lives, so that models go where they were before there was time to measure.
    pub fn new(home: &Arc<Home>, shared: &Shared, encryption: Encryption) -> Prober {
        let kept = std::fs::read(home.folder().join(KEPT)).ok();
        let kept = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let mut measures: BTreeMap<NodeId, LinkMeasure> = kept.unwrap_or_default();
        measures.retain(|node, _| shared.is_member(*node));
        Prober {
            home: Arc::clone(home),
            under_way: HashSet::new(),
            begun: BTreeMap::new(),
            measures: Arc::new(Mutex::new(measures)),
            encryption,
        }
    }

    /// Begins with one node that was not measured for long, if there is one; of two nodes the lower begins. Gives what the
    /// other must be told.
    pub fn begin(
        &mut self,
        me: NodeId,
        live: &BTreeSet<NodeId>,
        hosts: &[IpAddr],
        events: &mpsc::UnboundedSender<Event>,
    ) -> Option<(NodeId, Errand)> {
        if !self.under_way.is_empty() {
            return None;
        }
        let old = |at: &Instant| at.elapsed() > MEASURE_AGAIN;
        let due = |node: &&NodeId| **node > me && self.begun.get(node).is_none_or(old);
        let node = live.iter().find(due).copied()?;
        self.begun.insert(node, Instant::now());
        let lobby = Lobby::open(errands::any_address(hosts)).ok()?;
        let secret = random_bytes::<32>().ok()?;
        let addresses: Vec<_> =
            hosts.iter().map(|host| SocketAddr::new(*host, lobby.address().port())).collect();
        self.under_way.insert(node);
        let texts = addresses.iter().map(SocketAddr::to_string).collect();
        let (events, encryption) = (events.clone(), self.encryption);
        std::thread::spawn(move || {
            let attended = errands::attend(lobby, errands::HOST, secret, addresses, encryption);
            let measure = attended.and_then(|attended| errands::probe(attended, errands::HOST)).ok();
            let _ = events.send(Event::Measured { node, measure });
        });
        Some((node, Errand { addresses: texts, secret, purpose: Purpose::Probe }))
    }

    /// The other node began.
    pub fn expect(&mut self, node: NodeId) {
        self.under_way.insert(node);
    }

    pub fn measured(&mut self, node: NodeId, measure: Option<LinkMeasure>) {
        self.under_way.remove(&node);
        if let Some(measure) = measure {
            let mut measures = self.measures.lock().unwrap_or_else(PoisonError::into_inner);
            measures.insert(node, measure);
            let (home, bytes) = (Arc::clone(&self.home), serde_json::to_vec(&*measures));
            // The disk is not waited for; what is not kept is measured again.
            tokio::task::spawn_blocking(move || bytes.map(|bytes| home.write(KEPT, &bytes)));
        }
    }
}
