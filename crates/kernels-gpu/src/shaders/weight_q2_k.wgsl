const HAS_MIN = true;
const ONE_SCALE = false;
fn weight(p: Planes, i: u32) -> Block {
    let s = short_at(p.scales, i);
    let d = unpack2x16float(words[p.supers + (i >> 3u)]);
    let scales = vec2(f32(s & 15u), f32((s >> 8u) & 15u));
    let mins = vec2(f32((s >> 4u) & 15u), f32(s >> 12u));
    return Block(double_bits(words[p.bits + i * 2u], 0u), double_bits(words[p.bits + i * 2u + 1u], 0u), d.x * scales, -d.y * mins);
}
