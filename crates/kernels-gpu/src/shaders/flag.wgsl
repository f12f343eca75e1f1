// Tells the host, by one more than last time, that everything before this was written.

@group(0) @binding(2) var<storage, read_write> count: array<u32>;
@group(0) @binding(11) var<storage, read_write> lent: array<u32>;

@compute @workgroup_size(WG)
fn main() {
    count[0] += 1u;
    lent[0] = count[0];
}
