@group(0) @binding(4) var<storage, read> x_scales: array<vec2<u32>>;
const UNITS = 1u;
fn product(planes: Planes, i: u32, j: u32) -> f32 {
    let w = weight(planes, i);
    let xs = x_scales[j];
    let low = f32(bitcast<i32>(xs.y << 16u) >> 16u);
    let high = f32(bitcast<i32>(xs.y) >> 16u);
    return bitcast<f32>(xs.x) * blocks(w, x[j * 2u], x[j * 2u + 1u], low, high);
}
