// Attention of up to 16 neighbouring rows of a sequence over a run of their keys, with cooperative matrices: a subgroup has one
// of the NH query heads of a workgroup, which share a key head. Scores are compared with a reference that follows a row's
// maximum from afar: what a cooperative matrix has added up can be scaled only by way of workgroup memory, so it is scaled
// only when a score is more than RAISE above the reference. What comes out are parts as `attend` leaves them, or the result
// where there is one run (WHOLE).

struct Params {
    place: Place,
    q: u32, parts: u32, heads: u32, kv_heads: u32,
    scale: f32, window: u32, windowed: u32, block_len: u32,
    // Where the result goes, where there is one run.
    out: u32, sinks: u32, dim: u32, stride: u32,
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(3) var<storage, read_write> x_words: array<u32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

// Weights stay below its exponential, which half floats hold.
const RAISE = 8.0;
// Rows of tiles are padded, so that neighbours lie in other banks.
const QS = KEY_DIM + 8u;
const TS = max(KEY_DIM, VALUE_DIM) + 8u;
const PS = 40u;
const SS = 36u;
// Metal, whose squares have sides of 8, loads them from single values alone.
//% if SINGLE
// Values of an element of the tiles.
const ELEMENT = 1u;
var<workgroup> queries: array<f16, NH * 16u * QS>;
var<workgroup> tile: array<f16, 32u * TS>;
var<workgroup> shares: array<f16, NH * 16u * PS>;
// Whether a square that is not loaded is zero, Metal does not say.
var<workgroup> zeros: array<f32, SIDE * SIDE>;
//% end
//% unless SINGLE
const ELEMENT = 4u;
var<workgroup> queries: array<vec4<f16>, NH * 16u * QS / 4u>;
var<workgroup> tile: array<vec4<f16>, 32u * TS / 4u>;
var<workgroup> shares: array<vec4<f16>, NH * 16u * PS / 4u>;
//% end
var<workgroup> scores: array<f32, NH * 16u * SS>;
var<workgroup> divisors: array<f32, NH * 16u>;
// Of 16 bytes, as everything here is in whole ones: cooperative matrices must begin at such places.
var<workgroup> raised: vec4<u32>;

// 32 keys, or their values; loads are begun four at a time.
fn load(plane: u32, scales: u32, units: u32, first: u32, end: u32, table: u32, kv_head: u32, me: u32) {
    for (var from_unit = me; from_unit < 32u * units; from_unit += WG * 4u) {
        //% for n 4
        let i{n} = min(from_unit + {n}u * WG, 32u * units - 1u);
        let slot{n} = slot_of(table, min(first + i{n} / units, end - 1u), p.block_len, p.kv_heads, kv_head);
        //% end
        //% for n 4
        let v{n} = eight(plane, scales, slot{n}, units, i{n} % units);
        //% end
        //% for n 4
        let to{n} = (i{n} / units * TS + i{n} % units * 8u) / ELEMENT;
        //% unless SINGLE
        tile[to{n}] = vec4<f16>(v{n}[0]);
        tile[to{n} + 1u] = vec4<f16>(v{n}[1]);
        //% end
        //% if SINGLE
        //% for e 4
        tile[to{n} + {e}u] = f16(v{n}[0][{e}]);
        tile[to{n} + 4u + {e}u] = f16(v{n}[1][{e}]);
        //% end
        //% end
        //% end
    }
}

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32,
) {
    let row0 = step[step[11] + group.z * 2u];
    let rows = step[step[11] + group.z * 2u + 1u];
    let split = group.y;
    let shared_by = p.heads / p.kv_heads;
    let chunks = shared_by / NH;
    let kv_head = group.x / chunks;
    let head0 = kv_head * shared_by + group.x % chunks * NH;
    let table = table_of(row0, p.windowed);
    let position0 = step[step[5] + row0];
    // This split's run of the keys from the first that the first row sees to the last that the last one does.
    let first = seen_from(position0, p.window) + split * step[2];
    let end = min(seen_to(row0 + rows - 1u), first + step[2]);
    for (var i = me; i < NH * 16u * KEY_DIM / 4u; i += WG) {
        let r = i / (KEY_DIM / 4u);
        let d = i % (KEY_DIM / 4u);
        let at = p.q + ((row0 + min(r % 16u, rows - 1u)) * p.heads + head0 + r / 16u) * KEY_DIM + d * 4u;
        let held = vec4<f16>(vec4(act[at], act[at + 1u], act[at + 2u], act[at + 3u]) * p.scale);
        let to = (r * QS + d * 4u) / ELEMENT;
        //% unless SINGLE
        queries[to] = held;
        //% end
        //% if SINGLE
        //% for e 4
        queries[to + {e}u] = held[{e}];
        //% end
        //% end
    }
    //% if SINGLE
    for (var i = me; i < SIDE * SIDE; i += WG) {
        zeros[i] = 0.0;
    }
    //% end
    if (me == 0u) {
        raised = vec4(0u);
    }
    workgroupBarrier();
    // Two threads have a row of the softmax, each 16 keys of a tile.
    let token = lane / 2u;
    let half = lane % 2u;
    let position = position0 + token;
    let low = seen_from(position, p.window);
    let high = seen_to(row0 + min(token, rows - 1u));
    let mine = (subgroup * 16u + token) * SS + half * 16u;
    // Of squares that are scaled it has half a row.
    let scaled = (subgroup * 16u + token) * SS + half * (SIDE / 2u);
    let square0 = subgroup * 16u * SS;
    var reference = -1e30;
    var total = 0.0;
    //% for i SQUARES
    let top{i} = subgroup * 16u + {i}u * SIDE;
    //% for j VSQ
    //% if SINGLE
    var o{i}_{j} = coopLoadT<coop_mat16x16<f32, C>>(&zeros[0], SIDE);
    //% end
    //% unless SINGLE
    var o{i}_{j} = coop_mat16x16<f32, C>();
    //% end
    //% end
    //% for k KSQ
    let qa{i}_{k} = (top{i} * QS + {k}u * SIDE) / ELEMENT;
    let q{i}_{k} = coopLoadT<coop_mat16x16<f16, A>>(&queries[qa{i}_{k}], QS / ELEMENT);
    //% end
    //% end
    for (var k0 = first; k0 < end; k0 += 32u) {
        load(p.place.keys, p.place.key_scales, KEY_DIM / 8u, k0, end, table, kv_head, me);
        workgroupBarrier();
        //% for i SQUARES
        //% for c KEY_SQUARES
        //% if SINGLE
        var a{i}_{c} = coopLoadT<coop_mat16x16<f32, C>>(&zeros[0], SIDE);
        //% end
        //% unless SINGLE
        var a{i}_{c} = coop_mat16x16<f32, C>();
        //% end
        //% end
        //% end
        //% for k KSQ
        //% for c KEY_SQUARES
        let ka{k}_{c} = ({c}u * SIDE * TS + {k}u * SIDE) / ELEMENT;
        let b{k}_{c} = coopLoad<coop_mat16x16<f16, B>>(&tile[ka{k}_{c}], TS / ELEMENT);
        //% for i SQUARES
        a{i}_{c} = coopMultiplyAdd(q{i}_{k}, b{k}_{c}, a{i}_{c});
        //% end
        //% end
        //% end
        //% for i SQUARES
        //% for c KEY_SQUARES
        let sa{i}_{c} = top{i} * SS + {c}u * SIDE;
        coopStoreT(a{i}_{c}, &scores[sa{i}_{c}], SS);
        //% end
        //% end
        workgroupBarrier();
        // A thread's keys that its row sees.
        let from_key = k0 + half * 16u;
        let upto = min(end, high);
        var most = -1e30;
        //% for j 4
        let key{j} = vec4(from_key + {j}u * 4u) + vec4(0u, 1u, 2u, 3u);
        let seen{j} = (key{j} < vec4(upto)) & (key{j} >= vec4(low));
        let at{j} = mine + {j}u * 4u;
        let s{j} = select(vec4(-1e30), vec4(scores[at{j}], scores[at{j} + 1u], scores[at{j} + 2u], scores[at{j} + 3u]), seen{j});
        most = max(most, max(max(s{j}.x, s{j}.y), max(s{j}.z, s{j}.w)));
        //% end
        most = max(most, subgroupShuffleXor(most, 1u));
        if (most > reference + RAISE) {
            raised = vec4(1u);
        }
        let raise = workgroupUniformLoad(&raised);
        if (raise.x != 0u) {
            let next = max(reference, most);
            let shrink = exp(reference - next);
            total *= shrink;
            reference = next;
            if (me == 0u) {
                raised = vec4(0u);
            }
            //% for j VSQ
            //% for i SQUARES
            let oa{i}_{j} = top{i} * SS;
            coopStoreT(o{i}_{j}, &scores[oa{i}_{j}], SS);
            //% end
            workgroupBarrier();
            for (var e = 0u; e < SIDE / 2u; e++) {
                scores[scaled + e] *= shrink;
            }
            workgroupBarrier();
            //% for i SQUARES
            o{i}_{j} = coopLoadT<coop_mat16x16<f32, C>>(&scores[oa{i}_{j}], SS);
            //% end
            workgroupBarrier();
            //% end
        }
        //% for j 4
        let w{j} = select(vec4(0.0), exp(s{j} - reference), seen{j});
        total += w{j}.x + w{j}.y + w{j}.z + w{j}.w;
        let to{j} = ((subgroup * 16u + token) * PS + half * 16u + {j}u * 4u) / ELEMENT;
        //% unless SINGLE
        shares[to{j}] = vec4<f16>(w{j});
        //% end
        //% if SINGLE
        //% for e 4
        shares[to{j} + {e}u] = f16(w{j}[{e}]);
        //% end
        //% end
        //% end
        load(p.place.values, p.place.value_scales, VALUE_DIM / 8u, k0, end, table, kv_head, me);
        workgroupBarrier();
        //% for c KEY_SQUARES
        //% for i SQUARES
        let wa{i}_{c} = (top{i} * PS + {c}u * SIDE) / ELEMENT;
        let w{i}_{c} = coopLoadT<coop_mat16x16<f16, A>>(&shares[wa{i}_{c}], PS / ELEMENT);
        //% end
        //% end
        //% for j VSQ
        //% for c KEY_SQUARES
        let va{j}_{c} = ({c}u * SIDE * TS + {j}u * SIDE) / ELEMENT;
        let v{j}_{c} = coopLoadT<coop_mat16x16<f16, B>>(&tile[va{j}_{c}], TS / ELEMENT);
        //% for i SQUARES
        o{i}_{j} = coopMultiplyAdd(w{i}_{c}, v{j}_{c}, o{i}_{j});
        //% end
        //% end
        //% end
        workgroupBarrier();
    }
    total += subgroupShuffleXor(total, 1u);
    //% if WHOLE
    if (p.sinks > 0u) {
        let sink = vectors[p.sinks - 1u + head0 + subgroup];
        let most = max(reference, sink);
        total = total * exp(reference - most) + exp(sink - most);
        reference -= most;
    } else {
        reference = 0.0;
    }
    if (half == 0u) {
        divisors[subgroup * 16u + token] = exp(reference) / total;
    }
    //% end
    //% unless WHOLE
    let part = VALUE_DIM + 2u;
    let to = p.parts + ((row0 * p.heads + head0 + subgroup) * step[3] + split) * part;
    let next = p.heads * step[3] * part;
    if (half == 0u && token < rows) {
        act[to + token * next] = reference;
        act[to + token * next + 1u] = total;
    }
    //% end
    //% for j VSQ
    //% for i SQUARES
    let oe{i}_{j} = top{i} * SS;
    coopStoreT(o{i}_{j}, &scores[oe{i}_{j}], SS);
    //% end
    workgroupBarrier();
    for (var e = lane; e < 8u * SIDE; e += 32u) {
        let r = e / (SIDE / 2u);
        let d = {j}u * SIDE + e % (SIDE / 2u) * 2u;
        let at = square0 + r * SS + e % (SIDE / 2u) * 2u;
        if (r < rows) {
            //% unless WHOLE
            act[to + r * next + 2u + d] = scores[at];
            act[to + r * next + 3u + d] = scores[at + 1u];
            //% end
            //% if WHOLE
            let y = vec2(scores[at], scores[at + 1u]) * divisors[subgroup * 16u + r];
            let column = (head0 + subgroup) * VALUE_DIM + d;
            if (KEEP) {
                act[p.out + (row0 + r) * p.heads * VALUE_DIM + column] = y.x;
                act[p.out + (row0 + r) * p.heads * VALUE_DIM + column + 1u] = y.y;
            }
            if (FORMAT == 2u) {
                x_words[(row0 + r) * p.stride + column] = bitcast<u32>(y.x);
                x_words[(row0 + r) * p.stride + column + 1u] = bitcast<u32>(y.y);
            } else if (FORMAT == 3u) {
                x_words[((row0 + r) * p.stride + column) / 2u] = pack2x16float(clamp(y, vec2(-65504.0), vec2(65504.0)));
            }
            //% end
        }
    }
    workgroupBarrier();
    //% end
}
