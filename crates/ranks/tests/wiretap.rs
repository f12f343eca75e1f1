//! What somebody on the cable between two ranks sees: everything where links are plain, and neither ids nor floats where they are
//! encrypted. This binary is also the worker it starts.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;

use tandem_engine::{Event, Request, Tokens};
use tandem_fabric::{Encryption, LinkTerms, Meeting};
use tandem_ranks::{Blueprint, LinkChoice, News, Stage, Task, WorkerProcess, work};
use tandem_runtime::{ModelFile, Options};
use tandem_tensor::Limits;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if has("worker") {
        return ExitCode::from(u8::from(work(tandem_runtime::grammars_at).is_err()));
    }
    // A test runner may ask for the list of tests, and then for them by name.
    const NAME: &str = "an_encrypted_link_shows_neither_ids_nor_floats";
    if has("--list") {
        if !has("--ignored") {
            println!("{NAME}: test");
        }
        return ExitCode::SUCCESS;
    }
    if !arguments.iter().any(|argument| !argument.starts_with('-') && argument != NAME) {
        an_encrypted_link_shows_neither_ids_nor_floats();
    }
    ExitCode::SUCCESS
}

fn an_encrypted_link_shows_neither_ids_nor_floats() {
    let prompt: Vec<u32> = (0..100).map(|i| 3 + i * 7 % 120).collect();
    let plain = capture(Encryption::Never, &prompt);
    assert!(runs_of(&plain, &prompt) > 50, "the capture holds no ids even in clear: it proves nothing");
    assert!(floats(&plain) > 500, "the capture holds no floats even in clear: it proves nothing");

    let hidden = capture(Encryption::Always, &prompt);
    assert!(hidden.len() * 10 > plain.len() * 9, "{} bytes against {}", hidden.len(), plain.len());
    assert_eq!(runs_of(&hidden, &prompt), 0);
    // Of random bytes, one run in a hundred million looks like floats.
    assert_eq!(floats(&hidden), 0);
}

/// How many runs of three ids of the prompt there are, as words or as half words.
fn runs_of(bytes: &[u8], prompt: &[u32]) -> usize {
    let runs = prompt.windows(3).flat_map(|ids| {
        let words: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
        let halves: Vec<u8> = ids.iter().flat_map(|id| (*id as u16).to_le_bytes()).collect();
        [words, halves]
    });
    runs.filter(|run| bytes.windows(run.len()).any(|window| window == run)).count()
}

/// How many runs of eight words are floats of the sizes that activations have.
fn floats(bytes: &[u8]) -> usize {
    let activation = |word: &[u8]| {
        let value = f32::from_le_bytes(word.try_into().unwrap()).abs();
        (1e-5..1e3).contains(&value)
    };
    let runs = |at: usize| bytes[at..].chunks_exact(32).filter(|run| run.chunks_exact(4).all(activation));
    (0..4).map(|at| runs(at).count()).max().unwrap()
}

/// All bytes that two ranks exchange while they answer a prompt.
fn capture(encryption: Encryption, prompt: &[u32]) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/tiny/llama-untied");
    let file = ModelFile::open(&path).unwrap();
    let layers = file.description().unwrap().layers.len();
    let limits = Limits { blocks: 16, context_max: 256, ..Options::default().limits() };
    let blueprint = Blueprint::new(&file, vec![Stage { layers: 0..layers, shares: vec![1.0; 2] }], &limits);
    let (news, heard) = channel();
    let workers = [0, 1].map(|rank| {
        let news = news.clone();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg("worker");
        WorkerProcess::start(command, Ipv4Addr::LOCALHOST.into(), move |word| drop(news.send((rank, word))))
            .unwrap()
    });
    let seen = Seen::default();
    let detour = tap_meeting(workers[0].address(), seen.clone());
    let terms = LinkTerms { link: LinkChoice::Tcp, encryption, ..LinkTerms::default() };
    let meeting = Meeting::new(vec![vec![detour], vec![workers[1].address()]], terms);
    for (rank, worker) in workers.iter().enumerate() {
        let task = Task {
            blueprint: blueprint.clone(),
            rank,
            model: path.clone(),
            device: Default::default(),
            threads: 1,
            cores: Vec::new(),
            meeting: meeting.clone(),
            waiting_max: 1,
        };
        worker.join(&task).unwrap();
    }
    let mut ready = 0;
    while ready < 2 {
        match heard.recv().unwrap() {
            (_, News::Ready(facts)) => {
                let expected = if encryption == Encryption::Never { "within the host" } else { "encrypted" };
                assert!(facts.links[0].secrecy.starts_with(expected), "{:?}", facts.links);
                ready += 1;
            }
            (rank, News::Failed(failure)) => panic!("rank {rank}: {failure}"),
            _ => {}
        }
    }
    let request = Request { prompt: prompt.to_vec(), tokens_max: Some(8), ..Request::default() };
    for event in workers[0].engine().stream(request).unwrap() {
        assert!(!matches!(event, Event::Failed(_)), "{event:?}");
    }
    drop(workers);
    let seen = seen.lock().unwrap();
    // One connection after the other: bytes that follow each other there do so here.
    seen.concat()
}

/// The bytes of every direction of every connection.
type Seen = Arc<Mutex<Vec<Vec<u8>>>>;

/// Carries the connection on which two ranks agree on their link, and has the link go through here too.
fn tap_meeting(to: SocketAddr, seen: Seen) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (caller, _) = listener.accept().unwrap();
        let host = TcpStream::connect(to).unwrap();
        relay(caller.try_clone().unwrap(), host.try_clone().unwrap(), seen.clone(), |_| {});
        let mut tapped = false;
        relay(host, caller, seen.clone(), move |bytes| {
            // The host's offer ends with the address it listens on, in words.
            const HERE: &[u8] = b"127.0.0.1:";
            let Some(at) = bytes.windows(HERE.len()).position(|window| window == HERE) else { return };
            if !tapped {
                tapped = true;
                let text = std::str::from_utf8(&bytes[at..at + HERE.len() + 5]).unwrap();
                let detour = tap_link(text.parse().unwrap(), seen.clone()).to_string();
                assert_eq!(detour.len(), text.len(), "an ephemeral port has five digits");
                bytes[at..at + detour.len()].copy_from_slice(detour.as_bytes());
            }
        });
    });
    address
}

fn tap_link(to: SocketAddr, seen: Seen) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        while let Ok((caller, _)) = listener.accept() {
            let Ok(host) = TcpStream::connect(to) else { return };
            relay(caller.try_clone().unwrap(), host.try_clone().unwrap(), seen.clone(), |_| {});
            relay(host, caller, seen.clone(), |_| {});
        }
    });
    address
}

fn relay(
    mut from: TcpStream,
    mut to: TcpStream,
    seen: Seen,
    mut change: impl FnMut(&mut [u8]) + Send + 'static,
) {
    let mine = {
        let mut seen = seen.lock().unwrap();
        seen.push(Vec::new());
        seen.len() - 1
    };
    thread::spawn(move || {
        let mut bytes = [0; 64 << 10];
        while let Ok(n @ 1..) = from.read(&mut bytes) {
            seen.lock().unwrap()[mine].extend_from_slice(&bytes[..n]);
            change(&mut bytes[..n]);
            if to.write_all(&bytes[..n]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Write);
    });
}
