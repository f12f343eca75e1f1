//! The GGUF file that `convert` and `quantize` write: its options, what may stand in its place, and what is said of it.

use crate::conversion::Job;
use crate::display;
use crate::failure::Advised;
use anyhow::{Result, bail};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Clone, clap::Args)]
pub struct OutputFile {
    /// The GGUF file to write
    #[arg(value_name = "OUTPUT")]
    pub path: PathBuf,
    /// Overwrite OUTPUT
    #[arg(long)]
    force: bool,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

impl OutputFile {
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(super::cores, usize::from)
    }

    /// Another file in the same folder, whose name begins so.
    pub fn beside(&self, start: &str) -> OutputFile {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        OutputFile { path: self.path.with_file_name(format!("{start}{name}")), ..self.clone() }
    }

    /// Refuses to write over `input`, or over anything unless asked to.
    pub fn check(&self, input: &Path) -> Result<()> {
        let output = &self.path;
        if output.is_dir() {
            let message = format!("{} is a folder", output.display());
            return Err(Advised::new(message, "name the file to write").into());
        }
        if output.file_name().is_none() {
            bail!("{} is no name for a file", output.display());
        }
        if output.exists() {
            let same = |path: &Path| path.canonicalize().ok();
            if same(input) == same(output) {
                bail!("{} is the file to read; write to another one", output.display());
            }
            if !self.force {
                let message = format!("{} exists", output.display());
                return Err(Advised::new(message, "--force overwrites it").into());
            }
        }
        Ok(())
    }

    /// What was made of what, and what to do with it.
    pub fn report(&self, file_type: &str, jobs: &[Job]) -> Result<()> {
        let from_bytes: u64 = jobs.iter().map(Job::source_bytes).sum();
        let size = |job: &Job| job.to.bytes_of(job.dims.iter().product()).unwrap_or(0) as u64;
        let written_bytes: u64 = jobs.iter().map(size).sum();
        let mut out = std::io::stdout().lock();
        if self.json {
            let facts = json!({
                "output": self.path,
                "type": file_type,
                "input_bytes": from_bytes,
                "weights_bytes": written_bytes,
                "tensors": jobs.len(),
            });
            writeln!(out, "{facts:#}")?;
        } else {
            let (written, from) = (display::bytes(written_bytes), display::bytes(from_bytes));
            writeln!(out, "{}: {written} of weights were {from}", self.path.display())?;
            writeln!(out, "Next: tandem run {}", self.path.display())?;
        }
        Ok(())
    }
}
