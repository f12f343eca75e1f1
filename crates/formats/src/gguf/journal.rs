//! What an interrupted writer has finished: a checksum for each whole tensor, beside the unfinished file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// One line of text for the declarations and the source, then one for each tensor.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    title: String,
    file: Option<File>,
    done: Vec<u64>,
}

impl Journal {
    /// The checksums of an earlier writer of the same file, or none.
    pub fn open(path: &Path, header: &[u8], source: u64, resume: bool) -> io::Result<(Journal, Vec<u64>)> {
        let mut sum = Checksum::default();
        sum.add(header);
        let title = format!("tandem {:016x} {source:016x}", sum.finish());
        let text = if resume { fs::read_to_string(path).unwrap_or_default() } else { String::new() };
        let mut lines = text.lines();
        let done: Vec<u64> = match lines.next() {
            Some(found) if found == title => {
                lines.map_while(|line| u64::from_str_radix(line, 16).ok()).collect()
            }
            _ => Vec::new(),
        };
        let journal = Journal { path: path.to_owned(), title, file: None, done: done.clone() };
        Ok((journal, done))
    }

    /// Keeps the first `good` entries, and goes on from there.
    pub fn keep(mut self, good: usize) -> io::Result<Journal> {
        let mut file = File::create(&self.path)?;
        let lines: String = self.done.iter().take(good).map(|sum| format!("{sum:016x}\n")).collect();
        write!(file, "{}\n{lines}", self.title)?;
        self.file = Some(file);
        Ok(self)
    }

    pub fn add(&mut self, sum: u64) -> io::Result<()> {
        match &mut self.file {
            Some(file) => writeln!(file, "{sum:016x}"),
            None => Ok(()),
        }
    }

    pub fn remove(self) {
        // The file it was kept for is whole; a journal left behind is ignored.
        let _ = fs::remove_file(&self.path);
    }
}

/// FNV-1a over eight bytes at a time, however the bytes are handed in. It finds damage, not malice.
#[derive(Debug)]
pub(super) struct Checksum {
    state: u64,
    carried: [u8; 8],
    len: usize,
}

impl Default for Checksum {
    fn default() -> Checksum {
        Checksum { state: 0xcbf2_9ce4_8422_2325, carried: [0; 8], len: 0 }
    }
}

impl Checksum {
    pub fn add(&mut self, mut bytes: &[u8]) {
        while !self.len.is_multiple_of(8) && !bytes.is_empty() {
            self.carried[self.len % 8] = bytes[0];
            self.len += 1;
            bytes = &bytes[1..];
            if self.len.is_multiple_of(8) {
                self.mix(u64::from_le_bytes(self.carried));
            }
        }
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        self.len += words.len() * 8;
        for &byte in rest {
            self.carried[self.len % 8] = byte;
            self.len += 1;
        }
    }

    pub fn finish(mut self) -> u64 {
        let rest = self.len % 8;
        self.carried[rest..].fill(0);
        self.mix(u64::from_le_bytes(self.carried));
        self.mix(self.len as u64);
        self.state
    }

    fn mix(&mut self, word: u64) {
        // The rotation brings the high bits down, which a plain FNV step never does.
        self.state = (self.state ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_sum_like_the_whole() {
        let bytes: Vec<u8> = (0..100).collect();
        let sum = |sizes: &[usize]| {
            let (mut sum, mut at) = (Checksum::default(), 0);
            for size in sizes {
                sum.add(&bytes[at..at + size]);
                at += size;
            }
            sum.finish()
        };
        assert_eq!(sum(&[100]), sum(&[3, 0, 1, 9, 16, 71]));
        assert_ne!(sum(&[100]), sum(&[99]));
    }
}
