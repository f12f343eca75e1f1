// The types whose values are chosen together from a table are stored as the values' own codes. VALUES and UNIT: see `kernels.rs`.
const HAS_MIN = false;
const ONE_SCALE = false;
struct Stored { w: vec4<u32>, s: u32, d: u32 }
fn stored(p: Planes, i: u32) -> Stored {
    return Stored(codes[p.codes + i], words[p.scales + (i >> 1u)], words[p.supers + (i >> 4u)]);
}
fn block_of(v: Stored, i: u32) -> Block {
    let s = short_of(v.s, i);
    let d = half_of(v.d, i >> 3u) * bitcast<f32>(UNIT);
    return Block(look_up(v.w), look_up(v.w >> vec4<u32>(4u)), d * vec2(signed(s), signed(s >> 8u)), vec2(0.0));
}
