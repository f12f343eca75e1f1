//! The one suite, over every link that needs no hardware.

use std::{os::unix::net::UnixStream, thread, time::Duration};

use tandem_fabric::{
    Arena, Bundle, Deadline, Delayed, Faults, Link, LinkExt, MemLink, Method, NOTE_MAX, Protection, Rank,
    Secret, ShmLink, ShmMethod, Side, TcpMethod, TcpOptions,
    conformance::{self, ARENA, End},
    establish,
};

fn arenas() -> (Arena, Arena) {
    (Arena::new(ARENA).unwrap(), Arena::new(ARENA).unwrap())
}

fn ends(arenas: (Arena, Arena), links: (Box<dyn Link>, Box<dyn Link>)) -> (End, End) {
    (
        End { link: links.0, arena: arenas.0, side: Side::Lead },
        End { link: links.1, arena: arenas.1, side: Side::Follow },
    )
}

/// Opens a link the way two nodes do.
fn established(method: impl Fn(&Arena, Rank, &Secret) -> Box<dyn Method> + Sync) -> (End, End) {
    let arenas = arenas();
    let secret = Secret::random();
    let (mut here, mut there) = UnixStream::pair().unwrap();
    let deadline = Deadline::after(Duration::from_secs(60));
    let (lead, follow) = thread::scope(|scope| {
        let follow = scope.spawn(|| {
            let methods = vec![method(&arenas.1, Rank(0), &secret)];
            establish(&mut there, Side::Follow, methods, deadline).unwrap().link
        });
        let methods = vec![method(&arenas.0, Rank(1), &secret)];
        let lead = establish(&mut here, Side::Lead, methods, deadline).unwrap().link;
        (lead, follow.join().unwrap())
    });
    ends(arenas, (lead, follow))
}

fn mem(faults: Faults) -> (End, End) {
    let (a, b) = MemLink::pair(Rank(0), Rank(1), [faults, Faults { seed: faults.seed + 1, ..faults }], true);
    ends(arenas(), (Box::new(a), Box::new(b)))
}

fn tcp(connections: u8, protection: Protection) -> (End, End) {
    established(|arena, peer, secret| {
        let options = TcpOptions { connections, protection, ..TcpOptions::default() };
        Box::new(TcpMethod::new(arena, peer, secret, options))
    })
}

#[test]
fn mem_conforms() {
    conformance::run_all(|| mem(Faults::default()));
}

#[test]
fn mem_with_delays_conforms() {
    conformance::run_all(|| mem(Faults { seed: 5, delay_us_max: 200, ..Faults::default() }));
}

#[test]
fn shm_conforms() {
    conformance::run_all(|| established(|arena, peer, secret| Box::new(ShmMethod::new(arena, peer, secret))));
}

#[test]
fn tcp_conforms() {
    conformance::run_all(|| tcp(1, Protection::None));
}

/// Its own notes fill the connection, and cannot be sent any more when it looks for the peer's.
#[test]
fn tcp_tells_what_was_said_before_closing() {
    let deadline = Deadline::after(Duration::from_secs(60));
    let (mut lead, mut follow) = tcp(1, Protection::None);
    while follow.link.try_send_note(&[0; NOTE_MAX]).unwrap() {}
    lead.link.send_note(b"bye", deadline).unwrap();
    drop(lead);
    assert_eq!(follow.link.recv_note(&mut [0; NOTE_MAX], deadline), Ok(3));
}

#[test]
fn tcp_over_several_connections_with_checksums_conforms() {
    conformance::run_all(|| tcp(3, Protection::Checksum));
}

#[test]
fn tcp_encrypted_conforms() {
    conformance::run_all(|| tcp(2, Protection::Encrypted));
}

#[test]
fn a_delayed_link_conforms() {
    conformance::run_all(|| {
        let arenas = arenas();
        let (a, b) = ShmLink::pair((Rank(0), &arenas.0), (Rank(1), &arenas.1)).unwrap();
        let delay = Duration::from_micros(50);
        ends(arenas, (Box::new(Delayed::new(a, delay)), Box::new(Delayed::new(b, delay))))
    });
}

#[test]
fn a_bundle_of_cables_conforms() {
    conformance::run_all(|| {
        let arenas = arenas();
        let ranks = (Rank(0), Rank(1));
        let (a, b) = ShmLink::pair((ranks.0, &arenas.0), (ranks.1, &arenas.1)).unwrap();
        let mut lead: Vec<Box<dyn Link>> = vec![Box::new(a)];
        let mut follow: Vec<Box<dyn Link>> = vec![Box::new(b)];
        for seed in 0..2 {
            let faults = Faults { seed, delay_us_max: 100, ..Faults::default() };
            let (a, b) = MemLink::pair(ranks.0, ranks.1, [faults; 2], true);
            lead.push(Box::new(a));
            follow.push(Box::new(b));
        }
        let rates = [3.0, 1.0, 2.0];
        let bundle = |links| -> Box<dyn Link> { Box::new(Bundle::new(links, &rates).unwrap()) };
        ends(arenas, (bundle(lead), bundle(follow)))
    });
}
