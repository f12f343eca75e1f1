// Times llama.cpp without Python in the way. Linked against the libllama inside the llama-cpp-python package.
//
//   llama_probe bench MODEL THREADS PREFILL DECODE SEQUENCES FLASH
//       one warm-up, then SEQUENCES prompts of PREFILL tokens one after the other, then DECODE greedy steps that
//       continue all of them together; prints one JSON object
//   llama_probe first MODEL THREADS PROMPT
//       prints the first token of the greedy answer and ends: the caller times it from outside

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "llama.h"

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void fail(const char *what) {
    fprintf(stderr, "llama_probe: %s\n", what);
    exit(1);
}

static void quiet(enum ggml_log_level level, const char *text, void *data) {
    (void)data;
    if (level >= GGML_LOG_LEVEL_ERROR) fputs(text, stderr);
}

static long status_bytes(const char *field) {
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    long kb = 0;
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, field, strlen(field))) kb = atol(line + strlen(field) + 1);
    if (f) fclose(f);
    return kb * 1024;
}

static bool no_progress(float done, void *data) {
    (void)done, (void)data;
    return true;
}

static struct llama_model *load(const char *path) {
    struct llama_model_params params = llama_model_default_params();
    params.n_gpu_layers = 0;
    params.progress_callback = no_progress;
    struct llama_model *model = llama_model_load_from_file(path, params);
    if (!model) fail("cannot load the model");
    return model;
}

static struct llama_context *make_context(struct llama_model *model, int threads, int context, int sequences, int flash) {
    struct llama_context_params params = llama_context_default_params();
    params.n_ctx = context;
    params.n_batch = params.n_ubatch = 512;
    params.n_seq_max = sequences;
    params.n_threads = params.n_threads_batch = threads;
    params.flash_attn_type = flash ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
    params.kv_unified = false;
    params.no_perf = true;
    struct llama_context *ctx = llama_init_from_model(model, params);
    if (!ctx) fail("cannot make a context");
    return ctx;
}

static llama_token best(struct llama_context *ctx, int row, int vocab) {
    const float *logits = llama_get_logits_ith(ctx, row);
    int at = 0;
    for (int i = 1; i < vocab; i++)
        if (logits[i] > logits[at]) at = i;
    return at;
}

static void push(struct llama_batch *b, llama_token token, int pos, int seq, int logits) {
    int i = b->n_tokens++;
    b->token[i] = token;
    b->pos[i] = pos;
    b->n_seq_id[i] = 1;
    b->seq_id[i][0] = seq;
    b->logits[i] = logits;
}

static void decode(struct llama_context *ctx, struct llama_batch b) {
    if (llama_decode(ctx, b)) fail("llama_decode failed");
}

static void prefill(struct llama_context *ctx, struct llama_batch *b, int tokens, int seq) {
    for (int pos = 0; pos < tokens;) {
        b->n_tokens = 0;
        while (pos < tokens && b->n_tokens < 512) {
            push(b, 1000 + (pos * 7919 + seq * 31) % 40000, pos, seq, pos == tokens - 1);
            pos++;
        }
        decode(ctx, *b);
    }
}

static int bench(char **arg) {
    int threads = atoi(arg[1]), prompt = atoi(arg[2]), count = atoi(arg[3]), sequences = atoi(arg[4]), flash = atoi(arg[5]);
    double start = now_s();
    struct llama_model *model = load(arg[0]);
    int vocab = llama_vocab_n_tokens(llama_model_get_vocab(model));
    int per_sequence = (prompt + count + 4 + 255) / 256 * 256;
    struct llama_context *ctx = make_context(model, threads, per_sequence * sequences, sequences, flash);
    double load_s = now_s() - start;
    struct llama_batch b = llama_batch_init(512, 0, 1);
    llama_token next[64];

    double prefill_s = 0, decode_s = 0;
    for (int warm = 1; warm >= 0; warm--) {
        llama_memory_clear(llama_get_memory(ctx), true);
        int tokens = warm && prompt > 32 ? 32 : prompt, steps = warm ? 4 : count;
        start = now_s();
        for (int s = 0; s < sequences; s++) {
            prefill(ctx, &b, tokens, s);
            next[s] = best(ctx, -1, vocab);
        }
        prefill_s = now_s() - start;
        start = now_s();
        for (int step = 0; step < steps; step++) {
            b.n_tokens = 0;
            for (int s = 0; s < sequences; s++) push(&b, next[s], tokens + step, s, 1);
            decode(ctx, b);
            for (int s = 0; s < sequences; s++) next[s] = best(ctx, s, vocab);
        }
        decode_s = now_s() - start;
    }
    printf("{\"prefill_tps\":%.3f,\"decode_tps\":%.3f,\"load_ms\":%.1f,\"rss_bytes\":%ld}\n",
           sequences * prompt / prefill_s, sequences * count / decode_s, load_s * 1e3, status_bytes("VmHWM:"));
    return 0;
}

static int first(char **arg) {
    struct llama_model *model = load(arg[0]);
    const struct llama_vocab *vocab = llama_model_get_vocab(model);
    llama_token tokens[512];
    int n = llama_tokenize(vocab, arg[2], strlen(arg[2]), tokens, 512, true, true);
    if (n <= 0) fail("cannot tokenise the prompt");
    struct llama_context *ctx = make_context(model, atoi(arg[1]), 1024, 1, 1);
    decode(ctx, llama_batch_get_one(tokens, n));
    char piece[256];
    int size = llama_token_to_piece(vocab, best(ctx, -1, llama_vocab_n_tokens(vocab)), piece, sizeof piece, 0, true);
    fwrite(piece, 1, size, stdout);
    fflush(stdout);
    _Exit(0);
}

int main(int argc, char **argv) {
    llama_log_set(quiet, NULL);
    llama_backend_init();
    if (argc == 8 && !strcmp(argv[1], "bench")) return bench(argv + 2);
    if (argc == 5 && !strcmp(argv[1], "first")) return first(argv + 2);
    fail("usage: llama_probe bench MODEL THREADS PREFILL DECODE SEQUENCES FLASH | first MODEL THREADS PROMPT");
}
