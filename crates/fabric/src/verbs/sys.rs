//! The verbs ABI as `repr(C)` types, and the library that implements it, loaded at run time.
//!
//! One set of types serves Linux (libibverbs) and macOS (librdma): both are LP64 and keep the layout of the original
//! header. `layout.rs` in the tests compares every offset used here with the system's own `infiniband/verbs.h`.
// This module is the foreign-function boundary: nothing of it can be expressed without unsafe.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use super::error::VerbsError;

/// Names tried in order. On macOS the library lives in the dyld cache, so it is never looked for as a file.
#[cfg(target_os = "macos")]
pub const LIBRARY_NAMES: &[&str] = &["librdma.dylib", "/usr/lib/librdma.dylib"];
#[cfg(not(target_os = "macos"))]
pub const LIBRARY_NAMES: &[&str] = &["libibverbs.so.1"];

pub const QPS_INIT: c_int = 1;
pub const QPS_RTR: c_int = 2;
pub const QPS_RTS: c_int = 3;
pub const QPT_RC: c_int = 2;
pub const QPT_UC: c_int = 3;
pub const WR_RDMA_WRITE: c_int = 0;
pub const WR_SEND: c_int = 2;
pub const WR_SEND_WITH_IMM: c_int = 3;
pub const SEND_SIGNALED: c_uint = 2;
pub const SEND_INLINE: c_uint = 8;
pub const WC_SUCCESS: c_int = 0;
pub const WC_WITH_IMM: c_uint = 2;
pub const WC_RETRY_EXC_ERR: c_int = 12;
pub const PORT_ACTIVE: c_int = 4;
pub const ACCESS_LOCAL_WRITE: c_int = 1;
pub const ACCESS_REMOTE_WRITE: c_int = 2;
pub const ACCESS_REMOTE_READ: c_int = 4;
/// What macOS reports for a Thunderbolt cable; no such value exists on Linux.
pub const LINK_LAYER_THUNDERBOLT: u8 = 100;

pub const QP_STATE: c_int = 1 << 0;
pub const QP_ACCESS_FLAGS: c_int = 1 << 3;
pub const QP_PKEY_INDEX: c_int = 1 << 4;
pub const QP_PORT: c_int = 1 << 5;
pub const QP_AV: c_int = 1 << 7;
pub const QP_PATH_MTU: c_int = 1 << 8;
pub const QP_TIMEOUT: c_int = 1 << 9;
pub const QP_RETRY_CNT: c_int = 1 << 10;
pub const QP_RNR_RETRY: c_int = 1 << 11;
pub const QP_RQ_PSN: c_int = 1 << 12;
pub const QP_MAX_QP_RD_ATOMIC: c_int = 1 << 13;
pub const QP_MIN_RNR_TIMER: c_int = 1 << 15;
pub const QP_SQ_PSN: c_int = 1 << 16;
pub const QP_MAX_DEST_RD_ATOMIC: c_int = 1 << 17;
pub const QP_CAP: c_int = 1 << 19;
pub const QP_DEST_QPN: c_int = 1 << 20;

#[repr(C)]
pub struct DeviceHandle {
    _opaque: [u8; 0],
}

type PollCq = unsafe extern "C" fn(*mut CqHandle, c_int, *mut Wc) -> c_int;
type ReqNotifyCq = unsafe extern "C" fn(*mut CqHandle, c_int) -> c_int;
type PostSend = unsafe extern "C" fn(*mut QpHandle, *mut SendWr, *mut *mut SendWr) -> c_int;
type PostRecv = unsafe extern "C" fn(*mut QpHandle, *mut RecvWr, *mut *mut RecvWr) -> c_int;

/// The calls that are not symbols: the header's inlines reach them through the context.
#[repr(C)]
pub struct ContextOps {
    _before_poll: [*mut c_void; 11],
    pub poll_cq: Option<PollCq>,
    pub req_notify_cq: Option<ReqNotifyCq>,
    _before_post: [*mut c_void; 12],
    pub post_send: Option<PostSend>,
    pub post_recv: Option<PostRecv>,
    _rest: [*mut c_void; 5],
}

#[repr(C)]
pub struct ContextHandle {
    pub device: *mut DeviceHandle,
    pub ops: ContextOps,
}

#[repr(C)]
pub struct PdHandle {
    pub context: *mut ContextHandle,
}

#[repr(C)]
pub struct CqHandle {
    pub context: *mut ContextHandle,
}

#[repr(C)]
pub struct QpHandle {
    pub context: *mut ContextHandle,
    _until_qp_num: [u8; 44],
    pub qp_num: u32,
}

#[repr(C)]
pub struct MrHandle {
    pub context: *mut ContextHandle,
    pub pd: *mut PdHandle,
    pub addr: *mut c_void,
    pub length: usize,
    pub handle: u32,
    pub lkey: u32,
    pub rkey: u32,
}

#[repr(C)]
pub struct CompChannelHandle {
    pub context: *mut ContextHandle,
    pub fd: c_int,
}

/// Versions differ in its size (52 or 56 bytes), so there is room to spare.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PortAttr {
    pub state: c_int,
    pub max_mtu: c_int,
    pub active_mtu: c_int,
    pub gid_tbl_len: c_int,
    pub port_cap_flags: u32,
    pub max_msg_sz: u32,
    pub bad_pkey_cntr: u32,
    pub qkey_viol_cntr: u32,
    pub pkey_tbl_len: u16,
    pub lid: u16,
    pub sm_lid: u16,
    pub lmc: u8,
    pub max_vl_num: u8,
    pub sm_sl: u8,
    pub subnet_timeout: u8,
    pub init_type_reply: u8,
    pub active_width: u8,
    pub active_speed: u8,
    pub phys_state: u8,
    pub link_layer: u8,
    pub flags: u8,
    pub port_cap_flags2: u16,
    _spare: [u64; 4],
}

#[repr(C, align(8))]
#[derive(Clone, Copy, Default)]
pub struct RawGid(pub [u8; 16]);

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct GlobalRoute {
    pub dgid: RawGid,
    pub flow_label: u32,
    pub sgid_index: u8,
    pub hop_limit: u8,
    pub traffic_class: u8,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct AhAttr {
    pub grh: GlobalRoute,
    pub dlid: u16,
    pub sl: u8,
    pub src_path_bits: u8,
    pub static_rate: u8,
    pub is_global: u8,
    pub port_num: u8,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct QpCap {
    pub max_send_wr: u32,
    pub max_recv_wr: u32,
    pub max_send_sge: u32,
    pub max_recv_sge: u32,
    pub max_inline_data: u32,
}

#[repr(C)]
pub struct QpInitAttr {
    pub qp_context: *mut c_void,
    pub send_cq: *mut CqHandle,
    pub recv_cq: *mut CqHandle,
    pub srq: *mut c_void,
    pub cap: QpCap,
    pub qp_type: c_int,
    pub sq_sig_all: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct QpAttr {
    pub qp_state: c_int,
    pub cur_qp_state: c_int,
    pub path_mtu: c_int,
    pub path_mig_state: c_int,
    pub qkey: u32,
    pub rq_psn: u32,
    pub sq_psn: u32,
    pub dest_qp_num: u32,
    pub qp_access_flags: c_uint,
    pub cap: QpCap,
    pub ah_attr: AhAttr,
    pub alt_ah_attr: AhAttr,
    pub pkey_index: u16,
    pub alt_pkey_index: u16,
    pub en_sqd_async_notify: u8,
    pub sq_draining: u8,
    pub max_rd_atomic: u8,
    pub max_dest_rd_atomic: u8,
    pub min_rnr_timer: u8,
    pub port_num: u8,
    pub timeout: u8,
    pub retry_cnt: u8,
    pub rnr_retry: u8,
    pub alt_port_num: u8,
    pub alt_timeout: u8,
    pub rate_limit: u32,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Sge {
    pub addr: u64,
    pub length: u32,
    pub lkey: u32,
}

/// Always the full 128 bytes, although only SEND is used: providers copy the whole of it.
#[repr(C)]
pub struct SendWr {
    pub wr_id: u64,
    pub next: *mut SendWr,
    pub sg_list: *mut Sge,
    pub num_sge: c_int,
    pub opcode: c_int,
    pub send_flags: c_uint,
    pub imm_data: u32,
    pub unused: [u64; 11],
}

#[repr(C)]
pub struct RecvWr {
    pub wr_id: u64,
    pub next: *mut RecvWr,
    pub sg_list: *mut Sge,
    pub num_sge: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Wc {
    pub wr_id: u64,
    pub status: c_int,
    pub opcode: c_int,
    pub vendor_err: u32,
    pub byte_len: u32,
    pub imm_data: u32,
    pub qp_num: u32,
    pub src_qp: u32,
    pub wc_flags: c_uint,
    pub pkey_index: u16,
    pub slid: u16,
    pub sl: u8,
    pub dlid_path_bits: u8,
}

/// Functions of the loaded library. The library stays loaded until the process ends: contexts, and threads of a
/// provider, may outlive any handle of ours.
pub struct Library {
    pub get_device_list: unsafe extern "C" fn(*mut c_int) -> *mut *mut DeviceHandle,
    pub free_device_list: unsafe extern "C" fn(*mut *mut DeviceHandle),
    pub get_device_name: unsafe extern "C" fn(*mut DeviceHandle) -> *const c_char,
    pub open_device: unsafe extern "C" fn(*mut DeviceHandle) -> *mut ContextHandle,
    pub close_device: unsafe extern "C" fn(*mut ContextHandle) -> c_int,
    pub query_port: unsafe extern "C" fn(*mut ContextHandle, u8, *mut PortAttr) -> c_int,
    pub query_gid: unsafe extern "C" fn(*mut ContextHandle, u8, c_int, *mut RawGid) -> c_int,
    pub alloc_pd: unsafe extern "C" fn(*mut ContextHandle) -> *mut PdHandle,
    pub dealloc_pd: unsafe extern "C" fn(*mut PdHandle) -> c_int,
    pub reg_mr: unsafe extern "C" fn(*mut PdHandle, *mut c_void, usize, c_int) -> *mut MrHandle,
    pub dereg_mr: unsafe extern "C" fn(*mut MrHandle) -> c_int,
    pub create_cq: unsafe extern "C" fn(
        *mut ContextHandle,
        c_int,
        *mut c_void,
        *mut CompChannelHandle,
        c_int,
    ) -> *mut CqHandle,
    pub destroy_cq: unsafe extern "C" fn(*mut CqHandle) -> c_int,
    pub create_qp: unsafe extern "C" fn(*mut PdHandle, *mut QpInitAttr) -> *mut QpHandle,
    pub modify_qp: unsafe extern "C" fn(*mut QpHandle, *mut QpAttr, c_int) -> c_int,
    pub query_qp: unsafe extern "C" fn(*mut QpHandle, *mut QpAttr, c_int, *mut QpInitAttr) -> c_int,
    pub destroy_qp: unsafe extern "C" fn(*mut QpHandle) -> c_int,
    /// Absent on macOS as far as anyone has verified: waiting there is polling.
    pub completion_channel: Option<CompletionChannelCalls>,
}

pub struct CompletionChannelCalls {
    pub create: unsafe extern "C" fn(*mut ContextHandle) -> *mut CompChannelHandle,
    pub destroy: unsafe extern "C" fn(*mut CompChannelHandle) -> c_int,
    pub get_event:
        unsafe extern "C" fn(*mut CompChannelHandle, *mut *mut CqHandle, *mut *mut c_void) -> c_int,
    pub ack_events: unsafe extern "C" fn(*mut CqHandle, c_uint),
}

impl Library {
    /// The system's verbs library, loaded on first use.
    pub fn get() -> Result<&'static Library, VerbsError> {
        static LIBRARY: OnceLock<Library> = OnceLock::new();
        if let Some(library) = LIBRARY.get() {
            return Ok(library);
        }
        let loaded = Library::open(LIBRARY_NAMES)?;
        Ok(LIBRARY.get_or_init(|| loaded))
    }

    /// The first of `names` that can be loaded and has every call Tandem makes.
    pub fn open(names: &[&str]) -> Result<Library, VerbsError> {
        let mut reasons = Vec::new();
        for name in names {
            let c_name = CString::new(*name).expect("library names have no NUL");
            // SAFETY: a valid C string; the library's initialisers are those of the system's verbs library. Not lazy
            // and not local: `ibv_get_device_name` was seen to hang on macOS otherwise.
            let handle = unsafe { libc::dlopen(c_name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
            if handle.is_null() {
                // SAFETY: after a failed dlopen, dlerror gives a C string valid until the next dl call of this thread.
                let reason = unsafe {
                    let text = libc::dlerror();
                    if text.is_null() {
                        "unknown reason".to_string()
                    } else {
                        CStr::from_ptr(text).to_string_lossy().into_owned()
                    }
                };
                reasons.push(format!("{name}: {reason}"));
                continue;
            }
            return Library::resolve(handle, name);
        }
        Err(VerbsError::NoLibrary { tried: reasons.join("; ") })
    }

    fn resolve(handle: *mut c_void, name: &str) -> Result<Library, VerbsError> {
        let find = |symbol: &'static str| -> Option<*mut c_void> {
            let c_symbol = CString::new(symbol).expect("symbols have no NUL");
            // SAFETY: `handle` came from dlopen and is never closed.
            let address = unsafe { libc::dlsym(handle, c_symbol.as_ptr()) };
            (!address.is_null()).then_some(address)
        };
        macro_rules! symbol {
            ($name:literal) => {
                match find($name) {
                    // SAFETY: the field this initialises spells the function's C prototype.
                    Some(address) => unsafe { function(address) },
                    None => {
                        return Err(VerbsError::MissingSymbol { library: name.to_string(), symbol: $name });
                    }
                }
            };
        }
        let completion_channel = match (
            find("ibv_create_comp_channel"),
            find("ibv_destroy_comp_channel"),
            find("ibv_get_cq_event"),
            find("ibv_ack_cq_events"),
        ) {
            (Some(create), Some(destroy), Some(get_event), Some(ack_events)) if cfg!(target_os = "linux") => {
                // SAFETY: the fields spell the functions' C prototypes.
                Some(unsafe {
                    CompletionChannelCalls {
                        create: function(create),
                        destroy: function(destroy),
                        get_event: function(get_event),
                        ack_events: function(ack_events),
                    }
                })
            }
            _ => None,
        };
        Ok(Library {
            get_device_list: symbol!("ibv_get_device_list"),
            free_device_list: symbol!("ibv_free_device_list"),
            get_device_name: symbol!("ibv_get_device_name"),
            open_device: symbol!("ibv_open_device"),
            close_device: symbol!("ibv_close_device"),
            query_port: symbol!("ibv_query_port"),
            query_gid: symbol!("ibv_query_gid"),
            alloc_pd: symbol!("ibv_alloc_pd"),
            dealloc_pd: symbol!("ibv_dealloc_pd"),
            reg_mr: symbol!("ibv_reg_mr"),
            dereg_mr: symbol!("ibv_dereg_mr"),
            create_cq: symbol!("ibv_create_cq"),
            destroy_cq: symbol!("ibv_destroy_cq"),
            create_qp: symbol!("ibv_create_qp"),
            modify_qp: symbol!("ibv_modify_qp"),
            query_qp: symbol!("ibv_query_qp"),
            destroy_qp: symbol!("ibv_destroy_qp"),
            completion_channel,
        })
    }
}

/// # Safety
/// `F` must be a function pointer type that spells the prototype of the function at `address`.
unsafe fn function<F: Copy>(address: *mut c_void) -> F {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: by the caller's promise, and the sizes are equal.
    unsafe { std::mem::transmute_copy::<*mut c_void, F>(&address) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_named_with_advice() {
        let error = Library::open(&["libtandem-no-such-library.so"]).err().unwrap();
        let message = error.to_string();
        assert!(matches!(error, VerbsError::NoLibrary { .. }), "{message}");
        assert!(message.contains("libtandem-no-such-library.so"), "{message}");
        assert!(message.contains("libibverbs1") || message.contains("macOS"), "{message}");
    }

    #[test]
    fn a_library_without_verbs_is_refused() {
        let libc = if cfg!(target_os = "macos") { "libSystem.dylib" } else { "libc.so.6" };
        let error = Library::open(&[libc]).err().unwrap();
        assert!(matches!(error, VerbsError::MissingSymbol { .. }), "{error}");
    }
}
