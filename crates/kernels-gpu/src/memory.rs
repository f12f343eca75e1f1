//! The buffers of a session, and what they take.

use std::collections::HashMap;
use std::ops::Range;

use tandem_tensor::{
    Buf, BufId, Cache, CacheType, Footprint, Limits, Op, OpenError, Program, Rows, Weight, WeightId,
    WeightSource, quant,
};
use wgpu::{Buffer, BufferDescriptor, BufferUsages};

use crate::device::Gpu;
use crate::packing::{Layout, Packed, blocks_of};
use crate::sampling::Found;

/// Chunks of weights are no longer than this unless what must lie together is.
const CHUNK_BYTES: u64 = 1 << 30;
/// Weights go to the device in pieces of about this size.
const PIECE_BYTES: usize = 4 << 20;
/// Buffers with a row for every token have whole tiles of rows, which kernels for long batches write.
pub const ROW_TILE: usize = 128;
/// Parts of softmaxes that attention may leave for one head in a step with few rows.
pub const PARTS_MIN: usize = 512;

/// Where a matrix lies: its chunk, and where its planes begin in the units that kernels count in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub chunk: usize,
    pub planes: [u32; 4],
    start: u64,
}

/// Where everything lies, before anything is allocated.
pub struct Map {
    /// One for each weight that is used as a matrix.
    pub places: HashMap<WeightId, Place>,
    /// The chunks' bytes.
    pub chunks: Vec<u64>,
    /// Where each weight that is used as a vector begins in the buffer of vectors.
    pub vectors: HashMap<WeightId, u32>,
    pub vectors_len: usize,
    /// Where each buffer of the program begins among the activations.
    pub bufs: Vec<u32>,
    pub act_len: usize,
    /// Where the room begins that every operator may use anew, and how much the present one has taken.
    scratch_first: usize,
    scratch_len: usize,
    pub caches: Vec<CacheMap>,
    /// Bytes of each layer's states.
    pub states: Vec<u64>,
    /// What is found among the logits.
    pub found: Option<Found>,
}

/// Planes of one layer's cache, in 4-byte words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheMap {
    pub keys: u32,
    pub values: u32,
    pub key_scales: u32,
    pub value_scales: u32,
    pub bytes: u64,
}

impl Map {
    pub fn new(program: &Program, limits: &Limits) -> Map {
        let uses = Uses::of(program);
        let mut map = Map {
            places: HashMap::new(),
            chunks: Vec::new(),
            vectors: HashMap::new(),
            vectors_len: 0,
            bufs: Vec::new(),
            act_len: 0,
            scratch_first: 0,
            scratch_len: 0,
            caches: program.caches.iter().map(|cache| CacheMap::new(cache, limits)).collect(),
            states: program.states.iter().map(|state| (state.len * limits.states * 4) as u64).collect(),
            found: Found::new(program, limits),
        };
        for group in &uses.matrices {
            map.place(program, group);
        }
        for id in uses.vectors {
            map.vectors.insert(id, map.vectors_len as u32);
            let weight = program.weight(id);
            map.vectors_len += weight.experts() * weight.rows() * weight.cols();
        }
        for buf in &program.bufs {
            map.bufs.push(map.act_len as u32);
            map.act_len += (rows_max(buf.rows, limits) * buf.width).next_multiple_of(64);
        }
        map.scratch_first = map.act_len;
        map
    }

    /// How much the present operator has reserved.
    pub fn scratch(&self) -> usize {
        self.scratch_len
    }

    /// What was reserved since then is free.
    pub fn free_scratch_to(&mut self, scratch: usize) {
        self.scratch_len = scratch;
    }

    /// Room among the activations for one operator; returns where it begins.
    pub fn reserve(&mut self, len: usize) -> u32 {
        let first = self.scratch_first + self.scratch_len;
        self.scratch_len += len.next_multiple_of(64);
        self.act_len = self.act_len.max(self.scratch_first + self.scratch_len);
        first as u32
    }

    pub fn buf(&self, id: BufId) -> u32 {
        self.bufs[id.index()]
    }

    /// Matrices that one kernel reads lie in one chunk.
    fn place(&mut self, program: &Program, group: &[WeightId]) {
        let same = |id: WeightId| {
            let known = |other: &&WeightId| program.weight(**other) == program.weight(id);
            self.places.keys().find(known).map(|other| self.places[other])
        };
        // The output matrix is often the embedding again.
        if let [id] = group
            && let Some(place) = same(*id)
        {
            self.places.insert(*id, place);
            return;
        }
        let bytes: u64 = group.iter().map(|id| matrix_bytes(program.weight(*id))).sum();
        if self.chunks.last().is_none_or(|chunk| chunk + bytes > CHUNK_BYTES) {
            self.chunks.push(0);
        }
        let chunk = self.chunks.len() - 1;
        for id in group {
            let start = self.chunks[chunk];
            let weight = program.weight(*id);
            let layout = Layout::of(weight.dtype);
            let mut at = start;
            let mut planes = layout.plane_bytes(matrix_blocks(weight)).map(|bytes| {
                let first = at;
                at += bytes;
                (first / 4) as u32
            });
            planes[0] /= 4;
            if layout.wide_supers {
                planes[3] /= 4;
            }
            self.places.insert(*id, Place { chunk, planes, start });
            self.chunks[chunk] = at;
        }
    }

    fn found_bytes(&self) -> u64 {
        self.found.map_or(4, |found| found.words() as u64) * 4
    }

    pub fn footprint(&self) -> Footprint {
        Footprint {
            weights: self.chunks.iter().sum::<u64>() + self.vectors_len as u64 * 4,
            cache: self.caches.iter().map(|cache| cache.bytes).chain(self.states.iter().copied()).sum(),
            scratch: self.act_len as u64 * 4 + self.found_bytes(),
        }
    }
}

impl CacheMap {
    fn new(cache: &Cache, limits: &Limits) -> CacheMap {
        let rows = limits.blocks_of(cache) * limits.block_len * cache.kv_heads;
        let (key_blocks, value_blocks) = (blocks_of(cache.key_dim), blocks_of(cache.value_dim));
        let units = |dim: usize| dim.div_ceil(8) * 8;
        let (key_words, value_words) = match limits.cache_type {
            CacheType::F32 => (units(cache.key_dim), units(cache.value_dim)),
            CacheType::F16 => (units(cache.key_dim) / 2, units(cache.value_dim) / 2),
            CacheType::Q8 => (key_blocks * 8, value_blocks * 8),
        };
        let scales = limits.cache_type == CacheType::Q8;
        let values = rows * key_words;
        let key_scales = values + rows * value_words;
        let value_scales = key_scales + if scales { rows * key_blocks } else { 0 };
        let end = value_scales + if scales { rows * value_blocks } else { 0 };
        CacheMap {
            keys: 0,
            values: values as u32,
            key_scales: key_scales as u32,
            value_scales: value_scales as u32,
            bytes: (end as u64 * 4).next_multiple_of(16).max(16),
        }
    }
}

pub fn rows_max(rows: Rows, limits: &Limits) -> usize {
    match rows {
        Rows::Tokens => limits.tokens_max.next_multiple_of(ROW_TILE),
        Rows::Outputs => limits.outputs_max.next_multiple_of(ROW_TILE),
    }
}

/// Blocks of 32 values in all matrices of a weight.
fn matrix_blocks(weight: &Weight) -> u64 {
    (weight.experts() * weight.rows() * blocks_of(weight.cols())) as u64
}

fn matrix_bytes(weight: &Weight) -> u64 {
    Layout::of(weight.dtype).plane_bytes(matrix_blocks(weight)).iter().sum()
}

/// How the operators use the weights.
#[derive(Default)]
struct Uses {
    /// Matrices, in groups that one kernel reads together.
    matrices: Vec<Vec<WeightId>>,
    vectors: Vec<WeightId>,
}

impl Uses {
    fn of(program: &Program) -> Uses {
        let mut uses = Uses::default();
        for op in &program.ops {
            match op {
                Op::Embed { table, .. } => uses.matrices.push(vec![*table]),
                Op::Norm { norm, .. } | Op::AddNorm { norm, .. } => uses.vectors.push(norm.weight),
                Op::Linear { parts, .. } => {
                    uses.matrices.push(parts.iter().map(|part| part.weight).collect());
                    uses.vectors.extend(parts.iter().filter_map(|part| part.bias));
                }
                Op::GatedLinear { gate, up, .. } => uses.matrices.push(vec![*gate, *up]),
                Op::Experts(op) => {
                    uses.matrices.push(vec![op.gate, op.up]);
                    uses.matrices.push(vec![op.down]);
                    uses.vectors
                        .extend([op.gate_bias, op.up_bias, op.down_bias, op.routing.bias].iter().flatten());
                }
                Op::Attend(op) => {
                    uses.vectors.extend([op.q_norm, op.k_norm].iter().flatten().map(|norm| norm.weight));
                    uses.vectors.extend(op.sinks);
                }
                Op::AttendLatent(op) => {
                    uses.vectors.push(op.kv_norm.weight);
                    uses.matrices.extend([vec![op.key], vec![op.value]]);
                }
                Op::NormRuns { norm, .. } | Op::NormBy { norm, .. } => uses.vectors.push(norm.weight),
                Op::Convolve(op) => {
                    uses.vectors.push(op.weight);
                    uses.vectors.extend(op.bias);
                }
                Op::DeltaRule(op) => uses.vectors.extend([op.rate, op.bias]),
                Op::Scan(op) => uses.vectors.extend([op.rate, op.bias, op.skip]),
                _ => {}
            }
        }
        uses.vectors.extend(program.ropes.iter().filter_map(|rope| rope.factors));
        uses.vectors.sort();
        uses.vectors.dedup();
        uses
    }
}

/// The buffers themselves.
pub struct Memory {
    pub chunks: Vec<Buffer>,
    pub vectors: Buffer,
    pub act: Buffer,
    pub found: Buffer,
    /// Keys and values, then states.
    pub caches: Vec<Buffer>,
}

impl Memory {
    pub fn allocate(gpu: &Gpu, map: &Map) -> Memory {
        let buffer = |label, bytes| storage(gpu, label, bytes);
        Memory {
            chunks: map.chunks.iter().map(|bytes| buffer("weights", *bytes)).collect(),
            vectors: buffer("vectors", map.vectors_len as u64 * 4),
            act: buffer("activations", map.act_len as u64 * 4),
            found: buffer("candidates", map.found_bytes()),
            caches: map
                .caches
                .iter()
                .map(|cache| cache.bytes)
                .chain(map.states.iter().copied())
                .map(|bytes| buffer("cache", bytes))
                .collect(),
        }
    }

    /// Read all weights and bring them to the device, a piece at a time.
    pub fn load(
        &self,
        gpu: &Gpu,
        map: &Map,
        program: &Program,
        source: &dyn WeightSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), OpenError> {
        let mut vectors = vec![0.0; map.vectors_len];
        for (id, first) in &map.vectors {
            let weight = program.weight(*id);
            let out = &mut vectors[*first as usize..][..weight.experts() * weight.rows() * weight.cols()];
            for (expert, out) in out.chunks_exact_mut((weight.rows() * weight.cols()).max(1)).enumerate() {
                let bytes = read(source, weight, expert, 0..weight.rows())?;
                quant::dequantize(weight.dtype, &bytes, out);
            }
            progress(weight.bytes());
        }
        gpu.queue.write_buffer(&self.vectors, 0, bytemuck::cast_slice(&vectors));
        let mut ids: Vec<&WeightId> = map.places.keys().collect();
        ids.sort();
        let mut done: Vec<(usize, u64)> = Vec::new();
        for id in ids {
            let place = map.places[id];
            if !done.contains(&(place.chunk, place.start)) {
                done.push((place.chunk, place.start));
                self.load_matrix(gpu, place, program.weight(*id), source, progress)?;
            }
        }
        Ok(())
    }

    fn load_matrix(
        &self,
        gpu: &Gpu,
        place: Place,
        weight: &Weight,
        source: &dyn WeightSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), OpenError> {
        let layout = Layout::of(weight.dtype);
        let mut at = place.start;
        let mut planes = layout.plane_bytes(matrix_blocks(weight)).map(|bytes| {
            let first = at;
            at += bytes;
            Stream { buffer: &self.chunks[place.chunk], at: first, held: Vec::new() }
        });
        let rows = (PIECE_BYTES / weight.row_bytes().max(1)).clamp(1, weight.rows().max(1));
        let pieces: Vec<(usize, Range<usize>)> = (0..weight.experts())
            .flat_map(|expert| {
                let starts = (0..weight.rows()).step_by(rows);
                starts.map(move |first| (expert, first..(first + rows).min(weight.rows())))
            })
            .collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for pieces in pieces.chunks(threads) {
            let packed: Vec<Result<Packed, OpenError>> = std::thread::scope(|scope| {
                let workers: Vec<_> = pieces
                    .iter()
                    .map(|(expert, rows)| {
                        scope.spawn(move || {
                            let bytes = read(source, weight, *expert, rows.clone())?;
                            let mut packed = Packed::default();
                            packed.push(weight.dtype, weight.cols(), &bytes);
                            progress(bytes.len() as u64);
                            Ok(packed)
                        })
                    })
                    .collect();
                let join = |worker: std::thread::ScopedJoinHandle<'_, _>| {
                    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                };
                workers.into_iter().map(join).collect()
            });
            for packed in packed {
                for (stream, bytes) in planes.iter_mut().zip(packed?.planes) {
                    stream.push(gpu, &bytes);
                }
            }
            // Let the driver free what it has copied.
            let _ = gpu.device.poll(wgpu::PollType::Poll);
            gpu.queue.submit([]);
        }
        planes.iter_mut().for_each(|stream| stream.end(gpu));
        Ok(())
    }
}

/// A plane that is written from its beginning to its end.
struct Stream<'a> {
    buffer: &'a Buffer,
    at: u64,
    held: Vec<u8>,
}

impl Stream<'_> {
    fn push(&mut self, gpu: &Gpu, bytes: &[u8]) {
        self.held.extend_from_slice(bytes);
        let whole = self.held.len() / 16 * 16;
        if whole > 0 {
            gpu.queue.write_buffer(self.buffer, self.at, &self.held[..whole]);
            self.at += whole as u64;
            self.held.drain(..whole);
        }
    }

    fn end(&mut self, gpu: &Gpu) {
        if !self.held.is_empty() {
            self.push(gpu, &[0; 15]);
        }
    }
}

fn read(
    source: &dyn WeightSource,
    weight: &Weight,
    expert: usize,
    rows: Range<usize>,
) -> Result<Vec<u8>, OpenError> {
    let mut bytes = vec![0; rows.len() * weight.row_bytes()];
    source
        .read(weight, expert, rows, &mut bytes)
        .map_err(|source| OpenError::Read { weight: weight.name.clone(), source })?;
    Ok(bytes)
}

pub fn storage(gpu: &Gpu, label: &'static str, bytes: u64) -> Buffer {
    gpu.device.create_buffer(&BufferDescriptor {
        label: Some(label),
        size: bytes.next_multiple_of(16).max(16),
        usage: BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

/// How a product wants its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Blocks of eight bits, for coded matrices.
    Eight,
    /// The same, between two products of which the first prepares what the second reads.
    Between,
    /// Floats, for float matrices.
    Float,
    /// Half floats, for products of long batches.
    Half,
    /// Not an input but a matrix, expanded to half floats.
    Expanded,
}

impl Format {
    pub const fn constant(self) -> u32 {
        match self {
            Format::Eight | Format::Between => 1,
            Format::Float => 2,
            Format::Half | Format::Expanded => 3,
        }
    }

    pub const fn bytes(self) -> usize {
        match self {
            Format::Eight | Format::Between => 1,
            Format::Float => 4,
            Format::Half | Format::Expanded => 2,
        }
    }
}

/// The rows of a buffer, prepared for products.
pub fn prepared_len(buf: &Buf) -> usize {
    blocks_of(buf.width) * 32
}
