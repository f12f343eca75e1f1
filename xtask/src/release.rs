//! Archives, packages and checksums: what people install, made by one command into `target/release-files`.
//!
//! Everything but the program is made from the sources beside it: manual pages and completions by the program itself,
//! the formula and the install script from their templates in `packaging/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::shell::{command, in_path, output, run};
use crate::workspace::Workspace;
use crate::{macos, zig};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const PROGRAM_BYTES_MAX: u64 = 25_000_000;
const SHELLS: [(&str, &str); 3] = [("bash", "tandem"), ("zsh", "_tandem"), ("fish", "tandem.fish")];

/// The GNU builds can load libraries, so they reach GPUs and RDMA devices; the musl builds are static, and run on any Linux. Linux builds all
/// of them, a Mac for itself.
const TARGETS: [&str; 5] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    MACOS,
];
const MACOS: &str = macos::TARGET;

/// A program built for one target.
pub struct Built<'a> {
    pub target: &'a str,
    pub program: PathBuf,
}

/// `release [--target TARGET]... [--url BASE]`
pub fn release(workspace: &Workspace, arguments: &[&str]) -> Result<()> {
    let (mut targets, mut url) = (Vec::new(), "");
    for pair in arguments.chunks(2) {
        match pair {
            ["--target", target] if TARGETS.contains(target) => targets.push(*target),
            ["--url", base] => url = base.trim_end_matches('/'),
            other => bail!(
                "found `{}`, expected `--target TARGET` or `--url BASE`; targets: {}",
                other.join(" "),
                TARGETS.join(", ")
            ),
        }
    }
    if targets.is_empty() {
        targets = TARGETS.into_iter().filter(|target| is_built_here(target)).collect();
    }
    if let Some(target) = targets.iter().find(|target| !is_built_here(target)) {
        bail!("{target} is built on Linux");
    }
    zig::prerequisites(workspace).map_err(anyhow::Error::msg)?;
    let mut built = Vec::new();
    for target in targets {
        built.push(build(workspace, target).with_context(|| format!("cannot build for {target}"))?);
    }
    let folder = workspace.target().join("release-files");
    // What runs here writes the manual and the completions for all.
    let run_here = run_here(workspace, &built)?;
    make(workspace, &folder, &built, &run_here, url)?;
    println!("\n{}", fs::read_to_string(folder.join("SHA256SUMS"))?);
    println!("in {}", folder.display());
    Ok(())
}

fn is_built_here(target: &str) -> bool {
    target == MACOS || cfg!(target_os = "linux")
}

fn build<'a>(workspace: &Workspace, target: &'a str) -> Result<Built<'a>> {
    zig::standard_library(target).map_err(anyhow::Error::msg)?;
    let mut cargo = command("cargo rustc --locked --release -p tandem --bin tandem --target");
    cargo.arg(target).current_dir(&workspace.root);
    if cfg!(target_os = "linux") {
        zig::surround(workspace, &mut cargo, target)?;
        cargo.arg("--").args(zig::link_arguments(workspace, target)?);
    }
    // Nobody reads a stack trace of these without the sources; half of the bytes are symbols.
    run(cargo.env("CARGO_PROFILE_RELEASE_STRIP", "symbols").env("CARGO_PROFILE_RELEASE_DEBUG", "none"))?;
    let program = workspace.target().join(target).join("release/tandem");
    let bytes = fs::metadata(&program)?.len();
    ensure!(
        bytes <= PROGRAM_BYTES_MAX,
        "{} has {bytes} bytes, at most {PROGRAM_BYTES_MAX} are wanted",
        program.display()
    );
    if target == MACOS {
        macos::check_program(workspace, &program)?;
    }
    Ok(Built { target, program })
}

fn run_here(workspace: &Workspace, built: &[Built]) -> Result<PathBuf> {
    let runs = |built: &&Built| output(Command::new(&built.program).arg("--version")).is_ok();
    if let Some(built) = built.iter().find(runs) {
        return Ok(built.program.clone());
    }
    let here = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    Ok(build(workspace, &here)?.program)
}

/// Packs what was built into `folder`, which is made anew.
pub fn make(workspace: &Workspace, folder: &Path, built: &[Built], run_here: &Path, url: &str) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let documents = folder.join("documents");
    write_documents(&documents, run_here)?;
    for one in built {
        archive(workspace, folder, &documents, one)?;
        if one.target.ends_with("linux-gnu") {
            debian(workspace, folder, &documents, one)?;
        }
    }
    fs::remove_dir_all(&documents)?;
    let sums = checksums(folder)?;
    fs::write(folder.join("SHA256SUMS"), &sums)?;
    let packaging = workspace.root.join("packaging");
    let script = fs::read_to_string(packaging.join("install.sh"))?;
    fs::write(folder.join("install.sh"), script.replace("@URL@", url).replace("@VERSION@", VERSION))?;
    fs::copy(packaging.join("Containerfile"), folder.join("Containerfile"))?;
    let formula = fs::read_to_string(packaging.join("tandem.rb"))?;
    match filled(&formula, &sums, url) {
        Some(formula) => fs::write(folder.join("tandem.rb"), formula)?,
        None => println!(
            "SKIPPED the formula: it names an address (--url) and the archives of both Linux machines"
        ),
    }
    Ok(())
}

fn write_documents(folder: &Path, program: &Path) -> Result<()> {
    run(Command::new(program).args(["man", "--to"]).arg(folder.join("man")))?;
    let completions = folder.join("completions");
    fs::create_dir_all(&completions)?;
    for (shell, name) in SHELLS {
        fs::write(completions.join(name), output(Command::new(program).args(["completions", shell]))?)?;
    }
    Ok(())
}

fn archive(workspace: &Workspace, folder: &Path, documents: &Path, built: &Built) -> Result<()> {
    let name = format!("tandem-{VERSION}-{}", built.target);
    let staged = folder.join(&name);
    fs::create_dir_all(&staged)?;
    fs::copy(&built.program, staged.join("tandem"))?;
    run(command("cp -r").arg(documents.join("man")).arg(documents.join("completions")).arg(&staged))?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(workspace.root.join(file), staged.join(file))?;
    }
    // The same files give the same archive.
    let mut tar = command("tar --create --numeric-owner --directory");
    tar.arg(folder);
    match output(&mut command("tar --version")).is_ok_and(|it| it.contains("GNU")) {
        true => tar.args([
            "--use-compress-program=gzip -n",
            "--sort=name",
            "--owner=0",
            "--group=0",
            "--mtime=@0",
        ]),
        false => tar.arg("--gzip"),
    };
    run(tar.arg("--file").arg(folder.join(format!("{name}.tar.gz"))).arg(&name))?;
    Ok(fs::remove_dir_all(&staged)?)
}

fn debian(workspace: &Workspace, folder: &Path, documents: &Path, built: &Built) -> Result<()> {
    if !in_path("dpkg-deb") {
        println!("SKIPPED the Debian package: there is no dpkg-deb here");
        return Ok(());
    }
    let architecture = if built.target.starts_with("aarch64") { "arm64" } else { "amd64" };
    let root = folder.join(format!("deb-{architecture}"));
    let usr = root.join("usr");
    let place = |from: &Path, to: &str| -> Result<()> {
        let to = usr.join(to);
        fs::create_dir_all(to.parent().context("files of packages lie in folders")?)?;
        Ok(fs::copy(from, to).map(|_| ())?)
    };
    place(&built.program, "bin/tandem")?;
    place(&workspace.root.join("CHANGELOG.md"), "share/doc/tandem/changelog")?;
    place(&workspace.root.join("packaging/copyright"), "share/doc/tandem/copyright")?;
    for page in fs::read_dir(documents.join("man"))? {
        let (page, name) = page.map(|page| (page.path(), page.file_name()))?;
        place(&page, &format!("share/man/man1/{}", name.display()))?;
    }
    run(command("gzip -9nr").arg(usr.join("share/man/man1")))?;
    let shells =
        ["bash-completion/completions", "zsh/vendor-completions", "fish/vendor_completions.d"].iter();
    for ((_, name), folder) in SHELLS.iter().zip(shells) {
        place(&documents.join("completions").join(name), &format!("share/{folder}/{name}"))?;
    }
    let control = fs::read_to_string(workspace.root.join("packaging/control"))?;
    fs::create_dir_all(root.join("DEBIAN"))?;
    fs::write(
        root.join("DEBIAN/control"),
        control.replace("@VERSION@", VERSION).replace("@ARCHITECTURE@", architecture),
    )?;
    run(command("chmod -R u=rwX,go=rX").arg(&root))?;
    let package = folder.join(format!("tandem_{VERSION}_{architecture}.deb"));
    run(command("dpkg-deb --root-owner-group -Zxz --build").arg(&root).arg(package))?;
    Ok(fs::remove_dir_all(&root)?)
}

/// Lines as `sha256sum` writes them, of every archive and package.
fn checksums(folder: &Path) -> Result<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name());
    }
    names.sort();
    let mut sum = if in_path("sha256sum") { command("sha256sum") } else { command("shasum -a 256") };
    output(sum.args(names).current_dir(folder))
}

/// The formula names each archive with its checksum; without one for Macs it is for Linux alone.
fn filled(formula: &str, sums: &str, url: &str) -> Option<String> {
    let mut filled = formula.replace("@VERSION@", VERSION).replace("@URL@", url);
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").unwrap_or_default();
        for target in TARGETS {
            if name == format!("tandem-{VERSION}-{target}.tar.gz") {
                filled = filled.replace(&format!("@{target}@"), sum);
            }
        }
    }
    if filled.contains(&format!("@{MACOS}@")) {
        let (before, rest) = filled.split_once("  on_macos do\n")?;
        filled = format!("{before}{}", rest.split_once("\n  end\n\n")?.1);
    }
    (!url.is_empty() && !filled.contains("\"@")).then_some(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_names_each_archive_with_its_own_sum() {
        let formula = include_str!("../../packaging/tandem.rb");
        let sums = |targets: &[&str]| -> String {
            let line =
                |(i, target): (usize, &&str)| format!("{:064x}  tandem-{VERSION}-{target}.tar.gz\n", i + 1);
            targets.iter().enumerate().map(line).collect()
        };
        let address = "https://example.org";
        let all = filled(formula, &sums(&TARGETS), address).unwrap();
        for (i, target) in TARGETS.iter().enumerate().filter(|(_, target)| !target.ends_with("musl")) {
            let expected = format!("url \"{address}/tandem-{VERSION}-{target}.tar.gz\"\n");
            let after = all.split_once(&expected).unwrap().1;
            assert!(after.trim_start().starts_with(&format!("sha256 \"{:064x}\"", i + 1)), "{all}");
        }
        let linux = filled(formula, &sums(&TARGETS[..2]), address).unwrap();
        assert!(!linux.contains("macos") && linux.contains("on_linux do"), "{linux}");
        assert!(!linux.contains('@') && linux.contains("def install"), "{linux}");
        assert_eq!(filled(formula, &sums(&TARGETS[..1]), address), None);
        assert_eq!(filled(formula, &sums(&TARGETS), ""), None);
    }
}
