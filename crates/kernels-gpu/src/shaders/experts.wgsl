// A row through its chosen experts. PAIRED: one expert and row, and where ACTIVATED, gate and up become one; they may be the same
// matrix. Else: down of all of a row's experts, added up. SHARED: products are weighed by the expert's share. PARTED: this is for some
// of the experts, from `part` on; others come before or after.

struct Params {
    first: vec4<u32>, second: vec4<u32>,
    blocks: u32, rows: u32, chosen: u32, weights: u32,
    out: u32, first_bias: u32, second_bias: u32, pad: u32,
    part: u32, part_len: u32, pad2: u32, pad3: u32,
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

var<workgroup> sums: array<f32, ROWS * MATRICES * SUBGROUPS>;

fn planes_of(m: u32) -> Planes {
    if (m == 0u) {
        return Planes(p.first.x, p.first.y, p.first.z, p.first.w);
    }
    return Planes(p.second.x, p.second.y, p.second.z, p.second.w);
}

//% if PARTED
fn is_elsewhere(expert: u32) -> bool {
    return expert - p.part >= p.part_len;
}

//% end
@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let item = group.y;
    let first = group.x * ROWS;
    //% if PARTED
    if (PAIRED && is_elsewhere(u32(act[p.chosen + item]))) {
        return;
    }
    //% end
    //% for m MATRICES
    //% for r ROWS
    var sum{m}_{r} = 0.0;
    //% end
    //% end
    //% for r ROWS
    let row{r} = min(first + {r}u, p.rows - 1u);
    //% end
    let units = p.blocks * UNITS;
    for (var n = 0u; n < select(USED, 1u, PAIRED); n++) {
        let pair = select(item * USED + n, item, PAIRED);
        let x_row = select(pair, item / USED, PAIRED) * units;
        //% unless PARTED
        let expert = u32(act[p.chosen + pair]) * p.rows;
        //% end
        //% if PARTED
        if (is_elsewhere(u32(act[p.chosen + pair]))) {
            continue;
        }
        let expert = (u32(act[p.chosen + pair]) - p.part) * p.rows;
        //% end
        let share = select(1.0, act[p.weights + pair], SHARED);
        for (var b = me; b < units; b += WG) {
            //% for m MATRICES
            //% for r ROWS
            sum{m}_{r} += share * product(planes_of({m}u), (expert + row{r}) * units + b, x_row + b);
            //% end
            //% end
        }
    }
    //% for m MATRICES
    //% for r ROWS
    let total{m}_{r} = subgroupAdd(sum{m}_{r});
    if (lane == 0u) {
        sums[({m}u * ROWS + {r}u) * SUBGROUPS + subgroup] = total{m}_{r};
    }
    //% end
    //% end
    workgroupBarrier();
    let row = first + me;
    if (me < ROWS && row < p.rows) {
        var y = 0.0;
        for (var i = 0u; i < (WG + size - 1u) / size; i++) {
            y += sums[me * SUBGROUPS + i];
        }
        if (PAIRED) {
            let expert = u32(act[p.chosen + item]);
            if (p.first_bias > 0u) {
                y += vectors[p.first_bias - 1u + expert * p.rows + row];
            }
            var up = y;
            if (MATRICES == 2u) {
                up = 0.0;
                for (var i = 0u; i < (WG + size - 1u) / size; i++) {
                    up += sums[(ROWS + me) * SUBGROUPS + i];
                }
                if (p.second_bias > 0u) {
                    up += vectors[p.second_bias - 1u + expert * p.rows + row];
                }
            }
            y = select(y, activate(y, up), ACTIVATED);
        } else if (p.first_bias > 0u) {
            for (var n = 0u; n < USED; n++) {
                let expert = u32(act[p.chosen + item * USED + n]);
                //% if PARTED
                if (is_elsewhere(expert)) {
                    continue;
                }
                //% end
                let share = select(1.0, act[p.weights + item * USED + n], SHARED);
                y += share * vectors[p.first_bias - 1u + expert * p.rows + row];
            }
        }
        //% if PARTED
        // What the parts before gave.
        if (!PAIRED && p.part > 0u) {
            y += act[p.out + item * p.rows + row];
        }
        //% end
        act[p.out + item * p.rows + row] = y;
    }
}
