#!/bin/bash
# The linear-system example beside HPL over OpenMPI (Debian's hpcc with OpenBLAS), two processes on the same two cores, in turns.
#   bench/linear/compare.sh [UNKNOWNS [ROUNDS]]
# HPL runs with several widths of blocks, of which the best counts. Needs hpcc, libopenmpi-dev (or headers of it) and a release build:
#   cargo build --release -p tandem-collectives --example linear_system
set -eu
unknowns=${1:-6000} rounds=${2:-2}
cd "$(dirname "$0")/../.."
example=$(realpath "${CARGO_TARGET_DIR:-target}/release/examples/linear_system")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mpicc -O2 -shared -fPIC -o "$work/mpi_time.so" bench/linear/mpi_time.c
# Nothing but HPL's own lines differs from the example that Debian ships.
sed -e "6s/.*/$unknowns/" -e '7s/.*/3/' -e '8s/.*/128 192 256/' -e '11s/.*/1/' -e '12s/.*/2/' /usr/share/doc/hpcc/examples/_hpccinf.txt >"$work/hpccinf.txt"
# Debian's OpenBLAS 0.3.21 does not know newer processors and takes its slowest kernels there.
grep -qw avx512dq /proc/cpuinfo && export OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE-SkylakeX}
as_root=()
[ "$(id -u)" = 0 ] && as_root=(--allow-run-as-root)
for ((round = 0; round < rounds; round++)); do
  "$example" "$unknowns" 2 shm
done
(
  cd "$work"
  OPENBLAS_NUM_THREADS=1 MPI_TIME=$work/inside timeout 200 mpirun "${as_root[@]}" --bind-to core -x OPENBLAS_NUM_THREADS -x OPENBLAS_CORETYPE -x MPI_TIME -x LD_PRELOAD="$work/mpi_time.so" -n 2 hpcc >/dev/null 2>&1 || true
  awk '/^WR/ { print "HPL  N " $2 "  NB " $3 "  grid " $4 "x" $5 "  " $6 " s  " $7 " GFLOP/s" } /PASSED|FAILED/ && /Ax-b/' hpccoutf.txt
  # HPL comes last. Each section ends with the time, in whole seconds; a matrix is made before each run, without messages.
  begin=$(awk '/Begin of HPL section/ { print last; exit } /Current time/ { gsub(/[()]/, "", $3); last = $3 }' hpccoutf.txt)
  computed=$(awk '/^WR/ { sum += $6 } END { print sum }' hpccoutf.txt)
  for file in inside.*; do
    awk -v begin="$begin" -v s="$computed" '$2 > begin { us += $3 } END { printf "rank %d: %.2f s inside MPI, %.1f%% of all runs\n", $1, us / 1e6, us / 1e4 / s }' "$file"
  done
)
for ((round = 0; round < rounds; round++)); do
  "$example" "$unknowns" 2 shm
done
