// With cooperative matrices: x is half floats, and a subgroup makes SUB_T by SUB_N values in squares.

var<workgroup> tile_x: array<f16, TILE_T * STRIDE>;
var<workgroup> tile_w: array<f16, TILE_N * STRIDE>;
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
    for (var k0 = 0u; k0 < p.blocks * 32u; k0 += TILE_K) {
        for (var u = me; u < TILE_T * (TILE_K / 8u); u += WG) {
            let r = u / (TILE_K / 8u);
            let q = u % (TILE_K / 8u);
            let o = r * STRIDE + q * 8u;
            var v = vec4<u32>(0u);
            if (k0 + q * 8u < p.blocks * 32u) {
                v = x[((t0 + r) * p.blocks * 32u + k0) / 8u + q];
            }
            let a = unpack2x16float(v.x);
            let b = unpack2x16float(v.y);
            let c = unpack2x16float(v.z);
            let d = unpack2x16float(v.w);
            tile_x[o] = f16(a.x);
            tile_x[o + 1u] = f16(a.y);
            tile_x[o + 2u] = f16(b.x);
            tile_x[o + 3u] = f16(b.y);
            tile_x[o + 4u] = f16(c.x);
            tile_x[o + 5u] = f16(c.y);
            tile_x[o + 6u] = f16(d.x);
            tile_x[o + 7u] = f16(d.y);
        }
        for (var u = me; u < TILE_N * (TILE_K / 16u); u += WG) {
            let r = u / (TILE_K / 16u);
            let q = u % (TILE_K / 16u);
            let o = r * STRIDE + q * 16u;
            if (k0 + q * 16u < p.blocks * 32u) {
                let w = weight16(planes, min(n0 + r, part.y - 1u) * p.blocks * 2u + k0 / 16u + q);
                //% for e 4
                tile_w[o + {e}u * 4u] = f16(w[{e}].x);
                tile_w[o + {e}u * 4u + 1u] = f16(w[{e}].y);
                tile_w[o + {e}u * 4u + 2u] = f16(w[{e}].z);
                tile_w[o + {e}u * 4u + 3u] = f16(w[{e}].w);
                //% end
            } else {
                //% for e 16
                tile_w[o + {e}u] = 0.0h;
                //% end
            }
        }
        workgroupBarrier();
        //% for k DEPTH
        //% for i SQUARES_T
        let ia{k}_{i} = (sub_t + {i}u * 16u) * STRIDE + {k}u * 16u;
        let a{k}_{i} = coopLoadT<coop_mat16x16<f16, A>>(&tile_x[ia{k}_{i}], STRIDE);
        //% end
        //% for j SQUARES_N
        let ib{k}_{j} = (sub_n + {j}u * 16u) * STRIDE + {k}u * 16u;
        let b{k}_{j} = coopLoad<coop_mat16x16<f16, B>>(&tile_w[ib{k}_{j}], STRIDE);
        //% end
        //% for i SQUARES_T
        //% for j SQUARES_N
        c{i}_{j} = coopMultiplyAdd(a{k}_{i}, b{k}_{j}, c{i}_{j});
        //% end
        //% end
        //% end
        workgroupBarrier();
    }
    let width = part.y;
    if (n0 + TILE_N <= width && part.w == 0u) {
        //% for i SQUARES_T
        //% for j SQUARES_N
        let o{i}_{j} = part.z + (t0 + sub_t + {i}u * 16u) * width + n0 + sub_n + {j}u * 16u;
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
                act[part.z + (t0 + sub_t + {i}u * 16u + e / 16u) * width + n] = y;
            }
        }
        workgroupBarrier();
        //% end
        //% end
    }
}
