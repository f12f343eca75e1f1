// One workgroup a row: `x += y` where ADD, then `out = x / rms(x) * weight`, and `out` prepared for the products that read it.

struct Params { x: u32, y: u32, out: u32, weight: u32, width: u32, stride: u32, eps: f32, pad: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

fn value(at: u32, i: u32) -> f32 {
    return select(0.0, act[at + min(i, p.width - 1u)], i < p.width);
}

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let row = group.x;
    let x = p.x + row * p.width;
    let y = p.y + row * p.width;
    var held: array<vec4<f32>, PER>;
    var squares = 0.0;
    for (var k = 0u; k < PER; k++) {
        let i = (k * WG + me) * 4u;
        var v = vec4(value(x, i), value(x, i + 1u), value(x, i + 2u), value(x, i + 3u));
        if (ADD) {
            v += vec4(value(y, i), value(y, i + 1u), value(y, i + 2u), value(y, i + 3u));
            for (var j = 0u; j < 4u; j++) {
                if (i + j < p.width) {
                    act[x + i + j] = v[j];
                }
            }
        }
        held[k] = v;
        squares += dot(v, v);
    }
    let total = workgroup_sum(squares, lane, subgroup, size);
    let scale = 1.0 / sqrt(total / f32(p.width) + p.eps);
    let out = p.out + row * p.width;
    for (var k = 0u; k < PER; k++) {
        let i = (k * WG + me) * 4u;
        var v = held[k] * scale;
        for (var j = 0u; j < 4u; j++) {
            if (i + j < p.width) {
                v[j] *= vectors[p.weight + i + j];
                if (KEEP) {
                    act[out + i + j] = v[j];
                }
            }
        }
        prepare(v, me, i, row, p.stride);
    }
}
