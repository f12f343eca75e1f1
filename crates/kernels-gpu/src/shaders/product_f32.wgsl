const UNITS = 4u;
fn product(planes: Planes, i: u32, j: u32) -> f32 {
    let w = weight8(planes, i);
    return dot(w[0], bitcast<vec4<f32>>(x[j * 2u])) + dot(w[1], bitcast<vec4<f32>>(x[j * 2u + 1u]));
}
