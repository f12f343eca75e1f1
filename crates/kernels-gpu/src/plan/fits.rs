//! Whether the kernels of a plan are within what devices allow that nobody has here.

use std::collections::HashSet;

use naga::proc::Layouter;
use tandem_tensor::conformance::{Latent, Llama, Mixture, cases, chosen, pooled, rarer};
use tandem_tensor::{CacheType, DType, Limits, Program};

use super::{Abilities, Plan};
use crate::kernels::Key;

/// Bytes of a workgroup's memory that a kernel declares, each variable in whole runs of 16 as Metal has it; and its threads.
fn declared(key: &Key, subgroup_min: u32) -> (u32, u32) {
    let source = key.source(subgroup_min);
    let module = naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{key:?}: {}", error.emit_to_string(&source)));
    let mut layouter = Layouter::default();
    layouter.update(module.to_ctx()).unwrap();
    let shared = module
        .global_variables
        .iter()
        .filter(|(_, variable)| variable.space == naga::AddressSpace::WorkGroup);
    let bytes = shared.map(|(_, variable)| layouter[variable.ty].size.next_multiple_of(16)).sum();
    (bytes, module.entry_points[0].workgroup_size.iter().product())
}

/// Sizes of published models, in one layer.
fn wide() -> Vec<Llama> {
    let base = Llama { layers: 1, vocabulary: 128_256, dtype: DType::Q4_K, ..Llama::default() };
    let heads = |hidden, heads, kv_heads, dim, ffn| Llama {
        hidden,
        heads,
        kv_heads,
        key_dim: dim,
        value_dim: dim,
        rotated_pairs: dim / 2,
        ffn,
        ..base.clone()
    };
    let latent = Latent {
        latent_dim: 512,
        nope_dim: 128,
        rope_dim: 64,
        value_dim: 128,
        dtype: DType::Q8_0,
        chosen: None,
    };
    let mixture = |experts, inner, dtype| Mixture { experts, inner, dtype, ..Mixture::default() };
    let eight = heads(4096, 32, 8, 128, 14_336);
    let types = [DType::Q4_0, DType::Q8_0, DType::F16, DType::BF16, DType::F32, DType::MXFP4, DType::IQ2_XS];
    let mut all: Vec<Llama> = types.map(|dtype| Llama { dtype, ..eight.clone() }).to_vec();
    all.extend([
        heads(8192, 64, 8, 128, 28_672),
        heads(16_384, 128, 8, 128, 53_248),
        // Heads of 256 values, norms of them, and a window as Gemma 3 has.
        Llama { qk_norm: true, ..heads(5376, 32, 16, 256, 21_504) },
        Llama {
            mixture: Some(mixture(128, 2880, DType::MXFP4)),
            sinks: true,
            ..heads(2880, 64, 8, 64, 2880)
        },
        Llama {
            mixture: Some(mixture(384, 2048, DType::Q4_K)),
            latent: Some(latent),
            ..heads(7168, 64, 64, 128, 18_432)
        },
    ]);
    all
}

#[test]
fn kernels_fit_other_devices() {
    let device = |threads_max, shared_max, side, subgroup_min| Abilities {
        threads_max,
        shared_max,
        side,
        attention_side: side,
        matrices_max: 1 << 30,
        subgroup_min,
        chooses: true,
    };
    let devices = [
        ("Apple", device(1024, 32 << 10, 8, 32)),
        ("Apple without matrices", device(1024, 32 << 10, 0, 32)),
        ("AMD", device(1024, 64 << 10, 16, 32)),
        ("Intel", device(1024, 32 << 10, 0, 8)),
    ];
    let small = cases().into_iter().chain(rarer()).chain(chosen()).chain(pooled());
    let mut programs: Vec<(std::sync::Arc<Program>, Limits)> =
        small.map(|case| (case.llama.program(), case.limits)).collect();
    programs.extend(wide().into_iter().map(|llama| {
        let limits = llama.limits(32, CacheType::F16);
        (llama.program(), Limits { tokens_max: 2048, context_max: 131_072, blocks: 8192, ..limits })
    }));
    let mut beyond = Vec::new();
    for (name, abilities) in devices {
        let mut known = HashSet::new();
        for (program, limits) in &programs {
            let keys = Plan::new(program, limits, abilities).keys(|_| true);
            let lent: Vec<Key> = keys.iter().filter_map(Key::lent).collect();
            for key in keys.into_iter().chain(lent).filter(|key| known.insert(key.clone())) {
                let (bytes, threads) = declared(&key, abilities.subgroup_min);
                if bytes > abilities.shared_max || threads > abilities.threads_max {
                    beyond.push(format!("{name}: {bytes} bytes, {threads} threads: {key:?}"));
                }
            }
        }
        println!("{name}: {} kernels", known.len());
    }
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
}
