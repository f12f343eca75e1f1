//! How to load a model.

use tandem_devices::{Device, DeviceError, Registry};
use tandem_models::Description;
use tandem_tensor::{CacheType, Limits, OpenError};

use crate::{FileError, MemoryPlan};

/// How to load a model.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to compute.
    pub device: Device,
    /// The kinds of devices that may be named.
    pub registry: Registry,
    /// One per core when not given.
    pub threads: Option<usize>,
    /// Tokens of one sequence; when not given, what the model was made for as far as it fits.
    pub context: Option<usize>,
    /// Bytes of the cache, over all ranks; when not given, they follow from what is free.
    pub cache_bytes: Option<u64>,
    pub cache_type: CacheType,
    /// Whether sums are made so that a text is the same however the model is divided, where the device can. Prompts take longer.
    pub exact_sums: bool,
    /// Most sequences decoded together.
    pub sequences_max: usize,
    /// Most requests waiting beyond those.
    pub waiting_max: usize,
}

/// What a model keeps of a sequence beside the keys and values of all its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Tokens of the layers that see only a window; 0 where there are none.
    pub window: usize,
    /// Whether there are layers with a state.
    pub states: bool,
}

impl Kept {
    pub fn by(model: &Description) -> Kept {
        Kept { window: model.window(), states: model.keeps_states() }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            device: Device::Auto,
            registry: Registry::default(),
            threads: None,
            context: None,
            cache_bytes: None,
            cache_type: CacheType::F16,
            exact_sums: false,
            sequences_max: tandem_plan::SEQUENCES_MAX,
            waiting_max: 256,
        }
    }
}

impl Options {
    /// The limits of a batch, with no cache yet.
    pub fn limits(&self) -> Limits {
        Limits {
            tokens_max: TOKENS_MAX,
            outputs_max: OUTPUTS_MAX.max(self.sequences_max),
            block_len: BLOCK_LEN,
            blocks: 0,
            window: 0,
            window_blocks: 0,
            states: 0,
            context_max: 0,
            cache_type: self.cache_type,
        }
    }

    /// The same for contexts of so many tokens in a cache of `cache_tokens` in all. Layers with a window get blocks for every
    /// sequence's window and a whole batch, and so are never what a sequence waits for; layers with states get a place for every
    /// sequence, and one more to keep a state that another may go on from.
    pub fn limits_for(&self, kept: Kept, context: usize, cache_tokens: usize) -> Limits {
        let limits = self.limits();
        let Kept { window, states } = kept;
        let states = if states { 2 * self.sequences_max } else { 0 };
        let blocks = cache_tokens.div_ceil(BLOCK_LEN);
        let window_blocks = match window {
            0 => 0,
            _ => {
                self.sequences_max * (window.div_ceil(BLOCK_LEN) + 2) + limits.tokens_max.div_ceil(BLOCK_LEN)
            }
        };
        Limits {
            blocks,
            window,
            window_blocks: window_blocks.min(blocks),
            states,
            context_max: context,
            ..limits
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "not enough memory for a context of {} tokens: {plan}. Choose a smaller --context, a smaller quantisation, \
         or free some memory{}", plan.context, limit.as_ref().map_or_else(String::new, |limit| format!("; {limit}"))
    )]
    Memory {
        plan: MemoryPlan,
        /// How the device is given more, where the system keeps some from it.
        limit: Option<String>,
    },
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// What reads the model's text, which this crate does not know.
    #[error(transparent)]
    Text(Box<dyn std::error::Error + Send + Sync>),
}

/// Rows of one batch.
const TOKENS_MAX: usize = 512;
/// Results of one batch: each is a row of the vocabulary's size.
const OUTPUTS_MAX: usize = 64;
/// Tokens per cache block.
const BLOCK_LEN: usize = 32;
/// Most prompt tokens computed beside decoding sequences in one step; the engine takes fewer where these are slow.
pub const PREFILL_CHUNK: usize = 256;
