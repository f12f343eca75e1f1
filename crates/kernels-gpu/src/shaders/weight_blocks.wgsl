// A block of weights times a block of eight-bit activations, without the activations' scale. `low` and `high`: the sums of
// the activations' first and last sixteen codes.
fn blocks(w: Block, xl: vec4<u32>, xh: vec4<u32>, low: f32, high: f32) -> f32 {
    if (ONE_SCALE) {
        let sum = w.s.x * f32(idot(w.lo, xl) + idot(w.hi, xh));
        return select(sum, sum + w.m.x * (low + high), HAS_MIN);
    }
    let sum = w.s.x * f32(idot(w.lo, xl)) + w.s.y * f32(idot(w.hi, xh));
    return select(sum, sum + w.m.x * low + w.m.y * high, HAS_MIN);
}
