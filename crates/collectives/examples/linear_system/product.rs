//! The matrix product of the linear system: `C -= A B`, all by columns, where A has few columns.
//!
//! With AVX-512 in three steps, as every fast product: a block of A that stays in the second-level cache is copied into panels of 24 rows, B into
//! panels of 8 columns, and each pair of panels gives a tile of 24 x 8 that lives in registers. Elsewhere a crate does it.
//!
//! Unsafe because matrices are told by address, and for intrinsics.
#![allow(unsafe_code)]

/// A matrix by columns: its first element, and how many elements lie between one column and the next.
#[derive(Clone, Copy)]
pub struct Columns<T> {
    pub first: T,
    pub stride: usize,
}

/// `C -= A B`, with A of m x k, B of k x n.
///
/// # Safety
/// All elements lie in memory that may be read, and those of C, which are none of the others, may be written.
pub unsafe fn subtract(
    (m, k, n): (usize, usize, usize),
    a: Columns<*const f64>,
    b: Columns<*const f64>,
    c: Columns<*mut f64>,
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has it; the rest is the caller's promise.
        return unsafe { avx512::subtract((m, k, n), a, b, c) };
    }
    let stride = |columns| isize::try_from(columns).expect("matrices are smaller than memory");
    // SAFETY: the caller's promise.
    unsafe {
        matrixmultiply::dgemm(
            m,
            k,
            n,
            -1.0,
            a.first,
            1,
            stride(a.stride),
            b.first,
            1,
            stride(b.stride),
            1.0,
            c.first,
            1,
            stride(c.stride),
        );
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::Columns;
    use std::arch::x86_64::*;
    use std::cell::RefCell;

    /// A tile: three registers of rows, eight columns.
    const ROWS: usize = 24;
    const COLUMNS: usize = 8;
    /// Rows of A whose panels fit into the second-level cache with k of a few hundred.
    const BLOCK_ROWS: usize = 20 * ROWS;

    /// One register, and as aligned.
    #[derive(Clone, Copy)]
    #[repr(align(64))]
    struct Line([f64; 8]);

    #[derive(Default)]
    struct Panels {
        a: Vec<Line>,
        b: Vec<Line>,
    }

    thread_local! {
        static PANELS: RefCell<Panels> = RefCell::default();
    }

    /// # Safety
    /// As of [`super::subtract`].
    #[target_feature(enable = "avx512f")]
    pub unsafe fn subtract(
        (m, k, n): (usize, usize, usize),
        a: Columns<*const f64>,
        b: Columns<*const f64>,
        c: Columns<*mut f64>,
    ) {
        PANELS.with_borrow_mut(|panels| {
            panels.b.resize(n.div_ceil(COLUMNS) * k, Line([0.0; 8]));
            panels.a.resize(BLOCK_ROWS / 8 * k, Line([0.0; 8]));
            for (panel, lines) in panels.b.chunks_exact_mut(k).enumerate() {
                let width = COLUMNS.min(n - panel * COLUMNS);
                for (p, line) in lines.iter_mut().enumerate() {
                    for j in 0..width {
                        // SAFETY: within B.
                        line.0[j] = unsafe { *b.first.add((panel * COLUMNS + j) * b.stride + p) };
                    }
                }
            }
            for top in (0..m).step_by(BLOCK_ROWS) {
                let rows = BLOCK_ROWS.min(m - top);
                for (panel, lines) in panels.a.chunks_exact_mut(3 * k).take(rows.div_ceil(ROWS)).enumerate() {
                    let first = panel * ROWS;
                    let height = ROWS.min(rows - first);
                    for p in 0..k {
                        // SAFETY: `height` elements of a column of A, into the three lines of its panel.
                        unsafe {
                            let from = a.first.add(p * a.stride + top + first);
                            let to = lines.as_mut_ptr().add(3 * p).cast::<f64>();
                            std::ptr::copy_nonoverlapping(from, to, height);
                        }
                    }
                }
                for (j, b) in panels.b.chunks_exact(k).enumerate() {
                    let width = COLUMNS.min(n - j * COLUMNS);
                    for (i, a) in panels.a.chunks_exact(3 * k).take(rows.div_ceil(ROWS)).enumerate() {
                        let height = ROWS.min(rows - i * ROWS);
                        // SAFETY: the tile begins within C; a whole one ends there too, of another only what is inside is written.
                        unsafe {
                            let to = c.first.add(j * COLUMNS * c.stride + top + i * ROWS);
                            if (height, width) == (ROWS, COLUMNS) {
                                tile(k, a, b, to, c.stride);
                            } else {
                                let mut whole = [Line([0.0; 8]); ROWS * COLUMNS / 8];
                                let whole = whole.as_mut_ptr().cast::<f64>();
                                tile(k, a, b, whole, ROWS);
                                for j in 0..width {
                                    for i in 0..height {
                                        *to.add(j * c.stride + i) += *whole.add(j * ROWS + i);
                                    }
                                }
                            }
                        }
                    }
                }
            }
        });
    }

    /// # Safety
    /// `to` is a tile of 24 x 8 that may be written.
    #[target_feature(enable = "avx512f")]
    unsafe fn tile(k: usize, a: &[Line], b: &[Line], to: *mut f64, stride: usize) {
        assert!(a.len() >= 3 * k && b.len() >= k);
        let mut sums = [[_mm512_setzero_pd(); 3]; COLUMNS];
        for p in 0..k {
            // SAFETY: by the assertion.
            unsafe {
                let rows = a.as_ptr().add(3 * p).cast::<f64>();
                let rows = [_mm512_load_pd(rows), _mm512_load_pd(rows.add(8)), _mm512_load_pd(rows.add(16))];
                let columns = b.as_ptr().add(p).cast::<f64>();
                for j in 0..COLUMNS {
                    let column = _mm512_set1_pd(*columns.add(j));
                    for i in 0..3 {
                        sums[j][i] = _mm512_fmadd_pd(rows[i], column, sums[j][i]);
                    }
                }
            }
        }
        for (j, sums) in sums.iter().enumerate() {
            for (i, sum) in sums.iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe {
                    let to = to.add(j * stride + 8 * i);
                    _mm512_storeu_pd(to, _mm512_sub_pd(_mm512_loadu_pd(to), *sum));
                }
            }
        }
    }
}
