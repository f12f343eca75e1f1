//! All-reduces of activations through memory allocate nothing. In a file of its own, because the allocator counts for the whole program.
#![allow(unsafe_code)] // A counting allocator.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    thread,
    time::Duration,
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
    // Two ranks read everything from each other; three share out what is longer.
    for ranks in [2, 3] {
        let arenas: Vec<_> = (0..ranks).map(|_| Arena::new(1 << 20).unwrap()).collect();
        let mut links: Vec<Vec<Option<Box<dyn Link>>>> =
            (0..ranks).map(|_| (0..ranks).map(|_| None).collect()).collect();
        for a in 0..ranks {
            for b in a + 1..ranks {
                let (rank_a, rank_b) = (Rank(a as u16), Rank(b as u16));
                let (one, two) = ShmLink::pair((rank_a, &arenas[a]), (rank_b, &arenas[b])).unwrap();
                links[a][b] = Some(Box::new(one));
                links[b][a] = Some(Box::new(two));
            }
        }
        thread::scope(|scope| {
            for (me, (links, arena)) in links.into_iter().zip(&arenas).enumerate() {
                scope.spawn(move || {
                    let me = Rank(me as u16);
                    let timeout = Duration::from_secs(60);
                    let options = GroupOptions { timeout, ..GroupOptions::default() };
                    let mut group = Group::form(me, links, arena, options).unwrap();
                    let mut buf = arena.alloc_zeroed::<f32>(8192).unwrap();
                    let mut values = vec![1.0f32; 2048];
                    let mut before = 0;
                    for round in 0..600 {
                        if round == 100 {
                            before = ALLOCATIONS.with(Cell::get);
                        }
                        group.all_reduce::<f32>(&mut buf, 2048, Op::Sum).unwrap();
                        group.all_reduce::<f32>(&mut buf, 8192, Op::Sum).unwrap();
                        group.sum(&mut values).unwrap();
                        group.barrier().unwrap();
                    }
                    assert_eq!(ALLOCATIONS.with(Cell::get), before, "{me} of {ranks} allocated");
                });
            }
        });
    }
}
