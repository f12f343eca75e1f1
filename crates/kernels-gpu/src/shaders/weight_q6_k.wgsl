const HAS_MIN = true;
const ONE_SCALE = false;
fn weight(p: Planes, i: u32) -> Block {
    let w = codes[p.codes + i];
    let s = short_at(p.scales, i);
    let scales = half_at(p.supers, i >> 3u) * vec2(signed(s), signed(s >> 8u));
    let lo = (w & NIBBLES) | double_bits(words[p.bits + i * 2u], 4u);
    let hi = ((w >> vec4<u32>(4u)) & NIBBLES) | double_bits(words[p.bits + i * 2u + 1u], 4u);
    return Block(lo, hi, scales, -32.0 * scales);
}
