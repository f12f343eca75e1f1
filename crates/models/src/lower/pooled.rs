//! Streams that are mixed, and attention over rows that are pooled and chosen.
//!
//! What one layer makes for those after it lies in buffers and caches that the lowering remembers (`Shared`). Where a stage ends between them,
//! the buffers are sent along with the streams, and the next stage keeps caches of its own.

use tandem_tensor::{
    AttendChosen, Blocks, BufId, Cache, CacheId, Choose, Chosen, Connect, LinearPart, Op, Rope, RopeId,
    Rounding, Rows, State, Store,
};

use super::{LowerError, Lowering};
use crate::description::{Chooser, Connection, Pool, Pooled, Streams};
use crate::{Attention, Description, Mlp};

/// What layers have made for others.
#[derive(Default)]
pub(super) struct Shared {
    /// Of the last layer that pools.
    rows: Option<CacheId>,
    /// Of the last that pools and chooses.
    keys: Option<CacheId>,
    /// Of the last that chooses.
    choice: Option<BufId>,
    /// Of the one that chooses runs.
    blocks: Option<BufId>,
}

/// One of these things where a stage ends between who makes it and who reads it. The numbers are layers that make it.
#[derive(Clone, Copy)]
enum Crossing {
    Rows(usize),
    Keys(usize),
    Choice(usize),
    Blocks(usize),
}

impl Lowering<'_> {
    /// The layers of a model with several streams; `x` is what was embedded, or is made here of what the stage before sends.
    pub(super) fn connected(
        &mut self,
        model: &Description,
        streams: &Streams,
        embedded: Option<BufId>,
    ) -> Result<Option<BufId>, LowerError> {
        let x = self.buf("streams", Rows::Tokens, streams.count * model.hidden);
        let width = Connect::width(streams.count);
        let [before, after] = ["attention mixes", "mixes"].map(|name| self.buf(name, Rows::Tokens, width));
        match embedded {
            Some(embedded) => self.program.ops.push(Op::Spread { x: embedded, out: x }),
            None => {
                self.program.ops.extend([Op::Recv { x }, Op::Recv { x: after }]);
                self.receive(model, self.shard.layers.start)?;
            }
        }
        let last = self.shard.layers.end == model.layers.len();
        let mut stream = (x, after);
        for index in self.shard.layers.clone() {
            let outputs_only = last && index + 1 == self.shard.layers.end;
            let first = embedded.filter(|_| index == 0);
            stream = self.connected_layer(model, streams, index, (x, before, after), first, outputs_only)?;
        }
        let (x, mixes) = stream;
        if last {
            let h = self.like(x, "collapsed out", model.hidden);
            self.program.ops.push(Op::Collapse { x, mixes, out: h });
            return Ok(Some(h));
        }
        self.program.ops.extend([Op::Send { x }, Op::Send { x: mixes }]);
        self.send(model, self.shard.layers.end);
        self.program.result = x;
        Ok(None)
    }

    /// One layer; in the last, everything after attention is needed only for the rows whose result is asked for. Returns the streams and what
    /// mixes them after it.
    fn connected_layer(
        &mut self,
        model: &Description,
        streams: &Streams,
        index: usize,
        (x, before, after): (BufId, BufId, BufId),
        embedded: Option<BufId>,
        outputs_only: bool,
    ) -> Result<(BufId, BufId), LowerError> {
        let layer = &model.layers[index];
        let Some([attention, block]) = &layer.connections else { unreachable!("described with the streams") };
        let h = self.buf("normed", Rows::Tokens, model.hidden);
        let collapsed = embedded.unwrap_or_else(|| {
            let collapsed = self.buf("collapsed", Rows::Tokens, model.hidden);
            self.program.ops.push(Op::Collapse { x, mixes: after, out: collapsed });
            collapsed
        });
        self.connect(model, streams, attention, x, before)?;
        let input = self.norm(model, layer.attention_norm.as_ref(), collapsed, None, h)?;
        let mut attended = self.attention(model, index, input)?;
        let (mut x, mut before, mut after, mut rows) = (x, before, after, Rows::Tokens);
        if outputs_only {
            rows = Rows::Outputs;
            (x, attended) = (self.select(x, "streams out"), self.select(attended, "attended out"));
            before = self.select(before, "attention mixes out");
            after = self.buf("mixes out", rows, Connect::width(streams.count));
        }
        let y = self.sums(if outputs_only { "partial out" } else { "partial" }, rows, model.hidden);
        self.linear(model, layer.attention.output(), attended, y)?;
        let y = self.add_up(y, "joined", model.hidden);
        self.program.ops.push(Op::Expand { x, y, mixes: before });

        let collapsed = self.buf("collapsed", rows, model.hidden);
        self.program.ops.push(Op::Collapse { x, mixes: before, out: collapsed });
        self.connect(model, streams, block, x, after)?;
        let h = self.buf("normed", rows, model.hidden);
        let input = self.norm(model, layer.mlp_norm.as_ref(), collapsed, None, h)?;
        let y = self.sums(if outputs_only { "partial out" } else { "partial" }, rows, model.hidden);
        match &layer.mlp {
            Mlp::Gated(gated) => self.gated(model, gated, None, input, y)?,
            Mlp::Experts(experts) => {
                let scores = self.scores(model, experts, input)?;
                self.experts(model, experts, input, scores, y)?;
            }
            Mlp::Both(_) | Mlp::None => unreachable!("not described with streams"),
        }
        let y = self.add_up(y, "joined", model.hidden);
        self.program.ops.push(Op::Expand { x, y, mixes: after });
        Ok((x, after))
    }

    /// What mixes the streams around a block.
    fn connect(
        &mut self,
        model: &Description,
        streams: &Streams,
        own: &Connection,
        x: BufId,
        mixes: BufId,
    ) -> Result<(), LowerError> {
        self.linear(model, &own.mix, x, mixes)?;
        let op = Connect {
            x,
            mixes,
            scale: self.weight(model, &own.scale)?,
            base: self.weight(model, &own.base)?,
            streams: streams.count,
            rounds: streams.rounds,
            eps: streams.eps,
            floor: streams.floor,
        };
        self.program.ops.push(Op::Connect(op));
        Ok(())
    }

    pub(super) fn pooled(
        &mut self,
        model: &Description,
        own: &Pooled,
        index: usize,
        h: BufId,
    ) -> Result<BufId, LowerError> {
        let groups = self.shard.head_part(own.groups()).heads.len();
        let heads = own.heads / own.narrow.experts * groups;
        let dim = own.head_dim;
        let rope = RopeId(own.rope as u32);
        let q = self.buf("query", Rows::Tokens, heads * dim);
        let kv = self.buf("latent", Rows::Tokens, dim);
        let narrow = self.buf("narrow query", Rows::Tokens, own.q_down.weight.rows);
        let mut parts = vec![self.part(model, &own.q_down, narrow)?, self.part(model, &own.kv, kv)?];
        let mut queries = vec![self.part(model, &own.q, q)?];
        let mut pooled = None;
        if let Some(pool) = &own.pool {
            pooled = Some((pool, self.pool_inputs(model, pool, &mut parts)?));
        }
        if let Some(chooser) = &own.chooser {
            let [q, weights] = chooser_bufs(self, chooser);
            parts.push(self.part(model, &chooser.weights, weights)?);
            queries.push(self.part(model, &chooser.q, q)?);
        }
        self.program.ops.push(Op::Linear { x: h, parts });
        let norm = self.rms_norm(model, &own.kv_norm)?;
        let rows = self.buf("normed latent", Rows::Tokens, dim);
        self.program.ops.push(Op::Norm { x: kv, norm, out: rows });
        let window = Some(own.window).filter(|window| *window < model.context);
        let cache = self.cache(Cache { kv_heads: 1, key_dim: dim, value_dim: 0, window, every: 1 });
        self.store(rows, cache, rope, Rounding::Mxfp8);
        if let Some((pool, inputs)) = pooled {
            self.pool(model, own, pool, inputs)?;
        }
        let normed = self.buf("normed query", Rows::Tokens, own.q_down.weight.rows);
        let norm = self.rms_norm(model, &own.q_norm)?;
        self.program.ops.push(Op::Norm { x: narrow, norm, out: normed });
        self.program.ops.push(Op::Linear { x: normed, parts: queries });
        if let Some(chooser) = &own.chooser {
            self.choose(chooser, index, rope);
        }
        let chosen = own.reads.map(|_| Chosen {
            cache: self.shared.rows.expect("pooled before it is read"),
            list: self.shared.choice.expect("chosen before it is read"),
        });
        let attended = self.buf("attended", Rows::Tokens, heads * dim);
        let sinks = self.weight(model, &own.sinks)?;
        self.program.ops.push(Op::AttendChosen(AttendChosen {
            q,
            out: attended,
            heads,
            cache,
            window: own.window,
            rope,
            scale: own.scale,
            sinks,
            chosen,
        }));
        let out = self.buf("narrowed", Rows::Tokens, groups * own.narrow.rows);
        let weight = self.weight(model, &own.narrow)?;
        self.program.ops.push(Op::Stacked { x: attended, weight, out });
        Ok(out)
    }

    /// What a pool is made of, from the same rows as queries and keys.
    fn pool_inputs(
        &mut self,
        model: &Description,
        own: &Pool,
        parts: &mut Vec<LinearPart>,
    ) -> Result<[BufId; 2], LowerError> {
        let width = own.kv.weight.rows;
        let [x, gate] = ["pool input", "pool gate"].map(|name| self.buf(name, Rows::Tokens, width));
        parts.push(self.part(model, &own.kv, x)?);
        if let Some(linear) = &own.gate {
            parts.push(self.part(model, linear, gate)?);
        }
        Ok([x, gate])
    }

    /// Pool rows and keep them, with keys to choose them by.
    fn pool(
        &mut self,
        model: &Description,
        own: &Pooled,
        pool: &Pool,
        [x, gate]: [BufId; 2],
    ) -> Result<(), LowerError> {
        let (width, rope) = (pool.kv.weight.rows, RopeId(own.rope as u32));
        let mut rows = x;
        if pool.gate.is_some() {
            rows = self.buf("pool", Rows::Tokens, width);
            let state = self.state(State { len: own.state_len() });
            self.program.ops.push(Op::Pool(tandem_tensor::Pool {
                x,
                gate,
                every: own.every,
                state,
                out: rows,
            }));
        }
        let norm = self.rms_norm(model, &pool.norm)?;
        let pooled = self.buf("pooled", Rows::Tokens, width);
        self.program.ops.push(Op::Norm { x: rows, norm, out: pooled });
        self.keep_rows(width, own.every, pooled, rope);
        let Some(Chooser { key_dim, keys: Some((k, norm)), .. }) = &own.chooser else { return Ok(()) };
        let key = self.buf("pool key", Rows::Tokens, *key_dim);
        self.linear(model, k, pooled, key)?;
        let norm = self.rms_norm(model, norm)?;
        let keys = self.buf("pooled key", Rows::Tokens, *key_dim);
        self.program.ops.push(Op::Norm { x: key, norm, out: keys });
        self.keep_keys(*key_dim, own.every, keys, rope);
        Ok(())
    }

    fn keep_rows(&mut self, key_dim: usize, every: usize, x: BufId, rope: RopeId) {
        let cache = self.cache(Cache { kv_heads: 1, key_dim, value_dim: 0, window: None, every });
        let rope = self.behind(rope, every);
        self.store(x, cache, rope, Rounding::Nvfp4);
        self.shared.rows = Some(cache);
    }

    fn keep_keys(&mut self, key_dim: usize, every: usize, x: BufId, rope: RopeId) {
        let cache = self.cache(Cache { kv_heads: 1, key_dim, value_dim: 0, window: None, every });
        let rope = self.behind(rope, every);
        self.store(x, cache, rope, Rounding::Mxfp4);
        self.shared.keys = Some(cache);
    }

    /// The table for rows that are made of so many tokens.
    fn behind(&mut self, rope: RopeId, every: usize) -> RopeId {
        let rope = Rope { behind: every - 1, ..self.program.ropes[rope.index()].clone() };
        let ropes = &mut self.program.ropes;
        let at = ropes.iter().position(|known| *known == rope).unwrap_or_else(|| {
            ropes.push(rope);
            ropes.len() - 1
        });
        RopeId(at as u32)
    }

    /// Rows that are not whole blocks are kept as they are.
    fn store(&mut self, x: BufId, cache: CacheId, rope: RopeId, rounding: Rounding) {
        let rounding = whole_blocks(rounding, self.program.buf(x).width);
        self.program.ops.push(Op::Store(Store { x, cache, rope, rounding }));
    }

    fn choose(&mut self, own: &Chooser, index: usize, rope: RopeId) {
        let [q, weights] = chooser_bufs(self, own);
        let out = self.buf("choice", Rows::Tokens, own.count);
        let blocks = own.blocks.map(|blocks| Blocks {
            len: blocks.len,
            list: self.buf("chosen blocks", Rows::Tokens, blocks.count),
            chosen_here: blocks.of == index,
        });
        self.program.ops.push(Op::Choose(Choose {
            q,
            weights,
            heads: own.heads,
            cache: self.shared.keys.expect("kept before they are read"),
            rope,
            rounding: whole_blocks(Rounding::Mxfp4, own.key_dim),
            out,
            blocks,
        }));
        self.shared.choice = Some(out);
        self.shared.blocks = self.shared.blocks.or(blocks.map(|blocks| blocks.list));
    }

    /// Take what layers from `first` on read of those before, and keep it here too.
    fn receive(&mut self, model: &Description, first: usize) -> Result<(), LowerError> {
        for crossing in crossings(model, first) {
            let x = self.crossing_buf(model, crossing);
            self.program.ops.push(Op::Recv { x });
            let width = self.program.buf(x).width;
            match crossing {
                Crossing::Rows(of) | Crossing::Keys(of) => {
                    let own = pooled_at(model, of);
                    let rope = RopeId(own.rope as u32);
                    match crossing {
                        Crossing::Rows(_) => self.keep_rows(width, own.every, x, rope),
                        _ => self.keep_keys(width, own.every, x, rope),
                    }
                }
                Crossing::Choice(_) => self.shared.choice = Some(x),
                Crossing::Blocks(_) => self.shared.blocks = Some(x),
            }
        }
        Ok(())
    }

    fn send(&mut self, model: &Description, end: usize) {
        for crossing in crossings(model, end) {
            let x = self.crossing_buf(model, crossing);
            self.program.ops.push(Op::Send { x });
        }
    }

    /// Where it lies on either side, as the layer that makes it says.
    fn crossing_buf(&mut self, model: &Description, crossing: Crossing) -> BufId {
        let chooser = |of: usize| pooled_at(model, of).chooser.as_ref().expect("it chooses");
        let (name, width) = match crossing {
            Crossing::Rows(of) => ("pooled", pooled_at(model, of).head_dim),
            Crossing::Keys(of) => ("pooled key", chooser(of).key_dim),
            Crossing::Choice(of) => ("choice", chooser(of).count),
            Crossing::Blocks(of) => ("chosen blocks", chooser(of).blocks.map_or(0, |blocks| blocks.count)),
        };
        self.buf(name, Rows::Tokens, width)
    }
}

/// What layers from `first` on read of those before it.
fn crossings(model: &Description, first: usize) -> Vec<Crossing> {
    let mut found: [Option<Crossing>; 4] = [None; 4];
    for layer in &model.layers[first..] {
        let Attention::Pooled(own) = &layer.attention else { continue };
        if let Some(reads) = own.reads {
            if reads.rows_of < first {
                found[0] = Some(Crossing::Rows(reads.rows_of));
            }
            if reads.choice_of < first {
                found[2] = Some(Crossing::Choice(reads.choice_of));
            }
        }
        let Some(chooser) = &own.chooser else { continue };
        if chooser.keys_of < first {
            found[1] = Some(Crossing::Keys(chooser.keys_of));
        }
        if let Some(blocks) = chooser.blocks.filter(|blocks| blocks.of < first) {
            found[3] = Some(Crossing::Blocks(blocks.of));
        }
    }
    found.into_iter().flatten().collect()
}

fn pooled_at(model: &Description, layer: usize) -> &Pooled {
    match &model.layers[layer].attention {
        Attention::Pooled(own) => own,
        _ => unreachable!("described as one that pools"),
    }
}

fn chooser_bufs(lowering: &mut Lowering, own: &Chooser) -> [BufId; 2] {
    let sizes = [("index query", own.heads * own.key_dim), ("index weights", own.heads)];
    sizes.map(|(purpose, width)| lowering.buf(purpose, Rows::Tokens, width))
}

fn whole_blocks(rounding: Rounding, width: usize) -> Option<Rounding> {
    Some(rounding).filter(|rounding| width.is_multiple_of(rounding.block_len()))
}
