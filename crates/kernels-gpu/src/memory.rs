//! The buffers of a session, and what they take.

use std::collections::HashMap;
use std::ops::Range;

use tandem_tensor::{
    Buf, BufId, Cache, CacheType, Footprint, Limits, Op, OpenError, Program, Rows, Weight, WeightId,
    WeightSource, quant,
};
use wgpu::{Buffer, BufferDescriptor, BufferUsages};

use crate::device::{DeviceError, Gpu};
#[cfg(target_os = "macos")]
use crate::metal::Residency;
use crate::packing::{Layout, Packed, blocks_of};
use crate::sampling::Found;
use crate::upload::Upload;

/// Chunks of weights are no longer than this, or than what a kernel sees at once, unless what must lie together is.
const CHUNK_BYTES: u64 = 1 << 30;
/// Weights go to the device in pieces of about this size.
const PIECE_BYTES: usize = 1 << 20;
/// Buffers with a row for every token have whole tiles of rows, which kernels for long batches write.
pub const ROW_TILE: usize = 128;
/// Parts of softmaxes that attention may leave for one head in a step with few rows.
pub const PARTS_MIN: usize = 512;

/// Where a matrix lies, or some of a stack: the chunk, and where its planes begin in the units that kernels count in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub chunk: usize,
    pub planes: [u32; 4],
    /// Which matrices of the stack: the first, and how many.
    pub first: u32,
    pub count: u32,
    start: u64,
}

/// Where everything lies, before anything is allocated.
pub struct Map {
    /// Of each weight that is used as a matrix. Only stacks of experts may have several.
    places: HashMap<WeightId, Vec<Place>>,
    /// The chunks' bytes, and how long they are unless what must lie together is longer.
    pub chunks: Vec<u64>,
    chunk_bytes: u64,
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
    /// `matrices_max`: the most bytes of matrices that a kernel sees at once.
    pub fn new(program: &Program, limits: &Limits, matrices_max: u64) -> Map {
        let uses = Uses::of(program);
        let mut map = Map {
            places: HashMap::new(),
            chunks: Vec::new(),
            chunk_bytes: matrices_max.min(CHUNK_BYTES),
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
            map.lay(program, group, u64::MAX);
        }
        for group in &uses.stacks {
            map.lay(program, group, matrices_max);
        }
        for id in uses.vectors {
            map.vectors.insert(id, map.vectors_len as u32);
            let weight = program.weight(id);
            // Kernels read four values at a time.
            map.vectors_len += (weight.experts() * weight.rows() * weight.cols()).next_multiple_of(4);
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

    /// Where a matrix lies that is not divided.
    pub fn place(&self, id: WeightId) -> Place {
        self.places[&id][0]
    }

    /// Where the parts of a stack lie.
    pub fn places(&self, id: WeightId) -> &[Place] {
        &self.places[&id]
    }

    /// Matrices that one kernel reads lie in one chunk. Stacks that would take more than `bytes_max` lie in several, a run of
    /// experts in each.
    fn lay(&mut self, program: &Program, group: &[WeightId], bytes_max: u64) {
        let same = |id: WeightId| {
            let known = |other: &&WeightId| program.weight(**other) == program.weight(id);
            self.places.keys().find(known).map(|other| self.places[other].clone())
        };
        // The output matrix is often the embedding again.
        if let [id] = group
            && let Some(places) = same(*id)
        {
            self.places.insert(*id, places);
            return;
        }
        let bytes_of = |experts: usize| -> u64 {
            group.iter().map(|id| plane_bytes(program.weight(*id), experts).iter().sum::<u64>()).sum()
        };
        let experts = program.weight(group[0]).experts();
        let parts = bytes_of(experts).div_ceil(bytes_max).max(1) as usize;
        // Planes end at whole words, so an even part may be a little too long.
        let fits = |count: &usize| bytes_of(*count) <= bytes_max;
        let each = (1..=experts.div_ceil(parts)).rev().find(fits).unwrap_or(1);
        for first in (0..experts).step_by(each) {
            self.lay_part(program, group, first, each.min(experts - first));
        }
    }

    fn lay_part(&mut self, program: &Program, group: &[WeightId], first: usize, count: usize) {
        let planes_of = |id: &WeightId| plane_bytes(program.weight(*id), count);
        let bytes: u64 = group.iter().flat_map(planes_of).sum();
        if self.chunks.last().is_none_or(|chunk| chunk + bytes > self.chunk_bytes) {
            self.chunks.push(0);
        }
        let chunk = self.chunks.len() - 1;
        for id in group {
            let start = self.chunks[chunk];
            let mut at = start;
            let mut planes = planes_of(id).map(|bytes| {
                let first = at;
                at += bytes;
                (first / 4) as u32
            });
            planes[0] /= 4;
            if Layout::of(program.weight(*id).dtype).wide_supers {
                planes[3] /= 4;
            }
            let place = Place { chunk, planes, first: first as u32, count: count as u32, start };
            self.places.entry(*id).or_default().push(place);
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
        let rows = limits.rows_of(cache) * cache.kv_heads;
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

/// Bytes of the planes of so many matrices of a weight, in blocks of 32 values.
fn plane_bytes(weight: &Weight, experts: usize) -> [u64; 4] {
    Layout::of(weight.dtype).plane_bytes((experts * weight.rows() * blocks_of(weight.cols())) as u64)
}

/// How the operators use the weights.
#[derive(Default)]
struct Uses {
    /// Matrices, in groups that one kernel reads together.
    matrices: Vec<Vec<WeightId>>,
    /// The same of experts.
    stacks: Vec<Vec<WeightId>>,
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
                Op::GatedLinear { gate, up, .. } => uses.matrices.push(pair(*gate, *up)),
                Op::Experts(op) => {
                    uses.stacks.extend([pair(op.gate, op.up), vec![op.down]]);
                    uses.vectors.extend([op.gate_bias, op.up_bias, op.down_bias].iter().flatten());
                    uses.vectors.extend([op.routing.bias, op.routing.scales].iter().flatten());
                }
                Op::Attend(op) => {
                    uses.vectors.extend([op.q_norm, op.k_norm].iter().flatten().map(|norm| norm.weight));
                    uses.vectors.extend(op.sinks);
                }
                Op::AttendLatent(op) => {
                    uses.vectors.push(op.kv_norm.weight);
                    uses.matrices.extend([vec![op.key], vec![op.value]]);
                    let norm = op.indexer.map(|indexer| indexer.k_norm);
                    uses.vectors.extend(norm.into_iter().flat_map(|norm| [norm.weight, norm.bias]));
                }
                Op::NormRuns { norm, .. } | Op::NormBy { norm, .. } => uses.vectors.push(norm.weight),
                Op::LayerNorm { norm, .. } => uses.vectors.extend([norm.weight, norm.bias]),
                Op::Rescale { by, .. } => uses.vectors.extend(by),
                Op::Convolve(op) => {
                    uses.vectors.push(op.weight);
                    uses.vectors.extend(op.bias);
                }
                Op::DeltaRule(op) => uses.vectors.extend([op.rate, op.bias]),
                Op::Scan(op) => uses.vectors.extend([op.rate, op.bias, op.skip]),
                Op::Connect(op) => uses.vectors.extend([op.scale, op.base]),
                Op::Blend(op) => uses.vectors.push(op.weight),
                Op::AttendChosen(op) => uses.vectors.push(op.sinks),
                Op::Stacked { weight, .. } => uses.matrices.push(vec![*weight]),
                _ => {}
            }
        }
        uses.vectors.extend(program.ropes.iter().filter_map(|rope| rope.factors));
        uses.vectors.sort();
        uses.vectors.dedup();
        uses
    }
}

/// Gates and what they gate, which may be one matrix.
fn pair(gate: WeightId, up: WeightId) -> Vec<WeightId> {
    let mut group = vec![gate, up];
    group.dedup();
    group
}

/// The buffers themselves.
pub struct Memory {
    pub chunks: Vec<Buffer>,
    pub vectors: Buffer,
    pub act: Buffer,
    pub found: Buffer,
    /// Keys and values, then states.
    pub caches: Vec<Buffer>,
    /// What keeps weights and caches wired while nothing runs.
    #[cfg(target_os = "macos")]
    residency: Option<Residency>,
}

impl Memory {
    pub fn allocate(gpu: &Gpu, map: &Map) -> Memory {
        let buffer = |label, bytes| storage(gpu, label, bytes);
        #[cfg(target_os = "macos")]
        let residency = Residency::new(gpu);
        #[cfg(target_os = "macos")]
        let kept = |label, bytes| {
            let made = residency.as_ref().and_then(|set| set.buffer(gpu, &described(label, bytes)));
            // Where there is no room, wgpu will say so.
            made.unwrap_or_else(|| buffer(label, bytes))
        };
        #[cfg(not(target_os = "macos"))]
        let kept = buffer;
        Memory {
            chunks: map.chunks.iter().map(|bytes| kept("weights", *bytes)).collect(),
            vectors: buffer("vectors", map.vectors_len as u64 * 4),
            act: buffer("activations", map.act_len as u64 * 4),
            found: buffer("candidates", map.found_bytes()),
            caches: map
                .caches
                .iter()
                .map(|cache| cache.bytes)
                .chain(map.states.iter().copied())
                .map(|bytes| kept("cache", bytes))
                .collect(),
            #[cfg(target_os = "macos")]
            residency,
        }
    }

    /// A step begins.
    pub fn touch(&self) {
        #[cfg(target_os = "macos")]
        self.residency.iter().for_each(Residency::touch);
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
        let mut upload = Upload::new(gpu);
        for id in ids {
            for place in map.places(*id) {
                if !done.contains(&(place.chunk, place.start)) {
                    done.push((place.chunk, place.start));
                    self.load_matrices(&mut upload, place, program.weight(*id), source, progress)?;
                }
            }
        }
        upload.flush().map_err(failed)?;
        #[cfg(target_os = "macos")]
        self.residency.iter().for_each(Residency::keep);
        Ok(())
    }

    fn load_matrices(
        &self,
        upload: &mut Upload<'_>,
        place: &Place,
        weight: &Weight,
        source: &dyn WeightSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), OpenError> {
        let mut at = place.start;
        let mut planes = plane_bytes(weight, place.count as usize).map(|bytes| {
            let first = at;
            at += bytes;
            Stream { buffer: &self.chunks[place.chunk], at: first, held: Vec::new() }
        });
        let rows = (PIECE_BYTES / weight.row_bytes().max(1)).clamp(1, weight.rows().max(1));
        let pieces: Vec<(usize, Range<usize>)> = (place.first as usize..(place.first + place.count) as usize)
            .flat_map(|expert| {
                let starts = (0..weight.rows()).step_by(rows);
                starts.map(move |first| (expert, first..(first + rows).min(weight.rows())))
            })
            .collect();
        let pack = |(expert, rows): &(usize, Range<usize>)| {
            let bytes = read(source, weight, *expert, rows.clone())?;
            let mut packed = Packed::default();
            packed.push(weight.dtype, weight.cols(), &bytes);
            progress(bytes.len() as u64);
            Ok(packed)
        };
        in_order(&pieces, &pack, |packed| {
            for (stream, bytes) in planes.iter_mut().zip(&packed.planes) {
                stream.push(upload, bytes)?;
            }
            Ok(())
        })?;
        planes.iter_mut().try_for_each(|stream| stream.end(upload))
    }
}

/// Make something of every piece on all cores, and take it in order, while later ones are made; no core is far ahead.
fn in_order<T: Sync, M: Send>(
    pieces: &[T],
    make: &(dyn Fn(&T) -> Result<M, OpenError> + Sync),
    mut take: impl FnMut(M) -> Result<(), OpenError>,
) -> Result<(), OpenError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(pieces.len());
    std::thread::scope(|scope| {
        // A thread makes every so many-th piece, and waits until its last one was taken.
        let makers: Vec<_> = (0..threads)
            .map(|first| {
                let (sender, made) = std::sync::mpsc::sync_channel(1);
                scope.spawn(move || {
                    for piece in pieces.iter().skip(first).step_by(threads) {
                        // Nobody takes any more where something failed.
                        if sender.send(make(piece)).is_err() {
                            return;
                        }
                    }
                });
                made
            })
            .collect();
        for at in 0..pieces.len() {
            // A thread that panicked ends the scope with its panic.
            let Ok(made) = makers[at % threads].recv() else { return Ok(()) };
            take(made?)?;
        }
        Ok(())
    })
}

/// A plane that is written from its beginning to its end.
struct Stream<'a> {
    buffer: &'a Buffer,
    at: u64,
    /// What is less than a word of 16 bytes.
    held: Vec<u8>,
}

impl Stream<'_> {
    fn push(&mut self, upload: &mut Upload<'_>, mut bytes: &[u8]) -> Result<(), OpenError> {
        if !self.held.is_empty() {
            let missing = bytes.len().min(16 - self.held.len());
            self.held.extend_from_slice(&bytes[..missing]);
            bytes = &bytes[missing..];
            if self.held.len() == 16 {
                let held = std::mem::take(&mut self.held);
                self.write(upload, &held)?;
            }
        }
        let (whole, rest) = bytes.split_at(bytes.len() / 16 * 16);
        self.write(upload, whole)?;
        self.held.extend_from_slice(rest);
        Ok(())
    }

    fn write(&mut self, upload: &mut Upload<'_>, bytes: &[u8]) -> Result<(), OpenError> {
        upload.push(self.buffer, self.at, bytes).map_err(failed)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    fn end(&mut self, upload: &mut Upload<'_>) -> Result<(), OpenError> {
        match self.held.len() {
            0 => Ok(()),
            held => self.push(upload, &[0; 16][held..]),
        }
    }
}

fn failed(error: DeviceError) -> OpenError {
    OpenError::Memory { what: "the GPU", bytes: 0, source: std::io::Error::other(error.to_string()) }
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
    gpu.device.create_buffer(&described(label, bytes))
}

fn described(label: &'static str, bytes: u64) -> BufferDescriptor<'static> {
    BufferDescriptor {
        label: Some(label),
        size: bytes.next_multiple_of(16).max(16),
        usage: BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    }
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
