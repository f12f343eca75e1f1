// Products with many rows of activations: tiles of TILE_T rows by TILE_N rows of the matrix, TILE_K values deep, brought to
// workgroup memory. The matrix is read as it is stored and becomes floats on the way. Several matrices with the same input
// are parts of one dispatch.
//
// EXPERTS: matrices of experts. The rows of a tile are pairs of a row and one of its experts, all with the same expert, in the order
// that `sort` made. PAIRED: x has the rows of the batch; else one for every pair, as the results always have. SHARED: products are
// weighed by the expert's share. A stack may lie in parts, of which this is one: `part_len` experts from `part` on.

// Where the depth is divided among workgroups, each writes to a place of its own.
struct Params {
    blocks: u32, rows: u32, count: u32, pad: u32, parts: array<vec4<u32>, 12>,
    //% if EXPERTS
    order: u32, tiles: u32, weights: u32, part: u32, part_len: u32, pad0: u32, pad1: u32, pad2: u32,
    //% end
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

// Rows of tiles are padded, so that neighbours lie in other banks.
const STRIDE = TILE_K + 8u;

//% if EXPERTS
// As wide as what tiles begin at a multiple of.
var<workgroup> expert_of_tile: vec4<u32>;

// The row of x at a place of the order. Places that are left have any.
fn row_at(i: u32) -> u32 {
    let pair = u32(max(act[p.order + i], 0.0));
    return select(pair, pair / USED, PAIRED);
}
//% end

// A value of the product: of row `i` of all tiles, and of row `n` of the matrix. `bias`: where the matrix's begins, from 1 on.
fn put(i: u32, n: u32, value: f32, out: u32, width: u32, bias: u32) {
    if (n >= width) {
        return;
    }
    var y = value;
    var row = i;
    //% if EXPERTS
    let pair = act[p.order + i];
    if (pair < 0.0) {
        return;
    }
    row = u32(pair);
    // What an expert reads is weighed, or what it says.
    let share = select(1.0, act[p.weights + row], SHARED);
    y *= select(1.0, share, PAIRED);
    //% end
    if (bias > 0u) {
        y += vectors[bias - 1u + n];
    }
    //% if EXPERTS
    y *= select(share, 1.0, PAIRED);
    //% end
    act[out + row * width + n] = y;
}
