// With cooperative matrices: x is half floats, and a subgroup makes SUB_T by SUB_N values in squares; rows of x and of the
// matrix are BLOCKS blocks, whole runs of TILE_K values, of which a workgroup takes SPLIT: compilers make more of loops whose ends
// they know. WHOLE_TILES: all results are stored as squares; that they might not be makes some tiles half as fast. How tiles come to workgroup memory follows in `matmul_coded` or `matmul_halves`.

@group(0) @binding(3) var<storage, read> x: array<vec4<f16>>;

// Metal, whose squares have sides of 8, loads them from single values alone.
//% if SINGLE
// Values of an element of the tiles.
const ELEMENT = 1u;
var<workgroup> tile_x: array<f16, TILE_T * STRIDE>;
var<workgroup> tile_w: array<f16, TILE_N * STRIDE>;
//% end
//% unless SINGLE
const ELEMENT = 4u;
var<workgroup> tile_x: array<vec4<f16>, TILE_T * STRIDE / 4u>;
var<workgroup> tile_w: array<vec4<f16>, TILE_N * STRIDE / 4u>;
//% end
//% unless WHOLE_TILES
// What a subgroup made, for results that do not lie as squares do: at the matrix's end one square, of experts a row of squares.
//% unless EXPERTS
const SPILLED = SIDE * SIDE;
//% end
//% if EXPERTS
const SPILLED = SIDE * SUB_N;
//% end
var<workgroup> spilled: array<f32, (TILE_T / SUB_T) * (TILE_N / SUB_N) * SPILLED>;
//% end

// Of so many rows that a workgroup brings at once, neighbours bring some that are half of them apart.
const SPREAD = min(WG * 4u / TILE_K, 8u);

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
    // The last tile begins where it ends with the matrix: what it makes again is the same. Only matrices with fewer rows than a tile
    // are CLAMPED.
    //% if CLAMPED
    let n0 = (group.y - part.x) * TILE_N;
    //% end
    //% unless CLAMPED
    let n0 = min((group.y - part.x) * TILE_N, part.y - TILE_N);
    //% end
    //% unless EXPERTS
    let stack = 0u;
    let bias = part.w;
    //% end
    //% if EXPERTS
    // All threads take the same way, and compilers are shown that they do.
    if (me == 0u) {
        expert_of_tile = vec4(select(p.part - 1u, u32(act[p.tiles + 1u + group.x]), f32(group.x) < act[p.tiles]));
    }
    let expert = workgroupUniformLoad(&expert_of_tile).x;
    if (expert - p.part >= p.part_len) {
        return;
    }
    // Rows of the matrices before this expert's.
    let stack = (expert - p.part) * part.y;
    let bias = select(0u, part.w + expert * part.y, part.w > 0u);
    //% end
    let sub_t = (subgroup / (TILE_N / SUB_N)) * SUB_T;
    let sub_n = (subgroup % (TILE_N / SUB_N)) * SUB_N;
    //% unless WHOLE_TILES
    let corner = subgroup * SPILLED;
    //% end
    //% if SINGLE
    // Whether a square that is not loaded is zero, Metal does not say.
    for (var e = lane; e < SIDE * SIDE; e += size) {
        spilled[corner + e] = 0.0;
    }
    workgroupBarrier();
    //% end
    //% for i SQUARES_T
    //% for j SQUARES_N
    //% if SINGLE
    var c{i}_{j} = coopLoadT<coop_mat16x16<f32, C>>(&spilled[corner], SIDE);
    //% end
    //% unless SINGLE
    var c{i}_{j} = coop_mat16x16<f32, C>();
    //% end
    //% end
    //% end
    let begin = group.z * SPLIT * 32u;
    let end = begin + SPLIT * 32u;
