//! Tensors on their way into a GGUF file: read in pieces, quantised by all threads, written in order. What is held in
//! memory is a few pieces for each thread, however large the tensors are.

use crate::display;
use crate::failure::Interrupted;
use crate::interrupt::Listener;
use anyhow::{Result, anyhow, bail};
use std::io::Write;
use std::ops::Range;
use tandem_formats::{GgufDataWriter, GgufWriter};
use tandem_models::RowOrder;
use tandem_tensor::{DType, Recipe, Weight, WeightSource, quant};

/// Values that one thread converts at a time: 4 MiB as floats.
const PIECE_VALUES: usize = 1 << 20;
/// Smaller pieces are not worth a thread.
const PIECE_VALUES_MIN: usize = 1 << 14;

/// One tensor's way.
pub struct Job {
    /// In the new file.
    pub name: String,
    /// Columns, rows, experts.
    pub dims: Vec<usize>,
    pub to: DType,
    pub from: Contents,
}

pub enum Contents {
    Stored { weight: Weight, rows: RowOrder },
    Parts(Vec<Part>),
    Computed(Vec<f32>),
}

/// A weight that is cut from the new tensor by this recipe.
pub struct Part {
    pub weight: Weight,
    pub rows: RowOrder,
    pub recipe: Recipe,
}

impl Part {
    /// Runs of rows of matrix `own` of which something lies in these rows of matrix `expert` of the new tensor.
    fn runs(&self, own: usize, expert: usize, rows: &Range<usize>) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for row in 0..self.weight.rows() {
            let [matrix, at, _] = self.recipe.place([own, row, 0]);
            if self.recipe.is_by_rows() && !(matrix == expert && rows.contains(&at)) {
                continue;
            }
            match runs.last_mut() {
                Some(run) if run.end == row && self.rows == RowOrder::Same => run.end += 1,
                _ => runs.push(row..row + 1),
            }
        }
        runs
    }
}

impl Job {
    pub fn source_bytes(&self) -> u64 {
        match &self.from {
            Contents::Stored { weight, .. } => weight.bytes(),
            Contents::Parts(parts) => parts.iter().map(|part| part.weight.bytes()).sum(),
            Contents::Computed(values) => 4 * values.len() as u64,
        }
    }

    fn weights(&self) -> Vec<&Weight> {
        match &self.from {
            Contents::Stored { weight, .. } => vec![weight],
            Contents::Parts(parts) => parts.iter().map(|part| &part.weight).collect(),
            Contents::Computed(_) => Vec::new(),
        }
    }

    /// Experts, rows and columns of what is written.
    fn shape(&self) -> [usize; 3] {
        match &self.from {
            // The file may hold it in more dimensions.
            Contents::Stored { weight, .. } => [weight.experts(), weight.rows(), weight.cols()],
            _ => [2, 1, 0].map(|at| self.dims.get(at).copied().unwrap_or(1)),
        }
    }
}

/// Declares every job's tensor.
pub fn declare(writer: &mut GgufWriter, jobs: &[Job]) -> Result<()> {
    for job in jobs {
        writer.add_tensor(&job.name, job.to, &job.dims)?;
    }
    Ok(())
}

/// Says so where weights that were rounded once are about to be rounded again.
pub fn warn_of_second_loss(jobs: &[Job]) {
    let weights = jobs.iter().flat_map(|job| job.weights().into_iter().map(|weight| (job.to, weight)));
    let mut lossy = weights.filter(|(to, weight)| weight.dtype != *to && weight.dtype.block_len() > 1);
    if let Some((_, Weight { name, dtype, .. })) = lossy.next() {
        let _ = writeln!(
            std::io::stderr(),
            "note: the weights are quantised already (`{}` is {dtype}); converting them again loses quality twice",
            display::line(name, 60),
        );
    }
}

/// What to read with, how many threads, and who may stop it.
pub struct Conversion<'a> {
    pub source: &'a dyn WeightSource,
    pub threads: usize,
    pub listener: &'a Listener,
    /// What Ctrl-C leaves behind.
    pub interrupted: &'static str,
}

impl Conversion<'_> {
    /// Writes the jobs that the writer does not have yet. `on_progress` hears how many bytes of the source are done.
    pub fn run(
        &self,
        jobs: &[Job],
        writer: &mut GgufDataWriter,
        mut on_progress: impl FnMut(u64),
    ) -> Result<()> {
        let (before, left) = jobs.split_at(writer.resumed().min(jobs.len()));
        let mut done_bytes: u64 = before.iter().map(Job::source_bytes).sum();
        on_progress(done_bytes);
        for job in left {
            match &job.from {
                Contents::Computed(values) => {
                    let mut bytes = Vec::new();
                    quant::quantize(job.to, values, &mut bytes);
                    writer.write_part(&job.name, &bytes).map_err(explain_full_disk)?;
                }
                Contents::Stored { .. } | Contents::Parts(_) => {
                    self.convert(job, writer, |bytes| on_progress(done_bytes + bytes))?;
                }
            }
            done_bytes += job.source_bytes();
            on_progress(done_bytes);
        }
        Ok(())
    }

    /// One tensor, as many pieces at a time as there are threads.
    fn convert(
        &self,
        job: &Job,
        writer: &mut GgufDataWriter,
        mut on_progress: impl FnMut(u64),
    ) -> Result<()> {
        let order = match &job.from {
            Contents::Stored { rows, .. } => *rows,
            _ => RowOrder::Same,
        };
        let [experts, rows, _] = job.shape();
        let all_rows = (experts * rows) as u64;
        let mut done_rows = 0;
        for batch in pieces(job.shape(), order, self.threads).chunks(self.threads) {
            if self.listener.is_raised() {
                return Err(Interrupted(self.interrupted).into());
            }
            let work = |(expert, rows): &(usize, Range<usize>)| match &job.from {
                Contents::Stored { weight, rows: order } => {
                    self.piece(job, weight, *order, *expert, rows.clone())
                }
                Contents::Parts(parts) => self.gathered(job, parts, *expert, rows.clone()),
                Contents::Computed(_) => Ok(Vec::new()),
            };
            let (first, rest) = batch.split_first().expect("chunks are not empty");
            let converted: Vec<Result<Vec<u8>>> = std::thread::scope(|scope| {
                let others: Vec<_> = rest.iter().map(|piece| scope.spawn(move || work(piece))).collect();
                let own = work(first);
                let joined = others.into_iter().map(|other| match other.join() {
                    Ok(converted) => converted,
                    Err(panic) => std::panic::resume_unwind(panic),
                });
                std::iter::once(own).chain(joined).collect()
            });
            for bytes in converted {
                writer.write_part(&job.name, &bytes?).map_err(explain_full_disk)?;
            }
            done_rows += batch.iter().map(|(_, rows)| rows.len() as u64).sum::<u64>();
            on_progress(job.source_bytes() / all_rows * done_rows);
        }
        Ok(())
    }

    /// Rows that lie in several weights, or parts of them.
    fn gathered(&self, job: &Job, parts: &[Part], expert: usize, rows: Range<usize>) -> Result<Vec<u8>> {
        let [.., cols] = job.shape();
        let to_bytes = cols / job.to.block_len() * job.to.block_bytes();
        // Rows that are of the wanted type already are moved as they are.
        let is_same = |part: &Part| part.weight.dtype == job.to && part.recipe.keeps_rows();
        let are_same = parts.iter().all(is_same);
        let mut bytes = vec![0; if are_same { rows.len() * to_bytes } else { 0 }];
        let mut floats = vec![0.0; if are_same { 0 } else { rows.len() * cols }];
        for part in parts {
            let weight = &part.weight;
            for own in 0..weight.experts() {
                for run in part.runs(own, expert, &rows) {
                    let source = part.rows.source_row(run.start);
                    let stored = self.stored(weight, own, source..source + run.len())?;
                    if are_same {
                        for (row, stored) in run.zip(stored.chunks_exact(to_bytes)) {
                            let [_, at, _] = part.recipe.place([own, row, 0]);
                            bytes[(at - rows.start) * to_bytes..][..to_bytes].copy_from_slice(stored);
                        }
                        continue;
                    }
                    let values = unpacked(weight, &stored)?;
                    for (index, value) in values.into_iter().enumerate() {
                        let from = [own, run.start + index / weight.cols(), index % weight.cols()];
                        let [matrix, at, col] = part.recipe.place(from);
                        if matrix == expert && rows.contains(&at) {
                            floats[(at - rows.start) * cols + col] = value;
                        }
                    }
                }
            }
        }
        if !are_same {
            quant::quantize(job.to, &floats, &mut bytes);
        }
        Ok(bytes)
    }

    fn stored(&self, weight: &Weight, expert: usize, rows: Range<usize>) -> Result<Vec<u8>> {
        let mut stored = vec![0; rows.len() * weight.row_bytes()];
        self.source.read(weight, expert, rows, &mut stored).map_err(|error| anyhow!(error.0))?;
        Ok(stored)
    }

    fn piece(
        &self,
        job: &Job,
        weight: &Weight,
        order: RowOrder,
        expert: usize,
        rows: Range<usize>,
    ) -> Result<Vec<u8>> {
        let row_bytes = weight.row_bytes();
        let mut stored = self.stored(weight, expert, rows.clone())?;
        if order != RowOrder::Same {
            let mut ordered = Vec::with_capacity(stored.len());
            for row in rows.clone() {
                let at = order.source_row(row) - rows.start;
                ordered.extend_from_slice(&stored[at * row_bytes..][..row_bytes]);
            }
            stored = ordered;
        }
        if weight.dtype == job.to {
            return Ok(stored);
        }
        let floats = unpacked(weight, &stored)?;
        stored.clear();
        quant::quantize(job.to, &floats, &mut stored);
        Ok(stored)
    }
}

fn unpacked(weight: &Weight, stored: &[u8]) -> Result<Vec<f32>> {
    let values = stored.len() / weight.dtype.block_bytes() * weight.dtype.block_len();
    let mut floats = vec![0.0; values];
    quant::dequantize(weight.dtype, stored, &mut floats);
    if let Some(value) = floats.iter().find(|value| !value.is_finite()) {
        bail!("tensor `{}` holds {value}; the input file is damaged", display::line(&weight.name, 60));
    }
    Ok(floats)
}

/// Runs of rows that are converted at once; whole heads where their rows change places.
fn pieces([experts, rows, cols]: [usize; 3], order: RowOrder, threads: usize) -> Vec<(usize, Range<usize>)> {
    let cols = cols.max(1);
    let fewest = PIECE_VALUES_MIN.div_ceil(cols);
    let mut step = rows.div_ceil(threads).clamp(fewest.min(rows), (PIECE_VALUES / cols).max(fewest));
    if let RowOrder::PairsTogether { head } = order {
        step = step.next_multiple_of(head);
    }
    let runs = (0..rows).step_by(step.max(1)).map(|first| first..(first + step).min(rows));
    (0..experts).flat_map(|expert| runs.clone().map(move |rows| (expert, rows))).collect()
}

pub fn explain_full_disk(error: tandem_formats::GgufWriteError) -> anyhow::Error {
    use crate::failure::Advised;
    use std::io::ErrorKind::{
        FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
    };
    let tandem_formats::GgufWriteError::Io { path, source } = &error else { return error.into() };
    let path = path.display();
    match source.kind() {
        StorageFull | QuotaExceeded | FileTooLarge => Advised::new(
            format!("the disk is full (or a quota or file size limit is reached) while writing {path}"),
            "free some space and run the same command again",
        )
        .into(),
        PermissionDenied | ReadOnlyFilesystem => {
            Advised::new(format!("cannot write {path}: {source}"), "write to a folder you may write to")
                .into()
        }
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_the_rows_and_keep_heads_whole() {
        let check = |rows, cols, order, ends: &[usize]| {
            let starts = std::iter::once(&0).chain(ends);
            let expected: Vec<Range<usize>> = starts.zip(ends).map(|(start, end)| *start..*end).collect();
            let found: Vec<_> = pieces([2, rows, cols], order, 2);
            let of =
                |expert| found.iter().filter(move |piece| piece.0 == expert).map(|piece| piece.1.clone());
            assert_eq!(of(0).collect::<Vec<_>>(), expected);
            assert_eq!(of(1).collect::<Vec<_>>(), expected);
        };
        check(4, 8, RowOrder::Same, &[4]);
        check(1000, 1024, RowOrder::Same, &[500, 1000]);
        check(3000, 1024, RowOrder::Same, &[1024, 2048, 3000]);
        check(1024, 1024, RowOrder::PairsTogether { head: 384 }, &[768, 1024]);
        check(1, 3, RowOrder::Same, &[1]);
    }
}
