//! Unsafe because Python's buffer protocol hands out addresses.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use tandem_fabric::{Arena, Buf};

/// Registered memory, as long as any array of it lives.
#[pyclass(frozen, weakref, module = "tandem")]
pub struct Memory {
    /// Lent to the group during a collective.
    buf: Mutex<Buf>,
    address: usize,
    len: usize,
    /// A collective that fails keeps the buffer; arrays of it must still lie somewhere.
    _arena: Arena,
}

impl Memory {
    pub fn new(buf: Buf, arena: Arena) -> Memory {
        let (address, len) = (buf.as_ptr() as usize, buf.len());
        Memory { buf: Mutex::new(buf), address, len, _arena: arena }
    }

    /// Whether `buf` is still the memory that arrays see.
    pub fn is(&self, buf: &Buf) -> bool {
        buf.as_ptr() as usize == self.address && buf.len() == self.len
    }

    pub fn lock(&self) -> MutexGuard<'_, Buf> {
        self.buf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Memory {
    #[getter]
    fn address(&self) -> usize {
        self.address
    }

    fn __len__(&self) -> usize {
        self.len
    }

    /// # Safety
    /// Called by Python, with a view to fill.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("no view was given"));
        }
        let memory = slf.get();
        let (start, len) = (memory.address as *mut c_void, memory.len as ffi::Py_ssize_t);
        // SAFETY: the memory lives as long as this object, which the view keeps; its address never changes. Who writes while a
        // collective runs on another thread gets mixed numbers, as with every library that lets Python's other threads run.
        match unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, len, 0, flags) } {
            0 => Ok(()),
            _ => Err(PyErr::fetch(slf.py())),
        }
    }
}
