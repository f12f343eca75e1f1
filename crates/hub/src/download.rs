//! One file, from the hub to its final name.
//!
//! Bytes are appended to `NAME.TAG.part`, where TAG stands for the content. A process that dies at any moment
//! leaves that file; the next one hashes what it holds and asks for the rest. A part whose tag is no longer the
//! hub's is of another content and is deleted. Only a complete file with the right checksum, flushed to the disk,
//! is renamed to its final name.

use crate::http::{Answer, Fault, Method, bad_answer, host_of};
use crate::hub::Identity;
use crate::manifest::put_in_place;
use crate::{Event, Hub, HubError, HubId, StoredFile, Watch};
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const CHUNK_BYTES: usize = 256 << 10;
/// A try that brought at least this much does not count as a failure, however it ended.
const PROGRESS_BYTES: u64 = 1 << 20;

pub(crate) struct Download<'a> {
    pub hub: &'a Hub,
    pub id: &'a HubId,
    /// The file's path in the repository.
    pub name: &'a str,
    pub url: String,
    pub identity: Identity,
    pub target: PathBuf,
    /// Of how many, for whoever watches.
    pub index: usize,
    pub count: usize,
}

impl Download<'_> {
    /// Bytes that are not on the disk yet.
    pub fn missing_bytes(&self) -> u64 {
        let have = fs::metadata(self.part_path()).map_or(0, |found| found.len());
        self.identity.size_bytes.saturating_sub(have)
    }

    /// The file, if an earlier pull of several files got this far.
    pub fn stored(&self) -> Result<Option<StoredFile>, HubError> {
        let size_bytes = self.identity.size_bytes;
        if !fs::metadata(&self.target).is_ok_and(|found| found.is_file() && found.len() == size_bytes) {
            return Ok(None);
        }
        let sha256 = hash_file(&self.target)?;
        let same =
            self.identity.sha256.as_ref().is_none_or(|expected| expected.eq_ignore_ascii_case(&sha256));
        Ok(same.then(|| StoredFile { path: self.name.to_owned(), size_bytes, sha256 }))
    }

    pub fn run(&self, watch: &mut dyn Watch) -> Result<StoredFile, HubError> {
        self.remove_stale_parts()?;
        let mut part = Part::open(&self.part_path(), self.identity.size_bytes, watch)?;
        if self.identity.etag == "untagged" {
            part.reset()?;
        }
        let inherited = part.have > 0;
        self.announce(&part, watch);
        let mut sha256 = self.fetch(&mut part, watch)?;
        if let Some(expected) = &self.identity.sha256
            && !expected.eq_ignore_ascii_case(&sha256)
            && inherited
        {
            watch.event(Event::Note(&format!(
                "{}: the part kept from before is damaged; starting anew",
                self.name
            )));
            part.reset()?;
            self.announce(&part, watch);
            sha256 = self.fetch(&mut part, watch)?;
        }
        if let Some(expected) = &self.identity.sha256
            && !expected.eq_ignore_ascii_case(&sha256)
        {
            part.discard();
            let (file, expected) = (self.name.to_owned(), expected.clone());
            return Err(HubError::Checksum { file, expected, found: sha256 });
        }
        part.file.sync_all().map_err(HubError::io("write", &part.path))?;
        put_in_place(&part.path, &self.target)?;
        watch.event(Event::Finish { name: self.name });
        Ok(StoredFile { path: self.name.to_owned(), size_bytes: self.identity.size_bytes, sha256 })
    }

    /// Asks for the rest of the file until all is there; gives back the hash of the whole.
    fn fetch(&self, part: &mut Part, watch: &mut dyn Watch) -> Result<String, HubError> {
        let mut failures = 0;
        while part.have < self.identity.size_bytes {
            let before = part.have;
            let Err(fault) = self.fetch_rest(part, watch) else { continue };
            failures = if part.have >= before + PROGRESS_BYTES { 1 } else { failures + 1 };
            if let Fault::Final(HubError::Size { .. } | HubError::Changed { .. }) = &fault {
                part.discard();
            }
            self.hub.http.pause_after(fault, failures, watch)?;
        }
        Ok(hex(&part.hasher.clone().finalize()))
    }

    fn fetch_rest(&self, part: &mut Part, watch: &mut dyn Watch) -> Result<(), Fault> {
        let range = (part.have > 0).then(|| ("range", format!("bytes={}-", part.have)));
        let answer = self.hub.http.send(Method::Get, &self.url, range.as_slice())?;
        match answer.response.status().as_u16() {
            206 => self.check_range(&answer, part.have)?,
            // The server knows no ranges: from the start, then.
            200 => part.reset()?,
            416 => {
                part.reset()?;
                let host = host_of(&answer.url);
                return Err(Fault::Passing {
                    host,
                    reason: "refused to resume; starting anew".into(),
                    wait: None,
                });
            }
            // The address the hub handed out has run out; it hands out a new one.
            400..=499 if answer.linked.is_some() => {
                let host = host_of(&answer.url);
                let reason = format!("answered with status {}", answer.response.status().as_u16());
                return Err(Fault::Passing { host, reason, wait: None });
            }
            _ => return Err(self.hub.fault(self.id, &answer)),
        }
        self.check_tag(&answer)?;
        watch.event(Event::Have { bytes: part.have });
        let url = answer.url;
        let mut body = answer.response.into_body().into_reader();
        let mut chunk = vec![0; CHUNK_BYTES];
        while part.have < self.identity.size_bytes {
            if watch.cancelled() {
                return Err(HubError::Interrupted.into());
            }
            let received = body.read(&mut chunk).map_err(|error| self.hub.http.lost(&url, error))?;
            if received == 0 {
                let reason =
                    format!("the connection closed {} bytes early", self.identity.size_bytes - part.have);
                return Err(Fault::Passing { host: host_of(&url), reason, wait: None });
            }
            let found = part.have + received as u64;
            if found > self.identity.size_bytes {
                let expected = self.identity.size_bytes;
                return Err(HubError::Size { file: self.name.to_owned(), expected, found }.into());
            }
            part.append(&chunk[..received])?;
            watch.event(Event::Have { bytes: part.have });
        }
        Ok(())
    }

    fn check_range(&self, answer: &Answer, have: u64) -> Result<(), HubError> {
        let range = answer.response.headers().get("content-range").and_then(|value| value.to_str().ok());
        let range = range.ok_or_else(|| bad_answer(&answer.url, "a part without its range".into()))?;
        let start = range.strip_prefix("bytes ").and_then(|rest| rest.split('-').next()?.parse().ok());
        if start != Some(have) {
            return Err(bad_answer(&answer.url, format!("asked for bytes from {have}, it sends `{range}`")));
        }
        match range.rsplit('/').next().and_then(|total| total.parse::<u64>().ok()) {
            Some(total) if total != self.identity.size_bytes => Err(HubError::Size {
                file: self.name.into(),
                expected: self.identity.size_bytes,
                found: total,
            }),
            _ => Ok(()),
        }
    }

    /// The hub's own tag stands for the content; a file host behind it has tags of its own, which say nothing.
    fn check_tag(&self, answer: &Answer) -> Result<(), HubError> {
        let tag = match &answer.linked {
            Some(linked) => linked.get("x-linked-etag"),
            None => answer.response.headers().get("x-linked-etag").or(answer.response.headers().get("etag")),
        };
        let tag =
            tag.and_then(|tag| tag.to_str().ok()).map(|tag| tag.trim_start_matches("W/").trim_matches('"'));
        match tag {
            Some(tag) if tag != self.identity.etag && self.identity.etag != "untagged" => {
                Err(HubError::Changed { file: self.name.to_owned() })
            }
            _ => Ok(()),
        }
    }

    fn announce(&self, part: &Part, watch: &mut dyn Watch) {
        watch.event(Event::Start {
            name: self.name,
            size_bytes: self.identity.size_bytes,
            have_bytes: part.have,
            index: self.index,
            count: self.count,
        });
    }

    fn part_path(&self) -> PathBuf {
        let tag: String = self.identity.etag.chars().take(40).collect();
        let mut name = self.target.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{tag}.part"));
        self.target.with_file_name(name)
    }

    fn remove_stale_parts(&self) -> Result<(), HubError> {
        let current = self.part_path();
        let folder = self.target.parent().unwrap_or(Path::new("."));
        let prefix = format!("{}.", self.target.file_name().unwrap_or_default().to_string_lossy());
        for entry in fs::read_dir(folder).map_err(HubError::io("list", folder))?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(&prefix) && name.ends_with(".part") && entry.path() != current {
                fs::remove_file(entry.path()).map_err(HubError::io("remove", &entry.path()))?;
            }
        }
        Ok(())
    }
}

/// A file that is still growing, with the hash of what it holds.
struct Part {
    path: PathBuf,
    file: File,
    have: u64,
    hasher: Sha256,
}

impl Part {
    /// Takes over what an earlier process left.
    fn open(path: &Path, size_bytes: u64, watch: &mut dyn Watch) -> Result<Part, HubError> {
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = options.map_err(HubError::io("create", path))?;
        let mut part = Part { path: path.to_owned(), file, have: 0, hasher: Sha256::new() };
        if part.file.metadata().map_err(HubError::io("read", path))?.len() > size_bytes {
            part.reset()?;
        }
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            if watch.cancelled() {
                return Err(HubError::Interrupted);
            }
            match part.file.read(&mut chunk).map_err(HubError::io("read", path))? {
                0 => return Ok(part),
                read => {
                    part.hasher.update(&chunk[..read]);
                    part.have += read as u64;
                }
            }
        }
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), HubError> {
        self.file.write_all(bytes).map_err(HubError::io("write", &self.path))?;
        self.hasher.update(bytes);
        self.have += bytes.len() as u64;
        Ok(())
    }

    fn reset(&mut self) -> Result<(), HubError> {
        self.file
            .set_len(0)
            .and_then(|()| self.file.seek(SeekFrom::Start(0)))
            .map_err(HubError::io("truncate", &self.path))?;
        self.have = 0;
        self.hasher = Sha256::new();
        Ok(())
    }

    /// Bad content is no use to the next process.
    fn discard(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// The sha256 of a file, in hex.
pub(crate) fn hash_file(path: &Path) -> Result<String, HubError> {
    let mut file = File::open(path).map_err(HubError::io("open", path))?;
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match file.read(&mut chunk).map_err(HubError::io("read", path))? {
            0 => return Ok(hex(&hasher.finalize())),
            read => hasher.update(&chunk[..read]),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
