// A matrix as half floats, for products that read it many times.

// `first`: where the half floats begin, in units of 16 bytes.
struct Params { planes: vec4<u32>, units: u32, first: u32, pad0: u32, pad1: u32 }
@group(0) @binding(3) var<storage, read_write> halves: array<vec4<u32>>;
@group(0) @binding(5) var<uniform> p: Params;

fn pack_four(w: vec4<f16>) -> vec2<u32> {
    return vec2(pack2x16float(vec2<f32>(w.xy)), pack2x16float(vec2<f32>(w.zw)));
}

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = (group.y * 32768u + group.x) * WG + me;
    if (i < p.units) {
        let planes = Planes(p.planes.x, p.planes.y, p.planes.z, p.planes.w);
        let w = halves16(stored(planes, i >> 1u), i);
        halves[p.first + i * 2u] = vec4(pack_four(w[0]), pack_four(w[1]));
        halves[p.first + i * 2u + 1u] = vec4(pack_four(w[2]), pack_four(w[3]));
    }
}
