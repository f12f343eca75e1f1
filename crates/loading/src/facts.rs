//! Model files as the `models` crate wants to see them.

use std::cell::RefCell;
use std::ops::Range;

use tandem_formats::{FormatError, Metadata, Value as GgufValue, Weights};
use tandem_models::{Facts, Origin, Stored, Tensors, Value};
use tandem_tensor::{DType, ReadError, Recipe, Slice, Weight, WeightSource};

/// Metadata under the architecture's prefix, such as `llama.block_count`.
pub struct GgufFacts<'a> {
    pub metadata: &'a Metadata,
    pub architecture: &'a str,
}

impl Facts for GgufFacts<'_> {
    fn origin(&self) -> Origin {
        Origin::Gguf
    }

    fn architecture(&self) -> &str {
        self.architecture
    }

    fn get(&self, key: &str) -> Option<Value> {
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
