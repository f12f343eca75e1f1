//! A C compiler and linker for every system that Tandem is built for: zig's, which brings their headers and libraries.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::packages::{self, PYTHON};
use crate::shell::{command, output, run_fetching};
use crate::workspace::Workspace;
use crate::{apple_stubs, python};

const PINS: &str = "ziglang==0.17.0";

pub fn prerequisites(workspace: &Workspace) -> Result<(), String> {
    packages::ensure(&[&PYTHON])?;
    zig(workspace).map(|_| ()).map_err(|error| format!("no zig: {error:#}"))
}

/// Has rustup bring the standard library of that target, unless it is there.
pub fn standard_library(target: &str) -> Result<(), String> {
    let sysroot = output(&mut command("rustc --print sysroot")).map_err(|error| error.to_string())?;
    if Path::new(sysroot.trim()).join("lib/rustlib").join(target).join("lib").exists() {
        return Ok(());
    }
    run_fetching(&mut command(&format!("rustup target add {target}")))
        .map_err(|error| format!("no standard library for {target}: {error}"))
}

/// Makes `cargo` build for `target` with zig as compiler of C and, but for musl, as linker.
pub fn surround(workspace: &Workspace, cargo: &mut Command, target: &str) -> Result<()> {
    let tools = tools(workspace, target)?;
    let name = target.replace('-', "_");
    cargo.env(format!("CC_{name}"), tools.join("cc")).env(format!("AR_{name}"), tools.join("ar"));
    // Keeps build scripts from asking Xcode where it is.
    cargo.env("SDKROOT", &tools);
    let name = name.to_uppercase();
    if target.ends_with("musl") {
        // Rust brings the C library of this one itself.
        cargo.env(format!("CARGO_TARGET_{name}_LINKER"), "rust-lld");
    } else {
        cargo.env(format!("CARGO_TARGET_{name}_LINKER"), tools.join("cc"));
    }
    Ok(())
}

/// What rustc is told besides when it links a program for `target`.
pub fn link_arguments(workspace: &Workspace, target: &str) -> Result<Vec<String>> {
    if !target.ends_with("musl") {
        return Ok(Vec::new());
    }
    // All of musl is in its libc; other parts are named, and found empty. Rust brings none of those.
    let folder = tools(workspace, target)?;
    fs::write(folder.join("libdl.a"), "!<arch>\n")?;
    let native = format!("native={}", folder.display());
    // rustc leaves the symbols to a compiler that links, and here is none.
    Ok(["-L", &native, "-C", "link-arg=--strip-all"].map(str::to_owned).into())
}

/// A folder with `cc` and `ar` for the target.
fn tools(workspace: &Workspace, target: &str) -> Result<PathBuf> {
    let zig = zig(workspace)?;
    let (zig, folder) = (zig.display(), workspace.cache.join("zig-tools").join(target));
    let name = match target {
        "x86_64-unknown-linux-gnu" => "x86_64-linux-gnu.2.28",
        "aarch64-unknown-linux-gnu" => "aarch64-linux-gnu.2.28",
        "x86_64-unknown-linux-musl" => "x86_64-linux-musl",
        "aarch64-unknown-linux-musl" => "aarch64-linux-musl",
        "aarch64-apple-darwin" => "aarch64-macos.14.4",
        other => bail!("nothing is known of building for {other}"),
    };
    fs::create_dir_all(&folder)?;
    let mut also = String::new();
    if target.ends_with("apple-darwin") {
        let stubs = folder.join("stubs");
        apple_stubs::write(&stubs)?;
        let stubs = stubs.display();
        also = format!("-Wno-unused-command-line-argument -L{stubs} -F{stubs}");
    }
    // What rustc and `cc` say to Apple's and GNU's compilers, and zig says otherwise or not at all; frameworks once each, since newer Macs refuse
    // programs that name a library twice.
    let cc = format!(
        r#"#!/bin/bash
arguments=() skip=0 framework=0 named=' '
for a in "$@"; do
  [ $skip = 1 ] && {{ skip=0; continue; }}
  if [ $framework = 1 ]; then
    framework=0
    [[ $named == *" $a "* ]] || arguments+=(-framework "$a")
    named+="$a "
    continue
  fi
  case $a in
    -framework) framework=1 ;;
    --target=*|-mmacosx-version-min=*|-Wl,-no_compact_unwind) ;;
    -arch|-isysroot) skip=1 ;;
    -lgcc_s|-lgcc_eh) arguments+=(-lunwind) ;;
    -lgcc) ;;
    *) arguments+=("$a") ;;
  esac
done
exec {zig} cc -target {name} {also} "${{arguments[@]}}"
"#
    );
    program(&folder.join("cc"), &cc)?;
    program(&folder.join("ar"), &format!("#!/bin/sh\nexec {zig} ar \"$@\"\n"))?;
    Ok(folder)
}

fn program(path: &Path, text: &str) -> Result<()> {
    // Left alone where it is the same: a build would begin anew.
    if fs::read_to_string(path).is_ok_and(|before| before == text) {
        return Ok(());
    }
    fs::write(path, text)?;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(0o755))?)
}

fn zig(workspace: &Workspace) -> Result<PathBuf> {
    let library = python::environment(workspace, "zig", PINS)?.join("lib");
    let mut found = fs::read_dir(&library)?.flatten();
    let zig = found.find_map(|entry| {
        let zig = entry.path().join("site-packages/ziglang/zig");
        zig.exists().then_some(zig)
    });
    zig.with_context(|| format!("no zig below {}", library.display()))
}
