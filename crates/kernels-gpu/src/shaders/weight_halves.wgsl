// A matrix of half floats, as cooperative matrices take it.

@group(0) @binding(0) var<storage, read> halves: array<vec4<f16>>;

// Where the matrix begins, in units of 16 bytes.
struct Planes { codes: u32, bits: u32, scales: u32, supers: u32 }
