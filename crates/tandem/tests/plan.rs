//! `tandem plan`: answers without the hardware, as text and as JSON, and refusals with a reason.

mod cli;

use cli::Home;
use serde_json::Value;

fn planned(home: &Home, args: &[&str]) -> Value {
    let ended = home.run([&["plan"], args, &["--json"]].concat());
    serde_json::from_str(&ended.succeeded().stdout).unwrap()
}

#[test]
fn a_model_of_the_catalogue_is_planned_on_named_machines() {
    let home = Home::new();
    let ended = home.run(["plan", "qwen3-235b", "--quant", "Q8_0", "--on", "4x m3-ultra-512 tb5-mesh"]);
    let text = &ended.succeeded().stdout;
    for says in [
        "qwen3-235b Q8_0 on 4x m3-ultra-512, tb5-rdma",
        "m3-ultra-512 4 25%",
        "reading weights",
        "sums between machines",
        "Power: at most 1080 W",
        "Price: $37996",
    ] {
        assert!(text.contains(says), "{says:?} is not in\n{text}");
    }
    // exo's measured 31.9 tokens/s are within what is stated.
    let told = planned(&home, &["qwen3-235b", "--quant", "Q8_0", "--on", "4x m3-ultra-512 tb5-mesh"]);
    let fits = &told["answer"]["fits"];
    let decode = fits["plan"]["prediction"]["decode"].as_object().unwrap();
    let speed = 1.0 / decode.values().map(|part| part.as_f64().unwrap()).sum::<f64>();
    let uncertainty = fits["uncertainty"].as_f64().unwrap();
    assert!((speed / 31.9 - 1.0).abs() <= uncertainty, "{speed}");
}

#[test]
fn what_does_not_fit_says_what_would() {
    let home = Home::new();
    let told = planned(&home, &["deepseek-v3.1", "--quant", "Q8_0", "--on", "m3-ultra-512"]);
    let instead = told["answer"]["does_not_fit"]["instead"].as_array().unwrap();
    let what: Vec<_> = instead.iter().map(|choice| choice["what"].as_str().unwrap()).collect();
    assert_eq!(what[0], "2x m3-ultra-512, tb5-rdma");
    assert!(what[1].starts_with('Q') || what[1].starts_with('I'), "{what:?}");
}

#[test]
fn models_are_ranked_for_a_cluster_and_clusters_for_a_budget() {
    let home = Home::new();
    let models = planned(&home, &["--models", "--on", "2x dgx-spark roce-200"]);
    let models = models.as_array().unwrap();
    let fits: Vec<bool> = models.iter().map(|model| model["fits"].as_bool().unwrap()).collect();
    assert!(fits.is_sorted_by(|a, b| a >= b) && fits[0] && !fits[fits.len() - 1], "{fits:?}");
    let clusters = planned(&home, &["gpt-oss-120b", "--budget", "25000"]);
    let clusters = clusters["clusters"].as_array().unwrap();
    let price = |cluster: &Value| cluster["price_usd"].as_f64().unwrap();
    assert!(!clusters.is_empty() && clusters.iter().all(|cluster| price(cluster) <= 25_000.0));
    let speeds: Vec<f64> =
        clusters.iter().map(|cluster| cluster["decode_tokens_per_s"].as_f64().unwrap()).collect();
    assert!(speeds.is_sorted_by(|a, b| a >= b), "{speeds:?}");
}

#[test]
fn a_file_describes_machines_and_this_machine_needs_no_description() {
    let home = Home::new();
    let machines = br#"{"machines": [{"name": "desk", "cores": 8, "read_gb_per_s": 60, "memory_gb": 32},
                                     {"name": "rack", "cores": 8, "read_gb_per_s": 60, "memory_gb": 32}],
                        "cable": "10gbe"}"#;
    let machines = home.write("machines.json", machines);
    let told = planned(&home, &["llama3.3", "--on", machines.to_str().unwrap()]);
    assert_eq!(told["setup"], "desk + rack, 10gbe");
    // Each holds half: one alone has no room.
    assert_eq!(told["answer"]["fits"]["plan"]["stages"][0]["ranks"][1]["name"], "rack", "{told:#}");
    let model = home.tiny_model();
    let told = planned(&home, &[model.to_str().unwrap()]);
    assert_eq!(told["setup"], "this machine");
    assert_eq!(told["answer"]["fits"]["plan"]["stages"][0]["ranks"][0]["share"], 1.0);
}

#[test]
fn bad_questions_are_refused_with_a_reason() {
    let home = Home::new();
    let refused = |args: &[&str], code: i32, says: &str| {
        home.run([&["plan"], args].concat()).failed(code, says);
    };
    refused(&["llama3.3", "--on", "4x abacus"], 1, "`abacus` is neither a chip nor a cable");
    refused(&["llama3.3", "--on", "8x m3-ultra-512 tb5-mesh"], 1, "join 6 machines at most");
    refused(&["llama3.3", "--budget", "plenty"], 2, "expected an amount");
    refused(&["kimi-k2", "--budget", "500"], 1, "$500 buys no machines");
    refused(&["some/model", "--on", "m3-ultra"], 1, "some/model");
    refused(&["llama3.3", "--quant", "Q9", "--on", "m3-ultra"], 2, "Q9");
    refused(&[], 2, "required");
    let broken = home.write("broken.json", b"{");
    refused(&["llama3.3", "--on", broken.to_str().unwrap()], 1, "the description cannot be read");
}
