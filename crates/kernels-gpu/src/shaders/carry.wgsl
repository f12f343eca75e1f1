// Values between the activations and memory that the host sees too: both are bound where the values begin, and the activations as far
// as they go.

@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(11) var<storage, read_write> lent: array<f32>;

@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&act)) {
        //% if INWARD
        act[i] = lent[i];
        //% end
        //% unless INWARD
        lent[i] = act[i];
        //% end
    }
}
