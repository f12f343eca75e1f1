// Reads what the next kernel will read, so that it lies in the device's cache by then. A workgroup is a run of it: the first
// RUN bytes of every `pitch`, one word of every 32 bytes, which is the least that a cache brings.

struct Params { first: u32, pitch: u32, pad0: u32, pad1: u32 }
@group(0) @binding(1) var<storage, read> words: array<u32>;
@group(0) @binding(3) var<storage, read_write> unused: array<u32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let first = p.first + group.x * p.pitch + me * 8u;
    //% for n LOADS
    let w{n} = words[first + {n}u * WG * 8u];
    //% end
    var all = 0xffffffffu;
    //% for n LOADS
    all &= w{n};
    //% end
    // What is read must seem to be needed. Nobody reads this.
    if (all == 0xffffffffu) {
        unused[0] = all;
    }
}
