//! Unsafe because the standard library does not know these socket options.
#![allow(unsafe_code)]

use std::net::TcpStream;

/// Whether both ends of `stream` are on this host.
pub(crate) fn same_host(stream: &TcpStream) -> bool {
    match (stream.local_addr(), stream.peer_addr()) {
        (Ok(here), Ok(there)) => {
            let (here, there) = (here.ip().to_canonical(), there.ip().to_canonical());
            here == there || there.is_loopback()
        }
        _ => false,
    }
}

/// Within a host nothing is lost and nobody else is in the way. A system whose default control paces its packets (BBR) would hold them back
/// on timers all the same; the plain one, which every Linux has, does not.
#[cfg(target_os = "linux")]
pub(super) fn unpaced_within_host(stream: &TcpStream) {
    use std::os::fd::AsRawFd;
    if !same_host(stream) {
        return;
    }
    let name = b"reno";
    // SAFETY: a live socket and a name of that length. A refusal leaves the default, which is slower and as good.
    unsafe {
        libc::setsockopt(
            stream.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_CONGESTION,
            name.as_ptr().cast(),
            name.len() as libc::socklen_t,
        )
    };
}

#[cfg(not(target_os = "linux"))]
pub(super) fn unpaced_within_host(_stream: &TcpStream) {}
