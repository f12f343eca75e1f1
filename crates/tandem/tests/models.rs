//! Commands on a model that is well: what they print, and what they write.

mod cli;

use cli::{Ended, Home, ended, interrupt, wait_until};
use serde_json::Value;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use tandem_formats::{GgmlType, Gguf};
use tandem_tensor::DType;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn inspect() {
    let home = Home::new();
    let model = home.tiny_model();
    let model = model.to_str().unwrap();
    let text = home.run(["inspect", model]);
    for expected in
        ["architecture    llama", "layers          2", "quantisation    F16", "gpt2 (smollm), 257 tokens"]
    {
        assert!(text.succeeded().stdout.contains(expected), "{}", text.stdout);
    }
    assert!(home.run(["inspect", model, "--tensors"]).stdout.contains("257 × 256"));
    let facts = json(&home.run(["inspect", model, "--json"]).stdout);
    assert_eq!(facts["architecture"], "llama");
    assert_eq!(facts["metadata"]["llama.rope.freq_base"], 100_000.0);
    assert_eq!(facts["metadata"]["tokenizer.ggml.tokens"]["length"], 257);
    assert_eq!(facts["tensors"][0]["name"], "token_embd.weight");
    assert_eq!(facts["tensors"][0]["shape"], serde_json::json!([257, 256]));
    home.run(["inspect", model, "--template"]).failed(1, "has no chat template");
}

#[test]
fn quantize_keeps_what_is_not_weights() {
    let home = Home::new();
    let model = home.tiny_model();
    let done = home.run([
        "quantize",
        model.to_str().unwrap(),
        "small.gguf",
        "--type=q4_k_m",
        "--json",
        "--threads=3",
    ]);
    assert_eq!(json(&done.succeeded().stdout)["type"], "Q4_K_M");
    let (old, new) = (Gguf::open(&model).unwrap(), Gguf::open(home.path("small.gguf")).unwrap());
    let number = |gguf: &Gguf, key: &str| gguf.metadata().find::<u32>(key).unwrap();
    assert_eq!(number(&new, "general.file_type"), Some(15));
    assert_eq!(number(&new, "general.quantization_version"), Some(2));
    for (key, value) in old.metadata().iter() {
        if !key.starts_with("general.file_type") {
            let kept = new.metadata().value(key).unwrap_or_else(|| panic!("{key} is lost"));
            assert_eq!(value.to_string(), kept.to_string(), "{key}");
        }
    }
    let kind = |name: &str| new.find(name).unwrap().kind;
    assert_eq!(kind("token_embd.weight"), GgmlType::Known(DType::Q6_K), "it doubles as the output");
    assert_eq!(kind("blk.0.attn_q.weight"), GgmlType::Known(DType::Q4_K));
    assert_eq!(kind("blk.0.attn_norm.weight"), GgmlType::Known(DType::F32));
    assert_eq!(old.data("blk.0.attn_norm.weight").unwrap(), new.data("blk.0.attn_norm.weight").unwrap());

    let again = home.run(["quantize", "small.gguf", "again.gguf", "--type=Q8_0"]);
    assert!(again.succeeded().stderr.contains("loses quality twice"), "{}", again.stderr);
    let first = std::fs::read(home.path("small.gguf")).unwrap();
    home.run(["quantize", model.to_str().unwrap(), "small.gguf", "--type=q4_k_m", "--force", "--threads=1"])
        .succeeded();
    assert_eq!(std::fs::read(home.path("small.gguf")).unwrap(), first, "threads change nothing");
}

#[test]
fn run_answers_and_prints_nothing_else() {
    let home = Home::new();
    let model = home.tiny_model();
    let model = model.to_str().unwrap();
    let once = |more: &[&str]| {
        let args = [&["run", model, "hello"], more].concat();
        let ended = home.run(&args);
        ended.succeeded();
        (ended.stdout, ended.stderr)
    };
    let (greedy, silence) = once(&["--temperature=0", "-n12"]);
    assert!(!greedy.is_empty());
    assert_eq!(silence, "");
    assert_eq!(once(&["--temperature=0", "-n12", "--threads=1"]).0, greedy);
    assert_eq!(once(&["--seed=7", "-n12"]), once(&["--seed=7", "-n12"]));
    assert!(once(&["-v", "-n12"]).1.contains("first token after"));
    let facts = json(&once(&["--json", "--temperature=0", "--max-tokens=5"]).0);
    assert_eq!(facts["tokens"], 5);
    assert_eq!(facts["finish"], "length");
    assert!(facts["prompt_tokens"].as_u64().unwrap() > 5);

    // The same from standard input, with a model or without a word about one.
    for args in [&["run", model][..], &["run", model, "-"]] {
        let mut command = home.command();
        command.args(args).args(["--max-tokens=12", "--temperature=0"]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"hello").unwrap();
        assert_eq!(ended(child.wait_with_output().unwrap()).succeeded().stdout, greedy);
    }
    assert!(!home.run(["run", "--raw", model, "once upon", "-n4"]).succeeded().stdout.is_empty());
}

#[test]
fn run_shows_pictures() {
    let home = Home::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../oracles/pictures/gemma3");
    let picture = |index: usize| format!("--image={folder}/{index}.png");
    let (first, second) = (picture(0), picture(1));
    let facts = |images: &[&str]| {
        let args = [&["run", folder, "look", "--json", "-t0", "-n4", "--device=cpu", "--threads=2"], images]
            .concat();
        json(&home.run(&args).succeeded().stdout)
    };
    let tokens = |images: &[&str]| facts(images)["prompt_tokens"].as_u64().unwrap();
    // Nine rows between two marks, and line breaks around them.
    let bare = tokens(&[]);
    let one = tokens(&[&first]) - bare;
    assert!((11..=15).contains(&one), "{one}");
    assert!((2 * one..=2 * one + 2).contains(&(tokens(&[&first, &second]) - bare)));

    home.run(["run", folder, "look", "--image=none.png"]).failed(1, "none.png");
    let text = home.write("text.png", b"no picture");
    let text = format!("--image={}", text.display());
    home.run(["run", folder, "look", &text, "--device=cpu"]).failed(1, "PNG");
    let blind = home.tiny_model();
    home.run(["run", blind.to_str().unwrap(), "look", &first]).failed(1, "reads only text");
}

/// Interrupts a command once it has begun, anew where it was done before the signal came.
fn interrupted(mut start: impl FnMut() -> Command, begun: impl Fn(&mut Child)) -> Ended {
    for _ in 0..20 {
        let mut child = start().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        begun(&mut child);
        interrupt(&child);
        let ended = ended(child.wait_with_output().unwrap());
        if ended.code != Some(0) {
            return ended;
        }
    }
    panic!("it was always done before the signal came");
}

#[test]
fn ctrl_c_stops_an_answer() {
    let home = Home::new();
    let model = home.tiny_model();
    let start = || {
        let mut command = home.command();
        // A byte at a time for thousands of tokens; two thirds of them are no text on their own.
        command.arg("run").arg(&model).args([
            "hello",
            "--temperature=2",
            "--top-k=0",
            "--min-p=0",
            "--max-tokens=8000",
        ]);
        command
    };
    let begun = |child: &mut Child| child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    let stopped = interrupted(start, begun);
    assert_eq!(stopped.code, Some(130), "{}", stopped.stderr);
    assert!(stopped.stderr.contains("the answer is cut short"), "{}", stopped.stderr);
}

#[test]
fn ctrl_c_stops_a_conversion() {
    let home = Home::new();
    home.tiny_model();
    let make =
        ["make-model", "big.gguf", "--tokenizer=tokenizer.gguf", "--layers=2", "--hidden=2048", "--type=F16"];
    home.run(make).succeeded();
    let start = || {
        let _ = std::fs::remove_file(home.path("out.gguf"));
        let mut command = home.command();
        command.args(["quantize", "big.gguf", "out.gguf", "--type=Q2_K", "--threads=1"]);
        command
    };
    let written = || cli::files_below(&home.folder).iter().any(|(name, _)| name.contains("out.gguf"));
    let stopped = interrupted(start, |_| wait_until("the file being written", written));
    stopped.failed(130, "interrupted; nothing was written");
    assert!(!written());
}

#[test]
fn bench_and_perplexity() {
    let home = Home::new();
    let model = home.tiny_model();
    let model = model.to_str().unwrap();
    for batch in ["--batch=1", "--batch=3"] {
        let facts = json(
            &home
                .run(["bench", "--model", model, "--prefill=40", "--decode=8", batch, "--json"])
                .succeeded()
                .stdout,
        );
        for key in ["prefill_tps", "decode_tps", "load_ms", "weights_bytes_per_token"] {
            assert!(facts[key].as_f64().unwrap() > 0.0, "{key}: {facts}");
        }
    }
    home.write("text.txt", "Some text to predict, byte by byte. ".repeat(40).as_bytes());
    let facts =
        json(&home.run(["perplexity", "--model", model, "--text=text.txt", "--json"]).succeeded().stdout);
    // 1440 bytes in chunks of 512, of which the first tokens do not count.
    assert_eq!(facts["tokens"], 1440 - 3);
    let ppl = facts["ppl"].as_f64().unwrap();
    assert!(ppl > 100.0 && ppl < 1000.0, "random weights know nothing of 257 tokens: {ppl}");
}

#[test]
fn help_has_examples() {
    let home = Home::new();
    for command in
        ["run", "pull", "models", "inspect", "convert", "quantize", "bench", "perplexity", "make-model"]
    {
        let help = home.run([command, "--help"]);
        assert!(help.succeeded().stdout.contains("Examples:"), "{command}");
        let examples = help.stdout.split("Examples:").nth(1).unwrap_or_default();
        for line in examples.lines() {
            assert!(line.chars().count() <= 80, "{command}: wider than a terminal: {line}");
        }
    }
}
