const HAS_MIN = true;
const ONE_SCALE = true;
struct Stored { w: vec4<u32>, d: u32 }
fn stored(p: Planes, i: u32) -> Stored {
    return Stored(codes[p.codes + i], words[p.scales + i]);
}
fn block_of(v: Stored, i: u32) -> Block {
    let d = unpack2x16float(v.d);
    return Block(v.w & NIBBLES, (v.w >> vec4<u32>(4u)) & NIBBLES, vec2(d.x), vec2(d.y));
}
