// One workgroup a row: `x += y` where ADD, then `out = x / rms(x) * weight`, and `out` prepared for the products that read it.
// `y` is read where ranks exchanged it, where LENT.

struct Params { x: u32, y: u32, out: u32, weight: u32, width: u32, stride: u32, eps: f32, pad: u32 }
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

// Four values of a row at a time where rows are whole fours, else one by one.
//% if BY_FOURS
@group(0) @binding(2) var<storage, read_write> act: array<vec4<f32>>;

fn values(at: u32, i: u32) -> vec4<f32> {
    return select(vec4(0.0), act[(at + min(i, p.width - 4u)) / 4u], i < p.width);
}

fn put(at: u32, i: u32, v: vec4<f32>) {
    if (i < p.width) {
        act[(at + i) / 4u] = v;
    }
}

//% if LENT
@group(0) @binding(11) var<storage, read> lent: array<vec4<f32>>;

fn added(row: u32, i: u32) -> vec4<f32> {
    return select(vec4(0.0), lent[(row * p.width + min(i, p.width - 4u)) / 4u], i < p.width);
}
//% end
//% end
//% unless BY_FOURS
@group(0) @binding(2) var<storage, read_write> act: array<f32>;

fn value(at: u32, i: u32) -> f32 {
    return select(0.0, act[at + min(i, p.width - 1u)], i < p.width);
}

fn values(at: u32, i: u32) -> vec4<f32> {
    return vec4(value(at, i), value(at, i + 1u), value(at, i + 2u), value(at, i + 3u));
}

fn put(at: u32, i: u32, v: vec4<f32>) {
    for (var j = 0u; j < 4u; j++) {
        if (i + j < p.width) {
            act[at + i + j] = v[j];
        }
    }
}
//% end

//% unless LENT
fn added(row: u32, i: u32) -> vec4<f32> {
    return values(p.y + row * p.width, i);
}
//% end

// Beyond the row's end nothing is left of what is weighted.
fn weight(i: u32) -> f32 {
    return select(0.0, vectors[p.weight + min(i, p.width - 1u)], i < p.width);
}

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let row = group.x;
    let x = p.x + row * p.width;
    var held: array<vec4<f32>, PER>;
    var weights: array<vec4<f32>, PER>;
    var squares = 0.0;
    for (var k = 0u; k < PER; k++) {
        let i = (k * WG + me) * 4u;
        var v = values(x, i);
        if (ADD) {
            v += added(row, i);
            put(x, i, v);
        }
        held[k] = v;
        weights[k] = vec4(weight(i), weight(i + 1u), weight(i + 2u), weight(i + 3u));
        squares += dot(v, v);
    }
    let total = workgroup_sum(squares, lane, subgroup, size);
    let scale = 1.0 / sqrt(total / f32(p.width) + p.eps);
    let out = p.out + row * p.width;
    for (var k = 0u; k < PER; k++) {
        let i = (k * WG + me) * 4u;
        let v = held[k] * scale * weights[k];
        if (KEEP) {
            put(out, i, v);
        }
        prepare(v, me, i, row, p.stride);
    }
}
