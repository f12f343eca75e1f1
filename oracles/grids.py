"""The points that the grid types of GGUF quantise to, as the `gguf` package has them.

    python oracles/grids.py crates/tensor/src/quant/grids.bin

One little-endian word for each point, in the order of ORDER: the index of value `j` in the type's list of magnitudes takes
`BITS` bits from bit `BITS * j` on. `tests/quant.rs` holds what is read with them to the package's own reading.
"""

import sys

import numpy as np
from gguf import quants

ORDER = [quants.IQ2_XXS, quants.IQ2_XS, quants.IQ2_S, quants.IQ3_XXS, quants.IQ3_S, quants.IQ1_S]


def main():
    with open(sys.argv[1], "wb") as out:
        for kind in ORDER:
            kind.init_grid()
            grid = np.array(kind.grid).reshape(kind.grid_shape)
            values = [int(value) for value in kind.grid_map]
            bits = 2 if len(values) == 3 else 3
            for point in grid:
                word = sum(values.index(int(value)) << (bits * j) for j, value in enumerate(point))
                out.write(word.to_bytes(2, "little"))


main()
