//! Model files as the `models` crate wants to see them.

use std::cell::RefCell;
use std::ops::Range;

use tandem_formats::{FormatError, Metadata, Value as GgufValue, Weights};
use tandem_models::{Facts, Origin, Stored, Tensors, Value};
use tandem_tensor::{DType, ReadError, Recipe, Slice, Weight, WeightSource};

/// Metadata under the architecture's prefix, such as `llama.block_count`; what begins with `clip.` is said by the file that the model
/// sees pictures with.
pub struct GgufFacts<'a> {
    pub metadata: &'a Metadata,
    pub architecture: &'a str,
    pub projector: Option<&'a Metadata>,
}

impl Facts for GgufFacts<'_> {
    fn origin(&self) -> Origin {
        Origin::Gguf
    }

    fn architecture(&self) -> &str {
        self.architecture
    }

    fn get(&self, key: &str) -> Option<Value> {
        if key.starts_with("clip.") {
            return gguf_value(self.projector?.value(key)?);
        }
        gguf_value(self.metadata.value(&format!("{}.{key}", self.architecture))?)
    }
}

fn gguf_value(value: GgufValue) -> Option<Value> {
    Some(match value {
        GgufValue::F32(x) => Value::Float(x.into()),
        GgufValue::F64(x) => Value::Float(x),
        GgufValue::Bool(x) => Value::Bool(x),
        GgufValue::Str(text) => Value::Text(text.to_owned()),
        GgufValue::Array(array) => Value::List(array.iter().filter_map(gguf_value).collect()),
        integer => Value::Int(integer.as_integer()?.try_into().ok()?),
    })
}

/// `config.json`; keys may be paths into it.
pub struct ConfigFacts<'a> {
    pub config: &'a serde_json::Value,
    pub architecture: &'a str,
}

impl Facts for ConfigFacts<'_> {
    fn origin(&self) -> Origin {
        Origin::Config
    }

    fn architecture(&self) -> &str {
        self.architecture
    }

    fn get(&self, key: &str) -> Option<Value> {
        // Models that see pictures too keep what is said of the text in a place of its own.
        let found = at_path(self.config, key).or_else(|| at_path(self.config.get("text_config")?, key));
        config_value(found?)
    }
}

fn at_path<'a>(config: &'a serde_json::Value, key: &str) -> Option<&'a serde_json::Value> {
    let path = |key: &str| {
        let found = key.split('.').try_fold(config, |value, key| value.get(key));
        found.filter(|value| !value.is_null())
    };
    // Newer files keep everything about rotation in one place.
    let alone = matches!(key, "rope_theta" | "partial_rotary_factor").then_some(key);
    let rotation = key.strip_prefix("rope_scaling.").or(alone);
    // Where layers with a window are turned otherwise, each kind has its own.
    let places = ["rope_parameters", "rope_parameters.full_attention"];
    let newer = rotation.and_then(|key| places.iter().find_map(|place| path(&format!("{place}.{key}"))));
    newer.or_else(|| path(key))
}

fn config_value(value: &serde_json::Value) -> Option<Value> {
    use serde_json::Value as Json;
    Some(match value {
        Json::Object(_) if value["__float__"] == "Infinity" => Value::Float(f64::INFINITY),
        Json::Null | Json::Object(_) => return None,
        Json::Bool(x) => Value::Bool(*x),
        Json::Number(n) => {
            n.as_i64().map_or_else(|| n.as_f64().map(Value::Float), |n| Some(Value::Int(n)))?
        }
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(list) => Value::List(list.iter().filter_map(config_value).collect()),
    })
}

/// The tensors of a file. A tensor in a form we cannot read looks absent to the lowering; the reason is kept
/// here, since it says more.
pub struct FileTensors<'a> {
    pub weights: &'a dyn Weights,
    pub unreadable: RefCell<Option<FormatError>>,
}

impl Tensors for FileTensors<'_> {
    fn get(&self, name: &str) -> Option<Stored> {
        match self.weights.tensor(name) {
            Ok(found) => found.map(|info| Stored {
                dtype: info.dtype,
                experts: info.shape.experts,
                rows: info.shape.rows,
                cols: info.shape.cols,
            }),
            Err(error) => {
                self.unreadable.borrow_mut().get_or_insert(error);
                None
            }
        }
    }
}

/// Reads a rank's slices from a file.
pub struct FileSource<'a>(pub &'a dyn Weights);

impl WeightSource for FileSource<'_> {
    fn read(
        &self,
        weight: &Weight,
        expert: usize,
        rows: Range<usize>,
        out: &mut [u8],
    ) -> Result<(), ReadError> {
        let slice = &weight.slice;
        let expert = slice.experts.start + expert;
        let rows = slice.rows.start + rows.start..slice.rows.start + rows.end;
        let cols = slice.cols.clone();
        let read = match &weight.recipe {
            None => self.0.read(&weight.name, &Slice { experts: expert..expert + 1, rows, cols }, out),
            Some(recipe) => self.stored_type(recipe).and_then(|stored| {
                recipe.read(stored, expert, rows, cols, out, |name, slice, out| self.0.read(name, slice, out))
            }),
        };
        read.map_err(|error| ReadError(Box::new(error)))
    }
}

impl FileSource<'_> {
    fn stored_type(&self, recipe: &Recipe) -> Result<DType, FormatError> {
        let name = &recipe.names[0];
        let found = self.0.tensor(name)?;
        found
            .map(|info| info.dtype)
            .ok_or_else(|| FormatError::NoTensor { file: self.0.path().to_owned(), tensor: name.clone() })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::{Value as Json, json};
    use tandem_models::{Attention, Description, Mlp, describe};
    use tandem_tensor::{RopeStyle, Window};

    use super::*;

    /// A file of which nothing but the config is known, or that has one tensor besides.
    struct Only(&'static str);

    impl Tensors for Only {
        fn get(&self, name: &str) -> Option<Stored> {
            (name == self.0).then_some(Stored { dtype: DType::F32, experts: 1, rows: 1, cols: 1 })
        }
    }

    /// The config of a tiny checkpoint with other members, where null takes one out.
    fn described(name: &str, changes: Json, tensor: &'static str) -> Result<Description, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/tiny").join(name);
        let text = std::fs::read_to_string(folder.join("config.json")).unwrap();
        let mut config: Json = serde_json::from_str(&text).unwrap();
        for (key, value) in changes.as_object().unwrap() {
            config[key] = value.clone();
        }
        let architecture = config["architectures"][0].as_str().unwrap().to_owned();
        let facts = ConfigFacts { config: &config, architecture: &architecture };
        describe(&facts, &Only(tensor)).map_err(|error| error.to_string())
    }

    fn windows(model: &Description) -> Vec<Option<Window>> {
        let own = model.layers.iter().map(|layer| match &layer.attention {
            Attention::Grouped(own) => own.window,
            _ => None,
        });
        own.collect()
    }

    #[test]
    fn layers_have_the_windows_that_configs_say() {
        let check = |name, changes, expected: &[Option<usize>]| {
            let expected: Vec<_> = expected.iter().map(|window| window.map(Window::Sliding)).collect();
            assert_eq!(windows(&described(name, changes, "").unwrap()), expected, "{name}");
        };
        let kinds = json!(["sliding_attention", "full_attention"]);
        check("llama-tied", json!({"sliding_window": 16}), &[None, None]);
        check("llama-tied", json!({"sliding_window": 16, "layer_types": kinds}), &[Some(16), None]);
        check("mistral", json!({"sliding_window": 16}), &[Some(16), Some(16)]);
        let late = json!({"sliding_window": 16, "use_sliding_window": true, "max_window_layers": 1});
        check("qwen2", late.clone(), &[None, Some(16)]);
        check("qwen3", late.clone(), &[None, Some(16)]);
        check("qwen3", json!({"sliding_window": 16, "use_sliding_window": false}), &[None, None]);
        let error = described("qwen3-moe", late, "").unwrap_err();
        assert_eq!(error, "use_sliding_window `true` is not supported; supported: false");
        let kinds = json!(["full_attention", "sliding_attention", "full_attention"]);
        let changes = json!({"num_hidden_layers": 3, "layer_types": kinds});
        check("gemma3", changes, &[None, Some(24), None]);
    }

    /// transformers 5 keeps what it says of rotation in one place, by kinds of layers where those differ.
    #[test]
    fn both_spellings_of_rotation_are_the_same() {
        let check = |name, newer| {
            let [old, new] = [json!({}), newer].map(|changes| described(name, changes, "").unwrap().ropes);
            assert_eq!(old, new, "{name}");
        };
        check(
            "gemma3",
            json!({
                "rope_theta": null, "rope_scaling": null, "rope_local_base_freq": null,
                "rope_parameters": {
                    "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
                    "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
                },
            }),
        );
        check(
            "minimax-m2",
            json!({
                "rope_theta": null, "rotary_dim": null,
                "rope_parameters": {"rope_theta": 10000.0, "rope_type": "default", "partial_rotary_factor": 0.5},
            }),
        );
        check("glm4-moe", json!({"partial_rotary_factor": null}));
    }

    #[test]
    fn pairs_lie_as_configs_say() {
        let styles = |name, changes| {
            let model = described(name, changes, "").unwrap();
            model.ropes.iter().map(|rope| rope.rope.style).collect::<Vec<_>>()
        };
        let (halves, pairs) = (RopeStyle::Halves, RopeStyle::Interleaved);
        assert_eq!(styles("deepseek-v32", json!({})), [pairs, halves]);
        assert_eq!(styles("deepseek-v32", json!({"indexer_rope_interleave": true})), [pairs, pairs]);
        assert_eq!(styles("glm-moe-dsa", json!({"indexer_rope_interleave": false})), [pairs, halves]);
        assert_eq!(styles("deepseek-v3", json!({"rope_interleave": false})), [halves]);
    }

    /// Models without are run without, so none may be passed over.
    #[test]
    fn what_a_family_does_not_have_is_refused() {
        let bias = "model.layers.0.self_attn.qkv_proj.bias";
        let error = described("phi3", json!({}), bias).unwrap_err();
        let expected =
            format!("the model file has `{bias}`, but phi3 models have no such bias; it is not supported");
        assert_eq!(error, expected);
        let error = described("llama-tied", json!({"hidden_act": "gelu"}), "").unwrap_err();
        assert_eq!(error, "hidden_act `gelu` is not supported; supported: silu");
        let error = described("gemma3", json!({"attn_logit_softcapping": 50.0}), "").unwrap_err();
        assert_eq!(error, "attn_logit_softcapping `50` is not supported; supported: none");
    }

    #[test]
    fn limits_may_be_infinite() {
        for infinite in ["Infinity", r#"{"__float__": "Infinity"}"#] {
            let limit = tandem_formats::parse_config(format!("[0.0, {infinite}]").as_bytes()).unwrap();
            let model = described("granite4-h", json!({"time_step_limit": limit}), "").unwrap();
            let Attention::Scan(own) = &model.layers[0].attention else { panic!("Mamba-2") };
            assert_eq!(own.limits, [0.0, f32::INFINITY]);
        }
    }

    #[test]
    fn experts_are_chosen_as_families_do_by_themselves() {
        let routing = |name, changes| {
            let model = described(name, changes, "").unwrap();
            match &model.layers[1].mlp {
                Mlp::Experts(experts) => experts.routing,
                _ => panic!("{name} has no experts"),
            }
        };
        for name in ["deepseek-v3", "deepseek-v32", "glm4-moe-lite"] {
            let unsaid = json!({"scoring_func": null, "norm_topk_prob": null, "topk_method": null});
            assert_eq!(routing(name, unsaid), routing(name, json!({})), "{name}");
        }
        let layers = |changes| {
            let model = described("llama4", changes, "").unwrap();
            model.layers.iter().map(|layer| matches!(layer.mlp, Mlp::Experts(_))).collect::<Vec<_>>()
        };
        assert_eq!(layers(json!({})), [false, true, false, true, false]);
        assert_eq!(layers(json!({"moe_layers": [0, 4]})), [true, false, false, false, true]);
    }
}
