//! Activations in memory that other ranks see.

// The kernels write through a pointer to a buffer whose owner is kept here.
#![allow(unsafe_code)]

use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

use tandem_fabric::{Arena, Buf};
use tandem_tensor::{Lender, Lent};

struct Registered {
    start: NonNull<u8>,
    len: usize,
    _buf: Buf,
}

// SAFETY: plain memory with one owner.
unsafe impl Send for Registered {}
// SAFETY: as above; a shared reference gives no access but through the pointer, which is for whoever it was lent to.
unsafe impl Sync for Registered {}

// SAFETY: the buffer is owned here and never touched; buffers of an arena stay where they are, and are aligned to 128 bytes.
unsafe impl Lent for Registered {
    fn start(&self) -> NonNull<u8> {
        self.start
    }

    fn len(&self) -> usize {
        self.len
    }
}

/// Lends what `arena` has, once there is one.
pub fn lender(arena: &Arc<OnceLock<Arena>>) -> Lender {
    let arena = Arc::clone(arena);
    Arc::new(move |len| {
        let mut buf = arena.get()?.alloc_zeroed::<u8>(len).ok()?;
        let start = NonNull::new(buf.as_mut_ptr())?;
        Some(Box::new(Registered { start, len, _buf: buf }) as Box<dyn Lent>)
    })
}
