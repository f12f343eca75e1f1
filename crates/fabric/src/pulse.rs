use std::{
    io::{self, ErrorKind, Read, Write},
    net::TcpStream,
    os::fd::AsRawFd,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crate::{Lost, Rank, Route, readiness::wait_readable};

/// Who is alive among the ranks of a group: each tells the others several times a second on a connection of its own.
///
/// A rank that computes for a long time is alive; one that is stopped, hung or unplugged is silent, and one whose process
/// ended closes its connection. So a wait for a result may be long, and a lost rank is noticed soon all the same.
///
/// A link that takes another way than that connection, as over a cable of its own, may be cut while its peer is alive. So the ranks beat along
/// the link's [route](crate::Link::routes) too. The system's own means would not do: where a peer computes and takes nothing from a full
/// connection, a time limit on what is unacknowledged ends it, and a single probe that gets lost ends an idle one.
pub struct Pulse {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    lost: Mutex<Option<(Rank, Lost)>>,
    is_lost: AtomicBool,
    ended: AtomicBool,
}

/// Time between two beats.
const BEAT: Duration = Duration::from_millis(250);
/// A rank that is silent for longer counts as lost.
const SILENCE_MAX: Duration = Duration::from_millis(1700);
/// The same for one that was never heard: it may still be meeting others.
const BEGIN_MAX: Duration = Duration::from_secs(60);

impl Pulse {
    /// Begins to beat on `streams`, one per other rank, and on `routes`, connections that go the ways of links.
    pub fn start(streams: Vec<Option<TcpStream>>, routes: Vec<(Rank, TcpStream)>) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            lost: Mutex::new(None),
            is_lost: AtomicBool::new(false),
            ended: AtomicBool::new(false),
        });
        let mut watched = Vec::new();
        for (rank, stream) in streams.into_iter().enumerate() {
            if let Some(stream) = stream {
                watched.push(Watched::new(Rank(rank as u16), stream, None)?);
            }
        }
        for (rank, stream) in routes {
            let route = Route::of(&stream)?;
            watched.push(Watched::new(rank, stream, Some(route))?);
        }
        let theirs = Arc::clone(&shared);
        let thread = thread::Builder::new().name("pulse".into()).spawn(move || beat(watched, &theirs))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// The first rank that was found lost.
    pub fn lost(&self) -> Option<(Rank, Lost)> {
        if !self.shared.is_lost.load(Ordering::Acquire) {
            return None;
        }
        self.shared.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Watched {
    rank: Rank,
    stream: TcpStream,
    heard: Instant,
    has_begun: bool,
    /// Where this goes the way of a link.
    route: Option<Route>,
}

fn beat(mut watched: Vec<Watched>, shared: &Shared) {
    let mut next = Instant::now();
    while !shared.ended.load(Ordering::Acquire) && !watched.is_empty() {
        let woke = Instant::now();
        if woke >= next {
            // A beat that finds no room waits behind others that will be heard.
            watched.iter_mut().for_each(|watched| drop(watched.stream.write(&[0])));
            next = woke + BEAT;
        }
        let fds: Vec<_> = watched.iter().map(|watched| watched.stream.as_raw_fd()).collect();
        wait_readable(&fds, next.saturating_duration_since(woke).min(Duration::from_millis(50)));
        // Everything that came is read before anyone is judged: perhaps it was we who were stopped.
        let mut lost = None;
        for watched in &mut watched {
            if let Err(why) = watched.listen() {
                lost = lost.or(Some((watched.rank, why)));
            }
        }
        if lost.is_none() && woke.elapsed() < BEAT {
            lost = silent(&watched);
        }
        if let Some((rank, why)) = lost {
            watched.retain(|watched| watched.rank != rank);
            let mut first = shared.lost.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert((rank, why));
            shared.is_lost.store(true, Ordering::Release);
        }
    }
}

fn silent(watched: &[Watched]) -> Option<(Rank, Lost)> {
    let is_silent = |watched: &&Watched| {
        watched.heard.elapsed() > if watched.has_begun { SILENCE_MAX } else { BEGIN_MAX }
    };
    let longest = watched.iter().filter(is_silent).max_by_key(|watched| watched.heard.elapsed())?;
    let (rank, waited) = (longest.rank, longest.heard.elapsed());
    // A rank that stops falls silent everywhere at once.
    let since = |other: &Watched| other.rank == rank && other.heard.elapsed() + BEAT < waited;
    Some(match longest.route {
        Some(route) if watched.iter().any(since) => (rank, Lost::Cut { route, waited }),
        _ => (rank, Lost::Silent { waited }),
    })
}

impl Watched {
    fn new(rank: Rank, stream: TcpStream, route: Option<Route>) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self { rank, stream, heard: Instant::now(), has_begun: false, route })
    }

    fn listen(&mut self) -> Result<(), Lost> {
        let mut bytes = [0; 64];
        loop {
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(Lost::Closed),
                Ok(_) => (self.heard, self.has_begun) = (Instant::now(), true),
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(Lost::Transport(e.to_string())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (near, listener.accept().unwrap().0)
    }

    fn wait_for(pulse: &Pulse) -> (Rank, Lost) {
        loop {
            if let Some(lost) = pulse.lost() {
                return lost;
            }
            thread::yield_now();
        }
    }

    #[test]
    fn the_one_that_falls_silent_is_named() {
        let ((a0, a1), (b0, mut silent), (c0, _late)) = (pair(), pair(), pair());
        let here = Pulse::start(vec![None, Some(a0), Some(b0), Some(c0)], Vec::new()).unwrap();
        silent.write_all(&[0]).unwrap();
        let there = Pulse::start(vec![Some(a1), None], Vec::new()).unwrap();
        let (rank, why) = wait_for(&here);
        assert_eq!(rank, Rank(2));
        assert!(matches!(why, Lost::Silent { .. }), "{why}");
        assert_eq!(there.lost(), None);
        drop(here);
        assert_eq!(wait_for(&there), (Rank(0), Lost::Closed));
    }

    #[test]
    fn a_cut_route_is_told_from_a_silent_rank() {
        let ((a, b), (way, mut silent)) = (pair(), pair());
        silent.write_all(&[0]).unwrap();
        let route = Route::of(&way).unwrap();
        let here = Pulse::start(vec![None, Some(a)], vec![(Rank(1), way)]).unwrap();
        let there = Pulse::start(vec![Some(b), None], Vec::new()).unwrap();
        let (rank, why) = wait_for(&here);
        assert_eq!(rank, Rank(1));
        assert!(matches!(why, Lost::Cut { route: found, .. } if found == route), "{why}");
        drop(there);
    }
}
