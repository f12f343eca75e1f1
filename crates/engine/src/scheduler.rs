//! Decides which tokens the next step computes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use tandem_tensor::{Batch, Draw, Given, Limits, Span};

use crate::engine::Admitted;
use crate::pacer::{Mix, Pacer};
use crate::paging::{Pages, Paging};
use crate::pictures::Seen;
use crate::sampler::CANDIDATES_MAX;
use crate::turns::Turns;
use crate::{Config, Grammar, Request, RequestId, Sampler};

/// Running and waiting sequences and the cache blocks they hold.
///
/// Sequences that decode come first, in order of arrival; then prompts, a chunk of each, by whose client's turn it is.
/// A prompt that begins like one before it waits for that and takes over what they share. Waiting sequences are admitted
/// while slots and blocks last, of the client with the fewest running first. When a
/// sequence that decodes finds no block, the youngest running one gives its own back and waits again; what it had computed
/// is often still in the pool when it returns.
pub struct Scheduler {
    config: Config,
    paging: Paging,
    pub(crate) running: Vec<Sequence>,
    waiting: VecDeque<Sequence>,
    /// What the current batch computes, one per span.
    pub(crate) planned: Vec<Planned>,
    turns: Turns,
    /// The prompts to be computed, first come first.
    prompts: Vec<(u64, RequestId)>,
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
    /// Prompt, then answer; at pictures, what stands for them.
    pub tokens: Vec<u32>,
    pictures: Vec<Seen>,
    pub tokens_max: usize,
    /// How many of `tokens` are in the cache, or will be once the batches under way are through.
    pub computed: usize,
    epoch: u32,
    pages: Pages,
    /// Whether any of it was ever computed for itself.
    begun: bool,
    /// Prompt tokens that others had computed before it began.
    pub cached_tokens: usize,
    /// Prompt tokens whose scores have been reported, or whose hidden states are in `hidden`.
    pub scored: usize,
    /// The sum of the prompt's hidden states, where that is asked for.
    pub hidden: Vec<f32>,
    pub submitted: Instant,
    deadline: Option<Instant>,
    pub first_token: Option<Instant>,
}

impl Sequence {
    pub fn new(id: RequestId, admitted: Admitted, limits: &Limits) -> Sequence {
        let Admitted { mut request, grammar, pictures, submitted } = admitted;
        // What was looked at is not needed again.
        request.pictures.clear();
        let prompt = request.prompt.len() - request.resumed;
        let tokens_max =
            request.tokens_max.unwrap_or(usize::MAX).min(limits.context_max.saturating_sub(prompt));
        let mut tokens = Vec::with_capacity(prompt + tokens_max.min(4096));
        tokens.extend_from_slice(&request.prompt);
        for seen in &pictures {
            tokens[seen.place.clone()].copy_from_slice(&seen.tokens);
        }
        Sequence {
            id,
            sampler: Sampler::new(request.sampling.clone(), &request.prompt, request.resumed),
            grammar,
            tokens,
            pictures,
            tokens_max,
            computed: 0,
            epoch: 0,
            pages: Pages::new(limits),
            begun: false,
            cached_tokens: 0,
            scored: 0,
            hidden: Vec::new(),
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

    /// Whether every row of the prompt has a result, not only the last.
    pub fn wants_every_row(&self) -> bool {
        (self.request.score_prompt || self.request.embed) && self.answer_len() == 0
    }

    /// Where a piece that could end at `end` ends, so that no picture is cut: before the picture, or after one that it begins with,
    /// where it may have as many as `most` rows.
    fn piece_end(&self, end: usize, most: usize) -> usize {
        let within = |seen: &&Seen| seen.place.start < end && end < seen.place.end;
        let Some(Seen { place, .. }) = self.pictures.iter().find(within) else { return end };
        match place.start > self.computed {
            true => place.start,
            false if place.end - self.computed <= most => place.end,
            false => self.computed,
        }
    }

    fn pending(&self) -> usize {
        self.tokens.len() - self.computed
    }

    /// Whether its next token needs one row. A sequence that was resumed or pushed out has an answer too, but must compute its
    /// tokens again first.
    fn is_decoding(&self) -> bool {
        self.pending() == 1 && self.answer_len() > 0
    }

    /// Whether the token that is under way will be the likeliest, and another one comes after it unless that one ends the
    /// answer.
    fn feeds(&self) -> bool {
        let whole = self.request.embed || self.request.score_prompt || self.request.logprobs.is_some();
        !whole
            && self.grammar.is_none()
            && self.sampler.is_greedy()
            && self.answer_len() + 1 < self.tokens_max
    }

    /// Its next `rows` as part of a batch.
    fn span(&self, rows: usize) -> Span {
        Span {
            rows: rows as u32,
            start: self.computed as u32,
            blocks: self.pages.whole.len() as u32,
            window_blocks: self.pages.window.len() as u32,
            state: self.pages.state.unwrap_or(0),
            state_from: self.pages.state_from.or(self.pages.state).unwrap_or(0),
        }
    }

    /// Whether it decodes, or its next token is under way.
    fn is_answering(&self) -> bool {
        self.pending() <= 1 && self.answer_len() > 0
    }
}

impl Scheduler {
    pub fn new(config: Config) -> Scheduler {
        let planned = Vec::with_capacity(config.sequences_max);
        Scheduler {
            config,
            paging: Paging::new(&config.limits),
            running: Vec::with_capacity(config.sequences_max),
            waiting: VecDeque::new(),
            planned,
            turns: Turns::default(),
            prompts: Vec::with_capacity(config.sequences_max),
        }
    }

    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// Cache blocks held by running sequences, of whole sequences and of windows.
    pub fn pool_used(&self) -> (usize, usize) {
        self.paging.used()
    }

    pub fn is_idle(&self) -> bool {
        self.running.is_empty() && self.waiting.is_empty()
    }

    pub(crate) fn add(&mut self, sequence: Sequence) {
        self.turns.enter(sequence.request.client);
        self.waiting.push_back(sequence);
    }

    /// Remove a sequence wherever it is.
    pub(crate) fn remove(&mut self, id: RequestId) -> Option<Sequence> {
        let sequence = match self.running.iter().position(|sequence| sequence.id == id) {
            Some(index) => {
                // Its blocks stay known to the pool.
                let mut sequence = self.running.remove(index);
                self.give_back(&mut sequence);
                sequence
            }
            None => {
                let index = self.waiting.iter().position(|sequence| sequence.id == id)?;
                self.waiting.remove(index)?
            }
        };
        let client = sequence.request.client;
        if !self.running.iter().chain(&self.waiting).any(|other| other.request.client == client) {
            self.turns.leave(client);
        }
        Some(sequence)
    }

    /// Remove a sequence whose time is over, if there is one.
    pub(crate) fn remove_overdue(&mut self) -> Option<Sequence> {
        let mut deadlines =
            self.running.iter().chain(&self.waiting).filter_map(|s| Some((s.deadline?, s.id)));
        let now = deadlines.clone().next().map(|_| Instant::now())?;
        let (_, id) = deadlines.find(|(deadline, _)| *deadline <= now)?;
        self.remove(id)
    }

    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Sequence> {
        self.running.drain(..).chain(self.waiting.drain(..))
    }

    /// Write the next batch, one of `depth` that are to be under way at once, and say what is in it. `under_way` is what the
    /// batches before it hold that have not ended.
    ///
    /// With nothing under way and any sequence here, the batch is never empty: the budget of `pacer` holds prompts back only
    /// beside sequences that decode, and a sequence that runs alone has all blocks.
    pub(crate) fn schedule(
        &mut self,
        batch: &mut Batch,
        depth: usize,
        pacer: &Pacer,
        under_way: Option<Mix>,
    ) -> Option<Mix> {
        self.admit_waiting();
        loop {
            batch.clear();
            self.planned.clear();
            let mut room =
                Room { rows: self.config.limits.tokens_max, outputs: self.config.limits.outputs_max };
            let mut mix = Mix::default();
            self.plan_decodes(batch, depth, &mut room, &mut mix);
            let prefill_max = pacer.rows(mix.decodes.max(under_way.unwrap_or_default().decodes));
            self.plan_prompts(batch, depth, prefill_max, &mut room, &mut mix);
            let expectant = self.running.iter().filter(|sequence| !sequence.is_answering()).count();
            mix.expectant = expectant + self.waiting.len();
            if !self.planned.is_empty() {
                return Some(mix);
            }
            if under_way.is_some() || self.running.len() <= 1 {
                return None;
            }
            // Prompts that hold all blocks between them and cannot go on: the youngest gives way.
            self.push_out_youngest();
        }
    }

    fn plan_decodes(&mut self, batch: &mut Batch, depth: usize, room: &mut Room, mix: &mut Mix) {
        // Stages work at the same time only if there is a batch for each.
        let answering = self.running.iter().filter(|sequence| sequence.is_answering()).count();
        let decodes_max = answering.div_ceil(depth);
        let mut index = 0;
        while index < self.running.len() && mix.decodes < decodes_max && room.rows > 0 && room.outputs > 0 {
            if self.running[index].is_decoding() {
                if !self.reserve(index) {
                    // It was the youngest and gave its blocks back; nothing younger is left to plan.
                    return;
                }
                self.plan(index, 1, 1, batch, room);
                mix.decodes += 1;
            }
            index += 1;
        }
    }

    fn plan_prompts(
        &mut self,
        batch: &mut Batch,
        depth: usize,
        prefill_max: usize,
        room: &mut Room,
        mix: &mut Mix,
    ) {
        let mut left = prefill_max.min(room.rows);
        if depth > 1 {
            left = left.min((self.config.limits.tokens_max / (2 * depth)).max(PIECE_MIN));
        }
        self.prompts.clear();
        let unfinished = self.running.iter().filter(|s| s.pending() > 0 && !s.is_decoding());
        self.prompts.extend(unfinished.map(|s| (self.turns.had(s.request.client), s.id)));
        // Stable, so that each client's come in order of arrival.
        self.prompts.sort_by_key(|(turns, _)| *turns);
        for at in 0..self.prompts.len() {
            if left == 0 || room.outputs == 0 {
                return;
            }
            let id = self.prompts[at].1;
            let Some(index) = self.running.iter().position(|sequence| sequence.id == id) else { continue };
            let sequence = &mut self.running[index];
            if !sequence.begun {
                self.paging.give_back(&mut sequence.pages);
                hold_prefix(&mut self.paging, sequence);
            }
            if self.follows_another(at, index) {
                continue;
            }
            let sequence = &self.running[index];
            let scores = sequence.wants_every_row();
            let mut rows = sequence.pending().min(left);
            if scores {
                rows = rows.min(room.outputs);
            }
            // A prompt takes no blocks from others.
            let blocks = sequence.pages.whole.len() + self.paging.available();
            let fitting = (blocks * self.config.limits.block_len).saturating_sub(sequence.computed);
            rows = rows.min(fitting);
            let (computed, tokens) = (sequence.computed, sequence.tokens.len());
            rows = self.paging.piece_end(computed, computed + rows, tokens) - computed;
            rows = sequence.piece_end(computed + rows, fitting.min(room.rows)) - computed;
            if rows == 0 {
                continue;
            }
            let sequence = &mut self.running[index];
            if !self.paging.grow(&mut sequence.pages, sequence.computed + rows) {
                return;
            }
            let outputs = if scores { rows } else { usize::from(rows == sequence.pending()) };
            self.turns.count(sequence.request.client, rows);
            self.plan(index, rows, outputs, batch, room);
            left = left.saturating_sub(rows);
            mix.prefill_rows += rows;
        }
    }

    /// Whether a prompt whose turn comes before that of `running[index]` is about to compute the block that this needs next.
    fn follows_another(&self, at: usize, index: usize) -> bool {
        let own = &self.running[index];
        let end = own.computed + self.config.limits.block_len;
        // The last token is always computed, and nothing before it taken over where every row has a result.
        if own.begun || own.wants_every_row() || end >= own.tokens.len() {
            return false;
        }
        let begins_alike = |other: &Sequence| {
            other.computed < end && other.tokens.len() >= end && other.tokens[..end] == own.tokens[..end]
        };
        let before = self.prompts[..at].iter();
        before.filter_map(|(_, id)| self.running.iter().find(|other| other.id == *id)).any(begins_alike)
    }

    /// Add the next `rows` of `running[index]`, which has the blocks for them, to the batch.
    fn plan(&mut self, index: usize, rows: usize, outputs: usize, batch: &mut Batch, room: &mut Room) {
        let sequence = &mut self.running[index];
        sequence.begun = true;
        let (row, first) = (batch.tokens.len(), sequence.computed);
        let row_end = (row + rows) as u32;
        let shown = sequence.pictures.iter().filter(|seen| (first..first + rows).contains(&seen.place.start));
        batch.given.extend(shown.map(|seen| Given {
            first: (row + seen.place.start - first) as u32,
            rows: seen.place.len() as u32,
            values: Some(Arc::clone(&seen.values)),
        }));
        batch.tokens.extend_from_slice(&sequence.tokens[sequence.computed..][..rows]);
        batch.spans.push(sequence.span(rows));
        batch.blocks.extend_from_slice(&sequence.pages.whole);
        batch.window_blocks.extend(&sequence.pages.window);
        batch.outputs.extend(row_end - outputs as u32..row_end);
        let end = sequence.computed + rows;
        self.planned.push(Planned { id: sequence.id, epoch: sequence.epoch, rows, end, outputs });
        room.rows -= rows;
        room.outputs -= outputs;
    }

    /// Write a batch with the next row of every sequence of the last one, which is under way: their tokens are those that it
    /// gives. `None` where something else has to be done first, or a token is not simply the likeliest.
    pub(crate) fn schedule_fed(&mut self, batch: &mut Batch, before: &[Planned]) -> Option<Mix> {
        let admits = !self.waiting.is_empty() && self.running.len() < self.config.sequences_max;
        if admits || self.running.len() != before.len() {
            return None;
        }
        batch.clear();
        self.planned.clear();
        for (output, planned) in (0..).zip(before) {
            let sequence = self.running.iter_mut().find(|sequence| sequence.id == planned.id)?;
            let goes_on = planned.outputs == 1
                && sequence.epoch == planned.epoch
                && sequence.tokens.len() == planned.end
                && sequence.feeds();
            if !goes_on || !self.paging.grow(&mut sequence.pages, planned.end + 1) {
                return None;
            }
            batch.tokens.push(0);
            batch.spans.push(sequence.span(1));
            batch.blocks.extend_from_slice(&sequence.pages.whole);
            batch.window_blocks.extend(&sequence.pages.window);
            batch.outputs.push(output);
            batch.fed.push((output, output));
            self.planned.push(Planned { rows: 1, end: planned.end + 1, ..*planned });
        }
        batch.top = 1;
        Some(Mix { decodes: before.len(), ..Mix::default() })
    }

    /// Count what is planned as computed, since every later batch comes after it, and see to its blocks.
    pub(crate) fn advance(&mut self, planned: &[Planned]) {
        for planned in planned {
            let same =
                |sequence: &&mut Sequence| sequence.id == planned.id && sequence.epoch == planned.epoch;
            let Some(sequence) = self.running.iter_mut().find(same) else { continue };
            sequence.computed = planned.end;
            self.paging.advance(&mut sequence.pages, &sequence.tokens, sequence.computed, planned.rows);
        }
    }

    /// Say in `batch` what the planned sequences need of every result: the largest values, or all (0), the winners of draws, the
    /// tokens whose logits are changed, and where the session reduces, the masks of grammars and the sums of what is left out.
    pub(crate) fn want_results(&mut self, batch: &mut Batch, reduces: bool) {
        if !self.want_few(batch, reduces) {
            batch.top = 0;
            batch.draws.clear();
            batch.named.clear();
            batch.masks.clear();
            batch.mask_words.clear();
            batch.sums.clear();
        }
    }

    /// False where all values are needed.
    fn want_few(&mut self, batch: &mut Batch, reduces: bool) -> bool {
        batch.top = 1;
        let mut output = 0;
        let mut sums = false;
        for planned in self.planned.iter().filter(|planned| planned.outputs > 0) {
            let first = output;
            output += planned.outputs as u32;
            let Some(sequence) = self.running.iter_mut().find(|sequence| sequence.id == planned.id) else {
                batch.draws.extend(std::iter::repeat_n(Draw::default(), planned.outputs));
                batch.sums.extend(std::iter::repeat_n(0.0, planned.outputs));
                continue;
            };
            let Sequence { request, sampler, grammar, .. } = sequence;
            if request.score_prompt || (!reduces && (request.logprobs.is_some() || grammar.is_some())) {
                return false;
            }
            let listed = request.logprobs.unwrap_or(0);
            let candidates = sampler.candidates(reduces).map(|count| count.max(listed));
            let Some(candidates) = candidates.filter(|count| *count <= CANDIDATES_MAX) else { return false };
            if !sampler.named(first, &mut batch.named) {
                return false;
            }
            if let Some(grammar) = grammar {
                // Kept until the result is here. If there is none, that is when the request hears why.
                let Ok(mask) = grammar.mask() else { return false };
                // The likeliest tokens are listed whether they are allowed or not.
                batch.push_mask(first, listed > 0 && sampler.draws_at_once(), mask);
            }
            batch.top = batch.top.max(candidates as u32);
            batch.draws.extend(std::iter::repeat_n(sampler.next_draw(), planned.outputs));
            let temperature = if reduces { sampler.sum_temperature() } else { 0.0 };
            sums |= reduces && (temperature > 0.0 || request.logprobs.is_some());
            batch.sums.extend(std::iter::repeat_n(temperature, planned.outputs));
        }
        let masked = batch.masks.iter().any(|mask| mask.draws_only);
        if !masked && batch.draws.iter().all(|draw| draw.temperature == 0.0) {
            batch.draws.clear();
        }
        if !sums {
            batch.sums.clear();
        }
        true
    }

    /// Whether the planned batch is asked for hidden states.
    pub(crate) fn hidden_wanted(&self) -> bool {
        let planned = |sequence: &&Sequence| self.planned.iter().any(|planned| planned.id == sequence.id);
        self.running.iter().filter(|sequence| sequence.request.embed).any(|sequence| planned(&sequence))
    }

    /// The running sequence whose rows `planned` are, unless it has gone or begun anew since.
    pub(crate) fn planned_sequence(&mut self, planned: &Planned) -> Option<&mut Sequence> {
        let same = |sequence: &&mut Sequence| sequence.id == planned.id && sequence.epoch == planned.epoch;
        self.running.iter_mut().find(same)
    }

    /// Move waiting sequences to the running ones while there is room, each with the prefix that is still known.
    fn admit_waiting(&mut self) {
        while self.running.len() < self.config.sequences_max {
            let Some(index) = self.next_waiting() else { return };
            let Some(mut sequence) = self.waiting.remove(index) else { return };
            hold_prefix(&mut self.paging, &mut sequence);
            // Room for its next piece at least, beside what the others' next tokens may need.
            let rows = sequence.pending().min(self.config.prefill_chunk);
            let missing = (sequence.computed + rows).div_ceil(self.config.limits.block_len)
                - sequence.pages.whole.len();
            if missing + self.running.len() > self.paging.available() && !self.running.is_empty() {
                self.give_back(&mut sequence);
                self.waiting.insert(index, sequence);
                return;
            }
            self.running.push(sequence);
        }
    }

    /// Those that were running before come first; then one of the client that has the fewest running.
    fn next_waiting(&self) -> Option<usize> {
        let key = |(index, sequence): (usize, &Sequence)| {
            let client = sequence.request.client;
            let running = self.running.iter().filter(|other| other.request.client == client).count();
            (!sequence.begun, running, index)
        };
        self.waiting.iter().enumerate().map(key).min().map(|(.., index)| index)
    }

    /// Give `running[index]` a block for its next token, at the expense of younger sequences. Returns false if it had to
    /// give up itself.
    fn reserve(&mut self, index: usize) -> bool {
        while let Some(sequence) = self.running.get_mut(index) {
            if self.paging.grow(&mut sequence.pages, sequence.computed + 1) {
                return true;
            }
            self.push_out_youngest();
        }
        false
    }

    fn push_out_youngest(&mut self) {
        if let Some(mut youngest) = self.running.pop() {
            self.give_back(&mut youngest);
            self.waiting.push_front(youngest);
        }
    }

    fn give_back(&mut self, sequence: &mut Sequence) {
        self.paging.give_back(&mut sequence.pages);
        sequence.computed = 0;
        sequence.epoch += 1;
    }
}

/// Give `sequence`, which holds none, the blocks that its tokens begin with and the pool still knows.
fn hold_prefix(paging: &mut Paging, sequence: &mut Sequence) {
    // The last token is always computed, since its result is what is asked for.
    let reusable = match sequence.wants_every_row() {
        true => 0,
        false => sequence.tokens.len() - 1,
    };
    let cuts = |at: usize| Seen::cuts(&sequence.pictures, at);
    sequence.computed = paging.hold_prefix(&mut sequence.pages, &sequence.tokens[..reusable], cuts);
    if !sequence.begun {
        sequence.cached_tokens = sequence.computed.min(sequence.prompt_len());
    }
}

/// What a batch still has room for.
struct Room {
    rows: usize,
    outputs: usize,
}

/// Shorter pieces of a prompt are not worth a batch of their own.
const PIECE_MIN: usize = 64;
