const HAS_MIN = true;
const ONE_SCALE = true;
struct Stored { w: vec4<u32>, b: u32, d: u32 }
fn stored(p: Planes, i: u32) -> Stored {
    return Stored(codes[p.codes + i], words[p.bits + i], words[p.scales + (i >> 1u)]);
}
fn block_of(v: Stored, i: u32) -> Block {
    let d = half_of(v.d, i);
    return Block((v.w & NIBBLES) | single_bits(v.b, 0u, 4u), ((v.w >> vec4<u32>(4u)) & NIBBLES) | single_bits(v.b, 4u, 4u), vec2(d), vec2(-16.0 * d));
}
