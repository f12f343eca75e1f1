// The types whose values are chosen together from a table are stored as the values' own codes. VALUES and UNIT: see `kernels.rs`.
const HAS_MIN = false;
const ONE_SCALE = false;
fn weight(p: Planes, i: u32) -> Block {
    let w = codes[p.codes + i];
    let s = short_at(p.scales, i);
    let d = half_at(p.supers, i >> 3u) * bitcast<f32>(UNIT);
    return Block(look_up(w), look_up(w >> vec4<u32>(4u)), d * vec2(signed(s), signed(s >> 8u)), vec2(0.0));
}
