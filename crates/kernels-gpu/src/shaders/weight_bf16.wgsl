fn weight8(p: Planes, i: u32) -> array<vec4<f32>, 2> {
    let w = codes[p.codes + i];
    let low = bitcast<vec4<f32>>(w << vec4<u32>(16u));
    let high = bitcast<vec4<f32>>(w & vec4<u32>(0xffff0000u));
    return array(vec4(low.x, high.x, low.y, high.y), vec4(low.z, high.z, low.w, high.w));
}
