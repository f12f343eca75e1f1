// Attention of one row with latent heads over a run of its keys, with cooperative matrices: 16 heads to a workgroup, which all read the
// same keys, whose first VALUE_DIM values are the values. Of KEYS keys a subgroup scores half by one of PARTS parts of their values, then
// adds up a part of the values of all. Scores are compared with a reference that follows a head's maximum from afar, as in `flash`. What
// comes out are parts as `attend` leaves them, or the result where there is one run (WHOLE). Where keys were chosen (CHOSEN), they are
// counted in lists, as in `attend`.

struct Params {
    place: Place,
    q: u32, parts: u32, heads: u32, kv_heads: u32,
    scale: f32, window: u32, windowed: u32, block_len: u32,
    // Where the result goes, where there is one run.
    out: u32, sinks: u32, dim: u32, stride: u32,
    //% if CHOSEN
    // Which keys are read: up to `count` for each row.
    chosen: u32, count: u32, pad0: u32, pad1: u32,
    //% end
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

// Weights stay below its exponential, which half floats hold.
const RAISE = 8.0;
const UNITS = KEY_DIM / 8u;
// A row of squares for each half of the keys.
const KEYS = SIDE * 2u;
// Rows of tiles are padded, so that neighbours lie in other banks.
const TS = KEY_DIM + 8u;
const WS = KEYS + 8u;
const SS = KEYS + 4u;
// Metal, whose squares have sides of 8, loads them from single values alone.
//% if SINGLE
// Values of an element of the tiles and of the queries.
const ELEMENT = 1u;
@group(0) @binding(3) var<storage, read> x: array<f16>;
var<workgroup> tile: array<f16, KEYS * TS>;
var<workgroup> shares: array<f16, 16u * WS>;
// Whether a square that is not loaded is zero, Metal does not say.
var<workgroup> zeros: array<f32, SIDE * SIDE>;
//% end
//% unless SINGLE
const ELEMENT = 4u;
@group(0) @binding(3) var<storage, read> x: array<vec4<f16>>;
var<workgroup> tile: array<vec4<f16>, KEYS * TS / 4u>;
var<workgroup> shares: array<vec4<f16>, 16u * WS / 4u>;
//% end
var<workgroup> scores: array<f32, PARTS * 16u * SS>;
var<workgroup> slots: array<u32, KEYS>;
// What a head's values are multiplied with.
var<workgroup> factors: array<f32, 16>;
// Of 16 bytes, as everything here is in whole ones: cooperative matrices must begin at such places.
var<workgroup> raised: vec4<u32>;

// The slot of the key `at` of those that the row reads.
fn slot(row: u32, at: u32, table: u32) -> u32 {
    //% if CHOSEN
    return slot_of(table, u32(act[p.chosen + row * p.count + at]), p.block_len, 1u, 0u);
    //% end
    //% unless CHOSEN
    return slot_of(table, at, p.block_len, 1u, 0u);
    //% end
}

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32,
) {
    let head0 = group.x * 16u;
    let row = group.z;
    let table = table_of(row, p.windowed);
    let first = group.y * step[2];
    //% if CHOSEN
    let end = min(min(step[step[5] + row] + 1u, p.count), first + step[2]);
    //% end
    //% unless CHOSEN
    let end = min(seen_to(row), first + step[2]);
    //% end
    if (me < KEYS) {
        slots[me] = slot(row, min(first + me, end - 1u), table);
    }
    if (me == 0u) {
        raised = vec4(0u);
    }
    //% if SINGLE
    for (var i = me; i < SIDE * SIDE; i += WG) {
        zeros[i] = 0.0;
    }
    //% end
    workgroupBarrier();
    let key0 = subgroup % 2u * SIDE;
    let part = subgroup / 2u;
    let square0 = part * KSQ_PART * SIDE;
    let value0 = subgroup * VSQ_PART * SIDE;
    //% for i SQUARES
    //% for k KSQ_PART
    let qa{i}_{k} = ((row * p.heads + head0 + {i}u * SIDE) * KEY_DIM + square0 + {k}u * SIDE) / ELEMENT;
    let q{i}_{k} = coopLoadT<coop_mat16x16<f16, A>>(&x[qa{i}_{k}], KEY_DIM / ELEMENT);
    //% end
    //% for j VSQ_PART
    //% if SINGLE
    var o{i}_{j} = coopLoadT<coop_mat16x16<f32, C>>(&zeros[0], SIDE);
    //% end
    //% unless SINGLE
    var o{i}_{j} = coop_mat16x16<f32, C>();
    //% end
    //% end
    // Where a subgroup brings squares to scale them.
    let corner{i} = (subgroup * 16u + {i}u * SIDE) * SIDE;
    //% end
    // Neighbours have a head of the softmax, each four keys; threads beyond all heads do the same again.
    let head = me / (KEYS / 4u) % 16u;
    let mine = me % (KEYS / 4u) * 4u;
    let known = head0 + head < p.heads;
    let leads = me % (KEYS / 4u) == 0u && me < KEYS * 4u;
    var reference = -1e30;
    var total = 0.0;
    for (var k0 = first; k0 < end; k0 += KEYS) {
        // Loads are begun four at a time.
        for (var from_unit = me; from_unit < KEYS * UNITS; from_unit += WG * 4u) {
            //% for n 4
            let i{n} = min(from_unit + {n}u * WG, KEYS * UNITS - 1u);
            let v{n} = eight(p.place.keys, p.place.key_scales, slots[i{n} / UNITS], UNITS, i{n} % UNITS);
            //% end
            //% for n 4
            let to{n} = (i{n} / UNITS * TS + i{n} % UNITS * 8u) / ELEMENT;
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
        workgroupBarrier();
        //% for i SQUARES
        //% if SINGLE
        var a{i} = coopLoadT<coop_mat16x16<f32, C>>(&zeros[0], SIDE);
        //% end
        //% unless SINGLE
        var a{i} = coop_mat16x16<f32, C>();
        //% end
        //% end
        //% for k KSQ_PART
        let ba{k} = (key0 * TS + square0 + {k}u * SIDE) / ELEMENT;
        let b{k} = coopLoad<coop_mat16x16<f16, B>>(&tile[ba{k}], TS / ELEMENT);
        //% for i SQUARES
        a{i} = coopMultiplyAdd(q{i}_{k}, b{k}, a{i});
        //% end
        //% end
        //% for i SQUARES
        let sa{i} = (part * 16u + {i}u * SIDE) * SS + key0;
        coopStoreT(a{i}, &scores[sa{i}], SS);
        //% end
        workgroupBarrier();
        var s = vec4(0.0);
        //% for n PARTS
        let at{n} = ({n}u * 16u + head) * SS + mine;
        s += vec4(scores[at{n}], scores[at{n} + 1u], scores[at{n} + 2u], scores[at{n} + 3u]);
        //% end
        let seen = vec4(k0 + mine) + vec4(0u, 1u, 2u, 3u) < vec4(select(0u, end, known));
        s = select(vec4(-1e30), s * p.scale, seen);
        var most = max(max(s.x, s.y), max(s.z, s.w));
        for (var n = 1u; n < KEYS / 4u; n *= 2u) {
            most = max(most, subgroupShuffleXor(most, n));
        }
        if (most > reference + RAISE) {
            raised = vec4(1u);
        }
        // All have read those of this tile.
        if (me < KEYS) {
            slots[me] = slot(row, min(k0 + KEYS + me, end - 1u), table);
        }
        let raise = workgroupUniformLoad(&raised);
        if (raise.x != 0u) {
            let next = max(reference, most);
            let shrink = exp(reference - next);
            total *= shrink;
            reference = next;
            if (leads) {
                factors[head] = shrink;
            }
            if (me == 0u) {
                raised = vec4(0u);
            }
            //% for j VSQ_PART
            //% for i SQUARES
            coopStoreT(o{i}_{j}, &scores[corner{i}], SIDE);
            //% end
            workgroupBarrier();
            for (var e = 0u; e < SIDE / 2u; e++) {
                scores[(subgroup * 32u + lane) * (SIDE / 2u) + e] *= factors[lane / 2u];
            }
            workgroupBarrier();
            //% for i SQUARES
            o{i}_{j} = coopLoadT<coop_mat16x16<f32, C>>(&scores[corner{i}], SIDE);
            //% end
            workgroupBarrier();
            //% end
        }
        let w = select(vec4(0.0), exp(s - reference), seen);
        total += w.x + w.y + w.z + w.w;
        if (me < KEYS * 4u) {
            let to = (head * WS + mine) / ELEMENT;
            //% unless SINGLE
            shares[to] = vec4<f16>(w);
            //% end
            //% if SINGLE
            //% for e 4
            shares[to + {e}u] = f16(w[{e}]);
            //% end
            //% end
        }
        workgroupBarrier();
        //% for c 2
        //% for i SQUARES
        let wa{i}_{c} = ({i}u * SIDE * WS + {c}u * SIDE) / ELEMENT;
        let w{i}_{c} = coopLoadT<coop_mat16x16<f16, A>>(&shares[wa{i}_{c}], WS / ELEMENT);
        //% end
        //% end
        //% for j VSQ_PART
        //% for c 2
        let va{j}_{c} = ({c}u * SIDE * TS + value0 + {j}u * SIDE) / ELEMENT;
        let v{j}_{c} = coopLoadT<coop_mat16x16<f16, B>>(&tile[va{j}_{c}], TS / ELEMENT);
        //% for i SQUARES
        o{i}_{j} = coopMultiplyAdd(w{i}_{c}, v{j}_{c}, o{i}_{j});
        //% end
        //% end
        //% end
        workgroupBarrier();
    }
    for (var n = 1u; n < KEYS / 4u; n *= 2u) {
        total += subgroupShuffleXor(total, n);
    }
    //% unless WHOLE
    let part0 = p.parts + ((row * p.heads + head0) * step[3] + group.y) * (VALUE_DIM + 2u);
    let next_head = step[3] * (VALUE_DIM + 2u);
    //% end
    if (leads && known) {
        //% if WHOLE
        factors[head] = 1.0 / total;
        //% end
        //% unless WHOLE
        act[part0 + head * next_head] = reference;
        act[part0 + head * next_head + 1u] = total;
        //% end
    }
    //% for j VSQ_PART
    //% for i SQUARES
    coopStoreT(o{i}_{j}, &scores[corner{i}], SIDE);
    //% end
    workgroupBarrier();
    for (var e = lane; e < SIDE * 16u; e += 32u) {
        let r = e / SIDE;
        let d = value0 + {j}u * SIDE + e % SIDE;
        let found = scores[subgroup * SIDE * 16u + e];
        if (head0 + r < p.heads) {
            //% if WHOLE
            act[p.out + (row * p.heads + head0 + r) * VALUE_DIM + d] = found * factors[r];
            //% end
            //% unless WHOLE
            act[part0 + r * next_head + 2u + d] = found;
            //% end
        }
    }
    workgroupBarrier();
    //% end
}
