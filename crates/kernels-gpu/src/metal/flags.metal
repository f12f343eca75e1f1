// The device's half of flags both ways (see `flags.rs`): values between a buffer and words that the host sees at the same time.
//
// GIVEN, LET_IN and ABORTED, where the flags lie, and THREADS are written before this. A plain store or load is seen by the host
// only when a command buffer ends, and a fence does not change that: what both sides use is `coherent(system)`, of Metal 3.2. The
// scope of the whole system has no public name; 3 is its number.

#if __METAL_VERSION__ < 320
#error "memory that is coherent with the host comes with Metal 3.2, of macOS 15"
#endif

#pragma METAL internals : enable
#include <metal_stdlib>
using namespace metal;

struct Carry {
    uint first;  // of the buffer's words
    uint at;     // of the words that the host sees
    uint len;
    uint number; // of the exchange; 0: nothing is told or waited for
    uint polls;  // looks that a wait may take
};

static void system_fence() {
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, static_cast<thread_scope>(3));
}

// Values go out, then the number; nothing after an abort. One group of threads: the number comes after the values of all of them.
[[kernel, max_total_threads_per_threadgroup(THREADS)]] void give(
    constant Carry& carry [[buffer(0)]],
    device uint* values [[buffer(1)]],
    volatile coherent(system) device uint* mail [[buffer(2)]],
    uint thread_index [[thread_index_in_threadgroup]]
) {
    threadgroup uint goes_on;
    if (thread_index == 0) {
        system_fence();
        goes_on = mail[ABORTED] == 0 ? 1 : 0;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (goes_on == 0) {
        return;
    }
    for (uint i = thread_index; i < carry.len; i += THREADS) {
        mail[carry.at + i] = values[carry.first + i];
    }
    system_fence();
    threadgroup_barrier(mem_flags::mem_device);
    if (thread_index == 0 && carry.number != 0) {
        system_fence();
        mail[GIVEN] = carry.number;
        system_fence();
    }
}

// Values come in once their number is let in. After so many looks, or an abort, they do not, and nothing after this waits.
[[kernel, max_total_threads_per_threadgroup(THREADS)]] void take(
    constant Carry& carry [[buffer(0)]],
    device uint* values [[buffer(1)]],
    volatile coherent(system) device uint* mail [[buffer(2)]],
    uint thread_index [[thread_index_in_threadgroup]]
) {
    threadgroup uint goes_on;
    if (thread_index == 0) {
        uint found = 0;
        for (uint left = carry.polls;; left--) {
            system_fence();
            if (mail[ABORTED] != 0) {
                break;
            }
            if (mail[LET_IN] == carry.number) {
                found = 1;
                break;
            }
            if (left == 0) {
                mail[ABORTED] = carry.number;
                system_fence();
                break;
            }
        }
        goes_on = found;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (goes_on == 0) {
        return;
    }
    system_fence();
    for (uint i = thread_index; i < carry.len; i += THREADS) {
        values[carry.first + i] = mail[carry.at + i];
    }
}
