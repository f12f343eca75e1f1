// Without cooperative matrices: x is floats, and a thread makes 4 by 4 values.

@group(0) @binding(3) var<storage, read> x: array<vec4<u32>>;
var<workgroup> tile_x: array<f32, TILE_T * STRIDE>;
var<workgroup> tile_w: array<f32, TILE_N * STRIDE>;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    var part_at = 0u;
    while (part_at + 1u < p.count && group.y >= p.parts[(part_at + 1u) * 2u].x) {
        part_at++;
    }
    let part = p.parts[part_at * 2u];
    let at = p.parts[part_at * 2u + 1u];
    let planes = Planes(at.x, at.y, at.z, at.w);
    let t0 = group.x * TILE_T;
    let n0 = (group.y - part.x) * TILE_N;
    //% unless EXPERTS
    let stack = 0u;
    let bias = part.w;
    //% end
    //% if EXPERTS
    // All threads take the same way, and compilers are shown that they do.
    if (me == 0u) {
        expert_of_tile = vec4(select(p.part - 1u, u32(act[p.tiles + 1u + group.x]), f32(group.x) < act[p.tiles]));
    }
    let expert = workgroupUniformLoad(&expert_of_tile).x;
    if (expert - p.part >= p.part_len) {
        return;
    }
    // Rows of the matrices before this expert's.
    let stack = (expert - p.part) * part.y;
    let bias = select(0u, part.w + expert * part.y, part.w > 0u);
    //% end
    //% unless EXPERTS
    let tokens = step[p.rows];
    //% end
    // Threads of a row of the tile take values that are TILE_N / 4 apart, so that they write side by side.
    let my_t = me / (TILE_N / 4u);
    let my_n = me % (TILE_N / 4u);
    //% for i 4
    //% for j 4
    var c{i}_{j} = 0.0;
    //% end
    //% end
    for (var k0 = 0u; k0 < p.blocks * 32u; k0 += TILE_K) {
        for (var u = me; u < TILE_T * (TILE_K / 4u); u += WG) {
            let r = u / (TILE_K / 4u);
            let q = u % (TILE_K / 4u);
            //% unless EXPERTS
            let row = min(t0 + r, tokens - 1u);
            //% end
            //% if EXPERTS
            let row = row_at(t0 + r);
            //% end
            let v = bitcast<vec4<f32>>(x[(row * p.blocks * 32u + k0) / 4u + q]);
            //% for e 4
            tile_x[r * STRIDE + q * 4u + {e}u] = v[{e}];
            //% end
        }
        for (var u = me; u < TILE_N * (TILE_K / 16u); u += WG) {
            let r = u / (TILE_K / 16u);
            let q = u % (TILE_K / 16u);
            let w = weight16(planes, (stack + min(n0 + r, part.y - 1u)) * p.blocks * 2u + k0 / 16u + q);
            //% for e 4
            //% for f 4
            tile_w[r * STRIDE + q * 16u + {e}u * 4u + {f}u] = w[{e}][{f}];
            //% end
            //% end
        }
        workgroupBarrier();
        for (var k = 0u; k < TILE_K; k++) {
            //% for i 4
            let a{i} = tile_x[(my_t + {i}u * (TILE_T / 4u)) * STRIDE + k];
            //% end
            //% for j 4
            let b{j} = tile_w[(my_n + {j}u * (TILE_N / 4u)) * STRIDE + k];
            //% end
            //% for i 4
            //% for j 4
            c{i}_{j} += a{i} * b{j};
            //% end
            //% end
        }
        workgroupBarrier();
    }
    //% for i 4
    //% unless EXPERTS
    if (t0 + my_t + {i}u * (TILE_T / 4u) >= tokens) {
        return;
    }
    //% end
    //% for j 4
    put(t0 + my_t + {i}u * (TILE_T / 4u), n0 + my_n + {j}u * (TILE_N / 4u), c{i}_{j}, part.z, part.y, bias);
    //% end
    //% end
}
