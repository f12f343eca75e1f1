//! How the next token is picked.

use serde::{Deserialize, Serialize};

/// How the next token is picked. Applied in this order: bias and penalties on the logits, temperature,
/// then top-k, top-p and min-p on what remains. The default picks the likeliest token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// 0 picks the likeliest token.
    pub temperature: f32,
    /// Keep the k likeliest; 0 keeps all.
    pub top_k: usize,
    /// Keep the smallest set of tokens whose probabilities sum to at least this.
    pub top_p: f32,
    /// Keep tokens at least this probable relative to the likeliest.
    pub min_p: f32,
    /// Divides (or multiplies, when negative) the logits of tokens seen in prompt or answer; 1 is none.
    pub repetition_penalty: f32,
    /// Subtracted once per occurrence in the answer.
    pub frequency_penalty: f32,
    /// Subtracted once for any token present in the answer.
    pub presence_penalty: f32,
    /// Added to these tokens' logits.
    pub logit_bias: Vec<(u32, f32)>,
    /// The same seed and request give the same answer; drawn at random when not given.
    pub seed: Option<u64>,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling {
            temperature: 0.0,
            top_k: 0,
            top_p: 1.0,
            min_p: 0.0,
            repetition_penalty: 1.0,
            frequency_penalty: 0.0,
            presence_penalty: 0.0,
            logit_bias: Vec::new(),
            seed: None,
        }
    }
}
