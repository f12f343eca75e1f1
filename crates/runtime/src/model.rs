//! A model in memory, ready to answer.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tandem_engine::{Config, Engine, Handle, Refused, Request};
use tandem_kernels_cpu::CpuBackend;
use tandem_models::{Description, Shard};
use tandem_tensor::{Alone, Backend, CacheType, Limits, OpenError, Session};
use tandem_text::{ChatRequest, ChatTemplate, ChatTemplateError, Message, Specials, Tokenizer};

use crate::facts::FileSource;
use crate::{FileError, Generation, MemoryPlan, ModelFile, Params, available_bytes};

/// How to load a model.
#[derive(Clone, Debug)]
pub struct Options {
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
            threads: None,
            context: None,
            cache_type: CacheType::F16,
            sequences_max: 16,
            waiting_max: 256,
        }
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
    Open(#[from] OpenError),
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error(transparent)]
    Template(#[from] ChatTemplateError),
}

/// Why a conversation got no answer.
#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    #[error(transparent)]
    Template(#[from] ChatTemplateError),
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// A session, and what it was planned with.
pub struct Opened {
    pub session: Box<dyn Session>,
    pub plan: MemoryPlan,
    pub limits: Limits,
}

/// A loaded model with its engine running.
pub struct Model {
    description: Description,
    tokenizer: Arc<Tokenizer>,
    template: ChatTemplate,
    plan: MemoryPlan,
    engine: Handle,
}

/// Rows of one batch.
const TOKENS_MAX: usize = 512;
/// Results of one batch: each is a row of the vocabulary's size.
const OUTPUTS_MAX: usize = 64;
/// Tokens per cache block.
const BLOCK_LEN: usize = 32;
/// Prompt tokens computed beside decoding sequences in one step.
const PREFILL_CHUNK: usize = 128;

impl Model {
    /// Load the model at `path`. `progress` hears bytes loaded and bytes in all.
    pub fn open(
        path: &Path,
        options: &Options,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Model, LoadError> {
        Model::open_within(path, options, available_bytes().unwrap_or(u64::MAX), progress)
    }

    /// As `open`, in no more than `available` bytes of memory.
    pub fn open_within(
        path: &Path,
        options: &Options,
        available: u64,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Model, LoadError> {
        let mut backend = CpuBackend::new();
        if let Some(threads) = options.threads {
            backend = backend.with_threads(threads);
        }
        Model::open_with(path, options, |file, description, limits| {
            let program = file.program(description, &Shard::whole(description))?;
            let planned =
                MemoryPlan::new(&backend, &program, limits, options.context, description.context, available);
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
        let limits = Limits {
            tokens_max: TOKENS_MAX,
            outputs_max: OUTPUTS_MAX.max(options.sequences_max),
            block_len: BLOCK_LEN,
            blocks: 0,
            context_max: 0,
            cache_type: options.cache_type,
        };
        // The tokenizer is built while the weights come in.
        let (opened, tokenizer) = std::thread::scope(|scope| {
            let tokenizer = scope.spawn(|| file.tokenizer());
            (open(&file, &description, limits), tokenizer.join())
        });
        let tokenizer = tokenizer.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let tokenizer = tokenizer.map_err(LoadError::from)?;
        let source = file.template().map_err(LoadError::from)?;
        let template = ChatTemplate::for_tokenizer(source.as_deref(), &tokenizer).map_err(LoadError::from)?;
        let Opened { session, plan, limits } = opened?;
        let config = Config {
            limits,
            vocab: description.vocab,
            sequences_max: options.sequences_max,
            prefill_chunk: PREFILL_CHUNK,
            waiting_max: options.waiting_max,
        };
        let engine =
            Handle::spawn(Engine::new(session, Box::new(Alone), config)).map_err(LoadError::Thread)?;
        Ok(Model { description, tokenizer: Arc::new(tokenizer), template, plan, engine })
    }

    pub fn description(&self) -> &Description {
        &self.description
    }

    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    pub fn memory(&self) -> &MemoryPlan {
        &self.plan
    }

    /// Answer a conversation.
    pub fn chat(&self, messages: &[Message], params: &Params) -> Result<Generation, ChatError> {
        let request = ChatRequest { messages, add_generation_prompt: true, ..ChatRequest::default() };
        let prompt =
            self.tokenizer.encode_segments(&self.template.render_segments(&request, &self.tokenizer)?);
        Ok(self.generate(prompt, params)?)
    }

    /// Continue plain text.
    pub fn complete(&self, prompt: &str, params: &Params) -> Result<Generation, Refused> {
        self.generate(self.tokenizer.encode_with_bos(prompt, Specials::Text), params)
    }

    /// Continue token ids.
    pub fn generate(&self, prompt: Vec<u32>, params: &Params) -> Result<Generation, Refused> {
        let request = Request {
            prompt,
            tokens_max: params.tokens_max,
            stop: self.tokenizer.end_of_generation().to_vec(),
            sampling: params.sampling.clone(),
            logprobs: params.logprobs,
            score_prompt: false,
        };
        let stream = self.engine.submit(request)?;
        Ok(Generation::new(stream, Arc::clone(&self.tokenizer), params.stop.clone()))
    }

    /// The engine itself, for callers that work with token ids.
    pub fn engine(&self) -> &Handle {
        &self.engine
    }

    /// Log-probability of every token after the first.
    pub fn score(&self, tokens: Vec<u32>) -> Result<Vec<f32>, Refused> {
        let request =
            Request { prompt: tokens, tokens_max: Some(0), score_prompt: true, ..Request::default() };
        let mut scores = Vec::new();
        for event in self.engine.submit(request)? {
            match event {
                tandem_engine::Event::Scored(more) => scores.extend(more),
                tandem_engine::Event::Failed(reason) => return Err(Refused::Stopped(reason)),
                _ => {}
            }
        }
        Ok(scores)
    }
}
