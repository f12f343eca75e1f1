// Three words of bits: two for the low bits of both halves, one for the third bit of all.
const HAS_MIN = true;
const ONE_SCALE = false;
struct Stored { bits: vec3<u32>, s: u32, d: u32 }
fn stored(p: Planes, i: u32) -> Stored {
    return Stored(vec3(words[p.bits + i * 3u], words[p.bits + i * 3u + 1u], words[p.bits + i * 3u + 2u]), words[p.scales + (i >> 1u)], words[p.supers + (i >> 4u)]);
}
fn block_of(v: Stored, i: u32) -> Block {
    let s = short_of(v.s, i);
    let scales = half_of(v.d, i >> 3u) * vec2(signed(s), signed(s >> 8u));
    let lo = double_bits(v.bits.x, 0u) | single_bits(v.bits.z, 0u, 2u);
    let hi = double_bits(v.bits.y, 0u) | single_bits(v.bits.z, 4u, 2u);
    return Block(lo, hi, scales, -4.0 * scales);
}
