//! Unsafe because it hands memory to a device.
#![allow(unsafe_code)]

use std::{
    ptr::NonNull,
    sync::{Arc, PoisonError, Weak},
};

use super::{
    device::Device,
    error::{VerbsError, last_os_error},
    rules::{Rules, THUNDERBOLT_REGIONS_MAX},
    sys::{self, MrHandle, Sge},
};
use crate::Arena;

/// A whole arena registered with a device. Devices allow few regions (Thunderbolt about 100), so buffers are parts of one.
pub struct Region {
    handle: NonNull<MrHandle>,
    lkey: u32,
    arena: Arena,
    device: Arc<Device>,
}

// SAFETY: the handle is only used to deregister, once, in `drop`.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

const NO_CROSSING: usize = 4 << 30;

impl Region {
    /// The region of `arena` on `device`, registered if it is not yet.
    pub fn of(device: &Arc<Device>, arena: &Arena, rules: Rules) -> Result<Arc<Self>, VerbsError> {
        let mut regions = device.regions.lock().unwrap_or_else(PoisonError::into_inner);
        regions.retain(|region| region.strong_count() > 0);
        // A live region holds its arena's mapping, so equal addresses mean the same arena.
        let same = |region: &Arc<Self>| region.arena.base() == arena.base();
        if let Some(region) = regions.iter().filter_map(Weak::upgrade).find(same) {
            return Ok(region);
        }
        if rules == Rules::Thunderbolt && regions.len() >= THUNDERBOLT_REGIONS_MAX {
            let why = format!("all {THUNDERBOLT_REGIONS_MAX} regions are in use; use fewer, larger arenas");
            return Err(device.failed("ibv_reg_mr", why));
        }
        let region = Self::register(device, arena, rules)?;
        regions.push(Arc::downgrade(&region));
        Ok(region)
    }

    fn register(device: &Arc<Device>, arena: &Arena, rules: Rules) -> Result<Arc<Self>, VerbsError> {
        let (start, len) = (arena.base().as_ptr() as usize, arena.len());
        if rules == Rules::Thunderbolt && start / NO_CROSSING != (start + len - 1) / NO_CROSSING {
            return Err(VerbsError::CrossesBoundary { start, len });
        }
        // Nobody gets our keys, yet the remote rights are asked for: macOS was seen to refuse local write alone.
        let access = sys::ACCESS_LOCAL_WRITE | sys::ACCESS_REMOTE_READ | sys::ACCESS_REMOTE_WRITE;
        // SAFETY: the arena's memory stays mapped while `arena`, kept below, lives.
        let handle =
            unsafe { (device.library().reg_mr)(device.pd(), arena.base().as_ptr().cast(), len, access) };
        let handle = NonNull::new(handle).ok_or_else(|| device.failed("ibv_reg_mr", last_os_error()))?;
        // SAFETY: a fresh region.
        let lkey = unsafe { handle.as_ref().lkey };
        Ok(Arc::new(Self { handle, lkey, arena: arena.clone(), device: device.clone() }))
    }

    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// What a device needs to know about `offset..offset + len`.
    pub(super) fn part(&self, offset: usize, len: usize) -> Sge {
        debug_assert!(offset + len <= self.arena.len());
        Sge { addr: self.arena.base().as_ptr() as u64 + offset as u64, length: len as u32, lkey: self.lkey }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: queue pairs keep an `Arc` of the regions they use, so none of them uses this one any more.
        unsafe { (self.device.library().dereg_mr)(self.handle.as_ptr()) };
    }
}
