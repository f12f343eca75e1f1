//! A model told in GGUF's terms: what a converter writes.
//!
//! An architecture gives both names of every fact and tensor it asks for. So the model is described twice: as its file
//! holds it, and as a GGUF file would, whose answers are those of the first under their other names. Whatever the second
//! description asks for is what the new file must state; no architecture needs code of its own for it.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};

use tandem_tensor::{DType, Map, Recipe};

use crate::arch::{DescribeError, describe_with_names, siglip};
use crate::description::Grouped;
use crate::facts::{Key, key};
use crate::{
    Attention, Description, Facts, Layer, Mlp, Origin, Pooled, Stored, Tensor, Tensors, Tower, Value,
    describe,
};

/// GGUF's tensor of divisors of the rotary frequencies.
const ROPE_FACTORS: &str = "rope_freqs.weight";
const LONG_FACTORS: &str = "rope_factors_long.weight";
const SHORT_FACTORS: &str = "rope_factors_short.weight";

#[derive(Clone, Debug, PartialEq)]
pub struct Translation {
    /// As the file holds it.
    pub source: Description,
    /// As the GGUF file will.
    pub target: Description,
    /// What the GGUF file states, without the architecture's prefix.
    pub facts: Vec<(String, Value)>,
    pub tensors: Vec<Translated>,
}

/// A tensor of the GGUF file.
#[derive(Clone, Debug, PartialEq)]
pub struct Translated {
    pub name: String,
    pub experts: usize,
    pub rows: usize,
    pub cols: usize,
    pub contents: Contents,
}

impl Translated {
    /// Take in another part of the same tensor; false where it is none.
    fn join(&mut self, other: Translated) -> bool {
        let is_same = (self.experts, self.rows, self.cols) == (other.experts, other.rows, other.cols);
        match (&mut self.contents, other.contents) {
            (Contents::Parts(parts), Contents::Parts(more)) if is_same => parts.extend(more),
            _ => return false,
        }
        true
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Contents {
    /// The tensor of this name in the source's description.
    Stored {
        name: String,
        rows: RowOrder,
    },
    /// Several of them, which lie in one tensor in GGUF files.
    Parts(Vec<Part>),
    Computed(Vec<f32>),
}

/// A tensor of the source's description within one of the GGUF file.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub name: String,
    pub rows: RowOrder,
    /// How it is cut from that.
    pub recipe: Recipe,
}

/// Which row of the source comes where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    Same,
    /// The two rows of every rotary pair lie half a head apart in the source, and side by side in the GGUF file.
    PairsTogether {
        head: usize,
    },
}

impl RowOrder {
    /// The source's row for this one.
    pub fn source_row(self, row: usize) -> usize {
        match self {
            RowOrder::Same => row,
            RowOrder::PairsTogether { head } => row / head * head + row % 2 * (head / 2) + row % head / 2,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum TranslateError {
    #[error(transparent)]
    Describe(#[from] DescribeError),
    #[error("{what} has no form in GGUF files that keeps its meaning")]
    Inexpressible { what: String },
}

/// Tell the model of `facts`, a `config.json`, in GGUF's terms.
pub fn translate(facts: &dyn Facts, tensors: &dyn Tensors) -> Result<Translation, TranslateError> {
    let (source, gguf_names) = describe_with_names(facts, tensors)?;
    let told = Told { facts, source: &source, asked: RefCell::default(), factors: Cell::new(None) };
    let mut answers = Answers { shapes: shapes(&source, &gguf_names), factors: None };
    let mut target = describe(&told, &answers)?;
    let is_partial = source.ropes.first().is_some_and(|own| own.rope.inv_freq.contains(&0.0));
    let factors_name = told.factors.get().or(is_partial.then_some(ROPE_FACTORS));
    let factors = factors_name.and_then(|_| rope_factors(&source, &target));
    if let Some((name, factors)) = factors_name.zip(factors.as_ref()) {
        answers.factors = Some((name, factors.len()));
        target = describe(&told, &answers)?;
    }
    same_layers(&source, &target)?;
    let orders = row_orders(&source, &target)?;
    let mut translated: Vec<Translated> = Vec::new();
    // Where each is, and how many of its values are known.
    let mut begun: HashMap<String, (usize, usize)> = HashMap::new();
    let mut pairs = source.tensors().into_iter().peekable();
    for tensor in target.tensors() {
        let shape = |tensor: &Tensor| [tensor.experts, tensor.rows, tensor.cols];
        let inexpressible = || TranslateError::Inexpressible { what: format!("tensor `{}`", tensor.name) };
        let new = match (&factors, pairs.peek().copied()) {
            (Some(factors), _) if Some(tensor.name.as_str()) == factors_name => {
                let stored = tensor.recipe.as_ref().map(|recipe| recipe.stored_shape(shape(tensor)));
                let [experts, rows, cols] = stored.unwrap_or(shape(tensor));
                // Those of pairs that only other layers turn.
                let ones = std::iter::repeat_n(1.0, cols.saturating_sub(factors.len()));
                let contents = Contents::Computed(factors.iter().copied().chain(ones).collect());
                Translated { name: tensor.name.clone(), experts, rows, cols, contents }
            }
            (_, Some(own)) if shape(own) == shape(tensor) => {
                pairs.next();
                let rows = orders.get(own.name.as_str()).copied().unwrap_or(RowOrder::Same);
                translated_as(own, rows, tensor).ok_or_else(inexpressible)?
            }
            _ => return Err(inexpressible()),
        };
        let new_values = match &new.contents {
            Contents::Computed(values) => values.len(),
            Contents::Stored { .. } | Contents::Parts(_) => values(shape(tensor)),
        };
        match begun.get_mut(&new.name) {
            None => {
                begun.insert(new.name.clone(), (translated.len(), new_values));
                translated.push(new);
            }
            Some((at, known)) if translated[*at].join(new) => *known = known.saturating_add(new_values),
            Some(_) => return Err(inexpressible()),
        }
    }
    let is_whole = |tensor: &&Translated| {
        let all = values([tensor.experts, tensor.rows, tensor.cols]);
        begun.get(&tensor.name).is_some_and(|(_, known)| *known == all)
    };
    if let Some(lacking) = translated.iter().find(|tensor| !is_whole(tensor)) {
        return Err(TranslateError::Inexpressible { what: format!("what `{}` lacks", lacking.name) });
    }
    if let Some(left) = pairs.next() {
        return Err(TranslateError::Inexpressible { what: format!("tensor `{}`", left.name) });
    }
    // Readers that take what fits a text's length want both.
    if factors_name == Some(LONG_FACTORS) {
        let values = facts.numbers(key("", "rope_scaling.short_factor"))?;
        let (name, cols) = (SHORT_FACTORS.to_owned(), values.len());
        translated.push(Translated { name, experts: 1, rows: 1, cols, contents: Contents::Computed(values) });
    }
    let mut stated = told.asked.into_inner();
    stated.extend(source.gguf_facts.iter().map(|(key, value)| (*key, value.clone())));
    // Readers take a factor alone for linear stretching.
    if !stated.contains_key("rope.scaling.type") {
        stated.retain(|key, _| !key.starts_with("rope.scaling.") || key.ends_with("finetuned"));
    }
    stated.insert("vocab_size", Value::Int(source.vocab as i64));
    let grouped = source.layers.iter().find_map(|layer| match &layer.attention {
        Attention::Grouped(own) => Some(own),
        _ => None,
    });
    if let Some(own) = grouped {
        for key in ["attention.key_length", "attention.value_length", "rope.dimension_count"] {
            stated.entry(key).or_insert(Value::Int(own.head_dim as i64));
        }
    }
    let facts = stated.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Ok(Translation { source, target, facts, tensors: translated })
}

/// A tensor of the source as the target has it; `None` where that would take more than cutting.
fn translated_as(own: &Tensor, rows: RowOrder, told: &Tensor) -> Option<Translated> {
    let (shape, name) = ([told.experts, told.rows, told.cols], own.name.clone());
    let (told, [experts, rows, cols], contents) = match &told.recipe {
        None => (&told.name, shape, Contents::Stored { name, rows }),
        Some(recipe) => {
            let [whole] = recipe.names.as_slice() else { return None };
            if recipe.map != Map::Same {
                return None;
            }
            let part = Part { name, rows, recipe: recipe.clone() };
            (whole, recipe.stored_shape(shape), Contents::Parts(vec![part]))
        }
    };
    Some(Translated { name: told.clone(), experts, rows, cols, contents })
}

/// A tower in GGUF's terms, for a file beside the model's: what that states, and its tensors.
pub fn translate_tower(source: &Tower) -> (Vec<(&'static str, Value)>, Vec<Translated>) {
    let target = siglip::in_gguf(source);
    let int = |number: usize| Value::Int(number as i64);
    let middle = |value: f32| Value::List(vec![Value::Float(value.into()); 3]);
    let mut facts = vec![
        ("clip.has_vision_encoder", Value::Bool(true)),
        ("clip.projector_type", Value::Text("gemma3".into())),
        ("clip.use_gelu", Value::Bool(true)),
        ("clip.vision.image_size", int(target.size)),
        ("clip.vision.patch_size", int(target.patch)),
        ("clip.vision.embedding_length", int(target.hidden)),
        ("clip.vision.feed_forward_length", int(target.layers.first().map_or(0, |own| own.up.weight.rows))),
        ("clip.vision.block_count", int(target.layers.len())),
        ("clip.vision.projection_dim", int(target.out.weight.rows)),
        ("clip.vision.attention.head_count", int(target.heads)),
        ("clip.vision.attention.layer_norm_epsilon", Value::Float(target.eps.into())),
        ("clip.vision.image_mean", middle(target.mean)),
        ("clip.vision.image_std", middle(target.deviation)),
    ];
    let square = target.size / target.patch / target.rows.isqrt();
    if square != siglip::SQUARE {
        facts.push(("clip.vision.projector.scale_factor", int(square)));
    }
    let pairs = source.tensors().into_iter().zip(target.tensors());
    let tensors = pairs.filter_map(|(own, told)| translated_as(own, RowOrder::Same, told));
    (facts, tensors.collect())
}

/// How many a tensor of this shape holds; sizes that a file only claims are refused elsewhere.
fn values(shape: [usize; 3]) -> usize {
    shape.into_iter().fold(1, usize::saturating_mul)
}

/// Answers by GGUF's names what the source says, and remembers what was asked.
struct Told<'a> {
    facts: &'a dyn Facts,
    source: &'a Description,
    asked: RefCell<BTreeMap<&'static str, Value>>,
    /// What the stretch is called as a tensor, where it is one.
    factors: Cell<Option<&'static str>>,
}

impl Facts for Told<'_> {
    fn origin(&self) -> Origin {
        Origin::Gguf
    }

    fn architecture(&self) -> &str {
        self.source.architecture
    }

    fn get(&self, _: &str) -> Option<Value> {
        None
    }

    fn value(&self, key: Key) -> Option<Value> {
        // What GGUF has no name for, its files cannot answer.
        if key.gguf.is_empty() {
            return None;
        }
        let stated = self.source.gguf_facts.iter().find(|(stated, _)| *stated == key.gguf);
        let value = match stated {
            Some((_, value)) => value.clone(),
            None => self.facts.value(key)?,
        };
        let value = match value {
            Value::Text(kind) if key.gguf == "rope.scaling.type" => Value::Text(self.scaling(kind)?),
            value => value,
        };
        self.asked.borrow_mut().insert(key.gguf, value.clone());
        Some(value)
    }
}

impl Told<'_> {
    /// GGUF's word for a way of stretching; Llama 3's and Phi's are tensors there, and none is said by silence.
    fn scaling(&self, kind: String) -> Option<String> {
        match kind.as_str() {
            "default" | "mrope" => None,
            "llama3" => {
                self.factors.set(Some(ROPE_FACTORS));
                None
            }
            "longrope" | "su" => {
                self.factors.set(Some(LONG_FACTORS));
                Some("longrope".into())
            }
            "deepseek_yarn" => Some("yarn".into()),
            _ => Some(kind),
        }
    }
}

/// The source's tensors by their GGUF names.
struct Answers {
    shapes: HashMap<String, Stored>,
    factors: Option<(&'static str, usize)>,
}

impl Tensors for Answers {
    fn get(&self, name: &str) -> Option<Stored> {
        if let Some((_, cols)) = self.factors.filter(|(factors, _)| *factors == name) {
            return Some(Stored { dtype: DType::F32, experts: 1, rows: 1, cols });
        }
        self.shapes.get(name).copied()
    }
}

/// Parts that lie in one tensor there are counted together.
fn shapes(source: &Description, gguf_names: &HashMap<String, String>) -> HashMap<String, Stored> {
    let mut shapes: HashMap<String, Stored> = HashMap::new();
    for tensor in source.tensors() {
        let &Tensor { experts, rows, cols, .. } = tensor;
        let stored = Stored { dtype: DType::F32, experts, rows, cols };
        let Some(gguf) = gguf_names.get(&tensor.name) else { continue };
        let joined = match shapes.get(gguf) {
            Some(before) if rows > 1 => Stored { rows: before.rows.saturating_add(rows), ..stored },
            Some(before) => Stored { cols: before.cols.saturating_add(cols), ..stored },
            None => stored,
        };
        shapes.insert(gguf.clone(), joined);
    }
    shapes
}

/// What the target's frequencies must be divided by to be the source's.
fn rope_factors(source: &Description, target: &Description) -> Option<Vec<f32>> {
    let (own, told) = (source.ropes.first()?, target.ropes.first()?);
    // Pairs that are not turned at all are divided by what leaves nothing of any position.
    let factor = |(told, own): (&f32, &f32)| if *own == 0.0 { 1e30 } else { told / own };
    Some(told.rope.inv_freq.iter().zip(&own.rope.inv_freq).map(factor).collect())
}

/// What a GGUF reader takes for granted must be what the source says.
fn same_layers(source: &Description, target: &Description) -> Result<(), TranslateError> {
    // Rows of latent attention are not put in another order.
    let style = |model: &Description, rope: usize| model.ropes.get(rope).map(|rope| rope.rope.style);
    let is_latent = |layer: &Layer| matches!(layer.attention, Attention::Latent(_));
    let differs = |rope: &usize| style(source, *rope) != style(target, *rope);
    if source.layers.iter().any(is_latent) && (0..source.ropes.len()).any(|rope| differs(&rope)) {
        return Err(TranslateError::Inexpressible { what: "the order of rotated pairs".to_owned() });
    }
    let routing = |mlp: &Mlp| match mlp {
        Mlp::Experts(experts) => Some(experts.routing),
        Mlp::Both(both) => Some(both.experts.routing),
        Mlp::Gated(_) | Mlp::None => None,
    };
    for (index, (own, told)) in source.layers.iter().zip(&target.layers).enumerate() {
        if routing(&own.mlp) != routing(&told.mlp) {
            let what = format!("how layer {index} chooses experts");
            return Err(TranslateError::Inexpressible { what });
        }
        if let (Attention::Pooled(own), Attention::Pooled(told)) = (&own.attention, &told.attention) {
            let shape = |own: &Pooled| (own.every, own.window, own.rope, own.reads);
            if shape(own) != shape(told) {
                let what = format!("what layer {index} reads");
                return Err(TranslateError::Inexpressible { what });
            }
        }
        let (Attention::Grouped(own), Attention::Grouped(told)) = (&own.attention, &told.attention) else {
            continue;
        };
        let close = |a: f32, b: f32| (a - b).abs() <= 1e-5 * a.abs();
        let shape_of_runs =
            |own: &Grouped| own.runs.as_ref().map(|runs| (runs.key_dim, runs.len, runs.count, runs.local));
        let differs = [
            (own.rope != told.rope, "the rotation"),
            (own.window != told.window, "the window"),
            (own.kv_of != told.kv_of, "the keys and values"),
            (own.growth != told.growth, "the growth of queries"),
            (shape_of_runs(own) != shape_of_runs(told), "the choice of keys"),
            (!close(own.scale, told.scale), "the scale of attention"),
        ];
        if let Some((_, what)) = differs.into_iter().find(|(differs, _)| *differs) {
            return Err(TranslateError::Inexpressible { what: format!("{what} of layer {index}") });
        }
    }
    Ok(())
}

fn row_orders<'a>(
    source: &'a Description,
    target: &Description,
) -> Result<HashMap<&'a str, RowOrder>, TranslateError> {
    let style = |model: &Description, rope: usize| model.ropes.get(rope).map(|rope| rope.rope.style);
    let mut orders = HashMap::new();
    for layer in &source.layers {
        let Attention::Grouped(own) = &layer.attention else { continue };
        let Some(rope) = own.rope else { continue };
        if style(source, rope) == style(target, rope) {
            continue;
        }
        if let Some(norm) = own.q_norm.as_ref().or(own.k_norm.as_ref()) {
            let what = format!("tensor `{}`, a norm over rotary pairs,", norm.weight.name);
            return Err(TranslateError::Inexpressible { what });
        }
        for linear in [&own.q, &own.k] {
            let order = RowOrder::PairsTogether { head: own.head_dim };
            orders.insert(linear.weight.name.as_str(), order);
            orders.extend(linear.bias.as_ref().map(|bias| (bias.name.as_str(), order)));
        }
    }
    Ok(orders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_together() {
        let order = RowOrder::PairsTogether { head: 6 };
        let rows: Vec<usize> = (0..12).map(|row| order.source_row(row)).collect();
        assert_eq!(rows, [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]);
    }
}
