//! Unsafe because passing descriptors takes a control message laid out by hand.
#![allow(unsafe_code)]

use std::{
    io,
    mem::MaybeUninit,
    os::{
        fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd},
        unix::net::UnixStream,
    },
    ptr,
    time::Duration,
};

use crate::Deadline;

/// Room for a control message with a few descriptors, aligned as the system wants it.
#[repr(align(16))]
struct Control([u8; 128]);

/// Sends eight bytes and `N` descriptors as one datagram-like unit.
pub(crate) fn send<const N: usize>(
    socket: &UnixStream,
    word: &[u8; 8],
    fds: [BorrowedFd<'_>; N],
) -> io::Result<()> {
    let raw = fds.map(|fd| fd.as_raw_fd());
    let mut control = Control([0; 128]);
    let mut part = libc::iovec { iov_base: word.as_ptr().cast_mut().cast(), iov_len: word.len() };
    // SAFETY: `message` points at live locals; CMSG_SPACE of a few descriptors is below the room of `Control`.
    let sent = unsafe {
        let mut message: libc::msghdr = MaybeUninit::zeroed().assume_init();
        message.msg_iov = &mut part;
        message.msg_iovlen = 1;
        message.msg_control = control.0.as_mut_ptr().cast();
        message.msg_controllen = libc::CMSG_SPACE(size_of_val(&raw) as u32) as _;
        let header = libc::CMSG_FIRSTHDR(&message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(size_of_val(&raw) as u32) as _;
        ptr::copy_nonoverlapping(raw.as_ptr(), libc::CMSG_DATA(header).cast(), N);
        libc::sendmsg(socket.as_raw_fd(), &message, 0)
    };
    match sent {
        8 => Ok(()),
        n if n < 0 => Err(io::Error::last_os_error()),
        _ => Err(io::Error::other("the descriptors were sent in part")),
    }
}

/// The counterpart of [`send`]. Descriptors beyond `N`, or too few, are an error and are closed.
pub(crate) fn recv<const N: usize>(
    socket: &UnixStream,
    deadline: Deadline,
) -> io::Result<(u64, [OwnedFd; N])> {
    let left = deadline.remaining().max(Duration::from_millis(1));
    socket.set_read_timeout(Some(left))?;
    let mut word = [0u8; 8];
    let mut control = Control([0; 128]);
    let mut part = libc::iovec { iov_base: word.as_mut_ptr().cast(), iov_len: word.len() };
    let mut fds = Vec::new();
    // SAFETY: `message` points at live locals; the headers are walked with the system's own macros within `msg_controllen`; every descriptor
    // found is fresh and owned by nobody else.
    let received = unsafe {
        let mut message: libc::msghdr = MaybeUninit::zeroed().assume_init();
        message.msg_iov = &mut part;
        message.msg_iovlen = 1;
        message.msg_control = control.0.as_mut_ptr().cast();
        message.msg_controllen = control.0.len() as _;
        let received = libc::recvmsg(socket.as_raw_fd(), &mut message, RECV_FLAGS);
        if received < 0 {
            return Err(io::Error::last_os_error());
        }
        let mut header = libc::CMSG_FIRSTHDR(&message);
        while !header.is_null() {
            if (*header).cmsg_level == libc::SOL_SOCKET && (*header).cmsg_type == libc::SCM_RIGHTS {
                let bytes = (*header).cmsg_len as usize - libc::CMSG_LEN(0) as usize;
                let data = libc::CMSG_DATA(header).cast::<libc::c_int>();
                for i in 0..bytes / size_of::<libc::c_int>() {
                    fds.push(OwnedFd::from_raw_fd(ptr::read_unaligned(data.add(i))));
                }
            }
            header = libc::CMSG_NXTHDR(&message, header);
        }
        received
    };
    if received != 8 {
        return Err(io::Error::other("the peer closed the socket before passing its memory"));
    }
    let found = fds.len();
    let fds = fds
        .try_into()
        .map_err(|_| io::Error::other(format!("the peer passed {found} descriptors, expected {N}")))?;
    Ok((u64::from_le_bytes(word), fds))
}

#[cfg(target_os = "linux")]
const RECV_FLAGS: libc::c_int = libc::MSG_CMSG_CLOEXEC;
#[cfg(not(target_os = "linux"))]
const RECV_FLAGS: libc::c_int = 0;

/// Whether the other end of a socket is gone.
pub(crate) fn peer_hung_up(fd: BorrowedFd<'_>) -> bool {
    let mut poll = libc::pollfd { fd: fd.as_raw_fd(), events: 0, revents: 0 };
    // SAFETY: one live entry. HUP and ERR are reported without being asked for.
    let found = unsafe { libc::poll(&mut poll, 1, 0) };
    found > 0 && poll.revents & (libc::POLLHUP | libc::POLLERR | libc::POLLNVAL) != 0
}
