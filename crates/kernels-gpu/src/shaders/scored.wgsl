// What heads of a query make of a cached row: `score = Σ_h weights[h] * max(0, q[h] · row)`. AT_ONCE of them are shared by all threads, each
// of which has a row of its own.

var<workgroup> queries: array<vec4<f32>, AT_ONCE * KU * 2u>;
var<workgroup> shares: array<f32, AT_ONCE>;

fn score_of(slot: u32, row: u32, me: u32) -> f32 {
    //% for u KU
    let k{u} = eight(p.place.keys, p.place.key_scales, slot, KU, {u}u);
    //% end
    var score = 0.0;
    for (var h0 = 0u; h0 < p.heads; h0 += AT_ONCE) {
        let heads = min(AT_ONCE, p.heads - h0);
        workgroupBarrier();
        for (var i = me; i < heads * KU * 8u; i += WG) {
            let d = i % (KU * 8u);
            let at = p.q + (row * p.heads + h0 + i / (KU * 8u)) * KEY_DIM + min(d, KEY_DIM - 1u);
            queries[i / 4u][i % 4u] = select(0.0, act[at], d < KEY_DIM);
        }
        for (var h = me; h < heads; h += WG) {
            shares[h] = act[p.weights + row * p.heads + h0 + h];
        }
        workgroupBarrier();
        for (var h = 0u; h < heads; h++) {
            var sum = 0.0;
            //% for u KU
            sum += dot(k{u}[0], queries[(h * KU + {u}u) * 2u]) + dot(k{u}[1], queries[(h * KU + {u}u) * 2u + 1u]);
            //% end
            score += shares[h] * max(sum, 0.0);
        }
    }
    return score;
}
