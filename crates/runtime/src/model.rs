//! A model in memory, ready to answer.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tandem_devices::{Device, DeviceError, Registry, Setup};
use tandem_engine::{Config, Engine, Event, Handle, Refused, Request, Tokens};
use tandem_models::{Description, Shard};
use tandem_tensor::{Alone, CacheType, Limits, OpenError, Session};
use tandem_text::{Message, Tokenizer};

use crate::facts::FileSource;
use crate::{
    Chat, FileError, Generation, MemoryPlan, ModelFile, Params, PromptError, Reply, Speech, SpeechError,
    available_bytes,
};

/// How to load a model.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to compute.
    pub device: Device,
    /// The kinds of devices that may be named.
    pub registry: Registry,
    /// One per core when not given.
    pub threads: Option<usize>,
    /// Tokens the cache holds; when not given, what the model was trained for as far as it fits.
    pub context: Option<usize>,
    pub cache_type: CacheType,
    /// Most sequences decoded together.
    pub sequences_max: usize,
    /// Most requests waiting beyond those.
    pub waiting_max: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            device: Device::Auto,
            registry: Registry::default(),
            threads: None,
            context: None,
            cache_type: CacheType::F16,
            sequences_max: 16,
            waiting_max: 256,
        }
    }
}

impl Options {
    /// The limits of a batch, and what the cache should hold; how much it can is still to be seen.
    pub fn limits(&self) -> Limits {
        Limits {
            tokens_max: TOKENS_MAX,
            outputs_max: OUTPUTS_MAX.max(self.sequences_max),
            block_len: BLOCK_LEN,
            blocks: (self.sequences_max * SEQUENCE_TOKENS).div_ceil(BLOCK_LEN),
            window: 0,
            window_blocks: 0,
            context_max: 0,
            cache_type: self.cache_type,
        }
    }

    /// The same for contexts of so many tokens in a cache of `cache_tokens` in all. Layers with a window of `window` tokens (0 where
    /// there are none) get blocks for every sequence's window and a whole batch, and so are never what a sequence waits for.
    pub fn limits_for(&self, window: usize, context: usize, cache_tokens: usize) -> Limits {
        let limits = self.limits();
        let blocks = cache_tokens.div_ceil(BLOCK_LEN);
        let window_blocks = match window {
            0 => 0,
            _ => {
                self.sequences_max * (window.div_ceil(BLOCK_LEN) + 2) + limits.tokens_max.div_ceil(BLOCK_LEN)
            }
        };
        Limits { blocks, window, window_blocks: window_blocks.min(blocks), context_max: context, ..limits }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "not enough memory for a context of {} tokens: {plan}. Choose a smaller context, a smaller quantisation, \
         or free some memory", plan.context
    )]
    Memory { plan: MemoryPlan },
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error(transparent)]
    Speech(#[from] SpeechError),
}

/// Why a conversation got no answer.
#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    #[error(transparent)]
    Prompt(#[from] PromptError),
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// A session, and what it was planned with.
pub struct Opened {
    pub session: Box<dyn Session>,
    pub plan: MemoryPlan,
    pub limits: Limits,
}

/// A model that answers in text: its speech, and whatever makes its tokens.
#[derive(Clone)]
pub struct Model {
    speech: Arc<Speech>,
    tokens: Arc<dyn Tokens>,
}

/// Rows of one batch.
const TOKENS_MAX: usize = 512;
/// Results of one batch: each is a row of the vocabulary's size.
const OUTPUTS_MAX: usize = 64;
/// Tokens per cache block.
const BLOCK_LEN: usize = 32;
/// Most prompt tokens computed beside decoding sequences in one step; the engine takes fewer where these are slow.
pub const PREFILL_CHUNK: usize = 256;
/// The cache should hold this many tokens of every sequence that runs.
const SEQUENCE_TOKENS: usize = 512;

impl Model {
    /// Load the model at `path`. `progress` hears bytes loaded and bytes in all.
    pub fn open(
        path: &Path,
        options: &Options,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Model, LoadError> {
        Model::open_limited(path, options, None, progress)
    }

    /// As `open`, in no more than `available` bytes of memory.
    pub fn open_within(
        path: &Path,
        options: &Options,
        available: u64,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Model, LoadError> {
        Model::open_limited(path, options, Some(available), progress)
    }

    fn open_limited(
        path: &Path,
        options: &Options,
        limit: Option<u64>,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Model, LoadError> {
        let setup = Setup { threads: options.threads, ..Setup::default() };
        let tandem_devices::Opened { backend, free_bytes, .. } =
            options.registry.open(&options.device, setup)?;
        let available = limit.or(free_bytes).or_else(available_bytes).unwrap_or(u64::MAX);
        Model::open_with(path, options, |file, description, _| {
            let program = file.program(description, &Shard::whole(description))?;
            let planned =
                MemoryPlan::new(&*backend, &program, options, options.context, description, available);
            let (plan, limits) = planned.map_err(|plan| LoadError::Memory { plan })?;
            let total = program.weight_bytes();
            let loaded = AtomicU64::new(0);
            let report = |bytes: u64| {
                let before = loaded.fetch_add(bytes, Ordering::Relaxed);
                progress(before + bytes, total);
            };
            let session = backend.open(Arc::new(program), limits, &FileSource(file.weights()), &report)?;
            Ok(Opened { session, plan, limits })
        })
    }

    /// Load the model at `path` with a session made by `open`, which gets the limits of a batch and sets those of the
    /// cache.
    pub fn open_with<E: From<LoadError>>(
        path: &Path,
        options: &Options,
        open: impl FnOnce(&ModelFile, &Description, Limits) -> Result<Opened, E>,
    ) -> Result<Model, E> {
        let file = ModelFile::open(path).map_err(LoadError::from)?;
        let description = file.description().map_err(LoadError::from)?;
        let limits = options.limits();
        // The tokenizer is built while the weights come in.
        let (opened, speech) = std::thread::scope(|scope| {
            let speech = scope.spawn(|| Speech::of(&file));
            (open(&file, &description, limits), speech.join())
        });
        let speech = speech.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let speech = Arc::new(speech.map_err(LoadError::from)?);
        let Opened { session, limits, .. } = opened?;
        let config = Config {
            limits,
            vocab: description.vocab,
            sequences_max: options.sequences_max,
            prefill_chunk: PREFILL_CHUNK,
            waiting_max: options.waiting_max,
        };
        let engine = Engine::new(session, Box::new(Alone), config).with_grammars(speech.grammars());
        let handle = Handle::spawn(engine).map_err(LoadError::Thread)?;
        Ok(Model::new(speech, Arc::new(handle)))
    }

    pub fn new(speech: Arc<Speech>, tokens: Arc<dyn Tokens>) -> Model {
        Model { speech, tokens }
    }

    pub fn speech(&self) -> &Arc<Speech> {
        &self.speech
    }

    /// What makes the tokens, for callers that work with ids.
    pub fn tokens(&self) -> &Arc<dyn Tokens> {
        &self.tokens
    }

    pub fn tokenizer(&self) -> &Tokenizer {
        self.speech.tokenizer()
    }

    /// Answer a conversation.
    pub fn chat(&self, messages: &[Message], params: &Params) -> Result<Generation, ChatError> {
        let chat = Chat::new(messages.to_vec());
        Ok(self.generate(self.speech.chat(&chat, params)?)?)
    }

    /// Continue plain text.
    pub fn complete(&self, prompt: &str, params: &Params) -> Result<Generation, Refused> {
        self.generate(self.speech.complete(prompt, params))
    }

    /// What [`Speech`] made of a question.
    pub fn generate(&self, (request, reply): (Request, Reply)) -> Result<Generation, Refused> {
        Ok(Generation::new(self.tokens.stream(request)?, reply))
    }

    /// The mean of a text's final hidden states.
    pub fn embed(&self, text: &str) -> Result<Vec<f32>, Refused> {
        for event in self.tokens.stream(self.speech.embed(text, 0))? {
            match event {
                Event::Hidden(values) => return Ok(values),
                Event::Failed(reason) => return Err(Refused::Stopped(reason)),
                _ => {}
            }
        }
        Err(Refused::Stopped("the request was cancelled".into()))
    }

    /// Log-probability of every token after the first.
    pub fn score(&self, tokens: Vec<u32>) -> Result<Vec<f32>, Refused> {
        let request =
            Request { prompt: tokens, tokens_max: Some(0), score_prompt: true, ..Request::default() };
        let mut scores = Vec::new();
        for event in self.tokens.stream(request)? {
            match event {
                Event::Scored(more) => scores.extend(more),
                Event::Failed(reason) => return Err(Refused::Stopped(reason)),
                _ => {}
            }
        }
        Ok(scores)
    }
}
