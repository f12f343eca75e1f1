// The head of 256 values as the file has it: d and dmin, then eight scales and minimums of six bits in twelve bytes.
const HAS_MIN = true;
const ONE_SCALE = true;
fn k_scales(head: vec4<u32>, sub: u32) -> vec2<f32> {
    let at = (sub & 3u) * 8u;
    let low = vec2(head.y >> at, head.z >> at);
    let high = head.w >> at;
    let first = low & vec2(63u);
    let second = vec2(high & 15u, (high >> 4u) & 15u) | (((low >> vec2(6u)) & vec2(3u)) << vec2(4u));
    return vec2<f32>(select(second, first, sub < 4u));
}
