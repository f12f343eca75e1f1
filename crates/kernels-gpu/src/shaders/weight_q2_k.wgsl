const HAS_MIN = true;
const ONE_SCALE = false;
struct Stored { bits: vec2<u32>, s: u32, d: u32 }
fn stored(p: Planes, i: u32) -> Stored {
    return Stored(vec2(words[p.bits + i * 2u], words[p.bits + i * 2u + 1u]), words[p.scales + (i >> 1u)], words[p.supers + (i >> 3u)]);
}
fn block_of(v: Stored, i: u32) -> Block {
    let s = short_of(v.s, i);
    let d = unpack2x16float(v.d);
    let scales = vec2(f32(s & 15u), f32((s >> 8u) & 15u));
    let mins = vec2(f32((s >> 4u) & 15u), f32(s >> 12u));
    return Block(double_bits(v.bits.x, 0u), double_bits(v.bits.y, 0u), d.x * scales, -d.y * mins);
}
