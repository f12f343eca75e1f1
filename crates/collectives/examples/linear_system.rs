//! Solves a dense linear system on several processes by LU decomposition with partial pivoting, and checks the result as HPL does.
//!
//!     cargo run --release --example linear_system -- [unknowns] [ranks] [shm|tcp]
//!
//! The matrix is cut into blocks of columns, dealt to the ranks in turn. In each step everyone updates its own columns with the last block
//! that was factored. The owner of the next block does that one first, factors it and posts it to the others with its row exchanges, so
//! that it travels while they still compute. The right-hand side goes along as one more column.
//!
//! Unsafe because a matrix product is told of its parts by address.
#![allow(unsafe_code)]

#[path = "linear_system/product.rs"]
mod product;

use std::{
    env,
    error::Error,
    process::Command,
    time::{Duration, Instant},
};

use tandem_collectives::{Group, GroupError, GroupOptions, local};
use tandem_fabric::{
    Buf, Rank, SharedBuf,
    local::{Crew, LinkChoice, Seat},
    usable_cores,
};

use product::Columns;

/// Columns per block.
const BLOCK: usize = 128;
/// Fewer columns than these are eliminated one by one.
const NARROW: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    if let Some(seat) = Seat::from_env() {
        return member(&seat);
    }
    let arguments: Vec<_> = env::args().skip(1).collect();
    let number = |at: usize, default| arguments.get(at).map_or(Ok(default), |text| text.parse());
    let link =
        if arguments.get(2).is_some_and(|text| text == "tcp") { LinkChoice::Tcp } else { LinkChoice::Shm };
    print!("{}", start(number(0, 2000)?, number(1, 2)?, link)?);
    Ok(())
}

/// Starts the ranks as processes of this program; what rank 0 says.
pub fn start(unknowns: usize, ranks: usize, link: LinkChoice) -> Result<String, Box<dyn Error>> {
    let program = env::current_exe()?;
    let mut seats = Seat::row(ranks, link);
    // Two blocks: one in use, one on its way. And what the sums of the check take.
    let bytes = 2 * (unknowns + 1) * (BLOCK + 1) * 8 + (unknowns + 1) * (ranks + 2) * 16 + (8 << 20);
    let cores = usable_cores();
    for (index, seat) in seats.iter_mut().enumerate() {
        seat.arena_bytes = bytes;
        seat.core = cores.get(index).copied().filter(|_| ranks <= cores.len());
    }
    let crew = Crew::start(&seats, |_| {
        let mut command = Command::new(&program);
        command.env("UNKNOWNS", unknowns.to_string());
        command
    })?;
    let outputs = crew.finish()?;
    Ok(outputs.concat())
}

/// One rank.
pub fn member(seat: &Seat) -> Result<(), Box<dyn Error>> {
    let unknowns: usize = env::var("UNKNOWNS")?.parse()?;
    let options = GroupOptions { timeout: Duration::from_secs(60), ..GroupOptions::default() };
    let mut group = local::join(seat, options)?;
    let mut system = System::deal(&group, unknowns);
    group.barrier()?;
    let begin = Instant::now();
    system.factor(&mut group)?;
    let solution = system.solve(&mut group)?;
    let seconds = begin.elapsed().as_secs_f64();
    let residual = system.residual(&mut group, &solution)?;
    if seat.rank == 0 {
        let n = unknowns as f64;
        let gigaflops = (2.0 / 3.0 * n * n * n + 1.5 * n * n) / seconds / 1e9;
        let share = 100.0 * system.communicating.as_secs_f64() / seconds;
        println!(
            "{unknowns} unknowns, {} ranks: {seconds:.3} s, {gigaflops:.2} GFLOP/s, {share:.1}% of it communicating",
            seat.size
        );
        println!("||Ax-b|| / (eps (||A|| ||x|| + ||b||) n) = {residual:.4}, {}", verdict(residual));
    }
    group.barrier()?;
    if residual < 16.0 { Ok(()) } else { Err("the residual is too large".into()) }
}

/// HPL's bound.
fn verdict(residual: f64) -> &'static str {
    if residual < 16.0 { "PASSED" } else { "FAILED" }
}

/// This rank's columns of the matrix, with the right-hand side as column `n`.
struct System {
    n: usize,
    me: usize,
    ranks: usize,
    /// Which columns are here, ascending.
    columns: Vec<usize>,
    /// Their values, column after column.
    values: Vec<f64>,
    /// Spent with other ranks, waiting for them included.
    communicating: Duration,
}

/// A block of columns that was factored: its values from the diagonal down, column after column, then the row that was exchanged with
/// each of its rows.
struct Panel<'a> {
    start: usize,
    width: usize,
    height: usize,
    values: &'a [f64],
    pivots: &'a [f64],
}

impl<'a> Panel<'a> {
    fn read(n: usize, start: usize, message: &'a [f64]) -> Self {
        let (width, height) = (BLOCK.min(n - start), n - start);
        let (values, rest) = message.split_at(height * width);
        Self { start, width, height, values, pivots: &rest[..width] }
    }

    fn bytes(n: usize, start: usize) -> usize {
        let (width, height) = (BLOCK.min(n - start), n - start);
        (height * width + width) * 8
    }
}

/// Where a factored block is.
enum Message {
    Received(Buf),
    /// Perhaps still on its way to others.
    Posted(SharedBuf),
}

impl System {
    fn deal(group: &Group, n: usize) -> Self {
        let (me, ranks) = (group.rank().index(), group.size());
        let mine = |column: &usize| column / BLOCK % ranks == me;
        let columns: Vec<usize> = (0..=n).filter(mine).collect();
        let values = columns.iter().flat_map(|column| original(n, *column)).collect();
        Self { n, me, ranks, columns, values, communicating: Duration::ZERO }
    }

    fn factor(&mut self, group: &mut Group) -> Result<(), GroupError> {
        let n = self.n;
        let mut spare = Vec::new();
        for _ in 0..2 {
            spare.push(group.arena().alloc(Panel::bytes(n, 0))?);
        }
        let mut current = self.next_panel(group, 0, &mut spare)?;
        for start in (0..n).step_by(BLOCK) {
            let next = start + BLOCK;
            let message = match &current {
                Message::Received(buf) => buf.view::<f64>(),
                Message::Posted(buf) => buf.view::<f64>(),
            };
            let panel = Panel::read(n, start, message);
            let after = self.index(start + panel.width);
            // Look ahead: the others wait for the next block first of all.
            let mine_next = next < n && self.owner(next) == self.me;
            let first = if mine_next { after..self.index((next + BLOCK).min(n)) } else { after..after };
            self.update(&panel, first.clone());
            let mut coming = match mine_next {
                true => Some(self.next_panel(group, next, &mut spare)?),
                false => None,
            };
            self.update(&panel, first.end..self.columns.len());
            if next < n && coming.is_none() {
                coming = Some(self.next_panel(group, next, &mut spare)?);
            }
            let done = match coming {
                Some(coming) => std::mem::replace(&mut current, coming),
                None => break,
            };
            spare.push(match done {
                Message::Received(buf) => buf,
                Message::Posted(buf) => self.timed(|me| group.reclaim(buf, Rank(me.last_other())))?,
            });
        }
        if let Message::Posted(buf) = current {
            self.timed(|me| group.reclaim(buf, Rank(me.last_other())))?;
        }
        Ok(())
    }

    /// The block that begins at column `start`: factored and posted here, or received.
    fn next_panel(
        &mut self,
        group: &mut Group,
        start: usize,
        spare: &mut Vec<Buf>,
    ) -> Result<Message, GroupError> {
        let (n, owner) = (self.n, self.owner(start));
        let mut buf = match spare.pop() {
            Some(buf) => buf,
            None => group.arena().alloc(Panel::bytes(n, 0))?,
        };
        if owner != self.me {
            self.timed(|_| group.recv(&mut buf, Panel::bytes(n, start), Rank(owner as u16)))?;
            return Ok(Message::Received(buf));
        }
        let (width, height) = (BLOCK.min(n - start), n - start);
        let first = self.index(start);
        let own = &mut self.values[first * n..(first + width) * n];
        let pivots = factor_columns(own, n, start, width);
        let out = buf.view_mut::<f64>();
        for (j, column) in own.chunks_exact(n).enumerate() {
            out[j * height..(j + 1) * height].copy_from_slice(&column[start..]);
        }
        for (out, pivot) in out[height * width..].iter_mut().zip(pivots) {
            *out = pivot as f64;
        }
        if self.ranks == 1 {
            return Ok(Message::Received(buf));
        }
        let shared = buf.share();
        let bytes = Panel::bytes(n, start);
        self.timed(|me| {
            let others = (0..me.ranks).filter(|rank| *rank != me.me);
            others.map(|rank| Rank(rank as u16)).try_for_each(|to| group.post(shared.slice(0..bytes), to))
        })?;
        Ok(Message::Posted(shared))
    }

    /// Applies a factored block to columns that are here, by their positions: exchanges rows, solves with the unit lower triangle, and
    /// subtracts the product of the rest.
    fn update(&mut self, panel: &Panel, positions: std::ops::Range<usize>) {
        let n = self.n;
        let columns = &mut self.values[positions.start * n..positions.end * n];
        if columns.is_empty() {
            return;
        }
        let Panel { start, width, height, values, pivots } = *panel;
        for column in columns.chunks_exact_mut(n) {
            for (i, &pivot) in pivots.iter().enumerate() {
                column.swap(start + i, pivot as usize);
            }
        }
        solve_lower(values, height, width, columns, n, start);
        let count = columns.len() / n;
        subtract_product(
            (height - width, width, count),
            &values[width..],
            height,
            columns,
            (start, start + width),
            n,
        );
    }

    /// Back substitution, block by block from the last; the right-hand side goes from owner to owner.
    fn solve(&mut self, group: &mut Group) -> Result<Vec<f64>, GroupError> {
        let n = self.n;
        let mut message = group.arena().alloc(n * 8)?;
        let holder = self.owner(n);
        if holder == self.me {
            let at = self.index(n) * n;
            message.view_mut::<f64>().copy_from_slice(&self.values[at..at + n]);
        }
        self.timed(|_| group.broadcast(&mut message, n * 8, Rank(holder as u16)))?;
        for start in (0..n).step_by(BLOCK).rev() {
            let owner = self.owner(start);
            if owner == self.me {
                let rhs = message.view_mut::<f64>();
                let (first, width) = (self.index(start), BLOCK.min(n - start));
                for position in (first..first + width).rev() {
                    let (column, values) =
                        (self.columns[position], &self.values[position * n..(position + 1) * n]);
                    let x = rhs[column] / values[column];
                    rhs[column] = x;
                    for (rhs, value) in rhs[..column].iter_mut().zip(values) {
                        *rhs -= value * x;
                    }
                }
            }
            self.timed(|_| group.broadcast(&mut message, n * 8, Rank(owner as u16)))?;
        }
        Ok(message.view::<f64>().to_vec())
    }

    /// HPL's scaled residual, from the matrix as it was.
    fn residual(&self, group: &mut Group, x: &[f64]) -> Result<f64, GroupError> {
        let n = self.n;
        let mut product = vec![0.0; n];
        let mut sums = vec![0.0; n];
        for column in self.columns.iter().copied().filter(|&column| column < n) {
            for (row, value) in original(n, column).into_iter().enumerate() {
                product[row] += value * x[column];
                sums[row] += value.abs();
            }
        }
        let product = total(group, &product)?;
        let matrix_norm = norm(&total(group, &sums)?);
        let rhs = original(n, n);
        let error: Vec<_> = product.iter().zip(&rhs).map(|(a, b)| a - b).collect();
        Ok(norm(&error) / (f64::EPSILON * (matrix_norm * norm(x) + norm(&rhs)) * n as f64))
    }

    fn owner(&self, column: usize) -> usize {
        column / BLOCK % self.ranks
    }

    fn index(&self, column: usize) -> usize {
        self.columns.partition_point(|other| *other < column)
    }

    fn last_other(&self) -> u16 {
        let last = self.ranks - 1;
        (if last == self.me { last.saturating_sub(1) } else { last }) as u16
    }

    fn timed<T>(&mut self, work: impl FnOnce(&Self) -> T) -> T {
        let begin = Instant::now();
        let done = work(self);
        self.communicating += begin.elapsed();
        done
    }
}

/// Gaussian elimination of `width` columns of length `n` from row `start` on, halves of them at a time; the row exchanged with each of its
/// rows.
fn factor_columns(panel: &mut [f64], n: usize, start: usize, width: usize) -> Vec<usize> {
    let mut pivots = Vec::with_capacity(width);
    factor_part(panel, n, start, 0..width, &mut pivots);
    pivots
}

fn factor_part(
    panel: &mut [f64],
    n: usize,
    start: usize,
    part: std::ops::Range<usize>,
    pivots: &mut Vec<usize>,
) {
    if part.len() <= NARROW {
        for j in part.clone() {
            eliminate(panel, n, start + j, j, part.end, pivots);
        }
        return;
    }
    let middle = part.start + part.len() / 2;
    factor_part(panel, n, start, part.start..middle, pivots);
    let top = start + part.start;
    let (left, right) = panel.split_at_mut(middle * n);
    let (left, right) = (&left[part.start * n + top..], &mut right[..(part.end - middle) * n]);
    let half = middle - part.start;
    solve_lower(left, n, half, right, n, top);
    subtract_product(
        (n - top - half, half, part.end - middle),
        &left[half..],
        n,
        right,
        (top, top + half),
        n,
    );
    factor_part(panel, n, start, middle..part.end, pivots);
}

/// One column: picks its pivot, exchanges rows of the whole panel, and eliminates below it from the columns before `end`.
fn eliminate(panel: &mut [f64], n: usize, row: usize, j: usize, end: usize, pivots: &mut Vec<usize>) {
    let column = &panel[j * n..(j + 1) * n];
    let candidates = column[row..].iter().enumerate();
    let pivot = candidates.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs())).map_or(row, |(i, _)| row + i);
    pivots.push(pivot);
    panel.chunks_exact_mut(n).for_each(|column| column.swap(row, pivot));
    let (done, rest) = panel.split_at_mut((j + 1) * n);
    let column = &mut done[j * n..];
    let scale = 1.0 / column[row];
    column[row + 1..].iter_mut().for_each(|value| *value *= scale);
    for other in rest[..(end - j - 1) * n].chunks_exact_mut(n) {
        let factor = other[row];
        for (value, lower) in other[row + 1..].iter_mut().zip(&column[row + 1..]) {
            *value -= lower * factor;
        }
    }
}

/// Solves with the unit lower triangle at the top of `lower` (`width` columns, `stride` apart) for rows `top..top + width` of `columns`, a few rows
/// at a time.
fn solve_lower(lower: &[f64], stride: usize, width: usize, columns: &mut [f64], n: usize, top: usize) {
    for first in (0..width).step_by(NARROW) {
        let last = (first + NARROW).min(width);
        for column in columns.chunks_exact_mut(n) {
            for j in first..last {
                let factor = column[top + j];
                let below = &lower[j * stride + j + 1..j * stride + last];
                column[top + j + 1..top + last]
                    .iter_mut()
                    .zip(below)
                    .for_each(|(value, lower)| *value -= lower * factor);
            }
        }
        let count = columns.len() / n;
        let rest = &lower[first * stride + last..];
        subtract_product(
            (width - last, last - first, count),
            rest,
            stride,
            columns,
            (top + first, top + last),
            n,
        );
    }
}

/// Of `columns` (each `n` long), rows from `to` on become themselves less `left` (`m` x `k`, columns `stride` apart) times rows from `from` on.
fn subtract_product(
    (m, k, count): (usize, usize, usize),
    left: &[f64],
    stride: usize,
    columns: &mut [f64],
    (from, to): (usize, usize),
    n: usize,
) {
    if m == 0 || k == 0 || count == 0 {
        return;
    }
    assert!(left.len() >= (k - 1) * stride + m && columns.len() >= count * n);
    assert!(from + k <= to && to + m <= n);
    let base = columns.as_mut_ptr();
    // SAFETY: by the assertions all elements lie within the slices, and the rows that are read are not those that are written.
    unsafe {
        product::subtract(
            (m, k, count),
            Columns { first: left.as_ptr(), stride },
            Columns { first: base.add(from).cast_const(), stride: n },
            Columns { first: base.add(to), stride: n },
        );
    }
}

/// The sum of everyone's vectors.
fn total(group: &mut Group, values: &[f64]) -> Result<Vec<f64>, GroupError> {
    let (n, ranks, me) = (values.len(), group.size(), group.rank().index());
    let mut gathered = group.arena().alloc(n * ranks * 8)?;
    gathered.view_mut::<f64>()[me * n..(me + 1) * n].copy_from_slice(values);
    group.all_gather(&mut gathered, &vec![n * 8; ranks])?;
    let gathered = gathered.view::<f64>();
    Ok((0..n).map(|i| (0..ranks).map(|rank| gathered[rank * n + i]).sum()).collect())
}

fn norm(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |norm: f64, value| norm.max(value.abs()))
}

/// A column of the matrix, or of the right-hand side: uniform in −0.5..0.5, the same on every rank.
fn original(n: usize, column: usize) -> Vec<f64> {
    let mut state = (column as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        })
        .collect()
}
