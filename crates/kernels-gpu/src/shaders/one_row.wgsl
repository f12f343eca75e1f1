// One row, normed on the way (see `taken`), times matrices, ROWS rows of one to a workgroup. A subgroup makes two results at a time.
// Several matrices of one type are parts of one dispatch; with MATRICES 2, gates and what they gate become one.

struct Params { x: u32, norm: u32, width: u32, count: u32, parts: array<vec4<u32>, 12> }
@group(0) @binding(5) var<uniform> p: Params;

var<workgroup> results: array<f32, ROWS * MATRICES>;

//% if CODED
const UNITS = 1u;
fn product_of(planes: Planes, i: u32, b: u32) -> f32 {
    let xs = from_scales[b];
    let low = f32(bitcast<i32>(xs.y << 16u) >> 16u);
    let high = f32(bitcast<i32>(xs.y) >> 16u);
    return bitcast<f32>(xs.x) * blocks(weight(planes, i), from_codes[b * 2u], from_codes[b * 2u + 1u], low, high);
}
//% end
//% unless CODED
const UNITS = 4u;
fn product_of(planes: Planes, i: u32, b: u32) -> f32 {
    let w = weight8(planes, i);
    return dot(w[0], from_fours[b * 2u]) + dot(w[1], from_fours[b * 2u + 1u]);
}
//% end

fn results_at(i: u32) -> vec4<f32> {
    return vec4(results[i], results[i + 1u], results[i + 2u], results[i + 3u]);
}

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    // A part: first workgroup, rows, output, bias (from 1 on); then where its planes begin.
    var k = 0u;
    while (k + 1u < p.count && group.x >= p.parts[(k + 1u) * (1u + MATRICES)].x) {
        k++;
    }
    let part = p.parts[k * (1u + MATRICES)];
    //% for m MATRICES
    let at{m} = p.parts[k * (1u + MATRICES) + 1u + {m}u];
    let planes{m} = Planes(at{m}.x, at{m}.y, at{m}.z, at{m}.w);
    //% end
    let first = (group.x - part.x) * ROWS;
    take(p.x, p.norm, p.width, me, lane, subgroup, size);
    for (var r = subgroup * 2u; r < ROWS; r += WG / size * 2u) {
        //% for i 2
        let row{i} = min(first + r + {i}u, part.y - 1u) * (TAKEN * UNITS);
        //% for m MATRICES
        var sum{m}_{i} = 0.0;
        //% end
        //% end
        for (var b = lane; b < TAKEN * UNITS; b += size) {
            //% for i 2
            //% for m MATRICES
            sum{m}_{i} += product_of(planes{m}, row{i} + b, b);
            //% end
            //% end
        }
        //% for i 2
        //% for m MATRICES
        let all{m}_{i} = subgroupAdd(sum{m}_{i});
        if (lane == 0u) {
            results[{m}u * ROWS + r + {i}u] = all{m}_{i};
        }
        //% end
        //% end
    }
    workgroupBarrier();
    // Four results at a time. What is beyond the matrix lies in rows that a step of one row does not have.
    for (var i = me * 4u; i < ROWS; i += WG * 4u) {
        if (first + i < part.y) {
            var y = results_at(i);
            if (part.w > 0u) {
                y += vectors[(part.w - 1u + first + i) / 4u];
            }
            if (MATRICES == 2u) {
                let up = results_at((MATRICES - 1u) * ROWS + i);
                y = vec4(activate(y.x, up.x), activate(y.y, up.y), activate(y.z, up.z), activate(y.w, up.w));
            }
            act[(part.z + first + i) / 4u] = y;
        }
    }
}
