const HAS_MIN = true;
const ONE_SCALE = true;
fn weight(p: Planes, i: u32) -> Block {
    let w = codes[p.codes + i];
    let b = words[p.bits + i];
    let d = half_at(p.scales, i);
    return Block((w & NIBBLES) | single_bits(b, 0u, 4u), ((w >> vec4<u32>(4u)) & NIBBLES) | single_bits(b, 4u, 4u), vec2(d), vec2(-16.0 * d));
}
