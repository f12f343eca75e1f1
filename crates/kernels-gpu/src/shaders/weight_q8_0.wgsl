const HAS_MIN = false;
const ONE_SCALE = true;
struct Stored { lo: vec4<u32>, hi: vec4<u32>, d: u32 }
fn stored(p: Planes, i: u32) -> Stored {
    return Stored(codes[p.codes + i * 2u], codes[p.codes + i * 2u + 1u], words[p.scales + (i >> 1u)]);
}
fn block_of(v: Stored, i: u32) -> Block {
    return Block(v.lo, v.hi, vec2(half_of(v.d, i)), vec2(0.0));
}
