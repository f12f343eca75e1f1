// A row that every workgroup of a product norms for itself, so that no kernel must do so before. TAKEN: blocks of 32 values of the row.
// FOURS: how often a thread brings four values. With CODED they become blocks of eight bits, as `prepare` makes them.

@group(0) @binding(2) var<storage, read_write> act: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> vectors: array<vec4<f32>>;

//% if CODED
var<workgroup> from_codes: array<vec4<u32>, TAKEN * 2u>;
var<workgroup> from_scales: array<vec2<u32>, TAKEN>;
//% end
//% unless CODED
var<workgroup> from_fours: array<vec4<f32>, TAKEN * 8u>;
//% end

// `x` and `weight`: where the row and the norm's weights begin. `width`: values of the row, whole fours.
fn take(x: u32, weight: u32, width: u32, me: u32, lane: u32, subgroup: u32, size: u32) {
    var squares = 0.0;
    //% for n FOURS
    let i{n} = me + {n}u * WG;
    let known{n} = i{n} * 4u < width;
    let at{n} = min(i{n}, width / 4u - 1u);
    let v{n} = select(vec4(0.0), act[x / 4u + at{n}], known{n});
    let w{n} = select(vec4(0.0), vectors[weight / 4u + at{n}], known{n});
    squares += dot(v{n}, v{n});
    //% end
    let scale = 1.0 / sqrt(workgroup_sum(squares, lane, subgroup, size) / f32(width) + bitcast<f32>(EPS));
    //% for n FOURS
    let y{n} = v{n} * scale * w{n};
    //% if CODED
    let q{n} = quantised(y{n});
    // One of four neighbours writes what all of them have: threads that write parts of one word of 16 bytes may be in each other's way.
    let whole{n} = vec4(
        q{n}.codes, subgroupShuffleXor(q{n}.codes, 1u), subgroupShuffleXor(q{n}.codes, 2u), subgroupShuffleXor(q{n}.codes, 3u),
    );
    if (i{n} < TAKEN * 8u) {
        if ((me & 3u) == 0u) {
            from_codes[i{n} / 4u] = whole{n};
        }
        if ((me & 7u) == 0u) {
            from_scales[i{n} / 8u] = q{n}.scale;
        }
    }
    //% end
    //% unless CODED
    if (i{n} < TAKEN * 8u) {
        from_fours[i{n}] = y{n};
    }
    //% end
    //% end
    workgroupBarrier();
}
