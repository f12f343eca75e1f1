// One row of eight-bit activations times gates and what they gate: a workgroup makes 32 results, joined and prepared for the
// product that reads them. A subgroup makes one result after the other. TAKEN: the row is normed on the way.

//% if TAKEN
struct Params { x: u32, norm: u32, width: u32, stride: u32, gate: vec4<u32>, up: vec4<u32> }
//% end
//% unless TAKEN
struct Params { blocks: u32, pad0: u32, pad1: u32, stride: u32, gate: vec4<u32>, up: vec4<u32> }
@group(0) @binding(9) var<storage, read> from_codes: array<vec4<u32>>;
@group(0) @binding(10) var<storage, read> from_scales: array<vec2<u32>>;
//% end
@group(0) @binding(5) var<uniform> p: Params;

var<workgroup> results: array<f32, 32>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let gates = Planes(p.gate.x, p.gate.y, p.gate.z, p.gate.w);
    let ups = Planes(p.up.x, p.up.y, p.up.z, p.up.w);
    //% if TAKEN
    let blocks_of_row = TAKEN;
    take(p.x, p.norm, p.width, me, lane, subgroup, size);
    //% end
    //% unless TAKEN
    let blocks_of_row = p.blocks;
    //% end
    for (var r = subgroup; r < 32u; r += WG / size) {
        let row = (group.x * 32u + r) * blocks_of_row;
        var gate = 0.0;
        var up = 0.0;
        for (var b = lane; b < blocks_of_row; b += size) {
            let g = weight(gates, row + b);
            let u = weight(ups, row + b);
            let low = from_codes[b * 2u];
            let high = from_codes[b * 2u + 1u];
            let xs = from_scales[b];
            let scale = bitcast<f32>(xs.x);
            let low_sum = f32(bitcast<i32>(xs.y << 16u) >> 16u);
            let high_sum = f32(bitcast<i32>(xs.y) >> 16u);
            gate += scale * blocks(g, low, high, low_sum, high_sum);
            up += scale * blocks(u, low, high, low_sum, high_sum);
        }
        let gate_all = subgroupAdd(gate);
        let up_all = subgroupAdd(up);
        if (lane == 0u) {
            results[r] = activate(gate_all, up_all);
        }
    }
    workgroupBarrier();
    let i = min(me, 7u) * 4u;
    let values = vec4(results[i], results[i + 1u], results[i + 2u], results[i + 3u]);
    prepare(values, me, select(p.stride, group.x * 32u + i, me < 8u), 0u, p.stride);
}
