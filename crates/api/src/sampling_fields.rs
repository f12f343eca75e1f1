//! The sampling fields that OpenAI's dialects share, with the extensions other servers have made usual.

use serde_json::{Map, Value};

use crate::fields::Fields;
use crate::request::drawn;
use crate::{Failure, Sampling};

/// Reads them all; what is left out stays as in `Sampling::default`.
pub(crate) fn sampling(fields: &mut Fields) -> Result<Sampling, Failure> {
    let mut sampling = drawn();
    set(&mut sampling.temperature, fields.number("temperature", 0.0, 2.0)?);
    set(&mut sampling.top_p, fields.number("top_p", 0.0, 1.0)?);
    set(&mut sampling.min_p, fields.number("min_p", 0.0, 1.0)?);
    set(&mut sampling.repetition_penalty, fields.number("repetition_penalty", 0.01, 10.0)?);
    set(&mut sampling.frequency_penalty, fields.number("frequency_penalty", -2.0, 2.0)?);
    set(&mut sampling.presence_penalty, fields.number("presence_penalty", -2.0, 2.0)?);
    set(&mut sampling.top_k, top_k(fields, "top_k")?);
    sampling.seed = seed(fields)?;
    if let Some(bias) = fields.take::<Map<String, Value>>("logit_bias")? {
        sampling.logit_bias = logit_bias(fields, bias)?;
    }
    Ok(sampling)
}

/// -1 and 0 keep all tokens.
pub(crate) fn top_k(fields: &mut Fields, name: &str) -> Result<Option<usize>, Failure> {
    match fields.take::<i64>(name)? {
        None => Ok(None),
        Some(k) if k >= -1 => Ok(Some(k.max(0) as usize)),
        Some(k) => Err(fields.refuse(name, format_args!("is {k}, expected -1 or more"))),
    }
}

/// Any 64 bits will do.
pub(crate) fn seed(fields: &mut Fields) -> Result<Option<u64>, Failure> {
    Ok(fields.take::<i64>("seed")?.map(|seed| seed as u64))
}

/// Texts that end an answer: a few, and none empty, since that would end every answer at once.
pub(crate) fn stop_texts(fields: &mut Fields, name: &str, count_max: usize) -> Result<Vec<String>, Failure> {
    let texts = fields.texts(name, count_max)?;
    if texts.iter().any(String::is_empty) {
        return Err(fields.refuse(name, "holds an empty text, expected at least one character in each"));
    }
    Ok(texts)
}

pub(crate) fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

fn logit_bias(fields: &Fields, bias: Map<String, Value>) -> Result<Vec<(u32, f32)>, Failure> {
    const TOKENS_MAX: usize = 1024;
    if bias.len() > TOKENS_MAX {
        let why = format!("has {} tokens, expected at most {TOKENS_MAX}", bias.len());
        return Err(fields.refuse("logit_bias", why));
    }
    bias.into_iter()
        .map(|(token, bias)| {
            let id = token.parse().map_err(|_| {
                fields.refuse("logit_bias", format_args!("names `{}`, expected token ids", brief(&token)))
            })?;
            let bias = bias.as_f64().filter(|bias| (-100.0..=100.0).contains(bias)).ok_or_else(|| {
                fields.refuse("logit_bias", format_args!("of token {id} must be a number from -100 to 100"))
            })?;
            Ok((id, bias as f32))
        })
        .collect()
}

fn brief(text: &str) -> String {
    text.chars().take(40).collect()
}
