struct Stored { w: vec4<u32>, b: u32, head: vec4<u32> }
fn stored(p: Planes, i: u32) -> Stored {
    return Stored(codes[p.codes + i], words[p.bits + i], codes[p.supers + (i >> 3u)]);
}
fn block_of(v: Stored, i: u32) -> Block {
    let d = unpack2x16float(v.head.x) * k_scales(v.head, i & 7u);
    return Block((v.w & NIBBLES) | single_bits(v.b, 0u, 4u), ((v.w >> vec4<u32>(4u)) & NIBBLES) | single_bits(v.b, 4u, 4u), vec2(d.x), vec2(-d.y));
}
