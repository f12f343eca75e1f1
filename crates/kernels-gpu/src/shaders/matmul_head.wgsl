// Products with many rows of activations: tiles of TILE_T rows by TILE_N rows of the matrix, TILE_K values deep, brought to
// workgroup memory. The matrix is read as it is stored and becomes floats on the way. Several matrices with the same input
// are parts of one dispatch.

// `depth`: blocks to a split, where the depth is divided among workgroups; else 0. A split writes to a place of its own.
struct Params { blocks: u32, rows: u32, count: u32, depth: u32, parts: array<vec4<u32>, 12> }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

// Rows of tiles are padded, so that neighbours lie in other banks.
const STRIDE = TILE_K + 8u;
