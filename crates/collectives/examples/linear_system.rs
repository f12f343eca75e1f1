//! Solves a dense linear system on several processes by LU decomposition with partial pivoting, and checks the result as HPL does.
//!
//!     cargo run --release --example linear_system -- [unknowns] [ranks] [shm|tcp]
//!
//! The matrix is cut into blocks of columns, dealt to the ranks in turn. In each step the owner of the next block factors it, and broadcasts
//! it with its row exchanges; everyone else updates its own columns. The right-hand side travels as one more column.

use std::{
    env,
    error::Error,
    process::Command,
    time::{Duration, Instant},
};

use tandem_collectives::{Group, GroupError, GroupOptions, local};
use tandem_fabric::{
    Rank,
    local::{Crew, LinkChoice, Seat},
};

/// Columns per block.
const BLOCK: usize = 64;

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
    seats.iter_mut().for_each(|seat| seat.arena_bytes = (unknowns + 1) * (BLOCK + 1) * 16 + (4 << 20));
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
        println!("{unknowns} unknowns, {} ranks: {seconds:.3} s, {gigaflops:.2} GFLOP/s", seat.size);
        println!("||Ax-b|| / (eps (||A|| ||x|| + ||b||) n) = {residual:.4}, {}", verdict(residual));
    }
    group.barrier()?;
    if residual < 16.0 { Ok(()) } else { Err("the residual is too large".into()) }
}

/// HPL's bound.
fn verdict(residual: f64) -> &'static str {
    if residual < 16.0 { "PASSED" } else { "FAILED" }
}

/// This rank's columns of the matrix, with the right-hand side as column `n`; each column is contiguous.
struct System {
    n: usize,
    me: usize,
    ranks: usize,
    /// (column, its values), ascending.
    columns: Vec<(usize, Vec<f64>)>,
}

impl System {
    fn deal(group: &Group, n: usize) -> Self {
        let (me, ranks) = (group.rank().index(), group.size());
        let mine = |column: &usize| column / BLOCK % ranks == me;
        let columns = (0..=n).filter(mine).map(|column| (column, original(n, column))).collect();
        Self { n, me, ranks, columns }
    }

    fn factor(&mut self, group: &mut Group) -> Result<(), GroupError> {
        let n = self.n;
        // The panel's columns below the diagonal block's top, then the row exchanges.
        let mut message = group.arena().alloc((n * BLOCK + BLOCK) * 8)?;
        for start in (0..n).step_by(BLOCK) {
            let width = BLOCK.min(n - start);
            let height = n - start;
            let owner = start / BLOCK % self.ranks;
            let doubles = height * width + width;
            if owner == self.me {
                let first = self.index(start);
                let pivots = factor_panel(&mut self.columns[first..first + width], start);
                let out = message.view_mut::<f64>();
                for (j, (_, column)) in self.columns[first..first + width].iter().enumerate() {
                    out[j * height..(j + 1) * height].copy_from_slice(&column[start..]);
                }
                for (out, pivot) in out[height * width..doubles].iter_mut().zip(pivots) {
                    *out = pivot as f64;
                }
            }
            group.broadcast(&mut message, doubles * 8, Rank(owner as u16))?;
            let (panel, pivots) = message.view::<f64>()[..doubles].split_at(height * width);
            for (column, values) in &mut self.columns {
                if *column < start + width && *column >= start {
                    continue;
                }
                for (i, &pivot) in pivots.iter().enumerate() {
                    values.swap(start + i, pivot as usize);
                }
                if *column > start {
                    update(&mut values[start..], panel, width);
                }
            }
        }
        Ok(())
    }

    /// Back substitution, block by block from the last; the right-hand side goes from owner to owner.
    fn solve(&mut self, group: &mut Group) -> Result<Vec<f64>, GroupError> {
        let n = self.n;
        let mut message = group.arena().alloc(n * 8)?;
        let holder = n / BLOCK % self.ranks;
        if holder == self.me {
            let (_, rhs) = &self.columns[self.index(n)];
            message.view_mut::<f64>().copy_from_slice(rhs);
        }
        group.broadcast(&mut message, n * 8, Rank(holder as u16))?;
        for start in (0..n).step_by(BLOCK).rev() {
            let owner = start / BLOCK % self.ranks;
            if owner == self.me {
                let rhs = message.view_mut::<f64>();
                let first = self.index(start);
                let width = BLOCK.min(n - start);
                for (column, values) in self.columns[first..first + width].iter().rev() {
                    let x = rhs[*column] / values[*column];
                    rhs[*column] = x;
                    for (rhs, value) in rhs[..*column].iter_mut().zip(values) {
                        *rhs -= value * x;
                    }
                }
            }
            group.broadcast(&mut message, n * 8, Rank(owner as u16))?;
        }
        Ok(message.view::<f64>().to_vec())
    }

    /// HPL's scaled residual, from the matrix as it was.
    fn residual(&self, group: &mut Group, x: &[f64]) -> Result<f64, GroupError> {
        let n = self.n;
        let mut product = vec![0.0; n];
        let mut sums = vec![0.0; n];
        for column in self.columns.iter().map(|(column, _)| *column).filter(|&column| column < n) {
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

    fn index(&self, column: usize) -> usize {
        self.columns.partition_point(|(other, _)| *other < column)
    }
}

/// Gaussian elimination of a block of columns from row `start` on; the row exchanged with each of its rows.
fn factor_panel(panel: &mut [(usize, Vec<f64>)], start: usize) -> Vec<usize> {
    let mut pivots = Vec::with_capacity(panel.len());
    for j in 0..panel.len() {
        let row = start + j;
        let candidates = panel[j].1[row..].iter().enumerate();
        let pivot =
            candidates.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs())).map_or(row, |(i, _)| row + i);
        pivots.push(pivot);
        for (_, column) in panel.iter_mut() {
            column.swap(row, pivot);
        }
        let (done, rest) = panel.split_at_mut(j + 1);
        let column = &mut done[j].1;
        let scale = 1.0 / column[row];
        column[row + 1..].iter_mut().for_each(|value| *value *= scale);
        for (_, other) in rest {
            let factor = other[row];
            for (value, lower) in other[row + 1..].iter_mut().zip(&column[row + 1..]) {
                *value -= lower * factor;
            }
        }
    }
    pivots
}

/// Applies a factored panel to one column to its right: solves with the unit lower triangle, then subtracts the rest's product.
fn update(column: &mut [f64], panel: &[f64], width: usize) {
    let height = column.len();
    let (top, rest) = column.split_at_mut(width);
    for j in 0..width {
        let factor = top[j];
        for (value, lower) in top[j + 1..].iter_mut().zip(&panel[j * height + j + 1..]) {
            *value -= lower * factor;
        }
    }
    // Four columns of the panel at a time, so that each value is loaded and stored once for four.
    for (four, factors) in panel.chunks(4 * height).zip(top.chunks(4)) {
        if let &[a, b, c, d] = factors {
            let tail = |k: usize| &four[k * height + width..(k + 1) * height];
            let lowers = tail(0).iter().zip(tail(1)).zip(tail(2)).zip(tail(3));
            for (value, (((p, q), r), s)) in rest.iter_mut().zip(lowers) {
                *value -= (p * a + q * b) + (r * c + s * d);
            }
        } else {
            for (lower, factor) in four.chunks(height).zip(factors) {
                rest.iter_mut().zip(&lower[width..]).for_each(|(value, lower)| *value -= lower * factor);
            }
        }
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
