//! Counts what a closure holds in memory at its worst.
#![allow(unsafe_code)] // an allocator is unsafe by nature

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Per thread, so that tests running side by side do not count one another's.
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

pub struct Counting;

// SAFETY: every call goes to the system's allocator unchanged; the counters never allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

pub fn most_allocated(run: impl FnOnce()) -> usize {
    let before = HELD.get();
    MOST.set(before);
    run();
    (MOST.get() - before) as usize
}

fn count(bytes: isize) {
    // Gone while a thread ends; what it frees then is of no interest.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
    });
}
