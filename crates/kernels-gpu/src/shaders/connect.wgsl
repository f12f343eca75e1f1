// What mixes N streams, from a product of theirs that was not normed. One workgroup a row.

struct Params { x: u32, width: u32, mixes: u32, scale: u32, base: u32, rounds: u32, eps: f32, least: f32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

var<workgroup> comb: array<f32, N * N>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let row = group.x;
    var squares = 0.0;
    for (var i = me; i < p.width; i += WG) {
        let x = act[p.x + row * p.width + i];
        squares += x * x;
    }
    let total = workgroup_sum(squares, lane, subgroup, size);
    let norm = 1.0 / sqrt(total / f32(p.width) + p.eps);
    let mixes = p.mixes + row * (2u + N) * N;
    // As many threads as there are mixes at least.
    let mine = min(me, (2u + N) * N - 1u);
    let m = act[mixes + mine] * norm * vectors[p.scale + min(mine / N, 2u)] + vectors[p.base + mine];
    if (me < N) {
        act[mixes + me] = 1.0 / (1.0 + exp(-m)) + p.least;
    } else if (me < 2u * N) {
        act[mixes + me] = 2.0 / (1.0 + exp(-m));
    } else if (me < (2u + N) * N) {
        comb[me - 2u * N] = m;
    }
    workgroupBarrier();
    // From here on a thread has one value of the square.
    let at = min(me, N * N - 1u);
    let first = at / N * N;
    let column = at % N;
    var most = comb[first];
    for (var i = 1u; i < N; i++) {
        most = max(most, comb[first + i]);
    }
    var sum = 0.0;
    for (var i = 0u; i < N; i++) {
        sum += exp(comb[first + i] - most);
    }
    var y = exp(comb[at] - most) / sum + p.least;
    for (var round = 0u; round < 2u * p.rounds - 1u; round++) {
        workgroupBarrier();
        comb[at] = y;
        workgroupBarrier();
        // Columns, then rows and columns in turn.
        sum = 0.0;
        for (var i = 0u; i < N; i++) {
            sum += comb[select(i * N + column, first + i, round % 2u == 1u)];
        }
        y /= sum + p.least;
    }
    if (me < N * N) {
        act[mixes + 2u * N + me] = y;
    }
}
