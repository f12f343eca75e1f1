    // A matrix of codes: a thread loads its part of a tile while other subgroups still multiply the last, or (AHEAD) before it multiplies
    // that itself, and keeps the codes meanwhile. Rows of x are brought as in `matmul_halves`.
    let group_row = me / (TILE_K / 4u);
    let row = group_row / SPREAD * SPREAD + group_row % 2u * (SPREAD / 2u) + group_row / 2u % (SPREAD / 2u);
    let column = me % (TILE_K / 4u);
    let to_x = row * (STRIDE / 4u) + column;
    //% unless EXPERTS
    let x_at = (t0 + row) * BLOCKS * 8u + column;
    //% for n LOADS_X
    let x_at{n} = x_at + {n}u * (WG * 4u / TILE_K) * BLOCKS * 8u;
    //% end
    //% end
    //% if EXPERTS
    //% for n LOADS_X
    let x_at{n} = row_at(t0 + row + {n}u * (WG * 4u / TILE_K)) * BLOCKS * 8u + column;
    //% end
    //% end
    // W_EACH values of the matrix at once: a block or half of one.
    let w_row = me / (TILE_K / W_EACH);
    let w_column = me % (TILE_K / W_EACH);
    let to_w = (w_row * STRIDE + w_column * W_EACH) / 4u;
    //% if CLAMPED
    //% for n LOADS_W
    let w_at{n} = (stack + min(n0 + w_row + {n}u * (WG * W_EACH / TILE_K), part.y - 1u)) * BLOCKS * (32u / W_EACH) + w_column;
    //% end
    //% end
    //% unless CLAMPED
    let w_first = (stack + n0 + w_row) * BLOCKS * (32u / W_EACH) + w_column;
    //% for n LOADS_W
    let w_at{n} = w_first + {n}u * (WG * W_EACH / TILE_K) * BLOCKS * (32u / W_EACH);
    //% end
    //% end
    //% if AHEAD
    //% for n LOADS_X
    var x{n} = x[x_at{n} + begin / 4u];
    //% end
    //% for n LOADS_W
    var stored{n} = stored(planes, (w_at{n} + begin / W_EACH) * W_EACH / 32u);
    //% end
    //% end
    for (var k0 = begin; k0 < end; k0 += TILE_K) {
        //% unless AHEAD
        //% for n LOADS_X
        let x{n} = x[x_at{n} + k0 / 4u];
        //% end
        //% for n LOADS_W
        let i{n} = w_at{n} + k0 / W_EACH;
        //% if WHOLE_BLOCKS
        let w{n} = halves32(stored(planes, i{n}), i{n});
        //% end
        //% unless WHOLE_BLOCKS
        let w{n} = halves16(stored(planes, i{n} / 2u), i{n});
        //% end
        //% end
        //% end
        workgroupBarrier();
        //% if AHEAD
        //% for n LOADS_W
        //% if WHOLE_BLOCKS
        let w{n} = halves32(stored{n}, w_at{n} + k0 / 32u);
        //% end
        //% unless WHOLE_BLOCKS
        let w{n} = halves16(stored{n}, w_at{n} + k0 / 16u);
        //% end
        //% end
        //% end
        //% for n LOADS_X
        //% unless SINGLE
        tile_x[to_x + {n}u * (WG * 4u / TILE_K) * (STRIDE / 4u)] = x{n};
        //% end
        //% if SINGLE
        //% for e 4
        tile_x[(to_x + {n}u * (WG * 4u / TILE_K) * (STRIDE / 4u)) * 4u + {e}u] = x{n}[{e}];
        //% end
        //% end
        //% end
        //% for n LOADS_W
        //% for e W_FOURS
        //% unless SINGLE
        tile_w[to_w + {n}u * (WG * W_EACH / TILE_K) * (STRIDE / 4u) + {e}u] = w{n}[{e}];
        //% end
        //% if SINGLE
        //% for f 4
        tile_w[(to_w + {n}u * (WG * W_EACH / TILE_K) * (STRIDE / 4u) + {e}u) * 4u + {f}u] = w{n}[{e}][{f}];
        //% end
        //% end
        //% end
        //% end
        workgroupBarrier();
        //% if AHEAD
        let next = min(k0 + TILE_K, end - TILE_K);
        //% for n LOADS_X
        x{n} = x[x_at{n} + next / 4u];
        //% end
        //% for n LOADS_W
        stored{n} = stored(planes, (w_at{n} + next / W_EACH) * W_EACH / 32u);
        //% end
        //% end
