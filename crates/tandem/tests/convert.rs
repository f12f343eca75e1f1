//! `tandem convert`: every tiny checkpoint gives the same logits from the GGUF file as mlx-lm computed from safetensors.

mod cli;
#[path = "../../runtime/tests/tiny/mod.rs"]
mod tiny;

use cli::Home;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tandem_formats::{Gguf, GgufWriter, Weights};
use tandem_models::Shard;
use tandem_runtime::{FileSource, ModelFile};
use tandem_tensor::{Alone, Backend, Batch, Reference, WeightSource, quant};
use tiny::{Case, cases, limits, push};

fn convert(home: &Home, name: &str, output: &Path, rest: &[&str]) -> cli::Ended {
    let input = folder(name);
    let args = ["convert".as_ref(), input.as_os_str(), output.as_os_str()];
    home.run(args.into_iter().chain(rest.iter().map(OsStr::new)))
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/tiny").join(name)
}

#[test]
fn logits_are_the_same_from_the_converted_file() {
    let home = Home::new();
    // Those that see are tried below.
    for case in cases().into_iter().filter(|case| folder(&case.name).is_dir()) {
        let path = home.path(&format!("{}.gguf", case.name));
        convert(&home, &case.name, &path, &["--type", "F32"]).succeeded();
        let file = ModelFile::open(&path).unwrap();
        let model = file.description().unwrap();
        let program = file.program(&model, &Shard::whole(&model)).unwrap();
        let case = Case { file, ..case };
        let mut session = Reference.open(Arc::new(program), limits(), &case.source(), &|_| {}).unwrap();
        for prompt in case.prompts.iter().filter(|prompt| prompt.tokens.len() <= 64) {
            let mut batch = Batch::default();
            push(&mut batch, 0, prompt, 0, prompt.tokens.len());
            session.run(&batch, &mut Alone).unwrap();
            let what = format!("{} tokens from GGUF", prompt.tokens.len());
            case.check(&what, "reference", session.result(), &prompt.logits);
        }
    }
}

/// What a model sees pictures with goes to a file beside it, and is found there.
#[test]
fn pictures_are_seen_from_converted_files() {
    let home = Home::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/pictures/gemma3");
    // Its tokenizer was made for tests, and has no form in GGUF files.
    let source = home.path("source");
    fs::create_dir(&source).unwrap();
    for name in ["config.json", "model.safetensors"] {
        fs::copy(folder.join(name), source.join(name)).unwrap();
    }
    let (path, projector) = (home.path("seeing-f16.gguf"), home.path("mmproj-seeing-f16.gguf"));
    let args = ["convert".as_ref(), source.as_os_str(), path.as_os_str()];
    home.run(args).succeeded();
    // Neither is written over.
    fs::remove_file(&path).unwrap();
    home.run(args).failed(1, "mmproj-seeing-f16.gguf exists");
    home.run(args.into_iter().chain([OsStr::new("--force")])).succeeded();

    let file = ModelFile::open(&path).unwrap();
    let expected = tiny::rows_of_pictures(&ModelFile::open(&folder).unwrap(), &folder).unwrap();
    let found = tiny::rows_of_pictures(&file, &folder).unwrap();
    assert!(found == expected, "the rows of pictures are others");
    // Files of old call the two matrices of a block by each other's names.
    let source = Gguf::open(&projector).unwrap();
    let old = home.path("old.gguf");
    let mut writer = GgufWriter::new(&old);
    writer.copy_metadata(source.metadata(), |_| true).unwrap();
    let swapped = |name: &str| match name {
        name if name.contains("ffn_up") => name.replace("ffn_up", "ffn_down"),
        name => name.replace("ffn_down", "ffn_up"),
    };
    for tensor in source.tensors() {
        let info = source.tensor(&tensor.name).unwrap().unwrap();
        let dims: Vec<usize> = tensor.dims.iter().map(|dim| *dim as usize).collect();
        writer.add_tensor(&swapped(&tensor.name), info.dtype, &dims).unwrap();
    }
    let mut writer = writer.start().unwrap();
    for tensor in source.tensors() {
        writer.write_tensor(&swapped(&tensor.name), source.data(&tensor.name).unwrap()).unwrap();
    }
    writer.finish().unwrap();
    drop((source, file));
    fs::rename(&old, &projector).unwrap();
    let file = ModelFile::open(&path).unwrap();
    assert!(tiny::rows_of_pictures(&file, &folder).unwrap() == expected, "from an old file");

    // Another model's is left alone, and so is what is none.
    fs::remove_file(&projector).unwrap();
    fs::write(home.path("mmproj-broken.gguf"), b"GGUF").unwrap();
    fs::copy(&path, home.path("mmproj-model.gguf")).unwrap();
    assert!(ModelFile::open(&path).unwrap().description().unwrap().tower.is_none());
}

/// Heads and groups that GGUF files hold in one tensor, or in another order, are cut as those of the source are.
#[test]
fn ranks_read_the_same_from_the_converted_file() {
    let home = Home::new();
    for name in ["granite4-h", "kimi-linear", "nemotron-h", "phi3", "qwen3-5", "qwen3-5-uneven", "qwen3-next"]
    {
        let path = home.path(&format!("{name}.gguf"));
        convert(&home, name, &path, &["--type", "F32"]).succeeded();
        let [own, converted] = [folder(name), path].map(|path| values_by_rank(&path));
        assert_eq!(own.len(), converted.len(), "{name}");
        for ((weight, own), (told, converted)) in own.into_iter().zip(converted) {
            assert!(own == converted, "{name}: `{told}` is not `{weight}`");
        }
    }
}

/// What each of two ranks reads, with the weights' names.
fn values_by_rank(path: &Path) -> Vec<(String, Vec<f32>)> {
    let file = ModelFile::open(path).unwrap();
    let model = file.description().unwrap();
    let mut read = Vec::new();
    for shard in file.divide(&model, 0..model.layers.len(), &[1.0, 1.0]).unwrap() {
        for weight in file.program(&model, &shard).unwrap().weights {
            let mut values = Vec::new();
            for expert in 0..weight.experts() {
                let mut bytes = vec![0; weight.rows() * weight.row_bytes()];
                FileSource(file.weights()).read(&weight, expert, 0..weight.rows(), &mut bytes).unwrap();
                let mut floats = vec![0.0; weight.rows() * weight.cols()];
                quant::dequantize(weight.dtype, &bytes, &mut floats);
                values.extend(floats);
            }
            read.push((weight.name, values));
        }
    }
    read
}

#[test]
fn a_converted_file_that_changed_is_found() {
    let home = Home::new();
    let path = home.path("out.gguf");
    convert(&home, "llama-tied", &path, &["--type", "F32"]).succeeded();
    let verify = || home.run(["models".as_ref(), "--verify".as_ref(), path.as_os_str()]);
    assert!(verify().succeeded().stdout.contains("is what was written"));
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    verify().failed(1, "not what was written");
    // Written anew, it has a new hash.
    convert(&home, "llama-tied", &path, &["--type", "F16", "--force"]).succeeded();
    verify().succeeded();
    fs::remove_file(home.path("out.gguf.sha256")).unwrap();
    verify().failed(1, "there is no hash beside");
}

#[test]
fn types_are_as_asked_or_as_stored() {
    let home = Home::new();
    let kinds = |name: &str, rest: &[&str]| {
        let path = home.path("out.gguf");
        convert(&home, name, &path, &[rest, &["--force"]].concat()).succeeded();
        let shown = home.run(["inspect", "out.gguf"]).succeeded().stdout.clone();
        shown.lines().find(|line| line.starts_with("tensors")).unwrap().to_owned()
    };
    // Experts trained in MXFP4 stay so; vectors and routers are F32.
    let as_stored = kinds("gpt-oss", &[]);
    assert!(as_stored.contains("MXFP4") && as_stored.contains("F32"), "{as_stored}");
    let smaller = kinds("gpt-oss", &["--type", "Q8_0"]);
    assert!(smaller.contains("MXFP4") && smaller.contains("Q8_0"), "{smaller}");
    assert!(!kinds("gpt-oss", &["--type", "BF16"]).contains("MXFP4"));
    let plain = kinds("llama-tied", &["--type", "Q4_0"]);
    assert!(plain.contains("Q4_0") && plain.contains("Q8_0"), "{plain}");
}

/// A limit on file sizes ends the first run like a full disk would.
#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    let home = Home::new();
    let (whole, path) = (home.path("whole.gguf"), home.path("parts.gguf"));
    convert(&home, "llama-tied", &whole, &["--type", "F32"]).succeeded();
    let mut limited = home.command_after("trap '' XFSZ; ulimit -f 200");
    limited.args(["convert".as_ref(), folder("llama-tied").as_os_str(), path.as_os_str()]);
    let ended = limited.args(["--type", "F32"]).output().unwrap();
    assert!(String::from_utf8_lossy(&ended.stderr).contains("run the same command again"));
    assert!(!path.exists());
    let resumed = convert(&home, "llama-tied", &path, &["--type", "F32"]);
    assert!(resumed.stderr.contains("resuming: "), "{}", resumed.stderr);
    resumed.succeeded();
    assert_eq!(fs::read(&path).unwrap(), fs::read(&whole).unwrap());
    let left: Vec<_> = fs::read_dir(&home.folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("partial")), "{left:?}");
}

/// The weights change between two runs, the header does not: nothing of the first run is taken over.
#[test]
fn a_run_does_not_go_on_with_a_source_that_changed() {
    let home = Home::new();
    let source = home.path("source");
    fs::create_dir(&source).unwrap();
    for file in fs::read_dir(folder("llama-tied")).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), source.join(file.file_name())).unwrap();
    }
    let mut limited = home.command_after("trap '' XFSZ; ulimit -f 200");
    let ended = limited.args(["convert", "source", "out.gguf", "--type", "F32"]).output().unwrap();
    assert!(String::from_utf8_lossy(&ended.stderr).contains("run the same command again"));
    let weights = source.join("model.safetensors");
    let mut bytes = fs::read(&weights).unwrap();
    let header = 8 + u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    // The lowest bits of every F32 value.
    bytes[header..].iter_mut().step_by(4).for_each(|byte| *byte ^= 1);
    fs::write(&weights, bytes).unwrap();
    let again = home.run(["convert", "source", "out.gguf", "--type", "F32"]);
    assert!(!again.stderr.contains("resuming"), "{}", again.stderr);
    again.succeeded();
    home.run(["convert", "source", "fresh.gguf", "--type", "F32"]).succeeded();
    assert_eq!(fs::read(home.path("out.gguf")).unwrap(), fs::read(home.path("fresh.gguf")).unwrap());
}

#[test]
fn mistakes_are_explained() {
    let home = Home::new();
    let gguf = home.path("model.gguf");
    convert(&home, "llama-tied", &gguf, &["--type", "F16"]).succeeded();
    convert(&home, "llama-tied", &gguf, &["--type", "F16"]).failed(1, "exists");
    home.run(["convert", "model.gguf", "b.gguf"]).failed(1, "is a GGUF file already");
    convert(&home, "llama-tied", &home.path("b.gguf"), &["--type", "Q9"]).failed(2, "known: F32 F16 BF16");
    // A tensor less than the architecture needs.
    let broken = home.path("broken");
    fs::create_dir(&broken).unwrap();
    let source = folder("llama-tied");
    fs::copy(source.join("config.json"), broken.join("config.json")).unwrap();
    let bytes = fs::read(source.join("model.safetensors")).unwrap();
    let named = |from: &str, to: &str| {
        let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
        let mut bytes = bytes.clone();
        bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        fs::write(broken.join("model.safetensors"), bytes).unwrap();
        home.run(["convert", "broken", "b.gguf"])
    };
    named("model.layers.1.mlp.up_proj", "model.layers.1.mlp.up_prof")
        .failed(1, "no tensor `model.layers.1.mlp.up_proj.weight`");
}
