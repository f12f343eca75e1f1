// What attention found for a head: thread `me` has four of its values, from `4 * me` on; beyond the head's end nothing is
// written. All threads of a workgroup must call it.
fn give(found: vec4<f32>, me: u32, row: u32, head: u32) {
    var y = found;
    let d = me * 4u;
    for (var j = 0u; j < 4u; j++) {
        if (d + j < p.dim) {
            if (KEEP) {
                act[p.out + (row * p.heads + head) * p.dim + d + j] = y[j];
            }
        } else {
            y[j] = 0.0;
        }
    }
    if (FORMAT != 0u) {
        prepare(y, me, select(p.stride, head * p.dim + d, d < p.dim), row, p.stride);
    }
}
