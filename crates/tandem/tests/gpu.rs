//! The program on a GPU, or on Mesa's software Vulkan. `cargo xtask test --only gpu` runs these.
//!
//! `TANDEM_SMOLLM2` names the model file; `cargo xtask test` fetches it and sets the variable.

mod cli;
mod node_up;

use std::path::PathBuf;
use std::process::{Command, Stdio};

use cli::{Home, ended, wait_until};
use node_up::NodeUp;
use serde_json::Value;

fn smollm2() -> String {
    std::env::var("TANDEM_SMOLLM2").expect("TANDEM_SMOLLM2 must name the SmolLM2 GGUF file")
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn one_process_and_two_say_what_the_processor_says() {
    let home = Home::new();
    let model = smollm2();
    // Every one of these tokens is a clear choice.
    let answer = |device: &str, nodes: &str| {
        let prompt = "The capital of France is";
        let args = ["run", model.as_str(), prompt, "--raw", "--temperature", "0", "--max-tokens", "5"];
        let load = ["--context", "256", "--device", device, "--local-nodes", nodes];
        home.run(args.iter().chain(&load)).succeeded().stdout.clone()
    };
    let expected = answer("cpu", "1");
    assert!(expected.contains("Paris"), "{expected:?}");
    assert_eq!(answer("gpu", "1"), expected);
    assert_eq!(answer("gpu", "2"), expected);
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn texts_are_predicted_as_well_as_on_the_processor() {
    let home = Home::new();
    let (model, text) = (smollm2(), concat!(env!("CARGO_MANIFEST_DIR"), "/../../oracles/text.txt"));
    // Rounding alone moves a single chunk by more than 0.3%: the processor's own sums made in another order, by 0.6%.
    let perplexity = |device: &str| {
        let args = ["perplexity", "--model", model.as_str(), "--text", text, "--chunks", "3", "--json"];
        let found = home.run(args.iter().chain(&["--device", device])).succeeded().stdout.clone();
        serde_json::from_str::<Value>(&found).unwrap()["ppl"].as_f64().unwrap()
    };
    let (cpu, gpu) = (perplexity("cpu"), perplexity("gpu"));
    assert!((gpu / cpu - 1.0).abs() < 0.003, "{gpu} on the GPU, {cpu} on the processor");
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn gpus_are_listed_and_pass_the_self_test() {
    let home = Home::new();
    let listed: Value = serde_json::from_str(&home.run(["devices", "--json"]).succeeded().stdout).unwrap();
    let devices = listed.as_array().unwrap();
    let gpu = devices.iter().find(|device| device["device"] == "gpu").expect("a GPU");
    assert!(gpu["api"] == "vulkan" || gpu["api"] == "metal", "{gpu}");
    // What is measured is kept, and listed from then on; here in a folder of the test, since plans depend on it.
    let run = |argument: &str| {
        let mut command = home.command();
        let output = command.args(["devices", argument]).env("XDG_CACHE_HOME", home.path("cache")).output();
        output.unwrap()
    };
    assert!(run("--measure").status.success());
    let listed: Value = serde_json::from_slice(&run("--json").stdout).unwrap();
    let of = |device: &str| listed.as_array().unwrap().iter().find(|told| told["device"] == device).unwrap();
    for key in ["read_bytes_per_s", "cache_bytes_per_s", "flops_per_s", "layer_s"] {
        assert!(of("gpu")["reached"][key].as_f64().unwrap() > 0.0, "{key}: {listed:#}");
    }
    assert!(of("cpu")["reached"].is_null(), "{listed:#}");
    let report = home.run(["selftest", "--device", "gpu", "--json"]).succeeded().stdout.clone();
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["passed"], true, "{report:#}");
    assert_eq!(report["device"]["name"], gpu["name"]);
    assert!(report["cases"]["run"].as_u64().unwrap() > 5, "{report:#}");
    let way = report["speed"]["exchanges_by"].as_str().expect("a way to other ranks");
    assert!(way.contains("µs"), "{way}");
    for products in report["speed"]["products"].as_array().unwrap() {
        assert!(products["gb_per_s"].as_f64().unwrap() > 0.0, "{report:#}");
    }
}

/// Mesa's software driver, twice: two GPUs to whoever is told of both descriptions.
fn two_gpus(home: &Home) -> Option<String> {
    let folder = std::fs::read_dir("/usr/share/vulkan/icd.d").ok()?;
    let is_software = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("lvp_icd");
    let driver = folder.flatten().map(|entry| entry.path()).find(is_software)?;
    let copies = ["one.json", "two.json"].map(|name| {
        std::fs::copy(&driver, home.path(name)).unwrap();
        home.path(name).to_str().unwrap().to_owned()
    });
    Some(copies.join(":"))
}

#[test]
#[ignore = "needs Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn two_gpus_of_a_machine_are_two_ranks() {
    let home = Home::new();
    let Some(drivers) = two_gpus(&home) else {
        println!("skipped: there is no software Vulkan driver here to stand for two GPUs");
        return;
    };
    let with_gpus = || -> Command {
        let mut command = home.command();
        command.env("VK_DRIVER_FILES", &drivers).env("VK_ICD_FILENAMES", &drivers);
        command
    };
    let run = |args: &[&str]| ended(with_gpus().args(args).output().unwrap()).succeeded().stdout.clone();
    let model = home.tiny_model();
    let model = model.to_str().unwrap();
    let question =
        ["run", model, "hi", "--raw", "--temperature", "0", "--max-tokens", "8", "--context", "64"];
    let answer = |more: &[&str]| run(&[&question, more].concat());
    let expected = answer(&["--device", "cpu"]);

    // Ranks of one command take them in turn.
    assert_eq!(answer(&["--device", "gpu", "--local-nodes", "2", "--here"]), expected);

    // A node offers both.
    let node = NodeUp::start_as(with_gpus(), &home, "desk", &["--device", "gpu"], Stdio::null());
    let plan = run(&["load", model, "--dry-run", "--nodes", "desk,desk/gpu:1", "--context", "512"]);
    assert!(plan.contains("desk: gpu (llvmpipe") && plan.contains("desk: gpu:1 (llvmpipe"), "{plan}");
    run(&["load", model, "--nodes", "desk,desk/gpu:1", "--context", "512"]);
    wait_until("the model", || !node.loaded().is_empty());
    let shown: Value = serde_json::from_str(&run(&["ps", "--json"])).unwrap();
    let ranks = shown["instances"][0]["ranks"].as_array().unwrap();
    let devices: Vec<&str> = ranks.iter().map(|rank| rank["device"].as_str().unwrap()).collect();
    assert_eq!(devices, ["gpu", "gpu:1"], "{shown:#}");
    let (status, text) = node.ask("tiny");
    assert_eq!(status, 200, "{text}");
}
