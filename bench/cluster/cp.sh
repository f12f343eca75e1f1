#!/bin/bash
# `tandem cp` between two nodes in network namespaces of their own (needs root; made for this, and removed), over a link of 10 Gbit/s (`tc tbf`).
#   bench/cluster/cp.sh [MB [ROUNDS [up's OPTION...]]]        e.g. 1000 5 --plain-links
# Each round copies one file of noise into memory, and compares it. Then a copy whose node is killed half-way, and given again.
set -eu
megabytes=${1:-2000} rounds=${2:-3} options=("${@:3}")
cd "$(dirname "$0")/../.."
tandem=$(realpath "${TANDEM:-${CARGO_TARGET_DIR:-target}/release/tandem}")
near=cp-near-$$ far=cp-far-$$
work=$(mktemp -d /dev/shm/tandem-cp.XXXXXX)
nodes=()
end() {
  for node in "${nodes[@]}"; do kill "$node" 2>/dev/null || true; done
  wait 2>/dev/null || true
  ip netns del "$near" 2>/dev/null || true
  ip netns del "$far" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM
ip netns add "$near"
ip netns add "$far"
ip link add near netns "$near" type veth peer name far netns "$far"
ip -n "$near" addr add 10.77.0.1/24 dev near
ip -n "$far" addr add 10.77.0.2/24 dev far
for one in "$near near" "$far far"; do
  read -r space device <<<"$one"
  ip -n "$space" link set lo up
  ip -n "$space" link set "$device" up
  ip netns exec "$space" tc qdisc replace dev "$device" root tbf rate 10gbit burst 4mb latency 5ms
done
mkdir -p "$work"/{near,far}/shared
head -c "${megabytes}M" /dev/urandom >"$work/far/shared/noise"
# A virtual machine gets its memory when it is first used, which takes longer than the copy.
head -c "$((2 * megabytes))M" /dev/zero >"$work/touched"
rm "$work/touched"
on() { local space=$1 home=$2; shift 2; ip netns exec "$space" env TANDEM_HOME="$work/$home" HF_ENDPOINT=http://127.0.0.1:9 "$tandem" "$@"; }
# Not by `on`, so that $! is the node itself.
up() { # SPACE HOME ARGUMENT...
  local space=$1 home=$2
  shift 2
  ip netns exec "$space" env TANDEM_HOME="$work/$home" HF_ENDPOINT=http://127.0.0.1:9 "$tandem" up --name "$home" --no-discovery --threads 1 "${options[@]}" "$@" >"$work/$home.log" 2>&1 &
  nodes+=($!)
  for _ in $(seq 300); do grep -q 'Serving on' "$work/$home.log" && return; sleep 0.1; done
  cat "$work/$home.log"
  exit 1
}
up "$far" far
token=$(on "$far" far token --uses 1 2>/dev/null)
up "$near" near --join "$token"
for _ in $(seq 300); do [ "$(on "$near" near nodes --json | grep -c '"live": true')" = 2 ] && break; sleep 0.1; done
for ((round = 0; round < rounds; round++)); do
  on "$near" near cp far:noise "$work/copy"
  cmp "$work/far/shared/noise" "$work/copy"
  rm "$work/copy"
done
echo "killed half-way:"
on "$near" near cp far:noise "$work/copy" >"$work/first.log" 2>&1 &
copying=$!
sleep 1
kill -KILL "${nodes[1]}"
wait "$copying" || tail -n 1 "$work/first.log"
up "$near" near
for _ in $(seq 300); do [ "$(on "$near" near nodes --json | grep -c '"live": true')" = 2 ] && break; sleep 0.1; done
on "$near" near cp far:noise "$work/copy" --json
cmp "$work/far/shared/noise" "$work/copy" && echo "the same"
