use super::haul::{Fetched, Haul};
use super::partial::Partial;
use super::*;
use crate::errands::{GUEST, HOST};
use crate::fetcher::heads;
use crate::slices::{of_program, range, units};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use tandem_fabric::{Attended, LinkTerms, Lobby, Meeting, Pulse, Rank};
use tandem_formats::GgufWriter;
use tandem_ranks::LinkChoice;
use tandem_runtime::{FileSource, ModelFile};
use tandem_tensor::{Program, WeightSource};

const SECRET: [u8; 32] = [3; 32];
const ARENA_BYTES: usize = 32 << 20;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tandem-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a sender in a test does to an answer before it goes out.
enum Deed {
    Nothing,
    Damage,
    /// The sender is gone.
    Die,
}

struct End {
    link: Box<dyn Link>,
    arena: Arena,
    _pulse: Pulse,
}

/// A real TCP link: the end that asks, and the one that sends.
fn linked() -> (End, End) {
    let open = || Lobby::open(IpAddr::V4(Ipv4Addr::LOCALHOST)).unwrap();
    let lobbies = [open(), open()];
    let addresses = lobbies.iter().map(|lobby| vec![lobby.address()]).collect();
    let terms = LinkTerms { link: LinkChoice::Tcp, ..LinkTerms::default() };
    let meeting = Meeting::new(addresses, terms);
    let attend = |lobby, me: u16| {
        let attended = meeting.attend(lobby, Rank(me), ARENA_BYTES, Deadline::after(ASK_MAX)).unwrap();
        let Attended { arena, mut links, pulse } = attended;
        let link = links.swap_remove(usize::from(1 - me)).unwrap().link;
        End { link, arena, _pulse: pulse }
    };
    let [near, far] = lobbies;
    std::thread::scope(|scope| {
        let other = scope.spawn(|| attend(far, GUEST));
        (attend(near, HOST), other.join().unwrap())
    })
}

/// Sends, doing `deed` to the answers by their number; ends as the link does.
fn sending(offer: &Offer, mut end: End, deed: impl Fn(usize) -> Deed) {
    let mut sent = 0;
    let mut tamper = |bytes: &mut [u8]| {
        sent += 1;
        match deed(sent) {
            Deed::Nothing => true,
            Deed::Damage => {
                bytes[bytes.len() / 2] ^= 1;
                true
            }
            Deed::Die => false,
        }
    };
    let _ = offer.send_tampered(&mut *end.link, &end.arena, &SECRET, &mut tamper);
}

/// Fetches `units` from one sender for each of `deeds`; the rest of them where all died.
fn exchange(
    offer: &Offer,
    folder: &Path,
    units: &[Unit],
    deeds: &[&(dyn Fn(usize) -> Deed + Sync)],
) -> Result<Fetched, Fetched> {
    let partial = Partial::open(folder, &offer.listing).unwrap();
    let haul = Haul::new(&partial, units);
    std::thread::scope(|scope| {
        let mut lanes: Vec<Box<dyn FnOnce() + Send + '_>> = Vec::new();
        for deed in deeds {
            let (near, far) = linked();
            scope.spawn(move || sending(offer, far, deed));
            let haul = &haul;
            lanes.push(Box::new(move || {
                let End { mut link, arena, _pulse } = near;
                let mut lane = Lane::new(&mut *link, &arena, &SECRET).unwrap();
                let _ = haul.run(&mut lane);
                lane.end();
            }));
        }
        haul.drive(lanes, &|done, total| assert!(done <= total), &AtomicBool::new(false));
    });
    let fetched = haul.fetched();
    let whole = haul.finish().is_ok();
    partial.close().unwrap().join().unwrap();
    if whole { Ok(fetched) } else { Err(fetched) }
}

fn fine(_: usize) -> Deed {
    Deed::Nothing
}

/// A file of bytes without meaning.
fn some_file(folder: &Folder, bytes: usize) -> (Offer, Vec<u8>) {
    let path = folder.0.join("source");
    let bytes: Vec<u8> = (0..bytes as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    std::fs::write(&path, &bytes).unwrap();
    let listed = Listed { name: "file".into(), bytes: bytes.len() as u64, header_bytes: 0 };
    let listing = Listing { open: String::new(), files: vec![listed] };
    (Offer { listing, files: vec![File::open(path).unwrap()], only: None }, bytes)
}

#[test]
fn a_fetch_that_nobody_wants_any_more_ends() {
    let folder = Folder::new("stopped");
    let (offer, _) = some_file(&folder, 3 << 20);
    let partial = Partial::open(&folder.0.join("copy"), &offer.listing).unwrap();
    let haul = Haul::new(&partial, &crate::slices::range(0, 0, 3 << 20).collect::<Vec<_>>());
    let (stop, (near, _far)) = (AtomicBool::new(false), linked());
    // The other side never answers.
    let lane = || {
        let End { mut link, arena, _pulse } = near;
        let mut lane = Lane::new(&mut *link, &arena, &SECRET).unwrap();
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        let _ = haul.run(&mut lane);
    };
    haul.drive(vec![lane], &|_, _| {}, &stop);
    assert!(matches!(haul.finish(), Err(Some(WeightsError::Stopped))));
}

#[test]
fn of_files_that_are_here_in_part_only_the_heads_are_given() {
    let folder = Folder::new("heads");
    let (mut offer, bytes) = some_file(&folder, 3 << 20);
    offer.listing.files[0].header_bytes = 1 << 20;
    offer.only = Some(Default::default());
    let fetch = |name: &str, start: u64| {
        let units: Vec<_> = crate::slices::range(0, start, start + (1 << 20)).collect();
        exchange(&offer, &folder.0.join(name), &units, &[&fine]).is_ok()
    };
    assert!(fetch("head", 0));
    assert_eq!(std::fs::read(folder.0.join("head/file")).unwrap()[..1 << 20], bytes[..1 << 20]);
    assert!(!fetch("rest", 1 << 20), "what may be a hole is not given");
}

fn bytes_of(units: &[Unit]) -> u64 {
    units.iter().map(|unit| unit.bytes() as u64).sum()
}

#[test]
fn only_what_is_asked_for_comes_damaged_units_come_again_and_a_transfer_goes_on() {
    let folder = Folder::new("weights");
    let target = folder.0.join("target");
    let (offer, bytes) = some_file(&folder, 5_000_000);
    let columns = Unit { file: 0, start: 2_000_100, stride: 1000, len: 300, count: 2000 };
    let units: Vec<_> = range(0, 0, 1_500_000).chain([columns]).collect();
    let first = exchange(&offer, &target, &units[..1], &[&fine]);
    assert_eq!(first, Ok(Fetched { bytes: 1 << 20, damaged: 0 }));
    let damage = |sent: usize| if sent == 2 { Deed::Damage } else { Deed::Nothing };
    let rest = exchange(&offer, &target, &units, &[&damage]);
    let missing = bytes_of(&units) - (1 << 20);
    assert_eq!(rest, Ok(Fetched { bytes: missing, damaged: 1 }), "what was here did not come again");
    let found = std::fs::read(target.join("file")).unwrap();
    assert_eq!(found.len(), bytes.len());
    assert!(found[..1_500_000] == bytes[..1_500_000]);
    assert!(found[1_500_000..2_000_100].iter().all(|byte| *byte == 0), "nothing else came");
    for row in 0..2000 {
        let at = 2_000_100 + row * 1000;
        assert!(found[at..at + 300] == bytes[at..at + 300]);
    }
}

#[test]
fn what_is_always_damaged_is_given_up() {
    let folder = Folder::new("damaged");
    let (offer, _) = some_file(&folder, 10_000);
    let units: Vec<_> = range(0, 0, 10_000).collect();
    let given_up = exchange(&offer, &folder.0.join("target"), &units, &[&|_| Deed::Damage]);
    assert_eq!(given_up, Err(Fetched { bytes: 0, damaged: 3 }));
}

#[test]
fn another_source_goes_on_where_one_dies() {
    let folder = Folder::new("dying");
    let target = folder.0.join("target");
    let (offer, bytes) = some_file(&folder, 20 << 20);
    let units: Vec<_> = range(0, 0, bytes.len() as u64).collect();
    let dies = |sent: usize| if sent == 4 { Deed::Die } else { Deed::Nothing };
    let fetched = exchange(&offer, &target, &units, &[&dies, &fine]);
    assert_eq!(fetched, Ok(Fetched { bytes: bytes.len() as u64, damaged: 0 }));
    assert!(std::fs::read(target.join("file")).unwrap() == bytes);
}

#[test]
fn a_receiver_that_starts_anew_goes_on_where_it_ended() {
    let folder = Folder::new("resumed");
    let target = folder.0.join("target");
    let (offer, bytes) = some_file(&folder, 20 << 20);
    let units: Vec<_> = range(0, 0, bytes.len() as u64).collect();
    let dies = |sent: usize| if sent == 8 { Deed::Die } else { Deed::Nothing };
    let Err(first) = exchange(&offer, &target, &units, &[&dies]) else {
        panic!("all came from one that died")
    };
    assert!(first.bytes > 0, "{first:?}");
    // The log may end within an entry.
    let mut log = std::fs::OpenOptions::new().append(true).open(target.join(".have")).unwrap();
    io::Write::write_all(&mut log, &[7; 5]).unwrap();
    let rest = exchange(&offer, &target, &units, &[&fine]).unwrap();
    assert_eq!(first.bytes + rest.bytes, bytes.len() as u64);
    assert!(std::fs::read(target.join("file")).unwrap() == bytes);
    assert_eq!(exchange(&offer, &target, &units, &[&fine]), Ok(Fetched::default()));
}

/// The program of the second of two equal ranks.
fn second_half(file: &ModelFile) -> Program {
    let model = file.description().unwrap();
    let shards = file.divide(&model, 0..model.layers.len(), &[1.0, 1.0]).unwrap();
    file.program(&model, &shards[1]).unwrap()
}

/// Fetches as the second of two ranks does, then reads all its weights. Gives what came of headers and of weights.
#[track_caller]
fn fetch_half(source: &Path, target: &Path) -> (u64, u64) {
    let offer = Offer::of(source).unwrap();
    let first = exchange(&offer, target, &heads(&offer.listing), &[&fine]).unwrap();
    let at = target.join(&offer.listing.open);
    let shapes = units(&tandem_formats::open(&at).unwrap().needed_first());
    let shapes = exchange(&offer, target, &shapes, &[&fine]).unwrap();
    let found = ModelFile::open(&at).unwrap();
    let program = second_half(&found);
    let needed = of_program(found.weights(), &program).unwrap();
    let damage = |sent: usize| if sent == 2 { Deed::Damage } else { Deed::Nothing };
    let weights = exchange(&offer, target, &needed, &[&damage, &damage]).unwrap();
    assert_eq!(weights.bytes, bytes_of(&needed), "each byte once");

    let whole = ModelFile::open(source).unwrap();
    assert_eq!(whole.weights().identity(), found.weights().identity());
    assert_eq!(second_half(&whole).weights, program.weights);
    for weight in &program.weights {
        for expert in 0..weight.experts() {
            let read = |file: &ModelFile| {
                let mut out = vec![0; weight.rows() * weight.row_bytes()];
                FileSource(file.weights()).read(weight, expert, 0..weight.rows(), &mut out).unwrap();
                out
            };
            assert!(read(&found) == read(&whole), "{}, expert {expert}", weight.name);
        }
    }
    (first.bytes + shapes.bytes, weights.bytes)
}

#[test]
fn a_second_node_fetches_its_half_of_a_model() {
    let source = std::env::var_os("TANDEM_SMOLLM2")
        .expect("TANDEM_SMOLLM2 must name the SmolLM2 GGUF file; `cargo xtask test` sets it");
    let (folder, source) = (Folder::new("half"), PathBuf::from(source));
    let (header, weights) = fetch_half(&source, &folder.0.join("half"));
    let whole = source.metadata().unwrap().len() - header;
    println!("{weights} of {whole} bytes of weights, and a header of {header}");
    assert!((0.45..0.55).contains(&(weights as f64 / whole as f64)), "{weights} of {whole}");
}

/// Every family and every coding of the small checkpoints, most of them with weights that are put together from several tensors.
#[test]
fn half_of_a_folder_of_safetensors_is_fetched() {
    let tiny = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/tiny");
    let folder = Folder::new("safetensors");
    let mut seen = 0;
    for entry in std::fs::read_dir(tiny).unwrap().flatten() {
        let (source, name) = (entry.path(), entry.file_name());
        // Too narrow for two ranks, or another kind of fixture.
        let Ok(file) = ModelFile::open(&source) else { continue };
        let model = file.description().unwrap();
        if file.divide(&model, 0..model.layers.len(), &[1.0, 1.0]).is_err() {
            continue;
        }
        let (_, weights) = fetch_half(&source, &folder.0.join(&name));
        let whole: u64 = file.weights().files().iter().map(|file| file.bytes - file.header_bytes).sum();
        println!("{}: {weights} of {whole}", name.display());
        assert!(weights < whole * 4 / 5, "{}: {weights} of {whole}", name.display());
        seen += 1;
    }
    assert!(seen >= 10, "{seen} checkpoints");
}

/// A model cut into files, as llama.cpp's `gguf-split` does.
#[test]
fn half_of_a_split_gguf_is_fetched() {
    let source = std::env::var_os("TANDEM_SMOLLM2")
        .expect("TANDEM_SMOLLM2 must name the SmolLM2 GGUF file; `cargo xtask test` sets it");
    let folder = Folder::new("split");
    let whole = tandem_formats::Gguf::open(&source).unwrap();
    let first = split(&whole, &folder.0.join("parts"), 3);
    let (header, weights) = fetch_half(&first, &folder.0.join("half"));
    let all: u64 = whole.tensors().iter().map(|tensor| tensor.bytes.unwrap()).sum();
    println!("{weights} of {all} bytes of weights, and headers of {header}");
    assert!((0.45..0.55).contains(&(weights as f64 / all as f64)), "{weights} of {all}");
}

fn split(whole: &tandem_formats::Gguf, folder: &Path, count: usize) -> PathBuf {
    std::fs::create_dir_all(folder).unwrap();
    let name = |part: usize| folder.join(format!("m-{:05}-of-{count:05}.gguf", part + 1));
    let tensors = whole.tensors();
    for (part, tensors) in tensors.chunks(tensors.len().div_ceil(count)).enumerate() {
        let mut writer = GgufWriter::new(name(part));
        writer.set("split.no", part as u16).unwrap();
        writer.set("split.count", count as u16).unwrap();
        writer.set("split.tensors.count", whole.tensors().len() as i32).unwrap();
        writer.copy_metadata(whole.metadata(), |_| part == 0).unwrap();
        for tensor in tensors {
            let tandem_formats::GgmlType::Known(dtype) = tensor.kind else { panic!("{}", tensor.name) };
            let dims: Vec<_> = tensor.dims.iter().map(|&dim| dim as usize).collect();
            writer.add_tensor(&tensor.name, dtype, &dims).unwrap();
        }
        let mut data = writer.start().unwrap();
        for tensor in tensors {
            data.write_tensor(&tensor.name, whole.data(&tensor.name).unwrap()).unwrap();
        }
        data.finish().unwrap();
    }
    name(0)
}

#[test]
fn what_was_damaged_on_the_disk_is_found_and_brought_again() {
    use std::os::unix::fs::FileExt;
    let folder = Folder::new("damaged-on-disk");
    let (offer, bytes) = some_file(&folder, 5 << 20);
    let copy = folder.0.join("copy");
    let units: Vec<_> = crate::slices::range(0, 0, bytes.len() as u64).collect();
    exchange(&offer, &copy, &units, &[&fine]).unwrap();
    assert_eq!(Partial::damaged(&copy).unwrap(), Vec::<String>::new());
    let kept = std::fs::OpenOptions::new().write(true).open(copy.join("file")).unwrap();
    kept.write_all_at(&[bytes[3_000_000] ^ 4], 3_000_000).unwrap();
    assert_eq!(Partial::damaged(&copy).unwrap(), ["file"]);
    // It is known once, and then missing.
    assert_eq!(Partial::damaged(&copy).unwrap(), Vec::<String>::new());
    let again = exchange(&offer, &copy, &units, &[&fine]).unwrap();
    assert!(again.bytes > 0 && (again.bytes as usize) < bytes.len(), "{again:?}");
    assert_eq!(std::fs::read(copy.join("file")).unwrap(), bytes);
}
