//! One rank's part of a model, and how a model is divided.

use std::ops::Range;

use tandem_tensor::Slice;

use crate::lower::stored;
use crate::{Attention, Axis, Description, Heads, Layer, Role, Tensor, Tensors};

/// What one rank of one stage holds: a run of layers, and a part of each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    pub layers: Range<usize>,
    /// One for every number of heads that the layers have.
    pub heads: Vec<HeadPart>,
    /// One for every width of feed-forward block that the layers have.
    pub ffn: Vec<FfnPart>,
    pub vocab: Range<usize>,
    /// This rank among those of its stage that divide the axes.
    pub rank: usize,
    pub ranks: usize,
    /// Whether what ranks add up is to be the same bits however a model is divided (see [`tandem_tensor::sums`]); the same for all
    /// ranks.
    pub exact_sums: bool,
}

/// A rank's heads of the layers that have so many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadPart {
    pub of: Heads,
    pub heads: Range<usize>,
    /// Where ranks outnumber key-value heads, several hold the same one.
    pub kv_heads: Range<usize>,
}

impl HeadPart {
    fn whole(of: Heads) -> HeadPart {
        HeadPart { of, heads: 0..of.count, kv_heads: 0..of.kv_count }
    }

    /// Whether no rank before this one holds its first key-value head too.
    pub fn leads(&self) -> bool {
        self.heads.start == self.kv_heads.start * (self.of.count / self.of.kv_count)
    }
}

/// A rank's inner features of the feed-forward blocks of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FfnPart {
    pub width: usize,
    pub part: Range<usize>,
}

#[derive(Debug, PartialEq, thiserror::Error)]
pub enum DivideError {
    #[error(
        "{ranks} ranks cannot share {units} units of {axis} ({of} in all, cut in steps of {step}); use at most {units}"
    )]
    TooManyRanks { ranks: usize, units: usize, axis: &'static str, of: usize, step: usize },
    #[error("shares must be positive numbers, found {found:?}")]
    BadShares { found: Vec<f64> },
}

impl Shard {
    /// The whole model on one rank.
    pub fn whole(model: &Description) -> Shard {
        Shard {
            layers: 0..model.layers.len(),
            heads: head_counts(&model.layers).into_iter().map(HeadPart::whole).collect(),
            ffn: widths(&model.layers).into_iter().map(|width| FfnPart { width, part: 0..width }).collect(),
            vocab: 0..model.vocab,
            rank: 0,
            ranks: 1,
            exact_sums: false,
        }
    }

    /// Divide one stage's `layers` among as many ranks as there are `shares`, in proportion to them.
    ///
    /// Cuts fall between whole blocks of every weight they touch. Key-value heads take their query heads along;
    /// with more ranks than key-value heads, ranks share one and divide its query heads.
    pub fn divide(
        model: &Description,
        tensors: &dyn Tensors,
        layers: Range<usize>,
        shares: &[f64],
    ) -> Result<Vec<Shard>, DivideError> {
        if shares.is_empty() || !shares.iter().all(|share| share.is_finite() && *share > 0.0) {
            return Err(DivideError::BadShares { found: shares.to_vec() });
        }
        let whole = Shard { layers: layers.clone(), ..Shard::whole(model) };
        if shares.len() == 1 || layers.is_empty() {
            return Ok(vec![whole]);
        }
        let stage = &model.layers[layers];
        let block = |tensor: &Tensor| stored(tensors, tensor).map_or(1, |stored| stored.dtype.block_len());

        let mut heads = vec![Vec::new(); shares.len()];
        for of in head_counts(stage) {
            let alike = stage.iter().map(|layer| &layer.attention).filter(|own| own.heads() == of);
            // Such norms are of whole groups.
            let is_grouped = |own: &Attention| matches!(own, Attention::Scan(own) if own.norm_groups > 1);
            if shares.len() > of.kv_count && alike.clone().any(is_grouped) {
                return Err(too_many(shares.len(), of.kv_count, "groups of heads", of.kv_count, 1));
            }
            let steps = alike.map(|own| step(own.output_dim(), block(&own.output().weight)));
            let head_step = steps.max().unwrap_or(1);
            let parts = divide_heads(of.kv_count, of.count / of.kv_count, head_step, shares)?;
            heads.iter_mut().zip(parts).for_each(|(of_rank, (heads, kv_heads))| {
                of_rank.push(HeadPart { of, heads, kv_heads });
            });
        }
        let mut ffn = vec![Vec::new(); shares.len()];
        for width in widths(stage) {
            let downs = stage.iter().flat_map(|layer| layer.mlp.downs()).map(|down| &down.weight);
            let coarsest = downs.filter(|down| down.cols == width).map(block).max().unwrap_or(1);
            let unit = ffn_unit(width, coarsest);
            let step = if width / unit >= shares.len() { unit } else { coarsest };
            let parts = divide_axis("feed-forward features", width, step, shares)?;
            ffn.iter_mut().zip(parts).for_each(|(of_rank, part)| of_rank.push(FfnPart { width, part }));
        }
        let vocab = divide_axis("vocabulary", model.vocab, 1, shares)?;

        let parts = heads.into_iter().zip(ffn).zip(vocab).enumerate();
        let shards = parts.map(|(rank, ((heads, ffn), vocab))| Shard {
            heads,
            ffn,
            vocab,
            rank,
            ranks: shares.len(),
            ..whole.clone()
        });
        Ok(shards.collect())
    }

    /// This rank's part of a tensor.
    pub(crate) fn cut(&self, tensor: &Tensor) -> Slice {
        let whole = Slice { experts: 0..tensor.experts, rows: 0..tensor.rows, cols: 0..tensor.cols };
        match tensor.role {
            Role::Replicated => whole,
            // A bias is a vector along its matrix's output features; a matrix of one row has a single one, which is not divided.
            Role::Column(axis) if tensor.rows == 1 && !is_single(axis) => {
                Slice { cols: self.along(axis), ..whole }
            }
            Role::Column(axis) => Slice { rows: self.along(axis), ..whole },
            Role::Row(axis) => Slice { cols: self.along(axis), ..whole },
            Role::Stack(axis) => Slice { experts: self.along(axis), ..whole },
            Role::LayerTable { dim } => {
                Slice { rows: self.vocab.clone(), cols: self.along(Axis::Layers { dim }), ..whole }
            }
        }
    }

    /// This rank's part of the feed-forward blocks of the given width.
    pub(crate) fn ffn_part(&self, width: usize) -> Range<usize> {
        let found = self.ffn.iter().find(|part| part.width == width);
        found.map_or(0..width, |found| found.part.clone())
    }

    /// This rank's heads of layers that have so many.
    pub(crate) fn head_part(&self, of: Heads) -> HeadPart {
        let found = self.heads.iter().find(|part| part.of == of);
        found.cloned().unwrap_or_else(|| HeadPart::whole(of))
    }

    fn along(&self, axis: Axis) -> Range<usize> {
        let scaled = |range: &Range<usize>, by: usize| range.start * by..range.end * by;
        match axis {
            Axis::Heads { of, dim } => scaled(&self.head_part(of).heads, dim),
            Axis::KvHeads { of, dim } => scaled(&self.head_part(of).kv_heads, dim),
            Axis::Ffn { width } => self.ffn_part(width),
            Axis::Vocab => self.vocab.clone(),
            Axis::Layers { dim } => scaled(&self.layers, dim),
        }
    }
}

/// Whether there is but one feature along it.
fn is_single(axis: Axis) -> bool {
    match axis {
        Axis::Heads { of, dim } => of.count * dim == 1,
        Axis::KvHeads { of, dim } => of.kv_count * dim == 1,
        Axis::Ffn { .. } | Axis::Vocab | Axis::Layers { .. } => false,
    }
}

/// Every width of feed-forward block among the layers.
fn widths(layers: &[Layer]) -> Vec<usize> {
    let mut widths: Vec<usize> =
        layers.iter().flat_map(|layer| layer.mlp.downs()).map(|down| down.weight.cols).collect();
    widths.sort_unstable();
    widths.dedup();
    widths
}

/// Every number of heads among the layers.
fn head_counts(layers: &[Layer]) -> Vec<Heads> {
    let mut counts: Vec<Heads> = layers.iter().map(|layer| layer.attention.heads()).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// The least number of items of `len` values each that fills whole blocks.
fn step(len: usize, block: usize) -> usize {
    (1..=block).find(|items| (items * len).is_multiple_of(block)).unwrap_or(block)
}

/// The columns that `heads` are divided in multiples of, where `weight` reads what they give, `dim` values each. (More ranks than
/// there are key-value heads cut finer.)
pub(crate) fn head_unit(heads: Heads, dim: usize, block: usize) -> usize {
    let group = heads.count / heads.kv_count;
    dim * group * step(group, step(dim, block))
}

/// What feed-forward features are divided in multiples of: whole blocks, up to 256 of them where that leaves enough parts for ranks to
/// have about the shares they are meant to.
pub(crate) fn ffn_unit(width: usize, block: usize) -> usize {
    const UNIT_MAX: usize = 256;
    const UNITS_MIN: usize = 24;
    let mut unit = block;
    while 2 * unit <= UNIT_MAX && width.is_multiple_of(2 * unit) && width / (2 * unit) >= UNITS_MIN {
        unit *= 2;
    }
    unit
}

/// Query heads and the key-value heads they attend with.
type Ranges = (Range<usize>, Range<usize>);

fn divide_heads(
    kv_heads: usize,
    group: usize,
    head_step: usize,
    shares: &[f64],
) -> Result<Vec<Ranges>, DivideError> {
    // As many key-value heads as bring whole blocks of query heads with them.
    let kv_step = step(group, head_step);
    if shares.len() <= kv_heads / kv_step {
        let kv = divide_axis("key-value heads", kv_heads, kv_step, shares)?;
        return Ok(kv.into_iter().map(|kv| (kv.start * group..kv.end * group, kv)).collect());
    }
    if kv_step > 1 || shares.len() < kv_heads {
        let units = kv_heads / kv_step;
        return Err(too_many(shares.len(), units, "key-value heads", kv_heads, kv_step));
    }
    // Runs of ranks share a key-value head each, and divide its query heads.
    let mut parts = Vec::with_capacity(shares.len());
    for kv in 0..kv_heads {
        let ranks = shares.len() * kv / kv_heads..shares.len() * (kv + 1) / kv_heads;
        let parts_of_head = divide_axis("query heads", group, head_step, &shares[ranks]).map_err(|_| {
            too_many(shares.len(), kv_heads * (group / head_step), "query heads", kv_heads * group, head_step)
        })?;
        for part in parts_of_head {
            parts.push((kv * group + part.start..kv * group + part.end, kv..kv + 1));
        }
    }
    Ok(parts)
}

/// Cut `0..len` into one part per share, in multiples of `step` (the last takes the odd rest), none empty.
fn divide_axis(
    axis: &'static str,
    len: usize,
    step: usize,
    shares: &[f64],
) -> Result<Vec<Range<usize>>, DivideError> {
    let units = len / step;
    let ranks = shares.len();
    if units < ranks {
        return Err(too_many(ranks, units, axis, len, step));
    }
    let total: f64 = shares.iter().sum();
    let mut parts = Vec::with_capacity(ranks);
    let (mut start, mut sum) = (0, 0.0);
    for (rank, share) in shares.iter().enumerate() {
        sum += share;
        let ideal = (units as f64 * sum / total).round() as usize;
        // Leave at least one unit to this rank and to each that follows.
        let end = ideal.clamp(start + 1, units - (ranks - 1 - rank));
        let last = rank + 1 == ranks;
        parts.push(start * step..if last { len } else { end * step });
        start = end;
    }
    Ok(parts)
}

fn too_many(ranks: usize, units: usize, axis: &'static str, of: usize, step: usize) -> DivideError {
    DivideError::TooManyRanks { ranks, units, axis, of, step }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(len: usize, step: usize, shares: &[f64], expected: &[usize]) {
        let parts = divide_axis("axis", len, step, shares).unwrap();
        assert_eq!(parts.iter().map(ExactSizeIterator::len).collect::<Vec<_>>(), expected);
        assert_eq!((parts[0].start, parts.last().unwrap().end), (0, len));
        assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
    }

    #[test]
    fn an_axis_is_cut_in_proportion_and_in_steps() {
        check(8, 1, &[1.0, 1.0, 1.0], &[3, 2, 3]);
        check(8192, 256, &[2.0, 1.0], &[5376, 2816]);
        check(100, 32, &[1.0, 1.0, 1.0], &[32, 32, 36]);
        check(4, 1, &[1000.0, 1.0, 1.0], &[2, 1, 1]);
    }

    #[test]
    fn more_ranks_than_units_are_refused_with_numbers() {
        let error = divide_axis("features", 512, 256, &[1.0; 3]).unwrap_err();
        assert_eq!(error, too_many(3, 2, "features", 512, 256));
    }

    #[test]
    fn units_are_whole_blocks_and_leave_enough_parts() {
        for (width, block, expected) in [
            (8192, 32, 256),
            (8192, 256, 256),
            (8192, 1, 256),
            (1536, 32, 64),
            (2880, 32, 64),
            (512, 256, 256),
        ] {
            assert_eq!(ffn_unit(width, block), expected, "{width} in blocks of {block}");
        }
        let heads = |count, kv_count| Heads { count, kv_count };
        assert_eq!(head_unit(heads(32, 8), 64, 256), 256);
        assert_eq!(head_unit(heads(24, 8), 64, 256), 768);
        assert_eq!(head_unit(heads(9, 3), 64, 32), 192);
        assert_eq!(head_unit(heads(16, 16), 128, 32), 128);
    }

    #[test]
    fn ranks_beyond_the_key_value_heads_share_them() {
        let heads = divide_heads(3, 3, 1, &[1.0; 4]).unwrap();
        assert_eq!(heads, [(0..3, 0..1), (3..6, 1..2), (6..8, 2..3), (8..9, 2..3)]);
        let heads = divide_heads(8, 4, 1, &[1.0; 3]).unwrap();
        assert_eq!(heads, [(0..12, 0..3), (12..20, 3..5), (20..32, 5..8)]);
    }

    #[test]
    fn heads_are_cut_where_the_output_matrix_has_whole_blocks() {
        // Heads of 64 in blocks of 256: groups of four query heads are whole, of three are not.
        assert_eq!(divide_heads(8, 4, step(64, 256), &[1.0; 2]).unwrap()[0], (0..16, 0..4));
        assert_eq!(divide_heads(8, 3, step(64, 256), &[1.0; 2]).unwrap()[0], (0..12, 0..4));
        assert!(divide_heads(8, 3, step(64, 256), &[1.0; 3]).is_err());
    }
}
