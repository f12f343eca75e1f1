struct Stored { w: vec4<u32>, s: u32, d: u32 }
fn stored(p: Planes, i: u32) -> Stored {
    return Stored(codes[p.codes + i], words[p.scales + (i >> 2u)], words[p.supers + (i >> 4u)]);
}
fn block_of(v: Stored, i: u32) -> Block {
    let d = half_of(v.d, i >> 3u) * signed(byte_of(v.s, i));
    return Block(look_up(v.w), look_up(v.w >> vec4<u32>(4u)), vec2(d), vec2(0.0));
}
