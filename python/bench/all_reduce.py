"""Times an all-reduce of float32 arrays: `all_reduce.py tandem` under `tandem launch`, `all_reduce.py mpi` under `mpirun`. Rank 0 prints medians in µs."""

import statistics
import sys
import time

import numpy as np

SIZES = {8 << 10: 2000, 1 << 20: 200, 16 << 20: 20}

if sys.argv[1] == "tandem":
    import tandem

    comm = tandem.init()
    rank, barrier = comm.rank, comm.barrier
    make = lambda count: comm.zeros(count)
    reduce = comm.all_reduce
else:
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    rank, barrier = world.rank, world.Barrier
    make = lambda count: np.zeros(count, np.float32)
    reduce = lambda array: world.Allreduce(MPI.IN_PLACE, array, op=MPI.SUM)

for size, rounds in SIZES.items():
    array = make(size // 4)
    array[:] = 1e-6
    times = []
    for turn in range(rounds + rounds // 5):
        barrier()
        start = time.perf_counter()
        reduce(array)
        if turn >= rounds // 5:
            times.append(time.perf_counter() - start)
    if rank == 0:
        print(sys.argv[1], size, round(statistics.median(times) * 1e6, 2), flush=True)
