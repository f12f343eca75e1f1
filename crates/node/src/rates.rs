//! What a transfer of weights reaches, beside what its link carries, between two processes or machines: the one that receives
//! measures, the one that sends does as it is told over a connection of their own.
//!
//! In turns: bytes over one link that nobody looks at; over as many links as a transfer uses; over one link and into a file;
//! and half of a model, checked and written, as a node fetches it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tandem_fabric::{
    Arena, Attended, Buf, Completion, Deadline, Link, LinkExt, LinkTerms, Lobby, Meeting, Rank,
};
use tandem_ranks::LinkChoice;
use tandem_runtime::ModelFile;

use crate::errands::{GUEST, HOST};
use crate::fetcher::{heads, lanes_max, run_lane};
use crate::hex::random_bytes;
use crate::slices::{UNIT_BYTES, of_program, units};
use crate::weights::haul::Haul;
use crate::weights::partial::Partial;
use crate::weights::{Lane, Offer, WINDOW};

/// Bytes per second of one round.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Rates {
    pub bytes: u64,
    /// Over one link, thrown away.
    pub link: f64,
    /// Over as many links as a transfer has.
    pub links: f64,
    /// Over one link, written to a file.
    pub written: f64,
    pub transfer: f64,
}

/// What the sending end is told: come to a meeting, and send.
#[derive(Serialize, Deserialize)]
struct Call {
    address: SocketAddr,
    secret: [u8; 32],
    /// So many bytes of no meaning; otherwise what is asked for of the model.
    raw_bytes: Option<u64>,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

const PATIENCE: Duration = Duration::from_secs(30);
const ARENA_BYTES: usize = 32 << 20;

/// The end that has the model at `path`; returns when the other has hung up.
pub fn send(path: &Path, to: SocketAddr) -> Result<(), Failure> {
    let orders = connect(to)?;
    std::thread::scope(|scope| {
        for line in BufReader::new(orders).lines() {
            let call: Call = serde_json::from_str(&line?)?;
            scope.spawn(move || {
                if let Err(error) = answer(path, &call) {
                    eprintln!("{error}");
                }
            });
        }
        Ok(())
    })
}

fn connect(to: SocketAddr) -> io::Result<TcpStream> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match TcpStream::connect(to) {
            Err(_) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(50)),
            connected => return connected,
        }
    }
}

fn answer(path: &Path, call: &Call) -> Result<(), Failure> {
    let lobby = Lobby::open(call.address.ip()).or_else(|_| Lobby::open([0, 0, 0, 0].into()))?;
    let attended = attend(lobby, GUEST, call.secret, call.address)?;
    let Attended { arena, mut links, pulse: _pulse } = attended;
    let mut link = links.swap_remove(usize::from(HOST)).ok_or("no link")?.link;
    match call.raw_bytes {
        Some(bytes) => send_raw(&mut *link, &arena, bytes),
        None => Ok(Offer::of(path)?.send(&mut *link, &arena, &call.secret)?),
    }
}

fn attend(lobby: Lobby, me: u16, secret: [u8; 32], host: SocketAddr) -> Result<Attended, Failure> {
    let terms = LinkTerms { link: LinkChoice::Tcp, ..LinkTerms::default() };
    let meeting = Meeting::under(secret, vec![vec![host], Vec::new()], terms);
    Ok(meeting.attend(lobby, Rank(me), ARENA_BYTES, Deadline::after(PATIENCE))?)
}

fn send_raw(link: &mut dyn Link, arena: &Arena, bytes: u64) -> Result<(), Failure> {
    let mut spare = (0..WINDOW)
        .map(|_| Ok(arena.alloc(UNIT_BYTES as usize)?.share()))
        .collect::<Result<Vec<_>, Failure>>()?;
    for _ in 0..bytes.div_ceil(UNIT_BYTES) {
        let buf = match spare.pop() {
            Some(buf) => buf,
            None => match link.wait(Deadline::after(PATIENCE))? {
                Completion::Sent(buf) => buf,
                Completion::Received { .. } => return Err("something came".into()),
            },
        };
        link.post_send(buf)?;
    }
    // The other side says when it has it all.
    link.recv_note(&mut [0; tandem_fabric::NOTE_MAX], Deadline::after(PATIENCE))?;
    Ok(())
}

/// The end that measures, `rounds` times; files go below `folder`, and are removed.
pub fn receive(
    at: SocketAddr,
    folder: &Path,
    rounds: usize,
    mut told: impl FnMut(Rates),
) -> Result<(), Failure> {
    let (orders, _) = TcpListener::bind(at)?.accept()?;
    let guide = Guide { orders, host: at };
    let mut bytes = 0;
    for round in 0..=rounds {
        let target = folder.join(format!("rates-{}-{round}", std::process::id()));
        let transfer = guide.transfer(&target);
        let _ = std::fs::remove_dir_all(&target);
        let (fetched, transfer) = transfer?;
        // The first round warms both sides up, and says how much there is.
        if round > 0 {
            let link = guide.raw(bytes, 1, None)?;
            let links = guide.raw(bytes, lanes_max(), None)?;
            let file = File::create(&target)?;
            let written = guide.raw(bytes, 1, Some(&file));
            std::fs::remove_file(&target)?;
            told(Rates { bytes, link, links, written: written?, transfer });
        }
        bytes = fetched;
    }
    Ok(())
}

struct Guide {
    orders: TcpStream,
    host: SocketAddr,
}

impl Guide {
    fn call(&self, raw_bytes: Option<u64>) -> Result<(Attended, [u8; 32]), Failure> {
        let lobby = Lobby::open(self.host.ip())?;
        let secret = random_bytes()?;
        let call = Call { address: lobby.address(), secret, raw_bytes };
        (&self.orders).write_all(format!("{}\n", serde_json::to_string(&call)?).as_bytes())?;
        let host = lobby.address();
        Ok((attend(lobby, HOST, secret, host)?, secret))
    }

    fn raw(&self, bytes: u64, links: usize, into: Option<&File>) -> Result<f64, Failure> {
        let share = bytes.div_ceil(UNIT_BYTES).div_ceil(links as u64) * UNIT_BYTES;
        let mut attended =
            (0..links).map(|_| Ok(self.call(Some(share))?.0)).collect::<Result<Vec<_>, Failure>>()?;
        let begin = Instant::now();
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                attended.iter_mut().map(|it| scope.spawn(move || receive_raw(it, share, into))).collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Err("a thread ended".into())))
        })?;
        Ok((share * links as u64) as f64 / begin.elapsed().as_secs_f64())
    }

    /// Half of the model, as the second of two ranks needs it.
    fn transfer(&self, folder: &Path) -> Result<(u64, f64), Failure> {
        let (attended, secret) = self.call(None)?;
        let Attended { arena, mut links, pulse: _pulse } = attended;
        let mut link = links.pop().flatten().ok_or("no link")?.link;
        let mut lane = Lane::new(&mut *link, &arena, &secret)?;
        let listing = lane.listing()?;
        let partial = Partial::open(folder, &listing)?;
        Haul::new(&partial, &heads(&listing)).run(&mut lane)?;
        let weights = tandem_formats::open(partial.path())?;
        Haul::new(&partial, &units(&weights.needed_first())).run(&mut lane)?;
        let file = ModelFile::open(partial.path())?;
        let model = file.description()?;
        let shards = file.divide(&model, 0..model.layers.len(), &[1.0, 1.0])?;
        let needed = of_program(file.weights(), &file.program(&model, &shards[1])?)?;
        let haul = Haul::new(&partial, &needed);
        let mut more = (1..lanes_max()).map(|_| self.call(None)).collect::<Result<Vec<_>, Failure>>()?;
        let begin = Instant::now();
        let mut lanes: Vec<Box<dyn FnOnce() + Send + '_>> = vec![Box::new(|| {
            let _ = haul.run(&mut lane);
            lane.end();
        })];
        for meeting in &mut more {
            let haul = &haul;
            lanes.push(Box::new(move || _ = run_lane(haul, meeting)));
        }
        haul.drive(lanes, &|_, _| {}, &AtomicBool::new(false));
        let took = begin.elapsed().as_secs_f64();
        let fetched = haul.finish().map_err(|error| format!("not all came: {error:?}"))?;
        partial.close();
        Ok((fetched.bytes, fetched.bytes as f64 / took))
    }
}

fn receive_raw(attended: &mut Attended, bytes: u64, into: Option<&File>) -> Result<(), Failure> {
    let Attended { arena, links, .. } = attended;
    let link = &mut links.last_mut().and_then(Option::as_mut).ok_or("no link")?.link;
    let count = bytes.div_ceil(UNIT_BYTES);
    for _ in 0..(WINDOW as u64).min(count) {
        link.post_recv(arena.alloc(UNIT_BYTES as usize)?)?;
    }
    for got in 0..count {
        let buf: Buf = match link.wait(Deadline::after(PATIENCE))? {
            Completion::Received { buf, .. } => buf,
            Completion::Sent(_) => return Err("nothing was sent".into()),
        };
        if let Some(file) = into {
            file.write_all_at(&buf, got * UNIT_BYTES)?;
        }
        if got + (WINDOW as u64) < count {
            link.post_recv(buf)?;
        }
    }
    link.send_note(&[0], Deadline::after(PATIENCE))?;
    Ok(())
}
