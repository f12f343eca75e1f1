// With cooperative matrices: x is half floats, and a subgroup makes SUB_T by SUB_N values in squares. The next tile is loaded
// while subgroups still multiply the last; rows of x and of the matrix are whole runs of TILE_K values.

@group(0) @binding(3) var<storage, read> x: array<vec4<f16>>;

var<workgroup> tile_x: array<vec4<f16>, TILE_T * STRIDE / 4u>;
var<workgroup> tile_w: array<vec4<f16>, TILE_N * STRIDE / 4u>;
// A square for each subgroup, for tiles at the matrix's end.
var<workgroup> spilled: array<f32, (TILE_T / SUB_T) * (TILE_N / SUB_N) * 256u>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32, @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_size) size: u32,
) {
    var part_at = 0u;
    while (part_at + 1u < p.count && group.y >= p.parts[(part_at + 1u) * 2u].x) {
        part_at++;
    }
    let part = p.parts[part_at * 2u];
    let at = p.parts[part_at * 2u + 1u];
    let planes = Planes(at.x, at.y, at.z, at.w);
    let t0 = group.x * TILE_T;
    let n0 = (group.y - part.x) * TILE_N;
    let sub_t = (subgroup / (TILE_N / SUB_N)) * SUB_T;
    let sub_n = (subgroup % (TILE_N / SUB_N)) * SUB_N;
    //% for i SQUARES_T
    //% for j SQUARES_N
    var c{i}_{j} = coop_mat16x16<f32, C>();
    //% end
    //% end
    let begin = group.z * p.depth * 32u;
    let end = select(p.blocks, min(p.blocks, (group.z + 1u) * p.depth), p.depth > 0u) * 32u;
    for (var k0 = begin; k0 < end; k0 += TILE_K) {
        //% for n LOADS_X
        let u{n} = me + {n}u * WG;
        let xa{n} = x[((t0 + u{n} / (TILE_K / 8u)) * p.blocks * 32u + k0) / 4u + u{n} % (TILE_K / 8u) * 2u];
        let xb{n} = x[((t0 + u{n} / (TILE_K / 8u)) * p.blocks * 32u + k0) / 4u + u{n} % (TILE_K / 8u) * 2u + 1u];
        //% end
        //% for n LOADS_W
        let v{n} = me + {n}u * WG;
        let w{n} = weight16(planes, min(n0 + v{n} / (TILE_K / 16u), part.y - 1u) * p.blocks * 2u + k0 / 16u + v{n} % (TILE_K / 16u));
        //% end
        workgroupBarrier();
        //% for n LOADS_X
        let to_x{n} = (u{n} / (TILE_K / 8u) * STRIDE + u{n} % (TILE_K / 8u) * 8u) / 4u;
        tile_x[to_x{n}] = xa{n};
        tile_x[to_x{n} + 1u] = xb{n};
        //% end
        //% for n LOADS_W
        let to_w{n} = (v{n} / (TILE_K / 16u) * STRIDE + v{n} % (TILE_K / 16u) * 16u) / 4u;
        //% for e 4
        tile_w[to_w{n} + {e}u] = vec4<f16>(w{n}[{e}]);
        //% end
        //% end
        workgroupBarrier();
        //% for k DEPTH
        //% for i SQUARES_T
        let ia{k}_{i} = (sub_t + {i}u * 16u) * STRIDE / 4u + {k}u * 4u;
        let a{k}_{i} = coopLoadT<coop_mat16x16<f16, A>>(&tile_x[ia{k}_{i}], STRIDE / 4u);
        //% end
        //% for j SQUARES_N
        let ib{k}_{j} = (sub_n + {j}u * 16u) * STRIDE / 4u + {k}u * 4u;
        let b{k}_{j} = coopLoad<coop_mat16x16<f16, B>>(&tile_w[ib{k}_{j}], STRIDE / 4u);
        //% end
        //% for i SQUARES_T
        //% for j SQUARES_N
        c{i}_{j} = coopMultiplyAdd(a{k}_{i}, b{k}_{j}, c{i}_{j});
        //% end
        //% end
        //% end
    }
    let width = part.y;
    let out = part.z + group.z * SPLIT_ROWS * width;
    if (n0 + TILE_N <= width && part.w == 0u) {
        //% for i SQUARES_T
        //% for j SQUARES_N
        let o{i}_{j} = out + (t0 + sub_t + {i}u * 16u) * width + n0 + sub_n + {j}u * 16u;
        coopStoreT(c{i}_{j}, &act[o{i}_{j}], width);
        //% end
        //% end
    } else {
        let corner = subgroup * 256u;
        //% for i SQUARES_T
        //% for j SQUARES_N
        coopStoreT(c{i}_{j}, &spilled[corner], 16u);
        workgroupBarrier();
        for (var e = lane; e < 256u; e += size) {
            let n = n0 + sub_n + {j}u * 16u + e % 16u;
            if (n < width) {
                var y = spilled[corner + e];
                if (part.w > 0u) {
                    y += vectors[part.w - 1u + n];
                }
                act[out + (t0 + sub_t + {i}u * 16u + e / 16u) * width + n] = y;
            }
        }
        workgroupBarrier();
        //% end
        //% end
    }
}
