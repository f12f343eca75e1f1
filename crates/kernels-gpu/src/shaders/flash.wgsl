// Attention of up to 16 neighbouring rows of a sequence over a run of their keys, with cooperative matrices: a subgroup has one
// of the NH query heads of a workgroup, which share a key head. The keys are gone through twice: first for the maxima and sums
// of the softmax, then for the values, since what a cooperative matrix has added up cannot be scaled anymore. What comes out
// are parts as `attend` leaves them.

struct Params {
    place: Place,
    q: u32, parts: u32, heads: u32, kv_heads: u32,
    scale: f32, window: u32, windowed: u32, block_len: u32,
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

// Rows of tiles are padded, so that neighbours lie in other banks; in units of four values.
const QS = KEY_DIM / 4u + 2u;
const TS = max(KEY_DIM, VALUE_DIM) / 4u + 2u;
const PS = 10u;
var<workgroup> queries: array<vec4<f16>, NH * 16u * QS>;
var<workgroup> tile: array<vec4<f16>, 32u * TS>;
var<workgroup> scores: array<f32, NH * 512u>;
var<workgroup> shares: array<vec4<f16>, NH * 16u * PS>;
var<workgroup> halves: array<vec2<f32>, NH * 32u>;

// 32 keys, or their values.
fn load(plane: u32, scales: u32, units: u32, first: u32, end: u32, table: u32, kv_head: u32, me: u32) {
    for (var i = me; i < 32u * units; i += WG) {
        let slot = slot_of(table, min(first + i / units, end - 1u), p.block_len, p.kv_heads, kv_head);
        let v = eight(plane, scales, slot, units, i % units);
        let to = i / units * TS + i % units * 2u;
        tile[to] = vec4<f16>(v[0]);
        tile[to + 1u] = vec4<f16>(v[1]);
    }
}

// What the rows of a subgroup's head score with 32 keys.
fn score(first: u32, end: u32, table: u32, kv_head: u32, me: u32, subgroup: u32) {
    load(p.place.keys, p.place.key_scales, KEY_DIM / 8u, first, end, table, kv_head, me);
    workgroupBarrier();
    let queries_at = subgroup * 16u * QS;
    let s0 = subgroup * 512u;
    let s1 = s0 + 16u;
    var a0 = coop_mat16x16<f32, C>();
    var a1 = coop_mat16x16<f32, C>();
    //% for k KSQ
    let qa{k} = queries_at + {k}u * 4u;
    let kb{k} = {k}u * 4u;
    let kc{k} = 16u * TS + {k}u * 4u;
    let q{k} = coopLoadT<coop_mat16x16<f16, A>>(&queries[qa{k}], QS);
    let b{k} = coopLoad<coop_mat16x16<f16, B>>(&tile[kb{k}], TS);
    let c{k} = coopLoad<coop_mat16x16<f16, B>>(&tile[kc{k}], TS);
    a0 = coopMultiplyAdd(q{k}, b{k}, a0);
    a1 = coopMultiplyAdd(q{k}, c{k}, a1);
    //% end
    coopStoreT(a0, &scores[s0], 32u);
    coopStoreT(a1, &scores[s1], 32u);
    workgroupBarrier();
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
    // The keys that the first row sees are the first that any does; this split's run of them.
    let seen = select(0u, position0 + 1u - min(position0 + 1u, p.window), p.window > 0u);
    let first = seen + split * step[2];
    let end = min(position0 + rows, first + step[2]);
    for (var i = me; i < NH * 16u * KEY_DIM / 4u; i += WG) {
        let r = i / (KEY_DIM / 4u);
        let d = i % (KEY_DIM / 4u);
        let at = p.q + ((row0 + min(r % 16u, rows - 1u)) * p.heads + head0 + r / 16u) * KEY_DIM + d * 4u;
        queries[r * QS + d] = vec4<f16>(vec4(act[at], act[at + 1u], act[at + 2u], act[at + 3u]) * p.scale);
    }
    // Two threads have a row of the softmax, each 16 keys of a tile.
    let token = lane / 2u;
    let half = lane % 2u;
    let position = position0 + token;
    let low = select(0u, position + 1u - min(position + 1u, p.window), p.window > 0u);
    let mine = subgroup * 512u + token * 32u + half * 16u;
    let s0 = subgroup * 512u;
    var largest = -1e30;
    var total = 0.0;
    for (var k0 = first; k0 < end; k0 += 32u) {
        score(k0, end, table, kv_head, me, subgroup);
        var most = largest;
        for (var j = 0u; j < 16u; j++) {
            let key = k0 + half * 16u + j;
            most = select(most, max(most, scores[mine + j]), key < end && key <= position && key >= low);
        }
        total *= exp(largest - most);
        for (var j = 0u; j < 16u; j++) {
            let key = k0 + half * 16u + j;
            total += select(0.0, exp(scores[mine + j] - most), key < end && key <= position && key >= low);
        }
        largest = most;
    }
    halves[subgroup * 32u + lane] = vec2(largest, total);
    workgroupBarrier();
    let other = halves[subgroup * 32u + (lane ^ 1u)];
    let most = max(largest, other.x);
    total = total * exp(largest - most) + other.y * exp(other.x - most);

    //% for j VSQ
    var o{j} = coop_mat16x16<f32, C>();
    //% end
    let w0 = subgroup * 16u * PS;
    let w1 = subgroup * 16u * PS + 4u;
    for (var k0 = first; k0 < end; k0 += 32u) {
        score(k0, end, table, kv_head, me, subgroup);
        for (var j = 0u; j < 4u; j++) {
            var w = vec4(0.0);
            for (var e = 0u; e < 4u; e++) {
                let key = k0 + half * 16u + j * 4u + e;
                w[e] = select(0.0, exp(scores[mine + j * 4u + e] - most), key < end && key <= position && key >= low);
            }
            shares[(subgroup * 16u + token) * PS + half * 4u + j] = vec4<f16>(w);
        }
        load(p.place.values, p.place.value_scales, VALUE_DIM / 8u, k0, end, table, kv_head, me);
        workgroupBarrier();
        let wa = coopLoadT<coop_mat16x16<f16, A>>(&shares[w0], PS);
        let wb = coopLoadT<coop_mat16x16<f16, A>>(&shares[w1], PS);
        //% for j VSQ
        let va{j} = {j}u * 4u;
        let vb{j} = 16u * TS + {j}u * 4u;
        let v{j} = coopLoadT<coop_mat16x16<f16, B>>(&tile[va{j}], TS);
        let u{j} = coopLoadT<coop_mat16x16<f16, B>>(&tile[vb{j}], TS);
        o{j} = coopMultiplyAdd(wa, v{j}, o{j});
        o{j} = coopMultiplyAdd(wb, u{j}, o{j});
        //% end
        workgroupBarrier();
    }
    let part = VALUE_DIM + 2u;
    let to = p.parts + ((row0 * p.heads + head0 + subgroup) * step[3] + split) * part;
    let next = p.heads * step[3] * part;
    if (half == 0u && token < rows) {
        act[to + token * next] = most;
        act[to + token * next + 1u] = total;
    }
    //% for j VSQ
    coopStoreT(o{j}, &scores[s0], 16u);
    workgroupBarrier();
    for (var e = lane; e < 256u; e += 32u) {
        if (e / 16u < rows) {
            act[to + e / 16u * next + 2u + {j}u * 16u + e % 16u] = scores[s0 + e];
        }
    }
    workgroupBarrier();
    //% end
}
