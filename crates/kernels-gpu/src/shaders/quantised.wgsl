// Four values of a block of 32, which eight neighbours of one subgroup have, as codes of eight bits. The block's scale and the sums of its
// first and last sixteen codes are those that the first of the eight has.
struct Quantised { codes: u32, scale: vec2<u32> }

fn quantised(values: vec4<f32>) -> Quantised {
    let size = abs(values);
    var largest = max(max(size.x, size.y), max(size.z, size.w));
    largest = max(largest, subgroupShuffleXor(largest, 1u));
    largest = max(largest, subgroupShuffleXor(largest, 2u));
    largest = max(largest, subgroupShuffleXor(largest, 4u));
    let inverse = select(0.0, 127.0 / largest, largest > 0.0);
    let q = vec4<i32>(round(values * inverse));
    var low = q.x + q.y + q.z + q.w;
    low += subgroupShuffleXor(low, 1u);
    low += subgroupShuffleXor(low, 2u);
    let high = subgroupShuffleXor(low, 4u);
    let sums = (bitcast<u32>(low) & 0xffffu) | (bitcast<u32>(high) << 16u);
    return Quantised(pack4xI8(q), vec2(bitcast<u32>(largest / 127.0), sums));
}
