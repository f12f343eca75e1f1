use std::{sync::Arc, time::Duration};

use tandem_fabric::{Arena, Buf, Deadline, Event, Kind, Link, Pulse, Rank, SharedBuf, Side};

use crate::{
    Algorithm, Element, GroupError, Op, Scope, Topology, Traffic,
    board::Board,
    ports::Ports,
    scope::Pending,
    scratch::Scratch,
    topology::{Cost, RANKS_MAX, Shape},
};

/// How a group works.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupOptions {
    /// How long any collective may wait for another rank.
    pub timeout: Duration,
    /// Forces the all-reduce algorithm; otherwise it follows from size and links.
    pub algorithm: Option<Algorithm>,
    /// What a link costs, if known; the worst of all ranks counts.
    pub cost: Option<Cost>,
}

impl Default for GroupOptions {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(2), algorithm: None, cost: None }
    }
}

/// This rank's membership in a group of up to 16: the links, and the collectives over them.
///
/// Like a function call, a collective happens when every rank of the group makes it: same operation, same order, same sizes. Every
/// one ends by the group's timeout: with a result, or with [`GroupError::RankLost`] naming the rank, after which the group is dead
/// and a new one must be formed.
///
/// ```
/// use std::thread;
/// use tandem_collectives::{Group, GroupOptions, Op};
/// use tandem_fabric::{Arena, Link, Rank, ShmLink};
///
/// let arenas = [Arena::new(1 << 20)?, Arena::new(1 << 20)?];
/// let (a, b) = ShmLink::pair((Rank(0), &arenas[0]), (Rank(1), &arenas[1]))?;
/// let links: [Box<dyn Link>; 2] = [Box::new(a), Box::new(b)];
/// let ranks: Vec<_> = links
///     .into_iter()
///     .zip(arenas)
///     .enumerate()
///     .map(|(me, (link, arena))| {
///         thread::spawn(move || {
///             let links = if me == 0 { vec![None, Some(link)] } else { vec![Some(link), None] };
///             let mut group = Group::form(Rank(me as u16), links, &arena, GroupOptions::default())?;
///             let mut buf = arena.alloc(4 * 4)?;
///             buf.view_mut::<f32>().copy_from_slice(&[1.0, 2.0, 3.0, me as f32]);
///             group.all_reduce::<f32>(&mut buf, 4, Op::Sum)?;
///             assert_eq!(buf.view::<f32>(), [2.0, 4.0, 6.0, 1.0]);
///             group.barrier()
///         })
///     })
///     .collect();
/// for rank in ranks {
///     rank.join().unwrap()?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Group {
    pub(crate) ports: Ports,
    pub(crate) arena: Arena,
    pub(crate) scratch: Scratch,
    pub(crate) options: GroupOptions,
    pub(crate) topology: Topology,
    pub(crate) pending: bool,
    /// One per team that has used one.
    pub(crate) boards: Vec<Board>,
    everyone: Team,
}

/// Some ranks of a group, for collectives among them.
#[derive(Debug, Clone)]
pub struct Team {
    pub(crate) inner: Arc<TeamInner>,
}

#[derive(Debug)]
pub(crate) struct TeamInner {
    /// Ranks of the group, ascending.
    pub(crate) members: Vec<usize>,
    /// This rank's position among them.
    pub(crate) me: usize,
    pub(crate) shape: Shape,
}

impl Group {
    /// Forms a group from this rank's links, one per other rank, `None` for itself and where there is no cable. Every rank calls this at the
    /// same time.
    pub fn form(
        me: Rank,
        links: Vec<Option<Box<dyn Link>>>,
        arena: &Arena,
        options: GroupOptions,
    ) -> Result<Self, GroupError> {
        let size = links.len();
        if size == 0 || size > RANKS_MAX || me.index() >= size {
            let found = format!("{me} of {size}");
            return Err(GroupError::Usage(format!(
                "{found}: a group has 1 to {RANKS_MAX} ranks, numbered from 0"
            )));
        }
        for (rank, link) in links.iter().enumerate() {
            if let Some(link) = link
                && (link.peer().index() != rank || rank == me.index())
            {
                let found = link.peer();
                return Err(GroupError::Usage(format!("the link in place {rank} leads to {found}")));
            }
        }
        let kinds: Vec<_> = links
            .iter()
            .map(|link| link.as_ref().map(|link| (link.kind(), link.window().is_some())))
            .collect();
        let cost = options.cost.unwrap_or_else(|| worst(&kinds));
        let mut ports = Ports::new(me.index(), links);
        let mut topology = Topology::seen_from(me.index(), &kinds, cost);
        let deadline = Deadline::after(options.timeout);
        spread(&mut ports, &kinds, arena, &mut topology, deadline)?;
        let everyone = Team::new(&topology, me.index(), (0..size).collect())?;
        let scratch = Scratch::new(arena);
        let arena = arena.clone();
        Ok(Self { ports, arena, scratch, options, topology, pending: false, boards: Vec::new(), everyone })
    }

    /// Measures every link of every rank, one at a time, and chooses algorithms by the worst of them from then on. For the start, and for
    /// when the group is idle; every rank calls it. What is wrong with this rank's own links comes back.
    pub fn measure(&mut self) -> Result<Vec<(Rank, Event)>, GroupError> {
        self.ports.check()?;
        let me = self.ports.me;
        let deadline = Deadline::after(self.options.timeout);
        let mut cost = Cost { latency_us: 0.0, bytes_per_us: f32::MAX };
        let mut events = Vec::new();
        // Pairs in the same order everywhere, so that nobody waits in a circle.
        for peer in 0..self.size() {
            let side = if me < peer { Side::Lead } else { Side::Follow };
            let Some((measured, found)) = self.ports.probe(peer, &self.arena, side, deadline)? else {
                continue;
            };
            let rank = Rank(peer as u16);
            events.extend(found.into_iter().map(|event| (rank, event)));
            cost.latency_us = cost.latency_us.max(measured.round_trip.as_nanos() as f32 / 2000.0);
            cost.bytes_per_us = cost.bytes_per_us.min((measured.bytes_per_s / 1e6) as f32);
        }
        self.topology.cost = cost;
        let kinds: Vec<_> =
            (0..self.size()).map(|peer| self.ports.kind(peer).map(|kind| (kind, false))).collect();
        spread(&mut self.ports, &kinds, &self.arena, &mut self.topology, deadline)?;
        Ok(events)
    }

    pub fn rank(&self) -> Rank {
        Rank(self.ports.me as u16)
    }

    pub fn size(&self) -> usize {
        self.topology.size()
    }

    /// Where buffers for this group come from.
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The kind of link to `peer`.
    pub fn kind(&self, peer: Rank) -> Option<Kind> {
        self.ports.kind(peer.index())
    }

    /// The link to `peer`, for its counters.
    pub fn link(&self, peer: Rank) -> Option<&dyn Link> {
        self.ports.link(peer.index())
    }

    /// What has come from each rank so far; goes on counting while the group is used elsewhere.
    pub fn traffic(&self) -> Traffic {
        self.ports.traffic.clone()
    }

    /// The link to `peer` itself, for probing while no collective is under way.
    pub fn link_mut(&mut self, peer: Rank) -> Option<&mut Box<dyn Link>> {
        self.ports.link_mut(peer.index())
    }

    /// Lets `pulse` say who is lost from now on: a timeout may then be as long as the longest computation.
    pub fn watch(&mut self, pulse: Pulse) {
        self.ports.pulse = Some(pulse);
    }

    /// How long a collective may wait from now on.
    pub fn set_timeout(&mut self, timeout: Duration) {
        self.options.timeout = timeout;
    }

    /// Forces the all-reduce algorithm, or frees the choice again. All ranks must do the same.
    pub fn force(&mut self, algorithm: Option<Algorithm>) {
        self.options.algorithm = algorithm;
    }

    /// Some of the ranks, this one among them. Every member must name the same ones.
    pub fn team(&self, ranks: &[Rank]) -> Result<Team, GroupError> {
        let mut members: Vec<_> = ranks.iter().map(|rank| rank.index()).collect();
        members.sort_unstable();
        members.dedup();
        let (me, size) = (self.ports.me, self.size());
        if members.len() != ranks.len() || !members.contains(&me) || members.iter().any(|&rank| rank >= size)
        {
            let text =
                format!("{ranks:?} is no team for rank {me} of {size}: distinct ranks, this one among them");
            return Err(GroupError::Usage(text));
        }
        Team::new(&self.topology, me, members)
    }

    /// Everyone.
    pub fn everyone(&self) -> Team {
        self.everyone.clone()
    }

    /// The collectives among the members of `team`.
    pub fn on<'a>(&'a mut self, team: &'a Team) -> Scope<'a> {
        Scope { team: &team.inner, group: self }
    }

    fn all<T>(&mut self, run: impl FnOnce(&mut Scope<'_>) -> Result<T, GroupError>) -> Result<T, GroupError> {
        let team = self.everyone.clone();
        run(&mut self.on(&team))
    }

    /// See [`Scope::all_reduce`].
    pub fn all_reduce<T: Element>(&mut self, buf: &mut Buf, count: usize, op: Op) -> Result<(), GroupError> {
        self.all(|scope| scope.all_reduce::<T>(buf, count, op))
    }

    /// See [`Scope::sum`].
    pub fn sum(&mut self, values: &mut [f32]) -> Result<(), GroupError> {
        self.all(|scope| scope.sum(values))
    }

    /// See [`Scope::start_all_reduce`].
    pub fn start_all_reduce<T: Element>(
        &mut self,
        buf: Buf,
        count: usize,
        op: Op,
    ) -> Result<Pending<T>, GroupError> {
        self.all(|scope| scope.start_all_reduce::<T>(buf, count, op))
    }

    /// See [`Scope::reduce_scatter`].
    pub fn reduce_scatter<T: Element>(
        &mut self,
        buf: &mut Buf,
        counts: &[usize],
        op: Op,
    ) -> Result<(), GroupError> {
        self.all(|scope| scope.reduce_scatter::<T>(buf, counts, op))
    }

    /// See [`Scope::all_gather`].
    pub fn all_gather(&mut self, buf: &mut Buf, lens: &[usize]) -> Result<(), GroupError> {
        self.all(|scope| scope.all_gather(buf, lens))
    }

    /// See [`Scope::broadcast`].
    pub fn broadcast(&mut self, buf: &mut Buf, len: usize, root: Rank) -> Result<(), GroupError> {
        self.all(|scope| scope.broadcast(buf, len, root))
    }

    /// See [`Scope::barrier`].
    pub fn barrier(&mut self) -> Result<(), GroupError> {
        self.all(|scope| scope.barrier())
    }

    /// Sends the first `len` bytes of `buf` to `to`, which receives them with [`Group::recv`].
    pub fn send(&mut self, buf: &mut Buf, len: usize, to: Rank) -> Result<(), GroupError> {
        self.all(|scope| scope.send(buf, len, to))
    }

    /// Starts sending `buf` to `to`, which receives it with [`Group::recv`], and does not wait: [`Group::reclaim`] gets the buffer
    /// back.
    pub fn post(&mut self, buf: SharedBuf, to: Rank) -> Result<(), GroupError> {
        self.ports.check()?;
        self.ports.post_send(to.index(), buf)?;
        self.ports.pump()
    }

    /// The buffer of which parts were posted, the last of them to `last`, once all of them are sent.
    pub fn reclaim(&mut self, buf: SharedBuf, last: Rank) -> Result<Buf, GroupError> {
        let deadline = Deadline::after(self.options.timeout);
        self.ports.reclaim(buf, last.index(), deadline)
    }

    /// Receives exactly `len` bytes into the front of `buf`.
    pub fn recv(&mut self, buf: &mut Buf, len: usize, from: Rank) -> Result<(), GroupError> {
        self.all(|scope| scope.recv(buf, len, from))
    }
}

impl Team {
    fn new(topology: &Topology, me: usize, members: Vec<usize>) -> Result<Self, GroupError> {
        let shape = topology.shape(&members)?;
        let position = members.iter().position(|&rank| rank == me).unwrap_or(0);
        Ok(Self { inner: Arc::new(TeamInner { members, me: position, shape }) })
    }

    pub fn len(&self) -> usize {
        self.inner.members.len()
    }

    pub fn is_empty(&self) -> bool {
        self.inner.members.is_empty()
    }

    pub fn ranks(&self) -> impl Iterator<Item = Rank> {
        self.inner.members.iter().map(|&rank| Rank(rank as u16))
    }
}

/// A guess by kind, for links nobody has measured.
fn worst(kinds: &[Option<(Kind, bool)>]) -> Cost {
    let mut cost = Cost { latency_us: 0.2, bytes_per_us: 20_000.0 };
    for (kind, _) in kinds.iter().flatten() {
        let (latency_us, bytes_per_us) = match kind {
            Kind::Mem | Kind::Shm => (0.5, 8_000.0),
            Kind::Verbs => (5.0, 6_000.0),
            Kind::Tcp => (10.0, 2_500.0),
        };
        cost.latency_us = cost.latency_us.max(latency_us);
        cost.bytes_per_us = cost.bytes_per_us.min(bytes_per_us);
    }
    cost
}

/// Tells every neighbour what we know, as often as the longest path has links: then everyone knows everything.
fn spread(
    ports: &mut Ports,
    kinds: &[Option<(Kind, bool)>],
    arena: &Arena,
    topology: &mut Topology,
    deadline: Deadline,
) -> Result<(), GroupError> {
    let neighbours: Vec<_> = (0..kinds.len()).filter(|&peer| kinds[peer].is_some()).collect();
    for _ in 1..kinds.len() {
        let mut news = arena.alloc(Topology::BYTES)?;
        news.copy_from_slice(&topology.encode());
        let news = news.share();
        for &peer in &neighbours {
            ports.post_recv(peer, arena.alloc(Topology::BYTES)?)?;
            ports.post_send(peer, news.clone())?;
        }
        for &peer in &neighbours {
            let theirs = ports.wait_received(peer, Topology::BYTES, deadline)?;
            if let Some(theirs) = theirs.first_chunk() {
                topology.merge(theirs);
            }
        }
        for &peer in &neighbours {
            ports.wait_sent(peer, deadline)?;
        }
    }
    Ok(())
}
