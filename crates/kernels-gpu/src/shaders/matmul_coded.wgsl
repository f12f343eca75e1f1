    // A matrix of codes: the next tile is loaded while other subgroups still multiply the last.
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
        let to_w{n} = (v{n} / (TILE_K / 16u) * STRIDE + v{n} % (TILE_K / 16u) * 16u) / 4u;
        //% for e 4
        //% unless SINGLE
        tile_w[to_w{n} + {e}u] = vec4<f16>(w{n}[{e}]);
        //% end
        //% if SINGLE
        //% for f 4
        tile_w[(to_w{n} + {e}u) * 4u + {f}u] = f16(w{n}[{e}][{f}]);
        //% end
        //% end
        //% end
        //% end
        workgroupBarrier();
