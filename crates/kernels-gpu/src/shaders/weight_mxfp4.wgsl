// Four-bit floats, doubled so that they are whole; the scale is half the power of two of the exponent's byte. There is no minus zero
// (see `packing.rs`): it would carry into the next byte.
const HAS_MIN = false;
const ONE_SCALE = true;
fn floats(w: vec4<u32>) -> vec4<u32> {
    let one = vec4<u32>(0x01010101u);
    // 0 1 2 3 4 6 8 12: from four on the last two bits count twice, and both together twice more.
    let again = w & (((w >> vec4<u32>(2u)) & one) * 3u);
    let both = again & (again >> vec4<u32>(1u)) & one;
    let size = (w & vec4<u32>(0x07070707u)) + again + both + both;
    // Minus where the fourth bit says so.
    let minus = (w >> vec4<u32>(3u)) & one;
    return (size ^ (minus * 255u)) + minus;
}
fn weight(p: Planes, i: u32) -> Block {
    let w = codes[p.codes + i];
    let e = byte_at(p.scales, i);
    let d = bitcast<f32>(select((e - 1u) << 23u, 0x00200000u << e, e < 2u));
    return Block(floats(w), floats(w >> vec4<u32>(4u)), vec2(d), vec2(0.0));
}
