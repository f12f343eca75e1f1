// The inputs of products, in the form that the product's kernel reads: `FORMAT` 0 none, 1 eight-bit blocks, 2 floats, 3 half floats.
//
// A thread brings four consecutive values of a row; eight neighbours, which are of one subgroup, make a block of 32. All threads
// of a workgroup must call it.

@group(0) @binding(3) var<storage, read_write> x_words: array<u32>;
@group(0) @binding(4) var<storage, read_write> x_scales: array<vec2<u32>>;

// `at`: the first of the values within the row, a multiple of 4. `stride`: values of a prepared row, a multiple of 32.
fn prepare(values: vec4<f32>, me: u32, at: u32, row: u32, stride: u32) {
    if (FORMAT == 1u) {
        let q = quantised(values);
        if (at < stride) {
            x_words[(row * stride + at) / 4u] = q.codes;
            if ((me & 7u) == 0u) {
                x_scales[(row * stride + at) / 32u] = q.scale;
            }
        }
    } else if (FORMAT == 2u) {
        if (at < stride) {
            let to = row * stride + at;
            x_words[to] = bitcast<u32>(values.x);
            x_words[to + 1u] = bitcast<u32>(values.y);
            x_words[to + 2u] = bitcast<u32>(values.z);
            x_words[to + 3u] = bitcast<u32>(values.w);
        }
    } else if (FORMAT == 3u) {
        if (at < stride) {
            let to = (row * stride + at) / 2u;
            let held = clamp(values, vec4(-65504.0), vec4(65504.0));
            x_words[to] = pack2x16float(held.xy);
            x_words[to + 1u] = pack2x16float(held.zw);
        }
    }
}
