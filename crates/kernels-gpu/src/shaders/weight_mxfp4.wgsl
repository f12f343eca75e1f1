// Four-bit floats, doubled so that they are whole. As they are packed (see `packing.rs`), a code is the value plus 1 or the value plus 14,
// and it is plus 1 where at least two of these hold: its first bit is set, its second is not, its fourth is not. With 13 added to those,
// all are 14 too large.
const HAS_MIN = true;
const ONE_SCALE = true;
struct Stored { w: vec4<u32>, e: u32 }
fn stored(p: Planes, i: u32) -> Stored {
    return Stored(codes[p.codes + i], words[p.scales + (i >> 2u)]);
}
fn block_of(v: Stored, i: u32) -> Block {
    let second = v.w >> vec4<u32>(1u);
    let fourth = v.w >> vec4<u32>(3u);
    // In the first bit of each code.
    let most = (v.w & ~(second & fourth)) | ~(second | fourth);
    let ones = vec4<u32>(0x01010101u);
    let lo = (v.w & NIBBLES) + (most & ones) * 13u;
    let hi = ((v.w >> vec4<u32>(4u)) & NIBBLES) + ((most >> vec4<u32>(4u)) & ones) * 13u;
    // The scale is half the power of two of the exponent's byte.
    let e = byte_of(v.e, i);
    let d = bitcast<f32>(select((e - 1u) << 23u, 0x00200000u << e, e < 2u));
    return Block(lo, hi, vec2(d), vec2(-14.0 * d));
}
