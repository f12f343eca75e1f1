//! The step loop: plan a batch, run it, turn its results into tokens and events.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tandem_tensor::{Batch, Limits, PeerLost};

use crate::pacer::{Mix, Pacer};
use crate::paging::{Pages, Paging};
use crate::pictures::{Seen, look};
use crate::sampler::{Picked, Scratch, is_sound, logprob, logprobs};
use crate::scheduler::{Planned, Sequence};
use crate::{
    Event, Finish, Grammar, Grammars, Load, Refused, Request, RequestId, Scheduler, Sight, Stepper, Usage,
};

#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// What the session was opened with.
    pub limits: Limits,
    pub vocab: usize,
    /// Most sequences in one step.
    pub sequences_max: usize,
    /// Most prompt tokens in a step that also decodes.
    pub prefill_chunk: usize,
    /// Most requests waiting beyond those.
    pub waiting_max: usize,
}

/// What decides which requests are let in; it needs nothing of a running engine, so any thread can ask it.
#[derive(Clone)]
pub struct Entrance {
    config: Config,
    grammars: Option<Arc<dyn Grammars>>,
    sight: Option<Arc<Sight>>,
    /// Whether the session tells hidden states.
    embeds: bool,
}

/// A request that was let in, with its constraint compiled and its pictures looked at.
pub struct Admitted {
    pub(crate) request: Request,
    pub(crate) grammar: Option<Box<dyn Grammar>>,
    pub(crate) pictures: Vec<Seen>,
    pub(crate) submitted: Instant,
}

impl Entrance {
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Most requests running and waiting.
    pub fn held_max(&self) -> usize {
        self.config.sequences_max + self.config.waiting_max
    }

    /// Check everything that does not depend on the engine's load.
    pub fn admit(&self, request: Request) -> Result<Admitted, Refused> {
        let submitted = Instant::now();
        request.check(self.config.limits.context_max, self.config.vocab)?;
        if request.embed && !self.embeds {
            return Err(Refused::Unsupported("embeddings".into()));
        }
        let grammar = match (&request.constraint, &self.grammars) {
            (None, _) => None,
            (Some(_), None) => return Err(Refused::Unsupported("constrained output".into())),
            (Some(constraint), Some(grammars)) => {
                let mut grammar = grammars.compile(constraint).map_err(Refused::BadConstraint)?;
                for token in &request.prompt[request.prompt.len() - request.resumed..] {
                    grammar.accept(*token).map_err(Refused::BadConstraint)?;
                }
                Some(grammar)
            }
        };
        let prompt = request.prompt.len() - request.resumed;
        let rows_max = self.config.limits.tokens_max;
        let pictures = look(&request.pictures, prompt, rows_max, self.sight.as_deref())?;
        Ok(Admitted { request, grammar, pictures, submitted })
    }
}

/// Requests in, events out, one step at a time.
pub struct Engine {
    entrance: Entrance,
    stepper: Box<dyn Stepper>,
    scheduler: Scheduler,
    batch: Batch,
    /// What the batches under way compute, the oldest first; and lists for those to come.
    flying: VecDeque<Flight>,
    landed: Vec<Vec<Planned>>,
    last_landing: Option<Instant>,
    pacer: Pacer,
    steps: u64,
    scratch: Scratch,
    finished: Vec<(RequestId, Ended)>,
    /// Resumed requests that are complete as they are.
    complete: Vec<Sequence>,
    /// Whether results were ever no numbers.
    unsound: bool,
    now: Box<dyn FnMut() -> Instant + Send>,
}

/// Why an engine cannot go on. Every request it has ends with this.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    PeerLost(#[from] PeerLost),
    #[error(
        "the engine has {running} running and {waiting} waiting requests but plans no work for them; this is a bug, \
         please report it; load the model again to go on"
    )]
    Standstill { running: usize, waiting: usize },
}

/// A batch under way.
struct Flight {
    planned: Vec<Planned>,
    mix: Mix,
    began: Instant,
    /// Whether its tokens were not known when it began.
    fed: bool,
}

impl Engine {
    pub fn new(stepper: Box<dyn Stepper>, mut config: Config) -> Engine {
        // A sequence alone must always fit, or it would wait for blocks for ever.
        let limits = &mut config.limits;
        limits.context_max = Paging::context_max(limits);
        // Each sequence that decodes has a result in every step; one for which there is no room would starve.
        config.sequences_max = config.sequences_max.min(limits.outputs_max);
        let blocks_max = config.sequences_max * limits.context_max.div_ceil(limits.block_len);
        let batch = Batch {
            tokens: Vec::with_capacity(limits.tokens_max),
            spans: Vec::with_capacity(config.sequences_max),
            blocks: Vec::with_capacity(blocks_max),
            window_blocks: Vec::with_capacity(config.sequences_max * Pages::window_max(limits)),
            outputs: Vec::with_capacity(limits.outputs_max),
            draws: Vec::with_capacity(limits.outputs_max),
            named: Vec::with_capacity(Batch::NAMED_MAX),
            masks: Vec::with_capacity(config.sequences_max),
            sums: Vec::with_capacity(limits.outputs_max),
            fed: Vec::with_capacity(config.sequences_max),
            ..Batch::default()
        };
        let depth = stepper.depth().max(1) + 1;
        let planned = || Vec::with_capacity(config.sequences_max);
        Engine {
            entrance: Entrance { config, grammars: None, sight: None, embeds: stepper.hidden().is_some() },
            stepper,
            scheduler: Scheduler::new(config),
            batch,
            flying: VecDeque::with_capacity(depth),
            landed: (0..depth).map(|_| planned()).collect(),
            last_landing: None,
            pacer: Pacer::new(config.prefill_chunk),
            steps: 0,
            scratch: Scratch::new(config.vocab),
            finished: Vec::with_capacity(config.sequences_max),
            complete: Vec::new(),
            unsound: false,
            now: Box::new(Instant::now),
        }
    }

    /// Measures steps with this clock.
    pub fn with_clock(mut self, now: impl FnMut() -> Instant + Send + 'static) -> Engine {
        self.now = Box::new(now);
        self
    }

    /// Lets requests have constraints.
    pub fn with_grammars(mut self, grammars: Arc<dyn Grammars>) -> Engine {
        self.entrance.grammars = Some(grammars);
        self
    }

    /// Lets requests have pictures.
    pub fn with_sight(mut self, sight: Sight) -> Engine {
        self.entrance.sight = Some(Arc::new(sight));
        self
    }

    pub fn entrance(&self) -> Entrance {
        self.entrance.clone()
    }

    pub fn submit(&mut self, id: RequestId, request: Request) -> Result<(), Refused> {
        let held = self.scheduler.running() + self.scheduler.waiting();
        if held >= self.entrance.held_max() {
            return Err(Refused::Busy { waiting: self.scheduler.waiting() });
        }
        let admitted = self.entrance.admit(request)?;
        self.add(id, admitted);
        Ok(())
    }

    /// Add what the entrance let in.
    pub fn add(&mut self, id: RequestId, admitted: Admitted) {
        let sequence = Sequence::new(id, admitted, &self.entrance.config.limits);
        // As when it began where the context was larger.
        if sequence.request.resumed > 0 && sequence.answer_len() >= sequence.tokens_max {
            return self.complete.push(sequence);
        }
        self.scheduler.add(sequence);
    }

    /// Forget a request; its slot and blocks are free for the next step. False if it is not here.
    pub fn cancel(&mut self, id: RequestId, events: &mut Vec<(RequestId, Event)>) -> bool {
        let Some(sequence) = self.scheduler.remove(id) else { return false };
        events.push((id, Event::Done(usage(&sequence, Finish::Cancelled))));
        true
    }

    pub fn is_idle(&self) -> bool {
        self.scheduler.is_idle() && self.flying.is_empty() && self.complete.is_empty()
    }

    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    pub fn load(&self) -> Load {
        let Config { limits, sequences_max, waiting_max, .. } = self.entrance.config;
        Load {
            running: self.scheduler.running(),
            waiting: self.scheduler.waiting(),
            running_max: sequences_max,
            waiting_max,
            blocks_used: self.scheduler.pool_used().0,
            blocks: limits.blocks,
            block_len: limits.block_len,
            context: limits.context_max,
            stopped: false,
            unsound: self.unsound,
            steps: self.steps,
            cancelled: 0,
            cancel_steps_max: 0,
        }
    }

    /// Begin what can be begun and take one batch to its end, appending what happened to `events`.
    pub fn step(&mut self, events: &mut Vec<(RequestId, Event)>) -> Result<(), EngineError> {
        self.end_overdue(events);
        let complete = self.complete.drain(..);
        events.extend(complete.map(|it| (it.id, Event::Done(usage(&it, Finish::Length)))));
        let depth = self.stepper.depth().max(1);
        while self.flying.len() < depth {
            let under_way = self.flying.iter().map(|flight| flight.mix).max_by_key(|mix| mix.decodes);
            let Some(mix) = self.scheduler.schedule(&mut self.batch, depth, &self.pacer, under_way) else {
                break;
            };
            self.scheduler.want_results(&mut self.batch, self.stepper.reduces());
            self.batch.hidden = self.scheduler.hidden_wanted();
            let flight = self.start(mix, false)?;
            self.scheduler.advance(&flight.planned);
            self.flying.push_back(flight);
        }
        // While the last tokens are computed, the batch after them can begin.
        if self.stepper.feeds()
            && let [last] = self.flying.make_contiguous()
            && let Some(mix) = self.scheduler.schedule_fed(&mut self.batch, &last.planned)
        {
            let flight = self.start(mix, true)?;
            self.flying.push_back(flight);
        }
        let Some(Flight { planned, mix, began, .. }) = self.flying.pop_front() else {
            let (running, waiting) = (self.scheduler.running(), self.scheduler.waiting());
            return match running + waiting {
                0 => Ok(()),
                _ => Err(EngineError::Standstill { running, waiting }),
            };
        };
        self.stepper.finish()?;
        self.steps += 1;
        let now = (self.now)();
        // Batches that overlap count from the end of the one before.
        self.pacer.observe(mix, now - self.last_landing.map_or(began, |last| last.max(began)));
        self.last_landing = Some(now);
        self.postprocess(&planned, events)?;
        self.landed.push(planned);
        // Its tokens are known now. Where the answer ended, its rows are of no use.
        if let Some(next) = self.flying.front().filter(|next| next.fed) {
            self.scheduler.advance(&next.planned);
        }
        Ok(())
    }

    /// Begin the batch that was planned.
    fn start(&mut self, mix: Mix, fed: bool) -> Result<Flight, PeerLost> {
        let began = (self.now)();
        self.stepper.start(&self.batch)?;
        let next = self.landed.pop().unwrap_or_default();
        let planned = std::mem::replace(&mut self.scheduler.planned, next);
        Ok(Flight { planned, mix, began, fed })
    }

    /// End the requests whose time is over.
    fn end_overdue(&mut self, events: &mut Vec<(RequestId, Event)>) {
        while let Some(sequence) = self.scheduler.remove_overdue() {
            events.push((sequence.id, Event::Done(usage(&sequence, Finish::Deadline))));
        }
    }

    /// Tell every request that nothing more will come.
    pub fn fail(&mut self, reason: &str, events: &mut Vec<(RequestId, Event)>) {
        let all = self.complete.drain(..).chain(self.scheduler.drain());
        events.extend(all.map(|sequence| (sequence.id, Event::Failed(reason.to_owned()))));
    }

    fn postprocess(
        &mut self,
        planned: &[Planned],
        events: &mut Vec<(RequestId, Event)>,
    ) -> Result<(), PeerLost> {
        let vocab = self.entrance.config.vocab;
        let outputs: usize = planned.iter().map(|planned| planned.outputs).sum();
        let width = self.stepper.hidden().unwrap_or_default().len() / outputs.max(1);
        let mut output = 0;
        self.finished.clear();
        for planned in planned {
            let first = output;
            output += planned.outputs;
            let rows = &self.stepper.result()[first * vocab..output * vocab];
            let states = &self.stepper.hidden().unwrap_or_default()[first * width..output * width];
            // Cancelled, or pushed out, while its rows were under way.
            let Some(sequence) = self.scheduler.planned_sequence(planned) else { continue };
            let bad = match (sequence.request.embed, rows, states) {
                (true, _, states) if !states.iter().all(|value| value.is_finite()) => Some("hidden states"),
                (false, rows, _) if !rows.chunks_exact(vocab).all(is_sound) => Some("logits"),
                _ => None,
            };
            if let Some(what) = bad {
                self.unsound = true;
                self.finished.push((planned.id, Ended::Refused(Refused::NotFinite(what.into()))));
                continue;
            }
            let mut rows = rows.chunks_exact(vocab);
            if sequence.request.embed {
                if let Some(mean) = embed(sequence, *planned, states, width) {
                    events.push((planned.id, Event::Hidden(mean)));
                    self.finished.push((planned.id, Ended::Done(Finish::Complete)));
                }
            } else if sequence.request.score_prompt && sequence.answer_len() == 0 {
                score(sequence, *planned, &mut rows, events);
                if planned.end < sequence.tokens.len() {
                    continue;
                }
                if sequence.tokens_max == 0 {
                    self.finished.push((planned.id, Ended::Done(Finish::Length)));
                    continue;
                }
                let row = Row { stepper: &mut *self.stepper, output: output - 1, vocab };
                let ended = answer(sequence, row, &mut self.scratch, events)?;
                self.finished.extend(ended.map(|ended| (planned.id, ended)));
            } else if planned.outputs == 1 {
                let row = Row { stepper: &mut *self.stepper, output: first, vocab };
                let ended = answer(sequence, row, &mut self.scratch, events)?;
                self.finished.extend(ended.map(|ended| (planned.id, ended)));
            }
        }
        for (id, ended) in self.finished.drain(..).rev() {
            let Some(sequence) = self.scheduler.remove(id) else { continue };
            let last = match ended {
                Ended::Done(finish) => Event::Done(usage(&sequence, finish)),
                Ended::Refused(refused) => Event::Refused(refused),
            };
            events.push((sequence.id, last));
        }
        Ok(())
    }
}

/// An output of the batch that was finished last.
struct Row<'a> {
    stepper: &'a mut dyn Stepper,
    output: usize,
    vocab: usize,
}

impl Row<'_> {
    fn logits(&self) -> &[f32] {
        &self.stepper.result()[self.output * self.vocab..][..self.vocab]
    }
}

/// How a sequence ended in this step.
enum Ended {
    Done(Finish),
    Refused(Refused),
}

/// Report how likely the prompt's tokens were.
fn score<'a>(
    sequence: &mut Sequence,
    planned: Planned,
    results: &mut impl Iterator<Item = &'a [f32]>,
    events: &mut Vec<(RequestId, Event)>,
) {
    let first = planned.end - planned.rows;
    let mut scores = Vec::with_capacity(planned.rows);
    for (position, logits) in (first..planned.end).zip(results) {
        // After giving its blocks back and starting again, a sequence passes scored tokens once more.
        if position >= sequence.scored {
            scores.extend(sequence.tokens.get(position + 1).map(|token| logprob(logits, *token)));
        }
    }
    sequence.scored = sequence.scored.max(planned.end);
    events.push((sequence.id, Event::Scored(scores)));
}

/// Add up hidden states. Returns their mean once the prompt is through.
fn embed(sequence: &mut Sequence, planned: Planned, states: &[f32], width: usize) -> Option<Vec<f32>> {
    sequence.hidden.resize(width, 0.0);
    let first = planned.end - planned.rows;
    // After giving its blocks back and starting again, a sequence passes some tokens once more.
    for (_, state) in
        (first..).zip(states.chunks_exact(width.max(1))).filter(|(at, _)| *at >= sequence.scored)
    {
        sequence.hidden.iter_mut().zip(state).for_each(|(sum, value)| *sum += value);
    }
    sequence.scored = sequence.scored.max(planned.end);
    if planned.end < sequence.tokens.len() {
        return None;
    }
    let count = sequence.tokens.len() as f32;
    Some(sequence.hidden.iter().map(|sum| sum / count).collect())
}

/// Pick the next token and append it.
fn answer(
    sequence: &mut Sequence,
    row: Row,
    scratch: &mut Scratch,
    events: &mut Vec<(RequestId, Event)>,
) -> Result<Option<Ended>, PeerLost> {
    let refused = |reason: String| Ok(Some(Ended::Refused(Refused::BadConstraint(reason))));
    let Sequence { grammar, sampler, request, .. } = &mut *sequence;
    let mask = match grammar.as_mut().map(|grammar| grammar.mask()).transpose() {
        Ok(mask) => mask,
        Err(reason) => return refused(reason),
    };
    let mut rest = row.stepper.rests().get(row.output).copied();
    // The likeliest tokens are listed whether they are allowed or not. Where the choice needed the likeliest of those allowed, the
    // others are still to come.
    let listed = request.logprobs.is_some_and(|top| top > 0);
    if rest.is_some() && mask.is_some() && listed && !sampler.draws_at_once() {
        row.stepper.fetch(row.output)?;
        rest = None;
    }
    let total = request.logprobs.map_or(0.0, |_| sampler.log_sum_exp(row.logits(), rest.as_ref()));
    let mut picked = sampler.pick_among(row.logits(), mask, rest.as_ref(), scratch);
    if picked == Picked::Undecided {
        row.stepper.fetch(row.output)?;
        picked = sampler.pick_among(row.logits(), mask, None, scratch);
    }
    let Picked::Token(token) = picked else { return refused("it allows no token here".into()) };
    sequence.first_token.get_or_insert_with(Instant::now);
    if sequence.request.stop.contains(&token) {
        return Ok(Some(Ended::Done(Finish::Stop(token))));
    }
    let complete = match sequence.grammar.as_mut().map(|grammar| grammar.accept(token)).transpose() {
        Ok(complete) => complete.unwrap_or(false),
        Err(reason) => return refused(reason),
    };
    let logprobs = sequence.request.logprobs.map(|top| logprobs(row.logits(), token, top, total, scratch));
    let logprobs = logprobs.map(Box::new);
    events.push((sequence.id, Event::Token { id: token, logprobs }));
    sequence.tokens.push(token);
    if complete {
        return Ok(Some(Ended::Done(Finish::Complete)));
    }
    Ok((sequence.answer_len() >= sequence.tokens_max).then_some(Ended::Done(Finish::Length)))
}

fn usage(sequence: &Sequence, finish: Finish) -> Usage {
    let since = |from: Instant| from.elapsed();
    Usage {
        finish,
        prompt_tokens: sequence.prompt_len(),
        cached_tokens: sequence.cached_tokens,
        tokens: sequence.answer_len(),
        first_token_after: sequence.first_token.map_or(Duration::ZERO, |first| first - sequence.submitted),
        decoding_for: sequence.first_token.map_or(Duration::ZERO, since),
    }
}
