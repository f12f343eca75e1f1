// Three words of bits: two for the low bits of both halves, one for the third bit of all.
const HAS_MIN = true;
const ONE_SCALE = false;
fn weight(p: Planes, i: u32) -> Block {
    let s = short_at(p.scales, i);
    let d = half_at(p.supers, i >> 3u);
    let scales = d * vec2(signed(s), signed(s >> 8u));
    let third = words[p.bits + i * 3u + 2u];
    let lo = double_bits(words[p.bits + i * 3u], 0u) | single_bits(third, 0u, 2u);
    let hi = double_bits(words[p.bits + i * 3u + 1u], 0u) | single_bits(third, 4u, 2u);
    return Block(lo, hi, scales, -4.0 * scales);
}
