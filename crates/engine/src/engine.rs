//! `schedule → run → postprocess`.

use std::time::{Duration, Instant};

use tandem_tensor::{Batch, Limits, PeerLost, Peers, Session};

use crate::sampler::{Scratch, logprob, logprobs};
use crate::scheduler::{Planned, Sequence};
use crate::{Event, Finish, Refused, Request, RequestId, Scheduler, Usage};

#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// What the session was opened with.
    pub limits: Limits,
    pub vocab: usize,
    /// Most sequences in one step.
    pub sequences_max: usize,
    /// Most prompt tokens in a step that also decodes.
    pub prefill_chunk: usize,
    /// Most requests waiting.
    pub waiting_max: usize,
}

/// Requests in, events out, one step at a time.
pub struct Engine {
    config: Config,
    session: Box<dyn Session>,
    peers: Box<dyn Peers + Send>,
    scheduler: Scheduler,
    batch: Batch,
    scratch: Scratch,
    finished: Vec<(usize, Finish)>,
}

impl Engine {
    pub fn new(session: Box<dyn Session>, peers: Box<dyn Peers + Send>, mut config: Config) -> Engine {
        // A sequence alone must always fit, or it would wait for blocks for ever.
        let limits = &mut config.limits;
        limits.context_max = limits.context_max.min(limits.blocks * limits.block_len);
        let blocks_max = config.sequences_max * limits.context_max.div_ceil(limits.block_len);
        let batch = Batch {
            tokens: Vec::with_capacity(limits.tokens_max),
            spans: Vec::with_capacity(config.sequences_max),
            blocks: Vec::with_capacity(blocks_max),
            outputs: Vec::with_capacity(limits.outputs_max),
        };
        Engine {
            config,
            session,
            peers,
            scheduler: Scheduler::new(config),
            batch,
            scratch: Scratch::new(config.vocab),
            finished: Vec::with_capacity(config.sequences_max),
        }
    }

    pub fn submit(&mut self, id: RequestId, request: Request) -> Result<(), Refused> {
        let context = self.config.limits.context_max;
        request.check(context, self.config.vocab)?;
        if self.scheduler.waiting() >= self.config.waiting_max {
            return Err(Refused::Busy { waiting: self.scheduler.waiting() });
        }
        self.scheduler.add(Sequence::new(id, request, context, self.config.limits.block_len));
        Ok(())
    }

    /// Forget a request; its slot and blocks are free for the next step.
    pub fn cancel(&mut self, id: RequestId, events: &mut Vec<(RequestId, Event)>) {
        if let Some(sequence) = self.scheduler.remove(id) {
            events.push((id, Event::Done(usage(&sequence, Finish::Cancelled))));
        }
    }

    pub fn is_idle(&self) -> bool {
        self.scheduler.is_idle()
    }

    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// Run one step, appending what happened to `events`.
    pub fn step(&mut self, events: &mut Vec<(RequestId, Event)>) -> Result<(), PeerLost> {
        if self.scheduler.schedule(&mut self.batch) {
            self.session.run(&self.batch, &mut *self.peers)?;
            self.scheduler.advance();
            self.postprocess(events);
        }
        Ok(())
    }

    /// Tell every request that nothing more will come.
    pub fn fail(&mut self, reason: &str, events: &mut Vec<(RequestId, Event)>) {
        events.extend(self.scheduler.drain().map(|sequence| (sequence.id, Event::Failed(reason.to_owned()))));
    }

    fn postprocess(&mut self, events: &mut Vec<(RequestId, Event)>) {
        let mut results = self.session.result().chunks_exact(self.config.vocab);
        self.finished.clear();
        for planned in &self.scheduler.planned {
            let sequence = &mut self.scheduler.running[planned.sequence];
            if sequence.request.score_prompt && sequence.answer_len() == 0 {
                let row = score(sequence, *planned, &mut results, events);
                if sequence.computed < sequence.tokens.len() {
                    continue;
                }
                if sequence.tokens_max == 0 {
                    self.finished.push((planned.sequence, Finish::Length));
                    continue;
                }
                let finish = answer(sequence, row, &mut self.scratch, events);
                self.finished.extend(finish.map(|finish| (planned.sequence, finish)));
            } else if planned.outputs == 1 {
                let row = results.next().expect("one result per output");
                let finish = answer(sequence, row, &mut self.scratch, events);
                self.finished.extend(finish.map(|finish| (planned.sequence, finish)));
            }
        }
        // From the back, so that the indices before stay right.
        for (index, finish) in self.finished.drain(..).rev() {
            let sequence = self.scheduler.finish(index);
            events.push((sequence.id, Event::Done(usage(&sequence, finish))));
        }
    }
}

/// Report how likely the prompt's tokens were. Returns the last row.
fn score<'a>(
    sequence: &mut Sequence,
    planned: Planned,
    results: &mut impl Iterator<Item = &'a [f32]>,
    events: &mut Vec<(RequestId, Event)>,
) -> &'a [f32] {
    let first = sequence.computed - planned.rows;
    let mut scores = Vec::with_capacity(planned.rows);
    let mut last: &[f32] = &[];
    for position in first..sequence.computed {
        last = results.next().expect("one result per output");
        // After giving its blocks back and starting again, a sequence passes scored tokens once more.
        if position >= sequence.scored {
            scores.extend(sequence.tokens.get(position + 1).map(|token| logprob(last, *token)));
        }
    }
    sequence.scored = sequence.scored.max(sequence.computed);
    events.push((sequence.id, Event::Scored(scores)));
    last
}

/// Pick the next token and append it.
fn answer(
    sequence: &mut Sequence,
    logits: &[f32],
    scratch: &mut Scratch,
    events: &mut Vec<(RequestId, Event)>,
) -> Option<Finish> {
    let token = sequence.sampler.pick(logits, scratch);
    sequence.first_token.get_or_insert_with(Instant::now);
    if sequence.request.stop.contains(&token) {
        return Some(Finish::Stop(token));
    }
    let logprobs = sequence.request.logprobs.map(|top| Box::new(logprobs(logits, token, top, scratch)));
    events.push((sequence.id, Event::Token { id: token, logprobs }));
    sequence.tokens.push(token);
    (sequence.answer_len() >= sequence.tokens_max).then_some(Finish::Length)
}

fn usage(sequence: &Sequence, finish: Finish) -> Usage {
    let since = |from: Instant| from.elapsed();
    Usage {
        finish,
        prompt_tokens: sequence.request.prompt.len(),
        cached_tokens: sequence.cached_tokens,
        tokens: sequence.answer_len(),
        first_token_after: sequence.first_token.map_or(Duration::ZERO, |first| first - sequence.submitted),
        decoding_for: sequence.first_token.map_or(Duration::ZERO, since),
    }
}
