// The highest score of every run of RUN rows; the newest run has the highest of all. One workgroup a row.

struct Params { scores: u32, stride: u32, out: u32, out_stride: u32, row: u32, pad0: u32, pad1: u32, pad2: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let seen = seen_rows(p.row + group.x);
    let runs = (seen + RUN - 1u) / RUN;
    for (var run = me; run < runs; run += WG) {
        var most = -3.0e38;
        for (var i = run * RUN; i < min((run + 1u) * RUN, seen); i++) {
            most = max(most, act[p.scores + group.x * p.stride + i]);
        }
        act[p.out + group.x * p.out_stride + run] = select(most, 3.0e38, run + 1u == runs);
    }
}
