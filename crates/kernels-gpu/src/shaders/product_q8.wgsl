@group(0) @binding(4) var<storage, read> x_scales: array<vec2<u32>>;
const UNITS = 1u;
fn product(planes: Planes, i: u32, j: u32) -> f32 {
    let w = weight(planes, i);
    let xs = x_scales[j];
    var v = w.s.x * f32(idot(w.lo, x[j * 2u])) + w.s.y * f32(idot(w.hi, x[j * 2u + 1u]));
    if (HAS_MIN) {
        v += w.m.x * f32(bitcast<i32>(xs.y << 16u) >> 16u) + w.m.y * f32(bitcast<i32>(xs.y) >> 16u);
    }
    return bitcast<f32>(xs.x) * v;
}
