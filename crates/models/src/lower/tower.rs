//! The program of a tower.

use tandem_tensor::{Attend, Cache, Curve, LayerNorm, LinearPart, Op, Program, Rows};

use super::{BufId, LowerError, Lowering};
use crate::tower::{Tower, TowerLayer};
use crate::{Description, Linear, Shard, Tensors};

/// Lower the tower of `model` to a program that gives a picture's rows, where it has one.
pub fn lower_tower(model: &Description, tensors: &dyn Tensors) -> Result<Option<Program>, LowerError> {
    let Some(tower) = &model.tower else { return Ok(None) };
    let shard = Shard::whole(model);
    let mut lowering = Lowering::new(tensors, &shard);
    lowering.tower(model, tower)?;
    Ok(Some(lowering.program))
}

impl Lowering<'_> {
    fn tower(&mut self, model: &Description, tower: &Tower) -> Result<(), LowerError> {
        let Tower { hidden, heads, rows, .. } = *tower;
        let pixels = self.buf("pixels", Rows::Tokens, tower.patches.weight.cols);
        let [x, h, y] = ["stream", "normed", "result"].map(|name| self.buf(name, Rows::Tokens, hidden));
        self.program.ops.push(Op::Place { out: pixels });
        self.linear(model, &tower.patches, pixels, x)?;
        let table = self.weight(model, &tower.positions)?;
        self.program.ops.push(Op::Embed { table, first_row: 0, scale: 1.0, out: y });
        self.program.ops.push(Op::Add { x, y });
        // A layer is through with its keys and values when the next one begins.
        let dim = hidden / heads;
        let cache =
            self.cache(Cache { kv_heads: heads, key_dim: dim, value_dim: dim, window: None, every: 1 });
        for layer in &tower.layers {
            let TowerLayer { attention_norm, q, k, v, o, mlp_norm, up, down } = layer;
            self.layer_norm(model, attention_norm, tower.eps, x, h)?;
            let [q_out, k_out, v_out] =
                ["query", "key", "value"].map(|name| self.buf(name, Rows::Tokens, hidden));
            let mut parts: Vec<LinearPart> = Vec::with_capacity(3);
            for (linear, out) in [(q, q_out), (k, k_out), (v, v_out)] {
                parts.push(self.part(model, linear, out)?);
            }
            self.program.ops.push(Op::Linear { x: h, parts });
            self.program.ops.push(Op::Attend(Attend {
                q: q_out,
                kv: Some([k_out, v_out]),
                out: h,
                heads,
                cache,
                q_norm: None,
                k_norm: None,
                rope: None,
                scale: 1.0 / (dim as f32).sqrt(),
                growth: None,
                window: None,
                sinks: None,
                runs: None,
            }));
            self.linear(model, o, h, y)?;
            self.program.ops.push(Op::Add { x, y });
            self.layer_norm(model, mlp_norm, tower.eps, x, h)?;
            let inner = self.buf("inner", Rows::Tokens, up.weight.rows);
            self.linear(model, up, h, inner)?;
            self.program.ops.push(Op::Curve { x: inner, curve: Curve::Gelu });
            self.linear(model, down, inner, y)?;
            self.program.ops.push(Op::Add { x, y });
        }
        self.layer_norm(model, &tower.norm, tower.eps, x, h)?;
        let means = self.buf("means", Rows::Outputs, hidden);
        self.program.ops.push(Op::Mean { x: h, len: tower.positions.rows / rows, out: means });
        let norm = self.rms_norm(model, &tower.out_norm)?;
        self.program.ops.push(Op::Norm { x: means, norm, out: means });
        let out = self.buf("rows", Rows::Outputs, model.hidden);
        self.linear(model, &tower.out, means, out)?;
        self.program.result = out;
        Ok(())
    }

    fn layer_norm(
        &mut self,
        model: &Description,
        norm: &Linear,
        eps: f32,
        x: BufId,
        out: BufId,
    ) -> Result<(), LowerError> {
        let weight = self.weight(model, &norm.weight)?;
        let bias = match &norm.bias {
            Some(bias) => self.weight(model, bias)?,
            None => unreachable!("described with one"),
        };
        self.program.ops.push(Op::LayerNorm { x, norm: LayerNorm { weight, bias, eps }, out });
        Ok(())
    }
}
