struct Stored { w: vec4<u32>, d: u32 }
fn stored(p: Planes, i: u32) -> Stored {
    return Stored(codes[p.codes + i], words[p.scales + (i >> 1u)]);
}
fn block_of(v: Stored, i: u32) -> Block {
    return Block(look_up(v.w), look_up(v.w >> vec4<u32>(4u)), vec2(half_of(v.d, i)), vec2(0.0));
}
