//! Every type, instruction set and odd shape against plain loops over dequantised weights.

use std::ops::Range;

use tandem_kernels_cpu::cpu::{Cpu, Level};
use tandem_kernels_cpu::matrix::{BLOCK, InputBlock, InputBuffer, InputKind, Inputs, Matrix};
use tandem_kernels_cpu::memory::Region;
use tandem_tensor::{DType, quant};

/// Small, repeatable noise: the same on every machine.
struct Noise(u64);

impl Noise {
    /// From -1 to 1, near zero more often than not.
    fn next(&mut self) -> f32 {
        let mut uniform = || {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        uniform() * uniform()
    }

    fn values(&mut self, len: usize) -> Vec<f32> {
        (0..len).map(|_| self.next()).collect()
    }
}

struct Case {
    dtype: DType,
    rows: usize,
    cols: usize,
    stored: Vec<u8>,
    weights: Vec<f32>,
    matrix: Matrix,
}

impl Case {
    fn new(dtype: DType, rows: usize, cols: usize) -> Case {
        let mut noise = Noise((rows * 1000 + cols) as u64);
        let mut stored = Vec::new();
        quant::quantize(dtype, &noise.values(rows * cols), &mut stored);
        Case::packed(dtype, rows, cols, stored)
    }

    /// What ranks have of the matrix that divide its columns there.
    fn divided(&self, cuts: &[usize]) -> Vec<(Range<usize>, Case)> {
        let bytes = |cols: usize| self.dtype.bytes_of(cols).unwrap();
        let part = |cut: &[usize]| {
            let rows = self.stored.chunks_exact(bytes(self.cols));
            let stored = rows.flat_map(|row| &row[bytes(cut[0])..bytes(cut[1])]).copied().collect();
            (cut[0]..cut[1], Case::packed(self.dtype, self.rows, cut[1] - cut[0], stored))
        };
        cuts.windows(2).map(part).collect()
    }

    fn packed(dtype: DType, rows: usize, cols: usize, stored: Vec<u8>) -> Case {
        let mut weights = vec![0.0; rows * cols];
        quant::dequantize(dtype, &stored, &mut weights);
        let region = Region::new(Matrix::bytes(dtype, rows, cols)).unwrap();
        let mut matrix = Matrix::new(dtype, rows, cols, region);
        let row_bytes = dtype.bytes_of(cols).unwrap();
        for part in matrix.parts(2) {
            let rows = part.rows();
            part.pack(&stored[rows.start * row_bytes..rows.end * row_bytes]);
        }
        Case { dtype, rows, cols, stored, weights, matrix }
    }

    fn inputs(&self, tokens: usize) -> Vec<f32> {
        let mut noise = Noise(tokens as u64);
        let mut x = noise.values(tokens * self.cols);
        // A few large values, as models have, and a token of zeros.
        x.iter_mut().step_by(97).for_each(|x| *x *= 30.0);
        if tokens > 2 {
            x[self.cols..2 * self.cols].fill(0.0);
        }
        x
    }

    /// `[tokens, 2, rows]`
    fn multiply_in_parts(&self, cpu: Cpu, x: &[f32], run: usize) -> Vec<f32> {
        let (kind, tokens) = (self.matrix.input_kind(), x.len() / self.cols);
        let mut buffer = InputBuffer::new(Inputs::bytes(kind, self.cols, tokens)).unwrap();
        let mut out = vec![f32::NAN; 2 * tokens * self.rows];
        self.matrix.multiply_all_in_parts(cpu, &mut buffer, x, run, &mut out);
        out
    }

    fn multiply(&self, cpu: Cpu, x: &[f32]) -> Vec<f32> {
        let tokens = x.len() / self.cols;
        let kind = self.matrix.input_kind();
        let mut buffer = InputBuffer::new(Inputs::bytes(kind, self.cols, tokens)).unwrap();
        let mut out = vec![f32::NAN; tokens * self.rows];
        self.matrix.multiply_all(cpu, &mut buffer, x, &mut out);
        out
    }

    /// A token's activations, rounded as the kernels round them.
    fn rounded(&self, x: &[f32]) -> Vec<f64> {
        if self.matrix.input_kind() == InputKind::Floats {
            return x.iter().copied().map(f64::from).collect();
        }
        let blocks = x.as_chunks::<BLOCK>().0.iter().map(InputBlock::quantize);
        blocks.flat_map(|block| block.codes.map(|code| f64::from(code) * f64::from(block.scale))).collect()
    }

    /// The product in double precision, and how far from it a result in single precision may be.
    fn expected(&self, x: &[f64], row: usize) -> (f64, f64) {
        let w = &self.weights[row * self.cols..][..self.cols];
        let (mut y, mut sum) = (0.0, 0.0);
        for (w, x) in w.iter().zip(x) {
            let product = f64::from(*w) * x;
            y += product;
            sum += product.abs();
        }
        let mut tolerance = if self.matrix.input_kind() == InputKind::Floats { 1e-6 } else { 2e-6 } * sum;
        // The sum that goes with a minimum is rounded to a half float, like the scale.
        if [DType::Q4_1, DType::Q5_1, DType::Q4_K, DType::Q5_K].contains(&self.dtype) {
            for (w, x) in w.chunks(BLOCK).zip(x.chunks(BLOCK)) {
                let largest = w.iter().fold(0.0f32, |largest, w| largest.max(w.abs()));
                tolerance += 1.5e-3 * f64::from(largest) * x.iter().sum::<f64>().abs();
            }
        }
        (y, tolerance + 1e-9)
    }

    /// On every level.
    fn check(&self, tokens: usize) {
        let x = self.inputs(tokens);
        let rounded = x.chunks_exact(self.cols).map(|x| self.rounded(x));
        let expected: Vec<(f64, f64)> =
            rounded.flat_map(|x| (0..self.rows).map(move |row| self.expected(&x, row))).collect();
        for cpu in Cpu::available() {
            let out = self.multiply(cpu, &x);
            for (at, (got, (want, tolerance))) in out.iter().zip(&expected).enumerate() {
                assert!(
                    (f64::from(*got) - want).abs() <= *tolerance,
                    "{} {}x{} on {}, token {} of {tokens}, row {}: {got}, expected {want} ± {tolerance:.2e}",
                    self.dtype,
                    self.rows,
                    self.cols,
                    cpu.level(),
                    at / self.rows,
                    at % self.rows,
                );
            }
        }
    }
}

fn shapes(dtype: DType) -> Vec<(usize, usize)> {
    let rows = [1, 15, 16, 17, 33, 80];
    let cols: &[usize] = match dtype.block_len() {
        1 => &[1, 3, 32, 67, 576],
        32 => &[32, 64, 256, 320, 576],
        _ => &[256, 512, 768],
    };
    rows.iter().flat_map(|rows| cols.iter().map(|cols| (*rows, *cols))).collect()
}

#[test]
fn products_match_plain_loops() {
    for dtype in DType::ALL {
        for (rows, cols) in shapes(dtype) {
            let case = Case::new(dtype, rows, cols);
            for tokens in [1, 2, 3, 5, 8, 13] {
                case.check(tokens);
            }
        }
    }
}

#[test]
fn batches_match_plain_loops() {
    for dtype in DType::ALL {
        let case = Case::new(dtype, 33, 768);
        for tokens in [4, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 64, 130] {
            case.check(tokens);
        }
    }
}

/// A token's result is the same, bit for bit, alone and in any batch, and however the panels are divided.
#[test]
fn results_depend_neither_on_the_batch_nor_on_the_split() {
    for dtype in DType::ALL {
        let case = Case::new(dtype, 90, 768);
        for cpu in Cpu::available() {
            let x = case.inputs(37);
            let batch = case.multiply(cpu, &x);
            for (token, x) in x.chunks_exact(case.cols).enumerate() {
                let alone = case.multiply(cpu, x);
                assert_eq!(alone, batch[token * case.rows..][..case.rows], "{dtype} on {}", cpu.level());
            }
            let kind = case.matrix.input_kind();
            let mut buffer = InputBuffer::new(Inputs::bytes(kind, case.cols, 37)).unwrap();
            let inputs = buffer.fill(cpu, kind, case.cols, &x);
            let mut split = vec![f32::NAN; batch.len()];
            for panels in [0..1, 1..4, 4..6] {
                let out = &mut split[panels.start * 16..];
                #[allow(unsafe_code)]
                // SAFETY: the rest of `split` has every row of these panels for every token, 90 apart.
                unsafe {
                    case.matrix.multiply(cpu, panels, inputs, out.as_mut_ptr(), case.rows);
                }
            }
            assert_eq!(split, batch, "{dtype} on {}", cpu.level());
        }
    }
}

/// Ranks that divide a matrix by columns round the same activations, in the same blocks, to the same codes, however many they are. Only
/// the order of the sum differs, and with it the last bits: not as much as the rounding of a single activation.
#[test]
fn a_division_by_columns_changes_the_order_of_the_sum_alone() {
    const COLS: usize = 1536;
    for dtype in DType::ALL {
        let whole = Case::new(dtype, 40, COLS);
        let x = whole.inputs(1);
        let tolerances: Vec<f64> = (0..whole.rows).map(|row| sum_tolerance(&whole, &x, row)).collect();
        let divisions =
            [&[0, 768, COLS][..], &[0, 512, 1024, COLS], &[0, 256, COLS]].map(|cuts| whole.divided(cuts));
        for cpu in Cpu::available() {
            let expected = whole.multiply(cpu, &x);
            for division in &divisions {
                let mut sum = vec![0.0; whole.rows];
                for (part, case) in division {
                    if whole.matrix.input_kind() == InputKind::Blocks {
                        same_blocks(cpu, &x, part.clone());
                    }
                    let partial = case.multiply(cpu, &x[part.clone()]);
                    sum.iter_mut().zip(partial).for_each(|(sum, partial): (&mut f32, f32)| *sum += partial);
                }
                for (row, (sum, expected)) in sum.iter().zip(&expected).enumerate() {
                    let off = f64::from(sum - expected).abs();
                    assert!(
                        off <= tolerances[row],
                        "{dtype} on {}, row {row}: {sum}, {expected}",
                        cpu.level()
                    );
                }
            }
        }
    }
}

/// A sum in two parts has the same bits however its columns are divided, alone or in company, and is the plain one's but for rounding.
#[test]
fn a_sum_in_parts_does_not_depend_on_the_division() {
    const COLS: usize = 1536;
    for dtype in DType::ALL {
        let whole = Case::new(dtype, 40, COLS);
        let x = whole.inputs(19);
        let run = 256.max(dtype.block_len());
        let cuts = [&[0, 768, COLS][..], &[0, 512, 1024, COLS], &[0, 256, COLS], &[0, 1280, 1536]];
        let divisions = cuts.map(|cuts| whole.divided(cuts));
        let tolerances: Vec<f64> = x
            .chunks(COLS)
            .flat_map(|x| (0..whole.rows).map(|row| sum_tolerance(&whole, x, row) + 4e-8))
            .collect();
        for cpu in Cpu::available() {
            let expected = joined(&whole.multiply_in_parts(cpu, &x, run), whole.rows);
            let plain = whole.multiply(cpu, &x);
            for (at, (exact, plain)) in expected.iter().zip(&plain).enumerate() {
                assert!(
                    f64::from(exact - plain).abs() <= tolerances[at],
                    "{dtype} on {}, token {}, row {}: {exact}, {plain}",
                    cpu.level(),
                    at / whole.rows,
                    at % whole.rows,
                );
            }
            let alone = whole.multiply_in_parts(cpu, &x[3 * COLS..4 * COLS], run);
            assert_eq!(joined(&alone, whole.rows), expected[3 * whole.rows..4 * whole.rows], "{dtype} alone");
            for (cuts, division) in cuts.iter().zip(&divisions) {
                let mut sum = vec![0.0; 2 * 19 * whole.rows];
                for (part, case) in division {
                    let x: Vec<f32> = x.chunks(COLS).flat_map(|x| &x[part.clone()]).copied().collect();
                    let partial = case.multiply_in_parts(cpu, &x, run);
                    sum.iter_mut().zip(partial).for_each(|(sum, partial): (&mut f32, f32)| *sum += partial);
                }
                assert_eq!(joined(&sum, whole.rows), expected, "{dtype} on {}, cut at {cuts:?}", cpu.level());
            }
        }
    }
}

fn joined(parts: &[f32], rows: usize) -> Vec<f32> {
    parts.chunks(2 * rows).flat_map(|row| (0..rows).map(|r| row[r] + row[rows + r])).collect()
}

/// What adding in another order may change: some roundings of sums of this size.
fn sum_tolerance(case: &Case, x: &[f32], row: usize) -> f64 {
    let weights = &case.weights[row * case.cols..][..case.cols];
    let size: f64 = weights.iter().zip(x).map(|(w, x)| f64::from((w * x).abs())).sum();
    32.0 * f64::from(f32::EPSILON) * size
}

fn same_blocks(cpu: Cpu, x: &[f32], part: Range<usize>) {
    let buffer = |cols| InputBuffer::new(Inputs::bytes(InputKind::Blocks, cols, 1)).unwrap();
    let (mut of_whole, mut of_part) = (buffer(x.len()), buffer(part.len()));
    let whole = of_whole.fill(cpu, InputKind::Blocks, x.len(), x);
    let own = of_part.fill(cpu, InputKind::Blocks, part.len(), &x[part.clone()]);
    for block in 0..part.len() / BLOCK {
        assert_eq!(own.block(0, block), whole.block(0, part.start / BLOCK + block));
    }
}

#[test]
fn rows_come_back_from_the_packed_form() {
    for dtype in DType::ALL {
        let case = Case::new(dtype, 35, 512);
        let mut row = vec![0.0; case.cols];
        for (i, want) in case.weights.chunks_exact(case.cols).enumerate() {
            case.matrix.row_into(i, &mut row);
            assert!(
                row.iter().zip(want).all(|(got, want)| (got - want).abs() <= 1e-6 * want.abs().max(1e-3)),
                "{dtype} row {i}"
            );
        }
    }
}

#[test]
fn every_level_prepares_the_same_inputs() {
    let mut noise = Noise(7);
    let mut x = noise.values(640);
    x[..32].fill(0.0);
    x[32..64].iter_mut().for_each(|x| *x *= 1e-6);
    x[64..96].iter_mut().for_each(|x| *x *= 1e8);
    x[96..128].fill(1.5);
    let want: Vec<InputBlock> = x.as_chunks().0.iter().map(InputBlock::quantize).collect();
    for cpu in Cpu::available() {
        let mut buffer = InputBuffer::new(Inputs::bytes(InputKind::Blocks, 320, 2)).unwrap();
        let inputs = buffer.fill(cpu, InputKind::Blocks, 320, &x);
        for (i, want) in want.iter().enumerate() {
            assert_eq!(inputs.block(i / 10, i % 10), *want, "block {i} on {}", cpu.level());
        }
    }
}

#[test]
fn the_portable_level_is_always_there() {
    assert!(Cpu::at(Level::Portable).is_some());
}
