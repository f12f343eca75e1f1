//! Runs the real binary in a home of its own, and holds every failure to the same rules.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tandem_formats::GgufWriter;
use tandem_tensor::DType;

/// An empty folder for one test, with a home for models inside.
pub struct Home {
    pub folder: PathBuf,
}

/// How a command ended.
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Home {
    pub fn new() -> Home {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("tandem-cli-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        // An earlier program of the same number may have been killed.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("home")).unwrap();
        Home { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn models(&self) -> PathBuf {
        self.folder.join("home/models")
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// With no network: the hub's address is a port where nobody listens.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tandem"));
        self.surround(&mut command);
        command
    }

    /// As [`Home::command`], started by a shell after `preparation`.
    pub fn command_after(&self, preparation: &str) -> Command {
        let mut command = Command::new("bash");
        command.arg("-c").arg(format!("{preparation}; exec \"$0\" \"$@\"")).arg(env!("CARGO_BIN_EXE_tandem"));
        self.surround(&mut command);
        command
    }

    pub fn surround(&self, command: &mut Command) {
        for name in
            ["HF_TOKEN", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
        {
            command.env_remove(name);
        }
        command
            .env("TANDEM_HOME", self.folder.join("home"))
            .env("HF_ENDPOINT", "http://127.0.0.1:9")
            .current_dir(&self.folder)
            .stdin(Stdio::null());
    }

    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Ended {
        ended(self.command().args(args).output().unwrap())
    }

    /// A model of a few hundred thousand random weights, and a tokenizer of bytes.
    pub fn tiny_model(&self) -> PathBuf {
        let tokenizer = self.path("tokenizer.gguf");
        write_byte_tokenizer(&tokenizer);
        let model = self.path("tiny.gguf");
        let made = self.run([
            OsStr::new("make-model"),
            model.as_os_str(),
            "--tokenizer".as_ref(),
            tokenizer.as_os_str(),
            "--shape=llama-tiny".as_ref(),
            "--layers=2".as_ref(),
            "--type=F16".as_ref(),
            "--tied".as_ref(),
        ]);
        made.succeeded();
        model
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Ended {
    #[track_caller]
    pub fn succeeded(&self) -> &Ended {
        assert_eq!(self.code, Some(0), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// With this code, a message that says this, nothing on stdout, and no panic.
    #[track_caller]
    pub fn failed(&self, code: i32, says: &str) -> &Ended {
        assert_eq!(self.code, Some(code), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        assert!(self.stderr.contains("error: "), "{}", self.stderr);
        assert!(self.stderr.contains(says), "expected `{says}` in:\n{}", self.stderr);
        assert!(
            !self.stderr.contains("panicked") && !self.stderr.contains("RUST_BACKTRACE"),
            "{}",
            self.stderr
        );
        assert_eq!(self.stdout, "");
        self
    }
}

pub fn ended(output: Output) -> Ended {
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Only a hang takes so long.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// Waits for a condition; a test that gives up here would have hung.
#[track_caller]
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let give_up = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < give_up, "never came: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub fn interrupt(child: &Child) {
    signal("-INT", &child.id().to_string());
}

pub fn signal(name: &str, process: &str) {
    let sent = Command::new("kill").args([name, process]).status().unwrap();
    assert!(sent.success());
}

/// Every file below, with its size.
pub fn files_below(folder: &Path) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.metadata() {
                Ok(data) if data.is_dir() => folders.push(path),
                Ok(data) => {
                    found.push((path.strip_prefix(folder).unwrap().display().to_string(), data.len()))
                }
                Err(_) => {}
            }
        }
    }
    found.sort();
    found
}

/// A GGUF file with one token for each byte and one that begins a turn. None ends one: a model of random weights would
/// end its answers at random, and tests want them to go on.
fn write_byte_tokenizer(path: &Path) {
    // As GPT-2 writes bytes: printable ones as themselves, the others from U+0100 on.
    let printable = |b: u32| matches!(b, 0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff);
    let mut others = 0x100;
    let mut tokens: Vec<String> = vec!["<|im_start|>".into()];
    for byte in 0..256 {
        let code = if printable(byte) { byte } else { others };
        others += u32::from(!printable(byte));
        tokens.push(char::from_u32(code).unwrap().to_string());
    }
    let kinds: Vec<i32> = tokens.iter().map(|token| if token.len() > 2 { 3 } else { 1 }).collect();
    let mut writer = GgufWriter::new(path);
    writer.set("general.architecture", "llama").unwrap();
    writer.set("tokenizer.ggml.model", "gpt2").unwrap();
    writer.set("tokenizer.ggml.pre", "smollm").unwrap();
    writer.set("tokenizer.ggml.tokens", tokens.as_slice()).unwrap();
    writer.set("tokenizer.ggml.token_type", kinds.as_slice()).unwrap();
    let merges: &[String] = &[];
    writer.set("tokenizer.ggml.merges", merges).unwrap();
    writer.set("tokenizer.ggml.bos_token_id", 0u32).unwrap();
    writer.set("tokenizer.ggml.add_bos_token", false).unwrap();
    writer.add_tensor("nothing.weight", DType::F32, &[1]).unwrap();
    let mut writer = writer.start().unwrap();
    writer.write_tensor("nothing.weight", &[0; 4]).unwrap();
    writer.finish().unwrap();
}

/// The processes that this one started.
pub fn children(parent: &Child) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{}/task", parent.id())).into_iter().flatten();
    let lists =
        tasks.map(|task| fs::read_to_string(task.unwrap().path().join("children")).unwrap_or_default());
    lists.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Sends what `clients/hostile.py` has to servers of a model, each of which must answer as the script says.
#[track_caller]
pub fn send_hostile_requests(model: &str, addresses: &[&str]) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../clients/hostile.py");
    let mut command = Command::new("python3");
    command.args([script, "--model", model]);
    for address in addresses {
        command.args(["--url", &format!("http://{address}")]);
    }
    let ran = command.output().expect("python3 is needed to send the requests");
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{addresses:?}:\n{told}{}", String::from_utf8_lossy(&ran.stderr));
}
