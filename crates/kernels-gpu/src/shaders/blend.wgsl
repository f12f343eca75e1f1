// `out[t] = Σ_i softmax_i(weight · norm(of[i][t])) * of[i][t]`, of COUNT buffers. One workgroup a row.

const QUADS = (COUNT + 3u) / 4u;

struct Params { out: u32, width: u32, weight: u32, eps: f32, places: array<vec4<u32>, QUADS> }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let row = group.x * p.width;
    var shares: array<f32, COUNT>;
    var most = -3.4e38;
    for (var s = 0u; s < COUNT; s++) {
        let at = p.places[s / 4u][s % 4u] + row;
        var sums = vec2(0.0);
        for (var i = me; i < p.width; i += WG) {
            let x = act[at + i];
            sums += vec2(x * x, x * vectors[p.weight + i]);
        }
        let squares = workgroup_sum(sums.x, lane, subgroup, size);
        let product = workgroup_sum(sums.y, lane, subgroup, size);
        shares[s] = product / sqrt(squares / f32(p.width) + p.eps);
        most = max(most, shares[s]);
    }
    var sum = 0.0;
    for (var s = 0u; s < COUNT; s++) {
        shares[s] = exp(shares[s] - most);
        sum += shares[s];
    }
    for (var i = me; i < p.width; i += WG) {
        var y = 0.0;
        for (var s = 0u; s < COUNT; s++) {
            y += shares[s] * act[p.places[s / 4u][s % 4u] + row + i];
        }
        act[p.out + row + i] = y / sum;
    }
}
