#!/bin/sh
# One and two nodes of one core each: llama.cpp over its RPC and Tandem over TCP, in turns.
#   compare_rpc.sh TANDEM LLAMA_BIN MODEL.gguf [ROUNDS]
# LLAMA_BIN holds llama-bench and ggml-rpc-server, built from llama.cpp with GGML_RPC=ON and GGML_NATIVE=ON.
set -eu
tandem=$1 llama=$2 model=$3 rounds=${4:-3}
trap 'kill $servers' EXIT
servers=
for core in 0 1; do
    taskset -c $core "$llama/ggml-rpc-server" -H 127.0.0.1 -p 5015$core -t 1 >/dev/null 2>&1 &
    servers="$servers $!"
done
sleep 1
both=127.0.0.1:50150,127.0.0.1:50151
bench() {
    name=$1
    shift
    "$@" -m "$model" -t 1 -p 128 -n 40 -r 1 -o json 2>/dev/null | python3 -c "
import json, sys
rates = [row['avg_ts'] for row in json.load(sys.stdin)]
print(f'llama.cpp, $name: prefill {rates[0]:.1f}, decode {rates[1]:.1f} tokens/s')"
}
for round in $(seq "$rounds"); do
    bench 'one core, no RPC' taskset -c 0 "$llama/llama-bench" -ngl 0
    bench 'RPC, one server' "$llama/llama-bench" -ngl 99 --rpc 127.0.0.1:50150
    bench 'RPC, two servers, layers' "$llama/llama-bench" -ngl 99 --rpc $both -sm layer
    bench 'RPC, two servers, tensor' "$llama/llama-bench" -ngl 99 --rpc $both -sm tensor
    "$tandem" bench scale --json --model "$model" --nodes 1,2 --cores-per-node 1 --rounds 1 --link tcp --prefill 128 --decode 40 --together 0 |
        python3 -c "
import json, sys
for row in json.load(sys.stdin)['rows']:
    print(f\"Tandem, {row['nodes']} nodes, {row['layout']}: prefill {row['prefill_tps']:.1f}, decode {row['decode_tps']:.1f} tokens/s\")"
done
