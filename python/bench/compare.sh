#!/bin/bash
# All-reduce from Python beside mpi4py over OpenMPI, two ranks on one machine, in turns; medians of rank 0 in µs for each size in bytes.
#   python/bench/compare.sh [ROUNDS]
# Needs mpi4py and NumPy for PYTHON (Debian: python3-mpi4py python3-numpy), and release builds:
#   cargo build --release -p tandem -p tandem-python
set -eu
rounds=${1:-3} python=${PYTHON:-/usr/bin/python3}
cd "$(dirname "$0")/../.."
built=$(realpath "${CARGO_TARGET_DIR:-target}/release")
tandem=${TANDEM:-$built/tandem}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r python/tandem "$work/"
cp "$built"/lib_tandem.so "$work/tandem/_tandem.abi3.so"
as_root=()
[ "$(id -u)" = 0 ] && as_root=(--allow-run-as-root)
for ((round = 0; round < rounds; round++)); do
  PYTHONPATH=$work "$tandem" launch -n 2 "$python" python/bench/all_reduce.py tandem
  mpirun "${as_root[@]}" --bind-to core -n 2 "$python" python/bench/all_reduce.py mpi
done
