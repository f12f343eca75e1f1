// What a row's experts gave, added up.

struct Params { from_rows: u32, out: u32, width: u32, pad: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = group.x * WG + me;
    if (i < p.width) {
        var y = 0.0;
        for (var n = 0u; n < USED; n++) {
            y += act[p.from_rows + (group.y * USED + n) * p.width + i];
        }
        act[p.out + group.y * p.width + i] = y;
    }
}
