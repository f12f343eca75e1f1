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
