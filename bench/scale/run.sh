#!/bin/sh
# The tables of RESULTS.md on this machine: run.sh TANDEM TOKENIZER.gguf OUT_FOLDER
# Makes random models of the 1.2B shape and of SmolLM2's, and measures them with `tandem bench scale`.
set -eu
tandem=$1 tokenizer=$2 out=$3
mkdir -p "$out"
for type in Q4_0 Q8_0; do
    "$tandem" make-model "$out/1.2b-$type.gguf" --tokenizer "$tokenizer" --type $type --force
done
"$tandem" make-model "$out/smol.gguf" --tokenizer "$tokenizer" --type Q4_1 --hidden 576 --layers 30 --heads 9 --kv-heads 3 \
    --head-dim 64 --ffn 1536 --tied --force
for threads in 1 2 4 8 16; do "$tandem" bench memory --threads $threads; done
scale() {
    name=$1
    shift
    "$tandem" bench scale --json "$@" >"$out/$name.json" && echo "$name"
}
scale q4-1 --model "$out/1.2b-Q4_0.gguf" --nodes 1,2 --cores-per-node 1 --prefill 128 --decode 40
scale q8-1 --model "$out/1.2b-Q8_0.gguf" --nodes 1,2 --cores-per-node 1 --prefill 128 --decode 32
scale smol-1 --model "$out/smol.gguf" --nodes 1,2 --cores-per-node 1 --decode 128
scale q4-1-tcp --model "$out/1.2b-Q4_0.gguf" --nodes 1,2 --cores-per-node 1 --prefill 128 --decode 40 --link tcp
scale q4-4 --model "$out/1.2b-Q4_0.gguf" --nodes 1,2,4 --cores-per-node 4
scale q4-2 --model "$out/1.2b-Q4_0.gguf" --nodes 1,2,4,8 --cores-per-node 2
scale q4-16 --model "$out/1.2b-Q4_0.gguf" --nodes 1 --cores-per-node 16
scale delay --model "$out/1.2b-Q4_0.gguf" --nodes 1,2,4 --cores-per-node 2 --rounds 2 --delay-us 0,50,300 --prefill 128 --decode 40 \
    --plot "$out/scale.svg"
