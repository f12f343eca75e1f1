//! A server that speaks the Hugging Face HTTP API.

use crate::http::{Answer, Fault, Http, Method, bad_answer, fault_of_status};
use crate::{HubError, HubId, Patience, Silent, Watch};
use serde::Deserialize;
use std::path::{Component, Path};

pub const DEFAULT_ENDPOINT: &str = "https://huggingface.co";

#[derive(Debug)]
pub struct Hub {
    endpoint: String,
    pub(crate) http: Http,
}

/// What a hub says of one model at one revision.
#[derive(Clone, Debug, PartialEq)]
pub struct Repository {
    pub id: HubId,
    /// The commit that the files below belong to.
    pub revision: String,
    pub files: Vec<RepoFile>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RepoFile {
    pub path: String,
    pub size_bytes: Option<u64>,
    /// Known for every large file; small ones are kept by another hash.
    pub sha256: Option<String>,
}

/// What a file must turn out to be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Identity {
    pub size_bytes: u64,
    pub sha256: Option<String>,
    /// Changes whenever the content does: names the partial file.
    pub etag: String,
}

impl Hub {
    /// The hub that `HF_ENDPOINT` names, or the public one; `HF_TOKEN` opens gated and private models.
    pub fn from_env(endpoint: Option<&str>) -> Result<Hub, HubError> {
        Hub::with(endpoint, None)
    }

    /// As [`Hub::from_env`], for someone who may have said both.
    pub fn with(endpoint: Option<&str>, token: Option<&str>) -> Result<Hub, HubError> {
        let set = |name| std::env::var(name).ok().filter(|value: &String| !value.trim().is_empty());
        let endpoint = endpoint.map(str::to_owned).or_else(|| set("HF_ENDPOINT"));
        let token = token.map(str::to_owned).or_else(|| set("HF_TOKEN")).map(|token| token.trim().to_owned());
        Hub::new(endpoint.as_deref().unwrap_or(DEFAULT_ENDPOINT), token, Patience::default())
    }

    pub fn new(endpoint: &str, token: Option<String>, patience: Patience) -> Result<Hub, HubError> {
        let endpoint = endpoint.trim_end_matches('/').to_owned();
        let http = Http::new(&endpoint, token, patience)?;
        Ok(Hub { endpoint, http })
    }

    /// The same hub, waited for longer or shorter.
    pub fn with_patience(&self, patience: Patience) -> Result<Hub, HubError> {
        Hub::new(&self.endpoint, self.http.token.clone(), patience)
    }

    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    pub fn repository(&self, id: &HubId, watch: &mut dyn Watch) -> Result<Repository, HubError> {
        #[derive(Deserialize)]
        struct Model {
            sha: String,
            #[serde(default)]
            siblings: Vec<Sibling>,
        }
        #[derive(Deserialize)]
        struct Sibling {
            rfilename: String,
            size: Option<u64>,
            lfs: Option<Lfs>,
        }
        #[derive(Deserialize)]
        struct Lfs {
            sha256: Option<String>,
            size: Option<u64>,
        }
        let url = format!("{}/api/models/{id}?blobs=true", self.endpoint);
        let model: Model = match self.http.json(&url, watch, |answer| self.fault(id, answer)) {
            Err(HubError::NoSuchRepo { id: name, endpoint, had_token, .. }) => {
                let nearest = self.nearest(id);
                return Err(HubError::NoSuchRepo { id: name, endpoint, nearest, had_token });
            }
            answer => answer?,
        };
        if !is_plain_word(&model.sha) {
            return Err(bad_answer(&url, format!("the revision is `{}`", model.sha)));
        }
        let mut files = Vec::with_capacity(model.siblings.len().min(10_000));
        for sibling in model.siblings {
            let lfs_size = sibling.lfs.as_ref().and_then(|lfs| lfs.size);
            let sha256 = sibling.lfs.and_then(|lfs| lfs.sha256).filter(|sha| is_sha256(sha));
            files.push(RepoFile { path: sibling.rfilename, size_bytes: lfs_size.or(sibling.size), sha256 });
        }
        Ok(Repository { id: id.clone(), revision: model.sha, files })
    }

    /// Where a file's bytes are.
    pub(crate) fn file_url(&self, id: &HubId, revision: &str, file: &str) -> Result<String, HubError> {
        let safe = || HubError::UnsafeName { id: id.to_string(), file: file.to_owned() };
        let plain = !file.contains('\\')
            && file.bytes().all(|b| !b.is_ascii_control())
            && Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || file.is_empty() || file.ends_with('/') {
            return Err(safe());
        }
        let mut url = format!("{}/{id}/resolve/{revision}/", self.endpoint);
        for byte in file.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                    url.push(byte as char)
                }
                _ => url.push_str(&format!("%{byte:02X}")),
            }
        }
        Ok(url)
    }

    /// Size and hash of a file: from the listing if it has them, else by asking for the file's headers.
    pub(crate) fn identify(
        &self,
        id: &HubId,
        url: &str,
        file: &RepoFile,
        watch: &mut dyn Watch,
    ) -> Result<Identity, HubError> {
        if let (Some(size_bytes), Some(sha256)) = (file.size_bytes, &file.sha256) {
            return Ok(Identity { size_bytes, sha256: Some(sha256.clone()), etag: sha256.clone() });
        }
        let answer = self.http.persist(watch, || {
            let answer = self.http.send(Method::Head, url, &[])?;
            match answer.response.status().as_u16() {
                200 | 301 | 302 | 303 | 307 | 308 => Ok(answer),
                _ => Err(self.fault(id, &answer)),
            }
        })?;
        let headers = answer.linked.as_ref().unwrap_or(answer.response.headers());
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let redirected = answer.response.status().is_redirection();
        let size = text("x-linked-size").or_else(|| text("content-length").filter(|_| !redirected));
        let size_bytes = file.size_bytes.or_else(|| size?.parse().ok());
        let size_bytes =
            size_bytes.ok_or_else(|| bad_answer(url, "it does not say how large the file is".into()))?;
        let etag = text("x-linked-etag").or_else(|| text("etag"));
        let etag = etag.map(|etag| etag.trim_start_matches("W/").trim_matches('"').to_owned());
        let etag = etag.filter(|etag| is_plain_word(etag));
        let sha256 = file.sha256.clone().or_else(|| etag.clone().filter(|etag| is_sha256(etag)));
        // Without a tag there is no telling whether a partial file is still of the same content: never resume it.
        let etag = etag.or_else(|| sha256.clone()).unwrap_or_else(|| "untagged".into());
        Ok(Identity { size_bytes, sha256, etag })
    }

    /// What a refusal means, in the hub's own terms.
    pub(crate) fn fault(&self, id: &HubId, answer: &Answer) -> Fault {
        let code = answer.response.headers().get("x-error-code").and_then(|value| value.to_str().ok());
        let had_token = self.http.had_token();
        let (id, endpoint) = (id.to_string(), self.endpoint.clone());
        Fault::Final(match (answer.response.status().as_u16(), code) {
            (_, Some("GatedRepo")) => HubError::Gated { id, endpoint, had_token },
            (404, Some("EntryNotFound" | "RevisionNotFound")) => {
                HubError::NoSuchFile { url: answer.url.clone() }
            }
            (401, None) if had_token => HubError::BadToken { endpoint },
            (401 | 404, _) => HubError::NoSuchRepo { id, endpoint, nearest: Vec::new(), had_token },
            (403, _) => HubError::Gated { id, endpoint, had_token },
            _ => return fault_of_status(answer),
        })
    }

    /// Public models of a similar name: advice, so no failure to find any is worth a word.
    fn nearest(&self, id: &HubId) -> Vec<String> {
        #[derive(Deserialize)]
        struct Found {
            id: String,
        }
        let Ok(brief) = Hub::new(&self.endpoint, None, Patience::brief()) else { return Vec::new() };
        let url = format!("{}/api/models?search={}&limit=3", self.endpoint, id.name());
        let found: Result<Vec<Found>, HubError> = brief.http.json(&url, &mut Silent, fault_of_status);
        let ids = found.unwrap_or_default().into_iter().map(|found| found.id);
        ids.filter(|found| found.parse::<HubId>().is_ok_and(|found| found != *id)).take(3).collect()
    }
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

fn is_plain_word(text: &str) -> bool {
    (1..=128).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}
