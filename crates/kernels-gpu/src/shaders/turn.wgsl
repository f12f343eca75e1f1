// Queries, keys and values on their way to attention: heads lie in `held`, each from a base on, and are normed, rotated, stored.

struct Turn {
    q: u32, k: u32, v: u32, heads: u32,
    kv_heads: u32, q_dim: u32, key_dim: u32, value_dim: u32,
    // Weights of norms, from 1 on; over how many leading values of a key; where the rotation begins.
    q_norm: u32, k_norm: u32, k_normed: u32, q_rotated: u32,
    k_rotated: u32, pairs: u32, rope: u32, halves: u32,
    q_eps: f32, k_eps: f32, windowed: u32, block_len: u32,
    // Where queries go: values from `q_from` on.
    q_out: u32, q_row: u32, q_item: u32, q_from: u32,
    // How queries grow with their position, if at all.
    growth: f32, growth_every: f32, growth_ahead: f32,
    // What is added to keys that are centred before they are normed, from 1 on.
    k_bias: u32,
}

var<workgroup> held: array<f32, HELD * DIM>;

fn norm(base: u32, weight: u32, len: u32, eps: f32, me: u32, lane: u32, subgroup: u32, size: u32) {
    var squares = 0.0;
    for (var i = me; i < len; i += WG) {
        squares += held[base + i] * held[base + i];
    }
    let total = workgroup_sum(squares, lane, subgroup, size);
    let scale = 1.0 / sqrt(total / f32(len) + eps);
    for (var i = me; i < len; i += WG) {
        held[base + i] *= scale * vectors[weight + i];
    }
    workgroupBarrier();
}

// Pair `i` of the values from `first` on.
fn rotate(first: u32, row: u32, i: u32) {
    let table = step[21u + p.turn.rope] + row * p.turn.pairs * 2u;
    let a = first + select(2u * i, i, p.turn.halves == 1u);
    let b = first + select(2u * i + 1u, i + p.turn.pairs, p.turn.halves == 1u);
    let cos = bitcast<f32>(step[table + 2u * i]);
    let sin = bitcast<f32>(step[table + 2u * i + 1u]);
    let x = held[a];
    let y = held[b];
    held[a] = x * cos - y * sin;
    held[b] = x * sin + y * cos;
}

// How much longer queries of this row are.
fn grown(row: u32) -> f32 {
    if (p.turn.growth == 0.0) {
        return 1.0;
    }
    return 1.0 + p.turn.growth * log(1.0 + floor((f32(step[step[5] + row]) + p.turn.growth_ahead) / p.turn.growth_every));
}

fn store(base: u32, plane: u32, scales: u32, slot: u32, dim: u32, me: u32) {
    if (CACHE == 0u) {
        let stride = (dim + 7u) / 8u * 8u;
        for (var i = me; i < stride; i += WG) {
            put(plane + slot * stride + i, select(0u, bitcast<u32>(held[base + min(i, dim - 1u)]), i < dim));
        }
    } else if (CACHE == 1u) {
        let stride = (dim + 7u) / 8u * 4u;
        for (var i = me; i < stride; i += WG) {
            let a = select(0.0, held[base + min(2u * i, dim - 1u)], 2u * i < dim);
            let b = select(0.0, held[base + min(2u * i + 1u, dim - 1u)], 2u * i + 1u < dim);
            put(plane + slot * stride + i, pack2x16float(clamp(vec2(a, b), vec2(-65504.0), vec2(65504.0))));
        }
    } else {
        let blocks = (dim + 31u) / 32u;
        for (var b = me; b < blocks; b += WG) {
            var largest = 0.0;
            for (var i = b * 32u; i < min(b * 32u + 32u, dim); i++) {
                largest = max(largest, abs(held[base + i]));
            }
            let inverse = select(0.0, 127.0 / largest, largest > 0.0);
            for (var w = 0u; w < 8u; w++) {
                var q = vec4<i32>(0);
                for (var j = 0u; j < 4u; j++) {
                    let i = b * 32u + w * 4u + j;
                    if (i < dim) {
                        q[j] = i32(round(held[base + i] * inverse));
                    }
                }
                put(plane + (slot * blocks + b) * 8u + w, pack4xI8(q));
            }
            put(scales + slot * blocks + b, bitcast<u32>(largest / 127.0));
        }
    }
}
