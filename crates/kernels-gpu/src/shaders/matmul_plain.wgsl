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
    let tokens = step[p.rows];
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
            let v = bitcast<vec4<f32>>(x[(min(t0 + r, tokens - 1u) * p.blocks * 32u + k0) / 4u + q]);
            //% for e 4
            tile_x[r * STRIDE + q * 4u + {e}u] = v[{e}];
            //% end
        }
        for (var u = me; u < TILE_N * (TILE_K / 16u); u += WG) {
            let r = u / (TILE_K / 16u);
            let q = u % (TILE_K / 16u);
            let w = weight16(planes, min(n0 + r, part.y - 1u) * p.blocks * 2u + k0 / 16u + q);
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
    //% for j 4
    if (t0 + my_t + {i}u * (TILE_T / 4u) < tokens && n0 + my_n + {j}u * (TILE_N / 4u) < part.y) {
        let n = n0 + my_n + {j}u * (TILE_N / 4u);
        var y = c{i}_{j};
        if (part.w > 0u) {
            y += vectors[part.w - 1u + n];
        }
        act[part.z + (t0 + my_t + {i}u * (TILE_T / 4u)) * part.y + n] = y;
    }
    //% end
    //% end
}
