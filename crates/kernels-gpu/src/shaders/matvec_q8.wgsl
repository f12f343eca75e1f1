// Products of quantised matrices with a few rows of eight-bit activations. The threads of a workgroup share out the blocks
// of ROWS rows; their sums are added at the end, by subgroups or, where there are many of them (GATHERS), each by one thread. Several
// matrices with the same input are parts of one dispatch. ADDS: what is made is added to what is there.

struct Params { blocks: u32, rows: u32, count: u32, pad: u32, parts: array<vec4<u32>, 12> }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(3) var<storage, read> x_codes: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> x_scales: array<vec2<u32>>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

const RESULTS = ROWS * NT * MATRICES;
//% unless GATHERS
var<workgroup> sums: array<f32, RESULTS * SUBGROUPS>;
//% end
//% if GATHERS
// A thread's sums lie together, and one value further on than its neighbour's, in another bank.
var<workgroup> sums: array<f32, WG * (RESULTS + 1u)>;
//% end

// A sum of the whole workgroup. `subgroups`: how many it has.
fn sum_of(value: u32, subgroups: u32) -> f32 {
    var sum = 0.0;
    //% if GATHERS
    for (var i = 0u; i < WG; i++) {
        sum += sums[i * (RESULTS + 1u) + value];
    }
    //% end
    //% unless GATHERS
    for (var i = 0u; i < subgroups; i++) {
        sum += sums[value * SUBGROUPS + i];
    }
    //% end
    return sum;
}

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
    let units = p.blocks;
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
        let w{m}_{r} = weight(planes{m}, row{r} + b);
        //% end
        //% end
        //% for t NT
        let xl{t} = x_codes[(x{t} + b) * 2u];
        let xh{t} = x_codes[(x{t} + b) * 2u + 1u];
        let xs{t} = x_scales[x{t} + b];
        let scale{t} = bitcast<f32>(xs{t}.x);
        let low{t} = f32(bitcast<i32>(xs{t}.y << 16u) >> 16u);
        let high{t} = f32(bitcast<i32>(xs{t}.y) >> 16u);
        //% for m MATRICES
        //% for r ROWS
        sum{m}_{r}_{t} += scale{t} * blocks(w{m}_{r}, xl{t}, xh{t}, low{t}, high{t});
        //% end
        //% end
        //% end
    }
    //% for m MATRICES
    //% for r ROWS
    //% for t NT
    //% if GATHERS
    sums[me * (RESULTS + 1u) + ({m}u * ROWS + {r}u) * NT + {t}u] = sum{m}_{r}_{t};
    //% end
    //% unless GATHERS
    let total{m}_{r}_{t} = subgroupAdd(sum{m}_{r}_{t});
    if (lane == 0u) {
        sums[(({m}u * ROWS + {r}u) * NT + {t}u) * SUBGROUPS + subgroup] = total{m}_{r}_{t};
    }
    //% end
    //% end
    //% end
    //% end
    workgroupBarrier();
    if (me < ROWS * NT) {
        let row = first + me / NT;
        let t = t0 + me % NT;
        if (row < part.y && t < tokens) {
            let subgroups = (WG + size - 1u) / size;
            var y = sum_of(me, subgroups);
            var up = 0.0;
            if (MATRICES == 2u) {
                up = sum_of(ROWS * NT + me, subgroups);
            }
            if (part.w > 0u) {
                y += vectors[part.w - 1u + row];
            }
            if (MATRICES == 2u) {
                y = activate(y, up);
            }
            //% if ADDS
            y += act[part.z + t * part.y + row];
            //% end
            act[part.z + t * part.y + row] = y;
        }
    }
}
