// One workgroup a head of a row: queries are normed and rotated; keys likewise, and stored; values are stored.

struct Params {
    place: Place,
    q: u32, k: u32, v: u32, heads: u32,
    kv_heads: u32, q_dim: u32, key_dim: u32, value_dim: u32,
    // Weights of norms, from 1 on; over how many leading values of a key; where the rotation begins.
    q_norm: u32, k_norm: u32, k_normed: u32, q_rotated: u32,
    k_rotated: u32, pairs: u32, rope: u32, halves: u32,
    q_eps: f32, k_eps: f32, windowed: u32, block_len: u32,
    // Where queries go: values from `q_from` on.
    q_out: u32, q_row: u32, q_item: u32, q_from: u32,
    // How queries grow with their position, if at all.
    growth: f32, growth_every: f32, pad0: u32, pad1: u32,
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;
@group(0) @binding(8) var<storage, read_write> cache: array<u32>;

var<workgroup> held: array<f32, DIM>;

fn norm(weight: u32, len: u32, eps: f32, me: u32, lane: u32, subgroup: u32, size: u32) {
    var squares = 0.0;
    for (var i = me; i < len; i += WG) {
        squares += held[i] * held[i];
    }
    let total = workgroup_sum(squares, lane, subgroup, size);
    let scale = 1.0 / sqrt(total / f32(len) + eps);
    for (var i = me; i < len; i += WG) {
        held[i] *= scale * vectors[weight + i];
    }
    workgroupBarrier();
}

fn rotate(row: u32, first: u32, me: u32) {
    let table = step[16u + p.rope] + row * p.pairs * 2u;
    for (var i = me; i < p.pairs; i += WG) {
        let a = first + select(2u * i, i, p.halves == 1u);
        let b = first + select(2u * i + 1u, i + p.pairs, p.halves == 1u);
        let cos = bitcast<f32>(step[table + 2u * i]);
        let sin = bitcast<f32>(step[table + 2u * i + 1u]);
        let x = held[a];
        let y = held[b];
        held[a] = x * cos - y * sin;
        held[b] = x * sin + y * cos;
    }
    workgroupBarrier();
}

fn store(plane: u32, scales: u32, slot: u32, dim: u32, me: u32) {
    if (CACHE == 0u) {
        let stride = (dim + 7u) / 8u * 8u;
        for (var i = me; i < stride; i += WG) {
            cache[plane + slot * stride + i] = select(0u, bitcast<u32>(held[min(i, dim - 1u)]), i < dim);
        }
    } else if (CACHE == 1u) {
        let stride = (dim + 7u) / 8u * 4u;
        for (var i = me; i < stride; i += WG) {
            let a = select(0.0, held[min(2u * i, dim - 1u)], 2u * i < dim);
            let b = select(0.0, held[min(2u * i + 1u, dim - 1u)], 2u * i + 1u < dim);
            cache[plane + slot * stride + i] = pack2x16float(clamp(vec2(a, b), vec2(-65504.0), vec2(65504.0)));
        }
    } else {
        let blocks = (dim + 31u) / 32u;
        for (var b = me; b < blocks; b += WG) {
            var largest = 0.0;
            for (var i = b * 32u; i < min(b * 32u + 32u, dim); i++) {
                largest = max(largest, abs(held[i]));
            }
            let inverse = select(0.0, 127.0 / largest, largest > 0.0);
            for (var w = 0u; w < 8u; w++) {
                var q = vec4<i32>(0);
                for (var j = 0u; j < 4u; j++) {
                    let i = b * 32u + w * 4u + j;
                    if (i < dim) {
                        q[j] = i32(round(held[i] * inverse));
                    }
                }
                cache[plane + (slot * blocks + b) * 8u + w] = pack4xI8(q);
            }
            cache[scales + slot * blocks + b] = bitcast<u32>(largest / 127.0);
        }
    }
}

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let row = group.y;
    let item = group.x;
    if (item < p.heads) {
        let at = p.q + (row * p.heads + item) * p.q_dim;
        for (var i = me; i < p.q_dim; i += WG) {
            held[i] = act[at + i];
        }
        workgroupBarrier();
        if (p.q_norm > 0u) {
            norm(p.q_norm - 1u, p.q_dim, p.q_eps, me, lane, subgroup, size);
        }
        rotate(row, p.q_rotated, me);
        var grown = 1.0;
        if (p.growth != 0.0) {
            grown += p.growth * log(1.0 + floor(f32(step[step[5] + row]) / p.growth_every));
        }
        for (var i = p.q_from + me; i < p.q_dim; i += WG) {
            act[p.q_out + row * p.q_row + item * p.q_item + i - p.q_from] = held[i] * grown;
        }
    } else if (item < p.heads + p.kv_heads) {
        let head = item - p.heads;
        let at = p.k + (row * p.kv_heads + head) * p.key_dim;
        for (var i = me; i < p.key_dim; i += WG) {
            held[i] = act[at + i];
        }
        workgroupBarrier();
        if (p.k_norm > 0u) {
            norm(p.k_norm - 1u, p.k_normed, p.k_eps, me, lane, subgroup, size);
        }
        rotate(row, p.k_rotated, me);
        let slot = slot_of(table_of(row, p.windowed), step[step[5] + row], p.block_len, p.kv_heads, head);
        store(p.place.keys, p.place.key_scales, slot, p.key_dim, me);
    } else {
        let head = item - p.heads - p.kv_heads;
        let at = p.v + (row * p.kv_heads + head) * p.value_dim;
        for (var i = me; i < p.value_dim; i += WG) {
            held[i] = act[at + i];
        }
        workgroupBarrier();
        let slot = slot_of(table_of(row, p.windowed), step[step[5] + row], p.block_len, p.kv_heads, head);
        store(p.place.values, p.place.value_scales, slot, p.value_dim, me);
    }
}
