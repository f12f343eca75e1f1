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

use crate::{Lost, Rank, readiness::wait_readable};

/// Who is alive among the ranks of a group: each tells the others several times a second on a connection of its own.
///
/// A rank that computes for a long time is alive; one that is stopped, hung or unplugged is silent, and one whose process
/// ended closes its connection. So a wait for a result may be long, and a lost rank is noticed soon all the same.
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

impl Pulse {
    /// Begins to beat on `streams`, one per other rank.
    pub fn start(streams: Vec<Option<TcpStream>>) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            lost: Mutex::new(None),
            is_lost: AtomicBool::new(false),
            ended: AtomicBool::new(false),
        });
        let mut watched = Vec::new();
        for (rank, stream) in streams.into_iter().enumerate() {
            if let Some(stream) = stream {
                stream.set_nonblocking(true)?;
                watched.push(Watched { rank: Rank(rank as u16), stream, heard: Instant::now() });
            }
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
            let silent = watched.heard.elapsed();
            match watched.listen() {
                Err(why) => lost = lost.or(Some((watched.rank, why))),
                Ok(true) => {}
                Ok(false) if silent > SILENCE_MAX && woke.elapsed() < BEAT => {
                    lost = lost.or(Some((watched.rank, Lost::Silent { waited: silent })));
                }
                Ok(false) => {}
            }
        }
        if let Some((rank, why)) = lost {
            watched.retain(|watched| watched.rank != rank);
            let mut first = shared.lost.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert((rank, why));
            shared.is_lost.store(true, Ordering::Release);
        }
    }
}

impl Watched {
    /// Whether anything was heard since the last time.
    fn listen(&mut self) -> Result<bool, Lost> {
        let mut bytes = [0; 64];
        let mut heard = false;
        loop {
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(Lost::Closed),
                Ok(_) => {
                    heard = true;
                    self.heard = Instant::now();
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(heard),
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
        let ((a0, a1), (b0, _silent)) = (pair(), pair());
        let here = Pulse::start(vec![None, Some(a0), Some(b0)]).unwrap();
        let there = Pulse::start(vec![Some(a1), None]).unwrap();
        let (rank, why) = wait_for(&here);
        assert_eq!(rank, Rank(2));
        assert!(matches!(why, Lost::Silent { .. }), "{why}");
        assert_eq!(there.lost(), None);
        drop(here);
        assert_eq!(wait_for(&there), (Rank(0), Lost::Closed));
    }
}
