// Products of float matrices with a few rows of floats; divided as in matvec_q8. A unit is eight values.

struct Params { blocks: u32, rows: u32, count: u32, act: u32, parts: array<vec4<u32>, 12> }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<vec4<f32>>;
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
    var k = 0u;
    while (k + 1u < p.count && group.x >= p.parts[(k + 1u) * (1u + MATRICES)].x) {
        k++;
    }
    let part = p.parts[k * (1u + MATRICES)];
    let first = (group.x - part.x) * ROWS;
    // Blocks of 32 values, as prepared rows are counted.
    let units = p.blocks * 4u;
    var sum: array<f32, ROWS * NT * MATRICES>;
    for (var b = me; b < units; b += WG) {
        var xa: array<vec4<f32>, NT>;
        var xb: array<vec4<f32>, NT>;
        for (var t = 0u; t < NT; t++) {
            let i = min(t0 + t, tokens - 1u) * units + b;
            xa[t] = x[i * 2u];
            xb[t] = x[i * 2u + 1u];
        }
        for (var m = 0u; m < MATRICES; m++) {
            let at = p.parts[k * (1u + MATRICES) + 1u + m];
            let planes = Planes(at.x, at.y, at.z, at.w);
            for (var r = 0u; r < ROWS; r++) {
                let w = weight8(planes, min(first + r, part.y - 1u) * units + b);
                for (var t = 0u; t < NT; t++) {
                    sum[(m * ROWS + r) * NT + t] += dot(w[0], xa[t]) + dot(w[1], xb[t]);
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
