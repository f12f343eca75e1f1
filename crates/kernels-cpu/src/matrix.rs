//! A weight matrix packed for SIMD, and its product with activations.
//!
//! - [`Matrix`]: the packed weights; `multiply` is the whole of linear algebra here.
//! - [`Inputs`]: activations prepared once and used by every matrix that shares them.
//! - [`format`](self::format): how packed weights lie, the same for every instruction set.
//! - `portable`: what it all means; `x86_64`, `aarch64`: the same, fast.

// Threads write disjoint columns of one output through a raw pointer.
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod format;
mod inputs;
mod pack;
mod portable;
mod tile;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use std::ops::Range;

use tandem_tensor::DType;

pub use self::format::{BLOCK, PANEL};
pub use self::inputs::{InputBlock, InputBuffer, InputKind, Inputs, TILE};

use self::format::Format;
use crate::cpu::{Cpu, Level};
use crate::kernels::Kernels;
use crate::memory::Region;

/// A weight matrix `[rows, cols]` in panels of [`PANEL`] rows.
pub struct Matrix {
    dtype: DType,
    rows: usize,
    cols: usize,
    panel_bytes: usize,
    region: Region,
}

impl Matrix {
    /// Bytes of a packed matrix: what its region must hold.
    ///
    /// # Panics
    /// Where `cols` is not a whole number of blocks.
    pub fn bytes(dtype: DType, rows: usize, cols: usize) -> usize {
        rows.div_ceil(PANEL) * panel_bytes(dtype, cols)
    }

    /// An empty matrix in `region`, which is zeroed; fill it through [`Matrix::parts`].
    ///
    /// # Panics
    /// Where the region is too small or `cols` not a whole number of blocks.
    pub fn new(dtype: DType, rows: usize, cols: usize, region: Region) -> Matrix {
        assert!(region.len() >= Matrix::bytes(dtype, rows, cols), "the region is too small for the matrix");
        Matrix { dtype, rows, cols, panel_bytes: panel_bytes(dtype, cols), region }
    }

    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    pub const fn rows(&self) -> usize {
        self.rows
    }

    pub const fn cols(&self) -> usize {
        self.cols
    }

    pub const fn panels(&self) -> usize {
        self.rows.div_ceil(PANEL)
    }

    /// What `multiply` takes.
    pub const fn input_kind(&self) -> InputKind {
        input_kind(self.dtype)
    }

    /// The matrix in parts of `panels` panels each, to be packed in any order and by any thread.
    pub fn parts(&mut self, panels: usize) -> impl Iterator<Item = Part<'_>> {
        let panels = panels.max(1);
        let (dtype, cols, rows, panel_bytes) = (self.dtype, self.cols, self.rows, self.panel_bytes);
        let bytes =
            self.region[..rows.div_ceil(PANEL) * panel_bytes].chunks_mut((panels * panel_bytes).max(1));
        bytes.enumerate().map(move |(i, bytes)| {
            let first = i * panels * PANEL;
            Part { dtype, cols, panel_bytes, rows: first..rows.min(first + panels * PANEL), bytes }
        })
    }

    /// Row `row` as floats: an embedding is looked up in the same packed matrix that gives the logits.
    ///
    /// # Panics
    /// Where there is no such row, or `out` is not `cols` long.
    pub fn row_into(&self, row: usize, out: &mut [f32]) {
        assert!(row < self.rows && out.len() == self.cols);
        let panel = &self.region[row / PANEL * self.panel_bytes..][..self.panel_bytes];
        portable::row_into(self.dtype, panel, row % PANEL, out);
    }

    /// `out[t * stride + r] = Σ_c weight[panels.start * PANEL + r][c] * x[t][c]` for every token `t` of `inputs`
    /// and every row `r` of the panels (of the last panel, the rows that exist).
    ///
    /// Results do not depend on how panels are divided between calls, nor on the other tokens.
    ///
    /// # Safety
    /// `out` has these elements, and while this runs nobody else accesses them, nor prepares `inputs`, which were
    /// prepared in full.
    ///
    /// # Panics
    /// Where the panels or the inputs' shape do not fit the matrix.
    pub unsafe fn multiply(
        &self,
        cpu: Cpu,
        panels: Range<usize>,
        inputs: Inputs<'_>,
        out: *mut f32,
        stride: usize,
    ) {
        // SAFETY: as this function's own.
        unsafe { self.compute(cpu, panels, inputs, out, stride, None) };
    }

    /// As [`multiply`](Matrix::multiply), in two parts that do not depend on how columns are divided, if they are in multiples of `run`
    /// (see [`tandem_tensor::sums`]): `out[t * stride + r]` and, `second` further on, the other. A token's sum is multiplied by its
    /// `factor`, where there is one.
    ///
    /// # Safety
    /// As `multiply`, of both parts.
    ///
    /// # Panics
    /// As `multiply`, and where a run is not whole blocks.
    #[allow(clippy::too_many_arguments)]
    pub unsafe fn multiply_in_parts(
        &self,
        cpu: Cpu,
        panels: Range<usize>,
        inputs: Inputs<'_>,
        run: usize,
        factor: Option<&dyn Fn(usize) -> f32>,
        out: *mut f32,
        stride: usize,
        second: usize,
    ) {
        assert!(run > 0, "runs of no columns");
        let add = Kernels::of(cpu).add_split;
        let runs = Runs { cols: run, bytes: panel_bytes(self.dtype, run), second, factor, add };
        // SAFETY: as this function's own.
        unsafe { self.compute(cpu, panels, inputs, out, stride, Some(runs)) };
    }

    /// # Safety
    /// As `multiply`, of both parts where there are runs.
    unsafe fn compute(
        &self,
        cpu: Cpu,
        panels: Range<usize>,
        inputs: Inputs<'_>,
        out: *mut f32,
        stride: usize,
        runs: Option<Runs<'_>>,
    ) {
        assert!(panels.end <= self.panels(), "panels {panels:?} of {}", self.panels());
        assert!(inputs.kind() == self.input_kind() && inputs.cols() == self.cols, "inputs of another shape");
        if panels.is_empty() || inputs.tokens() == 0 {
            return;
        }
        let task = Task {
            panels: self.region[panels.start * self.panel_bytes..].as_ptr(),
            panel_bytes: self.panel_bytes,
            rows: self.rows.min(panels.end * PANEL) - panels.start * PANEL,
            inputs,
            out,
            stride,
            runs,
        };
        // SAFETY: as this function's own; `cpu` is proof of its level.
        unsafe {
            match cpu.level() {
                #[cfg(target_arch = "x86_64")]
                Level::Avx512 => x86_64::avx512::multiply(self.dtype, &task),
                #[cfg(target_arch = "x86_64")]
                Level::Avx2 => x86_64::avx2::multiply(self.dtype, &task),
                #[cfg(target_arch = "aarch64")]
                Level::Neon => aarch64::multiply(self.dtype, &task, false),
                #[cfg(target_arch = "aarch64")]
                Level::NeonI8mm => aarch64::multiply(self.dtype, &task, true),
                _ => portable::multiply(self.dtype, &task),
            }
        }
    }

    /// The whole product on this thread; `out` is `[tokens, rows]`.
    pub fn multiply_all(&self, cpu: Cpu, inputs: &mut InputBuffer, x: &[f32], out: &mut [f32]) {
        let inputs = inputs.fill(cpu, self.input_kind(), self.cols, x);
        assert_eq!(out.len(), inputs.tokens() * self.rows);
        // SAFETY: `out` is borrowed mutably and has a row for every token; `inputs` are ours and filled.
        unsafe { self.multiply(cpu, 0..self.panels(), inputs, out.as_mut_ptr(), self.rows) };
    }

    /// The whole product in two parts on this thread; `out` is `[tokens, 2, rows]`.
    pub fn multiply_all_in_parts(
        &self,
        cpu: Cpu,
        inputs: &mut InputBuffer,
        x: &[f32],
        run: usize,
        out: &mut [f32],
    ) {
        let inputs = inputs.fill(cpu, self.input_kind(), self.cols, x);
        assert_eq!(out.len(), 2 * inputs.tokens() * self.rows);
        let (out, stride) = (out.as_mut_ptr(), 2 * self.rows);
        // SAFETY: `out` is borrowed mutably and has two rows for every token; `inputs` are ours and filled.
        unsafe {
            self.multiply_in_parts(cpu, 0..self.panels(), inputs, run, None, out, stride, self.rows);
        }
    }
}

/// What weights of a type are multiplied with.
pub const fn input_kind(dtype: DType) -> InputKind {
    match dtype {
        DType::F32 | DType::F16 | DType::BF16 => InputKind::Floats,
        _ => InputKind::Blocks,
    }
}

fn panel_bytes(dtype: DType, cols: usize) -> usize {
    assert!(cols.is_multiple_of(dtype.block_len()), "{cols} columns are not whole blocks of {dtype}");
    match Format::of(dtype) {
        Some(format) => format.panel_bytes(cols),
        None => cols * PANEL * dtype.block_bytes(),
    }
}

/// Some panels of a matrix that is being packed.
pub struct Part<'a> {
    dtype: DType,
    cols: usize,
    panel_bytes: usize,
    rows: Range<usize>,
    bytes: &'a mut [u8],
}

impl Part<'_> {
    /// The rows to pack.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Bytes of those rows in the file's layout.
    pub fn stored_bytes(&self) -> usize {
        self.rows.len() * self.row_bytes()
    }

    /// Pack the rows, given in the file's layout.
    ///
    /// # Panics
    /// Where `stored` is not [`Part::stored_bytes`] long.
    pub fn pack(self, stored: &[u8]) {
        assert_eq!(stored.len(), self.stored_bytes());
        let row_bytes = self.row_bytes();
        let panels = self.bytes.chunks_exact_mut(self.panel_bytes.max(1));
        for (rows, panel) in stored.chunks((PANEL * row_bytes).max(1)).zip(panels) {
            pack::pack_panel(self.dtype, self.cols, rows, panel);
        }
    }

    fn row_bytes(&self) -> usize {
        self.dtype.bytes_of(self.cols).expect("a matrix has whole blocks")
    }
}

/// What a kernel is asked to do: see [`Matrix::multiply`].
struct Task<'a> {
    /// The first panel.
    panels: *const u8,
    panel_bytes: usize,
    /// From the first panel on; the last panel may be cut short.
    rows: usize,
    inputs: Inputs<'a>,
    out: *mut f32,
    stride: usize,
    runs: Option<Runs<'a>>,
}

/// Columns whose sums are cut in two before they are added up.
#[derive(Clone, Copy)]
struct Runs<'a> {
    cols: usize,
    /// Of a panel.
    bytes: usize,
    /// From the first part of a sum to the second.
    second: usize,
    factor: Option<&'a dyn Fn(usize) -> f32>,
    /// Cuts sums and adds up their parts: see [`crate::norm::add_split`].
    add: unsafe fn(*const f32, f32, bool, *mut f32, *mut f32, usize),
}

impl Runs<'_> {
    /// Where each of the runs of `cols` columns begins, how long it is, and at which byte of a panel.
    fn of(&self, cols: usize) -> impl Iterator<Item = (usize, usize, usize)> + use<> {
        let Runs { cols: run, bytes, .. } = *self;
        (0..cols.div_ceil(run)).map(move |i| (i * run, run.min(cols - i * run), i * bytes))
    }
}
