// Products whose depth was divided among workgroups: the parts are added up. Parts of the parameters as in `matmul_head`, with
// where the splits lie in place of planes.

struct Params { splits: u32, rows: u32, count: u32, pad: u32, parts: array<vec4<u32>, 12> }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    var part_at = 0u;
    while (part_at + 1u < p.count && group.x >= p.parts[(part_at + 1u) * 2u].x) {
        part_at++;
    }
    let part = p.parts[part_at * 2u];
    // Where the first split begins, and how long each is.
    let at = p.parts[part_at * 2u + 1u];
    let n = (group.x - part.x) * WG + me;
    if (n < part.y) {
        var y = 0.0;
        if (part.w > 0u) {
            y = vectors[part.w - 1u + n];
        }
        for (var i = 0u; i < p.splits; i++) {
            y += act[at.x + i * at.y + group.y * part.y + n];
        }
        act[part.z + group.y * part.y + n] = y;
    }
}
