#!/bin/sh
# The tables of RESULTS.md on this machine: run.sh TANDEM TOKENIZER.gguf OUT_FOLDER
# Makes random models of the 1.2B shape and of SmolLM2's, and measures them with `tandem bench scale`.
set -eu
tandem=$1 tokenizer=$2 out=$3
mkdir -p "$out"
cores=$(nproc)
for type in Q4_0 Q8_0; do
    "$tandem" make-model "$out/1.2b-$type.gguf" --tokenizer "$tokenizer" --type $type --force
done
"$tandem" make-model "$out/smol.gguf" --tokenizer "$tokenizer" --type Q4_1 --hidden 576 --layers 30 --heads 9 --kv-heads 3 \
    --head-dim 64 --ffn 1536 --tied --force
for threads in 1 2 4 8 16; do
    [ "$threads" -gt "$cores" ] || "$tandem" bench memory --threads "$threads"
done
scale() {
    name=$1
    shift
    "$tandem" bench scale --json "$@" >"$out/$name.json" && echo "$name"
}
q4="--model $out/1.2b-Q4_0.gguf" q8="--model $out/1.2b-Q8_0.gguf"
scale q4-1 $q4 --nodes 1,2 --cores-per-node 1 --prefill 128 --decode 40
scale q8-1 $q8 --nodes 1,2 --cores-per-node 1 --prefill 128 --decode 32
scale smol-1 --model "$out/smol.gguf" --nodes 1,2 --cores-per-node 1 --decode 128
scale q4-1-tcp $q4 --nodes 1,2 --cores-per-node 1 --prefill 128 --decode 40 --link tcp
[ "$cores" -ge 16 ] || exit 0
scale q4-4 $q4 --nodes 1,2,4 --cores-per-node 4
scale q8-4 $q8 --nodes 1,2,4 --cores-per-node 4 --rounds 2
scale q4-2 $q4 --nodes 1,2,4,8 --cores-per-node 2
scale q4-16 $q4 --nodes 1 --cores-per-node 16
# Prompts in two halves, one computing while the other's sums travel, against one after the other.
for overlap in on off; do
    scale "overlap-$overlap" $q4 --nodes 1,2 --cores-per-node 8 --delay-us 300,1000,3000,10000 --layouts tensor --prefill 512 --decode 4 \
        --together 0 --overlap $overlap
done
scale fast-4 $q4 --nodes 1,2 --cores-per-node 8 --rounds 2 --delay-us 0,50,300
scale fast-16 $q4 --nodes 1,2 --cores-per-node 8 --rounds 2 --delay-us 300 --together 16
scale delay $q4 --nodes 1,2,4 --cores-per-node 2 --rounds 2 --delay-us 0,50,300 --prefill 256 --decode 40 --plot "$out/scale.svg"
