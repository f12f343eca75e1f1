fn weight16(p: Planes, i: u32) -> array<vec4<f32>, 4> {
    let a = weight8(p, i * 2u);
    let b = weight8(p, i * 2u + 1u);
    return array(a[0], a[1], b[0], b[1]);
}
