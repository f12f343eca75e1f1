//! What turns a picture into rows that a model reads among its tokens.

use tandem_tensor::{Batch, CacheType, Given, Limits, Span};

use crate::{Linear, Norm, Tensor};

/// A vision transformer: patches of pixels, embedded with their positions; layers in which all of them see each other; means of
/// squares of patches, projected to the model's width. It is not divided: one rank has all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tower {
    /// Pixels of a side of every picture, and of a patch.
    pub size: usize,
    pub patch: usize,
    /// The rows that a picture becomes: a square number, whose root divides the patches of a side.
    pub rows: usize,
    /// A pixel's value becomes `(value / 255 - mean) / deviation`.
    pub mean: f32,
    pub deviation: f32,
    pub hidden: usize,
    pub heads: usize,
    /// Channels, then rows, then columns of a patch: `[hidden, 3 * patch²]`.
    pub patches: Linear,
    /// `[patches, hidden]`
    pub positions: Tensor,
    pub layers: Vec<TowerLayer>,
    /// Weight and bias, as of all norms before blocks.
    pub norm: Linear,
    pub eps: f32,
    pub out_norm: Norm,
    /// `[the model's hidden, hidden]`
    pub out: Linear,
    /// None where the file does not say them: then they are known by their texts.
    pub tokens: Option<PictureTokens>,
}

/// Plain blocks with biases: norm, attention; norm, two matrices with GELU between them.
#[derive(Clone, Debug, PartialEq)]
pub struct TowerLayer {
    pub attention_norm: Linear,
    pub q: Linear,
    pub k: Linear,
    pub v: Linear,
    pub o: Linear,
    pub mlp_norm: Linear,
    pub up: Linear,
    pub down: Linear,
}

/// The tokens that stand for a picture in a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureTokens {
    pub begin: u32,
    /// Once for each row.
    pub row: u32,
    pub end: u32,
}

impl Tower {
    /// Every tensor of it.
    pub fn tensors(&self) -> Vec<&Tensor> {
        let mut all = Vec::new();
        self.patches.tensors(&mut all);
        all.push(&self.positions);
        for layer in &self.layers {
            let TowerLayer { attention_norm, q, k, v, o, mlp_norm, up, down } = layer;
            [attention_norm, q, k, v, o, mlp_norm, up, down].iter().for_each(|it| it.tensors(&mut all));
        }
        self.norm.tensors(&mut all);
        all.push(&self.out_norm.weight);
        self.out.tensors(&mut all);
        all
    }

    /// Of the bytes that show a picture: red, green and blue of every pixel, row by row.
    pub fn picture_bytes(&self) -> usize {
        self.size * self.size * 3
    }

    /// What a session of its program is opened for: one picture at a time.
    pub fn limits(&self) -> Limits {
        const BLOCK_LEN: usize = 64;
        let patches = self.positions.rows;
        Limits {
            tokens_max: patches,
            outputs_max: self.rows,
            block_len: BLOCK_LEN,
            blocks: patches.div_ceil(BLOCK_LEN),
            window: 0,
            window_blocks: 0,
            states: 0,
            context_max: patches,
            cache_type: CacheType::F32,
        }
    }

    /// The batch that shows a picture of [`picture_bytes`](Self::picture_bytes). Patches come in the order in which their means are
    /// made; what was a patch's place is its token.
    pub fn batch(&self, picture: &[u8]) -> Batch {
        let (side, limits) = (self.size / self.patch, self.limits());
        let pooled = self.rows.isqrt();
        let each = side / pooled;
        let value = |byte: u8| ((f64::from(byte) / 255.0) as f32 - self.mean) / self.deviation;
        let mut values = Vec::with_capacity(self.picture_bytes());
        let mut tokens = Vec::with_capacity(side * side);
        for row in 0..self.rows {
            let (top, left) = (row / pooled * each, row % pooled * each);
            for (y, x) in (0..each * each).map(|at| (top + at / each, left + at % each)) {
                tokens.push((y * side + x) as u32);
                for channel in 0..3 {
                    for line in y * self.patch..(y + 1) * self.patch {
                        let first = (line * self.size + x * self.patch) * 3 + channel;
                        values.extend((0..self.patch).map(|at| value(picture[first + 3 * at])));
                    }
                }
            }
        }
        let rows = tokens.len() as u32;
        let blocks = limits.blocks as u32;
        Batch {
            spans: vec![Span { rows, start: 0, blocks, window_blocks: 0, state: 0, state_from: 0 }],
            blocks: (0..blocks).collect(),
            outputs: (0..self.rows).map(|row| (row * each * each) as u32).collect(),
            given: vec![Given { first: 0, rows, values: Some(values.into()) }],
            tokens,
            ..Batch::default()
        }
    }
}
