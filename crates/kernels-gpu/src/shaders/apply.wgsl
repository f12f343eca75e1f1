// A stack of matrices, each applied to rows of its own: `out[t, e] = matrix[e] · x[t, e]`, in floats. One workgroup makes
// ROWS values of one `t` and `e`.

struct Params { planes: vec4<u32>, x: u32, x_row: u32, x_item: u32, cols: u32, out: u32, out_row: u32, out_item: u32, rows: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

var<workgroup> sums: array<f32, ROWS * SUBGROUPS>;

fn value(at: u32, i: u32) -> f32 {
    return select(0.0, act[at + min(i, p.cols - 1u)], i < p.cols);
}

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let planes = Planes(p.planes.x, p.planes.y, p.planes.z, p.planes.w);
    let first = group.x * ROWS;
    let x = p.x + group.z * p.x_row + group.y * p.x_item;
    // Rows are stored in blocks of 32 values; a unit is half of one.
    let units = (p.cols + 31u) / 32u * 2u;
    var sum: array<f32, ROWS>;
    for (var b = me; b < units; b += WG) {
        let i = b * 16u;
        var v: array<vec4<f32>, 4>;
        for (var j = 0u; j < 4u; j++) {
            let at = i + j * 4u;
            v[j] = vec4(value(x, at), value(x, at + 1u), value(x, at + 2u), value(x, at + 3u));
        }
        for (var r = 0u; r < ROWS; r++) {
            let row = group.y * p.rows + min(first + r, p.rows - 1u);
            let w = weight16(planes, row * units + b);
            sum[r] += dot(w[0], v[0]) + dot(w[1], v[1]) + dot(w[2], v[2]) + dot(w[3], v[3]);
        }
    }
    for (var r = 0u; r < ROWS; r++) {
        let total = subgroupAdd(sum[r]);
        if (lane == 0u) {
            sums[r * SUBGROUPS + subgroup] = total;
        }
    }
    workgroupBarrier();
    if (me < ROWS && first + me < p.rows) {
        var y = 0.0;
        for (var i = 0u; i < (WG + size - 1u) / size; i++) {
            y += sums[me * SUBGROUPS + i];
        }
        act[p.out + group.z * p.out_row + group.y * p.out_item + first + me] = y;
    }
}
