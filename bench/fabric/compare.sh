#!/bin/bash
# Tandem's links and collectives beside OpenMPI, a bare C ping-pong, memcpy, iperf3 and MLX's ring, interleaved, on cores 0 and 1.
#   bench/fabric/compare.sh build          builds everything (needs mpicc, gcc, cargo)
#   bench/fabric/compare.sh run [rounds]   prints every table; needs both cores to itself
# BIN: where the built programs go. MLX: python with mlx[cpu], optional.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=${BIN:-$root/target/bench-fabric}
examples=${CARGO_TARGET_DIR:-$root/target}/release/examples
case ${1:-} in
build)
    mkdir -p "$bin"
    for program in mpi_allreduce mpi_pingpong; do mpicc -O3 -march=native -o "$bin/$program" "$here/$program.c"; done
    for program in tcp_pingpong memcpy_speed; do gcc -O3 -march=native -o "$bin/$program" "$here/$program.c"; done
    cd "$root" && cargo build --release -p tandem-fabric -p tandem-collectives --examples
    ;;
run)
    mpi="mpirun --allow-run-as-root --bind-to core -np 2"
    for round in $(seq "${2:-3}"); do
        echo "## round $round"
        echo "# tandem shm" && "$examples/bench_collective" shm 2 0,1
        echo "# OpenMPI shared memory, us" && $mpi --mca btl self,vader "$bin/mpi_allreduce"
        echo "# tandem tcp" && "$examples/bench_collective" tcp 2 0,1
        echo "# OpenMPI tcp, us" && $mpi --mca btl self,tcp --mca btl_tcp_if_include lo "$bin/mpi_allreduce"
        "$examples/bench_link" shm 0,1
        echo "# OpenMPI" && $mpi --mca btl self,vader "$bin/mpi_pingpong"
        taskset -c 0 "$bin/memcpy_speed"
        "$examples/bench_link" tcp 0,1
        "$bin/tcp_pingpong"
        (taskset -c 1 iperf3 -s -1 -p 5999 >/dev/null &)
        sleep 0.5
        taskset -c 0 iperf3 -c 127.0.0.1 -p 5999 -t 2 | grep receiver
    done
    ;;
mlx)
    "$(dirname "${MLX:?}")/mlx.launch" -n 2 --backend ring --python "$MLX" "$here/mlx_ring.py"
    ;;
*)
    echo "usage: $0 build | run [rounds] | mlx" >&2
    exit 2
    ;;
esac
