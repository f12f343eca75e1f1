// Values of `held` as a narrow type would hold them, in blocks with a scale each. `ROUNDING`: 1 eight bits, 2 four bits, both with a power
// of two for 32 values; 3 four bits with a scale in eight bits for 16 values.

const E4M3_MAX = 448.0;
const E2M1_MAX = 6.0;

// The least power of two that is not below `x`.
fn power_of_two_from(x: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(x) + 0x7fffffu) & 0xff800000u);
}

// One over a power of two, exactly.
fn inverse_of_power(x: f32) -> f32 {
    return bitcast<f32>((254u << 23u) - bitcast<u32>(x));
}

// The nearest value whose steps are a `steps`th of its power of two, no finer than those at `least`; of two as near, the even one.
fn narrowed(x: f32, steps: f32, least: f32, most: f32) -> f32 {
    let power = bitcast<f32>(bitcast<u32>(max(abs(x), least)) & 0x7f800000u);
    let code = round(x * inverse_of_power(power) * steps);
    return clamp(code * (power / steps), -most, most);
}

fn e4m3(x: f32) -> f32 {
    return narrowed(x, 8.0, 0.015625, E4M3_MAX);
}

fn e2m1(x: f32) -> f32 {
    return narrowed(x, 2.0, 1.0, E2M1_MAX);
}

fn round_held(dim: u32, me: u32) {
    let len = select(32u, 16u, ROUNDING == 3u);
    for (var b = me; b < dim / len; b += WG) {
        let first = b * len;
        var most = 0.0;
        for (var i = 0u; i < len; i++) {
            most = max(most, abs(held[first + i]));
        }
        if (ROUNDING == 1u) {
            let scale = power_of_two_from(max(most, 1e-4) / E4M3_MAX);
            for (var i = 0u; i < len; i++) {
                held[first + i] = e4m3(held[first + i] * inverse_of_power(scale)) * scale;
            }
        } else if (ROUNDING == 2u) {
            let scale = power_of_two_from(max(most, 7.052966e-38) / E2M1_MAX);
            for (var i = 0u; i < len; i++) {
                held[first + i] = e2m1(held[first + i] * inverse_of_power(scale)) * scale;
            }
        } else {
            let scale = e4m3(max(most, E2M1_MAX / 512.0) / E2M1_MAX);
            for (var i = 0u; i < len; i++) {
                held[first + i] = e2m1(held[first + i] / scale) * scale;
            }
        }
    }
    workgroupBarrier();
}
