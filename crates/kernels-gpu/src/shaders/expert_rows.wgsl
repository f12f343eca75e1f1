// An expert's rows together, in the order that `sort` made: see `matrows` for how a workgroup divides its work. PAIRED: gate and
// up by row of the batch, which become one where ACTIVATED; they may be the same matrix. Else: down, of what the first gave.
// SHARED: products are weighed by the expert's share. PARTED: this is for some of the experts, from `part` on.

struct Params {
    first: vec4<u32>, second: vec4<u32>,
    blocks: u32, rows: u32, order: u32, weights: u32,
    out: u32, first_bias: u32, second_bias: u32, tiles: u32,
    part: u32, part_len: u32, pad2: u32, pad3: u32,
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(3) var<storage, read> x_codes: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> x_scales: array<vec2<u32>>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

const DEPTH = WG / (ROWS * GROUPS);
const TILE = GROUPS * 8u;

var<workgroup> sums: array<f32, WG * 8u * MATRICES>;

fn planes_of(m: u32) -> Planes {
    if (m == 0u) {
        return Planes(p.first.x, p.first.y, p.first.z, p.first.w);
    }
    return Planes(p.second.x, p.second.y, p.second.z, p.second.w);
}

// A place of a tile: which pair, or -1.
fn pair_at(i: u32) -> f32 {
    return act[p.order + i];
}

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let tile = group.y;
    if (f32(tile) >= act[p.tiles]) {
        return;
    }
    let expert = u32(act[p.tiles + 1u + tile]);
    let first = group.x * ROWS;
    let r = me % ROWS;
    let depth = me / ROWS % DEPTH;
    let tg = me / (ROWS * DEPTH);
    //% unless PARTED
    let row = (expert * p.rows + min(first + r, p.rows - 1u)) * p.blocks;
    //% end
    //% if PARTED
    if (expert - p.part >= p.part_len) {
        return;
    }
    let row = ((expert - p.part) * p.rows + min(first + r, p.rows - 1u)) * p.blocks;
    //% end
    //% for m MATRICES
    //% for t 8
    var sum{m}_{t} = 0.0;
    //% end
    //% end
    //% for t 8
    let pair{t} = u32(max(pair_at(tile * TILE + tg * 8u + {t}u), 0.0));
    let x{t} = select(pair{t}, pair{t} / USED, PAIRED) * p.blocks;
    //% end
    for (var b = depth; b < p.blocks; b += DEPTH) {
        //% for t 8
        let xs{t} = x_scales[x{t} + b];
        let low{t} = f32(bitcast<i32>(xs{t}.y << 16u) >> 16u);
        let high{t} = f32(bitcast<i32>(xs{t}.y) >> 16u);
        //% end
        //% for m MATRICES
        let w{m} = weight(planes_of({m}u), row + b);
        //% for t 8
        sum{m}_{t} += bitcast<f32>(xs{t}.x) * blocks(w{m}, x_codes[(x{t} + b) * 2u], x_codes[(x{t} + b) * 2u + 1u], low{t}, high{t});
        //% end
        //% end
    }
    //% for m MATRICES
    //% for t 8
    sums[(({m}u * DEPTH + depth) * TILE + tg * 8u + {t}u) * ROWS + r] = sum{m}_{t};
    //% end
    //% end
    workgroupBarrier();
    for (var i = me; i < ROWS * TILE; i += WG) {
        let pair = pair_at(tile * TILE + i / ROWS);
        let n = first + i % ROWS;
        if (n < p.rows && pair >= 0.0) {
            var y = 0.0;
            var up = 0.0;
            for (var d = 0u; d < DEPTH; d++) {
                y += sums[d * TILE * ROWS + i];
                if (MATRICES == 2u) {
                    up += sums[(DEPTH + d) * TILE * ROWS + i];
                }
            }
            let share = select(1.0, act[p.weights + u32(pair)], SHARED);
            // What an expert reads is weighed, or what it says.
            y *= select(1.0, share, PAIRED);
            if (p.first_bias > 0u) {
                y += vectors[p.first_bias - 1u + expert * p.rows + n];
            }
            if (PAIRED) {
                up = select(y, up * share, MATRICES == 2u);
                if (MATRICES == 2u && p.second_bias > 0u) {
                    up += vectors[p.second_bias - 1u + expert * p.rows + n];
                }
                y = select(y, activate(y, up), ACTIVATED);
            } else {
                y *= share;
            }
            act[p.out + u32(pair) * p.rows + n] = y;
        }
    }
}
