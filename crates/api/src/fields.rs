//! A JSON object read field by field, so that what nobody read can be refused by name.

use serde_json::{Map, Value};

use crate::Failure;

/// An object of a request. Fields are taken out of it; `finish` refuses what is left.
#[derive(Debug)]
pub(crate) struct Fields {
    /// Where it stands in the body: empty, or `messages[3].` and the like.
    path: String,
    object: Map<String, Value>,
}

#[cfg(test)]
thread_local! {
    /// Every field that was looked for, by its full path: what the API's description is held to.
    pub(crate) static READ: std::cell::RefCell<std::collections::BTreeSet<String>> = const {
        std::cell::RefCell::new(std::collections::BTreeSet::new())
    };
}

/// A JSON value of a certain type.
pub(crate) trait Typed: Sized {
    const EXPECTED: &'static str;
    fn typed(value: Value) -> Option<Self>;
}

impl Fields {
    pub fn of(value: Value, path: impl Into<String>) -> Result<Fields, Failure> {
        let path = path.into();
        match value {
            Value::Object(object) => {
                Ok(Fields { path: if path.is_empty() { path } else { path + "." }, object })
            }
            other => Err(mismatch(if path.is_empty() { "the body" } else { &path }, &other, "an object")),
        }
    }

    /// A field that may be left out or null.
    pub fn take<T: Typed>(&mut self, name: &str) -> Result<Option<T>, Failure> {
        let value = match self.remove(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(value) => value,
        };
        let shown = brief(&value);
        T::typed(value)
            .map(Some)
            .ok_or_else(|| self.refuse(name, format_args!("is {shown}, expected {}", T::EXPECTED)))
    }

    pub fn need<T: Typed>(&mut self, name: &str) -> Result<T, Failure> {
        self.take(name)?
            .ok_or_else(|| self.refuse(name, format_args!("is missing, expected {}", T::EXPECTED)))
    }

    /// A number within bounds.
    pub fn number(&mut self, name: &str, min: f32, max: f32) -> Result<Option<f32>, Failure> {
        let Some(number) = self.take::<f64>(name)? else { return Ok(None) };
        if !(f64::from(min)..=f64::from(max)).contains(&number) {
            return Err(self.refuse(name, format_args!("is {number}, expected {min} to {max}")));
        }
        Ok(Some(number as f32))
    }

    pub fn integer(&mut self, name: &str, min: u64, max: u64) -> Result<Option<u64>, Failure> {
        let Some(number) = self.take::<u64>(name)? else { return Ok(None) };
        if !(min..=max).contains(&number) {
            return Err(self.refuse(name, format_args!("is {number}, expected {min} to {max}")));
        }
        Ok(Some(number))
    }

    pub fn object(&mut self, name: &str) -> Result<Option<Fields>, Failure> {
        let Some(object) = self.take::<Map<String, Value>>(name)? else { return Ok(None) };
        Ok(Some(Fields { path: format!("{}{name}.", self.path), object }))
    }

    /// The objects of a list.
    pub fn objects(&mut self, name: &str) -> Result<Option<Vec<Fields>>, Failure> {
        let Some(list) = self.take::<Vec<Value>>(name)? else { return Ok(None) };
        let path = self.at(name);
        list.into_iter()
            .enumerate()
            .map(|(index, value)| Fields::of(value, format!("{path}[{index}]")))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// One text, or a list of them.
    pub fn texts(&mut self, name: &str, count_max: usize) -> Result<Vec<String>, Failure> {
        let texts: Option<Vec<String>> = match self.take::<Value>(name)? {
            None => return Ok(Vec::new()),
            Some(Value::String(text)) => Some(vec![text]),
            Some(Value::Array(list)) => list.into_iter().map(String::typed).collect(),
            Some(_) => None,
        };
        let texts = texts.ok_or_else(|| self.refuse(name, "must be a string or a list of strings"))?;
        if texts.len() > count_max {
            let count = texts.len();
            return Err(self.refuse(name, format_args!("has {count} texts, expected at most {count_max}")));
        }
        Ok(texts)
    }

    /// Fields that change no answer, whatever they hold.
    pub fn ignore(&mut self, names: &[&str]) {
        for name in names {
            self.remove(name);
        }
    }

    fn remove(&mut self, name: &str) -> Option<Value> {
        #[cfg(test)]
        READ.with_borrow_mut(|read| read.insert(format!("{}{name}", self.path)));
        self.object.remove(name)
    }

    /// A field of which we do exactly one thing: that value is taken, any other is refused.
    pub fn only(&mut self, name: &str, allowed: &[Value]) -> Result<(), Failure> {
        match self.take::<Value>(name)? {
            Some(value) if !allowed.contains(&value) => {
                let allowed: Vec<String> = allowed.iter().map(Value::to_string).collect();
                let shown = brief(&value);
                Err(self.refuse(
                    name,
                    format_args!("is {shown}, and this server supports only {}", allowed.join(" or ")),
                ))
            }
            _ => Ok(()),
        }
    }

    /// Refuses what was not read. A null asks for nothing.
    pub fn finish(self) -> Result<(), Failure> {
        match self.object.iter().find(|(_, value)| !value.is_null()) {
            None => Ok(()),
            Some((name, _)) => {
                Err(self.refuse(&name.clone(), "is not supported by this server; leave it out"))
            }
        }
    }

    pub fn refuse(&self, name: &str, why: impl std::fmt::Display) -> Failure {
        let field = self.at(name);
        Failure::Invalid { message: format!("`{field}` {why}"), field: Some(field) }
    }

    /// The full path of a field.
    pub fn at(&self, name: &str) -> String {
        let mut field = format!("{}{name}", self.path);
        // A name comes from the client and goes into messages and logs.
        if field.len() > 200 {
            field.truncate((0..=200).rev().find(|&end| field.is_char_boundary(end)).unwrap_or(0));
            field.push('…');
        }
        field
    }
}

/// Shows a value in a message without repeating all of it.
pub(crate) fn brief(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > 40 => {
            format!("\"{}…\"", text.chars().take(40).collect::<String>())
        }
        Value::Array(list) => format!("a list of {}", list.len()),
        Value::Object(_) => "an object".into(),
        plain => plain.to_string(),
    }
}

fn mismatch(what: &str, found: &Value, expected: &str) -> Failure {
    Failure::invalid(what, format!("{what} is {}, expected {expected}", brief(found)))
}

impl Typed for Value {
    const EXPECTED: &'static str = "a value";
    fn typed(value: Value) -> Option<Value> {
        Some(value)
    }
}

impl Typed for bool {
    const EXPECTED: &'static str = "true or false";
    fn typed(value: Value) -> Option<bool> {
        value.as_bool()
    }
}

impl Typed for f64 {
    const EXPECTED: &'static str = "a number";
    fn typed(value: Value) -> Option<f64> {
        value.as_f64().filter(|number| number.is_finite())
    }
}

impl Typed for u64 {
    const EXPECTED: &'static str = "a whole number, not negative";
    fn typed(value: Value) -> Option<u64> {
        // Some clients write every number with a point.
        let whole = |number: &f64| number.fract() == 0.0 && (0.0..9e15).contains(number);
        value.as_u64().or_else(|| value.as_f64().filter(whole).map(|number| number as u64))
    }
}

impl Typed for i64 {
    const EXPECTED: &'static str = "a whole number";
    fn typed(value: Value) -> Option<i64> {
        let whole = |number: &f64| number.fract() == 0.0 && (-9e15..9e15).contains(number);
        value
            .as_i64()
            .or_else(|| value.as_u64().map(|number| number as i64))
            .or_else(|| value.as_f64().filter(whole).map(|number| number as i64))
    }
}

impl Typed for String {
    const EXPECTED: &'static str = "a string";
    fn typed(value: Value) -> Option<String> {
        if let Value::String(text) = value { Some(text) } else { None }
    }
}

impl Typed for Vec<Value> {
    const EXPECTED: &'static str = "a list";
    fn typed(value: Value) -> Option<Vec<Value>> {
        if let Value::Array(list) = value { Some(list) } else { None }
    }
}

impl Typed for Map<String, Value> {
    const EXPECTED: &'static str = "an object";
    fn typed(value: Value) -> Option<Map<String, Value>> {
        if let Value::Object(object) = value { Some(object) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check<T: std::fmt::Debug>(found: Result<T, Failure>, expected: &str) {
        assert_eq!(found.unwrap_err().to_string(), expected);
    }

    #[test]
    fn mistakes_are_named() {
        let fields = |value| Fields::of(value, "").unwrap();
        check(Fields::of(json!([1]), ""), "the body is a list of 1, expected an object");
        check(fields(json!({"a": "x"})).take::<f64>("a"), "`a` is \"x\", expected a number");
        check(fields(json!({"a": 3})).number("a", 0.0, 2.0), "`a` is 3, expected 0 to 2");
        check(fields(json!({"a": -1})).take::<u64>("a"), "`a` is -1, expected a whole number, not negative");
        check(fields(json!({})).need::<String>("a"), "`a` is missing, expected a string");
        check(fields(json!({"a": [{}, 1]})).objects("a"), "a[1] is 1, expected an object");
        check(
            fields(json!({"b": 1, "c": null})).finish(),
            "`b` is not supported by this server; leave it out",
        );
        check(fields(json!({"b": 2})).only("b", &[json!(1)]), "`b` is 2, and this server supports only 1");
        assert_eq!(fields(json!({"c": null})).finish(), Ok(()));
        assert_eq!(fields(json!({"a": 2.0})).take::<u64>("a"), Ok(Some(2)));
    }
}
