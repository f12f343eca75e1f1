// Four-bit floats, doubled so that they are whole; the scale is half the power of two of the exponent's byte.
const HAS_MIN = false;
const ONE_SCALE = true;
fn floats(w: vec4<u32>) -> vec4<u32> {
    let one = vec4<u32>(0x01010101u);
    let m = w & vec4<u32>(0x07070707u);
    let b0 = m & one;
    let b1 = (m >> vec4<u32>(1u)) & one;
    let b2 = (m >> vec4<u32>(2u)) & one;
    let upper = b2 & b1;
    // 0 1 2 3 4 6 8 12: from four on, more than the code itself.
    let size = m + (b2 & b0) + (upper << vec4<u32>(1u)) + ((upper & b0) << vec4<u32>(1u));
    // Minus where the fourth bit says so; there is no minus zero, which would carry into the next byte.
    let minus = (w >> vec4<u32>(3u)) & (b0 | b1 | b2) & one;
    return (size ^ (minus * 255u)) + minus;
}
fn weight(p: Planes, i: u32) -> Block {
    let w = codes[p.codes + i];
    let e = byte_at(p.scales, i);
    let d = bitcast<f32>(select((e - 1u) << 23u, 0x00200000u << e, e < 2u));
    return Block(floats(w), floats(w >> vec4<u32>(4u)), vec2(d), vec2(0.0));
}
