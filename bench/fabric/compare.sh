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
    for program in tcp_pingpong line_pingpong memcpy_speed; do gcc -O3 -march=native -o "$bin/$program" "$here/$program.c"; done
    cd "$root" && cargo build --release -p tandem-fabric -p tandem-collectives --examples
    ;;
run)
    sizes="8192 16384 32768 1048576 16777216"
    each_ms=100
    mpi="mpirun --allow-run-as-root --bind-to core -np 2"
    tandem() { "$examples/bench_collective" "$1" 2 0,1 '' "${sizes// /,}" $each_ms; }
    # Short turns, taken alternately: the cores' distance changes under a hypervisor, and must change for both alike.
    for round in $(seq "${2:-6}"); do
        echo "## round $round"
        for link in shm tcp; do
            echo "# tandem $link" && tandem $link
            btl=vader && [ $link = tcp ] && btl="tcp --mca btl_tcp_if_include lo"
            echo "# openmpi $link" && $mpi --mca btl self,$btl "$bin/mpi_allreduce" $each_ms $sizes
        done
        "$bin/line_pingpong"
        "$examples/bench_link" shm 0,1 64,262144,1048576,16777216 $each_ms
        echo "# openmpi" && $mpi --mca btl self,vader "$bin/mpi_pingpong"
        taskset -c 0 "$bin/memcpy_speed"
        "$examples/bench_link" tcp 0,1 64,1048576 $each_ms
        "$bin/tcp_pingpong"
        (taskset -c 1 iperf3 -s -1 -p 5999 >/dev/null &)
        sleep 0.3
        taskset -c 0 iperf3 -c 127.0.0.1 -p 5999 -t 1 | grep receiver
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
