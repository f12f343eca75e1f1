// Products of quantised matrices with a few rows of eight-bit activations. The threads of a workgroup share out the blocks
// of ROWS rows; their sums are added at the end. Several matrices with the same input are parts of one dispatch.

struct Params { blocks: u32, rows: u32, count: u32, act: u32, parts: array<vec4<u32>, 12> }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(3) var<storage, read> x_codes: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> x_scales: array<vec2<u32>>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

var<workgroup> sums: array<f32, ROWS * NT * MATRICES * SUBGROUPS>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let tokens = step[p.rows];
    let t0 = group.y * NT;
    // A part: first workgroup, rows, output, bias (from 1 on); then where its planes begin.
    var k = 0u;
    while (k + 1u < p.count && group.x >= p.parts[(k + 1u) * (1u + MATRICES)].x) {
        k++;
    }
    let part = p.parts[k * (1u + MATRICES)];
    let first = (group.x - part.x) * ROWS;
    var sum: array<f32, ROWS * NT * MATRICES>;
    for (var b = me; b < p.blocks; b += WG) {
        var xl: array<vec4<u32>, NT>;
        var xh: array<vec4<u32>, NT>;
        var xs: array<vec2<u32>, NT>;
        for (var t = 0u; t < NT; t++) {
            let i = min(t0 + t, tokens - 1u) * p.blocks + b;
            xl[t] = x_codes[i * 2u];
            xh[t] = x_codes[i * 2u + 1u];
            xs[t] = x_scales[i];
        }
        for (var m = 0u; m < MATRICES; m++) {
            let at = p.parts[k * (1u + MATRICES) + 1u + m];
            let planes = Planes(at.x, at.y, at.z, at.w);
            for (var r = 0u; r < ROWS; r++) {
                let w = weight(planes, min(first + r, part.y - 1u) * p.blocks + b);
                for (var t = 0u; t < NT; t++) {
                    var v = w.s.x * f32(idot(w.lo, xl[t])) + w.s.y * f32(idot(w.hi, xh[t]));
                    if (HAS_MIN) {
                        let low = bitcast<i32>(xs[t].y << 16u) >> 16u;
                        let high = bitcast<i32>(xs[t].y) >> 16u;
                        v += w.m.x * f32(low) + w.m.y * f32(high);
                    }
                    sum[(m * ROWS + r) * NT + t] += bitcast<f32>(xs[t].x) * v;
                }
            }
        }
    }
    for (var i = 0u; i < ROWS * NT * MATRICES; i++) {
        let total = subgroupAdd(sum[i]);
        if (lane == 0u) {
            sums[i * SUBGROUPS + subgroup] = total;
        }
    }
    workgroupBarrier();
    if (me < ROWS * NT) {
        let row = first + me / NT;
        let t = t0 + me % NT;
        if (row < part.y && t < tokens) {
            var y = 0.0;
            for (var i = 0u; i < (WG + size - 1u) / size; i++) {
                y += sums[me * SUBGROUPS + i];
            }
            if (part.w > 0u) {
                y += vectors[part.w - 1u + row];
            }
            if (MATRICES == 2u) {
                var up = 0.0;
                for (var i = 0u; i < (WG + size - 1u) / size; i++) {
                    up += sums[(ROWS * NT + me) * SUBGROUPS + i];
                }
                y = activate(y, up);
            }
            act[part.z + t * part.y + row] = y;
        }
    }
}
