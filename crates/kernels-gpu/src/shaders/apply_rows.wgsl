// A stack of matrices, each applied to rows of its own, as `apply` does it, with many rows: a thread makes one value of NT rows.

struct Params { planes: vec4<u32>, x: u32, x_row: u32, x_item: u32, cols: u32, out: u32, out_row: u32, out_item: u32, rows: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

// A block of 32 values of each row.
var<workgroup> block: array<vec4<f32>, NT * 8u>;

fn value(at: u32, i: u32) -> f32 {
    return select(0.0, act[at + min(i, p.cols - 1u)], i < p.cols);
}

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let planes = Planes(p.planes.x, p.planes.y, p.planes.z, p.planes.w);
    let tokens = step[0];
    let t0 = group.z * NT;
    let row = group.x * WG + me;
    let blocks = (p.cols + 31u) / 32u;
    let stored = (group.y * p.rows + min(row, p.rows - 1u)) * blocks;
    //% for t NT
    var sum{t} = 0.0;
    //% end
    for (var b = 0u; b < blocks; b++) {
        workgroupBarrier();
        for (var i = me; i < NT * 8u; i += WG) {
            let x = p.x + min(t0 + i / 8u, tokens - 1u) * p.x_row + group.y * p.x_item;
            let at = b * 32u + i % 8u * 4u;
            block[i] = vec4(value(x, at), value(x, at + 1u), value(x, at + 2u), value(x, at + 3u));
        }
        workgroupBarrier();
        //% for h 2
        let w{h} = weight16(planes, (stored + b) * 2u + {h}u);
        //% end
        //% for t NT
        //% for h 2
        sum{t} += dot(w{h}[0], block[{t}u * 8u + {h}u * 4u]) + dot(w{h}[1], block[{t}u * 8u + {h}u * 4u + 1u])
            + dot(w{h}[2], block[{t}u * 8u + {h}u * 4u + 2u]) + dot(w{h}[3], block[{t}u * 8u + {h}u * 4u + 3u]);
        //% end
        //% end
    }
    //% for t NT
    if (row < p.rows && t0 + {t}u < tokens) {
        act[p.out + (t0 + {t}u) * p.out_row + group.y * p.out_item + row] = sum{t};
    }
    //% end
}
