//! The program on a GPU, or on Mesa's software Vulkan. `cargo xtask test --only gpu` runs these.
//!
//! `TANDEM_SMOLLM2` names the model file; `cargo xtask test` fetches it and sets the variable.

mod cli;

use cli::Home;
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
