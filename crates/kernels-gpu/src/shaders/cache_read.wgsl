@group(0) @binding(8) var<storage, read> cache: array<vec4<u32>>;
