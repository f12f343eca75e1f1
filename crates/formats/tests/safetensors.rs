//! Safetensors files, single and sharded, good and bad.

mod scratch;

use scratch::Scratch;
use std::fs;
use std::path::Path;
use tandem_formats::{FormatError, Safetensors, Shape, Slice, Weights, open};
use tandem_tensor::DType;

#[test]
fn a_single_file_reads_whole_and_by_slice() {
    let scratch = Scratch::new();
    let path = scratch.path("model.safetensors");
    let json = r#"{"__metadata__":{"format":"pt"},
        "norm":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},
        "w":{"dtype":"BF16","shape":[2,4],"data_offsets":[12,28]},
        "experts":{"dtype":"F16","shape":[2,3,2],"data_offsets":[28,52]},
        "scalar":{"dtype":"F32","shape":[],"data_offsets":[52,56]},
        "ids":{"dtype":"I64","shape":[1],"data_offsets":[56,64]},
        "conv":{"dtype":"F32","shape":[2,1,1,2],"data_offsets":[64,80]}}"#;
    write(&path, json, 80);
    // By file and by folder.
    for path in [path.as_path(), path.parent().unwrap()] {
        let model = open(path).unwrap();
        let info = model.require("w").unwrap();
        assert_eq!((info.dtype, info.shape), (DType::BF16, Shape::matrix(2, 4)));
        assert_eq!(model.require("norm").unwrap().shape, Shape::vector(3));
        assert_eq!(model.require("scalar").unwrap().shape, Shape::vector(1));
        assert_eq!(model.require("experts").unwrap().shape, Shape { experts: 2, rows: 3, cols: 2 });
        assert_eq!(model.read_all("w").unwrap(), (12..28).collect::<Vec<u8>>());
        let mut out = [0; 4];
        model.read("experts", &Slice { experts: 1..2, rows: 1..3, cols: 1..2 }, &mut out).unwrap();
        assert_eq!(out, [46, 47, 50, 51]);
        assert!(model.tensor("absent").unwrap().is_none());
        assert_eq!(model.names().len(), 6);
        let error = |name: &str| model.require(name).unwrap_err().to_string();
        assert!(
            error("ids")
                .contains("tensor `ids` is of type I64, which is not supported; supported: F32 F16 BF16")
        );
        assert!(error("conv").contains("tensor `conv` has shape [2, 1, 1, 2]; expected at most 3"));
        assert!(matches!(model.require("absent"), Err(FormatError::NoTensor { .. })));
    }
}

#[test]
fn shards_open_by_their_index() {
    let scratch = Scratch::new();
    let index = scratch.path("model.safetensors.index.json");
    write(&scratch.path("a.safetensors"), r#"{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#, 4);
    write(&scratch.path("b.safetensors"), r#"{"y":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#, 8);
    let map = |map: &str| fs::write(&index, format!(r#"{{"metadata":{{}},"weight_map":{map}}}"#)).unwrap();
    map(r#"{"y":"b.safetensors","x":"a.safetensors"}"#);
    for path in [index.as_path(), index.parent().unwrap()] {
        let model = Safetensors::open(path).unwrap();
        assert_eq!(model.names(), ["x", "y"]);
        assert_eq!(model.read_all("y").unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
    let check = |weights: &str, expected: &str| {
        map(weights);
        let error = Safetensors::open(&index).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(r#"{"x":"b.safetensors"}"#, "says that tensor `x` lies in b.safetensors, but it does not");
    check(r#"{"x":"c.safetensors"}"#, "c.safetensors: No such file");
    check(r#"{"x":"../a.safetensors"}"#, "`../a.safetensors` is no plain file name");
    check(r#"{"x":"/etc/passwd"}"#, "`/etc/passwd` is no plain file name");
    check("[]", "not what safetensors expects");
    fs::copy(scratch.path("a.safetensors"), scratch.path("c.safetensors")).unwrap();
    check(r#"{"x":"a.safetensors","y":"c.safetensors"}"#, "tensor `x` occurs twice");
}

#[test]
fn each_fault_is_named() {
    let scratch = Scratch::new();
    let path = scratch.path("m.safetensors");
    let error = || Safetensors::open(&path).unwrap_err().to_string();
    let check = |json: &str, expected: &str| {
        write(&path, json, 16);
        let error = error();
        assert!(error.contains(expected) && error.contains("m.safetensors"), "{error}");
    };
    let one = |dtype: &str, shape: &str, offsets: &str| {
        format!(r#"{{"w":{{"dtype":"{dtype}","shape":{shape},"data_offsets":{offsets}}}}}"#)
    };
    check("nonsense", "not what safetensors expects");
    check("[1]", "expected an object of tensors");
    check(r#"{"w":{"dtype":"F32"}}"#, "tensor `w`: missing field `shape`");
    check(&one("F32", "[-1]", "[0,4]"), "tensor `w`: invalid value");
    check(&one("F32", "[2]", "[0,4]"), "shape [2]; expected one that fills its 4 bytes of F32");
    check(&one("F32", "[0]", "[0,0]"), "shape [0]; expected");
    check(&one("F32", "[4294967296,4294967296,4294967296]", "[0,4]"), "expected one that fills");
    check(&one("F32", "[4]", "[4,20]"), "tensor `w` needs bytes");
    check(&one("F32", "[1]", "[8,4]"), "tensor `w` needs bytes");
    check(&one("F32", "[1]", "[18446744073709551612,18446744073709551615]"), "tensor `w` needs bytes");
    let entry = |range: &str| format!(r#"{{"dtype":"F32","shape":[2],"data_offsets":{range}}}"#);
    check(&format!(r#"{{"v":{},"w":{}}}"#, entry("[0,8]"), entry("[4,12]")), "tensors `v` and `w` overlap");
    check(&format!(r#"{{"w":{},"w":{}}}"#, entry("[0,8]"), entry("[8,16]")), "tensor `w` occurs twice");
    check(&"[".repeat(100_000), "not what safetensors expects");
    check(&format!(r#"{{"__metadata__":{}"#, "[".repeat(100_000)), "not what safetensors expects");

    fs::write(&path, [1, 2, 3]).unwrap();
    assert!(error().contains("header claims 8 bytes, the file has 3"));
    fs::write(&path, [255; 64]).unwrap();
    assert!(error().contains("header claims 18446744073709551615 bytes, the file has 64"));
    fs::create_dir(scratch.path("empty")).unwrap();
    let error = Safetensors::open(scratch.path("empty")).unwrap_err().to_string();
    assert!(error.contains("empty holds neither model.safetensors.index.json nor model.safetensors"));
}

/// A file with this header whose weights count up.
fn write(path: &Path, json: &str, data_bytes: u8) {
    let data: Vec<u8> = (0..data_bytes).collect();
    fs::write(path, [&(json.len() as u64).to_le_bytes()[..], json.as_bytes(), &data].concat()).unwrap();
}
