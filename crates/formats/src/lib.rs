//! Model files: GGUF and safetensors, read by slice and written.
