const HAS_MIN = true;
const ONE_SCALE = false;
struct Stored { w: vec4<u32>, bits: vec2<u32>, s: u32, d: u32 }
fn stored(p: Planes, i: u32) -> Stored {
    return Stored(codes[p.codes + i], vec2(words[p.bits + i * 2u], words[p.bits + i * 2u + 1u]), words[p.scales + (i >> 1u)], words[p.supers + (i >> 4u)]);
}
fn block_of(v: Stored, i: u32) -> Block {
    let s = short_of(v.s, i);
    let scales = half_of(v.d, i >> 3u) * vec2(signed(s), signed(s >> 8u));
    let lo = (v.w & NIBBLES) | double_bits(v.bits.x, 4u);
    let hi = ((v.w >> vec4<u32>(4u)) & NIBBLES) | double_bits(v.bits.y, 4u);
    return Block(lo, hi, scales, -32.0 * scales);
}
