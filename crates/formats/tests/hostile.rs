//! Damaged and hostile files: every one gets an error that says what is wrong, and none a panic or much memory.

mod allocations;
mod scratch;

use allocations::most_allocated;
use scratch::{Scratch, write_small};
use std::fs;
use tandem_formats::{Gguf, Safetensors, Slice, Weights};

#[global_allocator]
static COUNTED: allocations::Counting = allocations::Counting;

/// Of each format; the fuzz target goes on from there.
const MUTANTS: u64 = 2000;

#[test]
fn each_fault_is_named() {
    let scratch = Scratch::new();
    let path = scratch.path("m.gguf");
    let check = |bytes: Vec<u8>, expected: &str| {
        fs::write(&path, bytes).unwrap();
        let error = Gguf::open(&path).expect_err(expected).to_string();
        assert!(error.contains(expected), "got `{error}`, expected `…{expected}…`");
        assert!(error.contains("m.gguf"), "`{error}` does not name the file");
    };
    let entry = |key: &str, kind: u32, value: &[u8]| {
        [string(key), kind.to_le_bytes().to_vec(), value.to_vec()].concat()
    };
    let one_entry = |value: Vec<u8>| file(3, 0, 1, &value);
    let one_tensor = |tensor: Vec<u8>| file(3, 1, 0, &tensor);

    check(vec![], "ends inside the file header");
    check(b"GGUF".to_vec(), "ends inside the file header");
    check(b"PK\x03\x04 zip".to_vec(), "not a GGUF file: it begins with \"PK\\\\x03\\\\x04\"");
    check(b"FUGG\0\0\0\x03".to_vec(), "big-endian");
    check(b"GGUF\0\0\0\x03".to_vec(), "big-endian");
    check(file(1, 0, 0, &[]), "GGUF version 1; versions 2 and 3 are read");
    check(file(4, 0, 0, &[]), "GGUF version 4");

    check(file(3, 0, u64::MAX, &[]), "claims 18446744073709551615 entries");
    check(file(3, u64::MAX, 0, &[]), "claims 18446744073709551615 entries");
    check(
        file(3, 2, 0, &[0; 47]),
        "the file header claims 2 entries, but the rest of the file has room for 1",
    );
    check(
        one_entry([&u64::MAX.to_le_bytes()[..], &[0; 64]].concat()),
        "ends inside the name of metadata entry 0",
    );
    check(one_entry(entry("k", 4, &[1, 2])), "ends inside metadata `k`: 4 bytes needed, 2 left");
    check(one_entry(entry("k", 13, &[0; 8])), "metadata `k` has the unknown value type 13");
    check(one_entry(entry("k", 7, &[2])), "metadata `k` holds 2 as a bool");
    check(one_entry(entry("k", 8, &[2, 0, 0, 0, 0, 0, 0, 0, 0xc3, 0x28])), "metadata `k` is not UTF-8");
    check(one_entry(entry("k", 9, &array(4, u64::MAX / 4 + 1, &[0; 32]))), "metadata `k` claims");
    check(
        one_entry(entry("k", 9, &array(8, 1 << 40, &[0; 32]))),
        "metadata `k` claims 1099511627776 entries",
    );
    check(one_entry(entry("k", 9, &array(8, 1, &[255; 8]))), "ends inside metadata `k`");
    check(one_entry(entry("k", 9, &array(7, 3, &[0, 1, 9]))), "metadata `k` holds 9 as a bool");
    check(one_entry(entry("\x1b[2J", 13, &[0; 8])), "metadata `\\u{1b}[2J` has");
    check(one_entry(entry(&"k".repeat(5000), 13, &[0; 8])), &format!("metadata `{}…` has", "k".repeat(120)));
    let deep = (0..1000).fold(array(4, 0, &[]), |inner, _| array(9, 1, &inner));
    check(one_entry(entry("k", 9, &deep)), "metadata `k` nests arrays deeper than 4");
    let twice = [entry("k", 4, &[0; 4]), entry("j", 4, &[0; 4]), entry("k", 4, &[0; 4])].concat();
    check(file(3, 0, 3, &twice), "metadata `k` occurs twice");
    for (alignment, text) in [(0u32, "0"), (3, "3"), (u32::MAX, "4294967295")] {
        let bytes = one_entry(entry("general.alignment", 4, &alignment.to_le_bytes()));
        check(bytes, &format!("general.alignment is u32 {text}; expected a power of two"));
    }
    check(
        one_entry(entry("general.alignment", 8, &string("32"))),
        "general.alignment is string \"32\"; expected a power",
    );
    check(
        one_entry(entry("split.count", 8, &string("many"))),
        "`split.count` is string \"many\"; expected a whole number",
    );
    check(
        one_entry(entry("split.count", 4, &u32::MAX.to_le_bytes())),
        "`split.count` is 4294967295; expected at most",
    );
    check(
        one_entry(entry("split.count", 4, &[2, 0, 0, 0])),
        "`split.no` is missing; expected a whole number below",
    );

    check(one_tensor([&8u64.to_le_bytes()[..], &[255; 40]].concat()), "the name of tensor 0 is not UTF-8");
    check(one_tensor(tensor("w", &[1; 5], 0, 0)), "tensor `w` has shape []: expected at most 4 dimensions");
    check(one_tensor(tensor("w", &[4, 0], 0, 0)), "tensor `w` has shape [4, 0]: no dimension may be 0");
    check(one_tensor(tensor("w", &[1 << 40, 1 << 40], 0, 0)), "its size overflows");
    check(one_tensor(tensor("w", &[u64::MAX], 0, 0)), "its size overflows");
    check(one_tensor(tensor("w", &[1 << 62], 0, 0)), "its size overflows");
    check(one_tensor(tensor("w", &[100, 2], 2, 0)), "must be a multiple of 32, the block length of Q4_0");
    check(one_tensor(tensor("w", &[8], 0, 16)), "tensor `w` lies at offset 16; expected a multiple");
    check(one_tensor(tensor("w", &[8], 0, u64::MAX - 31)), "tensor `w` needs bytes");
    check(
        one_tensor(tensor("w", &[1 << 40], 0, 0)),
        "tensor `w` needs bytes 64 to 4398046511168, but the file has",
    );
    let pair = |second: &str, offset| {
        [tensor("w", &[16], 0, 0), tensor(second, &[16], 0, offset), vec![0; 256]].concat()
    };
    check(file(3, 2, 0, &pair("v", 32)), "tensors `w` and `v` overlap");
    check(file(3, 2, 0, &pair("v", 0)), "overlap");
    check(file(3, 2, 0, &pair("w", 64)), "tensor `w` occurs twice");
}

#[test]
fn what_is_no_file_is_an_error() {
    let scratch = Scratch::new();
    let check = |name: &str, expected: &str| {
        let error = Gguf::open(scratch.path(name)).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains(name), "{error}");
    };
    check("missing.gguf", "No such file");
    fs::create_dir(scratch.path("folder")).unwrap();
    check("folder", "is a directory, expected a model file");
}

#[test]
fn every_truncation_is_an_error() {
    let scratch = Scratch::new();
    write_small(&scratch.path("m.gguf"));
    let whole = fs::read(scratch.path("m.gguf")).unwrap();
    // The padding after the last tensor (60 bytes) is nobody's.
    for len in 0..whole.len() - 4 {
        fs::write(scratch.path("cut.gguf"), &whole[..len]).unwrap();
        assert!(Gguf::open(scratch.path("cut.gguf")).is_err(), "cut to {len} of {}", whole.len());
    }
}

#[test]
fn mutated_gguf_files_never_panic_or_take_much_memory() {
    let scratch = Scratch::new();
    write_small(&scratch.path("m.gguf"));
    let whole = fs::read(scratch.path("m.gguf")).unwrap();
    let path = scratch.path("mutant.gguf");
    let mut opened = 0u64;
    for seed in 0..MUTANTS {
        let mutant = mutate(&whole, seed);
        fs::write(&path, &mutant).unwrap();
        let mut good = false;
        let most = most_allocated(|| {
            if let Ok(model) = Gguf::open(&path) {
                good = true;
                use_up(&model, mutant.len());
            }
        });
        opened += good as u64;
        assert!(most <= allowed(mutant.len()), "seed {seed}: {most} bytes for a file of {}", mutant.len());
    }
    // Both sides must have been exercised for the run to mean anything.
    assert!((MUTANTS / 50..MUTANTS - 100).contains(&opened), "{opened} of {MUTANTS} opened");
}

#[test]
fn mutated_safetensors_files_never_panic_or_take_much_memory() {
    let scratch = Scratch::new();
    let json = br#"{"__metadata__":{"format":"pt"},
        "a.weight":{"dtype":"F32","shape":[4,8],"data_offsets":[0,128]},
        "b.weight":{"dtype":"BF16","shape":[2,4,2],"data_offsets":[128,160]},
        "c.bias":{"dtype":"I64","shape":[2],"data_offsets":[160,176]}}"#;
    check_mutants(&scratch, &[&(json.len() as u64).to_le_bytes()[..], json, &[7; 176]].concat());
}

/// Every way of quantising in one file, with the config that explains it.
#[test]
fn mutated_quantised_files_never_panic_or_take_much_memory() {
    let scratch = Scratch::new();
    let config = r#"{"quantization":{"bits":3,"group_size":32,"b":{"bits":8,"group_size":64}}}"#;
    fs::write(scratch.path("config.json"), config).unwrap();
    let tensors = [
        ("a.weight", "U32", "[2,3]", 24),
        ("a.scales", "F16", "[2,1]", 4),
        ("a.biases", "F16", "[2,1]", 4),
        ("b.weight", "U32", "[2,16]", 128),
        ("b.scales", "F16", "[2,1]", 4),
        ("b.biases", "F16", "[2,1]", 4),
        ("c.weight", "F8_E4M3", "[3,33]", 99),
        ("c.weight_scale_inv", "F32", "[1,1]", 4),
        ("d.weight_packed", "I32", "[2,4]", 32),
        ("d.weight_scale", "BF16", "[2,1]", 4),
        ("d.weight_shape", "I64", "[2]", 16),
        ("e_blocks", "U8", "[2,2,1,16]", 64),
        ("e_scales", "U8", "[2,2,1]", 4),
    ];
    let (mut json, mut data) = (Vec::new(), Vec::new());
    for (name, kind, shape, bytes) in tensors {
        let (start, end) = (data.len(), data.len() + bytes);
        json.push(format!(r#""{name}":{{"dtype":"{kind}","shape":{shape},"data_offsets":[{start},{end}]}}"#));
        match name {
            "d.weight_shape" => data.extend([2u64, 32].iter().flat_map(|dim| dim.to_le_bytes())),
            _ => data.extend((0..bytes).map(|i| i as u8)),
        }
    }
    let json = format!("{{{}}}", json.join(","));
    let whole = [&(json.len() as u64).to_le_bytes()[..], json.as_bytes(), &data].concat();
    fs::write(scratch.path("whole.safetensors"), &whole).unwrap();
    let model = Safetensors::open(scratch.path("whole.safetensors")).unwrap();
    assert_eq!(model.names(), ["a.weight", "b.weight", "c.weight", "d.weight", "e"]);
    for name in model.names() {
        model.read_all(name).unwrap();
    }
    check_mutants(&scratch, &whole);
}

fn check_mutants(scratch: &Scratch, whole: &[u8]) {
    let path = scratch.path("mutant.safetensors");
    let mut opened = 0u64;
    for seed in 0..MUTANTS {
        let mutant = mutate(whole, seed);
        fs::write(&path, &mutant).unwrap();
        let mut good = false;
        let most = most_allocated(|| {
            if let Ok(model) = Safetensors::open(&path) {
                good = true;
                use_up(&model, mutant.len());
                use_up(&model.exactly(), mutant.len());
            }
        });
        opened += good as u64;
        assert!(most <= allowed(mutant.len()), "seed {seed}: {most} bytes for a file of {}", mutant.len());
    }
    assert!((MUTANTS / 50..MUTANTS - 100).contains(&opened), "{opened} of {MUTANTS} opened");
}

/// The densest files there are: as many things as possible in a few bytes each.
#[test]
fn a_byte_of_the_file_costs_few_bytes_of_memory() {
    const COUNT: usize = 50_000;
    let scratch = Scratch::new();
    let path = scratch.path("dense.gguf");
    let repeated = |piece: Vec<u8>| piece.repeat(COUNT);
    let key = |value: Vec<u8>| [string("k"), 9u32.to_le_bytes().to_vec(), value].concat();
    let files = [
        file(3, 0, COUNT as u64, &repeated([string(""), 0u32.to_le_bytes().to_vec(), vec![0]].concat())),
        file(3, COUNT as u64, 0, &repeated(tensor("", &[], 0, 0))),
        file(3, COUNT as u64, 0, &repeated(tensor("w", &[1], 999, 0))),
        file(3, 0, 1, &key(array(8, COUNT as u64, &repeated(string(""))))),
        file(3, 0, 1, &key(array(9, COUNT as u64, &repeated(array(0, 0, &[]))))),
        file(3, 0, 1, &key(array(9, COUNT as u64, &repeated(array(8, 1, &string("")))))),
    ];
    for (number, bytes) in files.into_iter().enumerate() {
        fs::write(&path, &bytes).unwrap();
        let most = most_allocated(|| drop(Gguf::open(&path)));
        assert!(most <= allowed(bytes.len()), "file {number}: {most} bytes for a file of {}", bytes.len());
    }

    let path = scratch.path("dense.safetensors");
    let ones = "1,".repeat(COUNT) + "1";
    let tensors: Vec<String> =
        (0..COUNT).map(|i| format!(r#""{i}":{{"dtype":"","shape":[],"data_offsets":[0,0]}}"#)).collect();
    let files = [
        format!(r#"{{"w":{{"dtype":"F32","shape":[{ones}],"data_offsets":[0,4]}}}}"#),
        format!("{{{}}}", tensors.join(",")),
        format!(r#"{{"__metadata__":[{ones}]}}"#),
    ];
    for (number, json) in files.into_iter().enumerate() {
        fs::write(&path, [&(json.len() as u64).to_le_bytes()[..], json.as_bytes(), &[0; 4]].concat())
            .unwrap();
        let most = most_allocated(|| {
            let model = Safetensors::open(&path).unwrap();
            for name in model.names() {
                let _ = model.require(name);
            }
        });
        assert!(most <= allowed(json.len()), "file {number}: {most} bytes for a file of {}", json.len());
    }
}

/// A small multiple of the file, and something for paths and messages.
fn allowed(file_bytes: usize) -> usize {
    16 * file_bytes + (64 << 10)
}

/// Reads all there is; what opened must also read, in little more memory than the file has bytes: three bits may become
/// an F32.
fn use_up(model: &dyn Weights, file_bytes: usize) {
    model.identity();
    for name in model.names() {
        let Ok(info) = model.require(name) else { continue };
        assert!(info.bytes() <= 11 * file_bytes);
        model.read_all(name).unwrap();
        let shape = info.shape;
        let slice = Slice { rows: shape.rows / 2..shape.rows, ..shape.whole() };
        model.read(name, &slice, &mut vec![0; info.slice_bytes(&slice).unwrap()]).unwrap();
    }
}

/// One to four changes of kinds that hurt parsers: bits, cuts, huge or small numbers, pieces moved about.
fn mutate(whole: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut bytes = whole.to_vec();
    for _ in 0..=random.below(4) {
        if bytes.len() < 16 {
            break;
        }
        let at = random.below(bytes.len() - 8);
        match random.below(7) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.below(256) as u8,
            2 => bytes.truncate(at),
            3 => {
                let huge = [u64::MAX, 1 << 63, 1 << 40, 1 << 32, u32::MAX as u64, 0, 1];
                let value = huge[random.below(huge.len())];
                bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
            }
            4 => {
                let value = random.below(64) as u32;
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
            5 => {
                let len = random.below(64).min(bytes.len() - at);
                let piece = bytes[at..at + len].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => {
                let end = (at + random.below(64)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
    bytes
}

/// xorshift64*: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as usize % bound
    }
}

fn file(version: u32, tensors: u64, entries: u64, rest: &[u8]) -> Vec<u8> {
    [b"GGUF", &version.to_le_bytes()[..], &tensors.to_le_bytes(), &entries.to_le_bytes(), rest].concat()
}

fn string(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat()
}

fn array(kind: u32, len: u64, elements: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes()[..], &len.to_le_bytes(), elements].concat()
}

fn tensor(name: &str, dims: &[u64], kind: u32, offset: u64) -> Vec<u8> {
    let dims_bytes: Vec<u8> = dims.iter().flat_map(|dim| dim.to_le_bytes()).collect();
    let count = (dims.len() as u32).to_le_bytes();
    [&string(name)[..], &count, &dims_bytes, &kind.to_le_bytes(), &offset.to_le_bytes()].concat()
}
