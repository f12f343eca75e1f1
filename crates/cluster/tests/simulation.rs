//! Whole clusters through crashes, hangs, partitions, loss, reordering and clock jumps, by seed.
//!
//! A seed that fails is printed; `TANDEM_SEED=17 cargo test -p tandem-cluster --test simulation` runs it alone, and
//! `TANDEM_SEEDS=100000` runs that many.

mod simulation {
    pub mod random;
    pub mod world;
}
use simulation::world::{Faults, World};

fn run(seed: u64, plant: impl Fn(&mut Faults)) -> World {
    let mut faults = Faults::from_seed(seed);
    plant(&mut faults);
    let mut world = World::new(seed, faults);
    world.run();
    world
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} must be a number, found `{text}`")))
}

#[test]
fn a_thousand_seeds_hold_what_must_hold() {
    if let Some(seed) = number("TANDEM_SEED") {
        let world = run(seed, |_| {});
        assert!(
            world.violations.is_empty(),
            "seed {seed}: {:#?}\n{:?}",
            world.violations,
            Faults::from_seed(seed)
        );
        return;
    }
    let seeds = number("TANDEM_SEEDS").unwrap_or(1000);
    let halves = [(0..seeds / 2), (seeds / 2..seeds)];
    let (mut answered, mut generations) = (0, 0);
    std::thread::scope(|scope| {
        let runs = halves.map(|half| {
            scope.spawn(move || {
                let (mut answered, mut generations) = (0, 0);
                for seed in half {
                    let world = run(seed, |_| {});
                    assert!(
                        world.violations.is_empty(),
                        "replay with TANDEM_SEED={seed}: {:#?}\n{:?}",
                        world.violations,
                        Faults::from_seed(seed)
                    );
                    answered += world.answered;
                    generations += world.generations;
                }
                (answered, generations)
            })
        });
        for run in runs {
            let (more_answered, more_generations) =
                run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            answered += more_answered;
            generations += more_generations;
        }
    });
    println!("{seeds} seeds, {answered} requests answered, {generations} generations");
    assert!(answered as u64 > seeds * 5 && generations as u64 > seeds * 2, "the worlds did too little");
}

/// The planted bug: a disk that loses the last write when its node crashes. A coordinator then forgets a generation it gave
/// out, and gives it out again.
#[test]
fn a_forgetful_disk_is_found() {
    let plant = |faults: &mut Faults| {
        faults.forgetful_disk = true;
        faults.crashes += 4;
    };
    let found = (0..400).find_map(|seed| run(seed, plant).violations.first().cloned());
    let found = found.expect("the simulation did not find the planted bug");
    assert!(found.contains("given out twice") || found.contains("two owners"), "{found}");
}

/// A second planted bug: an answer said twice on its way from the worker.
#[test]
fn a_repeated_answer_is_found() {
    let found = (0..50)
        .find_map(|seed| run(seed, |faults| faults.repeated_answers = true).violations.first().cloned());
    let found = found.expect("the simulation did not find the planted bug");
    assert!(found.contains("got a token twice") || found.contains("never streamed"), "{found}");
}
