//! What a model takes, and what there is.

use std::fmt;

use tandem_models::Description;
use tandem_tensor::{Backend, Limits, Program};

use crate::{Kept, Options};

/// Memory counted before loading, so that a model that does not fit is refused with numbers instead of
/// being killed half-way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPlan {
    pub weights: u64,
    /// Activations and the like.
    pub scratch: u64,
    /// Cache bytes for a thousand tokens of context.
    pub cache_per_1k: u64,
    /// Cache bytes of layers that keep only a window, for all sequences.
    pub windows: u64,
    /// Bytes of what layers keep beside keys and values, for all sequences.
    pub states: u64,
    /// Tokens one sequence may have.
    pub context: usize,
    /// Tokens the cache holds, of all sequences.
    pub cache_tokens: usize,
    pub available: u64,
}

/// Contexts shorter than this are not worth having.
const CONTEXT_MIN: usize = 512;
/// Longer contexts are used when asked for.
const CONTEXT_DEFAULT: usize = 16_384;

impl MemoryPlan {
    /// Plan `program` in `available` bytes. A context that was asked for must fit; otherwise the longest that
    /// fits is chosen, up to the model's own. The cache holds one context at least, and for several sequences at once as many
    /// tokens as `options` wants and memory allows.
    pub fn new(
        backend: &dyn Backend,
        program: &Program,
        options: &Options,
        asked: Option<usize>,
        model: &Description,
        available: u64,
    ) -> Result<(MemoryPlan, Limits), MemoryPlan> {
        let kept = Kept::by(model);
        let limits = options.limits();
        let set = |context: usize, cache_tokens: usize| options.limits_for(kept, context, cache_tokens);
        let least = set(CONTEXT_MIN, CONTEXT_MIN);
        let short = backend.footprint(program, &least);
        let more =
            |limits: Limits| (backend.footprint(program, &limits).cache - short.cache) / CONTEXT_MIN as u64;
        let per_token = more(Limits { blocks: 2 * least.blocks, ..least });
        // Windows grow with the cache until every sequence has one.
        let per_window_token = more(Limits { window_blocks: least.window_blocks + least.blocks, ..least });
        let windows_tokens = set(CONTEXT_MIN, usize::MAX / 2).window_blocks * limits.block_len;
        let states = short.cache - backend.footprint(program, &Limits { states: 0, ..least }).cache;
        let fixed = short.weights + short.scratch + states;
        // Leave a tenth to the rest of the machine.
        let room = (available / 10 * 9).saturating_sub(fixed);
        let windows = |tokens: usize| per_window_token * tokens.min(windows_tokens) as u64;
        let full = windows(usize::MAX);
        let fitting = match room >= full + per_token * windows_tokens as u64 {
            true => (room - full) / per_token.max(1),
            false => room / (per_token + per_window_token).max(1),
        };
        let fitting = usize::try_from(fitting).unwrap_or(usize::MAX);
        let wanted = asked.unwrap_or(CONTEXT_DEFAULT).min(model.context.max(1));
        let context =
            if asked.is_some() { wanted } else { wanted.min(fitting / limits.block_len * limits.block_len) };
        let cache_tokens = context.max((limits.blocks * limits.block_len).min(fitting));
        let plan = MemoryPlan {
            weights: short.weights,
            scratch: short.scratch,
            cache_per_1k: per_token * 1000,
            windows: windows(cache_tokens),
            states,
            context,
            cache_tokens,
            available,
        };
        let fits = context <= fitting && context >= CONTEXT_MIN.min(wanted);
        if fits { Ok((plan, set(context, cache_tokens))) } else { Err(plan) }
    }

    pub fn cache(&self) -> u64 {
        self.cache_per_1k * self.cache_tokens as u64 / 1000 + self.windows + self.states
    }
}

impl fmt::Display for MemoryPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "weights {}, working memory {}, cache {} per 1k tokens; {} free",
            Bytes(self.weights),
            Bytes(self.scratch),
            Bytes(self.cache_per_1k),
            Bytes(self.available)
        )?;
        match self.windows {
            0 => Ok(()),
            windows => write!(f, "; of the cache, {} for windows", Bytes(windows)),
        }?;
        match self.states {
            0 => Ok(()),
            states => write!(f, "; {} for states", Bytes(states)),
        }
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

/// Memory this process may still take: what the system calls available, or less where a control group
/// limits it. `None` where the system does not say.
pub fn available_bytes() -> Option<u64> {
    let system = system_available()?;
    Some(group_available().map_or(system, |group| group.min(system)))
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
}
