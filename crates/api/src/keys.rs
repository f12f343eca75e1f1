//! API keys: made here, shown once, kept as hashes.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use crate::clock;

/// A key as it is kept. The secret itself is 256 random bits, so a plain hash of it cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    pub name: String,
    hash: String,
    pub created_unix_s: u64,
    #[serde(default)]
    pub limits: KeyLimits,
    /// Whether its owner may also say who joins and who calls.
    #[serde(default)]
    pub manages: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyLimits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u32>,
    /// Requests at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrent: Option<u32>,
}

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("a key is already called `{0}`; revoke it first, or choose another name")]
    Taken(String),
    #[error("no key is called `{0}`; `tandem key list` shows them")]
    Unknown(String),
    #[error("`{0}` is no name for a key: expected 1 to 64 letters, digits, `-`, `_`, `.` or `@`")]
    BadName(String),
    #[error("cannot {action} {file}: {source}")]
    Io { action: &'static str, file: PathBuf, source: io::Error },
    #[error("{file} is not a list of keys: {source}; repair or delete it")]
    Damaged { file: PathBuf, source: serde_json::Error },
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
}

/// The keys of this machine, in one file that changes are seen in at once.
#[derive(Debug)]
pub struct Keys {
    file: PathBuf,
    cached: Mutex<Cached>,
}

#[derive(Debug, Default)]
struct Cached {
    keys: Vec<Key>,
    /// What the file looked like, and when we looked.
    stamp: Option<(SystemTime, u64)>,
    looked: Option<Instant>,
}

/// A revoked key is out after this time at most.
const LOOK_EVERY: Duration = Duration::from_millis(500);
const PREFIX: &str = "td-";

impl Keys {
    /// The file need not exist.
    pub fn at(file: impl Into<PathBuf>) -> Keys {
        Keys { file: file.into(), cached: Mutex::default() }
    }

    pub fn list(&self) -> Result<Vec<Key>, KeyError> {
        read(&self.file)
    }

    /// Makes a key and returns its secret, which is kept nowhere.
    pub fn add(&self, name: &str, limits: KeyLimits, manages: bool) -> Result<String, KeyError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.@".contains(c);
        if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
            return Err(KeyError::BadName(name.to_owned()));
        }
        let _lock = self.lock()?;
        let mut keys = read(&self.file)?;
        if keys.iter().any(|key| key.name == name) {
            return Err(KeyError::Taken(name.to_owned()));
        }
        let mut bytes = [0u8; 32];
        getrandom::fill(&mut bytes).map_err(KeyError::Random)?;
        let secret = format!("{PREFIX}{}", hex(&bytes));
        keys.push(Key {
            name: name.to_owned(),
            hash: hash(&secret),
            created_unix_s: clock::unix_s(),
            limits,
            manages,
        });
        write(&self.file, &keys)?;
        Ok(secret)
    }

    pub fn revoke(&self, name: &str) -> Result<(), KeyError> {
        let _lock = self.lock()?;
        let mut keys = read(&self.file)?;
        let before = keys.len();
        keys.retain(|key| key.name != name);
        if keys.len() == before {
            return Err(KeyError::Unknown(name.to_owned()));
        }
        write(&self.file, &keys)
    }

    /// Held from reading the file to writing it: several programs may change the keys at the same time.
    fn lock(&self) -> Result<fs::File, KeyError> {
        let path = self.file.with_extension("lock");
        let locked = || -> io::Result<fs::File> {
            if let Some(folder) = self.file.parent() {
                fs::create_dir_all(folder)?;
            }
            let lock = fs::OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
            lock.lock()?;
            Ok(lock)
        };
        locked().map_err(|source| KeyError::Io { action: "lock", file: path.clone(), source })
    }

    /// Whose secret this is. A file that cannot be read admits nobody.
    pub fn find(&self, secret: &str) -> Option<Key> {
        let mut cached = self.cached.lock().expect("nobody panics holding this");
        if cached.looked.is_none_or(|looked| looked.elapsed() > LOOK_EVERY) {
            cached.looked = Some(Instant::now());
            let stamp = fs::metadata(&self.file).and_then(|data| Ok((data.modified()?, data.len()))).ok();
            if stamp != cached.stamp || stamp.is_none() {
                cached.keys = read(&self.file).unwrap_or_default();
                cached.stamp = stamp;
            }
        }
        // Hashes are compared, not secrets: how long it takes tells nothing.
        let hash = hash(secret);
        cached.keys.iter().find(|key| key.hash == hash).cloned()
    }
}

fn hash(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read(file: &Path) -> Result<Vec<Key>, KeyError> {
    let text = match fs::read(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(KeyError::Io { action: "read", file: file.to_owned(), source }),
    };
    serde_json::from_slice(&text).map_err(|source| KeyError::Damaged { file: file.to_owned(), source })
}

/// Whole or not at all, and readable by its owner only.
fn write(file: &Path, keys: &[Key]) -> Result<(), KeyError> {
    let text = serde_json::to_vec_pretty(keys).expect("keys are plain data");
    let written = || -> io::Result<()> {
        let fresh = file.with_extension(format!("new-{}", std::process::id()));
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut out = options.open(&fresh)?;
        out.write_all(&text)?;
        out.sync_all()?;
        fs::rename(&fresh, file)
    };
    written().map_err(|source| KeyError::Io { action: "write", file: file.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_lives_from_add_to_revoke_and_is_kept_as_a_hash() {
        let folder = std::env::temp_dir().join(format!("tandem-keys-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let file = folder.join("keys.json");
        let keys = Keys::at(&file);
        let secret =
            keys.add("anna", KeyLimits { requests_per_minute: Some(5), concurrent: None }, false).unwrap();
        assert!(matches!(keys.add("anna", KeyLimits::default(), false), Err(KeyError::Taken(_))));
        assert!(matches!(keys.add("a b", KeyLimits::default(), false), Err(KeyError::BadName(_))));
        let found = Keys::at(&file).find(&secret).unwrap();
        assert_eq!((found.name.as_str(), found.limits.requests_per_minute), ("anna", Some(5)));
        assert_eq!(Keys::at(&file).find("td-0"), None);
        assert!(!fs::read_to_string(&file).unwrap().contains(&secret));
        keys.revoke("anna").unwrap();
        assert!(matches!(keys.revoke("anna"), Err(KeyError::Unknown(_))));
        assert_eq!(Keys::at(&file).find(&secret), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn keys_that_are_added_at_the_same_time_are_all_kept() {
        let folder = std::env::temp_dir().join(format!("tandem-keys-at-once-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let file = folder.join("keys.json");
        let add = |number: usize| {
            Keys::at(&file).add(&format!("key-{number}"), KeyLimits::default(), false).unwrap()
        };
        let secrets: Vec<_> = std::thread::scope(|scope| {
            let added: Vec<_> = (0..10).map(|number| scope.spawn(move || add(number))).collect();
            added.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for (number, secret) in secrets.iter().enumerate() {
            let found = Keys::at(&file).find(secret).map(|key| key.name);
            assert_eq!(found, Some(format!("key-{number}")));
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
