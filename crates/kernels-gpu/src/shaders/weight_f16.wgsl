fn weight8(p: Planes, i: u32) -> array<vec4<f32>, 2> {
    let w = codes[p.codes + i];
    return array(vec4(unpack2x16float(w.x), unpack2x16float(w.y)), vec4(unpack2x16float(w.z), unpack2x16float(w.w)));
}
