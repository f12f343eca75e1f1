// Products of quantised matrices with more rows of eight-bit activations than a matrix-vector product takes. A workgroup makes
// ROWS rows of the matrix times GROUPS groups of eight activations; a thread, one row times one group over every DEPTH-th
// block. Neighbours have rows of their own and the same activations, so that these are loaded once for all of them.

struct Params { blocks: u32, rows: u32, count: u32, act: u32, parts: array<vec4<u32>, 12> }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(3) var<storage, read> x_codes: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> x_scales: array<vec2<u32>>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

const DEPTH = WG / (ROWS * GROUPS);
const TOKENS = GROUPS * 8u;

var<workgroup> sums: array<f32, WG * 8u>;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let tokens = step[p.rows];
    // A part: first workgroup, rows, output, bias (from 1 on); then where its planes begin.
    var k = 0u;
    while (k + 1u < p.count && group.x >= p.parts[(k + 1u) * 2u].x) {
        k++;
    }
    let part = p.parts[k * 2u];
    let at = p.parts[k * 2u + 1u];
    let planes = Planes(at.x, at.y, at.z, at.w);
    let first = (group.x - part.x) * ROWS;
    let r = me % ROWS;
    let depth = me / ROWS % DEPTH;
    let tg = me / (ROWS * DEPTH);
    let row = min(first + r, part.y - 1u) * p.blocks;
    let t0 = group.y * TOKENS + tg * 8u;
    //% for t 8
    let x{t} = min(t0 + {t}u, tokens - 1u) * p.blocks;
    var sum{t} = 0.0;
    //% end
    for (var b = depth; b < p.blocks; b += DEPTH) {
        let w = weight(planes, row + b);
        //% for t 8
        let xs{t} = x_scales[x{t} + b];
        sum{t} += bitcast<f32>(xs{t}.x) * blocks(
            w, x_codes[(x{t} + b) * 2u], x_codes[(x{t} + b) * 2u + 1u],
            f32(bitcast<i32>(xs{t}.y << 16u) >> 16u), f32(bitcast<i32>(xs{t}.y) >> 16u),
        );
        //% end
    }
    //% for t 8
    sums[(depth * TOKENS + tg * 8u + {t}u) * ROWS + r] = sum{t};
    //% end
    workgroupBarrier();
    for (var i = me; i < ROWS * TOKENS; i += WG) {
        let t = group.y * TOKENS + i / ROWS;
        let n = first + i % ROWS;
        if (n < part.y && t < tokens) {
            var y = 0.0;
            for (var d = 0u; d < DEPTH; d++) {
                y += sums[d * TOKENS * ROWS + i];
            }
            if (part.w > 0u) {
                y += vectors[part.w - 1u + n];
            }
            act[part.z + t * part.y + n] = y;
        }
    }
}
