//! A GGUF file's tokenizer facts from JSON, as `goldens/make_goldens.py` writes them.

use serde_json::Value;
use tandem_text::GgufVocab;

pub fn gguf_vocab(facts: &Value) -> GgufVocab<'_> {
    let list = |key: &str| facts[key].as_array().map(Vec::as_slice).unwrap_or_default().iter();
    let strings = |key: &str| list(key).map(|text| text.as_str().unwrap_or_default().as_bytes()).collect();
    let id = |key: &str| facts[key].as_u64().map(|id| id as u32);
    GgufVocab {
        model: facts["model"].as_str().unwrap_or_default(),
        pre: facts["pre"].as_str(),
        tokens: strings("tokens"),
        scores: list("scores").map(|score| score.as_f64().unwrap_or_default() as f32).collect(),
        token_types: list("token_type").map(|kind| kind.as_i64().unwrap_or_default() as i32).collect(),
        merges: strings("merges"),
        bos: id("bos_token_id"),
        eos: id("eos_token_id"),
        eot: id("eot_token_id"),
        eom: id("eom_token_id"),
        unknown: id("unknown_token_id"),
        padding: id("padding_token_id"),
        add_bos: facts["add_bos_token"].as_bool(),
        add_eos: facts["add_eos_token"].as_bool(),
        add_space_prefix: facts["add_space_prefix"].as_bool(),
        joins_spaces: facts["remove_extra_whitespaces"].as_bool(),
        maps_characters: !facts["precompiled_charsmap"].is_null(),
    }
}
