//! The weights of a program: matrices packed for the kernels, vectors as `f32`.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use tandem_tensor::{Op, OpenError, Program, Weight, WeightId, WeightSource, quant};

use crate::matrix::{Matrix, PANEL, Part};
use crate::memory::Arena;
use crate::pool::Pool;

pub(crate) struct Weights {
    matrices: Vec<Matrix>,
    vectors: Vec<Vec<f32>>,
    /// By [`WeightId`].
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
enum Place {
    /// Of one matrix for each expert, the first and their number.
    Matrices(usize, usize),
    Vector(usize),
}

/// Bytes of a file that one thread reads and packs at a time.
const READ_BYTES: usize = 256 << 10;

impl Weights {
    /// Bytes of all weights once loaded.
    pub(crate) fn bytes(program: &Program) -> usize {
        let (distinct, _) = distinct(program);
        distinct.iter().map(|(weight, is_vector)| weight_bytes(weight, *is_vector)).sum()
    }

    pub(crate) fn load(
        program: &Program,
        source: &dyn WeightSource,
        progress: &(dyn Fn(u64) + Sync),
        pool: &mut Pool,
    ) -> Result<Weights, OpenError> {
        let (distinct, index) = distinct(program);
        let matrix_bytes = distinct
            .iter()
            .filter(|(_, is_vector)| !is_vector)
            .map(|(weight, _)| weight_bytes(weight, false))
            .sum();
        let mut arena = Arena::new(matrix_bytes).map_err(|source| OpenError::Memory {
            what: "weights",
            bytes: matrix_bytes as u64,
            source,
        })?;

        let (mut matrices, mut vectors, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let mut sources = Vec::new();
        for (weight, is_vector) in &distinct {
            if *is_vector {
                places.push(Place::Vector(vectors.len()));
                vectors.push(load_vector(weight, source)?);
                progress(weight.bytes());
            } else {
                places.push(Place::Matrices(matrices.len(), weight.experts()));
                let (dtype, rows, cols) = (weight.dtype, weight.rows(), weight.cols());
                for expert in 0..weight.experts() {
                    let region = arena.take(Matrix::bytes(dtype, rows, cols));
                    matrices.push(Matrix::new(dtype, rows, cols, region));
                    sources.push((*weight, expert));
                }
            }
        }
        load_matrices(&sources, &mut matrices, source, progress, pool)?;
        Ok(Weights { matrices, vectors, places: index.iter().map(|at| places[*at]).collect() })
    }

    pub(crate) fn matrix(&self, id: WeightId) -> &Matrix {
        &self.matrices(id)[0]
    }

    /// One for each expert (or head).
    pub(crate) fn matrices(&self, id: WeightId) -> &[Matrix] {
        match self.places[id.index()] {
            Place::Matrices(first, count) => &self.matrices[first..][..count],
            Place::Vector(_) => unreachable!("`distinct` sorts weights by their use"),
        }
    }

    pub(crate) fn vector(&self, id: WeightId) -> &[f32] {
        match self.places[id.index()] {
            Place::Vector(at) => &self.vectors[at],
            Place::Matrices(..) => unreachable!("`distinct` sorts weights by their use"),
        }
    }
}

/// The program's weights without repetitions (a tied embedding is one matrix under two ids), each with
/// whether it is used as a vector, and every id's index among them.
fn distinct(program: &Program) -> (Vec<(&Weight, bool)>, Vec<usize>) {
    let vectors = vector_ids(program);
    let mut distinct = Vec::new();
    let mut index = Vec::with_capacity(program.weights.len());
    let mut seen = HashMap::new();
    for (id, weight) in program.weights.iter().enumerate() {
        let is_vector = vectors.contains(&WeightId(id as u32));
        let key = (&weight.name, weight.dtype, &weight.slice, is_vector);
        index.push(*seen.entry(key).or_insert_with(|| {
            distinct.push((weight, is_vector));
            distinct.len() - 1
        }));
    }
    (distinct, index)
}

/// The weights that operators use as vectors.
fn vector_ids(program: &Program) -> HashSet<WeightId> {
    let mut ids: HashSet<WeightId> = program.ropes.iter().filter_map(|rope| rope.factors).collect();
    for op in &program.ops {
        match op {
            Op::Norm { norm, .. }
            | Op::AddNorm { norm, .. }
            | Op::NormBy { norm, .. }
            | Op::NormRuns { norm, .. } => {
                ids.insert(norm.weight);
            }
            Op::LayerNorm { norm, .. } => ids.extend([norm.weight, norm.bias]),
            Op::Linear { parts, .. } => ids.extend(parts.iter().filter_map(|part| part.bias)),
            Op::Attend(op) => {
                ids.extend(op.q_norm.iter().chain(&op.k_norm).map(|norm| norm.weight));
                ids.extend(op.sinks);
            }
            Op::Experts(op) => {
                let biases = [op.gate_bias, op.up_bias, op.down_bias, op.routing.bias, op.routing.scales];
                ids.extend(biases.into_iter().flatten());
            }
            Op::AttendLatent(op) => {
                ids.insert(op.kv_norm.weight);
                ids.extend(
                    op.indexer.iter().flat_map(|indexer| [indexer.k_norm.weight, indexer.k_norm.bias]),
                );
            }
            Op::Convolve(op) => ids.extend(op.bias.into_iter().chain([op.weight])),
            Op::Rescale { by, .. } => ids.extend(by),
            Op::Scan(op) => ids.extend([op.rate, op.bias, op.skip]),
            Op::DeltaRule(op) => ids.extend([op.rate, op.bias]),
            Op::Connect(op) => ids.extend([op.scale, op.base]),
            Op::Blend(op) => ids.extend([op.weight]),
            Op::AttendChosen(op) => ids.extend([op.sinks]),
            _ => {}
        }
    }
    ids
}

fn weight_bytes(weight: &Weight, is_vector: bool) -> usize {
    if is_vector {
        weight.experts() * weight.rows() * weight.cols() * 4
    } else {
        weight.experts() * Arena::bytes_for(Matrix::bytes(weight.dtype, weight.rows(), weight.cols()))
    }
}

fn load_vector(weight: &Weight, source: &dyn WeightSource) -> Result<Vec<f32>, OpenError> {
    let expert_bytes = weight.rows() * weight.row_bytes();
    let mut bytes = vec![0; weight.experts() * expert_bytes];
    for (expert, bytes) in bytes.chunks_exact_mut(expert_bytes.max(1)).enumerate() {
        let read = source.read(weight, expert, 0..weight.rows(), bytes);
        read.map_err(|source| unreadable(weight, source))?;
    }
    let mut values = vec![0.0; weight.experts() * weight.rows() * weight.cols()];
    quant::dequantize(weight.dtype, &bytes, &mut values);
    Ok(values)
}

fn load_matrices(
    sources: &[(&Weight, usize)],
    matrices: &mut [Matrix],
    source: &dyn WeightSource,
    progress: &(dyn Fn(u64) + Sync),
    pool: &mut Pool,
) -> Result<(), OpenError> {
    let parts = sources.iter().zip(matrices).flat_map(|((weight, expert), matrix)| {
        let panels = READ_BYTES / (PANEL * weight.row_bytes()).max(1);
        matrix.parts(panels.max(1)).map(move |part| (*weight, *expert, part))
    });
    let parts: Vec<(&Weight, usize, Part)> = parts.collect();
    let parts = Mutex::new(parts.into_iter());
    let failure = Mutex::new(None);
    let failed = AtomicBool::new(false);
    pool.run(|_| {
        let mut bytes = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let next = parts.lock().expect("an iterator does not panic").next();
            let Some((weight, expert, part)) = next else { break };
            bytes.resize(part.stored_bytes(), 0);
            match source.read(weight, expert, part.rows(), &mut bytes) {
                Ok(()) => part.pack(&bytes),
                Err(source) => {
                    failed.store(true, Ordering::Relaxed);
                    *failure.lock().expect("nothing panics here") = Some(unreadable(weight, source));
                }
            }
            progress(bytes.len() as u64);
        }
    });
    failure.into_inner().expect("nothing panics there").map_or(Ok(()), Err)
}

fn unreadable(weight: &Weight, source: tandem_tensor::ReadError) -> OpenError {
    OpenError::Read { weight: weight.name.clone(), source }
}
