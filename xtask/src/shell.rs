//! Running other programs: each is echoed first, and a failure names it and what it said last.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, IsTerminal, PipeReader, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// Splits `line` at spaces; arguments with spaces of their own are added with [`Command::arg`].
pub fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).stdin(Stdio::null());
    command
}

/// Runs to the end with output passed through.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = display(command);
    println!("$ {shown}");
    if std::io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let (status, excerpt) =
        heard(command, std::io::stdout()).with_context(|| format!("cannot start `{shown}`"))?;
    SKIPPED.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&excerpt.skipped);
    if !status.success() {
        bail!("`{shown}` ended with {status}\n{excerpt}");
    }
    Ok(())
}

static SKIPPED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// What the programs run since said they skipped, and why.
pub fn take_skipped() -> Vec<String> {
    std::mem::take(&mut SKIPPED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Runs what fetches something: a network's trouble often passes.
pub fn run_fetching(command: &mut Command) -> Result<()> {
    for pause in [5, 20] {
        let Err(error) = run(command) else { return Ok(()) };
        let reason = error.to_string();
        println!("{}; trying again in {pause} s", reason.lines().next().unwrap_or_default());
        std::thread::sleep(Duration::from_secs(pause));
    }
    run(command)
}

/// Runs silently and returns what it wrote to stdout.
pub fn output(command: &mut Command) -> Result<String> {
    let shown = display(command);
    let output = command.output().with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        bail!("`{shown}` ended with {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

pub fn in_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// How a program ended, and what of its output, which is passed on to `out`, tells why.
fn heard(command: &mut Command, out: impl Write + Send + 'static) -> std::io::Result<(ExitStatus, Excerpt)> {
    let (reader, writer) = std::io::pipe()?;
    let mut child = command.stdout(writer.try_clone()?).stderr(writer).spawn()?;
    // The command's own ends are closed with it gone.
    command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
    let excerpt = Arc::new(Mutex::new(Excerpt::default()));
    let kept = Arc::clone(&excerpt);
    let (ended, end) = channel();
    std::thread::spawn(move || {
        pass_on(reader, &kept, out);
        let _ = ended.send(());
    });
    let status = child.wait()?;
    // A process that it left behind may keep the pipe open.
    let _ = end.recv_timeout(LEFT_BEHIND_MAX);
    let excerpt = std::mem::take(&mut *excerpt.lock().unwrap_or_else(PoisonError::into_inner));
    Ok((status, excerpt))
}

fn pass_on(reader: PipeReader, kept: &Mutex<Excerpt>, mut out: impl Write) {
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        let _ = out.write_all(&line).and_then(|()| out.flush());
        let text = String::from_utf8_lossy(&line);
        kept.lock().unwrap_or_else(PoisonError::into_inner).take(text.trim_end());
        line.clear();
    }
}

/// What tells why a program failed: the names of tests, what they panicked with, errors, and the end.
#[derive(Default)]
struct Excerpt {
    telling: Vec<String>,
    last: VecDeque<String>,
    /// The message follows the place of a panic.
    panicked: bool,
    skipped: Vec<String>,
}

/// How long output is waited for once a program has ended.
const LEFT_BEHIND_MAX: Duration = Duration::from_secs(2);
/// How a test begins to say that it was not run, and why.
const SKIP_MARK: &str = "SKIPPED";
const TELLING_MAX: usize = 60;
const LAST_MAX: usize = 12;

impl Excerpt {
    fn take(&mut self, line: &str) {
        let panics = line.starts_with("thread '") && line.contains(" panicked at ");
        let failed = line.starts_with("test ") && line.ends_with("FAILED");
        let target = line.starts_with("    `-p ");
        if (panics || failed || target || line.starts_with("error") || self.panicked)
            && self.telling.len() < TELLING_MAX
        {
            self.telling.push(line.to_owned());
        }
        self.panicked = panics;
        if line.starts_with(SKIP_MARK) {
            self.skipped.push(line.to_owned());
        }
        if self.last.len() == LAST_MAX {
            self.last.pop_front();
        }
        self.last.push_back(line.to_owned());
    }
}

impl std::fmt::Display for Excerpt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let last = self.last.iter().filter(|line| !self.telling.contains(line));
        for line in self.telling.iter().chain(last) {
            writeln!(f, "    {line}")?;
        }
        Ok(())
    }
}

fn display(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(program.as_os_str());
    let mut shown = program.to_string_lossy().into_owned();
    for argument in command.get_args() {
        shown.push(' ');
        shown.push_str(&argument.to_string_lossy());
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_by_what_tells_it() {
        let said = "test a ... ok\nSKIPPED c: no d\ntest b ... FAILED\nthread 'b' (7) panicked at src/b.rs:1:2:\nleft is not right\n";
        let script = format!("printf \"{said}\"; seq 40; echo 'error: 1 target failed:' >&2; exit 3");
        let (status, excerpt) = heard(command("sh -c").arg(script), std::io::sink()).unwrap();
        assert_eq!(status.code(), Some(3));
        assert_eq!(excerpt.skipped, ["SKIPPED c: no d"]);
        let heard = excerpt.to_string();
        for part in
            ["test b ... FAILED", "b.rs:1:2", "left is not right", "error: 1 target failed:", "    40"]
        {
            assert!(heard.contains(part), "no {part} in {heard}");
        }
        assert!(!heard.contains("test a") && !heard.contains("    20\n"), "{heard}");
    }

    #[test]
    fn a_process_left_behind_holds_nobody_up() {
        let (status, excerpt) =
            heard(command("sh -c").arg("echo done; sleep 600 & echo $!"), std::io::sink()).unwrap();
        let heard = excerpt.to_string();
        assert!(status.success() && heard.contains("done"), "{heard}");
        let left = heard.lines().last().unwrap_or_default().trim();
        assert!(command("kill").arg(left).status().unwrap().success());
    }
}
