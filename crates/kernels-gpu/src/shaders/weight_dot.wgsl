// Both kinds of weights in one shape: sixteen values as floats.
fn half_block(codes: vec4<u32>, s: f32, m: f32) -> array<vec4<f32>, 4> {
    return array(
        vec4<f32>(unpack4xI8(codes.x)) * s + m,
        vec4<f32>(unpack4xI8(codes.y)) * s + m,
        vec4<f32>(unpack4xI8(codes.z)) * s + m,
        vec4<f32>(unpack4xI8(codes.w)) * s + m,
    );
}
fn weight16(p: Planes, i: u32) -> array<vec4<f32>, 4> {
    let block = weight(p, i >> 1u);
    if ((i & 1u) == 0u) {
        return half_block(block.lo, block.s.x, block.m.x);
    }
    return half_block(block.hi, block.s.y, block.m.y);
}
