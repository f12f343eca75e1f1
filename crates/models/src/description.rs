//! A model as typed data: what its layers are, not how they are run or divided.

use tandem_tensor::{Activation, Curve, Growth, Map, Recipe, Rope, Routing, Window};

use crate::{Tower, Value};

#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    pub architecture: &'static str,
    pub hidden: usize,
    pub vocab: usize,
    /// Positions the model was trained for.
    pub context: usize,
    /// `[vocab, hidden]`
    pub embedding: Tensor,
    pub scales: Scales,
    pub layers: Vec<Layer>,
    pub final_norm: Norm,
    /// `[vocab, hidden]`; the embedding itself where the two are tied.
    pub head: Tensor,
    /// What layers get of a token beside the stream.
    pub inputs: Option<Inputs>,
    /// Where there are several streams instead of one.
    pub streams: Option<Streams>,
    /// Where blocks read more than the stream.
    pub residuals: Option<Residuals>,
    /// What it sees pictures with. Its tensors are not among [`tensors`](Self::tensors), which every division of the model has.
    pub tower: Option<Tower>,
    /// Rotary tables that layers refer to by index.
    pub ropes: Vec<RopeSource>,
    /// What GGUF states of such a model beyond the facts that have a name in both families.
    pub gguf_facts: Vec<(&'static str, Value)>,
}

impl Description {
    /// The tokens that a layer keeps where these are fewer than a sequence may have.
    pub fn window_of(&self, attention: &Grouped) -> Option<usize> {
        attention.window.map(Window::len).filter(|window| *window < self.context)
    }

    /// The longest window of any layer; 0 where none has one.
    pub fn window(&self) -> usize {
        let windows = self.layers.iter().filter_map(|layer| match &layer.attention {
            Attention::Grouped(own) => self.window_of(own),
            Attention::Pooled(own) => Some(own.window).filter(|window| *window < self.context),
            Attention::Latent(_) | Attention::Delta(_) | Attention::Scan(_) => None,
        });
        windows.max().unwrap_or(0)
    }

    /// The last layer that a stage may begin with, where later ones read keys and values of it.
    pub fn last_cut(&self) -> Option<usize> {
        let read = self.layers.iter().filter_map(|layer| match &layer.attention {
            Attention::Grouped(own) => own.kv_of,
            _ => None,
        });
        read.min()
    }

    /// Whether layers keep something of a sequence beside keys and values.
    pub fn keeps_states(&self) -> bool {
        self.layers.iter().any(|layer| match &layer.attention {
            Attention::Delta(_) | Attention::Scan(_) => true,
            Attention::Pooled(own) => own.pool.as_ref().is_some_and(|pool| pool.gate.is_some()),
            Attention::Grouped(_) | Attention::Latent(_) => false,
        })
    }

    /// The most values of a row that one stage hands to the next at once.
    pub fn stream_width(&self) -> usize {
        let lists = self.layers.iter().filter_map(|layer| match &layer.attention {
            Attention::Pooled(own) => own.chooser.as_ref().map(Chooser::list_width),
            _ => None,
        });
        let streams = self.streams.map_or(1, |streams| streams.count);
        lists.max().unwrap_or(0).max(streams * self.hidden)
    }

    /// As many times `hidden` values as one stage hands to the next of a token, at most.
    pub fn rows_sent(&self) -> usize {
        let kept = self.residuals.as_ref().map_or(0, |own| own.kept_before(self.layers.len()));
        self.streams.map_or(1, |streams| streams.count) + kept
    }

    /// Every tensor once that holds something of the file, in the order they are used.
    pub fn tensors(&self) -> Vec<&Tensor> {
        let mut all = vec![&self.embedding];
        all.extend(self.ropes.iter().filter_map(|rope| rope.factors.as_ref()));
        if let Some(inputs) = &self.inputs {
            all.push(&inputs.table);
            inputs.projection.tensors(&mut all);
            all.push(&inputs.norm.weight);
        }
        self.layers.iter().for_each(|layer| layer.tensors(&mut all));
        all.extend(self.residuals.as_ref().map(|own| &own.result));
        all.push(&self.final_norm.weight);
        if self.head.name != self.embedding.name {
            all.push(&self.head);
        }
        all.retain(|tensor| tensor.recipe.as_ref().is_none_or(|recipe| recipe.map != Map::One));
        all
    }
}

/// Numbers that some models multiply what flows through them by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    pub embedding: f32,
    /// What every block's result is multiplied by before it is added to the stream.
    pub residual: f32,
    pub logits: f32,
    /// `cap * tanh(logits / cap)`
    pub logits_cap: Option<f32>,
}

impl Scales {
    pub const NONE: Scales = Scales { embedding: 1.0, residual: 1.0, logits: 1.0, logits_cap: None };
}

/// Several streams that every block reads and writes as it says (hyper-connections): see `tandem_tensor::Connect`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Streams {
    pub count: usize,
    pub rounds: usize,
    pub eps: f32,
    pub floor: f32,
}

/// The stream begins anew every few layers, and what it was until then is kept (attention residuals, Kimi K3). Every block reads a blend
/// of all that is kept and of the stream: see `tandem_tensor::Blend`.
#[derive(Clone, Debug, PartialEq)]
pub struct Residuals {
    /// The layers after which the stream begins anew.
    pub every: usize,
    pub eps: f32,
    /// `[hidden]`: the weight of the blend that the final norm reads.
    pub result: Tensor,
}

impl Residuals {
    /// How many are kept where a stage begins with `layer`.
    pub fn kept_before(&self, layer: usize) -> usize {
        layer.div_ceil(self.every)
    }
}

/// A rotary table, with its divisors if the file stores them.
#[derive(Clone, Debug, PartialEq)]
pub struct RopeSource {
    pub rope: Rope,
    pub factors: Option<Tensor>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Before the block, where it has one.
    pub attention_norm: Option<Norm>,
    pub attention: Attention,
    /// Of the block's result, before it is added.
    pub attention_post_norm: Option<Norm>,
    pub mlp_norm: Option<Norm>,
    pub mlp: Mlp,
    pub mlp_post_norm: Option<Norm>,
    /// A third block, which reads this layer's part of [`Description::inputs`].
    pub input: Option<InputBlock>,
    /// One value that the layer's whole result is multiplied by.
    pub scale: Option<Tensor>,
    /// How the attention and the block after it are connected to [`Description::streams`].
    pub connections: Option<[Connection; 2]>,
    /// Weights of the blends that the attention and the block after it read, in models with [`Description::residuals`].
    pub blends: Option<[Tensor; 2]>,
}

impl Layer {
    fn tensors<'a>(&'a self, all: &mut Vec<&'a Tensor>) {
        all.extend(self.attention_norm.as_ref().map(|norm| &norm.weight));
        match &self.attention {
            Attention::Grouped(own) => {
                own.q.tensors(all);
                if own.kv_of.is_none() {
                    apart(&own.k, &own.v).for_each(|linear| linear.tensors(all));
                    all.extend(own.k_norm.iter().chain(&own.v_norm).map(|norm| &norm.weight));
                }
                own.o.tensors(all);
                own.gate.iter().for_each(|gate| gate.tensors(all));
                all.extend(own.q_norm.iter().map(|norm| &norm.weight));
                all.extend(&own.sinks);
                if let Some(runs) = &own.runs {
                    [&runs.q, &runs.k].into_iter().for_each(|linear| linear.tensors(all));
                    all.extend([&runs.q_norm.weight, &runs.k_norm.weight]);
                }
            }
            Attention::Latent(own) => {
                if let Some((down, norm)) = &own.q_down {
                    down.tensors(all);
                    all.push(&norm.weight);
                }
                own.q.tensors(all);
                if let Some(indexer) = &own.indexer {
                    let linears = [&indexer.q, &indexer.k, &indexer.k_norm, &indexer.weights];
                    linears.into_iter().for_each(|linear| linear.tensors(all));
                }
                own.kv.tensors(all);
                all.extend([&own.kv_norm.weight, &own.key, &own.value]);
                own.gate.iter().for_each(|gate| gate.tensors(all));
                own.o.tensors(all);
            }
            Attention::Delta(own) => {
                let linears = [&own.q, &own.k, &own.v, &own.z, &own.beta, &own.decay];
                let narrow = own.z_down.iter().chain(&own.decay_down);
                linears.into_iter().chain(narrow).for_each(|linear| linear.tensors(all));
                all.extend(&own.taps);
                all.extend([&own.rate, &own.bias, &own.norm.weight]);
                own.o.tensors(all);
            }
            Attention::Scan(own) => {
                let linears = [&own.z, &own.x, &own.b, &own.c, &own.step];
                linears.into_iter().for_each(|linear| linear.tensors(all));
                own.taps.iter().for_each(|taps| taps.tensors(all));
                all.extend([&own.rate, &own.bias, &own.skip, &own.norm.weight]);
                own.o.tensors(all);
            }
            Attention::Pooled(own) => own.tensors(all),
        }
        if let Some(connections) = &self.connections {
            for Connection { mix, scale, base } in connections {
                mix.tensors(all);
                all.extend([scale, base]);
            }
        }
        all.extend(self.blends.iter().flatten());
        all.extend(self.attention_post_norm.iter().chain(&self.mlp_norm).map(|norm| &norm.weight));
        match &self.mlp {
            Mlp::None => {}
            Mlp::Gated(gated) => gated.tensors(all),
            Mlp::Experts(own) => own.tensors(all),
            Mlp::Both(own) => {
                own.dense.tensors(all);
                let norms =
                    [&own.dense_post_norm, &own.router_norm, &own.experts_norm, &own.experts_post_norm];
                all.extend(norms.map(|norm| &norm.weight));
                own.experts.tensors(all);
            }
        }
        all.extend(self.mlp_post_norm.as_ref().map(|norm| &norm.weight));
        if let Some(input) = &self.input {
            [&input.gate, &input.out].into_iter().for_each(|linear| linear.tensors(all));
            all.push(&input.norm.weight);
        }
        all.extend(&self.scale);
    }
}

#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a model has a hundred of them at most")]
pub enum Attention {
    Grouped(Grouped),
    Latent(Latent),
    Delta(Delta),
    Scan(Scan),
    Pooled(Pooled),
}

impl Attention {
    pub fn heads(&self) -> Heads {
        match self {
            Attention::Grouped(own) => own.heads_of(),
            // Every head's keys and values are made apart.
            Attention::Latent(own) => Heads { count: own.heads, kv_count: own.heads },
            Attention::Delta(own) => own.heads,
            Attention::Scan(own) => own.heads,
            // Heads whose results are narrowed together stay together.
            Attention::Pooled(own) => own.groups(),
        }
    }

    pub fn output(&self) -> &Linear {
        match self {
            Attention::Grouped(own) => &own.o,
            Attention::Latent(own) => &own.o,
            Attention::Delta(own) => &own.o,
            Attention::Scan(own) => &own.o,
            Attention::Pooled(own) => &own.o,
        }
    }

    /// Values a head hands to the output matrix.
    pub fn output_dim(&self) -> usize {
        match self {
            Attention::Grouped(own) => own.head_dim,
            Attention::Latent(own) => own.value_dim,
            Attention::Delta(own) => own.value_dim,
            Attention::Scan(own) => own.head_dim,
            Attention::Pooled(own) => own.narrow.rows,
        }
    }
}

/// Query heads, and the heads whose keys and values are made apart; query heads follow them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Heads {
    pub count: usize,
    pub kv_count: usize,
}

/// Grouped-query attention.
#[derive(Clone, Debug, PartialEq)]
pub struct Grouped {
    pub heads: usize,
    pub kv_heads: usize,
    pub head_dim: usize,
    pub q: Linear,
    pub k: Linear,
    pub v: Linear,
    /// The layer whose keys and values it reads instead of its own, which the file need not have.
    pub kv_of: Option<usize>,
    pub o: Linear,
    /// `[heads or heads * head_dim, hidden]`: the sigmoid of its result multiplies what the heads give.
    pub gate: Option<Linear>,
    /// Over every head, or over all of them together where it is as long as those.
    pub q_norm: Option<Norm>,
    pub k_norm: Option<Norm>,
    /// Over every head.
    pub v_norm: Option<Norm>,
    /// Index into [`Description::ropes`].
    pub rope: Option<usize>,
    pub scale: f32,
    pub growth: Option<Growth>,
    pub window: Option<Window>,
    pub sinks: Option<Tensor>,
    /// Where only some runs of keys are read.
    pub runs: Option<RunChooser>,
}

/// What chooses the runs of keys that are read: see `tandem_tensor::ChooseRuns`. It has a head for every key head.
#[derive(Clone, Debug, PartialEq)]
pub struct RunChooser {
    pub key_dim: usize,
    pub q: Linear,
    pub k: Linear,
    /// Over every head, and over the key.
    pub q_norm: Norm,
    pub k_norm: Norm,
    /// Tokens of a run, how many runs are read, and how many of these are the newest.
    pub len: usize,
    pub count: usize,
    pub local: usize,
}

impl Grouped {
    /// Values that every token leaves in caches.
    pub fn cached_dim(&self) -> usize {
        2 * self.kv_heads * self.head_dim + self.runs.as_ref().map_or(0, |own| own.key_dim)
    }

    pub fn heads_of(&self) -> Heads {
        Heads { count: self.heads, kv_count: self.kv_heads }
    }
}

/// A gated delta net: see `tandem_tensor::DeltaRule`. Its heads of values follow those of queries and keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Delta {
    pub heads: Heads,
    pub key_dim: usize,
    pub value_dim: usize,
    pub q: Linear,
    pub k: Linear,
    pub v: Linear,
    /// Gates the normed result, by this curve.
    pub z: Linear,
    pub curve: Curve,
    pub beta: Linear,
    pub decay: Linear,
    /// The narrow steps before these two, in models that have them.
    pub z_down: Option<Linear>,
    pub decay_down: Option<Linear>,
    /// Of the convolutions over queries, keys and values: `[channels, kernel]`.
    pub taps: [Tensor; 3],
    pub rate: Tensor,
    pub bias: Tensor,
    pub floor: Option<f32>,
    /// Of every head's result.
    pub norm: Norm,
    pub o: Linear,
}

/// A selective state space: see `tandem_tensor::Scan`. Its heads follow the groups of `b` and `c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    pub heads: Heads,
    pub head_dim: usize,
    pub state_dim: usize,
    /// Gates the result before its norm.
    pub z: Linear,
    pub x: Linear,
    pub b: Linear,
    pub c: Linear,
    pub step: Linear,
    /// Of the convolutions over `x`, `b` and `c`: `[channels, kernel]`, perhaps with biases.
    pub taps: [Linear; 3],
    pub rate: Tensor,
    pub bias: Tensor,
    pub skip: Tensor,
    /// Of all heads together, or of so many groups of them apart.
    pub norm: Norm,
    pub norm_groups: usize,
    pub o: Linear,
    /// The least and the most that a step can be.
    pub limits: [f32; 2],
}

/// Multi-head latent attention: see `tandem_tensor::AttendLatent`.
#[derive(Clone, Debug, PartialEq)]
pub struct Latent {
    pub heads: usize,
    pub nope_dim: usize,
    pub rope_dim: usize,
    pub latent_dim: usize,
    pub value_dim: usize,
    /// The narrow step before `q`, in models that have one.
    pub q_down: Option<(Linear, Norm)>,
    pub q: Linear,
    /// `[latent_dim + rope_dim, hidden]`
    pub kv: Linear,
    pub kv_norm: Norm,
    /// `[heads, latent_dim, nope_dim]`
    pub key: Tensor,
    /// `[heads, value_dim, latent_dim]`
    pub value: Tensor,
    /// `[heads * value_dim, hidden]`: the sigmoid of its result multiplies what the heads give.
    pub gate: Option<Linear>,
    pub o: Linear,
    pub rope: usize,
    pub scale: f32,
    pub growth: Option<Growth>,
    /// Where only some tokens are read; its queries are made of the same narrow step.
    pub indexer: Option<Indexer>,
}

impl Latent {
    /// Values that every token leaves in the cache, an indexer's among them.
    pub fn cached_dim(&self) -> usize {
        self.latent_dim + self.rope_dim + self.indexer.as_ref().map_or(0, |own| own.key_dim)
    }
}

/// What chooses the tokens that are read: see `tandem_tensor::Indexer`. Every rank has all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Indexer {
    pub heads: usize,
    pub key_dim: usize,
    pub count: usize,
    pub q: Linear,
    pub k: Linear,
    /// Weight and bias.
    pub k_norm: Linear,
    pub eps: f32,
    pub weights: Linear,
    pub rope: usize,
}

/// Attention over the last tokens, and over rows that are pooled of several tokens each, of which some are chosen (DeepSeek V4.1): see
/// `tandem_tensor::AttendChosen`. What is pooled and chosen in one layer is read by those after it too. Every rank has all of it but the
/// heads and what is made of their results.
#[derive(Clone, Debug, PartialEq)]
pub struct Pooled {
    pub heads: usize,
    pub head_dim: usize,
    /// The narrow step before `q`, and before a chooser's queries.
    pub q_down: Linear,
    pub q_norm: Norm,
    pub q: Linear,
    /// `[head_dim, hidden]`: keys and values in one.
    pub kv: Linear,
    pub kv_norm: Norm,
    pub sinks: Tensor,
    /// `[groups, narrow, heads / groups * head_dim]`: what is made of the results of each group of heads.
    pub narrow: Tensor,
    pub o: Linear,
    pub window: usize,
    pub rope: usize,
    pub scale: f32,
    /// The tokens that a pooled row is made of.
    pub every: usize,
    /// Where rows are pooled here.
    pub pool: Option<Pool>,
    /// Where rows are chosen here.
    pub chooser: Option<Chooser>,
    /// The layers whose rows it reads, and by whose choice: itself or others before it.
    pub reads: Option<PooledReads>,
}

/// What is made of a layer's tokens once there are enough of them: see `tandem_tensor::Pool`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    pub kv: Linear,
    /// None where every token is a row.
    pub gate: Option<Linear>,
    pub norm: Norm,
}

/// What chooses pooled rows: see `tandem_tensor::Choose`.
#[derive(Clone, Debug, PartialEq)]
pub struct Chooser {
    pub heads: usize,
    pub key_dim: usize,
    pub count: usize,
    pub q: Linear,
    pub weights: Linear,
    /// What makes keys of the rows that are pooled here.
    pub keys: Option<(Linear, Norm)>,
    /// The layer whose keys it reads.
    pub keys_of: usize,
    pub blocks: Option<ChosenBlocks>,
}

impl Chooser {
    /// The longest list that it makes or reads.
    fn list_width(&self) -> usize {
        self.count.max(self.blocks.map_or(0, |blocks| blocks.count))
    }
}

/// Runs of rows that a layer chooses as a whole for those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenBlocks {
    pub len: usize,
    pub count: usize,
    /// The layer that chooses them.
    pub of: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PooledReads {
    pub rows_of: usize,
    pub choice_of: usize,
}

impl Pooled {
    pub fn groups(&self) -> Heads {
        Heads { count: self.narrow.experts, kv_count: self.narrow.experts }
    }

    /// Values that every token leaves in caches that keep everything, on average.
    pub fn cached_dim(&self) -> usize {
        let Some(pool) = &self.pool else { return 0 };
        let keys = self.chooser.as_ref().filter(|own| own.keys.is_some()).map_or(0, |own| own.key_dim);
        (pool.norm.weight.cols + keys).div_ceil(self.every)
    }

    /// Values of a sequence's state.
    pub fn state_len(&self) -> usize {
        match &self.pool {
            Some(Pool { gate: Some(gate), .. }) => 2 * self.every * gate.weight.rows,
            _ => 0,
        }
    }

    fn tensors<'a>(&'a self, all: &mut Vec<&'a Tensor>) {
        self.q_down.tensors(all);
        all.push(&self.q_norm.weight);
        self.q.tensors(all);
        self.kv.tensors(all);
        all.push(&self.kv_norm.weight);
        if let Some(pool) = &self.pool {
            pool.kv.tensors(all);
            pool.gate.iter().for_each(|gate| gate.tensors(all));
            all.push(&pool.norm.weight);
        }
        if let Some(chooser) = &self.chooser {
            [&chooser.q, &chooser.weights].into_iter().for_each(|linear| linear.tensors(all));
            if let Some((k, norm)) = &chooser.keys {
                k.tensors(all);
                all.push(&norm.weight);
            }
        }
        all.extend([&self.sinks, &self.narrow]);
        self.o.tensors(all);
    }
}

/// What a block takes of the streams and gives to them: see `tandem_tensor::Connect`.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// `[(2 + n) * n, n * hidden]`
    pub mix: Linear,
    /// `[3]`
    pub scale: Tensor,
    /// `[(2 + n) * n]`
    pub base: Tensor,
}

#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a model has a hundred of them at most")]
pub enum Mlp {
    Gated(Gated),
    Experts(Experts),
    Both(Both),
    /// The layer ends with its attention.
    None,
}

impl Mlp {
    pub fn experts(&self) -> Option<&Experts> {
        match self {
            Mlp::None | Mlp::Gated(_) => None,
            Mlp::Experts(own) => Some(own),
            Mlp::Both(own) => Some(&own.experts),
        }
    }

    /// The matrices whose input features are divided among ranks.
    pub fn downs(&self) -> Vec<&Linear> {
        match self {
            Mlp::None => Vec::new(),
            Mlp::Gated(gated) => vec![&gated.down],
            Mlp::Experts(experts) => std::iter::once(&experts.down)
                .chain(experts.shared.iter().map(|shared| &shared.down))
                .chain(experts.narrow.iter().map(|narrow| &narrow.up))
                .collect(),
            Mlp::Both(own) => vec![&own.dense.down, &own.experts.down],
        }
    }
}

/// `down(act(gate(x), up(x)))`
#[derive(Clone, Debug, PartialEq)]
pub struct Gated {
    pub gate: Linear,
    pub up: Linear,
    pub down: Linear,
    pub act: Activation,
}

impl Gated {
    fn tensors<'a>(&'a self, all: &mut Vec<&'a Tensor>) {
        apart(&self.gate, &self.up).chain([&self.down]).for_each(|linear| linear.tensors(all));
    }
}

/// Two that may be the same matrix.
fn apart<'a>(one: &'a Linear, other: &'a Linear) -> impl Iterator<Item = &'a Linear> {
    std::iter::once(one).chain(Some(other).filter(|other| *other != one))
}

/// Experts of which each row uses a few, and perhaps one that all rows share.
#[derive(Clone, Debug, PartialEq)]
pub struct Experts {
    pub count: usize,
    pub router: Linear,
    /// What the router's logits are multiplied by.
    pub router_scale: f32,
    /// Its `bias` is `choice_bias`, and its `scales` are `scales`.
    pub routing: Routing,
    pub choice_bias: Option<Tensor>,
    /// `[1, count]`: what each one's answer is multiplied by.
    pub scales: Option<Tensor>,
    /// Stacks of `count`; their biases are matrices with a row per expert.
    pub gate: Linear,
    pub up: Linear,
    pub down: Linear,
    pub act: Activation,
    /// Where those that rows are sent to read and write rows of fewer values.
    pub narrow: Option<Narrow>,
    pub shared: Option<Gated>,
    /// `[1, hidden]`: the sigmoid of its result multiplies what the shared one says.
    pub shared_gate: Option<Linear>,
}

impl Experts {
    /// The stacks of those that rows are sent to, each once.
    pub fn routed(&self) -> impl Iterator<Item = &Linear> {
        apart(&self.gate, &self.up).chain([&self.down])
    }

    fn tensors<'a>(&'a self, all: &mut Vec<&'a Tensor>) {
        self.router.tensors(all);
        all.extend(self.choice_bias.iter().chain(&self.scales));
        self.routed().for_each(|linear| linear.tensors(all));
        if let Some(Narrow { down, norm, up }) = &self.narrow {
            [down, up].into_iter().for_each(|linear| linear.tensors(all));
            all.extend(norm.iter().map(|norm| &norm.weight));
        }
        self.shared.iter().for_each(|shared| shared.tensors(all));
        self.shared_gate.iter().for_each(|gate| gate.tensors(all));
    }
}

/// Around experts: `up(norm(experts(down(x))))` (Kimi K3). The router reads the whole rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Narrow {
    /// `[narrow, hidden]`
    pub down: Linear,
    pub norm: Option<Norm>,
    /// `[hidden, narrow]`
    pub up: Linear,
}

/// A dense block and experts beside it, each with norms of its own (Gemma 4): `norm(dense(norm(x))) + norm(experts(norm(x)))`. The
/// norm before the dense block is the layer's.
#[derive(Clone, Debug, PartialEq)]
pub struct Both {
    pub dense: Gated,
    pub dense_post_norm: Norm,
    /// Before the router.
    pub router_norm: Norm,
    pub experts_norm: Norm,
    pub experts: Experts,
    pub experts_post_norm: Norm,
}

/// For every layer `dim` values of each token: `(norm(projection(embedded)) + table_scale * table[token]) * scale`, normed by
/// layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    pub dim: usize,
    /// `[vocab, layers * dim]`
    pub table: Tensor,
    pub table_scale: f32,
    /// `[layers * dim, hidden]`
    pub projection: Linear,
    pub norm: Norm,
    pub scale: f32,
}

/// `norm(out(gelu(gate(x)) * input))` is added to the stream.
#[derive(Clone, Debug, PartialEq)]
pub struct InputBlock {
    /// `[dim, hidden]`
    pub gate: Linear,
    /// `[hidden, dim]`
    pub out: Linear,
    pub norm: Norm,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    pub weight: Tensor,
    pub bias: Option<Tensor>,
}

impl Linear {
    pub(crate) fn tensors<'a>(&'a self, all: &mut Vec<&'a Tensor>) {
        all.push(&self.weight);
        all.extend(&self.bias);
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Norm {
    pub weight: Tensor,
    pub eps: f32,
}

/// A weight: its name in the file, its whole shape, and how it is divided among ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    pub name: String,
    /// Where the file has no tensor of that name and shape: what to make it of.
    pub recipe: Option<Recipe>,
    pub experts: usize,
    /// Output features; 1 for a vector.
    pub rows: usize,
    /// Input features, or the vector's length.
    pub cols: usize,
    pub role: Role,
}

/// A weight's sharding rule. The model never mentions ranks; this is all it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The same on every rank.
    Replicated,
    /// Output features are divided along the axis: each rank computes its own part of the result.
    Column(Axis),
    /// Input features are divided along the axis: ranks' results are summed.
    Row(Axis),
    /// The matrices of a stack are divided along the axis.
    Stack(Axis),
    /// Of a table with so many values for every layer: rows along the vocabulary, columns of the stage's layers.
    LayerTable { dim: usize },
}

/// A dimension of the model that ranks share out among themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Query heads of `dim` features each; they follow their key-value heads. Layers may have different ones.
    Heads {
        of: Heads,
        dim: usize,
    },
    KvHeads {
        of: Heads,
        dim: usize,
    },
    /// Inner features of a feed-forward block or of every expert, of which there are `width`.
    Ffn {
        width: usize,
    },
    Vocab,
    /// So many features for each of the stage's layers.
    Layers {
        dim: usize,
    },
}
