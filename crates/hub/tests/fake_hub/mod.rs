//! A server on loopback that behaves like a model hub, and misbehaves when told to.
//!
//! Large files are answered as the real one does: the hub redirects to a file host, here a second port, and its
//! redirect carries the file's hash and size.
#![allow(dead_code)]

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

/// What goes wrong with the next request for a file's bytes.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Nothing.
    None,
    /// This status and these headers, from the hub itself.
    Hub(u16, &'static str),
    /// This status from the file host.
    FileHost(u16),
    /// The connection closes after so many bytes of the body.
    Drop { after_bytes: usize },
    /// Nothing more comes after so many bytes, until [`FakeHub::release`].
    Stall { after_bytes: usize },
    /// The whole file, whatever part was asked for.
    NoRanges,
    /// Other bytes, as many.
    Garbage,
}

#[derive(Clone, Debug, Default)]
pub struct Repo {
    pub revision: String,
    pub files: Vec<(String, Vec<u8>)>,
    /// As if the listing had been asked for without hashes.
    pub terse: bool,
    /// Claims in the listing that a file is this large.
    pub claimed_size: Option<u64>,
}

impl Repo {
    pub fn new(revision: &str, files: &[(&str, &[u8])]) -> Repo {
        let files = files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
        Repo { revision: revision.into(), files, ..Repo::default() }
    }
}

pub struct FakeHub {
    pub endpoint: String,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    file_host: Mutex<String>,
    repos: Mutex<HashMap<String, Repo>>,
    refused: Mutex<HashMap<String, (u16, String)>>,
    faults: Mutex<VecDeque<Fault>>,
    log: Mutex<Vec<String>>,
    released: (Mutex<bool>, Condvar),
}

impl FakeHub {
    pub fn start() -> FakeHub {
        let state = Arc::new(State::default());
        let endpoint = serve(Arc::clone(&state), answer_hub);
        *state.file_host.lock().unwrap() = serve(Arc::clone(&state), answer_file_host);
        FakeHub { endpoint, state }
    }

    pub fn put(&self, id: &str, repo: Repo) {
        self.state.repos.lock().unwrap().insert(id.into(), repo);
    }

    /// Everything about `id` is answered with this status and these header lines.
    pub fn refuse(&self, id: &str, status: u16, headers: &str) {
        self.state.refused.lock().unwrap().insert(id.into(), (status, headers.into()));
    }

    /// One for each request for a file's bytes, in order; those after the last go well.
    pub fn faults(&self, faults: &[Fault]) {
        self.state.faults.lock().unwrap().extend(faults.iter().cloned());
    }

    pub fn release(&self) {
        *self.state.released.0.lock().unwrap() = true;
        self.state.released.1.notify_all();
    }

    /// `GET path range=… auth=…` of every request so far.
    pub fn log(&self) -> Vec<String> {
        self.state.log.lock().unwrap().clone()
    }

    /// Requests that reached the file host, with the range they asked for.
    pub fn ranges(&self) -> Vec<String> {
        let log = self.log();
        log.iter()
            .filter(|line| line.contains("/blob/"))
            .map(|line| field(line, "range=").to_owned())
            .collect()
    }
}

impl Drop for FakeHub {
    fn drop(&mut self) {
        self.release();
    }
}

fn field<'a>(line: &'a str, name: &str) -> &'a str {
    line.split(' ').find_map(|part| part.strip_prefix(name)).unwrap_or_default()
}

struct Request {
    method: String,
    path: String,
    range_from: Option<usize>,
}

fn serve(state: Arc<State>, answer: fn(&State, &Request, &mut TcpStream) -> std::io::Result<()>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (Ok(mut stream), state) = (stream, Arc::clone(&state)) else { return };
            std::thread::spawn(move || {
                if let Some(request) = read_request(&state, &mut stream) {
                    let _ = answer(&state, &request, &mut stream);
                }
            });
        }
    });
    address
}

fn read_request(state: &State, stream: &mut TcpStream) -> Option<Request> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next()?.ok()?;
    let mut words = first.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let (mut range, mut auth) = (String::new(), String::new());
    for line in lines {
        let line = line.ok()?;
        match line.split_once(": ") {
            None => break,
            Some((name, value)) if name.eq_ignore_ascii_case("range") => range = value.into(),
            Some((name, value)) if name.eq_ignore_ascii_case("authorization") => {
                auth = value.replace(' ', "-")
            }
            Some(_) => {}
        }
    }
    state.log.lock().unwrap().push(format!("{method} {path} range={range} auth={auth}"));
    let range_from = range.strip_prefix("bytes=").and_then(|range| range.trim_end_matches('-').parse().ok());
    Some(Request { method, path, range_from })
}

fn answer_hub(state: &State, request: &Request, stream: &mut TcpStream) -> std::io::Result<()> {
    let path = request.path.split('?').next().unwrap_or_default();
    if path == "/api/models" {
        return reply(stream, 200, "", br#"[{"id":"near/by-model"},{"id":"other/one"}]"#);
    }
    for (id, (status, headers)) in state.refused.lock().unwrap().iter() {
        if path.contains(id.as_str()) {
            return reply(stream, *status, headers, b"{\"error\":\"refused\"}");
        }
    }
    let repos = state.repos.lock().unwrap().clone();
    if let Some(id) = path.strip_prefix("/api/models/") {
        return match repos.get(id) {
            Some(repo) => reply(stream, 200, "", listing(repo).as_bytes()),
            None => reply(stream, 401, "X-Error-Code: RepoNotFound\r\n", b"{}"),
        };
    }
    let found = repos.iter().find_map(|(id, repo)| {
        let file = path.strip_prefix(&format!("/{id}/resolve/{}/", repo.revision))?;
        let (_, bytes) = repo.files.iter().find(|(name, _)| name == file)?;
        Some((file.to_owned(), bytes.clone()))
    });
    let Some((file, bytes)) = found else {
        return reply(stream, 404, "X-Error-Code: EntryNotFound\r\n", b"");
    };
    if request.method == "GET" {
        let mut faults = state.faults.lock().unwrap();
        if let Some(Fault::Hub(status, headers)) = faults.front().cloned() {
            faults.pop_front();
            return reply(stream, status, headers, b"");
        }
    }
    if !is_large(&file) {
        let headers = format!("ETag: \"{}\"\r\n", &sha256(&bytes)[..40]);
        return match request.method.as_str() {
            "HEAD" => reply_head(stream, 200, &headers, bytes.len()),
            _ => reply(stream, 200, &headers, &bytes),
        };
    }
    let hash = sha256(&bytes);
    let location = format!("{}/blob/{hash}", state.file_host.lock().unwrap());
    let headers = format!(
        "Location: {location}\r\nX-Linked-Etag: \"{hash}\"\r\nX-Linked-Size: {}\r\nX-Repo-Commit: abc\r\n",
        bytes.len()
    );
    reply(stream, 302, &headers, b"")
}

fn answer_file_host(state: &State, request: &Request, stream: &mut TcpStream) -> std::io::Result<()> {
    let hash = request.path.strip_prefix("/blob/").unwrap_or_default().to_owned();
    let repos = state.repos.lock().unwrap().clone();
    let bytes = repos.values().flat_map(|repo| &repo.files).find(|(_, bytes)| sha256(bytes) == hash);
    let Some((_, bytes)) = bytes else { return reply(stream, 404, "", b"") };
    let fault = state.faults.lock().unwrap().pop_front().unwrap_or(Fault::None);
    if let Fault::FileHost(status) = fault {
        return reply(stream, status, "", b"");
    }
    let from = request.range_from.filter(|_| !matches!(fault, Fault::NoRanges));
    let mut body = bytes[from.unwrap_or(0).min(bytes.len())..].to_vec();
    if matches!(fault, Fault::Garbage) {
        body.fill(b'x');
    }
    let (status, mut headers) = match from {
        Some(from) if from >= bytes.len() => return reply(stream, 416, "", b""),
        Some(from) => (206, format!("Content-Range: bytes {from}-{}/{}\r\n", bytes.len() - 1, bytes.len())),
        None => (200, String::new()),
    };
    headers.push_str("ETag: \"of-the-file-host-alone\"\r\n");
    reply_head(stream, status, &headers, body.len())?;
    match fault {
        Fault::Drop { after_bytes } => stream.write_all(&body[..after_bytes.min(body.len())]),
        Fault::Stall { after_bytes } => {
            stream.write_all(&body[..after_bytes.min(body.len())])?;
            stream.flush()?;
            let mut released = state.released.0.lock().unwrap();
            while !*released {
                released = state.released.1.wait(released).unwrap();
            }
            Ok(())
        }
        _ => stream.write_all(&body),
    }
}

fn listing(repo: &Repo) -> String {
    let mut siblings = String::new();
    for (name, bytes) in &repo.files {
        let comma = if siblings.is_empty() { "" } else { "," };
        let name = name.replace('\\', "\\\\");
        let size = repo.claimed_size.unwrap_or(bytes.len() as u64);
        let _ = if repo.terse {
            write!(siblings, r#"{comma}{{"rfilename":"{name}"}}"#)
        } else if is_large(&name) {
            let hash = sha256(bytes);
            write!(
                siblings,
                r#"{comma}{{"rfilename":"{name}","size":{size},"lfs":{{"sha256":"{hash}","size":{size}}}}}"#
            )
        } else {
            write!(siblings, r#"{comma}{{"rfilename":"{name}","size":{size},"blobId":"0123"}}"#)
        };
    }
    format!(r#"{{"id":"x/y","sha":"{}","siblings":[{siblings}]}}"#, repo.revision)
}

fn is_large(name: &str) -> bool {
    name.ends_with(".gguf") || name.ends_with(".safetensors")
}

fn reply(stream: &mut TcpStream, status: u16, headers: &str, body: &[u8]) -> std::io::Result<()> {
    reply_head(stream, status, headers, body.len())?;
    stream.write_all(body)
}

fn reply_head(stream: &mut TcpStream, status: u16, headers: &str, length: usize) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status} Status\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n"
    )
}

pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes that differ everywhere.
pub fn content(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..len)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        })
        .collect()
}
