    // A matrix of codes. AHEAD: a thread loads its part of the next tile before it multiplies this one, and holds it meanwhile; else
    // while other subgroups still multiply the last.
    //% for n LOADS_X
    let u{n} = me + {n}u * WG;
    //% unless EXPERTS
    let row{n} = t0 + u{n} / (TILE_K / 8u);
    //% end
    //% if EXPERTS
    let row{n} = row_at(t0 + u{n} / (TILE_K / 8u));
    //% end
    let x_at{n} = row{n} * p.blocks * 8u + u{n} % (TILE_K / 8u) * 2u;
    let to_x{n} = (u{n} / (TILE_K / 8u) * STRIDE + u{n} % (TILE_K / 8u) * 8u) / 4u;
    //% end
    //% for n LOADS_W
    let v{n} = me + {n}u * WG;
    let w_at{n} = (stack + min(n0 + v{n} / (TILE_K / 16u), part.y - 1u)) * p.blocks * 2u + v{n} % (TILE_K / 16u);
    let to_w{n} = (v{n} / (TILE_K / 16u) * STRIDE + v{n} % (TILE_K / 16u) * 16u) / 4u;
    //% end
    //% if AHEAD
    //% for n LOADS_X
    var xa{n} = x[x_at{n} + begin / 4u];
    var xb{n} = x[x_at{n} + begin / 4u + 1u];
    //% end
    //% for n LOADS_W
    var w{n} = halves16(planes, w_at{n} + begin / 16u);
    //% end
    //% end
    for (var k0 = begin; k0 < end; k0 += TILE_K) {
        //% unless AHEAD
        //% for n LOADS_X
        let xa{n} = x[x_at{n} + k0 / 4u];
        let xb{n} = x[x_at{n} + k0 / 4u + 1u];
        //% end
        //% for n LOADS_W
        let w{n} = halves16(planes, w_at{n} + k0 / 16u);
        //% end
        //% end
        workgroupBarrier();
        //% for n LOADS_X
        //% unless SINGLE
        tile_x[to_x{n}] = xa{n};
        tile_x[to_x{n} + 1u] = xb{n};
        //% end
        //% if SINGLE
        //% for e 4
        tile_x[to_x{n} * 4u + {e}u] = xa{n}[{e}];
        tile_x[to_x{n} * 4u + 4u + {e}u] = xb{n}[{e}];
        //% end
        //% end
        //% end
        //% for n LOADS_W
        //% for e 4
        //% unless SINGLE
        tile_w[to_w{n} + {e}u] = w{n}[{e}];
        //% end
        //% if SINGLE
        //% for f 4
        tile_w[(to_w{n} + {e}u) * 4u + {f}u] = w{n}[{e}][{f}];
        //% end
        //% end
        //% end
        //% end
        workgroupBarrier();
        //% if AHEAD
        let next = min(k0 + TILE_K, end - TILE_K);
        //% for n LOADS_X
        xa{n} = x[x_at{n} + next / 4u];
        xb{n} = x[x_at{n} + next / 4u + 1u];
        //% end
        //% for n LOADS_W
        w{n} = halves16(planes, w_at{n} + next / 16u);
        //% end
        //% end
