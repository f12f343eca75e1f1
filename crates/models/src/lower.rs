//! One rank's program from a description.

use std::collections::HashMap;

use tandem_tensor::{
    Attend, AttendLatent, Buf, BufId, Cache, CacheId, DType, LinearPart, Op, Program, RmsNorm, Rope, RopeId,
    Routing, Rows, Weight, WeightId,
};

use crate::description::{Experts, Gated, Grouped, Latent};
use crate::{Attention, Description, Layer, Linear, Mlp, Norm, Role, Shard, Stored, Tensor, Tensors};

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
    #[error(
        "tensor `{name}` is stored as {found}, but those it is stacked with as {expected}; convert it to one type"
    )]
    MixedTypes { name: String, found: DType, expected: DType },
    #[error("tensor `{name}` is a bias inside the gated feed-forward block, which is not supported")]
    UnsupportedBias { name: String },
    #[error(
        "tensor `{name}` cannot be cut at columns {start}..{end}: {dtype} stores blocks of {block} values; \
         choose shares that are multiples of {block}"
    )]
    CutInsideBlock { name: String, start: usize, end: usize, dtype: DType, block: usize },
}

struct Lowering<'a> {
    tensors: &'a dyn Tensors,
    shard: &'a Shard,
    program: Program,
    /// A tensor named twice (a tied embedding) is held once.
    weights: HashMap<String, WeightId>,
    /// Buffers are shared by every layer that needs the same purpose and width.
    bufs: HashMap<(&'static str, Rows, usize), BufId>,
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
        self.linear(model, layer.attention.output(), attended, y)?;
        self.all_reduce(y);
        self.norm(model, &layer.mlp_norm, x, Some(y), h)?;
        match &layer.mlp {
            Mlp::Gated(gated) => self.gated(model, gated, h, y)?,
            Mlp::Experts(experts) => self.experts(model, experts, h, y)?,
        }
        self.all_reduce(y);
        Ok((x, Some(y)))
    }

    /// This rank's part of the block's result goes to `out`.
    fn gated(&mut self, model: &Description, gated: &Gated, x: BufId, out: BufId) -> Result<(), LowerError> {
        if let Some(bias) = gated.gate.bias.as_ref().or(gated.up.bias.as_ref()) {
            return Err(LowerError::UnsupportedBias { name: bias.name.clone() });
        }
        let width = self.shard.ffn_part(gated.down.weight.cols).len();
        let inner = self.like(x, "inner", width);
        let gate = self.weight(model, &gated.gate.weight)?;
        let up = self.weight(model, &gated.up.weight)?;
        self.program.ops.push(Op::GatedLinear { x, gate, up, act: gated.act, out: inner });
        self.linear(model, &gated.down, inner, out)
    }

    fn experts(
        &mut self,
        model: &Description,
        experts: &Experts,
        x: BufId,
        out: BufId,
    ) -> Result<(), LowerError> {
        let scores = self.like(x, "scores", experts.count);
        self.linear(model, &experts.router, x, scores)?;
        let bias = experts.choice_bias.as_ref().map(|bias| self.weight(model, bias)).transpose()?;
        let [gate, up, down] = [&experts.gate, &experts.up, &experts.down];
        let [gate, up, down] =
            [self.part(model, gate, out)?, self.part(model, up, out)?, self.part(model, down, out)?];
        self.program.ops.push(Op::Experts(tandem_tensor::Experts {
            x,
            scores,
            routing: Routing { bias, ..experts.routing },
            gate: gate.weight,
            up: up.weight,
            down: down.weight,
            gate_bias: gate.bias,
            up_bias: up.bias,
            down_bias: down.bias,
            act: experts.act,
            out,
        }));
        if let Some(shared) = &experts.shared {
            let y = self.like(x, "shared", model.hidden);
            self.gated(model, shared, x, y)?;
            self.program.ops.push(Op::Add { x: out, y });
        }
        Ok(())
    }

    fn attention(
        &mut self,
        model: &Description,
        attention: &Attention,
        h: BufId,
    ) -> Result<BufId, LowerError> {
        match attention {
            Attention::Grouped(own) => self.grouped(model, own, h),
            Attention::Latent(own) => self.latent(model, own, h),
        }
    }

    fn latent(&mut self, model: &Description, own: &Latent, h: BufId) -> Result<BufId, LowerError> {
        let heads = self.shard.heads.len();
        let q = self.buf("query", Rows::Tokens, heads * (own.nope_dim + own.rope_dim));
        let kv = self.buf("latent", Rows::Tokens, own.latent_dim + own.rope_dim);
        let out = self.buf("attended", Rows::Tokens, heads * own.value_dim);
        let kv_part = self.part(model, &own.kv, kv)?;
        match &own.q_down {
            None => {
                let parts = vec![self.part(model, &own.q, q)?, kv_part];
                self.program.ops.push(Op::Linear { x: h, parts });
            }
            Some((down, norm)) => {
                let narrow = self.buf("narrow query", Rows::Tokens, down.weight.rows);
                let parts = vec![self.part(model, down, narrow)?, kv_part];
                self.program.ops.push(Op::Linear { x: h, parts });
                let normed = self.buf("normed query", Rows::Tokens, down.weight.rows);
                self.norm(model, norm, narrow, None, normed)?;
                self.linear(model, &own.q, normed, q)?;
            }
        }
        let key_dim = own.latent_dim + own.rope_dim;
        let cache = self.cache(Cache { kv_heads: 1, key_dim, value_dim: 0, window: None });
        let attend = AttendLatent {
            q,
            kv,
            out,
            heads,
            cache,
            kv_norm: self.rms_norm(model, &own.kv_norm)?,
            key: self.weight(model, &own.key)?,
            value: self.weight(model, &own.value)?,
            rope: RopeId(own.rope as u32),
            scale: own.scale,
        };
        self.program.ops.push(Op::AttendLatent(attend));
        Ok(out)
    }

    fn grouped(&mut self, model: &Description, attention: &Grouped, h: BufId) -> Result<BufId, LowerError> {
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
        let window = model.window_of(attention);
        let cache = self.cache(Cache { kv_heads, key_dim: dim, value_dim: dim, window });
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

    fn cache(&mut self, cache: Cache) -> CacheId {
        self.program.caches.push(cache);
        CacheId(self.program.caches.len() as u32 - 1)
    }

    /// A buffer with as many rows as `x`.
    fn like(&mut self, x: BufId, purpose: &'static str, width: usize) -> BufId {
        self.buf(purpose, self.program.buf(x).rows, width)
    }

    fn buf(&mut self, purpose: &'static str, rows: Rows, width: usize) -> BufId {
        *self.bufs.entry((purpose, rows, width)).or_insert_with(|| {
            self.program.bufs.push(Buf { rows, width });
            BufId(self.program.bufs.len() as u32 - 1)
        })
    }

    fn weight(&mut self, model: &Description, tensor: &Tensor) -> Result<WeightId, LowerError> {
        if let Some(id) = self.weights.get(&tensor.name) {
            return Ok(*id);
        }
        let stored = self.stored(model, tensor)?;
        let slice = self.shard.cut(tensor);
        let block = stored.dtype.block_len();
        if !(slice.cols.start.is_multiple_of(block) && slice.cols.end.is_multiple_of(block)) {
            return Err(LowerError::CutInsideBlock {
                name: tensor.name.clone(),
                start: slice.cols.start,
                end: slice.cols.end,
                dtype: stored.dtype,
                block,
            });
        }
        let id = WeightId(self.program.weights.len() as u32);
        let (name, recipe) = (tensor.name.clone(), tensor.recipe.clone());
        self.program.weights.push(Weight { name, dtype: stored.dtype, slice, recipe });
        self.weights.insert(tensor.name.clone(), id);
        Ok(id)
    }

    /// What the file holds for `tensor`, which must have the shape that the model says.
    fn stored(&self, model: &Description, tensor: &Tensor) -> Result<Stored, LowerError> {
        let expected = |tensor: &Tensor| shape(tensor.experts, tensor.rows, tensor.cols);
        let Some(recipe) = &tensor.recipe else {
            let found = self.tensors.get(&tensor.name).ok_or_else(|| LowerError::MissingTensor {
                name: tensor.name.clone(),
                architecture: model.architecture,
                expected: expected(tensor),
            })?;
            if (found.experts, found.rows, found.cols) != (tensor.experts, tensor.rows, tensor.cols) {
                let found = shape(found.experts, found.rows, found.cols);
                return Err(LowerError::WrongShape {
                    name: tensor.name.clone(),
                    found,
                    expected: expected(tensor),
                });
            }
            return Ok(found);
        };
        let [experts, rows, cols] = recipe.stored_shape([tensor.experts, tensor.rows, tensor.cols]);
        let mut first: Option<DType> = None;
        for name in &recipe.names {
            let expected = || shape(experts, rows, cols);
            let found = self.tensors.get(name).ok_or_else(|| LowerError::MissingTensor {
                name: name.clone(),
                architecture: model.architecture,
                expected: expected(),
            })?;
            if (found.experts, found.rows, found.cols) != (experts, rows, cols) {
                let found = shape(found.experts, found.rows, found.cols);
                return Err(LowerError::WrongShape { name: name.clone(), found, expected: expected() });
            }
            let dtype = *first.get_or_insert(found.dtype);
            if found.dtype != dtype {
                let (name, found) = (name.clone(), found.dtype);
                return Err(LowerError::MixedTypes { name, found, expected: dtype });
            }
        }
        stored(self.tensors, tensor).ok_or_else(|| LowerError::MissingTensor {
            name: tensor.name.clone(),
            architecture: model.architecture,
            expected: expected(tensor),
        })
    }
}

/// How `tensor` comes out of the file: its own shape, in the type that its parts give it.
pub(crate) fn stored(tensors: &dyn Tensors, tensor: &Tensor) -> Option<Stored> {
    let Some(recipe) = &tensor.recipe else { return tensors.get(&tensor.name) };
    let part = tensors.get(recipe.names.first()?)?;
    let &Tensor { experts, rows, cols, .. } = tensor;
    Some(Stored { dtype: recipe.dtype(part.dtype), experts, rows, cols })
}

fn shape(experts: usize, rows: usize, cols: usize) -> String {
    match (experts, rows) {
        (1, 1) => format!("[{cols}]"),
        (1, _) => format!("[{rows}, {cols}]"),
        _ => format!("[{experts}, {rows}, {cols}]"),
    }
}
