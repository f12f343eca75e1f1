        //% for k DEPTH
        //% for i SQUARES_T
        let ia{k}_{i} = (sub_t + {i}u * SIDE) * STRIDE / ELEMENT + {k}u * (SIDE / ELEMENT);
        let a{k}_{i} = coopLoadT<coop_mat16x16<f16, A>>(&tile_x[ia{k}_{i}], STRIDE / ELEMENT);
        //% end
        //% for j SQUARES_N
        let ib{k}_{j} = (sub_n + {j}u * SIDE) * STRIDE / ELEMENT + {k}u * (SIDE / ELEMENT);
        let b{k}_{j} = coopLoad<coop_mat16x16<f16, B>>(&tile_w[ib{k}_{j}], STRIDE / ELEMENT);
        //% end
        //% for i SQUARES_T
        //% for j SQUARES_N
        c{i}_{j} = coopMultiplyAdd(a{k}_{i}, b{k}_{j}, c{i}_{j});
        //% end
        //% end
        //% end
    }
    let width = part.y;
    //% unless EXPERTS
    let out = part.z + group.z * SPLIT_ROWS * width;
    //% unless WHOLE_TILES
    // Squares are stored to whole words of 16 bytes.
    if (n0 + TILE_N <= width && width % 4u == 0u && bias == 0u) {
    //% end
        //% for i SQUARES_T
        //% for j SQUARES_N
        let o{i}_{j} = out + (t0 + sub_t + {i}u * SIDE) * width + n0 + sub_n + {j}u * SIDE;
        coopStoreT(c{i}_{j}, &act[o{i}_{j}], width);
        //% end
        //% end
    //% unless WHOLE_TILES
        return;
    }
    //% for i SQUARES_T
    //% for j SQUARES_N
    coopStoreT(c{i}_{j}, &spilled[corner], SIDE);
    workgroupBarrier();
    for (var e = lane; e < SIDE * SIDE; e += size) {
        put(t0 + sub_t + {i}u * SIDE + e / SIDE, n0 + sub_n + {j}u * SIDE + e % SIDE, spilled[corner + e], out, width, bias);
    }
    workgroupBarrier();
    //% end
    //% end
    //% end
    //% end
    //% if EXPERTS
    //% for i SQUARES_T
    //% for j SQUARES_N
    let s{i}_{j} = corner + {j}u * SIDE;
    coopStoreT(c{i}_{j}, &spilled[s{i}_{j}], SUB_N);
    //% end
    workgroupBarrier();
    for (var e = lane; e < SIDE * SUB_N; e += size) {
        put(t0 + sub_t + {i}u * SIDE + e / SUB_N, n0 + sub_n + e % SUB_N, spilled[corner + e], part.z, width, bias);
    }
    workgroupBarrier();
    //% end
    //% end
}
