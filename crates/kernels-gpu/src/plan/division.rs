//! How products are divided among workgroups: many rows into tiles, few into rows of the matrix.

use tandem_tensor::DType;

use super::{ANY, FEW};
use crate::kernels::{Key, Kind};
use crate::packing::is_coded;

/// How a product with many rows is divided into tiles.
#[derive(Clone, Copy)]
pub(super) struct Tile {
    /// Most rows of a batch that it is for.
    pub(super) upto: u32,
    pub(super) t: u32,
    pub(super) n: u32,
    pub(super) k: u32,
    /// What a subgroup makes, with cooperative matrices.
    sub: Option<(u32, u32)>,
    /// Whether coded matrices are expanded first.
    pub(super) expanded: bool,
    /// Whether the depth may be divided.
    pub(super) split: bool,
    /// Whether the codes of the next tile are loaded before this one is multiplied.
    ahead: bool,
}

impl std::fmt::Display for Tile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ahead = if self.ahead { ", loaded ahead" } else { "" };
        let alone = if self.threads() == 32 { ", one subgroup" } else { "" };
        write!(f, "{} by {} by {}{alone}{ahead}", self.t, self.n, self.k)
    }
}

impl Tile {
    /// With squares of this side, `t` rows by `n` rows of the matrix, of which subgroups make `sub`.
    const fn new(upto: u32, (t, n, k): (u32, u32, u32), sub: (u32, u32)) -> Tile {
        Tile { upto, t, n, k, sub: Some(sub), expanded: false, split: true, ahead: false }
    }

    /// What is chosen between for so many rows; first what is taken where nothing is known.
    pub(super) fn options(self, coded: bool) -> Vec<Tile> {
        let ahead = Tile { ahead: coded, ..self };
        // Workgroups of one subgroup wait for nobody else.
        let alone = Tile { n: 64, k: 32, sub: Some((self.t, 64)), ..ahead };
        match (self.sub, self.upto) {
            (Some(_), ..=32) if coded => vec![self, ahead, alone],
            (Some(_), ..=32) => vec![self, alone],
            (Some(_), ..=128) if coded => vec![self, ahead],
            _ => vec![self],
        }
    }

    /// `side`: of the squares that the device multiplies at once, or 0.
    pub(super) fn all(side: u32) -> &'static [Tile] {
        match side {
            // Of codes a thread expands sixteen at a time: with more it has too much to hold.
            16 => {
                &const {
                    [
                        Tile::new(16, (16, 64, 64), (16, 16)),
                        // Of two for as many rows, the first whose depth fits.
                        Tile::new(32, (32, 128, 64), (32, 32)),
                        Tile::new(32, (32, 64, 32), (32, 16)),
                        Tile::new(64, (64, 64, 32), (32, 32)),
                        Tile::new(128, (128, 128, 32), (64, 64)),
                        Tile { expanded: true, split: false, ..Tile::new(ANY, (128, 128, 32), (64, 64)) },
                    ]
                }
            }
            8 => {
                &const {
                    [
                        Tile::new(32, (32, 64, 32), (16, 32)),
                        Tile::new(64, (64, 64, 32), (32, 32)),
                        Tile { split: false, ..Tile::new(ANY, (64, 64, 32), (32, 32)) },
                    ]
                }
            }
            _ => &const { [Tile { split: false, sub: None, ..Tile::new(ANY, (64, 64, 32), (0, 0)) }] },
        }
    }

    pub(super) fn threads(&self) -> u32 {
        match self.sub {
            None => self.t / 4 * (self.n / 4),
            Some((t, n)) => self.t / t * (self.n / n) * 32,
        }
    }

    /// For rows of so many blocks.
    pub(super) fn key(&self, dtype: DType, blocks: u32, side: u32) -> Key {
        self.split_key(dtype, blocks, 1, side)
    }

    pub(super) fn split_key(&self, dtype: DType, blocks: u32, splits: u32, side: u32) -> Key {
        let tiled = |threads| {
            let key = Key::new(Kind::MatMul, threads).of(dtype);
            key.with("TILE_T", self.t).with("TILE_N", self.n).with("TILE_K", self.k)
        };
        // Values of the matrix that a thread loads at once; of x four.
        let whole_blocks = (self.n * self.k / 32).is_multiple_of(self.threads());
        let w_each = if dtype == DType::F16 { 4 } else { 16 << u32::from(whole_blocks) };
        match self.sub {
            None => tiled(self.threads()),
            Some((t, n)) => tiled(self.threads())
                .with("SUB_T", t)
                .with("SUB_N", n)
                .with("SIDE", side)
                .with("SINGLE", (side == 8).into())
                .with("SQUARES_T", t / side)
                .with("SQUARES_N", n / side)
                .with("SPLIT_ROWS", if splits > 1 { self.upto } else { 0 })
                .with("BLOCKS", blocks)
                .with("SPLIT", blocks / splits)
                .with("DEPTH", self.k / side)
                .with("LOADS_X", self.t * self.k / 4 / self.threads())
                .with("LOADS_W", self.n * self.k / w_each / self.threads())
                .with("W_EACH", w_each)
                .with("W_FOURS", w_each / 4)
                .with("WHOLE_BLOCKS", whole_blocks.into())
                .with("AHEAD", self.ahead.into()),
        }
    }
}

/// How a matrix-vector product is divided.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) threads: u32,
    /// Rows of the matrix to a workgroup.
    pub(super) rows: u32,
    /// Whether a thread adds up a result of the whole workgroup, in place of subgroups.
    gathers: bool,
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let gathered = if self.gathers { ", gathered" } else { "" };
        write!(f, "{} threads for {} rows{gathered}", self.threads, self.rows)
    }
}

impl Shape {
    /// What is chosen between; first what is taken where nothing is known.
    pub(super) fn options(dtype: DType, blocks: u32, tokens: u32, matrices: u32) -> Vec<Shape> {
        let usual = Shape::of(dtype, blocks, tokens, matrices);
        let other = |threads, rows: u32, gathers| Shape { threads, rows: rows / matrices, gathers };
        match tokens {
            _ if blocks < 32 => vec![usual],
            1 => vec![usual, other(128, 4, false), other(256, 2, false)],
            FEW if is_coded(dtype) => vec![other(32, 4, true), usual],
            FEW => vec![usual, other(128, 4, false)],
            _ => vec![usual],
        }
    }

    pub(super) fn of(dtype: DType, blocks: u32, tokens: u32, matrices: u32) -> Shape {
        let units = if is_coded(dtype) { blocks } else { blocks * 4 };
        let threads = match units {
            0..48 => 32,
            96.. if tokens == 1 => 128,
            _ => 64,
        };
        let rows = if tokens >= 4 || threads == 32 { 4 } else { 2 };
        Shape { threads, rows: if matrices == 2 { rows / 2 } else { rows }, gathers: false }
    }

    pub(super) fn key(&self, dtype: DType, tokens: u32, matrices: u32) -> Key {
        let key = Key::new(Kind::MatVec, self.threads)
            .of(dtype)
            .with("ROWS", self.rows)
            .with("NT", tokens)
            .with("MATRICES", matrices);
        if self.gathers { key.with("GATHERS", 1) } else { key }
    }
}
