use super::GgmlType;
use std::io;
use std::path::PathBuf;
use tandem_tensor::DType;

/// What is wrong with a GGUF file, and where.
#[derive(Debug, thiserror::Error)]
pub enum GgufError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },

    #[error("{path} is not a GGUF file: it begins with {found:?}, expected \"GGUF\"")]
    NotGguf { path: PathBuf, found: String },
    #[error(
        "{path} is a big-endian GGUF file; only little-endian files are read. Convert it for this machine"
    )]
    BigEndian { path: PathBuf },
    #[error(
        "{path} is of GGUF version {found}; versions 2 and 3 are read. Convert the model with a current converter"
    )]
    Version { path: PathBuf, found: u32 },

    #[error(
        "{path} ends inside {item}: {needs} bytes needed, {has} left. The file is cut short or damaged; \
         download it again"
    )]
    Truncated { path: PathBuf, item: String, needs: u64, has: u64 },
    #[error("{path}: {item} claims {count} entries, but the rest of the file has room for {most} at most")]
    AbsurdCount { path: PathBuf, item: String, count: u64, most: u64 },
    #[error("{path}: {item} is not UTF-8 text, from byte {offset} of the file on")]
    NotUtf8 { path: PathBuf, item: String, offset: u64 },
    #[error("{path}: {item} has the unknown value type {id}; expected 0 to 12")]
    UnknownValueType { path: PathBuf, item: String, id: u32 },
    #[error("{path}: {item} nests arrays deeper than {most}")]
    TooDeep { path: PathBuf, item: String, most: usize },
    #[error("{path}: {item} holds {found} as a bool; expected 0 or 1")]
    BadBool { path: PathBuf, item: String, found: u8 },
    #[error("{path}: metadata `{key}` occurs twice")]
    DuplicateKey { path: PathBuf, key: String },
    #[error("{path}: general.alignment is {found}; expected a power of two")]
    Alignment { path: PathBuf, found: String },

    #[error("{path}: tensor `{tensor}` occurs twice")]
    DuplicateTensor { path: PathBuf, tensor: String },
    #[error("{path}: tensor `{tensor}` has shape {dims:?}: {problem}")]
    Shape { path: PathBuf, tensor: String, dims: Vec<u64>, problem: ShapeProblem },
    #[error(
        "{path}: tensor `{tensor}` lies at offset {offset}; expected a multiple of the alignment, {alignment}"
    )]
    Misaligned { path: PathBuf, tensor: String, offset: u64, alignment: u64 },
    #[error(
        "{path}: tensor `{tensor}` needs bytes {start} to {end}, but the file has {len}. It is cut short or damaged; \
         download it again"
    )]
    OutOfFile { path: PathBuf, tensor: String, start: u64, end: u64, len: u64 },
    #[error("{path}: tensors `{first}` and `{second}` overlap at byte {at}")]
    Overlap { path: PathBuf, first: String, second: String, at: u64 },
    #[error(
        "{path}: tensor `{tensor}` is of type {found}, which is not supported; supported: {}. \
         Use a file quantised to one of these",
        supported()
    )]
    UnsupportedType { path: PathBuf, tensor: String, found: GgmlType },
    #[error("{path}: no tensor `{tensor}`")]
    NoTensor { path: PathBuf, tensor: String },

    #[error("{path}: metadata `{key}` is {found}; expected {expected}")]
    Split { path: PathBuf, key: &'static str, found: String, expected: String },
    #[error(
        "{path} is one part of {count}, but is not named …-{:05}-of-{count:05}.gguf, so the others cannot be found; \
         restore its name", number + 1
    )]
    SplitName { path: PathBuf, number: u64, count: u64 },
    #[error("{path}: the parts have {found} tensors together; expected {expected}")]
    SplitTensors { path: PathBuf, found: usize, expected: usize },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeProblem {
    #[error("expected at most 4 dimensions")]
    TooManyDims,
    #[error("no dimension may be 0")]
    Zero,
    #[error("its size overflows")]
    Overflow,
    #[error("the first dimension must be a multiple of {block_len}, the block length of {kind}")]
    CutsBlock { kind: GgmlType, block_len: usize },
    #[error("a tensor of more than 3 dimensions cannot be read")]
    Beyond3,
}

fn supported() -> String {
    DType::ALL.map(|dtype| dtype.name()).join(" ")
}
