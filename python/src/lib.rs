//! Tandem's links and collectives for Python.
//!
//! [`Comm`](comm::Comm) is one rank's membership in a group; [`Memory`](memory::Memory) is registered memory that NumPy sees as an array.
//! What is convenient is written in Python, in `tandem/`; here is only what cannot be.

mod comm;
mod memory;

use pyo3::prelude::*;

#[pymodule]
mod _tandem {
    #[pymodule_export]
    use super::comm::{Comm, PeerLost};
    #[pymodule_export]
    use super::memory::Memory;
}
