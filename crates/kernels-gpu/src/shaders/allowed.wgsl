// Which logits count.

const NEGATIVE_INFINITY = 0x007fffffu;
const INFINITY = 0xff800000u;

// Keys order as floats do. What is no number comes first, so that it is seen.
fn key_of(value: f32) -> u32 {
    let bits = bitcast<u32>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return 0xffffffffu;
    }
    return select(bits ^ 0x80000000u, ~bits, (bits >> 31u) == 1u);
}

// Where a row's mask begins, or 0. The highest bit says that it is for draws only.
fn mask_of(row: u32) -> u32 {
    if (step[19] == 0u) {
        return 0u;
    }
    return step[step[19] + row];
}

// Whether a mask, if there is one, allows a token.
fn is_allowed(found: u32, token: u32) -> bool {
    let mask = found & 0x7fffffffu;
    return mask == 0u || ((step[mask + token / 32u] >> (token % 32u)) & 1u) == 1u;
}
