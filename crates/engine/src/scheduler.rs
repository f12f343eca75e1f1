//! Decides which tokens the next step computes.

use std::collections::VecDeque;
use std::time::Instant;

use tandem_tensor::{Batch, Span};

use crate::blocks::{BlockPool, ROOT};
use crate::engine::Admitted;
use crate::{Config, Grammar, Request, RequestId, Sampler};

/// Running and waiting sequences and the cache blocks they hold.
///
/// Running sequences come first, in order of arrival, each with the tokens it still has to compute: one
/// when it is decoding, a chunk of its prompt before that. Waiting ones are admitted while rows, slots
/// and blocks last. When blocks run out, the youngest running sequence gives its own back and waits
/// again; what it had computed is often still in the pool when it returns.
pub struct Scheduler {
    config: Config,
    pub(crate) pool: BlockPool,
    pub(crate) running: Vec<Sequence>,
    waiting: VecDeque<Sequence>,
    /// What the current batch computes, one per span.
    pub(crate) planned: Vec<Planned>,
}

/// A span of a batch: the `rows` tokens of a sequence before `end`, `outputs` of them with results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Planned {
    pub id: RequestId,
    /// How often the sequence had given its blocks back: results from before are of no use to it.
    epoch: u32,
    pub rows: usize,
    pub end: usize,
    pub outputs: usize,
}

pub(crate) struct Sequence {
    pub id: RequestId,
    pub request: Request,
    pub sampler: Sampler,
    pub grammar: Option<Box<dyn Grammar>>,
    /// Prompt, then answer.
    pub tokens: Vec<u32>,
    pub tokens_max: usize,
    /// How many of `tokens` are in the cache, or will be once the batches under way are through.
    pub computed: usize,
    epoch: u32,
    pub blocks: Vec<u32>,
    /// Blocks whose contents the pool knows, and the hash of their prefix.
    remembered: usize,
    prefix: u64,
    /// Prompt tokens that were in the cache when it was first admitted.
    pub cached_tokens: Option<usize>,
    /// Prompt tokens whose scores have been reported.
    pub scored: usize,
    pub submitted: Instant,
    deadline: Option<Instant>,
    pub first_token: Option<Instant>,
}

impl Sequence {
    pub fn new(id: RequestId, admitted: Admitted, context_max: usize, block_len: usize) -> Sequence {
        let Admitted { request, grammar, submitted } = admitted;
        let blocks_max = context_max.div_ceil(block_len);
        let prompt = request.prompt.len() - request.resumed;
        let tokens_max = request.tokens_max.unwrap_or(usize::MAX).min(context_max.saturating_sub(prompt));
        let mut tokens = Vec::with_capacity(prompt + tokens_max.min(4096));
        tokens.extend_from_slice(&request.prompt);
        Sequence {
            id,
            sampler: Sampler::new(request.sampling.clone(), &request.prompt, request.resumed),
            grammar,
            tokens,
            tokens_max,
            computed: 0,
            epoch: 0,
            blocks: Vec::with_capacity(blocks_max),
            remembered: 0,
            prefix: ROOT,
            cached_tokens: None,
            scored: 0,
            submitted,
            deadline: request.deadline.and_then(|after| submitted.checked_add(after)),
            first_token: None,
            request,
        }
    }

    pub fn prompt_len(&self) -> usize {
        self.request.prompt.len() - self.request.resumed
    }

    pub fn answer_len(&self) -> usize {
        self.tokens.len() - self.prompt_len()
    }

    fn pending(&self) -> usize {
        self.tokens.len() - self.computed
    }

    fn is_decoding(&self) -> bool {
        self.pending() == 1 && self.answer_len() > 0
    }
}

impl Scheduler {
    pub fn new(config: Config) -> Scheduler {
        let pool = BlockPool::new(config.limits.blocks, config.limits.block_len);
        let planned = Vec::with_capacity(config.sequences_max);
        Scheduler { config, pool, running: Vec::new(), waiting: VecDeque::new(), planned }
    }

    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// Cache blocks held by running sequences.
    pub fn pool_used(&self) -> usize {
        self.pool.used()
    }

    pub fn is_idle(&self) -> bool {
        self.running.is_empty() && self.waiting.is_empty()
    }

    pub(crate) fn add(&mut self, sequence: Sequence) {
        self.waiting.push_back(sequence);
    }

    /// Remove a sequence wherever it is.
    pub(crate) fn remove(&mut self, id: RequestId) -> Option<Sequence> {
        if let Some(index) = self.running.iter().position(|sequence| sequence.id == id) {
            return Some(self.finish(index));
        }
        let index = self.waiting.iter().position(|sequence| sequence.id == id)?;
        self.waiting.remove(index)
    }

    /// Remove a sequence whose time is over, if there is one.
    pub(crate) fn remove_overdue(&mut self) -> Option<Sequence> {
        let mut deadlines =
            self.running.iter().chain(&self.waiting).filter_map(|s| Some((s.deadline?, s.id)));
        let now = deadlines.clone().next().map(|_| Instant::now())?;
        let (_, id) = deadlines.find(|(deadline, _)| *deadline <= now)?;
        self.remove(id)
    }

    /// Take a running sequence out; its blocks stay known to the pool.
    pub(crate) fn finish(&mut self, index: usize) -> Sequence {
        let mut sequence = self.running.remove(index);
        self.give_back(&mut sequence);
        sequence
    }

    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Sequence> {
        self.running.drain(..).chain(self.waiting.drain(..))
    }

    /// Write the next batch, one of `depth` that are to be under way at once. Returns false when there is nothing to do.
    pub fn schedule(&mut self, batch: &mut Batch, depth: usize) -> bool {
        batch.clear();
        self.planned.clear();
        let limits = self.config.limits;
        let (mut rows_left, mut outputs_left) = (limits.tokens_max, limits.outputs_max);
        // While others wait for their next token, a prompt is computed in smaller pieces.
        let decoding = self.running.iter().filter(|sequence| sequence.answer_len() > 0).count();
        let mut prefill_left = if decoding > 0 { self.config.prefill_chunk } else { limits.tokens_max };
        // Stages work at the same time only if there is a batch for each.
        let mut decodes_left = decoding.div_ceil(depth);
        if depth > 1 {
            prefill_left = prefill_left.min((limits.tokens_max / (2 * depth)).max(PIECE_MIN));
        }

        let mut index = 0;
        loop {
            let room = if outputs_left == 0 { 0 } else { rows_left.min(prefill_left) };
            if index == self.running.len() && !self.admit(room) {
                break;
            }
            let sequence = &self.running[index];
            let decodes = sequence.is_decoding();
            let mut rows = sequence.pending().min(rows_left);
            if !decodes {
                rows = rows.min(prefill_left);
            }
            if sequence.request.score_prompt && !decodes {
                rows = rows.min(outputs_left);
            }
            if rows == 0 || outputs_left == 0 || (decodes && decodes_left == 0) {
                index += 1;
                continue;
            }
            if !self.reserve(index, rows) {
                // `index` was the youngest and gave its blocks back; nothing younger is left to plan.
                break;
            }
            let sequence = &self.running[index];
            let outputs = match sequence.request.score_prompt && !decodes {
                true => rows,
                false => usize::from(rows == sequence.pending()),
            };
            let first = batch.tokens.len() as u32;
            let end = first + rows as u32;
            batch.tokens.extend_from_slice(&sequence.tokens[sequence.computed..][..rows]);
            batch.spans.push(Span {
                rows: rows as u32,
                start: sequence.computed as u32,
                blocks: sequence.blocks.len() as u32,
            });
            batch.blocks.extend_from_slice(&sequence.blocks);
            batch.outputs.extend(end - outputs as u32..end);
            let end = sequence.computed + rows;
            self.planned.push(Planned { id: sequence.id, epoch: sequence.epoch, rows, end, outputs });
            rows_left -= rows;
            outputs_left -= outputs;
            match decodes {
                true => decodes_left -= 1,
                false => prefill_left -= rows,
            }
            index += 1;
        }
        !self.planned.is_empty()
    }

    /// Count the planned rows as computed, since every later batch comes after them, and tell the pool of blocks that became full.
    pub(crate) fn advance(&mut self) {
        let block_len = self.pool.block_len();
        for planned in &self.planned {
            let Some(sequence) = self.running.iter_mut().find(|sequence| sequence.id == planned.id) else {
                continue;
            };
            sequence.computed = planned.end;
            while (sequence.remembered + 1) * block_len <= sequence.computed {
                let block = sequence.blocks[sequence.remembered];
                let tokens = &sequence.tokens[sequence.remembered * block_len..][..block_len];
                sequence.prefix = self.pool.remember(block, sequence.prefix, tokens);
                sequence.remembered += 1;
            }
        }
    }

    /// The running sequence whose rows `planned` are, unless it has gone or begun anew since.
    pub(crate) fn planned_sequence(&mut self, planned: &Planned) -> Option<&mut Sequence> {
        let same = |sequence: &&mut Sequence| sequence.id == planned.id && sequence.epoch == planned.epoch;
        self.running.iter_mut().find(same)
    }

    /// Move the next waiting sequence to the running ones, with the prefix the pool still knows.
    fn admit(&mut self, rows_left: usize) -> bool {
        if rows_left == 0 || self.running.len() == self.config.sequences_max {
            return false;
        }
        let Some(mut sequence) = self.waiting.pop_front() else { return false };
        let block_len = self.pool.block_len();
        // The last token is always computed, since its result is what is asked for.
        let reusable = match sequence.request.score_prompt && sequence.answer_len() == 0 {
            true => 0,
            false => sequence.tokens.len() - 1,
        };
        sequence.prefix = self.pool.hold_prefix(&sequence.tokens[..reusable], &mut sequence.blocks);
        sequence.remembered = sequence.blocks.len();
        sequence.computed = sequence.remembered * block_len;
        let rows = sequence.pending().min(rows_left);
        let missing = (sequence.computed + rows).div_ceil(block_len) - sequence.blocks.len();
        // Admitting must not push out a running sequence.
        if missing > self.pool.available() {
            self.give_back(&mut sequence);
            self.waiting.push_front(sequence);
            return false;
        }
        sequence.cached_tokens.get_or_insert(sequence.computed.min(sequence.prompt_len()));
        self.running.push(sequence);
        true
    }

    /// Give `running[index]` blocks for `rows` more tokens, at the expense of younger sequences. Returns
    /// false if it had to give up itself.
    fn reserve(&mut self, index: usize, rows: usize) -> bool {
        let wanted = (self.running[index].computed + rows).div_ceil(self.pool.block_len());
        while self.running[index].blocks.len() < wanted {
            match self.pool.take() {
                Some(block) => self.running[index].blocks.push(block),
                None => {
                    let mut youngest = self.running.pop().expect("the sequence itself is running");
                    self.give_back(&mut youngest);
                    self.waiting.push_front(youngest);
                    if self.running.len() == index {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn give_back(&mut self, sequence: &mut Sequence) {
        // Newest first: when room is needed, the ends of prefixes go before their beginnings.
        for block in sequence.blocks.drain(..).rev() {
            self.pool.release(block);
        }
        sequence.computed = 0;
        sequence.epoch += 1;
        sequence.remembered = 0;
        sequence.prefix = ROOT;
    }
}

/// Shorter pieces of a prompt are not worth a batch of their own.
const PIECE_MIN: usize = 64;
