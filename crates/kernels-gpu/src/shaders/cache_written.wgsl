@group(0) @binding(8) var<storage, read_write> cache: array<vec4<u32>>;

fn put(at: u32, word: u32) {
    cache[at / 4u][at % 4u] = word;
}
