//! What runs a [`Program`]: the interface every backend implements.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{BegunSum, Cache, Draw, Parcel, Program, Weight, WireType};

/// Makes sessions: a session is one rank's program with its weights and caches in place.
pub trait Backend: Send + Sync {
    fn name(&self) -> String;

    /// Whether it makes the sums of a program in two parts (see [`sums`](crate::sums)).
    fn sums_exactly(&self) -> bool {
        false
    }

    /// Whether long batches are multiplied in half floats, whatever their weights are: results are off by as much.
    fn rounds_to_halves(&self) -> bool {
        false
    }

    /// Fast ways of computing that are in use and that its device could do without, by name.
    fn fast_paths(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The same device without some of these.
    fn without(&self, paths: &[&str]) -> Result<Box<dyn Backend>, String> {
        Err(format!("there is no way without {}", paths.join(" and ")))
    }

    /// Let every process from now on do without them.
    fn leave_out(&self, paths: &[&str]) -> Result<(), String> {
        Err(format!("there is no way without {}", paths.join(" and ")))
    }

    /// The ways by which a step could pass to other ranks and back, with what each costs here, or why it cannot be used; measured now.
    fn exchange_ways(&self) -> Vec<String> {
        Vec::new()
    }

    /// Rows of a batch that a program's prompts are computed best with, where there is memory for them.
    fn rows_wanted(&self, _: &Program, limits: &Limits) -> usize {
        limits.tokens_max
    }

    /// The memory `open` will take, so that a caller can refuse before anything is read.
    fn footprint(&self, program: &Program, limits: &Limits) -> Footprint;

    /// Load all weights and allocate everything that `run` needs. `progress` hears the bytes of the
    /// file consumed since its last call.
    fn open(
        &self,
        program: Arc<Program>,
        limits: Limits,
        weights: &dyn WeightSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Box<dyn Session>, OpenError>;
}

/// One rank's program, ready to step. What an engine drives is built on it.
pub trait Session: Send {
    /// Run the program over `batch`. Afterwards `result` holds one row per output.
    fn run(&mut self, batch: &Batch, peers: &mut dyn Peers) -> Result<(), PeerLost>;

    /// How values pass to other ranks in the middle of a step, where that was chosen by measuring, and what it costs.
    fn exchanges_by(&self) -> Option<String> {
        None
    }

    /// Whether a batch may begin before the last one is finished, and have rows whose tokens that one gives ([`Batch::fed`]).
    fn feeds(&self) -> bool {
        false
    }

    /// Begin `batch` on a rank that is alone; [`finish`](Self::finish) waits for it. Where the session feeds, one more may
    /// begin meanwhile.
    fn start(&mut self, batch: &Batch) -> Result<(), PeerLost> {
        self.run(batch, &mut Alone)
    }

    /// Wait for the oldest batch that was started. Afterwards `result` holds its rows.
    fn finish(&mut self) -> Result<(), PeerLost> {
        Ok(())
    }

    /// `[batch.outputs.len(), width of Program::result]` of the last step.
    fn result(&self) -> &[f32];

    /// Whether it keeps to [`Batch::masks`], says what few values leave out ([`rests`](Self::rests)), and brings the others
    /// where those do not decide ([`fetch`](Self::fetch)). Other sessions are asked for all values instead.
    fn reduces(&self) -> bool {
        false
    }

    /// What is known of the values that `result` leaves out, for each output of the last step; empty where it has them all.
    fn rests(&self) -> &[Rest] {
        &[]
    }

    /// Bring all values of one output of the last step into `result`. No other batch may have begun since.
    fn fetch(&mut self, _output: usize) -> Result<(), PeerLost> {
        Ok(())
    }

    /// Whether it runs a long batch in two halves ([`Halves`](crate::Halves)) where [`Peers::overlaps`] asks for it, and so makes two
    /// sums of each. The ranks of a group do so only if all of them can: otherwise their sums would not match.
    fn runs_in_halves(&self) -> bool {
        false
    }

    /// `[batch.outputs.len(), width of Program::hidden]` of the last step; empty where the batch did not ask for it, `None` where this session
    /// never has it.
    fn hidden(&self) -> Option<&[f32]> {
        None
    }
}

/// Sizes fixed when a session is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most tokens in one batch.
    pub tokens_max: usize,
    /// Most outputs in one batch.
    pub outputs_max: usize,
    /// Tokens per cache block; a power of two.
    pub block_len: usize,
    /// Cache blocks in all.
    pub blocks: usize,
    /// Tokens that caches with a window keep of a sequence, and the blocks they have in all; where this is 0, they keep
    /// everything, as the others do.
    pub window: usize,
    pub window_blocks: usize,
    /// Places for what layers keep of a sequence beside keys and values; 0 where they keep nothing else.
    pub states: usize,
    /// Most positions of one sequence.
    pub context_max: usize,
    pub cache_type: CacheType,
}

impl Limits {
    /// Whether a layer's cache keeps only a window.
    pub fn windowed(&self, cache: &Cache) -> bool {
        self.window > 0 && cache.window.is_some()
    }

    /// The blocks of one layer's cache.
    pub fn blocks_of(&self, cache: &Cache) -> usize {
        if self.windowed(cache) { self.window_blocks } else { self.blocks }
    }

    /// The rows of one layer's cache.
    pub fn rows_of(&self, cache: &Cache) -> usize {
        self.blocks_of(cache) * cache.block_rows(self.block_len)
    }
}

/// How keys and values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheType {
    F32,
    F16,
    /// Eight bits with one `f16` scale per 32 values.
    Q8,
}

impl CacheType {
    /// Bytes of `len` values of one head.
    pub const fn bytes_of(self, len: usize) -> usize {
        match self {
            CacheType::F32 => len * 4,
            CacheType::F16 => len * 2,
            CacheType::Q8 => len + len.div_ceil(32) * 2,
        }
    }
}

/// Bytes a session takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    pub weights: u64,
    pub cache: u64,
    pub scratch: u64,
}

impl Footprint {
    pub const fn total(&self) -> u64 {
        self.weights + self.cache + self.scratch
    }
}

/// The tokens of one step: rows of several sequences, each with its place in the paged cache.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    pub tokens: Vec<u32>,
    /// Consecutive runs of rows, one per sequence, covering `tokens` exactly.
    pub spans: Vec<Span>,
    /// The spans' block tables, one after the other.
    pub blocks: Vec<u32>,
    /// The same for caches with a window, which number their blocks anew.
    pub window_blocks: Vec<u32>,
    /// Rows whose result is wanted, ascending.
    pub outputs: Vec<u32>,
    /// How many of a result's largest values are wanted; all of them where this is 0. What a session leaves out is
    /// negative infinity.
    pub top: u32,
    /// For each output a draw whose winner is wanted beside the `top` largest; empty where there are none, or where all are
    /// wanted.
    pub draws: Vec<Draw>,
    /// Outputs and tokens whose values are wanted whatever they are. They count neither among the `top` largest nor in draws.
    pub named: Vec<(u32, u32)>,
    /// Outputs whose choice a mask limits: tokens that it does not allow count as negative infinity among the `top` largest and
    /// in draws, though what is no finite number is seen whatever its token is. Only for sessions that reduce.
    pub masks: Vec<Mask>,
    /// The words of the masks, one after the other.
    pub mask_words: Vec<u32>,
    /// For each output the temperature at which the sum of what is left out is wanted, beside that at 1 ([`Rest`]); empty where no
    /// sums are. Only for sessions that reduce.
    pub sums: Vec<f32>,
    /// Rows and outputs: the row's token is the one with the largest value in that output of the batch before, which need not
    /// be finished. What `tokens` says of such a row means nothing. Only for sessions that feed.
    pub fed: Vec<(u32, u32)>,
    /// Whether hidden states are wanted too, which may have to come from another rank.
    pub hidden: bool,
    /// Rows whose values are given instead of looked up by a token; ascending, each run within one span.
    pub given: Vec<Given>,
}

/// The tokens that may be chosen for an output: bit `t % 32` of word `t / 32`. Tokens beyond the last word may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask {
    pub output: u32,
    /// How many of [`Batch::mask_words`] are its.
    pub words: u32,
    /// Whether the `top` largest are wanted of all tokens: then it limits the draw alone, which there must be. One without a
    /// temperature gives the largest value that is allowed.
    pub draws_only: bool,
}

/// What is known of an output's values where only few of them are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// No value that is left out is larger, of tokens that are allowed and not named.
    pub most: f32,
    /// Where sums are wanted, the log-sum-exp of all values but those of named tokens, given or not.
    pub all: f64,
    /// The same of values divided by the temperature, of allowed tokens only. Means nothing where the temperature is 0.
    pub allowed: f64,
}

/// A run of rows that show something together, such as a picture: every one also sees those after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    pub first: u32,
    pub rows: u32,
    /// `[rows, width]` of the buffer that [`Op::Place`](crate::Op::Place) puts them into. Of the ranks that add up what they embed, one
    /// has them, and the others `None`.
    pub values: Option<Arc<[f32]>>,
}

impl Given {
    /// The token of a row that is given: no vocabulary has it, so that an embedding is zero there.
    pub const TOKEN_MIN: u32 = 1 << 31;
}

/// One sequence's rows in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub rows: u32,
    /// Position of the first row, which is also the number of tokens already cached.
    pub start: u32,
    /// How many entries of `Batch::blocks` belong to this span: enough for `start + rows` tokens.
    pub blocks: u32,
    /// How many of `Batch::window_blocks` do: those of its table's last blocks, back to the first that `start` still sees.
    pub window_blocks: u32,
    /// Where its state is written, and where it is read: the same place while a sequence goes on, another when it begins where a
    /// state was kept. Nothing is read where `start` is 0.
    pub state: u32,
    pub state_from: u32,
}

impl Span {
    /// Which of the sequence's blocks is the first of its window's.
    pub fn window_first(&self) -> usize {
        (self.blocks - self.window_blocks) as usize
    }
}

impl Batch {
    /// With more named tokens than this, all values are as cheap.
    pub const NAMED_MAX: usize = 1024;

    pub fn clear(&mut self) {
        self.tokens.clear();
        self.spans.clear();
        self.blocks.clear();
        self.window_blocks.clear();
        self.outputs.clear();
        self.top = 0;
        self.draws.clear();
        self.named.clear();
        self.masks.clear();
        self.mask_words.clear();
        self.sums.clear();
        self.fed.clear();
        self.hidden = false;
        self.given.clear();
    }

    pub fn push_mask(&mut self, output: u32, draws_only: bool, words: &[u32]) {
        self.masks.push(Mask { output, words: words.len() as u32, draws_only });
        self.mask_words.extend_from_slice(words);
    }

    /// The masks with their words.
    pub fn masks(&self) -> impl Iterator<Item = (Mask, &[u32])> {
        let mut rest = self.mask_words.as_slice();
        self.masks.iter().map(move |mask| {
            let words;
            (words, rest) = rest.split_at((mask.words as usize).min(rest.len()));
            (*mask, words)
        })
    }
}

/// Where weights come from: a file, a peer, a generator.
pub trait WeightSource: Sync {
    /// Fill `out` with the given rows of one expert of `weight`'s slice, in the weight's own dtype.
    /// `rows` counts from the slice's first row. May be called from several threads.
    fn read(
        &self,
        weight: &Weight,
        expert: usize,
        rows: Range<usize>,
        out: &mut [u8],
    ) -> Result<(), ReadError>;
}

/// The other ranks, as seen from inside a step.
pub trait Peers {
    /// Sum `values` over the tensor-parallel group, in rank order, in place.
    fn all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost>;

    /// Whether there are no other ranks, so that sums are what they are already.
    fn is_alone(&self) -> bool {
        false
    }

    /// Whether it pays to compute while a sum is made: then a long batch may be run in two halves, whose sums are begun and finished in
    /// turns. All ranks of a group must say the same.
    fn overlaps(&self) -> bool {
        false
    }

    /// Begin a sum; no other exchange may begin before it is finished, with the same values.
    fn start_all_reduce(&mut self, values: &[f32]) -> Result<(), PeerLost> {
        let _ = values;
        Ok(())
    }

    fn finish_all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        self.all_reduce(values)
    }

    /// What the values of sums travel as. All ranks of a group say the same.
    fn wire(&self) -> WireType {
        WireType::F32
    }

    /// A buffer for sums of `len` values, which travel as [`Peers::wire`] says. To be kept: making one takes memory.
    fn parcel(&mut self, len: usize) -> Result<Parcel, PeerLost> {
        Ok(Parcel::own(len, self.wire()))
    }

    /// Begin the sum of what all ranks put into parcels of the same length, as `start_all_reduce` does of values.
    fn begin_sum(&mut self, parcel: Parcel) -> Result<BegunSum, PeerLost> {
        Ok(BegunSum(Some(parcel)))
    }

    /// The parcel comes back with the sum in it.
    fn finish_sum(&mut self, begun: BegunSum) -> Result<Parcel, PeerLost> {
        let mut parcel = begun.0.ok_or_else(|| PeerLost { rank: 0, reason: "no sum has begun".into() })?;
        let mut values = vec![0.0; parcel.len()];
        parcel.get(&mut values);
        self.all_reduce(&mut values)?;
        parcel.put(&values);
        Ok(parcel)
    }

    /// Move what can be moved of a sum that has begun.
    fn progress(&mut self) {}

    fn send_next(&mut self, values: &[f32]) -> Result<(), PeerLost>;
    fn recv_previous(&mut self, values: &mut [f32]) -> Result<(), PeerLost>;
}

/// The peers of a rank that has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Peers for Alone {
    fn is_alone(&self) -> bool {
        true
    }

    fn all_reduce(&mut self, _values: &mut [f32]) -> Result<(), PeerLost> {
        Ok(())
    }

    fn send_next(&mut self, _values: &[f32]) -> Result<(), PeerLost> {
        Err(PeerLost { rank: 0, reason: "this rank has no next stage".into() })
    }

    fn recv_previous(&mut self, _values: &mut [f32]) -> Result<(), PeerLost> {
        Err(PeerLost { rank: 0, reason: "this rank has no previous stage".into() })
    }
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("cannot read `{weight}`: {source}")]
    Read { weight: String, source: ReadError },
    #[error("cannot allocate {bytes} bytes for {what}: {source}")]
    Memory { what: &'static str, bytes: u64, source: std::io::Error },
    #[error("the {backend} backend cannot run {what}")]
    Unsupported { backend: String, what: &'static str },
}

/// Why a weight could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ReadError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rank {rank} is lost: {reason}")]
pub struct PeerLost {
    pub rank: u32,
    pub reason: String,
}

impl PeerLost {
    /// The rank that says so, which a session does not know the number of.
    pub const ITSELF: u32 = u32::MAX;

    /// The rank that says so is lost: what it computes on is.
    pub fn itself(reason: String) -> PeerLost {
        PeerLost { rank: Self::ITSELF, reason }
    }

    /// With a number in place of [`ITSELF`](Self::ITSELF).
    pub fn said_by(self, rank: u32) -> PeerLost {
        PeerLost { rank: if self.rank == Self::ITSELF { rank } else { self.rank }, ..self }
    }
}
