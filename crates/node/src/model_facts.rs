//! What the planner must know of a model, counted by what a token reads.

use tandem_models::{Attention, Description, Experts, Role, Tensor};
use tandem_plan::{ExpertFacts, ModelFacts};

/// From a description and the bytes of each tensor; memory that depends on a backend, and how far the model can be divided, are left to
/// those who know.
pub fn model_facts(model: &Description, bytes_of: impl Fn(&Tensor) -> u64) -> ModelFacts {
    let mut facts = ModelFacts {
        layers: model.layers.len(),
        last_cut: model.last_cut(),
        hidden: model.hidden,
        rows_sent: model.rows_sent(),
        window: model.window(),
        states: model.keeps_states(),
        context_trained: model.context,
        ranks_max: 1,
        ..ModelFacts::default()
    };
    let (embedding, head) = (bytes_of(&model.embedding), bytes_of(&model.head));
    let is_tied = model.embedding.name == model.head.name;
    for tensor in model.tensors() {
        facts.weights_bytes += bytes_of(tensor);
        facts.read_bytes += bytes_of(tensor);
        facts.dense_parameters += values(tensor);
    }
    // One row of the embedding is read; the head multiplies only what is wanted of a prompt.
    facts.read_bytes -= if is_tied { 0 } else { embedding };
    facts.dense_parameters -= values(&model.head) + if is_tied { 0 } else { values(&model.embedding) };
    if let Some(inputs) = &model.inputs {
        facts.read_bytes -= bytes_of(&inputs.table);
        facts.dense_parameters -= values(&inputs.table);
    }
    facts.ends_bytes = (2 * embedding.max(head)).min(facts.weights_bytes);
    for layer in &model.layers {
        match &layer.attention {
            Attention::Grouped(own) => {
                let kept = if own.kv_of.is_some() { 0 } else { 2 * own.cached_dim() as u64 };
                match model.window_of(own) {
                    Some(window) => facts.window_cache_bytes += kept * (window * SEQUENCES) as u64,
                    None => {
                        facts.cache_bytes_per_token += kept;
                        facts.attend_flops += (4 * own.heads * own.head_dim) as u64;
                    }
                }
            }
            Attention::Latent(own) => {
                facts.latent_layers += 1;
                facts.cache_bytes_per_token += 2 * own.cached_dim() as u64;
                let of_head = 2 * (own.nope_dim + own.rope_dim + own.value_dim);
                facts.attend_flops += (own.heads * of_head) as u64;
            }
            Attention::Pooled(own) => {
                facts.cache_bytes_per_token += 2 * own.cached_dim() as u64;
                facts.window_cache_bytes += 2 * (own.window * own.head_dim * SEQUENCES) as u64;
                facts.window_cache_bytes += (4 * own.state_len() * 2 * SEQUENCES) as u64;
            }
            Attention::Delta(own) => {
                let values = own.heads.count * own.key_dim * own.value_dim;
                facts.window_cache_bytes += (4 * values * 2 * SEQUENCES) as u64;
            }
            Attention::Scan(own) => {
                let values = own.heads.count * own.head_dim * own.state_dim;
                facts.window_cache_bytes += (4 * values * 2 * SEQUENCES) as u64;
            }
        }
        if let Some(own) = layer.mlp.experts() {
            let stacks = || routed(own);
            let bytes: u64 = stacks().map(&bytes_of).sum();
            let parameters: u64 = stacks().map(values).sum();
            facts.read_bytes -=
                bytes / own.count.max(1) as u64 * own.count.saturating_sub(own.routing.used) as u64;
            facts.dense_parameters -= parameters;
            // What narrow ones say is added up before it is widened.
            facts.more_sums += usize::from(own.narrow.is_some());
            facts.experts = ExpertFacts {
                layers: facts.experts.layers + 1,
                count: own.count,
                used: own.routing.used,
                bytes: facts.experts.bytes + bytes,
                parameters: facts.experts.parameters + parameters,
            };
        }
    }
    let ends = [&model.embedding.name, &model.head.name];
    let whole = model.tensors().into_iter().filter(|tensor| tensor.role == Role::Replicated);
    facts.replicated_bytes = whole.filter(|tensor| !ends.contains(&&tensor.name)).map(&bytes_of).sum();
    facts
}

/// Sequences that have windows of their own, where nobody counted.
const SEQUENCES: usize = tandem_plan::SEQUENCES_MAX;

fn routed(experts: &Experts) -> impl Iterator<Item = &Tensor> {
    experts.routed().flat_map(|linear| std::iter::once(&linear.weight).chain(&linear.bias))
}

fn values(tensor: &Tensor) -> u64 {
    tensor.experts as u64 * tensor.rows as u64 * tensor.cols as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// What one token of Qwen3-30B-A3B reads, as its publisher counts parameters, with a byte for each.
    #[test]
    fn of_experts_only_the_chosen_are_read() {
        let entry = tandem_hub::Catalogue::embedded().get("qwen3-30b").unwrap();
        let model = tandem_runtime::translate_config(&entry.config, Path::new("qwen3-30b")).unwrap().source;
        let facts = model_facts(&model, values);
        assert_eq!(facts.weights_bytes, 30_532_122_624);
        assert_eq!(
            facts.experts,
            ExpertFacts {
                layers: 48,
                count: 128,
                used: 8,
                bytes: 28_991_029_248,
                parameters: 28_991_029_248,
            }
        );
        // All that is active, less the embedding.
        assert_eq!(facts.read_bytes, 3_353_032_704 - 311_164_928);
        assert_eq!((facts.cache_bytes_per_token, facts.attend_flops), (98_304, 4 * 48 * 4096));
    }

    /// Experts whose gate is the matrix that they also multiply hold two matrices, not three.
    #[test]
    fn a_matrix_that_experts_use_twice_is_counted_once() {
        let entry = tandem_hub::Catalogue::embedded().get("nemotron3-nano").unwrap();
        let model = tandem_runtime::translate_config(&entry.config, Path::new("nemotron")).unwrap().source;
        let facts = model_facts(&model, values);
        assert_eq!(facts.experts.parameters, 23 * 128 * 2 * 1856 * 2688);
        assert!((3_000_000_000..4_000_000_000).contains(&facts.read_bytes), "{}", facts.read_bytes);
    }
}
