//! One rank's program from a description.

use std::collections::HashMap;

use tandem_tensor::{
    Attend, Buf, BufId, Cache, CacheId, LinearPart, Op, Program, RmsNorm, Rope, RopeId, Rows, Slice, Weight,
    WeightId,
};

use crate::{Attention, Description, Layer, Linear, Mlp, Norm, Role, Shard, Tensor, Tensors};

/// Lower `model` to the program of the rank that holds `shard`.
///
/// Every weight is looked up in `tensors`, so a file that lacks one, or has it in another shape, is refused
/// here, before anything is read.
pub fn lower(model: &Description, tensors: &dyn Tensors, shard: &Shard) -> Result<Program, LowerError> {
    let mut lowering = Lowering {
        tensors,
        shard,
        program: Program::default(),
        weights: HashMap::new(),
        bufs: HashMap::new(),
    };
    lowering.model(model)?;
    Ok(lowering.program)
}

#[derive(Debug, thiserror::Error)]
pub enum LowerError {
    #[error("the file has no tensor `{name}`; a {architecture} model needs it with shape {expected}")]
    MissingTensor { name: String, architecture: &'static str, expected: String },
    #[error("tensor `{name}` has shape {found}, expected {expected}")]
    WrongShape { name: String, found: String, expected: String },
    #[error("tensor `{name}` is a bias inside the gated feed-forward block, which is not supported")]
    UnsupportedBias { name: String },
    #[error(
        "tensor `{name}` cannot be cut at columns {start}..{end}: {dtype} stores blocks of {block} values; \
         choose shares that are multiples of {block}"
    )]
    CutInsideBlock { name: String, start: usize, end: usize, dtype: tandem_tensor::DType, block: usize },
}

struct Lowering<'a> {
    tensors: &'a dyn Tensors,
    shard: &'a Shard,
    program: Program,
    /// A tensor named twice (a tied embedding) is held once.
    weights: HashMap<String, WeightId>,
    /// Buffers are shared by every layer that needs the same purpose and width.
    bufs: HashMap<(&'static str, usize), BufId>,
}

impl Lowering<'_> {
    fn model(&mut self, model: &Description) -> Result<(), LowerError> {
        for source in &model.ropes {
            let factors = source.factors.as_ref().map(|tensor| self.weight(model, tensor)).transpose()?;
            self.program.ropes.push(Rope { factors, ..source.rope.clone() });
        }
        let x = self.buf("residual", Rows::Tokens, model.hidden);
        if self.shard.layers.start == 0 {
            let table = self.weight(model, &model.embedding)?;
            let first_row = self.shard.vocab.start;
            self.program.ops.push(Op::Embed { table, first_row, scale: 1.0, out: x });
            self.all_reduce(x);
        } else {
            self.program.ops.push(Op::Recv { x });
        }

        // The feed-forward result that the next norm adds to the residual.
        let mut pending = None;
        let last = self.shard.layers.end == model.layers.len();
        let mut stream = x;
        for index in self.shard.layers.clone() {
            let layer = &model.layers[index];
            let outputs_only = last && index + 1 == self.shard.layers.end;
            (stream, pending) = self.layer(model, layer, x, pending, outputs_only)?;
        }
        if let Some(y) = pending
            && !last
        {
            self.program.ops.push(Op::Add { x: stream, y });
        }
        if !last {
            self.program.ops.push(Op::Send { x: stream });
            self.program.result = stream;
            return Ok(());
        }
        let h = self.buf("final", Rows::Outputs, model.hidden);
        self.norm(model, &model.final_norm, stream, pending, h)?;
        let head = self.weight(model, &model.head)?;
        let logits = self.buf("logits", Rows::Outputs, self.shard.vocab.len());
        let parts = vec![LinearPart { weight: head, bias: None, out: logits }];
        self.program.ops.push(Op::Linear { x: h, parts });
        self.program.result = logits;
        self.program.hidden = Some(h);
        Ok(())
    }

    /// One layer. Returns the residual stream and what is still to be added to it. In the last layer,
    /// everything after attention is needed only for the rows whose result is asked for.
    fn layer(
        &mut self,
        model: &Description,
        layer: &Layer,
        x: BufId,
        pending: Option<BufId>,
        outputs_only: bool,
    ) -> Result<(BufId, Option<BufId>), LowerError> {
        let h = self.buf("normed", Rows::Tokens, model.hidden);
        self.norm(model, &layer.attention_norm, x, pending, h)?;
        let mut attended = self.attention(model, &layer.attention, h)?;
        let (mut x, mut h, mut rows) = (x, h, Rows::Tokens);
        if outputs_only {
            rows = Rows::Outputs;
            (x, attended) = (self.select(x, "residual out"), self.select(attended, "attended out"));
            h = self.buf("normed out", rows, model.hidden);
        }
        let y = self.buf(if outputs_only { "partial out" } else { "partial" }, rows, model.hidden);
        self.linear(model, &layer.attention.o, attended, y)?;
        self.all_reduce(y);
        self.norm(model, &layer.mlp_norm, x, Some(y), h)?;
        match &layer.mlp {
            Mlp::Gated { gate, up, down, act } => {
                let inner =
                    self.buf(if outputs_only { "inner out" } else { "inner" }, rows, self.shard.ffn.len());
                if let Some(bias) = gate.bias.as_ref().or(up.bias.as_ref()) {
                    return Err(LowerError::UnsupportedBias { name: bias.name.clone() });
                }
                let gate = self.weight(model, &gate.weight)?;
                let up = self.weight(model, &up.weight)?;
                self.program.ops.push(Op::GatedLinear { x: h, gate, up, act: *act, out: inner });
                self.linear(model, down, inner, y)?;
                self.all_reduce(y);
            }
        }
        Ok((x, Some(y)))
    }

    fn attention(
        &mut self,
        model: &Description,
        attention: &Attention,
        h: BufId,
    ) -> Result<BufId, LowerError> {
        let (heads, kv_heads, dim) = (self.shard.heads.len(), self.shard.kv_heads.len(), attention.head_dim);
        let q = self.buf("query", Rows::Tokens, heads * dim);
        let k = self.buf("key", Rows::Tokens, kv_heads * dim);
        let v = self.buf("value", Rows::Tokens, kv_heads * dim);
        let out = self.buf("attended", Rows::Tokens, heads * dim);
        let parts = [(&attention.q, q), (&attention.k, k), (&attention.v, v)]
            .into_iter()
            .map(|(linear, out)| self.part(model, linear, out))
            .collect::<Result<_, _>>()?;
        self.program.ops.push(Op::Linear { x: h, parts });
        let cache = CacheId(self.program.caches.len() as u32);
        self.program.caches.push(Cache { kv_heads, key_dim: dim, value_dim: dim });
        let head_norm = |norm: &Option<Norm>, lowering: &mut Self| {
            norm.as_ref().map(|norm| lowering.rms_norm(model, norm)).transpose()
        };
        let q_norm = head_norm(&attention.q_norm, self)?;
        let k_norm = head_norm(&attention.k_norm, self)?;
        let sinks = attention.sinks.as_ref().map(|sinks| self.weight(model, sinks)).transpose()?;
        self.program.ops.push(Op::Attend(Attend {
            q,
            k,
            v,
            out,
            heads,
            cache,
            q_norm,
            k_norm,
            rope: attention.rope.map(|rope| RopeId(rope as u32)),
            scale: attention.scale,
            window: attention.window,
            sinks,
        }));
        Ok(out)
    }

    fn linear(
        &mut self,
        model: &Description,
        linear: &Linear,
        x: BufId,
        out: BufId,
    ) -> Result<(), LowerError> {
        let parts = vec![self.part(model, linear, out)?];
        self.program.ops.push(Op::Linear { x, parts });
        Ok(())
    }

    fn part(&mut self, model: &Description, linear: &Linear, out: BufId) -> Result<LinearPart, LowerError> {
        // Partial results are summed over the ranks, so one of them adds the bias.
        let adds_bias = !matches!(linear.weight.role, Role::Row(_)) || self.shard.rank == 0;
        let bias = linear.bias.as_ref().filter(|_| adds_bias);
        Ok(LinearPart {
            weight: self.weight(model, &linear.weight)?,
            bias: bias.map(|bias| self.weight(model, bias)).transpose()?,
            out,
        })
    }

    fn norm(
        &mut self,
        model: &Description,
        norm: &Norm,
        x: BufId,
        pending: Option<BufId>,
        out: BufId,
    ) -> Result<(), LowerError> {
        let norm = self.rms_norm(model, norm)?;
        self.program.ops.push(match pending {
            Some(y) => Op::AddNorm { x, y, norm, out },
            None => Op::Norm { x, norm, out },
        });
        Ok(())
    }

    fn rms_norm(&mut self, model: &Description, norm: &Norm) -> Result<RmsNorm, LowerError> {
        Ok(RmsNorm { weight: self.weight(model, &norm.weight)?, eps: norm.eps })
    }

    fn select(&mut self, x: BufId, purpose: &'static str) -> BufId {
        let out = self.buf(purpose, Rows::Outputs, self.program.buf(x).width);
        self.program.ops.push(Op::Select { x, out });
        out
    }

    fn all_reduce(&mut self, x: BufId) {
        if self.shard.ranks > 1 {
            self.program.ops.push(Op::AllReduce { x });
        }
    }

    fn buf(&mut self, purpose: &'static str, rows: Rows, width: usize) -> BufId {
        *self.bufs.entry((purpose, width)).or_insert_with(|| {
            self.program.bufs.push(Buf { rows, width });
            BufId(self.program.bufs.len() as u32 - 1)
        })
    }

    fn weight(&mut self, model: &Description, tensor: &Tensor) -> Result<WeightId, LowerError> {
        if let Some(id) = self.weights.get(&tensor.name) {
            return Ok(*id);
        }
        let expected = shape(tensor.experts, tensor.rows, tensor.cols);
        let stored = self.tensors.get(&tensor.name).ok_or_else(|| LowerError::MissingTensor {
            name: tensor.name.clone(),
            architecture: model.architecture,
            expected: expected.clone(),
        })?;
        if (stored.experts, stored.rows, stored.cols) != (tensor.experts, tensor.rows, tensor.cols) {
            let found = shape(stored.experts, stored.rows, stored.cols);
            return Err(LowerError::WrongShape { name: tensor.name.clone(), found, expected });
        }
        let (rows, cols) = self.shard.cut(tensor.role, tensor.rows, tensor.cols);
        let block = stored.dtype.block_len();
        if !(cols.start.is_multiple_of(block) && cols.end.is_multiple_of(block)) {
            return Err(LowerError::CutInsideBlock {
                name: tensor.name.clone(),
                start: cols.start,
                end: cols.end,
                dtype: stored.dtype,
                block,
            });
        }
        let id = WeightId(self.program.weights.len() as u32);
        let slice = Slice { experts: 0..tensor.experts, rows, cols };
        self.program.weights.push(Weight {
            name: tensor.name.clone(),
            dtype: stored.dtype,
            slice,
            recipe: None,
        });
        self.weights.insert(tensor.name.clone(), id);
        Ok(id)
    }
}

fn shape(experts: usize, rows: usize, cols: usize) -> String {
    match (experts, rows) {
        (1, 1) => format!("[{cols}]"),
        (1, _) => format!("[{rows}, {cols}]"),
        _ => format!("[{experts}, {rows}, {cols}]"),
    }
}
