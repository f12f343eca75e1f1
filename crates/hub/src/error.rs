//! Everything that can go wrong between a name and a file on disk.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum HubError {
    #[error("no model is called `{name}`")]
    UnknownName { name: String, nearest: Vec<String> },
    #[error("`{text}` is no hub id: {why}")]
    BadId { text: String, why: &'static str },
    #[error("there is no file or folder {}", path.display())]
    NoSuchPath { path: PathBuf },
    #[error("{} is not a model: expected a .gguf file, or a folder with one or with safetensors", path.display())]
    NotAModel { path: PathBuf },
    #[error("`{text}` is not an address: expected http://host or https://host")]
    BadEndpoint { text: String },

    #[error("cannot reach {host}: {reason}")]
    Unreachable { host: String, reason: String },
    #[error("the connection to {host} was lost {attempts} times in a row: {reason}")]
    Lost { host: String, attempts: u32, reason: String },
    #[error("{endpoint} has no model `{id}`, or it is private")]
    NoSuchRepo { id: String, endpoint: String, nearest: Vec<String>, had_token: bool },
    #[error("{url} is not there any more")]
    NoSuchFile { url: String },
    #[error("`{id}` is a gated model: its owner wants you to accept a licence first")]
    Gated { id: String, endpoint: String, had_token: bool },
    #[error("{endpoint} refused the access token in HF_TOKEN")]
    BadToken { endpoint: String },
    #[error("{host} asks for fewer requests and said to wait {wait_s} s")]
    RateLimited { host: String, wait_s: u64 },
    #[error("{url} answered with status {status}")]
    Status { url: String, status: u16 },
    #[error("{url} gave an answer that makes no sense: {what}")]
    BadAnswer { url: String, what: String },
    #[error("`{id}` names a file `{file}`, which is not a plain relative path; refusing to write it")]
    UnsafeName { id: String, file: String },

    #[error("`{id}` has no files of quantisation {asked}")]
    NoSuchQuant { id: String, asked: String, have: Vec<String> },
    #[error("`{id}` has no GGUF and no safetensors files: it is not a model this program can run")]
    NoModelFiles { id: String },

    #[error("{file}: the checksum is wrong: expected sha256 {expected}, found {found}")]
    Checksum { file: String, expected: String, found: String },
    #[error("{file}: expected {expected} bytes, the server sent {found}")]
    Size { file: String, expected: u64, found: u64 },
    #[error("{file} was replaced on the server while it was fetched")]
    Changed { file: String },
    #[error(
        "not enough disk space in {}: {} more needed, {} free",
        folder.display(), gigabytes(*need_bytes), gigabytes(*free_bytes)
    )]
    NoSpace { folder: PathBuf, need_bytes: u64, free_bytes: u64 },
    #[error("the disk is full (or a quota or file size limit is reached) while writing {}", path.display())]
    DiskFull { path: PathBuf },
    #[error("cannot {action} {}: {source}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("no home folder: neither TANDEM_HOME nor HOME is set")]
    NoHome,
    #[error("{} is not a manifest of this program: {reason}", path.display())]
    BadManifest { path: PathBuf, reason: String },
    #[error("`{name}` is not on this machine")]
    NotLocal { name: String },

    #[error("cannot get the package {package}: {reason}")]
    Package { package: String, reason: String },
    #[error("no source of `{name}` answered; the hub: {hub}; the package: {package}")]
    NoSource { name: String, hub: Box<HubError>, package: Box<HubError> },
    #[error("interrupted")]
    Interrupted,
}

impl HubError {
    /// What to do about it, where there is something.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            HubError::UnknownName { nearest, .. } if !nearest.is_empty() => format!(
                "did you mean {}? `tandem models --available` lists the names; a hub id looks like org/name[:quant]",
                one_of(nearest)
            ),
            HubError::UnknownName { .. } => {
                "`tandem models --available` lists the names; a hub id looks like org/name[:quant]".into()
            }
            HubError::BadId { .. } => "a hub id looks like org/name or org/name:Q4_K_M".into(),
            HubError::Unreachable { .. } | HubError::Lost { .. } => {
                "check the network; HF_ENDPOINT or --endpoint names another hub; running the same command again \
                 resumes"
                    .into()
            }
            HubError::NoSuchRepo { nearest, .. } if !nearest.is_empty() => {
                format!("did you mean {}?", one_of(nearest))
            }
            HubError::NoSuchRepo { had_token: false, .. } => {
                "check the spelling (it is case-sensitive); for a private model set HF_TOKEN".into()
            }
            HubError::NoSuchRepo { .. } => {
                "check the spelling (it is case-sensitive) and that the token in HF_TOKEN may read it".into()
            }
            HubError::NoSuchFile { .. } => "run the same command again to take the current version".into(),
            HubError::Gated { id, endpoint, had_token: false } => {
                format!("accept the licence at {endpoint}/{id}, create a token there, then set HF_TOKEN to it")
            }
            HubError::Gated { id, endpoint, had_token: true } => {
                format!("accept the licence at {endpoint}/{id} with the account that HF_TOKEN belongs to")
            }
            HubError::BadToken { .. } => "set HF_TOKEN to a valid token, or unset it for public models".into(),
            HubError::RateLimited { .. } => "wait, then run the same command again; it resumes".into(),
            HubError::Status { status, .. } if *status >= 500 => {
                "the hub is in trouble; run the same command again later; it resumes".into()
            }
            HubError::NoSuchQuant { have, .. } => format!("it has {}", have.join(", ")),
            HubError::Checksum { .. } | HubError::Size { .. } | HubError::Changed { .. } => {
                "the bad file was removed; run the same command again".into()
            }
            HubError::NoSpace { .. } => {
                "free some space (`tandem models --remove NAME` removes a model) or set TANDEM_HOME to a folder \
                 on a larger disk"
                    .into()
            }
            HubError::DiskFull { .. } => "free some space and run the same command again; it resumes".into(),
            HubError::NotLocal { .. } => "`tandem models` lists what is here; `tandem pull NAME` gets it".into(),
            HubError::NoHome => "set TANDEM_HOME to the folder where models should live".into(),
            HubError::BadManifest { .. } => "remove that folder and pull the model again".into(),
            HubError::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                "set TANDEM_HOME to a folder you may write to".into()
            }
            HubError::Io { source, .. } if source.kind() == io::ErrorKind::ReadOnlyFilesystem => {
                "set TANDEM_HOME to a folder you may write to".into()
            }
            HubError::Package { .. } => "python3 with pip must be installed for this source".into(),
            HubError::NoSource { .. } => {
                "check the network; or pass a path to a .gguf file you already have".into()
            }
            HubError::Interrupted => "what has arrived is kept; run the same command again to resume".into(),
            HubError::NoSuchPath { .. }
            | HubError::NotAModel { .. }
            | HubError::BadEndpoint { .. }
            | HubError::Status { .. }
            | HubError::BadAnswer { .. }
            | HubError::UnsafeName { .. }
            | HubError::NoModelFiles { .. }
            | HubError::Io { .. } => return None,
        })
    }

    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> HubError {
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                HubError::DiskFull { path: path.to_owned() }
            }
            _ => HubError::Io { action, path: path.to_owned(), source },
        }
    }
}

/// `a`, `b` or `c`.
fn one_of(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("`{one}`"),
        [others @ .., last] => {
            let others: Vec<String> = others.iter().map(|name| format!("`{name}`")).collect();
            format!("{} or `{last}`", others.join(", "))
        }
    }
}

fn gigabytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
