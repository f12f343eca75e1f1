//! Weights and caches that stay in the memory of a Mac's GPU while nothing runs. macOS takes back what a GPU has not used for a second or so, and the
//! next token then waits until all of it is wired again: a quarter of a second for 7 GB.
//!
//! Read against Apple's headers and wgpu-hal's sources; never run on a Mac.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use objc2::rc::Retained;
use objc2::runtime::{NSObjectProtocol, ProtocolObject};
use objc2::sel;
use objc2_metal::{MTLDevice, MTLResidencySet, MTLResidencySetDescriptor, MTLResourceOptions};
use wgpu::hal::metal::Device;
use wgpu::{Buffer, BufferDescriptor};

use super::Api;
use crate::device::Gpu;

/// How often macOS is asked, and for how long after the last step: a machine that is not used shall have its memory back.
const ASKED_EVERY: Duration = Duration::from_millis(500);
const KEPT: Duration = Duration::from_secs(180);

/// A set of buffers, which macOS is asked to keep until this is dropped.
pub struct Residency {
    shared: Arc<Shared>,
}

struct Shared {
    set: Set,
    /// When the last step began; none once the session has ended.
    used: Mutex<Option<Instant>>,
    changed: Condvar,
}

struct Set(Retained<ProtocolObject<dyn MTLResidencySet>>);

// SAFETY: Metal's objects may be used from any thread. What changes the set is called before another thread knows it; after that it is
// only asked for, by one thread, and given up when nobody has it any more.
#[allow(unsafe_code)]
unsafe impl Send for Set {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Set {}

impl Residency {
    /// None before macOS 15, which has no such sets.
    #[allow(unsafe_code)]
    pub fn new(gpu: &Gpu) -> Option<Residency> {
        // SAFETY: the device is only asked for a set.
        let device = unsafe { gpu.device.as_hal::<Api>() }?;
        let device = device.raw_device();
        if !device.respondsToSelector(sel!(newResidencySetWithDescriptor:error:)) {
            return None;
        }
        let set = device.newResidencySetWithDescriptor_error(&MTLResidencySetDescriptor::new()).ok()?;
        let (used, changed) = (Mutex::new(Some(Instant::now())), Condvar::new());
        Some(Residency { shared: Arc::new(Shared { set: Set(set), used, changed }) })
    }

    /// A buffer of the set; `None` where there is no memory for it. What is in it is not known.
    #[allow(unsafe_code)]
    pub fn buffer(&self, gpu: &Gpu, descriptor: &BufferDescriptor) -> Option<Buffer> {
        // SAFETY: the device is only asked for a buffer, of the size that wgpu is told.
        unsafe {
            let device = gpu.device.as_hal::<Api>()?;
            let options = MTLResourceOptions::StorageModePrivate;
            let raw = device.raw_device().newBufferWithLength_options(descriptor.size as usize, options)?;
            self.shared.set.0.addAllocation(ProtocolObject::from_ref(&*raw));
            let buffer = Device::buffer_from_raw(raw, descriptor.size);
            Some(gpu.device.create_buffer_from_hal::<Api>(buffer, descriptor))
        }
    }

    /// From now on the set is kept. Buffers that come later are not in it.
    pub fn keep(&self) {
        self.shared.set.0.commit();
        self.shared.set.0.requestResidency();
        let shared = Arc::clone(&self.shared);
        let asks = move || shared.ask();
        // Without it, the first token after a pause comes later.
        let _ = std::thread::Builder::new().name("tandem-residency".into()).spawn(asks);
    }

    /// A step begins.
    pub fn touch(&self) {
        let mut used = self.shared.used.lock().unwrap_or_else(PoisonError::into_inner);
        let slept = used.is_some_and(|used| used.elapsed() > KEPT);
        *used = Some(Instant::now());
        if slept {
            self.shared.changed.notify_one();
        }
    }
}

impl Shared {
    /// Ask again and again, until nobody needs it any more.
    fn ask(&self) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(last) = *used {
            if last.elapsed() > KEPT {
                used = self.changed.wait(used).unwrap_or_else(PoisonError::into_inner);
            } else {
                // Steps do not wait for the system.
                drop(used);
                self.set.0.requestResidency();
                let again = self.used.lock().unwrap_or_else(PoisonError::into_inner);
                let goes_on = |used: &mut Option<Instant>| used.is_some();
                let waited = self.changed.wait_timeout_while(again, ASKED_EVERY, goes_on);
                used = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.set.0.endResidency();
    }
}

impl Drop for Residency {
    fn drop(&mut self) {
        *self.shared.used.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.shared.changed.notify_one();
    }
}
