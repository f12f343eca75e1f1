//! A stream that begins anew every few layers, and blocks that read blends of all it was.
//!
//! What is kept lies in buffers of its own. Where a stage ends, all of it is sent along with the stream.

use tandem_tensor::{Blend, Buf, BufId, Op, Rows};

use super::{LowerError, Lowering};
use crate::description::Residuals;
use crate::{Description, Mlp, Tensor};

/// What the stream was, and what it is.
struct Kept {
    before: Vec<BufId>,
    stream: BufId,
}

impl Lowering<'_> {
    /// All layers of the stage; `x` holds what was embedded, in the first. Returns what the final norm reads, in the last.
    pub(super) fn blended(
        &mut self,
        model: &Description,
        residuals: &Residuals,
        x: BufId,
    ) -> Result<Option<BufId>, LowerError> {
        let layers = self.shard.layers.clone();
        let before =
            (0..residuals.kept_before(layers.start)).map(|_| self.own_buf(Rows::Tokens, model.hidden));
        let mut kept = Kept { before: before.collect(), stream: x };
        if layers.start > 0 {
            let sent = kept.before.iter().chain([&kept.stream]);
            self.program.ops.extend(sent.map(|x| Op::Recv { x: *x }));
        }
        let last = layers.end == model.layers.len();
        for index in layers.clone() {
            let outputs_only = last && index + 1 == layers.end;
            self.blended_layer(model, residuals, index, &mut kept, outputs_only)?;
        }
        if last {
            return self.blend(model, residuals, &residuals.result, &kept).map(Some);
        }
        let sent = kept.before.iter().chain([&kept.stream]);
        self.program.ops.extend(sent.map(|x| Op::Send { x: *x }));
        self.program.result = kept.stream;
        Ok(None)
    }

    /// One layer; in the last, everything after attention is needed only for the rows whose result is asked for.
    fn blended_layer(
        &mut self,
        model: &Description,
        residuals: &Residuals,
        index: usize,
        kept: &mut Kept,
        outputs_only: bool,
    ) -> Result<(), LowerError> {
        let layer = &model.layers[index];
        let Some([attention, block]) = &layer.blends else { unreachable!("described with the residuals") };
        let blended = self.blend(model, residuals, attention, kept)?;
        let begins = index.is_multiple_of(residuals.every);
        if begins {
            kept.before.push(kept.stream);
        }
        let h = self.buf("normed", Rows::Tokens, model.hidden);
        let input = self.norm(model, layer.attention_norm.as_ref(), blended, None, h)?;
        let mut attended = self.attention(model, index, input)?;
        let mut rows = Rows::Tokens;
        if outputs_only {
            rows = Rows::Outputs;
            attended = self.select(attended, "attended out");
            let of_tokens = kept.before.iter_mut().chain(Some(&mut kept.stream).filter(|_| !begins));
            for x in of_tokens {
                let out = self.own_buf(rows, model.hidden);
                self.program.ops.push(Op::Select { x: *x, out });
                *x = out;
            }
        }
        let partial = if outputs_only { "partial out" } else { "partial" };
        let y = self.sums(partial, rows, model.hidden);
        self.linear(model, layer.attention.output(), attended, y)?;
        let y = self.add_up(y, "joined", model.hidden);
        if begins {
            kept.stream = self.own_buf(rows, model.hidden);
            self.program.ops.push(Op::Slice { x: y, first: 0, out: kept.stream });
        } else {
            self.program.ops.push(Op::Add { x: kept.stream, y });
        }

        let blended = self.blend(model, residuals, block, kept)?;
        let h = self.buf("normed", rows, model.hidden);
        let input = self.norm(model, layer.mlp_norm.as_ref(), blended, None, h)?;
        let y = self.sums(partial, rows, model.hidden);
        match &layer.mlp {
            Mlp::Gated(gated) => self.gated(model, gated, None, input, y)?,
            Mlp::Experts(experts) => {
                let scores = self.scores(model, experts, input)?;
                self.experts(model, experts, input, scores, y)?;
            }
            Mlp::Both(_) | Mlp::None => unreachable!("not described with residuals"),
        }
        let y = self.add_up(y, "joined", model.hidden);
        self.program.ops.push(Op::Add { x: kept.stream, y });
        Ok(())
    }

    /// What a block reads; of one row alone a blend is that row.
    fn blend(
        &mut self,
        model: &Description,
        residuals: &Residuals,
        weight: &Tensor,
        kept: &Kept,
    ) -> Result<BufId, LowerError> {
        let out = self.like(kept.stream, "blended", model.hidden);
        let of = kept.before.iter().chain([&kept.stream]).copied().collect();
        let weight = self.weight(model, weight)?;
        self.program.ops.push(Op::Blend(Blend { of, weight, eps: residuals.eps, out }));
        Ok(out)
    }

    /// A buffer that nothing else shares.
    fn own_buf(&mut self, rows: Rows, width: usize) -> BufId {
        self.program.bufs.push(Buf { rows, width });
        BufId(self.program.bufs.len() as u32 - 1)
    }
}
