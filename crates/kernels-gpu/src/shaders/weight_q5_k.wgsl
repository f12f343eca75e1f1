fn weight(p: Planes, i: u32) -> Block {
    let w = codes[p.codes + i];
    let head = codes[p.supers + (i >> 3u)];
    let b = words[p.bits + i];
    let d = unpack2x16float(head.x) * k_scales(head, i & 7u);
    return Block((w & NIBBLES) | single_bits(b, 0u, 4u), ((w >> vec4<u32>(4u)) & NIBBLES) | single_bits(b, 4u, 4u), vec2(d.x), vec2(-d.y));
}
