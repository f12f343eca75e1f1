#!/bin/sh
# A transfer of weights beside what its link carries, in turns: over loopback, and over a link of 10 and of 2.5 Gbit/s between two
# network namespaces (needs root; made for this, and removed).
#   bench/cluster/weights.sh MODEL.gguf [FOLDER [ROUNDS]]
set -eu
model=$(realpath "$1")
folder=${2:-/dev/shm}
rounds=${3:-5}
cd "$(dirname "$0")/../.."
near=weights-near-$$ far=weights-far-$$
end() {
    ip netns del "$near" 2> /dev/null || true
    ip netns del "$far" 2> /dev/null || true
}
trap end EXIT
trap 'exit 1' INT TERM
cargo build --release -q -p tandem-node --example weights_rate
rate="${CARGO_TARGET_DIR:-target}/release/examples/weights_rate"
cat "$model" > /dev/null # into the page cache

measure() { # address, how to run the receiver, how to run the sender
    $2 "$rate" receive "$1" "$folder" "$rounds" &
    receiver=$!
    $3 "$rate" send "$1" "$model"
    wait "$receiver"
}

echo "loopback"
measure 127.0.0.1:47601 "" ""

if ! ip netns add "$near" 2> /dev/null; then
    echo "SKIPPED: slower links need the right to make network namespaces"
    exit 0
fi
ip netns add "$far"
ip link add near netns "$near" type veth peer name far netns "$far"
ip -n "$near" addr add 10.77.0.1/24 dev near
ip -n "$far" addr add 10.77.0.2/24 dev far
for end in "$near near" "$far far"; do
    set -- $end
    ip -n "$1" link set lo up
    ip -n "$1" link set "$2" up
done
for speed in 10gbit 2.5gbit; do
    for end in "$near near" "$far far"; do
        set -- $end
        ip netns exec "$1" tc qdisc replace dev "$2" root tbf rate "$speed" burst 4mb latency 5ms
    done
    echo "$speed"
    measure 10.77.0.1:47601 "ip netns exec $near" "ip netns exec $far"
done
