//! How many connections there may be, in all and from one address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

/// The connections that are open. Where an address has too many, or all have, one that nobody uses makes room for the next: idle
/// connections shut nobody out.
pub(crate) struct Connections {
    max: usize,
    per_address_max: usize,
    open: Mutex<HashMap<IpAddr, Vec<Arc<Connection>>>>,
}

/// One of them.
#[derive(Default)]
pub(crate) struct Connection {
    /// Requests that are being answered.
    requests: AtomicUsize,
    close: Notify,
}

/// A place among the open connections.
pub(crate) struct Place {
    pub connection: Arc<Connection>,
    connections: Arc<Connections>,
    address: IpAddr,
}

/// A request that is being answered.
pub(crate) struct Busy(Arc<Connection>);

impl Connections {
    pub fn new(max: usize, per_address_max: usize) -> Arc<Connections> {
        Arc::new(Connections { max, per_address_max, open: Mutex::default() })
    }

    /// Nothing where all are in use.
    pub fn take(self: &Arc<Connections>, from: IpAddr) -> Option<Place> {
        let address = network(from);
        let mut open = self.open.lock().expect("nobody panics holding this");
        let count = |connections: &Vec<_>| connections.len();
        let crowded = if open.get(&address).map_or(0, count) >= self.per_address_max {
            Some(address)
        } else if open.values().map(count).sum::<usize>() >= self.max {
            open.iter().max_by_key(|(_, connections)| connections.len()).map(|(address, _)| *address)
        } else {
            None
        };
        if let Some(crowded) = crowded {
            let connections = open.get_mut(&crowded)?;
            let idle = connections.iter().position(|connection| connection.requests.load(SeqCst) == 0)?;
            connections.remove(idle).close.notify_one();
        }
        let connection = Arc::new(Connection::default());
        open.entry(address).or_default().push(Arc::clone(&connection));
        Some(Place { connection, connections: Arc::clone(self), address })
    }
}

impl Connection {
    pub fn busy(self: &Arc<Connection>) -> Busy {
        self.requests.fetch_add(1, SeqCst);
        Busy(Arc::clone(self))
    }

    /// Returns when it must make room.
    pub async fn closed(&self) {
        self.close.notified().await;
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, SeqCst);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.connections.open.lock().expect("nobody panics holding this");
        if let Some(connections) = open.get_mut(&self.address) {
            connections.retain(|other| !Arc::ptr_eq(other, &self.connection));
            if connections.is_empty() {
                open.remove(&self.address);
            }
        }
    }
}

/// Whoever has an IPv6 address has the 2⁶⁴ around it too.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        four => four,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_connections_make_room_and_busy_ones_stay() {
        let connections = Connections::new(5, 3);
        let [a, b, c]: [IpAddr; 3] = ["127.0.0.1", "10.0.0.1", "fe80::1"].map(|text| text.parse().unwrap());
        let places: Vec<_> = (0..3).map(|_| connections.take(a).unwrap()).collect();
        let busy = places[0].connection.busy();
        // The fourth of an address closes its oldest idle one.
        let fourth = connections.take(a).unwrap();
        assert_eq!(connections.open.lock().unwrap()[&a].len(), 3);
        assert!(connections.open.lock().unwrap()[&a].iter().any(|it| Arc::ptr_eq(it, &places[0].connection)));
        // All together: whoever has most gives way.
        let others = [connections.take(b).unwrap(), connections.take(c).unwrap()];
        let _more = connections.take("fe80::2".parse().unwrap()).unwrap();
        assert_eq!(connections.open.lock().unwrap()[&a].len(), 2);
        drop((busy, fourth, places, others));
        // Nobody idle: no room.
        let places: Vec<_> = (0..3).map(|_| connections.take(a).unwrap()).collect();
        let _busy: Vec<_> = places.iter().map(|place| place.connection.busy()).collect();
        assert!(connections.take(a).is_none());
        assert!(connections.take(b).is_some());
    }
}
