const HAS_MIN = true;
const ONE_SCALE = true;
struct Stored { w: vec4<u32>, d: u32 }
fn stored(p: Planes, i: u32) -> Stored {
    return Stored(codes[p.codes + i], words[p.scales + (i >> 1u)]);
}
fn block_of(v: Stored, i: u32) -> Block {
    let d = half_of(v.d, i);
    return Block(v.w & NIBBLES, (v.w >> vec4<u32>(4u)) & NIBBLES, vec2(d), vec2(-8.0 * d));
}
