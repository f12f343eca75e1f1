// What a layer's cache holds, as kernels read it: in words of 16 bytes.

// The first position that one sees: of its window, or of its chunk.
fn seen_from(position: u32, window: u32) -> u32 {
    //% if CHUNKED
    return position / window * window;
    //% end
    //% unless CHUNKED
    return select(0u, position + 1u - min(position + 1u, window), window > 0u);
    //% end
}

// Where what a row sees ends: after itself, or after the rows that were given together with it.
fn seen_to(row: u32) -> u32 {
    return step[step[16] + row];
}

// Eight values as they are stored, and their scale.
struct Stored { a: vec4<u32>, b: vec4<u32>, scale: f32 }

// The unit `u` of a row of `units` units.
fn stored(plane: u32, scales: u32, slot: u32, units: u32, u: u32) -> Stored {
    if (CACHE == 0u) {
        let at = plane / 4u + (slot * units + u) * 2u;
        return Stored(cache[at], cache[at + 1u], 1.0);
    } else if (CACHE == 1u) {
        return Stored(cache[plane / 4u + slot * units + u], vec4(0u), 1.0);
    }
    let blocks = (units + 3u) / 4u;
    let w = cache[plane / 4u + slot * blocks * 2u + u / 2u];
    let pair = select(w.xy, w.zw, (u & 1u) == 1u);
    let i = scales + slot * blocks + u / 4u;
    return Stored(vec4(pair, 0u, 0u), vec4(0u), bitcast<f32>(cache[i / 4u][i % 4u]));
}

fn values_of(w: Stored) -> array<vec4<f32>, 2> {
    if (CACHE == 0u) {
        return array(bitcast<vec4<f32>>(w.a), bitcast<vec4<f32>>(w.b));
    } else if (CACHE == 1u) {
        return array(
            vec4(unpack2x16float(w.a.x), unpack2x16float(w.a.y)), vec4(unpack2x16float(w.a.z), unpack2x16float(w.a.w)),
        );
    }
    return array(vec4<f32>(unpack4xI8(w.a.x)) * w.scale, vec4<f32>(unpack4xI8(w.a.y)) * w.scale);
}

fn eight(plane: u32, scales: u32, slot: u32, units: u32, u: u32) -> array<vec4<f32>, 2> {
    return values_of(stored(plane, scales, slot, units, u));
}
