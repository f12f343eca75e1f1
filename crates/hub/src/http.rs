//! One HTTP exchange, its redirects walked by hand, its failures sorted into those worth another try and the rest.

use crate::{Event, HubError, Watch};
use std::io::Read;
use std::time::{Duration, Instant};
use ureq::http::header::{AUTHORIZATION, LOCATION, RETRY_AFTER};
use ureq::http::{HeaderMap, Response, Uri};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body, Timeout};

const HOPS_MAX: usize = 6;
const JSON_BYTES_MAX: u64 = 32 << 20;
/// A server that asks for more than this gets no wait but an error that says so.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// How long to wait, and how often to try again.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    pub connect: Duration,
    /// Without a byte for this long a connection counts as lost.
    pub read: Duration,
    /// Failures in a row, with nothing received in between.
    pub attempts: u32,
    /// Pause after the first failure; doubles with each further one.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            connect: Duration::from_secs(10),
            read: Duration::from_secs(30),
            attempts: 5,
            pause: Duration::from_millis(500),
        }
    }
}

impl Patience {
    /// For a source that has a substitute.
    pub fn brief() -> Patience {
        Patience {
            connect: Duration::from_secs(4),
            read: Duration::from_secs(6),
            attempts: 1,
            ..Patience::default()
        }
    }
}

/// Why an exchange failed, and so whether another one may succeed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Nobody there: no such host, no route, refused.
    Unreachable {
        host: String,
        reason: String,
    },
    /// Somebody was there: a reset, a timeout, a 5xx, a 429 with the wait it asks for.
    Passing {
        host: String,
        reason: String,
        wait: Option<Duration>,
    },
    Final(HubError),
}

impl From<HubError> for Fault {
    fn from(error: HubError) -> Fault {
        Fault::Final(error)
    }
}

#[derive(Debug)]
pub(crate) struct Http {
    agent: Agent,
    /// Scheme and authority of the hub: the only place the token is sent to.
    home: (String, String),
    pub token: Option<String>,
    pub patience: Patience,
}

/// The last answer of a chain of redirects.
pub(crate) struct Answer {
    pub url: String,
    pub response: Response<Body>,
    /// Headers of the hub's own redirect to the place that has the bytes: these describe the file itself.
    pub linked: Option<HeaderMap>,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Method {
    Get,
    /// Stops at the first redirect to another host, whose headers it is after.
    Head,
}

impl Http {
    pub fn new(endpoint: &str, token: Option<String>, patience: Patience) -> Result<Http, HubError> {
        let bad = || HubError::BadEndpoint { text: endpoint.to_owned() };
        let uri: Uri = endpoint.parse().map_err(|_| bad())?;
        let home = origin(&uri).ok_or_else(bad)?;
        if !matches!(home.0.as_str(), "http" | "https") {
            return Err(bad());
        }
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let agent = Agent::config_builder()
            .tls_config(tls)
            .user_agent(concat!("tandem/", env!("CARGO_PKG_VERSION")))
            .accept_encoding("identity")
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_resolve(Some(patience.connect))
            .timeout_connect(Some(patience.connect))
            .timeout_send_request(Some(patience.read))
            .timeout_recv_response(Some(patience.read))
            .timeout_per_read(Some(patience.read))
            .build()
            .new_agent();
        Ok(Http { agent, home, token, patience })
    }

    pub fn had_token(&self) -> bool {
        self.token.is_some()
    }

    /// Follows redirects; gives any other answer back, whatever its status.
    pub fn send(&self, method: Method, url: &str, headers: &[(&str, String)]) -> Result<Answer, Fault> {
        let mut url = url.to_owned();
        let mut linked = None;
        for _ in 0..HOPS_MAX {
            let uri: Uri = url.parse().map_err(|_| bad_answer(&url, "its address cannot be read".into()))?;
            let Some(target) = origin(&uri) else {
                return Err(bad_answer(&url, "its address names no host".into()).into());
            };
            let mut request = match method {
                Method::Get => self.agent.get(&url),
                Method::Head => self.agent.head(&url),
            };
            for (name, value) in headers {
                request = request.header(*name, value);
            }
            if let Some(token) = self.token.as_ref().filter(|_| target == self.home) {
                request = request.header(AUTHORIZATION, format!("Bearer {token}"));
            }
            let response = request.call().map_err(|error| fault_of(error, &target.1, &self.patience))?;
            if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
                return Ok(Answer { url, response, linked });
            }
            let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            let Some(location) = location else {
                return Err(bad_answer(&url, "a redirect to nowhere".into()).into());
            };
            let next = join(&target, location);
            if next.parse::<Uri>().ok().and_then(|uri| origin(&uri)) != Some(target) {
                if method == Method::Head {
                    return Ok(Answer { url, response, linked });
                }
                linked.get_or_insert_with(|| response.headers().clone());
            } else if response.headers().contains_key("x-linked-etag") {
                linked.get_or_insert_with(|| response.headers().clone());
            }
            url = next;
        }
        Err(bad_answer(&url, format!("more than {HOPS_MAX} redirects")).into())
    }

    /// A JSON answer, retried while failures look passing. `judge` turns a bad status into an error.
    pub fn json<T: serde::de::DeserializeOwned>(
        &self,
        url: &str,
        watch: &mut dyn Watch,
        judge: impl Fn(&Answer) -> Fault,
    ) -> Result<T, HubError> {
        let body = self.persist(watch, || {
            let answer = self.send(Method::Get, url, &[])?;
            if !answer.response.status().is_success() {
                return Err(judge(&answer));
            }
            let mut body = Vec::new();
            let reader = answer.response.into_body().into_reader();
            reader.take(JSON_BYTES_MAX).read_to_end(&mut body).map_err(|error| self.lost(url, error))?;
            Ok(body)
        })?;
        serde_json::from_slice(&body).map_err(|error| bad_answer(url, error.to_string()))
    }

    /// Tries again while failures look passing, within the bounds of this client's patience.
    pub fn persist<T>(
        &self,
        watch: &mut dyn Watch,
        mut attempt: impl FnMut() -> Result<T, Fault>,
    ) -> Result<T, HubError> {
        let mut failures = 0;
        loop {
            match attempt() {
                Ok(value) => return Ok(value),
                Err(Fault::Unreachable { host, reason }) => {
                    return Err(HubError::Unreachable { host, reason });
                }
                Err(fault) => {
                    failures += 1;
                    self.pause_after(fault, failures, watch)?;
                }
            }
        }
    }

    /// Waits before the next try, or gives up.
    pub fn pause_after(&self, fault: Fault, failures: u32, watch: &mut dyn Watch) -> Result<(), HubError> {
        let (host, reason, wait) = match fault {
            Fault::Final(error) => return Err(error),
            Fault::Unreachable { host, reason } if failures >= self.patience.attempts => {
                return Err(HubError::Unreachable { host, reason });
            }
            Fault::Unreachable { host, reason } => (host, reason, None),
            Fault::Passing { host, reason, wait } => (host, reason, wait),
        };
        if let Some(wait) = wait.filter(|wait| *wait > WAIT_MAX) {
            return Err(HubError::RateLimited { host, wait_s: wait.as_secs() });
        }
        if failures >= self.patience.attempts {
            return Err(match failures {
                1 => HubError::Unreachable { host, reason },
                _ => HubError::Lost { host, attempts: failures, reason },
            });
        }
        let pause = wait.unwrap_or(self.patience.pause * 2u32.pow((failures - 1).min(6)));
        watch.event(Event::Note(&format!("{host}: {reason}; trying again in {:.1} s", pause.as_secs_f64())));
        let until = Instant::now() + pause;
        while Instant::now() < until {
            if watch.cancelled() {
                return Err(HubError::Interrupted);
            }
            std::thread::sleep(
                Duration::from_millis(50).min(until.saturating_duration_since(Instant::now())),
            );
        }
        Ok(())
    }

    /// The connection broke while the body was read.
    pub fn lost(&self, url: &str, error: std::io::Error) -> Fault {
        let host = host_of(url);
        match error.downcast::<ureq::Error>() {
            Ok(error) => match fault_of(error, &host, &self.patience) {
                Fault::Unreachable { host, reason } => Fault::Passing { host, reason, wait: None },
                fault => fault,
            },
            Err(error) => Fault::Passing { host, reason: error.to_string(), wait: None },
        }
    }
}

/// The fault behind a status that has nothing to do with the file asked for: 408, 429, 5xx and the unexpected.
pub(crate) fn fault_of_status(answer: &Answer) -> Fault {
    let status = answer.response.status().as_u16();
    let host = host_of(&answer.url);
    match status {
        408 | 429 | 500..=599 => {
            let wait = answer.response.headers().get(RETRY_AFTER);
            let wait = wait.and_then(|value| value.to_str().ok()?.parse().ok()).map(Duration::from_secs);
            Fault::Passing { host, reason: format!("answered with status {status}"), wait }
        }
        _ => Fault::Final(HubError::Status { url: answer.url.clone(), status }),
    }
}

pub(crate) fn host_of(url: &str) -> String {
    url.parse::<Uri>().ok().and_then(|uri| origin(&uri)).map_or_else(String::new, |(_, authority)| authority)
}

pub(crate) fn bad_answer(url: &str, what: String) -> HubError {
    HubError::BadAnswer { url: url.to_owned(), what }
}

fn fault_of(error: ureq::Error, host: &str, patience: &Patience) -> Fault {
    let host = host.to_owned();
    let unreachable = |reason: String| Fault::Unreachable { host: host.clone(), reason };
    let passing = |reason: String| Fault::Passing { host: host.clone(), reason, wait: None };
    match error {
        ureq::Error::HostNotFound => unreachable("no such host (is the network up?)".into()),
        ureq::Error::ConnectionFailed => unreachable("the connection failed".into()),
        ureq::Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
            unreachable(format!("no answer within {} s", patience.connect.as_secs_f32()))
        }
        ureq::Error::Timeout(_) => passing(format!("nothing came for {} s", patience.read.as_secs_f32())),
        ureq::Error::Io(error) => match error.kind() {
            std::io::ErrorKind::ConnectionRefused
            | std::io::ErrorKind::HostUnreachable
            | std::io::ErrorKind::NetworkUnreachable
            | std::io::ErrorKind::NetworkDown
            | std::io::ErrorKind::AddrNotAvailable => unreachable(plain(&error)),
            // The standard library gives a failed look-up no kind of its own.
            _ if error.to_string().contains("lookup address") => {
                unreachable("no such host (is the network up?)".into())
            }
            _ => passing(plain(&error)),
        },
        ureq::Error::Protocol(error) => passing(format!("broken HTTP: {error}")),
        other => unreachable(other.to_string()),
    }
}

/// Without the `(os error 111)`.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn origin(uri: &Uri) -> Option<(String, String)> {
    Some((uri.scheme_str()?.to_owned(), uri.authority()?.as_str().to_owned()))
}

/// The address that `location`, found at `from`, stands for.
fn join(from: &(String, String), location: &str) -> String {
    let (scheme, authority) = from;
    if location.starts_with("http://") || location.starts_with("https://") {
        location.to_owned()
    } else if let Some(rest) = location.strip_prefix("//") {
        format!("{scheme}://{rest}")
    } else {
        format!("{scheme}://{authority}/{}", location.trim_start_matches('/'))
    }
}
