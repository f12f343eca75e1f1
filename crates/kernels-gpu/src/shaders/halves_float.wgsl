// Sixteen values as half floats.
fn halves16(p: Planes, i: u32) -> array<vec4<f16>, 4> {
    let w = weight16(p, i);
    return array(vec4<f16>(w[0]), vec4<f16>(w[1]), vec4<f16>(w[2]), vec4<f16>(w[3]));
}
fn halves32(p: Planes, i: u32) -> array<vec4<f16>, 8> {
    let a = halves16(p, i * 2u);
    let b = halves16(p, i * 2u + 1u);
    return array(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]);
}
