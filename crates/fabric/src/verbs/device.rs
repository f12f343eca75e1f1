//! Unsafe because every call goes through the verbs library.
#![allow(unsafe_code)]

use std::{
    ffi::CStr,
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    ptr::NonNull,
    sync::{Arc, Mutex, PoisonError, Weak, atomic::AtomicUsize},
};

use super::{
    error::{VerbsError, last_os_error, os_error},
    region::Region,
    rules::Rules,
    sys::{self, ContextHandle, DeviceHandle, Library, PdHandle},
};

/// The names of this machine's RDMA devices. They may change after a reboot or re-cabling.
pub fn device_names() -> Result<Vec<String>, VerbsError> {
    Ok(DeviceList::get()?.iter().map(|(name, _)| name).collect())
}

/// An open RDMA device and its protection domain; closed when its last user is dropped.
pub struct Device {
    library: &'static Library,
    name: String,
    context: NonNull<ContextHandle>,
    pd: NonNull<PdHandle>,
    /// Arenas registered so far, so that links share their regions.
    pub(super) regions: Mutex<Vec<Weak<Region>>>,
    /// How many this process has.
    pub(super) queue_pairs: AtomicUsize,
}

// SAFETY: verbs calls are thread-safe by the API's contract; the handles are freed once, in `drop`.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

impl Device {
    /// The device of that name. One process opens a device once, however many links use it: Thunderbolt devices
    /// allow few contexts and protection domains.
    pub fn open(wanted: &str) -> Result<Arc<Self>, VerbsError> {
        static OPEN: Mutex<Vec<Weak<Device>>> = Mutex::new(Vec::new());
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|device| device.strong_count() > 0);
        if let Some(device) = open.iter().filter_map(Weak::upgrade).find(|device| device.name == wanted) {
            return Ok(device);
        }
        let device = Self::open_anew(wanted)?;
        open.push(Arc::downgrade(&device));
        Ok(device)
    }

    fn open_anew(wanted: &str) -> Result<Arc<Self>, VerbsError> {
        let list = DeviceList::get()?;
        let Some((name, handle)) = list.iter().find(|(name, _)| name == wanted) else {
            let found = list.iter().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
            return Err(VerbsError::NoSuchDevice { wanted: wanted.into(), found });
        };
        let library = list.library;
        // SAFETY: `handle` is in the list, which lives until the end of this function.
        let context = NonNull::new(unsafe { (library.open_device)(handle) })
            .ok_or_else(|| VerbsError::CannotOpen { device: name.clone(), why: last_os_error() })?;
        // SAFETY: an open context.
        let Some(pd) = NonNull::new(unsafe { (library.alloc_pd)(context.as_ptr()) }) else {
            let why = last_os_error();
            // SAFETY: opened above, used by nobody.
            unsafe { (library.close_device)(context.as_ptr()) };
            return Err(VerbsError::Call { device: name, call: "ibv_alloc_pd", why });
        };
        Ok(Arc::new(Self {
            library,
            name,
            context,
            pd,
            regions: Mutex::default(),
            queue_pairs: AtomicUsize::new(0),
        }))
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Facts about the port; only devices with one port are known to us, so it is always port 1.
    pub fn port(&self) -> Result<Port, VerbsError> {
        // SAFETY: plain integers, for which zero is valid.
        let mut attr: sys::PortAttr = unsafe { std::mem::zeroed() };
        // SAFETY: an open context and a struct with room for every version of the attributes.
        let code = unsafe { (self.library.query_port)(self.context.as_ptr(), PORT, &mut attr) };
        self.check("ibv_query_port", code)?;
        let mut gids = Vec::new();
        // A table is short; the bound keeps a broken driver from holding us up.
        for index in 0..attr.gid_tbl_len.clamp(0, 1024) {
            let mut gid = sys::RawGid::default();
            // SAFETY: as above.
            let code = unsafe { (self.library.query_gid)(self.context.as_ptr(), PORT, index, &mut gid) };
            if code == 0 && gid.0 != [0; 16] && index < 256 {
                gids.push((index as u8, Gid(gid.0)));
            }
        }
        Ok(Port {
            state: state_name(attr.state),
            active: attr.state == sys::PORT_ACTIVE,
            mtu: attr.active_mtu,
            link_layer: attr.link_layer,
            lid: attr.lid,
            message_bytes_max: attr.max_msg_sz as usize,
            gids,
        })
    }

    /// Whether the port is active; cheaper than [`Device::port`].
    pub(super) fn is_active(&self) -> bool {
        // SAFETY: plain integers, for which zero is valid.
        let mut attr: sys::PortAttr = unsafe { std::mem::zeroed() };
        // SAFETY: as in `port`.
        let code = unsafe { (self.library.query_port)(self.context.as_ptr(), PORT, &mut attr) };
        code == 0 && attr.state == sys::PORT_ACTIVE
    }

    pub(super) fn library(&self) -> &'static Library {
        self.library
    }

    pub(super) fn context(&self) -> *mut ContextHandle {
        self.context.as_ptr()
    }

    pub(super) fn pd(&self) -> *mut PdHandle {
        self.pd.as_ptr()
    }

    /// Calls of the library return 0 or an error number.
    pub(super) fn check(&self, call: &'static str, code: i32) -> Result<(), VerbsError> {
        if code == 0 { Ok(()) } else { Err(self.failed(call, os_error(code.abs()))) }
    }

    pub(super) fn failed(&self, call: &'static str, why: String) -> VerbsError {
        VerbsError::Call { device: self.name.clone(), call, why }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: whatever was made from these handles keeps an `Arc` of this device, so all of it is gone.
        unsafe {
            (self.library.dealloc_pd)(self.pd.as_ptr());
            (self.library.close_device)(self.context.as_ptr());
        }
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.name)
    }
}

pub(super) const PORT: u8 = 1;

/// What a device's port reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    pub state: &'static str,
    pub active: bool,
    /// The library's code for it: 1 is 256 bytes, 5 is 4096.
    pub mtu: i32,
    pub link_layer: u8,
    pub lid: u16,
    pub message_bytes_max: usize,
    /// Non-zero entries of the GID table with their indices.
    pub gids: Vec<(u8, Gid)>,
}

impl Port {
    pub fn rules(&self) -> Rules {
        Rules::of_link_layer(self.link_layer)
    }

    pub fn mtu_bytes(&self) -> usize {
        128 << self.mtu.clamp(1, 5)
    }

    /// The last GID made from an IPv4 address, with its index. The index is found, never assumed: it depends on what
    /// addresses the interface had before. Later entries are RoCE v2 where a device lists both versions.
    pub fn ipv4_gid(&self) -> Option<(u8, Gid)> {
        self.gids.iter().rev().find(|(_, gid)| gid.ipv4().is_some()).copied()
    }
}

/// A port's address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gid(pub [u8; 16]);

impl Gid {
    pub fn ipv4(self) -> Option<Ipv4Addr> {
        Ipv6Addr::from(self.0).to_ipv4_mapped()
    }
}

impl fmt::Display for Gid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ipv4() {
            Some(v4) => v4.fmt(f),
            None => IpAddr::from(self.0).fmt(f),
        }
    }
}

impl fmt::Debug for Gid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn state_name(state: i32) -> &'static str {
    match state {
        1 => "down",
        2 => "initialising",
        3 => "armed",
        4 => "active",
        5 => "deferred",
        _ => "in an unknown state",
    }
}

struct DeviceList {
    library: &'static Library,
    first: *mut *mut DeviceHandle,
    len: usize,
}

impl DeviceList {
    /// At least one device, or the reason why not.
    fn get() -> Result<Self, VerbsError> {
        let library = Library::get()?;
        let mut len = 0;
        // SAFETY: the call fills `len` and returns an array of that many handles, or null.
        let first = unsafe { (library.get_device_list)(&mut len) };
        if first.is_null() {
            return Err(VerbsError::NoDevice);
        }
        let list = Self { library, first, len: len.max(0) as usize };
        if list.len == 0 { Err(VerbsError::NoDevice) } else { Ok(list) }
    }

    fn iter(&self) -> impl Iterator<Item = (String, *mut DeviceHandle)> + '_ {
        (0..self.len).map(|i| {
            // SAFETY: `i` is within the list; a device's name is a C string that lives as long as the list.
            unsafe {
                let handle = *self.first.add(i);
                let name = (self.library.get_device_name)(handle);
                let name = if name.is_null() {
                    String::new()
                } else {
                    CStr::from_ptr(name).to_string_lossy().into_owned()
                };
                (name, handle)
            }
        })
    }
}

impl Drop for DeviceList {
    fn drop(&mut self) {
        // SAFETY: obtained from `get_device_list`; devices opened from it stay open.
        unsafe { (self.library.free_device_list)(self.first) };
    }
}
