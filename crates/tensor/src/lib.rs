//! Data types, quantised blocks, the program of operators and the backend trait.

mod dtype;

pub use dtype::{DType, UnknownDType};
