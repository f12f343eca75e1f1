//! Every collective against a naive oracle, for every rank count, topology and algorithm.

use std::{ops::Range, thread};

use half::{bf16, f16};
use tandem_collectives::{Algorithm, Cost, Element, Group, GroupError, GroupOptions, Op, RANKS_MAX};
use tandem_fabric::{Arena, Faults, Link, MemLink, Rank, ShmLink};

type Links = Vec<Option<Box<dyn Link>>>;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Wiring {
    Mesh,
    Shm,
    Ring,
    Chain,
    Star,
    /// Ranks of one host share memory; hosts are linked otherwise.
    Hosts(usize),
}

fn linked(wiring: Wiring, ranks: usize, a: usize, b: usize) -> bool {
    match wiring {
        Wiring::Mesh | Wiring::Shm | Wiring::Hosts(_) => true,
        Wiring::Ring => b == a + 1 || (a == 0 && b == ranks - 1),
        Wiring::Chain => b == a + 1,
        Wiring::Star => a == ranks / 2 || b == ranks / 2,
    }
}

/// Runs `program` on every rank of a group, and gives their results in rank order.
fn run<T: Send>(
    ranks: usize,
    wiring: Wiring,
    faults: Faults,
    program: impl Fn(&mut Group) -> Result<T, GroupError> + Sync,
) -> Vec<T> {
    let arenas: Vec<_> = (0..ranks).map(|_| Arena::new(24 << 20).unwrap()).collect();
    let mut links: Vec<Links> = (0..ranks).map(|_| (0..ranks).map(|_| None).collect()).collect();
    for a in 0..ranks {
        for b in a + 1..ranks {
            if !linked(wiring, ranks, a, b) {
                continue;
            }
            let near = match wiring {
                Wiring::Shm => true,
                Wiring::Hosts(per_host) => a / per_host == b / per_host,
                _ => false,
            };
            let (rank_a, rank_b) = (Rank(a as u16), Rank(b as u16));
            let (one, two): (Box<dyn Link>, Box<dyn Link>) = if near {
                let (one, two) = ShmLink::pair((rank_a, &arenas[a]), (rank_b, &arenas[b])).unwrap();
                (Box::new(one), Box::new(two))
            } else {
                let (one, two) = MemLink::pair(rank_a, rank_b, [faults, faults], true);
                (Box::new(one), Box::new(two))
            };
            links[a][b] = Some(one);
            links[b][a] = Some(two);
        }
    }
    let program = &program;
    thread::scope(|scope| {
        let handles: Vec<_> = links
            .into_iter()
            .zip(&arenas)
            .enumerate()
            .map(|(me, (links, arena))| {
                scope.spawn(move || {
                    let options = GroupOptions {
                        timeout: std::time::Duration::from_secs(60),
                        cost: Some(Cost { latency_us: 1.0, bytes_per_us: 1000.0 }),
                        ..GroupOptions::default()
                    };
                    let mut group = Group::form(Rank(me as u16), links, arena, options)?;
                    program(&mut group)
                })
            })
            .collect();
        let results: Vec<_> = handles.into_iter().map(|handle| handle.join().unwrap()).collect();
        results
            .into_iter()
            .enumerate()
            .map(|(rank, r)| r.unwrap_or_else(|e| panic!("rank {rank}: {e}")))
            .collect()
    })
}

fn value(rank: usize, index: usize) -> f32 {
    let mixed = (rank * 7919 + index * 104_729) as u32;
    (mixed.wrapping_mul(2_654_435_761) >> 16) as f32 / 4096.0 - 8.0
}

fn fill<T: Element>(buf: &mut [T], rank: usize) {
    let values: Vec<f32> = (0..buf.len()).map(|index| value(rank, index)).collect();
    T::store(&values, buf);
}

fn wide<T: Element>(values: &[T]) -> Vec<f32> {
    let mut out = vec![0.0; values.len()];
    T::load(values, &mut out);
    out
}

/// In rank order, in f32, rounded once.
fn oracle<T: Element>(ranks: Range<usize>, count: usize, op: Op) -> Vec<T> {
    let mut sum: Vec<f32> = Vec::new();
    for rank in ranks {
        let mut theirs = vec![T::zeroed(); count];
        fill(&mut theirs, rank);
        if sum.is_empty() { sum = wide(&theirs) } else { T::combine(op, &mut sum, &theirs) }
    }
    let mut out = vec![T::zeroed(); count];
    T::store(&sum, &mut out);
    out
}

fn all_reduce<T: Element + PartialEq + std::fmt::Debug>(
    ranks: usize,
    wiring: Wiring,
    algorithm: Option<Algorithm>,
    counts: &[usize],
    op: Op,
) {
    let results = run(ranks, wiring, Faults::default(), |group| {
        if group.size() > 1 {
            group.force(algorithm);
        }
        let mut results = Vec::new();
        for &count in counts {
            // Longer than needed, so that what follows is seen to be left alone.
            let mut buf = group.arena().alloc((count + 5) * size_of::<T>())?;
            fill(buf.view_mut::<T>(), group.rank().index());
            let rest = buf.view::<T>()[count..].to_vec();
            group.all_reduce::<T>(&mut buf, count, op)?;
            assert_eq!(buf.view::<T>()[count..], rest[..]);
            results.push(buf.view::<T>()[..count].to_vec());
        }
        group.barrier()?;
        Ok(results)
    });
    for (i, &count) in counts.iter().enumerate() {
        let expected = oracle::<T>(0..ranks, count, op);
        let exact = matches!(
            algorithm,
            Some(Algorithm::Direct | Algorithm::Board | Algorithm::Mesh | Algorithm::Scatter)
        );
        for (rank, result) in results.iter().enumerate() {
            let what =
                format!("{ranks} ranks, {wiring:?}, {algorithm:?}, {count} elements, {op:?}, rank {rank}");
            assert!(results[0][i] == result[i], "bits differ between ranks: {what}");
            if exact {
                assert!(result[i] == expected, "{what}");
            } else {
                let tolerance = if T::NARROW { 0.6 } else { 2e-4 };
                let near =
                    wide(&result[i]).iter().zip(wide(&expected)).all(|(a, b)| (a - b).abs() <= tolerance);
                assert!(near, "{what}");
            }
        }
    }
}

const COUNTS: [usize; 9] = [0, 1, 2, 17, 1000, 2048, 4097, 8192, 100_003];

#[test]
fn all_reduce_over_a_mesh() {
    for ranks in 1..=RANKS_MAX {
        for algorithm in [
            None,
            Some(Algorithm::Mesh),
            Some(Algorithm::Scatter),
            Some(Algorithm::Ring),
            Some(Algorithm::Tree),
        ] {
            all_reduce::<f32>(ranks, Wiring::Mesh, algorithm, &COUNTS, Op::Sum);
        }
    }
}

#[test]
fn all_reduce_through_memory() {
    for ranks in 1..=RANKS_MAX {
        all_reduce::<f32>(ranks, Wiring::Shm, Some(Algorithm::Direct), &COUNTS, Op::Sum);
        all_reduce::<f32>(ranks, Wiring::Shm, Some(Algorithm::Board), &COUNTS, Op::Sum);
    }
    for ranks in [2, 3, 5] {
        for algorithm in [Algorithm::Mesh, Algorithm::Scatter, Algorithm::Ring, Algorithm::Tree] {
            all_reduce::<f32>(ranks, Wiring::Shm, Some(algorithm), &COUNTS, Op::Sum);
        }
    }
}

#[test]
fn all_reduce_of_narrow_types_and_other_operations() {
    for ranks in [2, 3, 4, 7] {
        for (wiring, algorithm) in [
            (Wiring::Shm, Algorithm::Direct),
            (Wiring::Shm, Algorithm::Board),
            (Wiring::Mesh, Algorithm::Mesh),
            (Wiring::Mesh, Algorithm::Scatter),
            (Wiring::Mesh, Algorithm::Ring),
            (Wiring::Mesh, Algorithm::Tree),
        ] {
            all_reduce::<f16>(ranks, wiring, Some(algorithm), &[0, 3, 1000, 5001], Op::Sum);
            all_reduce::<bf16>(ranks, wiring, Some(algorithm), &[0, 3, 1000, 5001], Op::Sum);
            all_reduce::<f32>(ranks, wiring, Some(algorithm), &[5001], Op::Max);
            all_reduce::<f32>(ranks, wiring, Some(algorithm), &[5001], Op::Min);
        }
    }
}

#[test]
fn all_reduce_where_the_mesh_is_incomplete() {
    for ranks in 2..=RANKS_MAX {
        for wiring in [Wiring::Ring, Wiring::Chain, Wiring::Star] {
            all_reduce::<f32>(ranks, wiring, None, &[1, 1000, 200_001], Op::Sum);
        }
    }
}

#[test]
fn all_reduce_over_hosts() {
    for (ranks, per_host) in [(4, 2), (6, 3), (5, 2), (7, 3), (8, 4), (16, 4)] {
        all_reduce::<f32>(ranks, Wiring::Hosts(per_host), Some(Algorithm::Hierarchical), &COUNTS, Op::Sum);
        all_reduce::<f16>(ranks, Wiring::Hosts(per_host), Some(Algorithm::Hierarchical), &[1000], Op::Sum);
        all_reduce::<f32>(ranks, Wiring::Hosts(per_host), None, &COUNTS, Op::Sum);
    }
}

#[test]
fn the_other_collectives() {
    for wiring in [Wiring::Mesh, Wiring::Shm, Wiring::Chain, Wiring::Ring, Wiring::Star, Wiring::Hosts(2)] {
        for ranks in 1..=RANKS_MAX {
            run(ranks, wiring, Faults::default(), |group| everything(group, 300));
        }
    }
}

/// One of each, checked.
fn everything(group: &mut Group, grain: usize) -> Result<(), GroupError> {
    let (me, ranks) = (group.rank().index(), group.size());
    // Unequal parts, some of them empty.
    let counts: Vec<usize> = (0..ranks).map(|rank| rank * grain % (4 * grain + 1)).collect();
    let starts: Vec<usize> = (0..ranks).map(|rank| counts[..rank].iter().sum()).collect();
    let total: usize = counts.iter().sum();

    let mut buf = group.arena().alloc(total * 4)?;
    fill(buf.view_mut::<f32>(), me);
    group.reduce_scatter::<f32>(&mut buf, &counts, Op::Sum)?;
    let expected = oracle::<f32>(0..ranks, total, Op::Sum);
    let mine = starts[me]..starts[me] + counts[me];
    let near = buf.view::<f32>()[mine.clone()].iter().zip(&expected[mine]).all(|(a, b)| (a - b).abs() < 2e-4);
    assert!(near, "reduce_scatter of {ranks}");

    let mut buf = group.arena().alloc(total + 3)?;
    buf.fill(0);
    buf[starts[me]..starts[me] + counts[me]].fill(me as u8 + 1);
    group.all_gather(&mut buf, &counts)?;
    for rank in 0..ranks {
        assert!(buf[starts[rank]..starts[rank] + counts[rank]].iter().all(|&byte| byte == rank as u8 + 1));
    }
    assert_eq!(buf[total..], [0; 3]);

    for root in [0, ranks / 2, ranks - 1] {
        let mut buf = group.arena().alloc(grain + 7)?;
        buf.fill(me as u8);
        group.broadcast(&mut buf, grain, Rank(root as u16))?;
        assert!(buf[..grain].iter().all(|&byte| byte == root as u8));
        assert!(buf[grain..].iter().all(|&byte| byte == me as u8));
    }

    // Along the chain, which every wiring but the star has.
    if (1..ranks).all(|rank| group.topology().has(Rank(rank as u16 - 1), Rank(rank as u16))) {
        let mut buf = group.arena().alloc(100)?;
        buf.fill(1);
        if me > 0 {
            group.recv(&mut buf, 80, Rank(me as u16 - 1))?;
            assert!(buf[..80].iter().all(|&byte| byte == me as u8));
        }
        if me + 1 < ranks {
            buf[..80].fill(me as u8 + 1);
            group.send(&mut buf, 80, Rank(me as u16 + 1))?;
        }
    }
    group.barrier()?;

    // Started, with other work meanwhile.
    let mut buf = group.arena().alloc(grain * 4)?;
    fill(buf.view_mut::<f32>(), me);
    let pending = group.start_all_reduce::<f32>(buf, grain, Op::Sum)?;
    assert!(matches!(group.barrier(), Err(GroupError::Usage(_))));
    let buf = group.finish(pending)?;
    let expected = oracle::<f32>(0..ranks, grain, Op::Sum);
    assert!(buf.view::<f32>().iter().zip(&expected).all(|(a, b)| (a - b).abs() < 2e-4));
    group.barrier()
}

#[test]
fn teams_work_side_by_side() {
    for wiring in [Wiring::Mesh, Wiring::Shm] {
        run(7, wiring, Faults::default(), |group| {
            let me = group.rank().index();
            let team: Vec<_> = (0..7u16).filter(|rank| usize::from(*rank) % 2 == me % 2).map(Rank).collect();
            let team = group.team(&team)?;
            for count in [10, 5000] {
                let mut buf = group.arena().alloc(count * 4)?;
                buf.view_mut::<f32>().fill(me as f32);
                group.on(&team).all_reduce::<f32>(&mut buf, count, Op::Sum)?;
                let expected = if me % 2 == 0 { 12.0 } else { 9.0 };
                assert!(buf.view::<f32>().iter().all(|&sum| sum == expected));
                group.on(&team).barrier()?;
            }
            let mut buf = group.arena().alloc(4)?;
            buf.view_mut::<f32>().fill(1.0);
            group.all_reduce::<f32>(&mut buf, 1, Op::Sum)?;
            assert_eq!(buf.view::<f32>(), [7.0]);
            group.barrier()
        });
    }
}

#[test]
fn delays_change_nothing() {
    for seed in 0..4 {
        let faults = Faults { seed, delay_us_max: 300, ..Faults::default() };
        for wiring in [Wiring::Mesh, Wiring::Chain] {
            run(4, wiring, faults, |group| everything(group, 500));
        }
    }
}

#[test]
fn measured_links_give_one_choice() {
    for wiring in [Wiring::Mesh, Wiring::Chain] {
        let costs = run(4, wiring, Faults::default(), |group| {
            group.measure()?;
            everything(group, 100)?;
            Ok(group.topology().cost)
        });
        assert!(costs.iter().all(|cost| *cost == costs[0] && cost.latency_us > 0.0), "{costs:?}");
    }
}

#[test]
fn ranks_out_of_step_are_told() {
    let results = run(2, Wiring::Shm, Faults::default(), |group| {
        let count = 10 + group.rank().index();
        let mut buf = group.arena().alloc(100)?;
        Ok(group.all_reduce::<f32>(&mut buf, count, Op::Sum))
    });
    assert!(results.iter().any(|result| matches!(result, Err(GroupError::Mismatch { .. }))), "{results:?}");
}

/// Small sums are read from everyone, large ones shared out; both in rank order, whatever lies between.
#[test]
fn sums_of_values_anywhere() {
    let counts = [1, 17, 576, 2048, 9000, 100_000];
    for (ranks, wiring) in
        [(1, Wiring::Shm), (2, Wiring::Shm), (3, Wiring::Shm), (4, Wiring::Mesh), (7, Wiring::Shm)]
    {
        let results = run(ranks, wiring, Faults::default(), |group| {
            let me = group.rank().index();
            let mut results = Vec::new();
            // Several times in a row, so that contributions are written over while others may still read.
            for &count in counts.iter().cycle().take(5 * counts.len()) {
                let mut values: Vec<f32> = (0..count).map(|index| value(me, index)).collect();
                group.sum(&mut values)?;
                results.push(values);
            }
            group.barrier()?;
            Ok(results)
        });
        for found in results {
            for (count, found) in counts.iter().cycle().zip(found) {
                assert_eq!(found, oracle::<f32>(0..ranks, *count, Op::Sum), "{count} values, {ranks} ranks");
            }
        }
    }
}
