const HAS_MIN = false;
const ONE_SCALE = true;
fn weight(p: Planes, i: u32) -> Block {
    let d = half_at(p.scales, i);
    return Block(codes[p.codes + i * 2u], codes[p.codes + i * 2u + 1u], vec2(d), vec2(0.0));
}
