//! JSON written the way Python's `json.dumps` writes it: chat templates were made, and models trained, with that.

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};

#[derive(Clone, Debug)]
pub(crate) struct JsonStyle {
    pub(crate) indent: Option<String>,
    pub(crate) item_separator: String,
    pub(crate) key_separator: String,
    pub(crate) sort_keys: bool,
    pub(crate) ascii: bool,
}

const DEPTH_MAX: usize = 200;

/// `json.dumps(value, ensure_ascii=False)`.
pub(crate) fn python_text(value: &serde_json::Value) -> String {
    let style = JsonStyle {
        indent: None,
        item_separator: ", ".into(),
        key_separator: ": ".into(),
        sort_keys: false,
        ascii: false,
    };
    dump(&Value::from(minijinja::value::Serde(value.clone())), &style).unwrap_or_else(|_| value.to_string())
}

pub(crate) fn dump(value: &Value, style: &JsonStyle) -> Result<String, Error> {
    let mut out = String::new();
    write(value, style, 0, &mut out)?;
    Ok(out)
}

fn write(value: &Value, style: &JsonStyle, depth: usize, out: &mut String) -> Result<(), Error> {
    if depth > DEPTH_MAX {
        return Err(Error::new(ErrorKind::InvalidOperation, "tojson: the value is nested too deeply"));
    }
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => out.push_str("null"),
        ValueKind::Bool => out.push_str(if value.is_true() { "true" } else { "false" }),
        ValueKind::Number if value.is_integer() => out.push_str(&value.to_string()),
        ValueKind::Number => out.push_str(&float_text(f64::try_from(value.clone())?)),
        ValueKind::String => write_string(value.as_str().unwrap_or_default(), style, out),
        ValueKind::Seq | ValueKind::Iterable => {
            let items: Vec<Value> = value.try_iter()?.collect();
            write_group('[', ']', items.len(), style, depth, out, |i, out| {
                write(&items[i], style, depth + 1, out)
            })?;
        }
        ValueKind::Map => {
            let mut keys: Vec<Value> = value.try_iter()?.collect();
            if style.sort_keys {
                keys.sort_by_key(Value::to_string);
            }
            write_group('{', '}', keys.len(), style, depth, out, |i, out| {
                match keys[i].as_str() {
                    Some(key) => write_string(key, style, out),
                    None => write_string(&dump(&keys[i], style)?, style, out),
                }
                out.push_str(&style.key_separator);
                write(&value.get_item(&keys[i])?, style, depth + 1, out)
            })?;
        }
        kind => {
            return Err(Error::new(ErrorKind::InvalidOperation, format!("tojson: {kind} is no JSON value")));
        }
    }
    Ok(())
}

fn write_group(
    open: char,
    close: char,
    count: usize,
    style: &JsonStyle,
    depth: usize,
    out: &mut String,
    mut write_item: impl FnMut(usize, &mut String) -> Result<(), Error>,
) -> Result<(), Error> {
    out.push(open);
    let new_line = |depth: usize, out: &mut String| {
        if let Some(indent) = &style.indent {
            out.push('\n');
            out.extend(std::iter::repeat_n(indent.as_str(), depth));
        }
    };
    for i in 0..count {
        if i > 0 {
            out.push_str(&style.item_separator);
        }
        new_line(depth + 1, out);
        write_item(i, out)?;
    }
    if count > 0 {
        new_line(depth, out);
    }
    out.push(close);
    Ok(())
}

fn write_string(text: &str, style: &JsonStyle, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' => push_escape(c as u16, out),
            // Marks of untrusted text must come through; they are no characters.
            '\u{7f}'.. if style.ascii && !crate::control_guard::is_mark(c) => {
                for &mut unit in c.encode_utf16(&mut [0; 2]) {
                    push_escape(unit, out);
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

fn push_escape(unit: u16, out: &mut String) {
    out.push_str(&format!("\\u{unit:04x}"));
}

/// A float as Python's `repr` shows it.
fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    let text = format!("{value:?}");
    match text.split_once('e') {
        None => text,
        Some((mantissa, exponent)) => {
            let (sign, digits) = match exponent.strip_prefix('-') {
                Some(digits) => ('-', digits),
                None => ('+', exponent),
            };
            format!("{}e{sign}{digits:0>2}", mantissa.trim_end_matches(".0"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_look_like_pythons() {
        for (value, expected) in [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (1.5e-7, "1.5e-07"),
            (1e15, "1000000000000000.0"),
            (-0.0, "-0.0"),
        ] {
            assert_eq!(float_text(value), expected);
        }
    }
}
