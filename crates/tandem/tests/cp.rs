//! Files of another node: what is shared arrives whole, what is not cannot be had.

mod cli;
mod node_up;

use cli::{Home, files_below, interrupt, wait_until};
use node_up::NodeUp;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

#[test]
fn shared_files_arrive_whole_and_nothing_else_does() {
    let (here, there) = (Home::new(), Home::new());
    let mut a = NodeUp::start(&here, "a", &[]);
    let token = here.run(["token"]).succeeded().stdout.trim().to_owned();
    let _b = NodeUp::start(&there, "b", &["--join", &token]);
    wait_until("both nodes", || a.live() == 2);
    let copy = |from: &str, to: &str| here.run(["cp", from, to]);

    copy("b:tree", "x").failed(1, "shares no files");
    let shared = there.path("home/shared");
    fs::create_dir_all(shared.join("tree/deep/er")).unwrap();
    // More than one unit, not a whole number of them, and from no pattern that a wrong place would repeat.
    let mut state = 1u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    })
    .take((40 << 20) + 12_345)
    .collect();
    fs::write(shared.join("tree/noise"), &noise).unwrap();
    fs::write(shared.join("tree/empty"), "").unwrap();
    fs::write(shared.join("tree/deep/er/.hidden"), "dot").unwrap();
    fs::write(shared.join("tree/deep/run"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(shared.join("tree/deep/run"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("../../node/identity", shared.join("tree/out")).unwrap();

    let said = copy("b:tree", "copied").succeeded().stdout.clone();
    assert!(said.starts_with("4 files, ") && said.contains("verified"), "{said}");
    let expected: Vec<_> =
        files_below(&shared.join("tree")).into_iter().filter(|(name, _)| name != "out").collect();
    assert_eq!(files_below(&here.path("copied")), expected);
    assert!(fs::read(here.path("copied/noise")).unwrap() == noise);
    let mode = |path: &str| fs::metadata(here.path(path)).unwrap().permissions().mode() & 0o111;
    assert!(mode("copied/deep/run") != 0 && mode("copied/noise") == 0);
    let modified = |path: std::path::PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    assert_eq!(modified(here.path("copied/noise")), modified(shared.join("tree/noise")));

    // Into a folder, and over a file.
    fs::write(here.path("copied/run"), "an older one").unwrap();
    copy("b:tree/deep/run", "copied").succeeded();
    assert_eq!(fs::read_to_string(here.path("copied/run")).unwrap(), "#!/bin/sh\n");
    for (path, says) in [
        ("b:../node/identity", "does not lead below"),
        ("b:/etc/passwd", "does not lead below"),
        ("b:tree/out", "leads out"),
        ("b:none", "cannot be read"),
        ("c:tree", "no node is called `c`"),
        ("a:tree", "is this node itself"),
        ("tree", "expected NODE:PATH"),
    ] {
        copy(path, "y").failed(1, says);
        assert!(!here.path("y").exists(), "{path}");
    }
    copy("b:tree/empty", "no/such/folder/y").succeeded();

    // Wherever the first try was interrupted, the second ends with the whole.
    let mut first = here.command();
    let mut first = first.args(["cp", "b:tree/noise", "again"]).spawn().unwrap();
    wait_until("the copy has begun", || {
        here.path(".again.tandem-cp").exists() || first.try_wait().unwrap().is_some()
    });
    interrupt(&first);
    let _ = first.wait();
    a.kill();
    let a = NodeUp::start(&here, "a", &[]);
    wait_until("both nodes again", || a.live() == 2);
    copy("b:tree/noise", "again").succeeded();
    assert!(fs::read(here.path("again")).unwrap() == noise);
    assert!(!here.path(".again.tandem-cp").exists());
}
