"""llama.cpp as the reference: a thin layer over llama-cpp-python's C bindings, every setting spelled out."""

import ctypes

import gguf
import llama_cpp as c
import numpy as np


@c.llama_log_callback
def _errors_only(level, text, _):
    if level >= 4:
        print(text.decode(errors="replace"), end="", flush=True)


c.llama_log_set(_errors_only, ctypes.c_void_p(0))
c.llama_backend_init()


@c.llama_progress_callback
def _no_progress(done, _):
    return True


# What every golden value was made with.
SETTINGS = {"n_batch": 512, "kv": "f16", "flash_attention": False, "threads": 2}


class Reference:
    """A model and one context."""

    def __init__(
        self,
        path,
        context=1024,
        threads=2,
        flash_attention=False,
        sequences=1,
        kv=SETTINGS["kv"],
        yarn_betas=None,
    ):
        model_params = c.llama_model_default_params()
        model_params.n_gpu_layers = 0
        model_params.progress_callback = _no_progress
        self.model = c.llama_model_load_from_file(str(path).encode(), model_params)
        if not self.model:
            raise RuntimeError(f"llama.cpp cannot load {path}")
        params = c.llama_context_default_params()
        params.n_ctx = context
        params.n_batch = params.n_ubatch = SETTINGS["n_batch"]
        params.n_seq_max = sequences
        params.n_threads = params.n_threads_batch = threads
        params.flash_attn_type = 1 if flash_attention else 0
        params.type_k = params.type_v = {"f16": c.GGML_TYPE_F16, "f32": c.GGML_TYPE_F32}[kv]
        params.no_perf = True
        if yarn_betas:
            params.yarn_beta_fast, params.yarn_beta_slow = yarn_betas
        self.context = c.llama_init_from_model(self.model, params)
        if not self.context:
            raise RuntimeError(f"llama.cpp cannot make a context for {path}")
        self.vocab = c.llama_model_get_vocab(self.model)
        self.vocab_size = c.llama_vocab_n_tokens(self.vocab)
        self.batch = c.llama_batch_init(SETTINGS["n_batch"], 0, 1)

    def tokenize(self, text, control_tokens=False):
        """The ids of `text` with nothing added; `control_tokens` lets `<|im_start|>` mean what it says."""
        data = text.encode()
        ids = (c.llama_token * (len(data) + 8))()
        n = c.llama_tokenize(self.vocab, data, len(data), ids, len(ids), False, control_tokens)
        assert n >= 0, f"{text!r}: {n}"
        return list(ids[:n])

    def starts_with_bos(self):
        return bool(c.llama_vocab_get_add_bos(self.vocab))

    def bos(self):
        return c.llama_vocab_bos(self.vocab)

    def ends_generation(self, token):
        return bool(c.llama_vocab_is_eog(self.vocab, token))

    def clear(self):
        c.llama_memory_clear(c.llama_get_memory(self.context), True)

    def decode(self, tokens, start, all_logits=False):
        """Appends at most one batch of tokens to sequence 0; returns the last row of logits, or all rows."""
        batch = self.batch
        batch.n_tokens = len(tokens)
        for i, token in enumerate(tokens):
            batch.token[i] = token
            batch.pos[i] = start + i
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = 0
            batch.logits[i] = all_logits or i == len(tokens) - 1
        status = c.llama_decode(self.context, batch)
        if status:
            raise RuntimeError(f"llama_decode: {status}")
        rows = len(tokens) if all_logits else 1
        logits = np.ctypeslib.as_array(c.llama_get_logits(self.context), (rows, self.vocab_size))
        return logits.copy()

    def greedy(self, prompt, count):
        """Up to `count` tokens, each with the two best logits it was chosen by; an end token is the last."""
        self.clear()
        logits = self.decode(prompt, 0)[0]
        steps = []
        while True:
            second, first = np.argpartition(logits, -2)[-2:]
            if logits[second] > logits[first]:
                first, second = second, first
            steps.append((int(first), int(second), float(logits[first]), float(logits[second])))
            if len(steps) == count or self.ends_generation(int(first)):
                return steps
            logits = self.decode([int(first)], len(prompt) + len(steps) - 1)[0]

    def negative_log_likelihood(self, tokens, chunk=512):
        """Sum over the text, in chunks that each start afresh, of -ln p(token | those before it in the chunk).

        The first token of a chunk has nothing before it and does not count. Returns (counted, sum).
        """
        counted, total = 0, 0.0
        for start in range(0, len(tokens), chunk):
            part = tokens[start : start + chunk]
            if len(part) < 2:
                break
            self.clear()
            logits = self.decode(part, 0, all_logits=True)[:-1].astype(np.float64)
            top = logits.max(axis=1)
            norm = top + np.log(np.exp(logits - top[:, None]).sum(axis=1))
            chosen = logits[np.arange(len(part) - 1), part[1:]]
            total += float((norm - chosen).sum())
            counted += len(part) - 1
        return counted, total

    def close(self):
        c.llama_batch_free(self.batch)
        c.llama_free(self.context)
        c.llama_model_free(self.model)


def quantize(source, target, kind, pure=False, threads=2):
    """llama.cpp's own quantiser: `kind` is F32 or the end of an LLAMA_FTYPE_MOSTLY_ name.

    Some kinds want to be told how much each column matters; all columns matter alike here, which they take.
    """
    columns = {}
    if kind.startswith(("IQ1", "IQ2", "IQ3")):
        columns = {t.name: int(t.shape[0]) for t in gguf.GGUFReader(source).tensors if len(t.shape) > 1}
    ones = {size: (ctypes.c_float * size)(*[1.0] * size) for size in set(columns.values())}
    entries = [
        c.llama_model_imatrix_data(name.encode(), ctypes.cast(ones[size], ctypes.POINTER(ctypes.c_float)), size)
        for name, size in columns.items()
    ]
    # The list ends with an entry that has no name.
    importance = (c.llama_model_imatrix_data * (len(entries) + 1))(*entries)
    params = c.llama_model_quantize_default_params()
    params.nthread = threads
    params.ftype = c.LLAMA_FTYPE_ALL_F32 if kind == "F32" else getattr(c, f"LLAMA_FTYPE_MOSTLY_{kind}")
    params.pure = pure
    params.allow_requantize = True
    if entries:
        params.imatrix = importance
    status = c.llama_model_quantize(str(source).encode(), str(target).encode(), ctypes.byref(params))
    if status:
        raise RuntimeError(f"llama.cpp cannot quantise {source} to {kind}: {status}")
