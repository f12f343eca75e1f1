// Sixteen values as half floats.
fn halves16(p: Planes, i: u32) -> array<vec4<f16>, 4> {
    let w = weight16(p, i);
    return array(vec4<f16>(w[0]), vec4<f16>(w[1]), vec4<f16>(w[2]), vec4<f16>(w[3]));
}
