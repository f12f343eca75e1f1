//! What is done for every request: it gets an id, is admitted or refused, counted and logged.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracing::Instrument;

use crate::answering::{Answering, Silence};
use crate::connections::{Busy, Connection};
use crate::dialect::{Dialect, Refused};
use crate::fields::Fields;
use crate::gate::{Caller, Gate};
use crate::keys::{Keys, hex};
use crate::meter::{Asked, Meter, Record, Texts, Totals};
use crate::pulls::Pulls;
use crate::{Answer, Failure, GenerateRequest, Service, clock};

/// How the server is set up. The defaults suit one machine's loopback address.
pub struct Settings {
    pub key_required: bool,
    pub keys: Option<Keys>,
    /// Web pages from these addresses may call.
    pub origins: Vec<String>,
    pub body_bytes_max: usize,
    /// For the whole body to arrive.
    pub body_within: Duration,
    pub headers_within: Duration,
    /// For an answer, from the request to its last token.
    pub answer_within: Duration,
    pub connections_max: usize,
    pub connections_per_address_max: usize,
    /// A client that waits is sent something at least this often.
    pub silence_max: Duration,
    /// Hears one JSON object for each request.
    pub log: Box<dyn Fn(&Value) + Send + Sync>,
    /// Whether that holds prompts and answers too.
    pub log_texts: bool,
    /// Where requests are counted.
    pub totals: Arc<Totals>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            key_required: false,
            keys: None,
            origins: Vec::new(),
            // Some pictures, which base64 makes a third longer.
            body_bytes_max: 32 << 20,
            body_within: Duration::from_secs(30),
            headers_within: Duration::from_secs(15),
            answer_within: Duration::from_secs(30 * 60),
            connections_max: 1024,
            connections_per_address_max: 512,
            silence_max: Duration::from_secs(5),
            log: Box::new(|_| {}),
            log_texts: false,
            totals: Arc::default(),
        }
    }
}

/// The service and what is kept about its requests.
pub(crate) struct Front {
    pub service: Arc<dyn Service>,
    pub settings: Settings,
    pub totals: Arc<Totals>,
    /// Set when the server takes no more requests, so that what has no end of its own ends.
    pub stopping: watch::Sender<bool>,
    pub pulls: Arc<Pulls>,
    gate: Arc<Gate>,
}

pub(crate) type Shared = State<Arc<Front>>;

impl Front {
    pub fn new(service: Arc<dyn Service>, mut settings: Settings) -> Arc<Front> {
        let gate =
            Gate::new(settings.key_required, settings.keys.take(), std::mem::take(&mut settings.origins));
        let (stopping, _) = watch::channel(false);
        let totals = Arc::clone(&settings.totals);
        Arc::new(Front { service, settings, totals, stopping, pulls: Arc::default(), gate: Arc::new(gate) })
    }

    pub fn keys(&self) -> Option<&Keys> {
        self.gate.keys.as_ref()
    }

    /// Submits requests that are answered together.
    pub fn answers(self: &Arc<Front>, call: &Call, requests: Vec<GenerateRequest>) -> Answering {
        let id = {
            let mut record = call.record.lock().expect("nobody panics holding this");
            record.model = requests.first().map(|first| first.model.clone()).unwrap_or_default();
            if self.settings.log_texts {
                record.texts = Some(Texts {
                    prompts: requests.iter().map(|request| json!(request.prompt)).collect(),
                    answers: vec![String::new(); requests.len()],
                });
            }
            record.id.clone()
        };
        let (front, call, start) = (Arc::clone(self), call.clone(), Instant::now());
        let silence = Silence::new(front.settings.silence_max);
        let begun = async move {
            let mut asked = JoinSet::new();
            let mut answers: Vec<Option<Answer>> = requests.iter().map(|_| None).collect();
            let entry =
                |request: &GenerateRequest| Asked::begin(&front.totals, id.clone(), request.model.clone());
            let entries: Vec<Asked> = requests.iter().map(entry).collect();
            for (index, mut request) in requests.into_iter().enumerate() {
                request.client = call.client;
                request.deadline.get_or_insert(front.settings.answer_within);
                let service = Arc::clone(&front.service);
                let span = tracing::info_span!("answer", request = %id);
                asked.spawn(async move { (index, service.generate(request).instrument(span).await) });
            }
            while let Some(asked) = asked.join_next().await {
                let failed = |error| Failure::Internal(format!("the request failed: {error}"));
                let (index, answer) = asked.map_err(failed)?;
                let answer = answer?;
                entries[index].answered_by(answer.progress());
                answers[index] = Some(answer);
            }
            let answers: Vec<Answer> = answers.into_iter().flatten().collect();
            let (totals, record) = (Arc::clone(&front.totals), Arc::clone(&call.record));
            let meter = Meter::new(totals, record, &answers, entries, start);
            Ok((answers, meter))
        };
        Answering { begun: Box::pin(begun), silence }
    }
}

/// One request, once it was let in.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub client: u64,
    pub record: Arc<Mutex<Record>>,
    manages: bool,
}

impl Call {
    /// On this machine alone everybody may; beyond it, only some keys.
    pub fn may_manage(&self) -> Result<(), Failure> {
        if self.manages {
            return Ok(());
        }
        Err(Failure::Forbidden(
            "this key may use models but not manage the cluster; `tandem key add NAME --manage` makes one that may".into(),
        ))
    }
}

impl<S: Sync> FromRequestParts<S> for Call {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Call, Failure> {
        let call = parts.extensions.get::<Call>().cloned();
        call.ok_or_else(|| Failure::Internal("a request came in past the gate".into()))
    }
}

/// A request whose body is a JSON object.
pub(crate) struct Ask {
    pub call: Call,
    pub fields: Fields,
}

impl FromRequest<Arc<Front>> for Ask {
    type Rejection = Failure;

    async fn from_request(request: Request, front: &Arc<Front>) -> Result<Ask, Failure> {
        let (mut parts, body) = request.into_parts();
        let call = Call::from_request_parts(&mut parts, front).await?;
        let Settings { body_bytes_max: limit_bytes, body_within, .. } = front.settings;
        let declared = parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
        if declared
            .and_then(|length| length.parse::<u64>().ok())
            .is_some_and(|length| length > limit_bytes as u64)
        {
            return Err(Failure::BodyTooLarge { limit_bytes });
        }
        let body = tokio::time::timeout(body_within, Limited::new(body, limit_bytes).collect())
            .await
            .map_err(|_| Failure::Slow(body_within))?
            .map_err(|error| match error.downcast_ref::<LengthLimitError>() {
                Some(_) => Failure::BodyTooLarge { limit_bytes },
                None => Failure::malformed(format!("the body could not be read: {error}")),
            })?
            .to_bytes();
        let value = serde_json::from_slice(&body)
            .map_err(|error| Failure::malformed(format!("the body is not valid JSON: {error}")))?;
        Ok(Ask { call, fields: Fields::of(value, "")? })
    }
}

/// The way in and out of every route.
pub(crate) async fn pass(State(front): Shared, mut request: Request, next: Next) -> Response {
    let id = random_id("req_");
    let path = request.uri().path().to_owned();
    let dialect = Dialect::of(&path);
    let route = request.extensions().get::<MatchedPath>().map_or("unknown", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let record = Arc::new(Mutex::new(Record { id: id.clone(), ..Record::default() }));
    let mut visit = Visit {
        _busy: request.extensions().get::<Arc<Connection>>().map(Connection::busy),
        front: Arc::clone(&front),
        caller: None,
        start: Instant::now(),
        record: Arc::clone(&record),
        line: json!({ "time": clock::now(), "request": id, "method": method.as_str(), "path": path }),
    };
    front.totals.in_flight.fetch_add(1, Relaxed);
    let host = front.gate.host(request.uri(), request.headers());
    let origin = host.and_then(|()| front.gate.origin(request.headers()));
    let origin = origin.map(|origin| origin.map(str::to_owned));
    let mut response = match &origin {
        Err(failure) => failure.clone().into_response(),
        Ok(Some(_)) if method == Method::OPTIONS => preflight(),
        Ok(_) => {
            let from = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
            let admitted =
                if is_open(&path) { Ok(None) } else { front.gate.admit(request.headers(), from).map(Some) };
            match admitted {
                Err(failure) => failure.into_response(),
                Ok(caller) => {
                    let client = caller.as_ref().map_or(0, |caller| caller.client);
                    let manages = caller.as_ref().is_some_and(|caller| caller.manages);
                    visit.caller = caller;
                    request.extensions_mut().insert(Call { client, record, manages });
                    next.run(request).await
                }
            }
        }
    };
    if let Some(Refused(failure)) = response.extensions_mut().remove() {
        let told = if front.settings.log_texts { failure.to_string() } else { failure.logged() };
        visit.line["failure"] = told.into();
        let allowed = response.headers_mut().remove(header::ALLOW);
        response = dialect.refusal(&failure, &id);
        if let Some(allowed) = allowed {
            response.headers_mut().insert(header::ALLOW, allowed);
        }
    }
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert("x-request-id", id.clone());
        headers.insert("request-id", id);
    }
    if let Ok(Some(origin)) = origin
        && let Ok(origin) = HeaderValue::from_str(&origin)
    {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    }
    visit.line["status"] = response.status().as_u16().into();
    front.totals.answered(&route, response.status().as_u16());
    response.map(|body| Body::new(Visited { body, _visit: visit }))
}

/// Whether it is alive may be asked by anybody, and the pages themselves tell nothing: what they show is asked for with a key.
fn is_open(path: &str) -> bool {
    path == "/health" || path == "/" || path.starts_with("/page/")
}

fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE, OPTIONS"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "authorization, content-type, x-api-key, anthropic-version, anthropic-beta",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "600"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

pub(crate) fn random_id(prefix: &str) -> String {
    let mut bytes = [0u8; 12];
    // Ids need to differ, not to be secret: without the system's randomness the clock will do.
    if getrandom::fill(&mut bytes).is_err() {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        bytes.copy_from_slice(&since.as_nanos().to_le_bytes()[..12]);
    }
    format!("{prefix}{}", hex(&bytes))
}

/// A request from its arrival until its body is sent or its client has left. Then it is logged.
struct Visit {
    _busy: Option<Busy>,
    front: Arc<Front>,
    caller: Option<Caller>,
    start: Instant,
    record: Arc<Mutex<Record>>,
    line: Value,
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.front.totals.in_flight.fetch_sub(1, Relaxed);
        let record = self.record.lock().expect("nobody panics holding this").clone();
        let line = &mut self.line;
        line["ms"] = (self.start.elapsed().as_millis() as u64).into();
        if let Some(key) = self.caller.as_ref().and_then(|caller| caller.key.clone()) {
            line["key"] = key.into();
        }
        if !record.model.is_empty() {
            line["model"] = record.model.into();
            line["prompt_tokens"] = record.prompt_tokens.into();
            line["cached_tokens"] = record.cached_tokens.into();
            line["tokens"] = record.tokens.into();
            line["first_token_ms"] = record.first_token_ms.into();
            line["longest_pause_ms"] = record.longest_pause_ms.into();
        }
        if let Some(failure) = record.failure {
            line["failure"] = failure.into();
        }
        if let Some(Texts { prompts, answers }) = record.texts {
            line["prompts"] = prompts.into();
            line["answers"] = answers.into();
        }
        if line["status"].is_null() || record.cancelled {
            line["cancelled"] = true.into();
        }
        (self.front.settings.log)(line);
    }
}

/// A body that ends the visit when it is dropped.
struct Visited {
    body: Body,
    _visit: Visit,
}

impl hyper::body::Body for Visited {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<hyper::body::Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        self.body.size_hint()
    }
}
