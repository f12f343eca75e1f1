//! What a model takes, and what there is.

use std::fmt;

use tandem_tensor::{Backend, Limits, Program};

/// Memory counted before loading, so that a model that does not fit is refused with numbers instead of
/// being killed half-way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPlan {
    pub weights: u64,
    /// Activations and the like.
    pub scratch: u64,
    /// Cache bytes for a thousand tokens of context.
    pub cache_per_1k: u64,
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
    /// blocks as `limits` wants and memory allows.
    pub fn new(
        backend: &dyn Backend,
        program: &Program,
        limits: Limits,
        asked: Option<usize>,
        model_context: usize,
        available: u64,
    ) -> Result<(MemoryPlan, Limits), MemoryPlan> {
        let set = |context: usize, cache_tokens: usize| Limits {
            context_max: context,
            blocks: cache_tokens.div_ceil(limits.block_len),
            ..limits
        };
        let short = backend.footprint(program, &set(CONTEXT_MIN, CONTEXT_MIN));
        let long = backend.footprint(program, &set(CONTEXT_MIN, 2 * CONTEXT_MIN));
        let per_token = (long.cache - short.cache) / CONTEXT_MIN as u64;
        let fixed = short.weights + short.scratch;
        // Leave a tenth to the rest of the machine.
        let room = (available / 10 * 9).saturating_sub(fixed);
        let fitting = usize::try_from(room / per_token.max(1)).unwrap_or(usize::MAX);
        let wanted = asked.unwrap_or(CONTEXT_DEFAULT).min(model_context.max(1));
        let context =
            if asked.is_some() { wanted } else { wanted.min(fitting / limits.block_len * limits.block_len) };
        let cache_tokens = context.max((limits.blocks * limits.block_len).min(fitting));
        let plan = MemoryPlan {
            weights: short.weights,
            scratch: short.scratch,
            cache_per_1k: per_token * 1000,
            context,
            cache_tokens,
            available,
        };
        let fits = context <= fitting && context >= CONTEXT_MIN.min(wanted);
        if fits { Ok((plan, set(context, cache_tokens))) } else { Err(plan) }
    }

    pub fn cache(&self) -> u64 {
        self.cache_per_1k * self.cache_tokens as u64 / 1000
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
    Some(number("memory.max")?.saturating_sub(number("memory.current")?))
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
