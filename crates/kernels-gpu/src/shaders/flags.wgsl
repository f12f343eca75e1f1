// What `metal/flags.metal` does, without the wait: for software Vulkan, in tests.

struct Carry {
    first: u32,
    at: u32,
    len: u32,
    number: u32,
    polls: u32,
}

var<immediate> carry: Carry;
@group(0) @binding(0) var<storage, read_write> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> mail: array<atomic<u32>>;

var<workgroup> goes_on: u32;

@compute @workgroup_size(THREADS)
fn give(@builtin(local_invocation_index) thread: u32) {
    if (thread == 0u) {
        goes_on = select(0u, 1u, atomicLoad(&mail[ABORTED]) == 0u);
    }
    if (workgroupUniformLoad(&goes_on) == 0u) {
        return;
    }
    for (var i = thread; i < carry.len; i += THREADS) {
        atomicStore(&mail[carry.at + i], values[carry.first + i]);
    }
    storageBarrier();
    if (thread == 0u && carry.number != 0u) {
        atomicStore(&mail[GIVEN], carry.number);
    }
}

@compute @workgroup_size(THREADS)
fn take(@builtin(local_invocation_index) thread: u32) {
    if (thread == 0u) {
        goes_on = 0u;
        if (atomicLoad(&mail[ABORTED]) == 0u) {
            if (atomicLoad(&mail[LET_IN]) == carry.number) {
                goes_on = 1u;
            } else {
                atomicStore(&mail[ABORTED], carry.number);
            }
        }
    }
    if (workgroupUniformLoad(&goes_on) == 0u) {
        return;
    }
    for (var i = thread; i < carry.len; i += THREADS) {
        values[carry.first + i] = atomicLoad(&mail[carry.at + i]);
    }
}
