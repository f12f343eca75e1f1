//! Unsafe because every call goes through the verbs library.
#![allow(unsafe_code)]

use std::{
    ptr::{NonNull, null_mut},
    sync::Arc,
    time::Duration,
};

use super::{
    device::Device,
    error::{VerbsError, last_os_error},
    sys::{CompChannelHandle, CqHandle, Wc},
};

/// Where completions appear, and where a thread can sleep until one does.
pub struct CompletionQueue {
    handle: NonNull<CqHandle>,
    channel: Option<NonNull<CompChannelHandle>>,
    device: Arc<Device>,
}

// SAFETY: verbs calls are thread-safe by the API's contract; the handles are freed once, in `drop`.
unsafe impl Send for CompletionQueue {}
// SAFETY: as above.
unsafe impl Sync for CompletionQueue {}

impl CompletionQueue {
    pub fn new(device: &Arc<Device>, entries: u32) -> Result<Arc<Self>, VerbsError> {
        let library = device.library();
        let channel = library.completion_channel.as_ref().and_then(|calls| {
            // SAFETY: an open context.
            NonNull::new(unsafe { (calls.create)(device.context()) })
        });
        if let Some(channel) = channel {
            // SAFETY: a fresh channel with an open descriptor.
            unsafe {
                let fd = channel.as_ref().fd;
                libc::fcntl(fd, libc::F_SETFL, libc::fcntl(fd, libc::F_GETFL) | libc::O_NONBLOCK);
            }
        }
        let channel_or_null = channel.map_or(null_mut(), NonNull::as_ptr);
        // SAFETY: an open context, and a channel of it or none.
        let handle =
            unsafe { (library.create_cq)(device.context(), entries as i32, null_mut(), channel_or_null, 0) };
        let Some(handle) = NonNull::new(handle) else {
            let why = last_os_error();
            destroy_channel(device, channel);
            return Err(device.failed("ibv_create_cq", why));
        };
        Ok(Arc::new(Self { handle, channel, device: device.clone() }))
    }

    pub(super) fn as_ptr(&self) -> *mut CqHandle {
        self.handle.as_ptr()
    }

    /// Takes up to `into.len()` completions; returns how many.
    #[inline]
    pub(super) fn poll(&self, into: &mut [Wc]) -> Result<usize, VerbsError> {
        let cq = self.handle.as_ptr();
        // SAFETY: a live queue; the context's table of calls is filled by the provider when the device is opened.
        let taken = unsafe {
            match (*(*cq).context).ops.poll_cq {
                Some(poll_cq) => poll_cq(cq, into.len() as i32, into.as_mut_ptr()),
                None => {
                    return Err(self.device.failed("ibv_poll_cq", "the provider does not have it".into()));
                }
            }
        };
        usize::try_from(taken).map_err(|_| self.device.failed("ibv_poll_cq", last_os_error()))
    }

    /// Asks for an event at the next completion. Completions already there cause none: poll after arming.
    pub(super) fn arm(&self) {
        if self.channel.is_none() {
            return;
        }
        let cq = self.handle.as_ptr();
        // SAFETY: as in `poll`. Failing to arm only means that the sleep below lasts its full time.
        unsafe {
            if let Some(req_notify_cq) = (*(*cq).context).ops.req_notify_cq {
                req_notify_cq(cq, 0);
            }
        }
    }

    /// Sleeps until an event or for `at_most`.
    pub(super) fn sleep(&self, at_most: Duration) {
        let Some(channel) = self.channel else {
            // No events here: a short nap bounds what polling costs while idle.
            std::thread::sleep(at_most.min(Duration::from_micros(100)));
            return;
        };
        let Some(calls) = self.device.library().completion_channel.as_ref() else { return };
        // SAFETY: a live channel.
        let fd = unsafe { channel.as_ref().fd };
        let mut wanted = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let at_most_ms = at_most.as_millis().clamp(1, 1000) as i32;
        // SAFETY: one valid entry.
        if unsafe { libc::poll(&mut wanted, 1, at_most_ms) } <= 0 {
            return;
        }
        let (mut cq, mut user) = (null_mut(), null_mut());
        // SAFETY: the descriptor is non-blocking, so this returns at once; an event that was got must be acknowledged.
        unsafe {
            while (calls.get_event)(channel.as_ptr(), &mut cq, &mut user) == 0 {
                (calls.ack_events)(cq, 1);
            }
        }
    }
}

impl Drop for CompletionQueue {
    fn drop(&mut self) {
        // SAFETY: queue pairs keep an `Arc` of their completion queue, so none is left.
        unsafe { (self.device.library().destroy_cq)(self.handle.as_ptr()) };
        destroy_channel(&self.device, self.channel);
    }
}

fn destroy_channel(device: &Device, channel: Option<NonNull<CompChannelHandle>>) {
    if let (Some(channel), Some(calls)) = (channel, device.library().completion_channel.as_ref()) {
        // SAFETY: created by the same library and no longer used by a queue.
        unsafe { (calls.destroy)(channel.as_ptr()) };
    }
}
