fn weight8(p: Planes, i: u32) -> array<vec4<f32>, 2> {
    return array(bitcast<vec4<f32>>(codes[p.codes + i * 2u]), bitcast<vec4<f32>>(codes[p.codes + i * 2u + 1u]));
}
