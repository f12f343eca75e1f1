fn weight(p: Planes, i: u32) -> Block {
    return block_of(stored(p, i), i);
}
// Both kinds of weights in one shape: sixteen values as floats.
fn four(codes: u32, s: f32, m: f32) -> vec4<f32> {
    return vec4<f32>(unpack4xI8(codes)) * s + m;
}
fn weight16(p: Planes, i: u32) -> array<vec4<f32>, 4> {
    // Neighbours take the halves of a block: they do the same with other values, so that none waits for the other.
    let block = weight(p, i >> 1u);
    let last = (i & 1u) == 1u;
    let w = select(block.lo, block.hi, last);
    let s = select(block.s.x, block.s.y, last);
    let m = select(block.m.x, block.m.y, last);
    return array(four(w.x, s, m), four(w.y, s, m), four(w.z, s, m), four(w.w, s, m));
}
