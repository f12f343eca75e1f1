// A row through its chosen experts. MATRICES 2: gate and up of one expert and row, activated; MATRICES 1: down of all of a
// row's experts, weighed and added up. `EIGHT`: eight-bit activations, else floats.

struct Params {
    first: vec4<u32>, second: vec4<u32>,
    blocks: u32, rows: u32, chosen: u32, weights: u32,
    out: u32, first_bias: u32, second_bias: u32, pad: u32,
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

var<workgroup> sums: array<f32, ROWS * MATRICES * SUBGROUPS>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let item = group.y;
    let first = group.x * ROWS;
    var sum: array<f32, ROWS * MATRICES>;
    for (var n = 0u; n < select(USED, 1u, MATRICES == 2u); n++) {
        let pair = select(item * USED + n, item, MATRICES == 2u);
        let x_row = select(pair, item / USED, MATRICES == 2u);
        let expert = u32(act[p.chosen + pair]);
        let share = select(act[p.weights + pair], 1.0, MATRICES == 2u);
        for (var m = 0u; m < MATRICES; m++) {
            var at = p.first;
            if (m == 1u) {
                at = p.second;
            }
            let planes = Planes(at.x, at.y, at.z, at.w);
            for (var b = me; b < p.blocks * UNITS; b += WG) {
                for (var r = 0u; r < ROWS; r++) {
                    let row = expert * p.rows + min(first + r, p.rows - 1u);
                    sum[m * ROWS + r] += share * product(planes, row * p.blocks * UNITS + b, x_row * p.blocks * UNITS + b);
                }
            }
        }
    }
    for (var i = 0u; i < ROWS * MATRICES; i++) {
        let total = subgroupAdd(sum[i]);
        if (lane == 0u) {
            sums[i * SUBGROUPS + subgroup] = total;
        }
    }
    workgroupBarrier();
    let row = first + me;
    if (me < ROWS && row < p.rows) {
        var y = 0.0;
        for (var i = 0u; i < (WG + size - 1u) / size; i++) {
            y += sums[me * SUBGROUPS + i];
        }
        if (MATRICES == 2u) {
            let expert = u32(act[p.chosen + item]);
            var up = 0.0;
            for (var i = 0u; i < (WG + size - 1u) / size; i++) {
                up += sums[(ROWS + me) * SUBGROUPS + i];
            }
            if (p.first_bias > 0u) {
                y += vectors[p.first_bias - 1u + expert * p.rows + row];
            }
            if (p.second_bias > 0u) {
                up += vectors[p.second_bias - 1u + expert * p.rows + row];
            }
            y = activate(y, up);
        } else if (p.first_bias > 0u) {
            for (var n = 0u; n < USED; n++) {
                let expert = u32(act[p.chosen + item * USED + n]);
                y += act[p.weights + item * USED + n] * vectors[p.first_bias - 1u + expert * p.rows + row];
            }
        }
        act[p.out + item * p.rows + row] = y;
    }
}
