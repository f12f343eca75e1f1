// The inputs of products, in the form that the product's kernel reads: `FORMAT` 0 none, 1 eight-bit blocks, 2 floats, 3 half floats.
//
// A thread brings four consecutive values of a row; eight neighbours make a block of 32.

@group(0) @binding(3) var<storage, read_write> x_words: array<u32>;
@group(0) @binding(4) var<storage, read_write> x_scales: array<vec2<u32>>;

var<workgroup> block_max: array<f32, WG>;
var<workgroup> block_sum: array<i32, WG>;

// `at`: the first of the values within the row, a multiple of 4. `stride`: values of a prepared row, a multiple of 32.
fn prepare(values: vec4<f32>, me: u32, at: u32, row: u32, stride: u32) {
    if (FORMAT == 1u) {
        let size = abs(values);
        block_max[me] = max(max(size.x, size.y), max(size.z, size.w));
        workgroupBarrier();
        let first = me & ~7u;
        var largest = 0.0;
        for (var i = 0u; i < 8u; i++) {
            largest = max(largest, block_max[first + i]);
        }
        let scale = largest / 127.0;
        let inverse = select(0.0, 127.0 / largest, largest > 0.0);
        let q = vec4<i32>(round(values * inverse));
        block_sum[me] = q.x + q.y + q.z + q.w;
        workgroupBarrier();
        if (at < stride) {
            x_words[(row * stride + at) / 4u] = pack4xI8(q);
            if ((me & 7u) == 0u) {
                let low = block_sum[me] + block_sum[me + 1u] + block_sum[me + 2u] + block_sum[me + 3u];
                let high = block_sum[me + 4u] + block_sum[me + 5u] + block_sum[me + 6u] + block_sum[me + 7u];
                x_scales[(row * stride + at) / 32u] = vec2(bitcast<u32>(scale), (bitcast<u32>(low) & 0xffffu) | (bitcast<u32>(high) << 16u));
            }
        }
        workgroupBarrier();
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
