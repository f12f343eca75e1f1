//! What a model file says of itself.

use crate::arch::DescribeError;

/// Hyper-parameters by key. GGUF keys lack the architecture's prefix here; `config.json` keys may be
/// paths such as `rope_scaling.factor`.
pub trait Facts {
    fn origin(&self) -> Origin;
    /// `general.architecture` or `architectures[0]`.
    fn architecture(&self) -> &str;
    fn get(&self, key: &str) -> Option<Value>;

    /// A fact by whichever of its names this file uses. A converter overrides it: it reads by one name and writes by
    /// the other, which is why both are always given together.
    fn value(&self, key: Key) -> Option<Value> {
        match key.of(self.origin()) {
            "" => None,
            key => self.get(key),
        }
    }
}

/// Which family of names and conventions a model file follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Gguf,
    /// safetensors with `config.json`, in the transformers library's naming.
    Config,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Int(i64),
    Float(f64),
    Bool(bool),
    Text(String),
    List(Vec<Value>),
}

/// One fact's two names.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub gguf: &'static str,
    pub config: &'static str,
}

pub const fn key(gguf: &'static str, config: &'static str) -> Key {
    Key { gguf, config }
}

impl Key {
    pub const fn of(self, origin: Origin) -> &'static str {
        match origin {
            Origin::Gguf => self.gguf,
            Origin::Config => self.config,
        }
    }
}

impl dyn Facts + '_ {
    /// A count; zero and negative numbers are refused, so shapes never degenerate.
    pub fn size(&self, key: Key) -> Result<usize, DescribeError> {
        self.size_opt(key)?.ok_or_else(|| self.missing(key))
    }

    pub fn size_or(&self, key: Key, default: usize) -> Result<usize, DescribeError> {
        Ok(self.size_opt(key)?.unwrap_or(default))
    }

    pub fn size_opt(&self, key: Key) -> Result<Option<usize>, DescribeError> {
        // Bounds what a hostile file can make us multiply or allocate.
        const MOST: i64 = 1 << 31;
        match self.value(key) {
            None => Ok(None),
            Some(Value::Int(n)) if (1..=MOST).contains(&n) => Ok(Some(n as usize)),
            Some(found) => Err(self.wrong(key, found, "a positive whole number")),
        }
    }

    /// As [`Self::size`], for what takes memory or time by itself.
    pub fn size_up_to(&self, key: Key, most: usize) -> Result<usize, DescribeError> {
        let size = self.size(key)?;
        if size <= most {
            return Ok(size);
        }
        Err(DescribeError::TooMany { key: key.of(self.origin()).to_owned(), found: size, most })
    }

    pub fn number(&self, key: Key) -> Result<f32, DescribeError> {
        self.number_opt(key)?.ok_or_else(|| self.missing(key))
    }

    pub fn number_or(&self, key: Key, default: f32) -> Result<f32, DescribeError> {
        Ok(self.number_opt(key)?.unwrap_or(default))
    }

    pub fn number_opt(&self, key: Key) -> Result<Option<f32>, DescribeError> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Int(n)) => Ok(Some(n as f32)),
            Some(Value::Float(x)) if x.is_finite() => Ok(Some(x as f32)),
            Some(found) => Err(self.wrong(key, found, "a number")),
        }
    }

    pub fn text_opt(&self, key: Key) -> Result<Option<String>, DescribeError> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(found) => Err(self.wrong(key, found, "a string")),
        }
    }

    pub fn flag(&self, key: Key) -> Result<Option<bool>, DescribeError> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(found) => Err(self.wrong(key, found, "true or false")),
        }
    }

    /// A number of things of which there may be none; none where the file does not say.
    pub fn count(&self, key: Key) -> Result<usize, DescribeError> {
        match self.value(key) {
            Some(Value::Int(0)) => Ok(0),
            _ => self.size_or(key, 0),
        }
    }

    /// A list of such numbers, or of flags, which are 0 and 1; empty where the file has none.
    pub fn counts(&self, key: Key) -> Result<Vec<usize>, DescribeError> {
        let numbers = self.list(key)?.into_iter().map(|item| match item {
            Value::Int(n) if n >= 0 => Ok(n as usize),
            Value::Bool(flag) => Ok(flag.into()),
            found => Err(self.wrong(key, found, "a list of whole numbers")),
        });
        numbers.collect()
    }

    /// As [`Self::counts`], of what may also be one number for all layers.
    pub fn counts_or_one(&self, key: Key) -> Result<Vec<usize>, DescribeError> {
        match self.value(key) {
            Some(Value::Int(n)) if n >= 0 => Ok(vec![n as usize]),
            _ => self.counts(key),
        }
    }

    /// A list of numbers; empty where the file has none.
    pub fn numbers(&self, key: Key) -> Result<Vec<f32>, DescribeError> {
        let numbers = self.list(key)?.into_iter().map(|item| match item {
            Value::Int(n) => Ok(n as f32),
            Value::Float(x) => Ok(x as f32),
            found => Err(self.wrong(key, found, "a list of numbers")),
        });
        numbers.collect()
    }

    pub fn texts(&self, key: Key) -> Result<Vec<String>, DescribeError> {
        let texts = self.list(key)?.into_iter().map(|item| match item {
            Value::Text(text) => Ok(text),
            found => Err(self.wrong(key, found, "a list of strings")),
        });
        texts.collect()
    }

    fn list(&self, key: Key) -> Result<Vec<Value>, DescribeError> {
        match self.value(key) {
            None => Ok(Vec::new()),
            Some(Value::List(items)) => Ok(items),
            Some(found) => Err(self.wrong(key, found, "a list")),
        }
    }

    fn missing(&self, key: Key) -> DescribeError {
        DescribeError::Missing {
            architecture: self.architecture().to_owned(),
            key: key.of(self.origin()).to_owned(),
        }
    }

    fn wrong(&self, key: Key, found: Value, expected: &'static str) -> DescribeError {
        DescribeError::Wrong {
            key: key.of(self.origin()).to_owned(),
            found: format!("{found:?}").chars().take(60).collect(),
            expected,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(Value);

    impl Facts for One {
        fn origin(&self) -> Origin {
            Origin::Gguf
        }

        fn architecture(&self) -> &str {
            "gemma4"
        }

        fn get(&self, _: &str) -> Option<Value> {
            Some(self.0.clone())
        }
    }

    /// Published files hold the pattern of windows as flags, others as numbers.
    #[test]
    fn flags_are_counted_too() {
        let pattern = key("attention.sliding_window_pattern", "");
        let flags = One(Value::List(vec![Value::Bool(true), Value::Bool(false), Value::Int(1)]));
        assert_eq!((&flags as &dyn Facts).counts(pattern).unwrap(), [1, 0, 1]);
        let texts = One(Value::List(vec![Value::Text("yes".into())]));
        assert!((&texts as &dyn Facts).counts(pattern).is_err());
    }
}
