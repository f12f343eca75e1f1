//! Where facts come from: files and programs of a machine.

use std::path::Path;
use std::process::{Command, Stdio};

pub trait System {
    fn is_macos(&self) -> bool;

    /// A file's text, without the white space around it.
    fn file(&self, path: &str) -> Option<String>;

    /// Names in a folder, in order.
    fn folder(&self, path: &str) -> Vec<String>;

    /// What a program says on stdout, if it ends well.
    fn run(&self, program: &str, arguments: &[&str]) -> Option<String>;
}

/// The machine this runs on.
pub struct ThisSystem;

impl System for ThisSystem {
    fn is_macos(&self) -> bool {
        cfg!(target_os = "macos")
    }

    fn file(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
    }

    fn folder(&self, path: &str) -> Vec<String> {
        let entries = std::fs::read_dir(Path::new(path)).into_iter().flatten().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let mut command = Command::new(program);
        command.args(arguments).env("LC_ALL", "C").stdin(Stdio::null()).stderr(Stdio::null());
        let output = command.output().ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok()
    }
}
