// One row of eight-bit activations times a matrix: a workgroup makes 32 results and adds them to what is there. The sums, times a
// norm's weights, are prepared for the products that follow. Those apply the norm's scale: what it follows from, the squares of
// these sums, is left for them. A subgroup makes a part of four results at a time.

struct Params { blocks: u32, stride: u32, x: u32, weight: u32, squares: u32, bias: u32, pad0: u32, pad1: u32, planes: vec4<u32> }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;
@group(0) @binding(9) var<storage, read> from_codes: array<vec4<u32>>;
@group(0) @binding(10) var<storage, read> from_scales: array<vec2<u32>>;

// Each part of the depth has results of its own.
var<workgroup> results: array<vec4<f32>, 8u * PARTS>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let planes = Planes(p.planes.x, p.planes.y, p.planes.z, p.planes.w);
    // Eight threads take four results each in the end; what they need besides is on its way meanwhile.
    let i = min(me, 7u) * 4u;
    let at = group.x * 32u + i;
    var sums = vec4(act[p.x + at], act[p.x + at + 1u], act[p.x + at + 2u], act[p.x + at + 3u]);
    let weights = vec4(
        vectors[p.weight + at], vectors[p.weight + at + 1u], vectors[p.weight + at + 2u], vectors[p.weight + at + 3u],
    );
    if (p.bias > 0u) {
        let bias = p.bias - 1u + at;
        sums += vec4(vectors[bias], vectors[bias + 1u], vectors[bias + 2u], vectors[bias + 3u]);
    }
    for (var task = subgroup; task < 8u * PARTS; task += WG / size) {
        let fours = task / PARTS;
        let row = (group.x * 8u + fours) * 4u * p.blocks;
        //% for r 4
        var sum{r} = 0.0;
        //% end
        for (var b = task % PARTS * size + lane; b < p.blocks; b += PARTS * size) {
            //% for r 4
            let w{r} = weight(planes, row + {r}u * p.blocks + b);
            //% end
            let low = from_codes[b * 2u];
            let high = from_codes[b * 2u + 1u];
            let xs = from_scales[b];
            let scale = bitcast<f32>(xs.x);
            let low_sum = f32(bitcast<i32>(xs.y << 16u) >> 16u);
            let high_sum = f32(bitcast<i32>(xs.y) >> 16u);
            //% for r 4
            sum{r} += scale * blocks(w{r}, low, high, low_sum, high_sum);
            //% end
        }
        //% for r 4
        let all{r} = subgroupAdd(sum{r});
        //% end
        if (lane == 0u) {
            results[task % PARTS * 8u + fours] = vec4(all0, all1, all2, all3);
        }
    }
    workgroupBarrier();
    for (var part = 0u; part < PARTS; part++) {
        sums += results[part * 8u + i / 4u];
    }
    var squares = dot(sums, sums);
    squares += subgroupShuffleXor(squares, 1u);
    squares += subgroupShuffleXor(squares, 2u);
    squares += subgroupShuffleXor(squares, 4u);
    if (me < 8u) {
        act[p.x + at] = sums.x;
        act[p.x + at + 1u] = sums.y;
        act[p.x + at + 2u] = sums.z;
        act[p.x + at + 3u] = sums.w;
    }
    if (me == 0u) {
        act[p.squares + group.x] = squares;
    }
    prepare(sums * weights, me, select(p.stride, at, me < 8u), 0u, p.stride);
}
