//! A model in memory, ready to answer.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tandem_devices::Setup;
use tandem_dialogue::{Chat, Message};
use tandem_engine::{
    Config, Engine, Event, Handle, Load, OneRank, Refused, Request, Sight, Sink, Ticket, Tokens,
};
use tandem_loading::{
    FileSource, LoadError, MemoryPlan, ModelFile, OpenTower, Options, PREFILL_CHUNK, Promise, RankPart,
    TowerPlan, available_bytes, widened,
};
use tandem_models::Shard;
use tandem_text::Tokenizer;

use crate::{Generation, Params, PromptError, Reply, Speech};

/// Why a conversation got no answer.
#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    #[error(transparent)]
    Prompt(#[from] PromptError),
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// A model that answers in text: its speech, and whatever makes its tokens.
#[derive(Clone)]
pub struct Model {
    speech: Arc<Speech>,
    tokens: Arc<dyn Tokens>,
}

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
        let (speech, (session, tower, config, promise)) = beside_speech(path, |file| {
            let model = file.description()?;
            let whole = Shard::whole(&model);
            let program = file.program(&model, &whole)?;
            let setup =
                Setup { threads: options.threads, wanted_bytes: program.weight_bytes(), ..Setup::default() };
            let tandem_devices::Opened { backend, free_bytes, limit: kept_back, .. } =
                options.registry.open(&options.device, setup)?;
            // One rank then makes its sums as several would, so that their texts are the same.
            let program = match options.exact_sums && backend.sums_exactly() {
                true => file.program(&model, &Shard { exact_sums: true, ..whole })?,
                false => program,
            };
            let tower = TowerPlan::of(file, &model)?;
            let available = limit.or(free_bytes).or_else(available_bytes).unwrap_or(u64::MAX);
            let beside = tower.as_ref().map_or(0, |tower| tower.footprint(&*backend).total());
            let part = RankPart { program: &program, beside, available };
            let (plan, limits) = MemoryPlan::new(&*backend, &[part], options, &model)
                .map_err(|plan| LoadError::Memory { plan, limit: kept_back })?;
            let limits = widened(&*backend, &program, limits, available.saturating_sub(beside));
            // What a device of its own has says what is free of it.
            let promised = if free_bytes.is_some() { 0 } else { plan.footprint.total() };
            let promise = Promise::new(std::process::id(), promised);
            let total =
                program.weight_bytes() + tower.as_ref().map_or(0, |tower| tower.program().weight_bytes());
            let loaded = AtomicU64::new(0);
            let report = |bytes: u64| {
                let before = loaded.fetch_add(bytes, Ordering::Relaxed);
                progress(before + bytes, total);
            };
            let session = backend.open(Arc::new(program), limits, &FileSource(file.weights()), &report)?;
            let tower = tower.map(|tower| tower.open(file, &*backend, &report)).transpose()?;
            let config = Config {
                limits,
                vocab: model.vocab,
                sequences_max: options.sequences_max,
                prefill_chunk: PREFILL_CHUNK,
                waiting_max: options.waiting_max,
            };
            Ok::<_, LoadError>((session, tower, config, promise))
        })?;
        let mut engine = Engine::new(Box::new(OneRank(session)), config).with_grammars(speech.grammars());
        if let Some(tower) = tower {
            engine = engine.with_sight(sight(tower));
        }
        let handle = Handle::spawn(engine).map_err(LoadError::Thread)?;
        Ok(Model::new(speech, Arc::new(OwnEngine { handle, _promise: promise })))
    }

    /// The model at `path`, whose tokens something made by `open` makes, such as a group of processes.
    pub fn over<T: Tokens + 'static, E: From<LoadError>>(
        path: &Path,
        open: impl FnOnce() -> Result<T, E>,
    ) -> Result<Model, E> {
        let (speech, tokens) = beside_speech(path, |_| open())?;
        Ok(Model::new(speech, Arc::new(tokens)))
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
                Event::Refused(refused) => return Err(refused),
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
                Event::Refused(refused) => return Err(refused),
                Event::Failed(reason) => return Err(Refused::Stopped(reason)),
                _ => {}
            }
        }
        Ok(scores)
    }
}

/// A tower as an engine looks with it.
fn sight(tower: OpenTower) -> Sight {
    let (rows, bytes) = (tower.rows(), tower.picture_bytes());
    Sight::new(rows, bytes, move |picture| tower.look(picture).map_err(|lost| lost.to_string()))
}

/// An engine in this process, and the memory it may take.
struct OwnEngine {
    handle: Handle,
    _promise: Promise,
}

impl Tokens for OwnEngine {
    fn submit(&self, request: Request, events: Sink) -> Result<Ticket, Refused> {
        self.handle.submit(request, events)
    }

    fn load(&self) -> Load {
        self.handle.load()
    }
}

/// What `open` makes of a file, and the file's text side, which is read meanwhile.
fn beside_speech<T, E: From<LoadError>>(
    path: &Path,
    open: impl FnOnce(&ModelFile) -> Result<T, E>,
) -> Result<(Arc<Speech>, T), E> {
    let file = ModelFile::open(path).map_err(LoadError::from)?;
    let (opened, speech) = std::thread::scope(|scope| {
        let speech = scope.spawn(|| Speech::of(&file));
        (open(&file), speech.join())
    });
    let speech = speech.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let speech = speech.map_err(|error| LoadError::Text(Box::new(error)))?;
    Ok((Arc::new(speech), opened?))
}
