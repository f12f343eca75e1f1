use super::{classes::CLASSES_MAX, device::Gid, error::VerbsError, rules::Rules};

/// What one side tells the other over the control channel: its ports, and on each the connections it has prepared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offer {
    pub rules: Rules,
    pub checksums: bool,
    pub ports: Vec<OfferedPort>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OfferedPort {
    pub gid: Gid,
    /// Leading bits of the address that name its subnet.
    pub prefix_bits: u8,
    pub mtu: u8,
    pub lid: u16,
    pub bulk_qp: u32,
    /// For short things, by class; those after the first may be missing, which is 0.
    pub lane_qps: [u32; CLASSES_MAX],
    pub first_psn: u32,
}

/// More ports than this on one machine are not offered: each costs the device a few queue pairs while the offer stands.
pub(super) const PORTS_MAX: usize = 8;

const MAGIC: &[u8; 4] = b"TVb2";
const PORT_BYTES: usize = 28 + 4 * CLASSES_MAX;

impl Offer {
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(match self.rules {
            Rules::Linux => 1,
            Rules::Thunderbolt => 2,
        });
        bytes.push(self.checksums.into());
        bytes.push(self.ports.len() as u8);
        bytes.push(0);
        for port in &self.ports {
            bytes.extend(port.gid.0);
            bytes.extend([port.prefix_bits, port.mtu]);
            bytes.extend(port.lid.to_le_bytes());
            bytes.extend(port.bulk_qp.to_le_bytes());
            bytes.extend(port.first_psn.to_le_bytes());
            bytes.extend(port.lane_qps.iter().flat_map(|qp| qp.to_le_bytes()));
        }
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, VerbsError> {
        let (head, ports) = bytes.split_first_chunk::<8>().ok_or(VerbsError::BadOffer("too short"))?;
        if head[..4] != MAGIC[..] {
            return Err(VerbsError::BadOffer("it does not start with its mark"));
        }
        let rules = match head[4] {
            1 => Rules::Linux,
            2 => Rules::Thunderbolt,
            _ => return Err(VerbsError::BadOffer("unknown rules")),
        };
        let count = usize::from(head[6]);
        if count == 0 || count > PORTS_MAX || ports.len() != count * PORT_BYTES {
            return Err(VerbsError::BadOffer("its length does not match its number of ports"));
        }
        let ports = ports.chunks_exact(PORT_BYTES).map(OfferedPort::decode).collect::<Result<_, _>>()?;
        Ok(Self { rules, checksums: head[5] != 0, ports })
    }

    /// The ports that one cable connects: same subnet by both sides' masks. Both sides, each with `lead` first, come to the same answer.
    pub fn common(lead: &Offer, follow: &Offer) -> Option<(OfferedPort, OfferedPort)> {
        let pairs = lead.ports.iter().flat_map(|a| follow.ports.iter().map(move |b| (*a, *b)));
        pairs
            .filter(|(a, b)| a.gid != b.gid && same_subnet(a, b))
            .min_by_key(|(a, b)| (std::cmp::Reverse(a.prefix_bits.min(b.prefix_bits)), a.gid, b.gid))
    }

    pub fn addresses(&self) -> String {
        let list: Vec<_> = self.ports.iter().map(|p| format!("{}/{}", p.gid, p.prefix_bits)).collect();
        list.join(", ")
    }
}

impl OfferedPort {
    fn decode(b: &[u8]) -> Result<Self, VerbsError> {
        let u32_at = |at: usize| u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
        let mut gid = [0; 16];
        gid.copy_from_slice(&b[..16]);
        let port = Self {
            gid: Gid(gid),
            prefix_bits: b[16],
            mtu: b[17],
            lid: u16::from_le_bytes([b[18], b[19]]),
            bulk_qp: u32_at(20),
            first_psn: u32_at(24),
            lane_qps: std::array::from_fn(|at| u32_at(28 + 4 * at)),
        };
        let is_24_bits = |n: u32| n < 1 << 24;
        if !(1..=5).contains(&port.mtu) || port.prefix_bits > 32 {
            return Err(VerbsError::BadOffer("a port's MTU or subnet is out of range"));
        }
        if ![port.bulk_qp, port.first_psn].into_iter().chain(port.lane_qps).all(is_24_bits) {
            return Err(VerbsError::BadOffer("a queue pair or packet number has more than 24 bits"));
        }
        if port.lanes() == 0 {
            return Err(VerbsError::BadOffer("a port without a queue pair for short messages"));
        }
        Ok(port)
    }

    /// How many connections for short things the port has.
    pub fn lanes(&self) -> usize {
        self.lane_qps.iter().take_while(|&&qp| qp != 0).count()
    }
}

fn same_subnet(a: &OfferedPort, b: &OfferedPort) -> bool {
    let (Some(here), Some(there)) = (a.gid.ipv4(), b.gid.ipv4()) else { return false };
    let bits = a.prefix_bits.min(b.prefix_bits);
    let mask = u32::MAX.checked_shl(32 - u32::from(bits)).unwrap_or(0);
    u32::from(here) & mask == u32::from(there) & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(address: [u8; 4], prefix_bits: u8) -> OfferedPort {
        let [a, b, c, d] = address;
        let gid = Gid([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, a, b, c, d]);
        let lane_qps = [17, 19, 20, 0, 0, 0, 0];
        OfferedPort { gid, prefix_bits, mtu: 5, lid: 0, bulk_qp: 18, lane_qps, first_psn: 0xabcdef }
    }

    fn offer(ports: Vec<OfferedPort>) -> Offer {
        Offer { rules: Rules::Thunderbolt, checksums: true, ports }
    }

    #[test]
    fn offers_round_trip() {
        let sent = offer(vec![port([10, 0, 0, 1], 30), port([10, 0, 1, 1], 24)]);
        assert_eq!(Offer::decode(&sent.encode()), Ok(sent));
    }

    #[test]
    fn every_damaged_offer_is_refused_or_still_well_formed() {
        let good = offer(vec![port([10, 0, 0, 1], 30)]).encode();
        for len in 0..good.len() {
            assert!(Offer::decode(&good[..len]).is_err(), "cut to {len}");
        }
        for at in 0..good.len() {
            for value in 0..=255 {
                let mut bytes = good.clone();
                bytes[at] = value;
                if let Ok(parsed) = Offer::decode(&bytes) {
                    assert!(parsed.ports.len() <= PORTS_MAX);
                }
            }
        }
    }

    #[test]
    fn a_cable_is_found_by_its_subnet() {
        let lead = offer(vec![port([10, 0, 1, 1], 24), port([10, 0, 2, 1], 30)]);
        let follow = offer(vec![port([10, 0, 2, 2], 30), port([10, 0, 3, 1], 24)]);
        let (a, b) = Offer::common(&lead, &follow).unwrap();
        assert_eq!((a.gid.to_string(), b.gid.to_string()), ("10.0.2.1".into(), "10.0.2.2".into()));
        assert!(Offer::common(&lead, &offer(vec![port([10, 0, 9, 1], 24)])).is_none());
        let zero = offer(vec![port([1, 2, 3, 4], 0)]);
        assert!(Offer::common(&lead, &zero).is_some(), "a prefix of no bits is every subnet");
    }
}
