//! Where a node listens for others: on its own machine alone, until others may come.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
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
