// Products of float matrices with a few rows of floats; divided as in matvec_q8. A unit is eight values.

struct Params { blocks: u32, rows: u32, count: u32, pad: u32, parts: array<vec4<u32>, 12> }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

var<workgroup> sums: array<f32, ROWS * NT * MATRICES * SUBGROUPS>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let tokens = step[p.rows];
    let t0 = group.y * NT;
    // A part: first workgroup, rows, output, bias (from 1 on); then where its planes begin.
    var k = 0u;
    while (k + 1u < p.count && group.x >= p.parts[(k + 1u) * (1u + MATRICES)].x) {
        k++;
    }
    let part = p.parts[k * (1u + MATRICES)];
    let first = (group.x - part.x) * ROWS;
    let units = p.blocks * 4u;
    //% for m MATRICES
    let at{m} = p.parts[k * (1u + MATRICES) + 1u + {m}u];
    let planes{m} = Planes(at{m}.x, at{m}.y, at{m}.z, at{m}.w);
    //% for r ROWS
    //% for t NT
    var sum{m}_{r}_{t} = 0.0;
    //% end
    //% end
    //% end
    //% for r ROWS
    let row{r} = min(first + {r}u, part.y - 1u) * units;
    //% end
    //% for t NT
    let x{t} = min(t0 + {t}u, tokens - 1u) * units;
    //% end
    for (var b = me; b < units; b += WG) {
        //% for m MATRICES
        //% for r ROWS
        let w{m}_{r} = weight8(planes{m}, row{r} + b);
        //% end
        //% end
        //% for t NT
        let xa{t} = x[(x{t} + b) * 2u];
        let xb{t} = x[(x{t} + b) * 2u + 1u];
        //% for m MATRICES
        //% for r ROWS
        sum{m}_{r}_{t} += dot(w{m}_{r}[0], xa{t}) + dot(w{m}_{r}[1], xb{t});
        //% end
        //% end
        //% end
    }
    //% for m MATRICES
    //% for r ROWS
    //% for t NT
    let total{m}_{r}_{t} = subgroupAdd(sum{m}_{r}_{t});
    if (lane == 0u) {
        sums[(({m}u * ROWS + {r}u) * NT + {t}u) * SUBGROUPS + subgroup] = total{m}_{r}_{t};
    }
    //% end
    //% end
    //% end
    workgroupBarrier();
    if (me < ROWS * NT) {
        let row = first + me / NT;
        let t = t0 + me % NT;
        if (row < part.y && t < tokens) {
            var y = 0.0;
            for (var i = 0u; i < (WG + size - 1u) / size; i++) {
                y += sums[me * SUBGROUPS + i];
            }
            if (part.w > 0u) {
                y += vectors[part.w - 1u + row];
            }
            if (MATRICES == 2u) {
                var up = 0.0;
                for (var i = 0u; i < (WG + size - 1u) / size; i++) {
                    up += sums[(ROWS * NT + me) * SUBGROUPS + i];
                }
                y = activate(y, up);
            }
            //% if ADDS
            y += act[part.z + t * part.y + row];
            //% end
            act[part.z + t * part.y + row] = y;
        }
    }
}
