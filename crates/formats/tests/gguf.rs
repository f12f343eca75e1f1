//! What the writer writes, the reader reads: whole, by slice, and in several parts.

mod scratch;

use scratch::{Scratch, small_bytes, small_tensors, write_small};
use std::fs;
use tandem_formats::{
    FormatError, Gguf, GgufError, GgufWriteError, GgufWriter, Slice, SliceError, Value, Weights, open,
};
use tandem_tensor::DType;

#[test]
fn every_metadata_type_comes_back() {
    let scratch = Scratch::new();
    write_small(&scratch.path("m.gguf"));
    let model = Gguf::open(scratch.path("m.gguf")).unwrap();
    let metadata = model.metadata();
    assert_eq!(metadata.get_str("general.name").unwrap(), "tiny, mit Umlaut: ü");
    assert_eq!(metadata.get::<u8>("a.u8").unwrap(), 200);
    assert_eq!(metadata.get::<i32>("a.i8").unwrap(), -100);
    assert_eq!(metadata.get_u32("a.u16").unwrap(), 60_000);
    assert_eq!(metadata.get::<i64>("a.i16").unwrap(), -30_000);
    assert_eq!(metadata.get_u32("a.u32").unwrap(), 4_000_000_000);
    assert_eq!(metadata.get::<i32>("a.i32").unwrap(), -2_000_000_000);
    assert_eq!(metadata.get::<u64>("a.u64").unwrap(), u64::MAX);
    assert_eq!(metadata.get::<i64>("a.i64").unwrap(), i64::MIN);
    assert_eq!(metadata.get_f32("a.f32").unwrap(), 1.5);
    assert_eq!(metadata.get_f32("a.f64").unwrap(), 2.5);
    assert!(metadata.get_bool("a.bool").unwrap());
    assert_eq!(metadata.get::<Vec<&str>>("tokenizer.ggml.tokens").unwrap(), ["<s>", "", "ein", "Wörter"]);
    let tokens = metadata.get_array("tokenizer.ggml.tokens").unwrap();
    assert_eq!(tokens.strs().unwrap().collect::<Vec<_>>(), ["<s>", "", "ein", "Wörter"]);
    assert!(matches!(tokens.get(3), Some(Value::Str("Wörter"))));
    assert!(tokens.get(4).is_none());
    assert_eq!(metadata.get::<Vec<f32>>("tokenizer.ggml.scores").unwrap(), [0.0, -1.0, -2.0, -3.5]);
    assert_eq!(metadata.get::<Vec<bool>>("a.flags").unwrap(), [true, false]);
    assert!(metadata.get::<Vec<u32>>("a.none").unwrap().is_empty());
    let nested = metadata.get_array("a.nested").unwrap();
    let inner: Vec<Vec<u32>> = nested
        .iter()
        .map(|value| if let Value::Array(array) = value { array.to_vec().unwrap() } else { panic!() })
        .collect();
    assert_eq!(inner, [vec![1, 2], vec![], vec![3]]);
    assert_eq!(metadata.iter().next().unwrap().0, "general.architecture");
}

#[test]
fn a_wrong_or_missing_key_is_named() {
    let scratch = Scratch::new();
    write_small(&scratch.path("m.gguf"));
    let model = Gguf::open(scratch.path("m.gguf")).unwrap();
    let check = |error: String, expected: &str| assert!(error.contains(expected), "{error}");
    let metadata = model.metadata();
    check(
        metadata.get_u32("no.such").unwrap_err().to_string(),
        "`no.such` is missing; expected a whole number",
    );
    check(
        metadata.get_u32("a.bool").unwrap_err().to_string(),
        "`a.bool` is bool true; expected a whole number",
    );
    check(
        metadata.get_u32("a.i8").unwrap_err().to_string(),
        "`a.i8` is i8 -100; expected a whole number from 0",
    );
    check(metadata.get_str("a.flags").unwrap_err().to_string(), "is array of 2 bool; expected a string");
    check(metadata.get::<Vec<u32>>("general.name").unwrap_err().to_string(), "is string \"tiny");
    assert_eq!(metadata.find::<u32>("no.such").unwrap(), None);
}

#[test]
fn tensors_read_whole_mapped_and_by_slice() {
    let scratch = Scratch::new();
    write_small(&scratch.path("m.gguf"));
    let model = Gguf::open(scratch.path("m.gguf")).unwrap();
    assert_eq!(model.names(), small_tensors().iter().map(|(name, ..)| *name).collect::<Vec<_>>());
    for (name, dtype, dims) in small_tensors() {
        let whole = small_bytes(dtype, &dims);
        assert_eq!(model.read_all(name).unwrap(), whole, "{name}");
        assert_eq!(model.data(name).unwrap(), whole, "{name}");

        let info = model.require(name).unwrap();
        let shape = info.shape;
        let (block_len, block_bytes) = (dtype.block_len(), dtype.block_bytes());
        let blocks = shape.cols / block_len;
        for experts in ranges(shape.experts) {
            for rows in ranges(shape.rows) {
                for cols in ranges(blocks) {
                    let slice = Slice {
                        experts: experts.clone(),
                        rows: rows.clone(),
                        cols: cols.start * block_len..cols.end * block_len,
                    };
                    let mut expected: Vec<u8> = Vec::new();
                    for expert in experts.clone() {
                        for row in rows.clone() {
                            let at = (expert * shape.rows + row) * blocks;
                            let range = (at + cols.start) * block_bytes..(at + cols.end) * block_bytes;
                            expected.extend(&whole[range]);
                        }
                    }
                    let mut read = vec![0; info.slice_bytes(&slice).unwrap()];
                    model.read(name, &slice, &mut read).unwrap();
                    assert_eq!(read, expected, "{name} {slice:?}");
                }
            }
        }
    }
}

/// Every range within `0..len`, empty ones too.
fn ranges(len: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..=len).flat_map(move |start| (start..=len).map(move |end| start..end))
}

#[test]
fn columns_of_long_rows_read_piece_by_piece() {
    let scratch = Scratch::new();
    let mut writer = GgufWriter::new(scratch.path("m.gguf"));
    writer.add_tensor("w", DType::F32, &[8192, 5]).unwrap();
    let bytes = small_bytes(DType::F32, &[8192, 5]);
    let mut data = writer.start().unwrap();
    data.write_tensor("w", &bytes).unwrap();
    data.finish().unwrap();
    let model = open(&scratch.path("m.gguf")).unwrap();
    let slice = Slice { experts: 0..1, rows: 1..5, cols: 8000..8192 };
    let mut read = vec![0; 4 * 192 * 4];
    model.read("w", &slice, &mut read).unwrap();
    let expected: Vec<u8> =
        (1..5).flat_map(|row| bytes[(row * 8192 + 8000) * 4..(row + 1) * 8192 * 4].to_vec()).collect();
    assert_eq!(read, expected);
}

#[test]
fn a_slice_the_tensor_does_not_have_is_an_error() {
    let scratch = Scratch::new();
    write_small(&scratch.path("m.gguf"));
    let model = Gguf::open(scratch.path("m.gguf")).unwrap();
    let check = |slice: Slice, bytes: usize, expected: SliceError| match model.read(
        "blk.0.ffn_up_exps.weight",
        &slice,
        &mut vec![0; bytes],
    ) {
        Err(FormatError::Slice { source, .. }) => assert_eq!(source, expected),
        other => panic!("{other:?}"),
    };
    let shape = model.require("blk.0.ffn_up_exps.weight").unwrap().shape;
    let all = shape.whole();
    check(
        Slice { experts: 0..4, ..all.clone() },
        0,
        SliceError::OutOfRange { axis: "experts", range: 0..4, len: 3 },
    );
    check(
        Slice { rows: 3..5, ..shape.whole() },
        0,
        SliceError::OutOfRange { axis: "rows", range: 3..5, len: 4 },
    );
    check(
        Slice { cols: 64..128, ..shape.whole() },
        0,
        SliceError::OutOfRange { axis: "cols", range: 64..128, len: 96 },
    );
    check(
        Slice { cols: 0..48, ..shape.whole() },
        0,
        SliceError::CutsBlock { cols: 0..48, dtype: DType::Q4_0, block_len: 32 },
    );
    check(all, 1, SliceError::WrongBuffer { found: 1, expected: 3 * 4 * 54 });
    assert!(matches!(model.require("nope"), Err(FormatError::NoTensor { .. })));
}

#[test]
fn a_split_model_opens_from_any_part() {
    let scratch = Scratch::new();
    write_split(&scratch, 3, 3);
    for part in 1..=3 {
        let model = Gguf::open(scratch.path(&format!("m-0000{part}-of-00003.gguf"))).unwrap();
        assert_eq!(model.metadata().get_str("general.architecture").unwrap(), "llama");
        assert_eq!(model.names(), ["w0", "w1", "w2"]);
        for number in 0..3 {
            let bytes = model.read_all(&format!("w{number}")).unwrap();
            assert_eq!(f32::from_le_bytes(bytes[..4].try_into().unwrap()), number as f32);
        }
    }
}

#[test]
fn a_split_model_that_lacks_something_says_what() {
    let scratch = Scratch::new();
    write_split(&scratch, 3, 4);
    let check = |name: &str, expected: &str| {
        let error = Gguf::open(scratch.path(name)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("m-00001-of-00003.gguf", "3 tensors together; expected 4");
    fs::rename(scratch.path("m-00002-of-00003.gguf"), scratch.path("renamed.gguf")).unwrap();
    check("m-00001-of-00003.gguf", "m-00002-of-00003.gguf");
    check("renamed.gguf", "is one part of 3, but is not named …-00002-of-00003.gguf");
    fs::copy(scratch.path("m-00001-of-00003.gguf"), scratch.path("m-00002-of-00003.gguf")).unwrap();
    check("m-00003-of-00003.gguf", "`split.no` is 0; expected 1, as the other parts say");
}

fn write_split(scratch: &Scratch, parts: u16, tensors: i32) {
    for number in 0..parts {
        // The split keys go in by hand: a writer's own file is never split.
        let path = scratch.path(&format!("m-{:05}-of-{parts:05}.gguf", number + 1));
        let mut writer = GgufWriter::new(&path);
        if number == 0 {
            writer.set("general.architecture", "llama").unwrap();
        }
        writer.set("split.no", number).unwrap();
        writer.set("split.count", parts).unwrap();
        writer.set("split.tensors.count", tensors).unwrap();
        writer.add_tensor(&format!("w{number}"), DType::F32, &[1]).unwrap();
        let mut data = writer.start().unwrap();
        data.write_tensor(&format!("w{number}"), &(number as f32).to_le_bytes()).unwrap();
        data.finish().unwrap();
    }
}

#[test]
fn version_2_reads_the_same() {
    let scratch = Scratch::new();
    write_small(&scratch.path("m.gguf"));
    let mut bytes = fs::read(scratch.path("m.gguf")).unwrap();
    bytes[4] = 2;
    fs::write(scratch.path("2.gguf"), &bytes).unwrap();
    let model = Gguf::open(scratch.path("2.gguf")).unwrap();
    assert_eq!(model.version(), 2);
    assert_eq!(model.read_all("output.weight").unwrap(), small_bytes(DType::BF16, &[5, 6]));
}

#[test]
fn metadata_copies_to_a_new_file() {
    let scratch = Scratch::new();
    write_small(&scratch.path("m.gguf"));
    let model = Gguf::open(scratch.path("m.gguf")).unwrap();
    let mut writer = GgufWriter::new(scratch.path("copy.gguf"));
    writer.copy_metadata(model.metadata(), |key| key != "general.name").unwrap();
    writer.set("general.name", "copy").unwrap();
    writer.start().unwrap().finish().unwrap();
    let copy = Gguf::open(scratch.path("copy.gguf")).unwrap();
    assert_eq!(copy.metadata().get_str("general.name").unwrap(), "copy");
    for (key, value) in model.metadata().iter().filter(|(key, _)| *key != "general.name") {
        let copied = copy.metadata().value(key).unwrap();
        assert_eq!(format!("{value:?}"), format!("{copied:?}"), "{key}");
    }
    assert_eq!(copy.metadata().len(), model.metadata().len());
}

#[test]
fn an_unfinished_file_is_never_seen() {
    let scratch = Scratch::new();
    let path = scratch.path("m.gguf");
    let mut writer = GgufWriter::new(&path);
    writer.add_tensor("w", DType::F32, &[2]).unwrap();
    assert!(writer.add_tensor("w", DType::F32, &[2]).unwrap_err().to_string().contains("declared twice"));
    assert!(writer.add_tensor("q", DType::Q8_0, &[16]).unwrap_err().to_string().contains("multiple of 32"));
    let mut data = writer.start().unwrap();
    assert!(data.write_tensor("x", &[0; 8]).unwrap_err().to_string().contains("next tensor declared is w"));
    assert!(data.write_tensor("w", &[0; 7]).unwrap_err().to_string().contains("got 7 bytes; expected 8"));
    assert!(data.finish().unwrap_err().to_string().contains("next tensor declared is w"));
    assert!(!path.exists());
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 0);
}

#[test]
fn identity_follows_the_header_and_the_size() {
    let scratch = Scratch::new();
    write_small(&scratch.path("a.gguf"));
    let bytes = fs::read(scratch.path("a.gguf")).unwrap();
    fs::write(scratch.path("b.gguf"), &bytes).unwrap();
    let identity = |name: &str| Gguf::open(scratch.path(name)).unwrap().identity();
    assert_eq!(identity("a.gguf"), identity("b.gguf"));
    let mut changed = bytes.clone();
    let at = changed.windows(5).position(|window| window == b"llama").unwrap();
    changed[at] = b'L';
    fs::write(scratch.path("c.gguf"), &changed).unwrap();
    assert_ne!(identity("a.gguf"), identity("c.gguf"));
    fs::write(scratch.path("d.gguf"), [&bytes[..], &[0]].concat()).unwrap();
    assert_ne!(identity("a.gguf"), identity("d.gguf"));
}

#[test]
fn a_type_we_do_not_compute_with_is_listed_but_not_read() {
    let scratch = Scratch::new();
    let mut writer = GgufWriter::new(scratch.path("m.gguf"));
    writer.add_tensor("w", DType::F32, &[256]).unwrap();
    let mut data = writer.start().unwrap();
    data.write_tensor("w", &[0; 1024]).unwrap();
    data.finish().unwrap();
    let bytes = fs::read(scratch.path("m.gguf")).unwrap();
    // The description of the only tensor ends the header: … | type u32 | offset u64.
    let type_at = 24 + 9 + 4 + 8;
    for (id, name) in [(15u32, "Q8_K"), (999, "type 999")] {
        let mut changed = bytes.clone();
        changed[type_at..type_at + 4].copy_from_slice(&id.to_le_bytes());
        fs::write(scratch.path("u.gguf"), &changed).unwrap();
        let model = Gguf::open(scratch.path("u.gguf")).unwrap();
        assert_eq!(model.tensors()[0].kind.to_string(), name);
        let error = model.require("w").unwrap_err();
        assert!(matches!(error, FormatError::Gguf(GgufError::UnsupportedType { .. })), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("tensor `w`") && text.contains(name) && text.contains("Q4_K"), "{text}");
    }
}

/// Also holds the written layout still: whoever changes it on purpose replaces the seed with the new file.
#[test]
fn the_fuzzers_seed_is_what_we_write() {
    let scratch = Scratch::new();
    write_small(&scratch.path("small.gguf"));
    let seed = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/gguf");
    assert!(fs::read(seed).unwrap() == fs::read(scratch.path("small.gguf")).unwrap(), "{seed} differs");
}

#[test]
fn an_interrupted_writer_is_resumed() {
    let scratch = Scratch::new();
    let path = scratch.path("m.gguf");
    let start = |source: u64| {
        let mut writer = GgufWriter::new(&path);
        writer.set("general.architecture", "llama").unwrap();
        for name in ["a", "b", "c"] {
            writer.add_tensor(name, DType::F32, &[3]).unwrap();
        }
        writer.start_or_resume(source)
    };
    let partial = scratch.path(".m.gguf.partial");
    let mut writer = start(1).unwrap();
    assert_eq!(writer.resumed(), 0);
    assert!(start(1).unwrap_err().to_string().contains("another process is writing"));
    writer.write_tensor("a", &[1; 12]).unwrap();
    writer.write_part("b", &[2; 5]).unwrap();
    assert!(writer.write_part("b", &[2; 8]).is_err());
    drop(writer);
    // One tensor is whole; the second is begun anew.
    let mut writer = start(1).unwrap();
    assert_eq!(writer.resumed(), 1);
    writer.write_part("b", &[2; 5]).unwrap();
    writer.write_part("b", &[3; 7]).unwrap();
    drop(writer);
    // A damaged one and all after it are not taken over, nor anything made from other weights.
    let mut bytes = std::fs::read(&partial).unwrap();
    let last = bytes.len() - 32;
    bytes[last] ^= 1;
    std::fs::write(&partial, &bytes).unwrap();
    let writer = start(1).unwrap();
    assert_eq!(writer.resumed(), 1);
    drop(writer);
    let mut writer = start(2).unwrap();
    assert_eq!(writer.resumed(), 0);
    for (name, byte) in [("a", 4), ("b", 5), ("c", 6)] {
        writer.write_tensor(name, &[byte; 12]).unwrap();
    }
    writer.finish().unwrap();
    let model = Gguf::open(&path).unwrap();
    assert_eq!(model.data("c").unwrap(), [6; 12]);
    let left: Vec<_> = std::fs::read_dir(scratch.path("")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_writer_takes_the_place_of_ordinary_files_only() {
    let scratch = Scratch::new();
    let path = scratch.path("m.gguf");
    let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
    for error in [GgufWriter::new(&path).start().err(), GgufWriter::new(&path).start_or_resume(1).err()] {
        assert!(matches!(error, Some(GgufWriteError::NotAFile { .. })), "{error:?}");
    }
    assert!(!fs::metadata(&path).unwrap().is_file());
}

#[test]
fn what_a_killed_writer_left_is_used_up() {
    let scratch = Scratch::new();
    fs::write(scratch.path(".m.gguf.partial"), vec![1; 1 << 20]).unwrap();
    fs::write(scratch.path(".m.gguf.journal"), "tandem").unwrap();
    write_small(&scratch.path("m.gguf"));
    write_small(&scratch.path("n.gguf"));
    assert!(fs::read(scratch.path("m.gguf")).unwrap() == fs::read(scratch.path("n.gguf")).unwrap());
    assert_eq!(fs::read_dir(scratch.path("")).unwrap().count(), 2);
    let _first = GgufWriter::new(scratch.path("m.gguf")).start().unwrap();
    let second = GgufWriter::new(scratch.path("m.gguf")).start();
    assert!(matches!(second, Err(GgufWriteError::Busy { .. })), "{second:?}");
}

#[test]
fn weights_changed_in_place_make_another_version() {
    let scratch = Scratch::new();
    let path = scratch.path("m.gguf");
    write_small(&path);
    let before = open(&path).unwrap();
    let (identity, version) = (before.identity(), before.version_here().unwrap());
    assert_eq!(open(&path).unwrap().version_here().unwrap(), version);
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let after = open(&path).unwrap();
    assert_eq!(after.identity(), identity);
    assert_ne!(after.version_here().unwrap(), version);
}
