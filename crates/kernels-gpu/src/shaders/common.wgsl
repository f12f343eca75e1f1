// What every kernel sees of a step, and small helpers.
//
// step: 0 tokens, 1 outputs, 2 keys per split, 3 splits, 4.. where each list begins (see `step.rs`).

@group(0) @binding(6) var<storage, read> step: array<u32>;

fn idot(a: vec4<u32>, b: vec4<u32>) -> i32 {
    return dot4I8Packed(a.x, b.x) + dot4I8Packed(a.y, b.y) + dot4I8Packed(a.z, b.z) + dot4I8Packed(a.w, b.w);
}

//% if BENT
// Beyond 15 it is one; some devices' own function overflows there.
fn bend(x: f32, by: f32) -> f32 {
    return by * tanh(clamp(x / by, -15.0, 15.0));
}
//% end

fn activate(gate: f32, up: f32) -> f32 {
    switch ACTIVATION {
        case 1u: {
            return 0.5 * gate * (1.0 + tanh(clamp(0.7978846 * (gate + 0.044715 * gate * gate * gate), -15.0, 15.0))) * up;
        }
        case 2u: {
            let g = min(gate, 7.0);
            return g / (1.0 + exp(-1.702 * g)) * (clamp(up, -7.0, 7.0) + 1.0);
        }
        case 3u: {
            let limit = bitcast<f32>(LIMIT);
            return min(gate / (1.0 + exp(-gate)), limit) * clamp(up, -limit, limit);
        }
        case 4u: {
            return max(gate, 0.0) * up;
        }
        case 5u: {
            let limit = bitcast<f32>(LIMIT);
            let g = min(gate, limit);
            return g / (1.0 + exp(-g)) * clamp(up, -limit, limit);
        }
        //% if BENT
        case 6u: {
            var u = up;
            //% if LINEAR
            u = bend(up, bitcast<f32>(LINEAR));
            //% end
            return bend(gate, bitcast<f32>(LIMIT)) / (1.0 + exp(-gate)) * u;
        }
        //% end
        default: {
            return gate / (1.0 + exp(-gate)) * up;
        }
    }
}
