//! Pulling from a hub on loopback: what arrives, what survives, and what is said when it does not.

mod fake_hub;

use fake_hub::{FakeHub, Fault, Repo, content, sha256};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tandem_hub::{Event, Hub, HubError, LocalModel, ModelRef, Patience, Silent, Store, Watch, pull};

/// A hub, an empty store, and the client between them.
struct Bench {
    hub: FakeHub,
    store: Store,
    client: Hub,
    _folder: Folder,
}

impl Bench {
    fn new() -> Bench {
        let hub = FakeHub::start();
        let folder = Folder::new();
        let patience = Patience {
            pause: Duration::from_millis(1),
            attempts: 4,
            read: Duration::from_secs(20),
            ..Patience::default()
        };
        let client = Hub::new(&hub.endpoint, Some("secret".into()), patience).unwrap();
        let store = Store::at(&folder.0);
        Bench { hub, store, client, _folder: folder }
    }

    fn with(id: &str, repo: Repo) -> Bench {
        let bench = Bench::new();
        bench.hub.put(id, repo);
        bench
    }

    fn pull(&self, model: &str) -> Result<LocalModel, HubError> {
        self.pull_watched(model, &mut Silent)
    }

    fn pull_watched(&self, model: &str, watch: &mut dyn Watch) -> Result<LocalModel, HubError> {
        pull(&self.store, &self.client, &ModelRef::parse(OsStr::new(model)).unwrap(), watch)
    }

    /// Every file in the store, relative, but locks.
    fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        let root = self.store.models_folder();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension() != Some(OsStr::new("lock")) {
                    files.push(path.strip_prefix(&root).unwrap().display().to_string());
                }
            }
        }
        files.sort();
        files
    }
}

struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("tandem-hub-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        // An earlier program of the same number may have been killed.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Stops the pull once so many bytes are here.
struct StopAt(u64, bool);

impl Watch for StopAt {
    fn event(&mut self, event: Event<'_>) {
        if let Event::Have { bytes } = event {
            self.1 |= bytes >= self.0;
        }
    }

    fn cancelled(&self) -> bool {
        self.1
    }
}

/// Keeps the notes.
#[derive(Default)]
struct Notes(Vec<String>);

impl Watch for Notes {
    fn event(&mut self, event: Event<'_>) {
        if let Event::Note(text) = event {
            self.0.push(text.into());
        }
    }

    fn cancelled(&self) -> bool {
        false
    }
}

fn part_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension() == Some(OsStr::new("part"))).collect()
}

const SIZE: usize = 3_000_000;

#[test]
fn what_a_model_sees_with_arrives_beside_it() {
    let (model, projector) = (content(SIZE, 1), content(SIZE, 2));
    let files: [(&str, &[u8]); 2] = [("M-Q4_0.gguf", &model), ("mmproj-M-f16.gguf", &projector)];
    let bench = Bench::with("o/gemma-3-4b-it", Repo::new("rev1", &files));
    let local = bench.pull("o/gemma-3-4b-it:q4_0").unwrap();
    assert_eq!(fs::read(local.path()).unwrap(), model);
    assert_eq!(fs::read(local.path().with_file_name("mmproj-M-f16.gguf")).unwrap(), projector);
}

#[test]
fn the_quantisation_asked_for_arrives_whole() {
    let (small, large) = (content(SIZE, 1), content(SIZE, 2));
    let bench = Bench::with("o/n", Repo::new("rev1", &[("M-Q4_0.gguf", &small), ("M-Q8_0.gguf", &large)]));
    let local = bench.pull("o/n:q8_0").unwrap();
    assert_eq!(fs::read(local.path()).unwrap(), large);
    assert_eq!(local.manifest.revision, "rev1");
    assert_eq!(local.manifest.files[0].sha256, sha256(&large));
    assert_eq!(bench.files(), ["o--n--Q8_0/M-Q8_0.gguf", "o--n--Q8_0/manifest.json"]);
    assert_eq!(bench.store.list().unwrap(), std::slice::from_ref(&local));

    let asked = bench.hub.log().len();
    assert_eq!(bench.pull("o/n:Q8_0").unwrap(), local);
    assert_eq!(bench.pull("o/n").unwrap(), local, "any quantisation of it will do");
    assert_eq!(bench.hub.log().len(), asked, "a model that is here costs no request");

    bench.store.remove(&local).unwrap();
    assert_eq!(bench.files(), [""; 0]);
}

#[test]
fn the_token_goes_to_the_hub_and_nowhere_else() {
    let bench = Bench::with("o/n", Repo::new("r", &[("M-Q4_0.gguf", &content(1000, 1))]));
    bench.pull("o/n").unwrap();
    for line in bench.hub.log() {
        assert_eq!(line.contains("auth=Bearer-secret"), !line.contains("/blob/"), "{line}");
    }
}

#[test]
fn all_parts_of_a_split_model() {
    let (first, second) = (content(SIZE, 1), content(1000, 2));
    let files: [(&str, &[u8]); 2] =
        [("q/M-Q4_0-00002-of-00002.gguf", &second), ("q/M-Q4_0-00001-of-00002.gguf", &first)];
    let bench = Bench::with("o/n", Repo::new("r", &files));
    let local = bench.pull("o/n").unwrap();
    assert!(local.path().ends_with("q/M-Q4_0-00001-of-00002.gguf"));
    assert_eq!(fs::read(local.folder.join("q/M-Q4_0-00002-of-00002.gguf")).unwrap(), second);
}

#[test]
fn safetensors_with_what_belongs_to_them() {
    let weights = content(SIZE, 3);
    let files: [(&str, &[u8]); 4] = [
        ("model.safetensors", &weights),
        ("config.json", b"{}"),
        ("tokenizer.json", b"[]"),
        ("README.md", b"no"),
    ];
    for terse in [false, true] {
        let bench = Bench::with("o/n", Repo { terse, ..Repo::new("r", &files) });
        let local = bench.pull("o/n").unwrap();
        assert_eq!(local.path(), local.folder);
        let names: Vec<&str> = local.manifest.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(names, ["config.json", "tokenizer.json", "model.safetensors"]);
        assert_eq!(fs::read(local.folder.join("model.safetensors")).unwrap(), weights);
    }
}

#[test]
fn a_lost_connection_is_resumed() {
    let bytes = content(SIZE, 4);
    let bench = Bench::with("o/n", Repo::new("r", &[("M-Q4_0.gguf", &bytes)]));
    bench.hub.faults(&[
        Fault::Drop { after_bytes: 1_000_000 },
        Fault::Hub(503, ""),
        Fault::FileHost(403),
        Fault::Drop { after_bytes: 1_100_000 },
    ]);
    let mut notes = Notes::default();
    let local = bench.pull_watched("o/n", &mut notes).unwrap();
    assert_eq!(fs::read(local.path()).unwrap(), bytes);
    assert_eq!(bench.hub.ranges(), ["", "bytes=1000000-", "bytes=1000000-", "bytes=2100000-"]);
    assert_eq!(notes.0.len(), 4, "{:?}", notes.0);
}

#[test]
fn an_interrupted_pull_is_resumed() {
    let bytes = content(SIZE, 5);
    let bench = Bench::with("o/n", Repo::new("r", &[("M-Q4_0.gguf", &bytes)]));
    let error = bench.pull_watched("o/n", &mut StopAt(1_000_000, false)).unwrap_err();
    assert!(matches!(error, HubError::Interrupted), "{error}");
    let parts = part_of(&bench.store.models_folder().join("o--n--Q4_0"));
    let kept = fs::metadata(&parts[0]).unwrap().len();
    assert!(kept >= 1_000_000 && (kept as usize) < SIZE, "{kept}");
    assert!(bench.store.list().unwrap().is_empty());
    let local = bench.pull("o/n").unwrap();
    assert_eq!(fs::read(local.path()).unwrap(), bytes);
    assert_eq!(bench.hub.ranges(), [String::new(), format!("bytes={kept}-")]);
}

#[test]
fn a_part_of_another_content_is_not_resumed() {
    let (old, new) = (content(SIZE, 6), content(SIZE, 7));
    let bench = Bench::with("o/n", Repo::new("r1", &[("M-Q4_0.gguf", &old)]));
    bench.pull_watched("o/n", &mut StopAt(1_000_000, false)).unwrap_err();
    bench.hub.put("o/n", Repo::new("r2", &[("M-Q4_0.gguf", &new)]));
    let local = bench.pull("o/n").unwrap();
    assert_eq!(fs::read(local.path()).unwrap(), new);
    assert_eq!(local.manifest.revision, "r2");
    assert_eq!(bench.hub.ranges(), ["", ""]);
    assert!(part_of(&local.folder).is_empty());
}

#[test]
fn a_damaged_part_is_started_anew() {
    let bytes = content(SIZE, 8);
    let bench = Bench::with("o/n", Repo::new("r", &[("M-Q4_0.gguf", &bytes)]));
    bench.pull_watched("o/n", &mut StopAt(1_000_000, false)).unwrap_err();
    let part = part_of(&bench.store.models_folder().join("o--n--Q4_0")).remove(0);
    let mut damaged = fs::read(&part).unwrap();
    damaged[1234] ^= 1;
    fs::write(&part, damaged).unwrap();
    let local = bench.pull("o/n").unwrap();
    assert_eq!(fs::read(local.path()).unwrap(), bytes);
}

#[test]
fn a_server_without_ranges_starts_over() {
    let bytes = content(SIZE, 9);
    let bench = Bench::with("o/n", Repo::new("r", &[("M-Q4_0.gguf", &bytes)]));
    bench.hub.faults(&[Fault::Drop { after_bytes: 1_500_000 }, Fault::NoRanges]);
    let local = bench.pull("o/n").unwrap();
    assert_eq!(fs::read(local.path()).unwrap(), bytes);
}

#[test]
fn a_wrong_checksum_leaves_nothing() {
    let bench = Bench::with("o/n", Repo::new("r", &[("M-Q4_0.gguf", &content(SIZE, 10))]));
    bench.hub.faults(&[Fault::Garbage]);
    let error = bench.pull("o/n").unwrap_err();
    assert!(matches!(error, HubError::Checksum { .. }), "{error}");
    assert_eq!(bench.files(), [""; 0]);
}

#[test]
fn two_pulls_at_once_download_once() {
    let bytes = content(SIZE, 11);
    let bench = Bench::with("o/n", Repo::new("r", &[("M-Q4_0.gguf", &bytes)]));
    std::thread::scope(|scope| {
        let pulls: Vec<_> = (0..4).map(|_| scope.spawn(|| bench.pull("o/n").unwrap())).collect();
        for pull in pulls {
            assert_eq!(fs::read(pull.join().unwrap().path()).unwrap(), bytes);
        }
    });
    assert_eq!(bench.hub.ranges(), [""]);
}

#[test]
fn a_model_larger_than_the_disk_is_refused_at_once() {
    let repo = Repo { claimed_size: Some(1 << 60), ..Repo::new("r", &[("M-Q4_0.gguf", b"x")]) };
    let bench = Bench::with("o/n", repo);
    let error = bench.pull("o/n").unwrap_err();
    assert!(matches!(error, HubError::NoSpace { need_bytes, .. } if need_bytes == 1 << 60), "{error}");
    assert!(bench.hub.ranges().is_empty());
}

#[test]
fn names_that_leave_the_folder_are_refused() {
    for name in ["../../M-Q4_0.gguf", "/etc/M-Q4_0.gguf", "a/../../M-Q4_0.gguf", "a\\M-Q4_0.gguf"] {
        let bench = Bench::with("o/n", Repo::new("r", &[(name, b"x")]));
        let error = bench.pull("o/n").unwrap_err();
        assert!(matches!(error, HubError::UnsafeName { .. }), "{name}: {error}");
    }
}

/// What the hub answers, and what is made of it.
#[track_caller]
fn check_refusal(status: u16, headers: &str, expected: &str) {
    let bench = Bench::new();
    bench.hub.refuse("o/n", status, headers);
    let error = bench.pull("o/n").unwrap_err();
    let found = format!("{error} | {}", error.help().unwrap_or_default()).replace(&bench.hub.endpoint, "HUB");
    let host = bench.hub.endpoint.trim_start_matches("http://");
    assert_eq!(found.replace(host, "HOST"), expected);
}

#[test]
fn refusals_say_what_to_do() {
    check_refusal(
        403,
        "X-Error-Code: GatedRepo\r\n",
        "`o/n` is a gated model: its owner wants you to accept a licence first | accept the licence at HUB/o/n with \
         the account that HF_TOKEN belongs to",
    );
    check_refusal(
        401,
        "",
        "HUB refused the access token in HF_TOKEN | set HF_TOKEN to a valid token, or unset it for public models",
    );
    check_refusal(
        404,
        "X-Error-Code: RepoNotFound\r\n",
        "HUB has no model `o/n`, or it is private | did you mean `near/by-model` or `other/one`?",
    );
    check_refusal(
        429,
        "Retry-After: 3600\r\n",
        "HOST asks for fewer requests and said to wait 3600 s | wait, then run the same command again; it resumes",
    );
    check_refusal(
        500,
        "",
        "the connection to HOST was lost 4 times in a row: answered with status 500 | check the network; \
         HF_ENDPOINT or --endpoint names another hub; running the same command again resumes",
    );
    check_refusal(418, "", "HUB/api/models/o/n?blobs=true answered with status 418 | ");
    check_refusal(
        302,
        "",
        "HUB/api/models/o/n?blobs=true gave an answer that makes no sense: a redirect to nowhere | ",
    );
    check_refusal(
        200,
        "",
        "HUB/api/models/o/n?blobs=true gave an answer that makes no sense: missing field `sha` at line 1 column 19 | ",
    );
}

#[test]
fn nobody_there() {
    // A caller's own port: taken, so that no other test can listen there.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let caller = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let endpoint = format!("http://{}", caller.local_addr().unwrap());
    let folder = Folder::new();
    let hub = Hub::new(&endpoint, None, Patience::default()).unwrap();
    let model = ModelRef::parse(OsStr::new("o/n")).unwrap();
    let error = pull(&Store::at(&folder.0), &hub, &model, &mut Silent).unwrap_err();
    assert!(
        matches!(&error, HubError::Unreachable { reason, .. } if reason == "connection refused"),
        "{error}"
    );
    for endpoint in ["nonsense", "ftp://x", "", "http://"] {
        assert!(matches!(Hub::new(endpoint, None, Patience::default()), Err(HubError::BadEndpoint { .. })));
    }
}
