//! Lets the program say which commit it was built from.
//!
//! Only where it is built to be used: in development the commit changes with every step, and each would be a build.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=TANDEM_COMMIT");
    println!("cargo:rerun-if-changed=build.rs");
    // An archive of the source has no history: who builds from one may say the commit.
    let told = std::env::var("TANDEM_COMMIT").ok().filter(|told| !told.is_empty());
    let commit = match told {
        Some(told) => Some(told),
        None if std::env::var("PROFILE").as_deref() == Ok("release") => here(),
        None => None,
    };
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let commit = commit.unwrap_or_else(|| "commit not recorded".into());
    println!("cargo:rustc-env=TANDEM_VERSION={version} ({commit})");
}

/// The commit and its day, with a plus where the files differ from it.
fn here() -> Option<String> {
    // Grows with every commit and every change of branch.
    if let Some(log) = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    let commit = git(&["show", "--no-patch", "--abbrev=9", "--format=%h", "HEAD"])?;
    let day = git(&["show", "--no-patch", "--format=%cs", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|it| !it.is_empty());
    Some(format!("{commit}{} {day}", if changed { "+" } else { "" }))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
