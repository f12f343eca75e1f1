// Sixteen values of what is stored as half floats, two at a time. A byte of which the sign is turned, as the last bits of 1024, is the half float
// 1152 + code, so that no number is converted.
fn half_four(codes: u32, s: f16, m: f16) -> vec4<f16> {
    // What is widened and narrowed again stays as it is.
    let even = vec2<f16>(unpack2x16float((codes & 0x00ff00ffu) ^ 0x64806480u));
    let odd = vec2<f16>(unpack2x16float(((codes >> 8u) & 0x00ff00ffu) ^ 0x64806480u));
    return fma(vec4(even.x, odd.x, even.y, odd.y) - vec4(1152.0h), vec4(s), vec4(m));
}
fn halves16(v: Stored, i: u32) -> array<vec4<f16>, 4> {
    let block = block_of(v, i >> 1u);
    let last = (i & 1u) == 1u;
    let w = select(block.lo, block.hi, last);
    let s = f16(select(block.s.x, block.s.y, last));
    let m = f16(select(block.m.x, block.m.y, last));
    return array(half_four(w.x, s, m), half_four(w.y, s, m), half_four(w.z, s, m), half_four(w.w, s, m));
}
// All of a block.
fn halves32(v: Stored, i: u32) -> array<vec4<f16>, 8> {
    let block = block_of(v, i);
    let s = vec2<f16>(block.s);
    let m = vec2<f16>(block.m);
    return array(
        half_four(block.lo.x, s.x, m.x), half_four(block.lo.y, s.x, m.x), half_four(block.lo.z, s.x, m.x), half_four(block.lo.w, s.x, m.x),
        half_four(block.hi.x, s.y, m.y), half_four(block.hi.y, s.y, m.y), half_four(block.hi.z, s.y, m.y), half_four(block.hi.w, s.y, m.y),
    );
}
