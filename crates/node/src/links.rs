//! Control channels to other nodes: accepting, calling, and which of two counts.

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tandem_cluster::{Member, NodeId};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::AbortHandle;
use tokio::time::timeout;

use crate::channel::{Channel, Claim, Reader, Writer, answer, call};
use crate::frame::{Frame, Welcome};
use crate::fronts::Fronts;
use crate::hex::to_hex;
use crate::hints::Hints;
use crate::home::Identity;
use crate::post::Post;
use crate::shell::Event;
use crate::snapshot::Snapshot;
use crate::strangers::Strangers;

/// A node beats several times a second; a channel that is silent for so long is of no use.
const SILENCE_MAX: Duration = Duration::from_secs(3);
const CALL_MAX: Duration = Duration::from_secs(2);
/// Messages waiting for a slow peer.
const QUEUE_MAX: usize = 20_000;

/// What is open to whom.
#[derive(Default)]
pub struct Links {
    open: HashMap<NodeId, Open>,
    opened: u64,
    /// Calls under way, by address.
    calling: HashSet<String>,
    /// Who answered at an address.
    known: HashMap<String, NodeId>,
    /// What a person named.
    peers: Vec<String>,
    hints: Hints,
    post: Post,
}

struct Open {
    number: u64,
    /// The lower id called.
    by_lower: bool,
    tasks: [AbortHandle; 2],
}

/// What calls and answers are made with.
pub struct Terms {
    pub identity: Identity,
    pub cluster: [u8; 8],
    pub key: [u8; 32],
    pub snapshot: watch::Receiver<Arc<Snapshot>>,
    pub events: mpsc::UnboundedSender<Event>,
    pub fronts: Arc<Fronts>,
}

impl Links {
    /// Takes a new channel, unless there is a better one. Of two between the same nodes, both sides keep the one that the
    /// lower id called, or the newer.
    pub fn add(&mut self, terms: &Terms, channel: Channel, outgoing: bool) {
        let (me, remote) = (terms.identity.id, channel.remote);
        if remote == me {
            return;
        }
        let by_lower = outgoing == (me < remote);
        if self.open.get(&remote).is_some_and(|open| open.by_lower && !by_lower) {
            return;
        }
        self.opened += 1;
        let number = self.opened;
        let (queue, waiting) = mpsc::channel(QUEUE_MAX);
        let (events, fronts) = (terms.events.clone(), Arc::clone(&terms.fronts));
        let reading = tokio::spawn(read(channel.reader, remote, number, events, fronts)).abort_handle();
        let writing =
            tokio::spawn(write(channel.writer, waiting, remote, number, terms.events.clone())).abort_handle();
        self.post.open(remote, number, queue);
        let open = Open { number, by_lower, tasks: [reading, writing] };
        if let Some(old) = self.open.insert(remote, open) {
            old.close();
        }
    }

    /// False where the channel is not the one that counts.
    pub fn is_current(&self, node: NodeId, number: u64) -> bool {
        self.open.get(&node).is_some_and(|open| open.number == number)
    }

    /// True if that was the channel to the node.
    pub fn closed(&mut self, node: NodeId, number: u64) -> bool {
        let current = self.is_current(node, number);
        if current && let Some(open) = self.open.remove(&node) {
            self.post.close(node, number);
            open.close();
        }
        current
    }

    pub fn cut(&mut self, node: NodeId) {
        if let Some(open) = self.open.remove(&node) {
            self.post.close(node, open.number);
            open.linger();
        }
    }

    pub fn send(&self, node: NodeId, frame: &Frame) {
        self.post.send(node, frame);
    }

    /// Of nodes to look for at these addresses.
    pub fn to(peers: Vec<String>, post: Post) -> Links {
        Links { peers, post, ..Links::default() }
    }

    pub fn hint(&mut self, address: SocketAddr) {
        self.hints.hear(address, Instant::now());
    }

    /// Calls everyone who should be connected and is not.
    pub fn call_missing<'a>(
        &mut self,
        terms: &Arc<Terms>,
        members: impl Iterator<Item = (NodeId, &'a Member)>,
    ) {
        let mut addresses: Vec<String> = Vec::new();
        let mut all_open = true;
        for (node, member) in members {
            if node != terms.identity.id && !self.open.contains_key(&node) {
                all_open = false;
                addresses.extend(member.addresses.iter().cloned());
            }
        }
        if all_open {
            // Hints are only of use while someone is missing.
            return;
        }
        addresses.extend(self.peers.iter().cloned());
        addresses.extend(self.hints.due(Instant::now()).iter().map(SocketAddr::to_string));
        for address in addresses {
            let answered = self.known.get(&address);
            let useless =
                answered.is_some_and(|node| *node == terms.identity.id || self.open.contains_key(node));
            if useless || !self.calling.insert(address.clone()) {
                continue;
            }
            let terms = Arc::clone(terms);
            tokio::spawn(async move {
                let channel =
                    reach(&address, &terms.identity, Claim::Member(terms.cluster), &terms.key).await;
                let _ = terms.events.send(Event::Called { address, channel });
            });
        }
    }

    pub fn called(&mut self, address: &str, node: Option<NodeId>) {
        self.calling.remove(address);
        match node {
            Some(node) => {
                self.known.insert(address.to_owned(), node);
                if let Ok(address) = address.parse() {
                    self.hints.answered(address);
                }
            }
            None => _ = self.known.remove(address),
        }
    }
}

impl Open {
    fn close(self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }

    /// Lets what is queued go out first.
    fn linger(self) {
        self.tasks[0].abort();
    }
}

/// Calls an address, which may be a name with several.
pub async fn reach(
    address: &str,
    identity: &Identity,
    claim: Claim,
    key: &[u8; 32],
) -> Result<Channel, crate::channel::ChannelError> {
    let connect = TcpStream::connect(address);
    let stream = timeout(CALL_MAX, connect).await.map_err(|_| crate::channel::ChannelError::Timeout)??;
    call(stream, identity, claim, key).await
}

async fn read(
    mut reader: Reader,
    from: NodeId,
    number: u64,
    events: mpsc::UnboundedSender<Event>,
    fronts: Arc<Fronts>,
) {
    while let Ok(Ok(bytes)) = timeout(SILENCE_MAX, reader.next()).await {
        let sent = match Frame::from_bytes(&bytes) {
            // Tokens do not pass through the node's own task.
            Some(Frame::Word { attempt, index, word }) => {
                fronts.hear(from, attempt, index, word);
                Ok(())
            }
            Some(frame) => events.send(Event::Frame { from, number, frame }),
            // A newer node may say what this one does not know. One that says nothing else falls silent.
            None => Ok(()),
        };
        if sent.is_err() {
            return;
        }
    }
    let _ = events.send(Event::Closed { node: from, number });
}

async fn write(
    mut writer: Writer,
    mut queue: mpsc::Receiver<Vec<u8>>,
    node: NodeId,
    number: u64,
    events: mpsc::UnboundedSender<Event>,
) {
    while let Some(message) = queue.recv().await {
        if !matches!(timeout(SILENCE_MAX, writer.send(&message)).await, Ok(Ok(()))) {
            break;
        }
    }
    let _ = events.send(Event::Closed { node, number });
}

/// Answers callers for as long as it is polled. Strangers cost a socket for three seconds at most, and only so many at once.
pub async fn listen(listener: TcpListener, terms: Arc<Terms>) {
    let strangers = Strangers::default();
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Some(place) = strangers.let_in(from.ip()) else { continue };
        let terms = Arc::clone(&terms);
        tokio::spawn(async move {
            let psk = |claim| match claim {
                Claim::Member(cluster) => (cluster == terms.cluster).then_some(terms.key),
                Claim::Invited(invite) => {
                    terms.snapshot.borrow().shared.invites.get(&to_hex(&invite)).map(|it| it.key)
                }
            };
            let Ok(channel) = answer(stream, &terms.identity, psk).await else { return };
            match channel.claim {
                Claim::Member(_) => _ = terms.events.send(Event::Answered { channel }),
                Claim::Invited(invite) => _ = timeout(SILENCE_MAX, admit(channel, invite, &terms)).await,
            }
            drop(place);
        });
    }
}

/// Hears out a node with an invitation.
async fn admit(mut channel: Channel, invite: [u8; 8], terms: &Terms) {
    let Ok(bytes) = channel.reader.next().await else { return };
    let Some(Frame::Join(member)) = Frame::from_bytes(&bytes) else { return };
    let (reply, decided) = oneshot::channel();
    let join = Event::Join { invite: to_hex(&invite), node: channel.remote, member, reply };
    if terms.events.send(join).is_err() {
        return;
    }
    let frame = match decided.await {
        Ok(Ok(shared)) => Frame::Welcome(Box::new(Welcome { key: terms.key, shared })),
        Ok(Err(reason)) => Frame::Refused(reason),
        Err(_) => return,
    };
    let _ = channel.writer.send(&frame.to_bytes()).await;
    // The other side hangs up once it has read this.
    let _ = channel.reader.next().await;
}
