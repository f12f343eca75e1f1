//! What a node keeps on disk: its identity, its cluster, and nothing that others may read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tandem_cluster::{NodeId, Saved};

use crate::hex::{from_hex, random_bytes, to_hex};

/// A folder that belongs to one node at a time.
#[derive(Debug)]
pub struct Home {
    folder: PathBuf,
    _lock: File,
}

/// A key pair made at the first start. The public half is the node's id.
#[derive(Clone)]
pub struct Identity {
    pub private: [u8; 32],
    pub id: NodeId,
}

/// The cluster a node belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Membership {
    pub cluster: ClusterId,
    /// Known to members only; opens their channels.
    key: String,
    pub saved: Saved,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterId(pub String);

#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    #[error("cannot {action} {path}: {source}")]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("another node already runs from {0}; stop it, or set TANDEM_HOME to another folder for this one")]
    Taken(PathBuf),
    #[error("{path} is damaged: {what}; move it away to start as a new node")]
    Damaged { path: PathBuf, what: String },
    #[error("cannot make keys: {0}")]
    Keys(String),
}

pub(crate) const NOISE: &str = "Noise_XXpsk0_25519_ChaChaPoly_BLAKE2s";

impl ClusterId {
    /// For beacons: tells clusters apart and nothing else.
    pub fn hash(&self) -> [u8; 8] {
        let hash = blake3::derive_key("tandem cluster beacon", self.0.as_bytes());
        std::array::from_fn(|i| hash[i])
    }
}

impl Membership {
    pub fn found() -> io::Result<Membership> {
        let cluster = ClusterId(to_hex(&random_bytes::<16>()?));
        Ok(Membership { cluster, key: to_hex(&random_bytes::<32>()?), saved: Saved::default() })
    }

    pub fn new(cluster: ClusterId, key: [u8; 32], saved: Saved) -> Membership {
        Membership { cluster, key: to_hex(&key), saved }
    }

    pub fn key(&self) -> Option<[u8; 32]> {
        from_hex(&self.key)
    }
}

impl Home {
    /// Opens `root/node`, making it where needed, and keeps other nodes out of it.
    pub fn open(root: &Path) -> Result<Home, HomeError> {
        let folder = root.join("node");
        let wrong = |action, path: &Path| {
            let path = path.to_owned();
            move |source| HomeError::Io { action, path, source }
        };
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&folder)
            .map_err(wrong("create", &folder))?;
        let lock_path = folder.join("lock");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&lock_path);
        let lock = lock.map_err(wrong("open", &lock_path))?;
        lock.try_lock().map_err(|_| HomeError::Taken(root.to_owned()))?;
        Ok(Home { folder, _lock: lock })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// This node's key pair, made if there is none.
    pub fn identity(&self) -> Result<Identity, HomeError> {
        let path = self.folder.join("identity");
        match fs::read_to_string(&path) {
            Ok(text) => {
                let damaged = || HomeError::Damaged {
                    path: path.clone(),
                    what: "expected two lines of 64 hexadecimal digits".into(),
                };
                let mut lines = text.lines();
                let mut next = || lines.next().and_then(from_hex::<32>).ok_or_else(damaged);
                Ok(Identity { private: next()?, id: NodeId(next()?) })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.new_identity(),
            Err(source) => Err(HomeError::Io { action: "read", path, source }),
        }
    }

    /// A new key pair in place of the one there was: a node that was removed comes back as another.
    pub fn new_identity(&self) -> Result<Identity, HomeError> {
        let keys = |error: snow::Error| HomeError::Keys(error.to_string());
        let pair = snow::Builder::new(NOISE.parse().map_err(keys)?).generate_keypair().map_err(keys)?;
        let bytes =
            |key: &[u8]| <[u8; 32]>::try_from(key).map_err(|_| HomeError::Keys("wrong length".into()));
        let identity = Identity { private: bytes(&pair.private)?, id: NodeId(bytes(&pair.public)?) };
        self.write("identity", format!("{}\n{}\n", to_hex(&identity.private), identity.id).as_bytes())?;
        Ok(identity)
    }

    pub fn membership(&self) -> Result<Option<Membership>, HomeError> {
        let path = self.folder.join("cluster.json");
        match fs::read(&path) {
            Ok(bytes) => {
                let read: Result<Membership, _> = serde_json::from_slice(&bytes);
                let damaged = |what: String| HomeError::Damaged { path: path.clone(), what };
                let membership = read.map_err(|error| damaged(error.to_string()))?;
                membership.key().ok_or_else(|| damaged("its key is not 64 hexadecimal digits".into()))?;
                Ok(Some(membership))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(HomeError::Io { action: "read", path, source }),
        }
    }

    pub fn save(&self, membership: &Membership) -> Result<(), HomeError> {
        let bytes = serde_json::to_vec_pretty(membership).map_err(|error| HomeError::Damaged {
            path: self.folder.join("cluster.json"),
            what: error.to_string(),
        })?;
        self.write("cluster.json", &bytes)
    }

    pub fn forget_membership(&self) -> Result<(), HomeError> {
        let path = self.folder.join("cluster.json");
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(HomeError::Io { action: "remove", path, source })
            }
            _ => Ok(()),
        }
    }

    /// Whole or not at all, whatever happens meanwhile; readable by the owner only.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), HomeError> {
        let path = self.folder.join(name);
        let beside = self.folder.join(format!(".{name}.new"));
        let write = || {
            let mut file =
                OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&beside)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&beside, &path)?;
            File::open(&self.folder)?.sync_all()
        };
        write().map_err(|source| HomeError::Io { action: "write", path: path.clone(), source })
    }
}
