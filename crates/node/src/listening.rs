//! Where a node listens for others: on its own machine alone, until others may come.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::links::{Terms, listen};
use crate::node::unix_ms;

/// Until others may come: from the start where `open`, otherwise once somebody is invited.
pub async fn company(terms: &Terms, open: bool) {
    let mut snapshot = terms.snapshot.clone();
    if !open {
        let _ = snapshot.wait_for(|snapshot| snapshot.shared.has_company(unix_ms())).await;
    }
}

/// Listens on this machine alone, and on all its interfaces once others may come.
pub async fn listen_as_asked(listener: TcpListener, terms: Arc<Terms>, open: bool) {
    if open {
        return listen(listener, terms).await;
    }
    let Ok(address) = listener.local_addr() else { return };
    tokio::select! {
        () = listen(listener, Arc::clone(&terms)) => {}
        () = company(&terms, open) => {}
    }
    // The port is this node's own until a moment ago, and its address is already in the invitation.
    loop {
        match bind_any(address.port()).await {
            Ok(listener) => return listen(listener, terms).await,
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

/// The port that was asked for, unless another node of this machine is known to have it, from before or by an invitation: that one may only
/// be starting too, and both would sit where nobody looks for them. Then the port that this node had before, or any.
pub fn port_to_ask_for(asked: u16, hosts: &[IpAddr], own: &[String], others: &[String]) -> u16 {
    let parsed = |addresses: &[String]| -> Vec<SocketAddr> {
        addresses.iter().filter_map(|address| address.parse().ok()).collect()
    };
    let here = |address: &SocketAddr| address.ip().is_loopback() || hosts.contains(&address.ip());
    let (own, mut others) = (parsed(own), parsed(others).into_iter());
    match others.any(|address| here(&address) && address.port() == asked) {
        true => own.first().map(SocketAddr::port).filter(|before| *before != asked).unwrap_or(0),
        false => asked,
    }
}

async fn bind_any(port: u16) -> io::Result<TcpListener> {
    match TcpListener::bind(("::", port)).await {
        Ok(listener) => Ok(listener),
        Err(_) => TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).await,
    }
}

pub async fn bind(host: Option<IpAddr>, port: u16) -> io::Result<TcpListener> {
    let any = |port| async move {
        match host {
            Some(host) => TcpListener::bind((host, port)).await,
            None => bind_any(port).await,
        }
    };
    match any(port).await {
        // Several nodes on one machine.
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => any(0).await,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_left_to_the_node_that_has_it() {
        let check = |own: &[&str], others: &[&str], expected| {
            let strings = |them: &[&str]| -> Vec<String> { them.iter().map(|it| (*it).to_owned()).collect() };
            let hosts = [IpAddr::from([10, 0, 0, 1])];
            assert_eq!(
                port_to_ask_for(700, &hosts, &strings(own), &strings(others)),
                expected,
                "{own:?} {others:?}"
            );
        };
        check(&[], &[], 700);
        check(&["10.0.0.1:700"], &["10.0.0.2:700", "10.0.0.1:701"], 700);
        check(&["10.0.0.1:701"], &["10.0.0.2:700"], 700);
        check(&["10.0.0.1:701"], &["10.0.0.1:700"], 701);
        check(&[], &["10.0.0.1:700"], 0);
        check(&[], &["127.0.0.1:700", "a name:700"], 0);
        // Both were told the same; whoever comes second gets another.
        check(&["10.0.0.1:700"], &["10.0.0.1:700"], 0);
    }
}
