    // A matrix of half floats: a thread loads its part of the next tile, four values at a time, before it multiplies this one.
    // Neighbours have rows apart from each other, so that they write to other banks.
    let group_row = me / (TILE_K / 4u);
    let row = group_row / SPREAD * SPREAD + group_row % 2u * (SPREAD / 2u) + group_row / 2u % (SPREAD / 2u);
    let column = me % (TILE_K / 4u);
    let to = row * (STRIDE / 4u) + column;
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
    //% if CLAMPED
    //% for n LOADS_W
    let w_at{n} = planes.codes * 2u + (stack + min(n0 + row + {n}u * (WG * 4u / TILE_K), part.y - 1u)) * BLOCKS * 8u + column;
    //% end
    //% end
    //% unless CLAMPED
    let w_first = planes.codes * 2u + (stack + n0 + row) * BLOCKS * 8u + column;
    //% for n LOADS_W
    let w_at{n} = w_first + {n}u * (WG * 4u / TILE_K) * BLOCKS * 8u;
    //% end
    //% end
    //% for n LOADS_X
    var x{n} = x[x_at{n} + begin / 4u];
    //% end
    //% for n LOADS_W
    var w{n} = halves[w_at{n} + begin / 4u];
    //% end
    for (var k0 = begin; k0 < end; k0 += TILE_K) {
        workgroupBarrier();
        //% for n LOADS_X
        //% unless SINGLE
        tile_x[to + {n}u * (WG * 4u / TILE_K) * (STRIDE / 4u)] = x{n};
        //% end
        //% if SINGLE
        //% for e 4
        tile_x[(to + {n}u * (WG * 4u / TILE_K) * (STRIDE / 4u)) * 4u + {e}u] = x{n}[{e}];
        //% end
        //% end
        //% end
        //% for n LOADS_W
        //% unless SINGLE
        tile_w[to + {n}u * (WG * 4u / TILE_K) * (STRIDE / 4u)] = w{n};
        //% end
        //% if SINGLE
        //% for e 4
        tile_w[(to + {n}u * (WG * 4u / TILE_K) * (STRIDE / 4u)) * 4u + {e}u] = w{n}[{e}];
        //% end
        //% end
        //% end
        workgroupBarrier();
        let next = min(k0 + TILE_K, end - TILE_K) / 4u;
        //% for n LOADS_X
        x{n} = x[x_at{n} + next];
        //% end
        //% for n LOADS_W
        w{n} = halves[w_at{n} + next];
        //% end
