// Both kinds of weights in one shape: what is stored of a block is narrowed at once.
struct Stored { values: array<vec4<f16>, 8> }
fn stored(p: Planes, i: u32) -> Stored {
    let a = weight16(p, i * 2u);
    let b = weight16(p, i * 2u + 1u);
    return Stored(array(
        vec4<f16>(a[0]), vec4<f16>(a[1]), vec4<f16>(a[2]), vec4<f16>(a[3]),
        vec4<f16>(b[0]), vec4<f16>(b[1]), vec4<f16>(b[2]), vec4<f16>(b[3]),
    ));
}
fn halves16(v: Stored, i: u32) -> array<vec4<f16>, 4> {
    let a = (i & 1u) == 0u;
    let all = v.values;
    return array(select(all[4], all[0], a), select(all[5], all[1], a), select(all[6], all[2], a), select(all[7], all[3], a));
}
fn halves32(v: Stored, i: u32) -> array<vec4<f16>, 8> {
    return v.values;
}
