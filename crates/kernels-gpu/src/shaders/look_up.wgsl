// Codes are indices into sixteen values.
fn value_of(index: u32) -> u32 {
    let word = select(select(VALUES.x, VALUES.y, (index & 4u) != 0u), select(VALUES.z, VALUES.w, (index & 4u) != 0u), (index & 8u) != 0u);
    return (word >> ((index & 3u) * 8u)) & 0xffu;
}
fn values_of(w: u32) -> u32 {
    return value_of(w & 15u) | (value_of((w >> 8u) & 15u) << 8u) | (value_of((w >> 16u) & 15u) << 16u) | (value_of((w >> 24u) & 15u) << 24u);
}
fn look_up(w: vec4<u32>) -> vec4<u32> {
    return vec4(values_of(w.x), values_of(w.y), values_of(w.z), values_of(w.w));
}
