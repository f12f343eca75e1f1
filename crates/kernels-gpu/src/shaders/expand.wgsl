// A matrix as half floats, for products that read it many times.

// `first`: where the half floats begin, in units of 16 bytes.
struct Params { planes: vec4<u32>, units: u32, first: u32, pad0: u32, pad1: u32 }
@group(0) @binding(3) var<storage, read_write> halves: array<vec4<u32>>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = (group.y * 32768u + group.x) * WG + me;
    if (i < p.units) {
        let w = weight16(Planes(p.planes.x, p.planes.y, p.planes.z, p.planes.w), i);
        halves[p.first + i * 2u] = vec4(pack2x16float(w[0].xy), pack2x16float(w[0].zw), pack2x16float(w[1].xy), pack2x16float(w[1].zw));
        halves[p.first + i * 2u + 1u] = vec4(pack2x16float(w[2].xy), pack2x16float(w[2].zw), pack2x16float(w[3].xy), pack2x16float(w[3].zw));
    }
}
