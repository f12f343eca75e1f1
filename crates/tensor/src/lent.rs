//! Memory that a backend is lent, such as registered memory that other ranks see.

// The trait's promise is about raw memory.
#![allow(unsafe_code)]

use std::ptr::NonNull;
use std::sync::Arc;

/// Lent memory begins at a multiple of this: a cache line, and a whole vector register.
pub const ALIGNMENT: usize = 64;

/// Memory that somebody else keeps, such as registered memory that other processes see.
///
/// # Safety
/// `start` is always the same, the first of `len` bytes that are zero at first, readable, writable and alive as long as this value,
/// aligned to [`ALIGNMENT`], and touched by nobody else in this process.
pub unsafe trait Lent: Send + Sync {
    fn start(&self) -> NonNull<u8>;
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Lends memory of a size, or does not.
pub type Lender = Arc<dyn Fn(usize) -> Option<Box<dyn Lent>> + Send + Sync>;

/// Lends memory that nobody else has: for tests of what backends do with it.
pub fn own_lender() -> Lender {
    Arc::new(|len| {
        let mut lines = vec![Line([0; ALIGNMENT]); len.div_ceil(ALIGNMENT)].into_boxed_slice();
        let start = NonNull::from(&mut *lines).cast();
        Some(Box::new(Own { start, len, lines: Box::into_raw(lines) }) as Box<dyn Lent>)
    })
}

#[derive(Clone)]
#[repr(align(64))]
struct Line(#[allow(dead_code)] [u8; ALIGNMENT]);

struct Own {
    start: NonNull<u8>,
    len: usize,
    lines: *mut [Line],
}

// SAFETY: plain memory with one owner, which gives no access but through the pointer it lends.
unsafe impl Send for Own {}
// SAFETY: as above.
unsafe impl Sync for Own {}

// SAFETY: the lines are aligned, zero at first, and freed with this value.
unsafe impl Lent for Own {
    fn start(&self) -> NonNull<u8> {
        self.start
    }

    fn len(&self) -> usize {
        self.len
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // SAFETY: it came from a box and was not given back before.
        drop(unsafe { Box::from_raw(self.lines) });
    }
}
