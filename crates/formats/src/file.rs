//! One opened model file: mapped for its header, read by position for its weights.
#![allow(unsafe_code)] // mapping a file is unsafe: another process may change it under the map

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) struct ModelFile {
    path: PathBuf,
    file: File,
    map: Mmap,
}

impl ModelFile {
    /// Opens a regular file; anything else (a pipe would block, a directory cannot be mapped) is an error.
    pub fn open(path: &Path) -> io::Result<ModelFile> {
        let kind = std::fs::metadata(path)?;
        if !kind.is_file() {
            let what = if kind.is_dir() { "a directory" } else { "not a regular file" };
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("is {what}, expected a model file"),
            ));
        }
        let file = File::open(path)?;
        // SAFETY: the map is read-only and private to this value. Model files are replaced by renaming, never
        // rewritten in place; every text taken from the map is checked again when it is read, so that a file changed
        // all the same yields wrong values, not broken strings.
        let map = unsafe { Mmap::map(&file)? };
        Ok(ModelFile { path: path.to_owned(), file, map })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    pub fn len(&self) -> u64 {
        self.map.len() as u64
    }

    /// What changes when the file on disk is written to, replaced or restored.
    pub fn version(&self) -> io::Result<[i64; 6]> {
        let facts = std::fs::metadata(&self.path)?;
        Ok([
            facts.size() as i64,
            facts.ino() as i64,
            facts.mtime(),
            facts.mtime_nsec(),
            facts.ctime(),
            facts.ctime_nsec(),
        ])
    }

    /// Fills `out` from `offset` without touching the map, so that the bytes do not count as resident twice.
    pub fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, out, offset)
    }
}
