//! Addresses heard of in beacons. Anybody on the local network can send those, so they are called seldom and few at a time.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

/// Where nodes may be, by host. A host that turned out to have none is called less and less often, whatever ports it names.
#[derive(Default)]
pub struct Hints {
    hosts: HashMap<IpAddr, Host>,
}

struct Host {
    addresses: Vec<SocketAddr>,
    failures: u32,
    due: Instant,
}

const HOSTS_MAX: usize = 256;
/// Nodes of one machine that are found by beacons alone.
const PER_HOST_MAX: usize = 8;
/// Calls of one round.
const CALLS_MAX: usize = 8;
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(300);

impl Hints {
    pub fn hear(&mut self, address: SocketAddr, now: Instant) {
        if address.port() == 0 {
            return;
        }
        if !self.hosts.contains_key(&address.ip()) && self.hosts.len() >= HOSTS_MAX {
            // One that has failed makes room; while all are new, no more are taken.
            let worst = self.hosts.iter().max_by_key(|(_, host)| host.failures);
            match worst.filter(|(_, host)| host.failures > 0).map(|(ip, _)| *ip) {
                Some(worst) => _ = self.hosts.remove(&worst),
                None => return,
            }
        }
        let host = self.hosts.entry(address.ip()).or_insert_with(|| Host {
            addresses: Vec::new(),
            failures: 0,
            due: now,
        });
        if host.addresses.contains(&address) {
            return;
        }
        if host.addresses.len() >= PER_HOST_MAX {
            host.addresses.remove(0);
        }
        host.addresses.push(address);
    }

    /// Whom to call now. A host counts as failed until [`Hints::answered`] says otherwise.
    pub fn due(&mut self, now: Instant) -> Vec<SocketAddr> {
        let mut due: Vec<_> = self.hosts.values_mut().filter(|host| host.due <= now).collect();
        due.sort_by_key(|host| (host.failures, host.due));
        let mut calls = Vec::new();
        for host in due {
            if !calls.is_empty() && calls.len() + host.addresses.len() > CALLS_MAX {
                continue;
            }
            calls.extend(&host.addresses);
            let wait = FIRST_WAIT * 2_u32.pow(host.failures.min(9));
            host.due = now + wait.min(LONGEST_WAIT);
            host.failures += 1;
        }
        calls
    }

    /// A node of this cluster is there.
    pub fn answered(&mut self, address: SocketAddr) {
        if let Some(host) = self.hosts.get_mut(&address.ip()) {
            host.failures = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(host: u16, port: u16) -> SocketAddr {
        let [high, low] = host.to_be_bytes();
        ([10, 1, high, low], port).into()
    }

    /// Calls made in a minute, looked at twice a second.
    fn calls_in_a_minute(hints: &mut Hints, mut hear: impl FnMut(&mut Hints, Instant)) -> Vec<SocketAddr> {
        let begin = Instant::now();
        let rounds = (0..120).map(|round| begin + Duration::from_millis(500) * round);
        rounds
            .flat_map(|now| {
                hear(hints, now);
                hints.due(now)
            })
            .collect()
    }

    #[test]
    fn forged_beacons_cost_few_calls_and_do_not_hide_a_node() {
        // One host names a thousand ports, again and again.
        let mut port = 0;
        let calls = calls_in_a_minute(&mut Hints::default(), |hints, now| {
            (0..1100).for_each(|_| {
                port = port % 60_000 + 1;
                hints.hear(address(1, port), now);
            });
        });
        assert!(calls.len() <= 7 * PER_HOST_MAX, "{} calls", calls.len());

        // A thousand hosts, and among them a node.
        let calls = calls_in_a_minute(&mut Hints::default(), |hints, now| {
            hints.hear(address(9999, 77), now);
            (0..1100).for_each(|host| hints.hear(address(host, 5), now));
        });
        assert!(calls.len() <= 120 * CALLS_MAX, "{} calls", calls.len());
        assert!(calls.contains(&address(9999, 77)));
    }

    #[test]
    fn a_host_with_a_node_is_called_often_again() {
        let mut hints = Hints::default();
        let now = Instant::now();
        hints.hear(address(1, 5), now);
        for _ in 0..6 {
            let later = now + LONGEST_WAIT;
            hints.due(later);
        }
        assert_eq!(hints.due(now), [], "not again at once");
        hints.answered(address(1, 5));
        let later = now + 2 * LONGEST_WAIT;
        assert_eq!(hints.due(later), [address(1, 5)]);
        assert_eq!(hints.due(later + FIRST_WAIT), [address(1, 5)]);
    }
}
