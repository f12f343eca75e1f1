// Sums and maxima over a workgroup, whatever the size of its subgroups.

var<workgroup> sum_parts: array<f32, 256>;

fn workgroup_sum(value: f32, lane: u32, subgroup: u32, size: u32) -> f32 {
    let part = subgroupAdd(value);
    workgroupBarrier();
    if (lane == 0u) {
        sum_parts[subgroup] = part;
    }
    workgroupBarrier();
    var total = 0.0;
    for (var i = 0u; i < (WG + size - 1u) / size; i++) {
        total += sum_parts[i];
    }
    return total;
}

fn workgroup_max(value: f32, lane: u32, subgroup: u32, size: u32) -> f32 {
    let part = subgroupMax(value);
    workgroupBarrier();
    if (lane == 0u) {
        sum_parts[subgroup] = part;
    }
    workgroupBarrier();
    var largest = sum_parts[0];
    for (var i = 1u; i < (WG + size - 1u) / size; i++) {
        largest = max(largest, sum_parts[i]);
    }
    return largest;
}
