//! Keeps `unsafe` inside the modules named in `xtask/unsafe_modules.txt`.
//!
//! The compiler denies `unsafe_code` in the whole workspace; a module may lift that only when it is on the list, by
//! its own path or by that of a folder of modules that do the same kind of thing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::workspace::Workspace;

const LIST: &str = "xtask/unsafe_modules.txt";

pub fn check(workspace: &Workspace) -> Result<()> {
    let list = fs::read_to_string(workspace.root.join(LIST))?;
    let mut unused = parse(&list)?;
    let listed = unused.clone();
    let mut faults = Vec::new();
    let mut count = 0;
    let mut paths = Vec::new();
    for folder in ["crates", "python", "xtask"] {
        paths.extend(sources(&workspace.root.join(folder))?);
    }
    for path in paths {
        if !lifts_the_ban(&fs::read_to_string(&path)?) {
            continue;
        }
        let name = path.strip_prefix(&workspace.root)?.to_string_lossy().into_owned();
        match listed.iter().find(|entry| covers(entry, &name)) {
            Some(entry) => {
                count += 1;
                unused.remove(entry);
            }
            None => faults.push(format!("{name} allows unsafe_code but is not in {LIST}")),
        }
    }
    faults.extend(unused.iter().map(|entry| format!("{entry} is in {LIST} but allows no unsafe_code")));
    for manifest in manifests(&workspace.root)? {
        let text = fs::read_to_string(&manifest)?;
        if !text.contains("[lints]\nworkspace = true") {
            faults.push(format!("{} does not take the workspace's lints", manifest.display()));
        }
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    println!("{count} modules may use unsafe, all named in {LIST}");
    Ok(())
}

/// Lines of `path: reason`; a path that ends in `/` is a folder.
fn parse(list: &str) -> Result<BTreeSet<String>> {
    let mut listed = BTreeSet::new();
    for line in list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some((path, _)) = line.split_once(": ") else {
            bail!("{LIST}: found `{line}`, expected `path: reason`");
        };
        listed.insert(path.to_owned());
    }
    Ok(listed)
}

fn covers(entry: &str, name: &str) -> bool {
    entry == name || (entry.ends_with('/') && name.starts_with(entry))
}

/// Whether an attribute lifts the ban; comments and strings that only speak of it start differently.
fn lifts_the_ban(source: &str) -> bool {
    source.lines().map(str::trim_start).any(|line| {
        let attribute = line.starts_with("#![") || line.starts_with("#[");
        attribute && line.contains("unsafe_code") && (line.contains("allow(") || line.contains("expect("))
    })
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}

fn manifests(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = vec![root.join("python/Cargo.toml"), root.join("xtask/Cargo.toml")];
    for entry in fs::read_dir(root.join("crates"))? {
        let manifest = entry?.path().join("Cargo.toml");
        if manifest.exists() {
            found.push(manifest);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_lifts_the_ban_and_a_comment_does_not() {
        assert!(lifts_the_ban("//! Maps files.\n#![allow(unsafe_code)] // mmap\n"));
        assert!(lifts_the_ban("    #[expect(unsafe_code, reason = \"mmap\")]\n"));
        assert!(lifts_the_ban("#[allow(dead_code, unsafe_code)]"));
        assert!(!lifts_the_ban("// #![allow(unsafe_code)] is not needed here\n#![deny(unsafe_code)]"));
    }

    #[test]
    fn a_listed_module_needs_a_reason() {
        assert!(parse("# why\ncrates/a/src/b.rs: maps memory\n").unwrap().contains("crates/a/src/b.rs"));
        assert!(parse("crates/a/src/b.rs\n").is_err());
    }

    #[test]
    fn a_folder_covers_what_lies_in_it() {
        assert!(covers("crates/a/src/sys/", "crates/a/src/sys/call.rs"));
        assert!(covers("crates/a/src/sys.rs", "crates/a/src/sys.rs"));
        assert!(!covers("crates/a/src/sys", "crates/a/src/sys/call.rs"));
    }
}
