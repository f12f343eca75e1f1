//! Unsafe because the system's list of interface addresses is a C list.
#![allow(unsafe_code)]

use std::{
    net::Ipv4Addr,
    ptr::null_mut,
    sync::{Arc, atomic::Ordering},
};

use super::{
    classes::CLASSES_MAX,
    completion_queue::CompletionQueue,
    device::{Device, device_names},
    error::VerbsError,
    lane::Lane,
    link::{Connections, VerbsLink},
    offer::{Offer, OfferedPort, PORTS_MAX},
    queue_pair::{Depth, QueuePair, Remote},
    region::Region,
    rules::{BULK_WINDOW, Rules, THUNDERBOLT_PAIRS_MAX, THUNDERBOLT_PAIRS_SPARED},
    slots::Slots,
};
use crate::{Arena, Deadline, Kind, Link, Method, Rank, Route, Side, secret::random_bytes};

/// Opens a [`VerbsLink`] over whatever cable connects the two machines.
///
/// Both ends of a cable have addresses of one subnet: that, never a device's name, says which port leads to the peer.
pub struct VerbsMethod {
    arena: Arena,
    peer: Rank,
    options: VerbsOptions,
    prepared: Vec<Prepared>,
}

/// All empty for the common case.
#[derive(Debug, Clone, Default)]
pub struct VerbsOptions {
    /// Use only this device.
    pub device: Option<String>,
    /// Follow these rules instead of those of the device. Both sides must agree.
    pub rules: Option<Rules>,
    /// Check every message's bytes; done if either side asks for it.
    pub checksums: bool,
}

/// A port with connections that wait for a peer.
struct Prepared {
    device: Arc<Device>,
    rules: Rules,
    gid_index: u8,
    offered: OfferedPort,
    connections: Connections,
    slots: Slots,
}

impl VerbsMethod {
    pub fn new(arena: &Arena, peer: Rank) -> Self {
        // How a whole program is tried under Thunderbolt's rules without a Mac: set for every process of the group.
        let forced = std::env::var_os("TANDEM_VERBS_RULES").is_some_and(|rules| rules == "thunderbolt");
        let rules = forced.then_some(Rules::Thunderbolt);
        Self::with(arena, peer, VerbsOptions { rules, ..VerbsOptions::default() })
    }

    pub fn with(arena: &Arena, peer: Rank, options: VerbsOptions) -> Self {
        Self { arena: arena.clone(), peer, options, prepared: Vec::new() }
    }

    fn prepare_all(&mut self) -> Result<(), VerbsError> {
        let names = match &self.options.device {
            Some(name) => vec![name.clone()],
            None => device_names()?,
        };
        let mut first_error = None;
        for name in names.iter().take(PORTS_MAX) {
            match self.prepare(name) {
                // All ports of one offer follow the same rules.
                Ok(port) if self.prepared.first().is_none_or(|p| p.rules == port.rules) => {
                    self.prepared.push(port)
                }
                Ok(_) => {}
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        match first_error {
            Some(error) if self.prepared.is_empty() => Err(error),
            _ => Ok(()),
        }
    }

    fn prepare(&self, name: &str) -> Result<Prepared, VerbsError> {
        let device = Device::open(name)?;
        let port = device.port()?;
        if !port.active {
            return Err(VerbsError::PortDown { device: name.into(), state: port.state });
        }
        let Some((gid_index, gid)) = port.ipv4_gid() else {
            let found: Vec<_> = port.gids.iter().map(|(_, gid)| gid.to_string()).collect();
            return Err(VerbsError::NoIpv4Gid { device: name.into(), found: found.join(", ") });
        };
        let rules = self.options.rules.unwrap_or(port.rules());
        let classes = rules.classes();
        let slots = Slots::new(classes).map_err(|error| device.failed("mmap", error.to_string()))?;
        let regions = [Region::of(&device, &self.arena, rules)?, Region::of(&device, slots.arena(), rules)?];
        let short = classes.iter().map(|class| u32::from(class.receive_slots + class.send_depth));
        let completions = CompletionQueue::new(&device, short.sum::<u32>() + 2 * BULK_WINDOW + 16)?;
        let chunks = BULK_WINDOW * rules.bulk_chunk_slots();
        let bulk =
            QueuePair::new(&device, &completions, &regions, rules, Depth { send: chunks, recv: chunks })?;
        let mut lanes = Vec::with_capacity(classes.len());
        for class in classes {
            let needed = lanes.is_empty();
            if !needed && !may_take_more(&device) {
                break;
            }
            let depth = Depth {
                send: class.queue_entries(class.send_depth, rules),
                recv: class.queue_entries(class.receive_slots, rules),
            };
            match QueuePair::new(&device, &completions, &regions, rules, depth) {
                Ok(pair) => lanes.push(Lane::new(pair, *class)),
                Err(error) if needed => return Err(error),
                // The link is slower without, but works.
                Err(_) => break,
            }
        }
        let mut lane_qps = [0; CLASSES_MAX];
        for (qp, lane) in lane_qps.iter_mut().zip(&lanes) {
            *qp = lane.pair.number();
        }
        let random: [u8; 16] = random_bytes();
        let offered = OfferedPort {
            gid,
            prefix_bits: gid.ipv4().and_then(prefix_bits).unwrap_or(32),
            mtu: port.mtu.clamp(1, 5) as u8,
            lid: port.lid,
            bulk_qp: bulk.number(),
            lane_qps,
            first_psn: u32::from_le_bytes([random[0], random[1], random[2], 0]),
        };
        Ok(Prepared { device, rules, gid_index, offered, connections: Connections { lanes, bulk }, slots })
    }

    fn our_offer(&self) -> Option<Offer> {
        let rules = self.prepared.first()?.rules;
        let ports = self.prepared.iter().map(|p| p.offered).collect();
        Some(Offer { rules, checksums: self.options.checksums, ports })
    }

    fn open(&mut self, ours: &Offer, theirs: &Offer, side: Side) -> Result<VerbsLink, VerbsError> {
        let common = match side {
            Side::Lead => Offer::common(ours, theirs),
            Side::Follow => Offer::common(theirs, ours).map(|(theirs, ours)| (ours, theirs)),
        };
        let Some((here, there)) = common else {
            return Err(VerbsError::NoCommonSubnet { here: ours.addresses(), there: theirs.addresses() });
        };
        let at = self.prepared.iter().position(|p| p.offered == here);
        let Some(at) = at else {
            return Err(VerbsError::BadOffer("it names a port of ours that was not offered"));
        };
        let mut port = self.prepared.swap_remove(at);
        // The others' queue pairs are scarce: release them now.
        self.prepared.clear();
        let mtu = i32::from(here.mtu.min(there.mtu));
        // Both sides use as many as the one with fewer has.
        port.connections.lanes.truncate(there.lanes());
        let lanes = port.connections.lanes.iter().map(|lane| &lane.pair).zip(there.lane_qps);
        for (pair, qp_number) in lanes.chain([(&port.connections.bulk, there.bulk_qp)]) {
            let remote = Remote { gid: there.gid, lid: there.lid, qp_number, first_psn: there.first_psn };
            pair.connect(here.first_psn, port.gid_index, mtu, remote)?;
        }
        let checksums = ours.checksums || theirs.checksums;
        let Prepared { connections, slots, device, rules, .. } = port;
        let mut link = VerbsLink::new(connections, slots, &device, rules, checksums, self.peer)?;
        let ends = here.gid.ipv4().zip(there.gid.ipv4());
        link.route = ends.map(|(here, there)| Route::new(here.into(), there.into()));
        Ok(link)
    }
}

impl Method for VerbsMethod {
    fn kind(&self) -> Kind {
        Kind::Verbs
    }

    fn offer(&mut self, _deadline: Deadline) -> Result<Vec<u8>, String> {
        self.prepared.clear();
        self.prepare_all().map_err(|error| error.to_string())?;
        let offer = self.our_offer().ok_or_else(|| VerbsError::NoDevice.to_string())?;
        Ok(offer.encode())
    }

    fn connect(
        &mut self,
        peer_offer: &[u8],
        side: Side,
        _deadline: Deadline,
    ) -> Result<Box<dyn Link>, String> {
        let ours = self.our_offer().ok_or("no offer was made")?;
        let theirs = Offer::decode(peer_offer).map_err(|error| error.to_string())?;
        if ours.rules != theirs.rules {
            return Err(format!(
                "here {:?} rules hold, there {:?}: such devices cannot talk",
                ours.rules, theirs.rules
            ));
        }
        let opened = self.open(&ours, &theirs, side).map_err(|error| error.to_string());
        self.prepared.clear();
        Ok(Box::new(opened?))
    }
}

/// Whether a link may have a queue pair that it could do without. Only Thunderbolt's rules have such.
fn may_take_more(device: &Device) -> bool {
    device.queue_pairs.load(Ordering::Relaxed) < THUNDERBOLT_PAIRS_MAX - THUNDERBOLT_PAIRS_SPARED
}

/// Leading bits of the subnet that this machine's `address` belongs to.
fn prefix_bits(address: Ipv4Addr) -> Option<u8> {
    let mut first = null_mut();
    // SAFETY: the call fills `first` with a list that is freed below.
    if unsafe { libc::getifaddrs(&mut first) } != 0 {
        return None;
    }
    let mut found = None;
    let mut next = first;
    while !next.is_null() {
        // SAFETY: an entry of the list; addresses of family AF_INET are `sockaddr_in`s.
        unsafe {
            let entry = &*next;
            let ipv4 = |at: *const libc::sockaddr| {
                (!at.is_null() && i32::from((*at).sa_family) == libc::AF_INET)
                    .then(|| u32::from_be((*at.cast::<libc::sockaddr_in>()).sin_addr.s_addr))
            };
            if ipv4(entry.ifa_addr) == Some(u32::from(address)) {
                found = ipv4(entry.ifa_netmask).map(|mask| mask.leading_ones() as u8);
            }
            next = entry.ifa_next;
        }
    }
    // SAFETY: obtained above, freed once.
    unsafe { libc::freeifaddrs(first) };
    found
}
