//! What a model takes, and what there is.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use tandem_models::Description;
use tandem_plan::{CacheRoom, CacheWish, cache_room, room_bytes};
use tandem_tensor::{Backend, Footprint, Limits, Program};

use crate::{Kept, Options};

/// Memory counted before loading, so that a model that does not fit is refused with numbers instead of
/// being killed half-way. Of several ranks, this is the one with the least to spare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPlan {
    pub footprint: Footprint,
    /// Tokens one sequence may have.
    pub context: usize,
    /// Tokens the cache holds, of all sequences.
    pub cache_tokens: usize,
    /// Bytes that are free, of which some are left to the rest of the machine.
    pub available: u64,
}

/// One rank's part of a model, and the memory it finds.
#[derive(Clone, Copy)]
pub struct RankPart<'a> {
    pub program: &'a Program,
    /// Bytes that it takes beside its session.
    pub beside: u64,
    /// Bytes that are free for it.
    pub available: u64,
}

impl MemoryPlan {
    /// The limits of all ranks, which hold the same tokens: the one with the least room decides how many.
    pub fn new(
        backend: &dyn Backend,
        ranks: &[RankPart],
        options: &Options,
        model: &Description,
    ) -> Result<(MemoryPlan, Limits), MemoryPlan> {
        let kept = Kept::by(model);
        let wish = CacheWish {
            context: options.context,
            cache_bytes: options.cache_bytes,
            context_trained: model.context,
            sequences_max: options.sequences_max,
        };
        let limits =
            |tokens: usize| options.limits_for(kept, tokens.min(wish.context_trained.max(1)), tokens);
        let footprint = |rank: usize, limits: &Limits| {
            let RankPart { program, beside, .. } = ranks[rank];
            let own = backend.footprint(program, limits);
            Footprint { scratch: own.scratch + beside, ..own }
        };
        let least: Vec<Footprint> = (0..ranks.len()).map(|rank| footprint(rank, &limits(1))).collect();
        let room = |rank: usize| room_bytes(ranks[rank].available);
        let left: Vec<u64> =
            (0..ranks.len()).map(|rank| room(rank).saturating_sub(least[rank].total())).collect();
        // What more tokens add to a session that holds one.
        let cache = |rank: usize, tokens: usize| {
            footprint(rank, &limits(tokens)).total().saturating_sub(least[rank].total())
        };
        let found = match (0..ranks.len()).all(|rank| least[rank].total() <= room(rank)) {
            true => cache_room(&wish, &left, cache).map_err(|none| none.context),
            false => Err(tandem_plan::CONTEXT_MIN),
        };
        let plan = |context: usize, cache_tokens: usize| {
            let limits = options.limits_for(kept, context, cache_tokens);
            let spare = |rank: &usize| {
                i128::from(ranks[*rank].available) - i128::from(footprint(*rank, &limits).total())
            };
            let tightest = (0..ranks.len()).min_by_key(spare).expect("a model has a rank");
            let footprint = footprint(tightest, &limits);
            (MemoryPlan { footprint, context, cache_tokens, available: ranks[tightest].available }, limits)
        };
        match found {
            Ok(CacheRoom { context, tokens }) => Ok(plan(context, tokens)),
            Err(context) => Err(plan(context, context).0),
        }
    }
}

/// Limits for longer batches, where the backend computes prompts better with them and they fit in what is available. Layers with a
/// window have blocks for batches as they were.
pub fn widened(backend: &dyn Backend, program: &Program, limits: Limits, available: u64) -> Limits {
    let wider = Limits { tokens_max: backend.rows_wanted(program, &limits), ..limits };
    let fits = || backend.footprint(program, &wider).total() <= room_bytes(available);
    if wider.tokens_max > limits.tokens_max && limits.window == 0 && fits() { wider } else { limits }
}

impl fmt::Display for MemoryPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Footprint { weights, cache, scratch } = self.footprint;
        write!(
            f,
            "weights {}, working memory {}, cache {}; {} are free, of which a tenth is left to other programs",
            Bytes(weights),
            Bytes(scratch),
            Bytes(cache),
            Bytes(self.available)
        )
    }
}

struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            n if n >= 10_000_000_000 => write!(f, "{:.1} GB", n as f64 / 1e9),
            n if n >= 1_000_000_000 => write!(f, "{:.2} GB", n as f64 / 1e9),
            n => write!(f, "{:.0} MB", n as f64 / 1e6),
        }
    }
}

/// Memory that this process may still give to a model: what the system calls available, or less where a control group limits it,
/// without what was promised to models already. `None` where the system does not say.
pub fn available_bytes() -> Option<u64> {
    let system = system_available()?;
    let available = group_available().map_or(system, |group| group.min(system));
    let promised = PROMISED.lock().unwrap_or_else(PoisonError::into_inner);
    Some(available.saturating_sub(untouched(&promised, resident_bytes)))
}

/// Memory promised to a loaded model, until this is dropped. Caches take their pages as tokens come, so the system
/// still calls them free.
#[derive(Debug)]
pub struct Promise {
    number: u64,
}

/// By number: the process that will take it, and how many bytes.
static PROMISED: Mutex<Vec<(u64, u32, u64)>> = Mutex::new(Vec::new());

impl Promise {
    pub fn new(process: u32, bytes: u64) -> Promise {
        let mut promised = PROMISED.lock().unwrap_or_else(PoisonError::into_inner);
        let number = promised.last().map_or(0, |(last, ..)| last + 1);
        promised.push((number, process, bytes));
        Promise { number }
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        let mut promised = PROMISED.lock().unwrap_or_else(PoisonError::into_inner);
        promised.retain(|(number, ..)| *number != self.number);
    }
}

/// Of what was promised, the bytes that the processes have not taken yet.
fn untouched(promised: &[(u64, u32, u64)], resident: impl Fn(u32) -> Option<u64>) -> u64 {
    let mut processes: Vec<u32> = promised.iter().map(|(_, process, _)| *process).collect();
    processes.sort_unstable();
    processes.dedup();
    let of = |process: u32| {
        let own = promised.iter().filter(|(_, other, _)| *other == process);
        // Where nothing is known of a process, the system's own count is all there is.
        let bytes: u64 = own.map(|(.., bytes)| bytes).sum();
        resident(process).map_or(0, |taken| bytes.saturating_sub(taken))
    };
    processes.into_iter().map(of).sum()
}

/// Memory that a process holds for itself or shares with others; not the pages of files, which the system can drop.
pub fn resident_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let of = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
    };
    Some(of("RssAnon:")? + of("RssShmem:")?)
}

#[cfg(target_os = "linux")]
fn system_available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(target_os = "linux")]
fn group_available() -> Option<u64> {
    let own = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?.trim_start_matches('/');
    let folder = std::path::Path::new("/sys/fs/cgroup").join(path);
    let number = |name| std::fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
    // Pages of files can be dropped when memory is wanted, unless they wait to be written.
    let stat = std::fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let used = number("memory.current")?.saturating_sub(droppable(&stat));
    Some(number("memory.max")?.saturating_sub(used))
}

/// Of a cgroup's `memory.stat`: the bytes of files' pages that can be dropped.
#[cfg(target_os = "linux")]
fn droppable(stat: &str) -> u64 {
    let of = |name: &str| -> u64 {
        let line = stat.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|bytes| bytes.trim().parse().ok()).unwrap_or(0)
    };
    (of("active_file") + of("inactive_file")).saturating_sub(of("file_dirty") + of("file_writeback"))
}

/// macOS gives memory to whoever asks until pressure sets in; three quarters is what its own GPU limit uses.
#[cfg(not(target_os = "linux"))]
fn system_available() -> Option<u64> {
    let output = std::process::Command::new("sysctl").args(["-n", "hw.memsize"]).output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().parse::<u64>().ok()? / 4 * 3)
}

#[cfg(not(target_os = "linux"))]
fn group_available() -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn files_in_the_page_cache_do_not_count_as_used() {
        let stat = "anon 1000\nfile 9000\nshmem 500\nfile_dirty 300\nfile_writeback 200\ninactive_file 6000\nactive_file 2500\n";
        assert_eq!(droppable(stat), 8000);
        assert_eq!(droppable(""), 0);
    }

    #[test]
    fn what_was_promised_and_not_taken_is_not_free() {
        let promised = [(0, 7, 100), (1, 7, 50), (2, 8, 30), (3, 9, 1000)];
        let resident =
            |process| [(7, 40), (8, 31)].iter().find(|(id, _)| *id == process).map(|(_, taken)| *taken);
        // Of 7, 110; 8 has more than was said; of 9 nothing is known.
        assert_eq!(untouched(&promised, resident), 110);
        let before = PROMISED.lock().unwrap().len();
        let promise = Promise::new(7, 1);
        assert_eq!(PROMISED.lock().unwrap().len(), before + 1);
        drop(promise);
        assert_eq!(PROMISED.lock().unwrap().len(), before);
        assert!(resident_bytes(std::process::id()).is_some_and(|bytes| bytes > 0));
    }

    /// Takes a byte for every row of a batch.
    struct Rows(usize);

    impl Backend for Rows {
        fn name(&self) -> String {
            "rows".into()
        }

        fn rows_wanted(&self, _: &Program, _: &Limits) -> usize {
            self.0
        }

        fn footprint(&self, _: &Program, limits: &Limits) -> Footprint {
            Footprint { scratch: limits.tokens_max as u64, ..Footprint::default() }
        }

        fn open(
            &self,
            _: std::sync::Arc<Program>,
            _: Limits,
            _: &dyn tandem_tensor::WeightSource,
            _: &(dyn Fn(u64) + Sync),
        ) -> Result<Box<dyn tandem_tensor::Session>, tandem_tensor::OpenError> {
            unreachable!("nothing is opened")
        }
    }

    #[test]
    fn batches_are_longer_where_that_is_wanted_and_fits() {
        let (program, limits) = (Program::default(), Options::default().limits());
        let rows = |wanted, limits, available| widened(&Rows(wanted), &program, limits, available).tokens_max;
        assert_eq!(rows(2048, limits, 1 << 20), 2048);
        assert_eq!(rows(2048, limits, 1024), limits.tokens_max);
        assert_eq!(rows(16, limits, 1 << 20), limits.tokens_max);
        // Windows have blocks for batches as they were.
        assert_eq!(rows(2048, Limits { window: 64, ..limits }, 1 << 20), limits.tokens_max);
    }
}
