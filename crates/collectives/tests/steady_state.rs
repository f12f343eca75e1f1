//! All-reduces of activations through memory allocate nothing. In a file of its own, because the allocator counts for the whole program.
#![allow(unsafe_code)] // A counting allocator.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    thread,
};

use tandem_collectives::{Group, GroupOptions, Op};
use tandem_fabric::{Arena, Link, Rank, ShmLink};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is passed to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn all_reduce_through_memory_does_not_allocate() {
    let arenas = [Arena::new(1 << 20).unwrap(), Arena::new(1 << 20).unwrap()];
    let (a, b) = ShmLink::pair((Rank(0), &arenas[0]), (Rank(1), &arenas[1])).unwrap();
    let links: [Box<dyn Link>; 2] = [Box::new(a), Box::new(b)];
    thread::scope(|scope| {
        for (me, (link, arena)) in links.into_iter().zip(&arenas).enumerate() {
            scope.spawn(move || {
                let links = if me == 0 { vec![None, Some(link)] } else { vec![Some(link), None] };
                let mut group = Group::form(Rank(me as u16), links, arena, GroupOptions::default()).unwrap();
                let mut buf = arena.alloc_zeroed::<f32>(2048).unwrap();
                let mut values = vec![1.0f32; 2048];
                let mut before = 0;
                for round in 0..600 {
                    if round == 100 {
                        before = ALLOCATIONS.with(Cell::get);
                    }
                    group.all_reduce::<f32>(&mut buf, 2048, Op::Sum).unwrap();
                    group.sum(&mut values).unwrap();
                    group.barrier().unwrap();
                }
                assert_eq!(ALLOCATIONS.with(Cell::get), before, "rank {me} allocated");
            });
        }
    });
}
