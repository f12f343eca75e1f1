//! Unsafe because every call goes through the verbs library.
#![allow(unsafe_code)]

use std::{
    mem::MaybeUninit,
    ptr::{NonNull, null_mut},
    sync::{Arc, atomic::Ordering},
};

use super::{
    completion_queue::CompletionQueue,
    device::{Device, Gid, PORT},
    error::{VerbsError, last_os_error, os_error},
    header::Header,
    region::Region,
    rules::{Rules, THUNDERBOLT_PAIRS_MAX},
    sys::{self, QpHandle, RecvWr, SendWr, Sge},
};
use crate::NOTE_MAX;

/// One end of a connection.
///
/// It keeps what it uses alive, which fixes the order of tear-down: the pair itself, then regions and completion
/// queue, then the device. It is destroyed from whatever state it is in: moving one to the error state first makes every
/// later release fail on macOS.
pub struct QueuePair {
    handle: NonNull<QpHandle>,
    rules: Rules,
    inline_bytes: usize,
    completions: Arc<CompletionQueue>,
    regions: Vec<Arc<Region>>,
    device: Arc<Device>,
}

// SAFETY: verbs calls are thread-safe by the API's contract; the handle is freed once, in `drop`.
unsafe impl Send for QueuePair {}

/// How deep a queue pair's queues are, in the device's own counting.
#[derive(Debug, Clone, Copy)]
pub(super) struct Depth {
    pub send: u32,
    pub recv: u32,
}

/// The other end, as it described itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Remote {
    pub gid: Gid,
    pub lid: u16,
    pub qp_number: u32,
    pub first_psn: u32,
}

impl QueuePair {
    pub(super) fn new(
        device: &Arc<Device>,
        completions: &Arc<CompletionQueue>,
        regions: &[Arc<Region>],
        rules: Rules,
        depth: Depth,
    ) -> Result<Self, VerbsError> {
        // A whole note and its header; devices that cannot do that much get everything from registered memory.
        let mut inline_bytes = match rules {
            Rules::Linux => Header::BYTES + NOTE_MAX,
            Rules::Thunderbolt => 0,
        };
        let mut init = sys::QpInitAttr {
            qp_context: null_mut(),
            send_cq: completions.as_ptr(),
            recv_cq: completions.as_ptr(),
            srq: null_mut(),
            cap: sys::QpCap {
                max_send_wr: depth.send,
                max_recv_wr: depth.recv,
                max_send_sge: 1,
                max_recv_sge: 1,
                max_inline_data: inline_bytes as u32,
            },
            qp_type: rules.qp_type(),
            sq_sig_all: 0,
        };
        if rules == Rules::Thunderbolt && device.queue_pairs.load(Ordering::Relaxed) >= THUNDERBOLT_PAIRS_MAX
        {
            return Err(device.failed("ibv_create_qp", "busy".into()));
        }
        // SAFETY: a live protection domain and completion queue of the same device.
        let mut handle = unsafe { (device.library().create_qp)(device.pd(), &mut init) };
        if handle.is_null() && inline_bytes > 0 {
            inline_bytes = 0;
            init.cap.max_inline_data = 0;
            // SAFETY: as above.
            handle = unsafe { (device.library().create_qp)(device.pd(), &mut init) };
        }
        let handle = NonNull::new(handle).ok_or_else(|| device.failed("ibv_create_qp", last_os_error()))?;
        device.queue_pairs.fetch_add(1, Ordering::Relaxed);
        let pair = Self {
            handle,
            rules,
            inline_bytes,
            completions: completions.clone(),
            regions: regions.to_vec(),
            device: device.clone(),
        };
        // Devices may grant less than asked; what counts is what the pair says it has.
        let mut attr = sys::QpAttr::default();
        // SAFETY: a live pair and structs of full size.
        let code = unsafe { (device.library().query_qp)(handle.as_ptr(), &mut attr, sys::QP_CAP, &mut init) };
        device.check("ibv_query_qp", code)?;
        if attr.cap.max_send_wr < depth.send || attr.cap.max_recv_wr < depth.recv {
            let why = format!(
                "queues of {} and {} entries were granted where {} and {} are needed",
                attr.cap.max_send_wr, attr.cap.max_recv_wr, depth.send, depth.recv
            );
            return Err(device.failed("ibv_create_qp", why));
        }
        Ok(pair)
    }

    pub(super) fn number(&self) -> u32 {
        // SAFETY: a live pair.
        unsafe { self.handle.as_ref().qp_num }
    }

    /// Bytes up to which a SEND may carry its data in the request.
    pub(super) fn inline_bytes(&self) -> usize {
        self.inline_bytes
    }

    pub(super) fn completions(&self) -> &CompletionQueue {
        &self.completions
    }

    pub(super) fn region(&self, index: usize) -> &Region {
        &self.regions[index]
    }

    /// Walks the pair to where it can send and receive. A pair whose connection failed must be dropped, not reused.
    pub(super) fn connect(
        &self,
        first_psn: u32,
        gid_index: u8,
        mtu: i32,
        remote: Remote,
    ) -> Result<(), VerbsError> {
        let reliable = self.rules == Rules::Linux;
        let mut attr = sys::QpAttr {
            qp_state: sys::QPS_INIT,
            pkey_index: 0,
            port_num: PORT,
            qp_access_flags: (sys::ACCESS_LOCAL_WRITE | sys::ACCESS_REMOTE_READ | sys::ACCESS_REMOTE_WRITE)
                as u32,
            ..Default::default()
        };
        let mask = sys::QP_STATE | sys::QP_PKEY_INDEX | sys::QP_PORT | sys::QP_ACCESS_FLAGS;
        self.modify("ibv_modify_qp to INIT", &mut attr, mask)?;

        let mut attr = sys::QpAttr {
            qp_state: sys::QPS_RTR,
            path_mtu: mtu,
            dest_qp_num: remote.qp_number,
            rq_psn: remote.first_psn,
            ah_attr: sys::AhAttr {
                grh: sys::GlobalRoute {
                    dgid: sys::RawGid(remote.gid.0),
                    sgid_index: gid_index,
                    // Thunderbolt does not route; on Ethernet the peer may be behind a router.
                    hop_limit: if reliable { 64 } else { 1 },
                    ..Default::default()
                },
                dlid: remote.lid,
                is_global: 1,
                port_num: PORT,
                ..Default::default()
            },
            ..Default::default()
        };
        let mut mask = sys::QP_STATE | sys::QP_AV | sys::QP_PATH_MTU | sys::QP_DEST_QPN | sys::QP_RQ_PSN;
        if reliable {
            attr.max_dest_rd_atomic = 1;
            attr.min_rnr_timer = 1; // 10 µs
            mask |= sys::QP_MAX_DEST_RD_ATOMIC | sys::QP_MIN_RNR_TIMER;
        }
        self.modify("ibv_modify_qp to RTR", &mut attr, mask)?;

        let mut attr = sys::QpAttr { qp_state: sys::QPS_RTS, sq_psn: first_psn, ..Default::default() };
        let mut mask = sys::QP_STATE | sys::QP_SQ_PSN;
        if reliable {
            attr.timeout = 16; // 268 ms: repeating what was not lost is worse than waiting
            attr.retry_cnt = 3; // about a second in all; Soft-RoCE takes 7 to mean without end
            attr.rnr_retry = 7; // without end: a peer that is slow to post is not gone
            attr.max_rd_atomic = 1;
            mask |= sys::QP_TIMEOUT | sys::QP_RETRY_CNT | sys::QP_RNR_RETRY | sys::QP_MAX_QP_RD_ATOMIC;
        }
        self.modify("ibv_modify_qp to RTS", &mut attr, mask)
    }

    /// Posts a RECV into `part`.
    ///
    /// # Safety
    /// Nobody may touch the memory of `part` until the completion with `id` was polled or this pair is dropped.
    pub(super) unsafe fn post_recv(&self, id: u64, part: Sge) -> Result<(), VerbsError> {
        let mut part = part;
        let mut request = RecvWr { wr_id: id, next: null_mut(), sg_list: &mut part, num_sge: 1 };
        let mut bad = null_mut();
        let qp = self.handle.as_ptr();
        // SAFETY: a live pair; the provider copies the request. The memory is the caller's promise.
        let code = unsafe {
            match (*(*qp).context).ops.post_recv {
                Some(post_recv) => post_recv(qp, &mut request, &mut bad),
                None => {
                    return Err(self.device.failed("ibv_post_recv", "the provider does not have it".into()));
                }
            }
        };
        self.check_post("ibv_post_recv", code)
    }

    /// Posts up to [`POSTED_TOGETHER_MAX`] sends in one call.
    ///
    /// # Safety
    /// Nobody may write to the memory of a request until its completion, or that of a later one, was polled, or this pair is
    /// dropped; if it is `inline`, only until this returns.
    pub(super) unsafe fn post_sends(&self, requests: &[SendRequest]) -> Result<(), VerbsError> {
        if let [request] = requests {
            let mut part = request.part;
            let mut chain = request.to_work(&mut part);
            // SAFETY: one request that points to one part, both alive during the call.
            return unsafe { self.post_chain(&mut chain) };
        }
        let requests = &requests[..requests.len().min(POSTED_TOGETHER_MAX)];
        let mut parts = [Sge { addr: 0, length: 0, lkey: 0 }; POSTED_TOGETHER_MAX];
        let mut chain: [MaybeUninit<SendWr>; POSTED_TOGETHER_MAX] = [const { MaybeUninit::uninit() }; _];
        let first = chain.as_mut_ptr().cast::<SendWr>();
        for (at, request) in requests.iter().enumerate() {
            parts[at] = request.part;
            let mut work = request.to_work(&mut parts[at]);
            // SAFETY: `at` and, where used, `at + 1` are within the chain.
            unsafe {
                if at + 1 < requests.len() {
                    work.next = first.add(at + 1);
                }
                first.add(at).write(work);
            }
        }
        // SAFETY: as many initialised elements as are linked, with their parts, all alive during the call.
        if requests.is_empty() { Ok(()) } else { unsafe { self.post_chain(first) } }
    }

    /// # Safety
    /// `first` starts a chain of initialised requests; for the memory they name see `post_sends`.
    unsafe fn post_chain(&self, first: *mut SendWr) -> Result<(), VerbsError> {
        let mut bad = null_mut();
        let qp = self.handle.as_ptr();
        // SAFETY: a live pair; the provider copies the requests. The rest is the caller's promise.
        let code = unsafe {
            match (*(*qp).context).ops.post_send {
                Some(post_send) => post_send(qp, first, &mut bad),
                None => {
                    return Err(self.device.failed("ibv_post_send", "the provider does not have it".into()));
                }
            }
        };
        self.check_post("ibv_post_send", code)
    }

    fn modify(&self, call: &'static str, attr: &mut sys::QpAttr, mask: i32) -> Result<(), VerbsError> {
        // SAFETY: a live pair and a struct of full size.
        let code = unsafe { (self.device.library().modify_qp)(self.handle.as_ptr(), attr, mask) };
        self.device.check(call, code)
    }

    /// Posting returns an error number; some providers return -1 and set errno.
    fn check_post(&self, call: &'static str, code: i32) -> Result<(), VerbsError> {
        match code {
            0 => Ok(()),
            -1 => Err(self.device.failed(call, last_os_error())),
            code => Err(self.device.failed(call, os_error(code.abs()))),
        }
    }
}

impl Drop for QueuePair {
    fn drop(&mut self) {
        // SAFETY: the only handle of the pair.
        unsafe { (self.device.library().destroy_qp)(self.handle.as_ptr()) };
        self.device.queue_pairs.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One request to the send queue.
#[derive(Debug, Clone, Copy)]
pub(super) struct SendRequest {
    pub id: u64,
    pub opcode: i32,
    pub part: Sge,
    pub immediate: u32,
    pub signaled: bool,
    pub inline: bool,
}

/// Sends posted in one call.
pub(super) const POSTED_TOGETHER_MAX: usize = 16;

impl SendRequest {
    fn to_work(self, part: &mut Sge) -> SendWr {
        SendWr {
            wr_id: self.id,
            next: null_mut(),
            num_sge: i32::from(part.length > 0),
            sg_list: part,
            opcode: self.opcode,
            send_flags: if self.signaled { sys::SEND_SIGNALED } else { 0 }
                | if self.inline { sys::SEND_INLINE } else { 0 },
            imm_data: self.immediate.to_be(),
            unused: [0; 11],
        }
    }
}
