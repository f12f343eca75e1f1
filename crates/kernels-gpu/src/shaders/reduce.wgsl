// Joins the parts of a row's attention. A workgroup a head and row: a thread has four of the head's values in every GROUPS-th
// part. The result is prepared for the product that follows where a head is whole blocks.

struct Params { parts: u32, out: u32, heads: u32, sinks: u32, dim: u32, part: u32, stride: u32, pad: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

const GROUPS = WG / FOURS;
// Loads are begun four at a time.
const AT_ONCE = GROUPS * 4u;
const RUN = (255u + AT_ONCE) / AT_ONCE * AT_ONCE;
var<workgroup> weights: array<f32, RUN>;
var<workgroup> gathered: array<vec4<f32>, WG>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let row = group.y;
    let head = group.x;
    let splits = step[3];
    let first = p.parts + (row * p.heads + head) * splits * p.part;
    let d = me % FOURS * 4u;
    var most = -1e30;
    if (p.sinks > 0u) {
        most = vectors[p.sinks - 1u + head];
    }
    for (var i = me; i < splits; i += WG) {
        most = max(most, act[first + i * p.part]);
    }
    most = workgroup_max(most, lane, subgroup, size);
    var total = 0.0;
    var y = vec4(0.0);
    for (var base = 0u; base < splits; base += RUN) {
        for (var i = me; i < RUN; i += WG) {
            var w = 0.0;
            if (base + i < splits) {
                let at = first + (base + i) * p.part;
                w = exp(act[at] - most);
                total += w * act[at + 1u];
            }
            weights[i] = w;
        }
        workgroupBarrier();
        if (me / FOURS < GROUPS) {
            for (var i = me / FOURS; i < min(RUN, splits - base); i += AT_ONCE) {
                //% for u 4
                let at{u} = first + min(base + i + {u}u * GROUPS, splits - 1u) * p.part + 2u + d;
                let v{u} = vec4(act[at{u}], act[at{u} + 1u], act[at{u} + 2u], act[at{u} + 3u]);
                //% end
                //% for u 4
                y += weights[i + {u}u * GROUPS] * v{u};
                //% end
            }
        }
        workgroupBarrier();
    }
    total = workgroup_sum(total, lane, subgroup, size);
    if (p.sinks > 0u) {
        total += exp(vectors[p.sinks - 1u + head] - most);
    }
    gathered[me] = y;
    workgroupBarrier();
    y = vec4(0.0);
    if (me < FOURS) {
        for (var g = 0u; g < GROUPS; g++) {
            y += gathered[g * FOURS + me];
        }
        y /= total;
    }
    give(y, me, row, head);
}
