"""All-reduce of f32 with MLX's ring backend on the CPU; run with `mlx.launch -n 2 --backend ring`."""
import os
import statistics
import time

import mlx.core as mx

group = mx.distributed.init(backend="ring", strict=True)
os.sched_setaffinity(0, {group.rank() % os.cpu_count()})
if group.rank() == 0:
    print(f"{'bytes':>10} {'min':>10} {'median':>10}")
for size in [8, 1 << 10, 8 << 10, 16 << 10, 32 << 10, 256 << 10, 1 << 20, 16 << 20]:
    x = mx.ones((size // 4,), dtype=mx.float32)
    mx.eval(x)
    times = []
    for _ in range(10 if size >= 1 << 20 else 300):
        begin = time.perf_counter()
        mx.eval(mx.distributed.all_sum(x, stream=mx.cpu))
        times.append((time.perf_counter() - begin) * 1e6)
    if group.rank() == 0:
        print(f"{size:>10} {min(times):>10.1f} {statistics.median(times):>10.1f}", flush=True)
