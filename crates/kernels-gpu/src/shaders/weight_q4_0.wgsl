const HAS_MIN = true;
const ONE_SCALE = true;
fn weight(p: Planes, i: u32) -> Block {
    let w = codes[p.codes + i];
    let d = half_at(p.scales, i);
    return Block(w & NIBBLES, (w >> vec4<u32>(4u)) & NIBBLES, vec2(d), vec2(-8.0 * d));
}
