// `out[t] = table[token[t]] * scale`; a token outside this rank's rows gives zeros.

struct Params { planes: vec4<u32>, first: u32, table_rows: u32, width: u32, out: u32, scale: f32, pad0: u32, pad1: u32, pad2: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let t = group.y;
    let planes = Planes(p.planes.x, p.planes.y, p.planes.z, p.planes.w);
    let units = (p.width + 31u) / 32u * 2u;
    let b = group.x * WG + me;
    if (b >= units) {
        return;
    }
    let row = step[step[4] + t] - p.first;
    let known = row < p.table_rows;
    let w = weight16(planes, select(0u, row, known) * units + b);
    for (var j = 0u; j < 16u; j++) {
        let i = b * 16u + j;
        if (i < p.width) {
            act[p.out + t * p.width + i] = select(0.0, w[j / 4u][j % 4u] * p.scale, known);
        }
    }
}
