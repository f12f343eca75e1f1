//! The node that has the files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tandem_fabric::Attended;

use super::{Entry, Manifest, is_below};
use crate::errands;
use crate::hex::{random_bytes, to_hex};
use crate::weights::{Listed, Listing, Offer};

/// As many as a listing holds, beside the manifest.
const FILES_MAX: usize = 9_999;

/// Sends what another node asks for of `path` below `shared`, or why not.
pub fn serve(shared: &Path, path: &str, attended: Attended, secret: &[u8; 32]) -> Result<(), String> {
    let (manifest, files) = match gather(shared, path) {
        Ok(found) => found,
        Err(refused) => (Manifest { refused: Some(refused), ..Manifest::default() }, Vec::new()),
    };
    let offer = offer(&manifest, files).map_err(|error| error.to_string())?;
    let Attended { arena, mut links, pulse: _pulse } = attended;
    let mut established = links.swap_remove(usize::from(errands::HOST)).ok_or("no link was made")?;
    offer.send(&mut *established.link, &arena, secret).map_err(|error| error.to_string())
}

/// The manifest is the first file. Its name is of its contents, so that files that changed are not taken for those of an earlier try.
fn offer(manifest: &Manifest, files: Vec<File>) -> io::Result<Offer> {
    let bytes = postcard::to_allocvec(manifest).map_err(io::Error::other)?;
    let name = format!("manifest-{}", &to_hex(blake3::hash(&bytes).as_bytes())[..32]);
    let length = bytes.len() as u64;
    let mut listed = vec![Listed { name, bytes: length, header_bytes: length }];
    for (index, entry) in manifest.entries.iter().enumerate() {
        listed.push(Listed { name: format!("file-{index}"), bytes: entry.bytes, header_bytes: 0 });
    }
    let files = [nameless(&bytes)?].into_iter().chain(files).collect();
    Ok(Offer::of_opened(Listing { open: String::new(), files: listed }, files))
}

fn nameless(bytes: &[u8]) -> io::Result<File> {
    let path = std::env::temp_dir().join(format!("tandem-manifest-{}", to_hex(&random_bytes::<16>()?)));
    let mut file = OpenOptions::new().create_new(true).read(true).write(true).mode(0o600).open(&path)?;
    fs::remove_file(&path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// The files at `path`, opened.
fn gather(shared: &Path, path: &str) -> Result<(Manifest, Vec<File>), String> {
    let root = fs::canonicalize(shared).map_err(|_| {
        "that node shares no files; its owner can: make a folder `shared` in its TANDEM_HOME, or a link to one".to_owned()
    })?;
    let asked = Path::new(path);
    if !path.is_empty() && path != "." && !is_below(asked) {
        return Err(format!(
            "`{path}` does not lead below what that node shares; give a path without `..` or `/` at its front"
        ));
    }
    let cannot = |error: io::Error| format!("`{path}` of that node cannot be read: {error}");
    // Links on the way there may lead anywhere: what counts is where they end.
    let found = fs::canonicalize(root.join(asked)).map_err(cannot)?;
    if !found.starts_with(&root) {
        return Err(format!("`{path}` of that node is a link that leads out of what it shares"));
    }
    let mut manifest = Manifest { folder: found.is_dir(), ..Manifest::default() };
    let mut files = Vec::new();
    if manifest.folder {
        walk(&found, Path::new(""), &mut manifest, &mut files).map_err(cannot)?;
        if files.is_empty() {
            return Err(format!("`{path}` of that node holds no files"));
        }
    } else {
        let name = asked.file_name().map(PathBuf::from).unwrap_or_default();
        take(&found, name, &mut manifest, &mut files).map_err(cannot)?;
    }
    Ok((manifest, files))
}

/// In the order of names, so that the same folder gives the same manifest.
fn walk(folder: &Path, below: &Path, manifest: &mut Manifest, files: &mut Vec<File>) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), below.join(entry.file_name()));
        // Of the entry itself: links are passed over.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk(&path, &name, manifest, files)?;
        } else if kind.is_file() {
            if files.len() == FILES_MAX {
                let most = format!("it holds more than {FILES_MAX} files; copy its folders one by one");
                return Err(io::Error::other(most));
            }
            take(&path, name, manifest, files)?;
        }
    }
    Ok(())
}

fn take(path: &Path, name: PathBuf, manifest: &mut Manifest, files: &mut Vec<File>) -> io::Result<()> {
    // Not through a link that somebody put there meanwhile, and without waiting for the other end of a pipe.
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC)
        .open(path)?;
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(io::Error::other("it is neither a file nor a folder"));
    }
    let path = name.into_os_string().into_string();
    let path = path.map_err(|name| io::Error::other(format!("{} is not valid text", name.display())))?;
    let modified = found.mtime().max(0) as u64 * 1_000_000_000 + found.mtime_nsec().max(0) as u64;
    let executable = found.permissions().mode() & 0o100 != 0;
    manifest.entries.push(Entry { path, bytes: found.len(), modified_unix_ns: modified, executable });
    files.push(file);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_what_is_shared_can_be_had() {
        let home = std::env::temp_dir().join(format!("tandem-files-{}", std::process::id()));
        let shared = home.join("shared");
        let refused = |path: &str| gather(&shared, path).map(|_| ()).unwrap_err();
        fs::create_dir_all(&home).unwrap();
        assert!(refused("a").contains("shares no files"));
        fs::create_dir_all(shared.join("tree/deep")).unwrap();
        fs::write(home.join("key"), "secret").unwrap();
        fs::write(shared.join("tree/a"), "1").unwrap();
        fs::write(shared.join("tree/deep/b"), "22").unwrap();
        for (link, to) in [("tree/out", "../../key"), ("away", "/etc"), ("here", "tree/deep")] {
            symlink(to, shared.join(link)).unwrap();
        }

        let names = |path: &str| {
            let (manifest, files) = gather(&shared, path).unwrap();
            assert_eq!(manifest.entries.len(), files.len());
            manifest.entries.into_iter().map(|entry| (entry.path, entry.bytes)).collect::<Vec<_>>()
        };
        // The link that leads out is not among them.
        assert_eq!(names("tree"), [("a".to_owned(), 1), ("deep/b".to_owned(), 2)]);
        assert_eq!(names("tree/deep/b"), [("b".to_owned(), 2)]);
        assert_eq!(names("here/b"), [("b".to_owned(), 2)]);
        assert_eq!(names("").len(), 2);
        for path in ["../key", "/etc/passwd", "tree/../../key", "tree/.."] {
            assert!(refused(path).contains("does not lead below"), "{path}");
        }
        for path in ["tree/out", "away", "away/passwd"] {
            assert!(refused(path).contains("leads out"), "{path}");
        }
        assert!(refused("none").contains("cannot be read"));
        fs::remove_dir_all(&home).unwrap();
    }
}
