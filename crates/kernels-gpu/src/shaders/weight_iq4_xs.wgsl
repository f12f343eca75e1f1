fn weight(p: Planes, i: u32) -> Block {
    let w = codes[p.codes + i];
    let d = half_at(p.supers, i >> 3u) * signed(byte_at(p.scales, i));
    return Block(look_up(w), look_up(w >> vec4<u32>(4u)), vec2(d), vec2(0.0));
}
