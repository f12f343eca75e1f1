//! `tandem inspect --config` against what publishers and other tools say of real models, and the list of known models.

mod cli;

use cli::Home;
use serde_json::Value;

#[test]
fn published_configs_give_published_sizes() {
    let home = Home::new();
    let published: Value = serde_json::from_str(include_str!("published_sizes.json")).unwrap();
    let catalogue: Value = serde_json::from_str(include_str!("../../hub/src/catalogue.json")).unwrap();
    let known = |name: &Value| {
        let mut entries = catalogue["models"].as_array().unwrap().iter();
        entries.find(|entry| entry["name"] == *name).map(|entry| entry["config"].clone())
    };
    for (name, expected) in published.as_object().unwrap() {
        let config = known(&expected["catalogue"]).unwrap_or_else(|| expected["config"].clone());
        let path = home.write("config.json", config.to_string().as_bytes());
        let found = home.run(["inspect".as_ref(), "--config".as_ref(), path.as_os_str(), "--json".as_ref()]);
        let found: Value = serde_json::from_str(&found.succeeded().stdout).unwrap();
        let check = |what: &str, found: f64, expected: f64| {
            assert!((found / expected - 1.0).abs() < 0.01, "{name}: {what} is {found}, published {expected}");
        };
        for key in ["parameters", "active_parameters", "read_parameters_per_token", "cache_bytes_per_token"] {
            check(key, found[key].as_f64().unwrap(), expected[key].as_f64().unwrap());
        }
        if let Some(expected) = expected["window_cache_bytes_per_token"].as_f64() {
            check("the windows' cache", found["window_cache_bytes_per_token"].as_f64().unwrap(), expected);
        }
        for (quant, gigabytes) in expected["gigabytes"].as_object().unwrap() {
            let bytes = found["file_bytes"][quant].as_f64();
            check(quant, bytes.unwrap_or(0.0) / 1e9, gigabytes.as_f64().unwrap());
        }
    }
}

/// Layers with a window of 128 tokens keep 16 sequences' windows and a batch, however long the context is.
#[test]
fn the_cache_of_windows_does_not_grow_with_the_context() {
    let home = Home::new();
    let catalogue: Value = serde_json::from_str(include_str!("../../hub/src/catalogue.json")).unwrap();
    let entry = catalogue["models"].as_array().unwrap().iter().find(|entry| entry["name"] == "gpt-oss");
    let path = home.write("config.json", entry.unwrap()["config"].to_string().as_bytes());
    let inspect = |more: &[&str]| {
        let mut command = home.command();
        let ended = command.args(["inspect", "--config"]).arg(&path).args(more).output().unwrap();
        cli::ended(ended).succeeded().stdout.clone()
    };
    let found: Value = serde_json::from_str(&inspect(&["--json"])).unwrap();
    let number = |key: &str| found[key].as_u64().unwrap();
    assert_eq!((number("window"), number("context")), (128, 131_072));
    let windows = number("cache_bytes") - number("cache_bytes_per_token") * number("context");
    let tokens = windows / number("window_cache_bytes_per_token");
    assert!((128 * 16..8192).contains(&tokens), "windows of {tokens} tokens");
    let shown = inspect(&[]);
    assert!(shown.contains("12 layers keep only a window of 128 tokens"), "{shown}");
}

#[test]
fn a_config_that_says_too_little_is_refused() {
    let home = Home::new();
    let check = |config: &str, expected: &str| {
        let path = home.write("config.json", config.as_bytes());
        home.run(["inspect".as_ref(), "--config".as_ref(), path.as_os_str()]).failed(1, expected);
    };
    check("{", "not valid JSON");
    check("{}", "`architectures` is missing");
    check(
        r#"{"architectures":["BertModel"]}"#,
        "unknown architecture `BertModel`; supported: llama, LlamaForCausalLM",
    );
    check(r#"{"architectures":["LlamaForCausalLM"]}"#, "does not say `hidden_size`");
    home.run(["inspect", "--config", "nowhere.json"]).failed(1, "cannot read nowhere.json");
    home.run(["inspect"]).failed(2, "required arguments were not provided");
}

#[test]
fn every_known_model_is_listed_with_what_it_takes() {
    let home = Home::new();
    let list: Value =
        serde_json::from_str(&home.run(["models", "--available", "--json"]).succeeded().stdout).unwrap();
    let catalogue: Value = serde_json::from_str(include_str!("../../hub/src/catalogue.json")).unwrap();
    assert_eq!(list.as_array().unwrap().len(), catalogue["models"].as_array().unwrap().len());
    for model in list.as_array().unwrap() {
        let number = |key: &str| model[key].as_u64().unwrap_or(0);
        assert!(number("size_bytes") > 0 && number("context") > 0, "{model}");
        assert!(number("memory_bytes") > number("size_bytes"), "{model}");
        assert!(model["quantisations"]["Q4_K_M"].as_u64().unwrap() < number("parameters"), "{model}");
        // A config that is wrong gives another count than its publisher does.
        let about = model["about"].as_str().unwrap();
        let parameters = number("parameters") as f64;
        let near = counts(about).into_iter().any(|count| (parameters / count - 1.0).abs() < 0.05);
        assert!(near, "{} has {parameters} parameters, which is not what `{about}` says", model["name"]);
    }
    let table = home.run(["models", "--available"]).succeeded().stdout.clone();
    for part in ["llama3.3", "42.51 GB", "671.03 B, 37.55 B at a time", "Modified MIT", "MEMORY is for"] {
        assert!(table.contains(part), "{part} is not in\n{table}");
    }
}

/// The numbers in a text that end in M, B or T.
fn counts(text: &str) -> Vec<f64> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    let count = |word: &str| {
        let unit = match word.chars().last()? {
            'M' => 1e6,
            'B' => 1e9,
            'T' => 1e12,
            _ => return None,
        };
        Some(word[..word.len() - 1].parse::<f64>().ok()? * unit)
    };
    words.filter_map(count).collect()
}
