//! Which requests are admitted: by host, origin, key and rate.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri, header};

use crate::Failure;
use crate::keys::{KeyLimits, Keys};

/// Admits requests by key and origin, and counts them.
pub(crate) struct Gate {
    /// Without one, nobody comes in.
    pub key_required: bool,
    pub keys: Option<Keys>,
    /// Web pages from these addresses may call.
    pub origins: Vec<String>,
    counts: Mutex<HashMap<String, Count>>,
}

struct Count {
    minute_began: Instant,
    in_minute: u32,
    now: u32,
}

/// Somebody who was let in; dropped when the request is answered.
pub(crate) struct Caller {
    /// The key's name.
    pub key: Option<String>,
    /// Clients get equal turns.
    pub client: u64,
    /// Whether it may say who joins and who calls.
    pub manages: bool,
    gate: Arc<Gate>,
}

const MINUTE: Duration = Duration::from_secs(60);

impl Gate {
    pub fn new(key_required: bool, keys: Option<Keys>, origins: Vec<String>) -> Gate {
        Gate { key_required, keys, origins, counts: Mutex::default() }
    }

    pub fn admit(self: &Arc<Gate>, headers: &HeaderMap, from: Option<IpAddr>) -> Result<Caller, Failure> {
        let known = secret(headers).and_then(|secret| self.keys.as_ref()?.find(secret));
        let Some(key) = known else {
            if self.key_required {
                return Err(Failure::Unauthorised(if secret(headers).is_some() {
                    "this API key is not known here; it may have been revoked".into()
                } else {
                    "an API key is needed: send `Authorization: Bearer KEY` or `x-api-key: KEY`; \
                     `tandem key add NAME` makes one"
                        .into()
                }));
            }
            // Clients that insist on sending some key are let in without one.
            let client = from.map_or(0, |address| fingerprint(&address.to_string()));
            return Ok(Caller { key: None, client, manages: true, gate: Arc::clone(self) });
        };
        self.count(&key.name, key.limits)?;
        let manages = key.manages || !self.key_required;
        Ok(Caller { client: fingerprint(&key.name), key: Some(key.name), manages, gate: Arc::clone(self) })
    }

    /// Refuses requests to names that are not this machine's: a web page can make its own name point here, and would read what is
    /// served without a key.
    pub fn host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        if self.key_required {
            return Ok(());
        }
        let hosts = headers.get_all(header::HOST).iter().map(|host| host.to_str().unwrap_or("?"));
        let mut hosts = hosts.chain(uri.authority().map(Authority::as_str));
        let known = |name: &str| {
            self.origins.iter().filter_map(|origin| host_of(origin)).any(|own| name_of(own) == name)
        };
        match hosts.find(|host| !is_own(host) && !known(&name_of(host))) {
            None => Ok(()),
            Some(foreign) => {
                let shown: String = foreign.chars().take(100).collect();
                Err(Failure::Forbidden(format!(
                    "this server does not answer to the name {shown}; call it by its address or as localhost, or start it \
                     with --origin http://{shown}"
                )))
            }
        }
    }

    /// The origin to name in the answer, if a web page asks; pages we do not know are refused.
    pub fn origin<'a>(&self, headers: &'a HeaderMap) -> Result<Option<&'a str>, Failure> {
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(None) };
        let origin = origin.to_str().unwrap_or("?");
        if self.origins.iter().any(|known| known == origin) {
            return Ok(Some(origin));
        }
        // Our own pages. A name that was made to point here is not ours, unless a key proves the caller.
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        if host_of(origin) == Some(host) && (is_own(host) || self.key_required) {
            return Ok(None);
        }
        let shown: String = origin.chars().take(100).collect();
        Err(Failure::Forbidden(format!(
            "pages from {shown} may not call this server; start it with --origin {shown} to let them"
        )))
    }

    fn count(&self, name: &str, limits: KeyLimits) -> Result<(), Failure> {
        let mut counts = self.counts.lock().expect("nobody panics holding this");
        let fresh = || Count { minute_began: Instant::now(), in_minute: 0, now: 0 };
        let count = counts.entry(name.to_owned()).or_insert_with(fresh);
        if count.minute_began.elapsed() >= MINUTE {
            (count.minute_began, count.in_minute) = (Instant::now(), 0);
        }
        if let Some(limit) = limits.requests_per_minute
            && count.in_minute >= limit
        {
            return Err(Failure::Busy {
                message: format!("this key may send {limit} requests per minute"),
                retry_after: MINUTE.saturating_sub(count.minute_began.elapsed()),
            });
        }
        if let Some(limit) = limits.concurrent
            && count.now >= limit
        {
            return Err(Failure::Busy {
                message: format!("this key may have {limit} requests at a time"),
                retry_after: Duration::from_secs(1),
            });
        }
        count.in_minute += 1;
        count.now += 1;
        Ok(())
    }
}

impl Drop for Caller {
    fn drop(&mut self) {
        let Some(name) = &self.key else { return };
        let mut counts = self.gate.counts.lock().expect("nobody panics holding this");
        if let Some(count) = counts.get_mut(name) {
            count.now = count.now.saturating_sub(1);
        }
    }
}

/// The host, and port, of an origin.
fn host_of(origin: &str) -> Option<&str> {
    origin.split_once("://").map(|(_, host)| host.trim_end_matches('/'))
}

/// A host without its port.
fn name_of(host: &str) -> String {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    name.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase()
}

/// Whether a host is an address, or a name that no server of names can point here.
fn is_own(host: &str) -> bool {
    let name = name_of(host);
    name.is_empty() || name == "localhost" || name.ends_with(".localhost") || name.parse::<IpAddr>().is_ok()
}

fn secret(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer
        .and_then(|value| value.split_once(' '))
        .and_then(|(scheme, secret)| scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim()));
    bearer.or_else(|| headers.get("x-api-key")?.to_str().ok())
}

fn fingerprint(text: &str) -> u64 {
    let hash = blake3::hash(text.as_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("a hash has 32 bytes"))
}
