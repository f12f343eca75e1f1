//! What reaches a link's port without the secret, or damages its bytes on the way.

use std::{
    io::{Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    os::unix::net::UnixStream,
    thread,
    time::Duration,
};

use tandem_fabric::{
    Arena, Completion, Deadline, EstablishError, Kind, Link, LinkError, LinkExt, Method, NOTE_MAX,
    Protection, Rank, Secret, ShmMethod, Side, TcpMethod, TcpOptions, establish,
};

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

fn tcp(peer: u16, secret: &Secret, protection: Protection) -> TcpMethod {
    let arena = Arena::new(1 << 20).unwrap();
    TcpMethod::new(&arena, Rank(peer), secret, TcpOptions { protection, ..TcpOptions::default() })
}

/// Session, two bytes of options, then the address as text.
fn split(offer: &[u8]) -> (&[u8], SocketAddr) {
    (&offer[..18], std::str::from_utf8(&offer[18..]).unwrap().parse().unwrap())
}

#[test]
fn strangers_get_nothing_and_do_not_hinder() {
    let secret = Secret::random();
    let (mut lead, mut follow) = (tcp(1, &secret, Protection::None), tcp(0, &secret, Protection::None));
    let lead_offer = lead.offer(soon()).unwrap();
    let follow_offer = follow.offer(soon()).unwrap();
    let (_, address) = split(&lead_offer);

    // More of them than the gate keeps waiting at a time; some say nothing, some say too much.
    let mut silent: Vec<_> = (0..40).map(|_| TcpStream::connect(address).unwrap()).collect();
    let mut loud: Vec<_> = (0..10u8)
        .map(|seed| {
            let mut stream = TcpStream::connect(address).unwrap();
            let garbage: Vec<u8> = (0..500u32).map(|i| (i * 31 + u32::from(seed)) as u8).collect();
            stream.write_all(&garbage).unwrap();
            stream
        })
        .collect();
    let mut imitator = TcpStream::connect(address).unwrap();
    imitator.write_all(&[b"TANDEM\x00\x01".as_slice(), &[0; 72]].concat()).unwrap();
    loud.push(imitator);

    let (lead, follow) = thread::scope(|scope| {
        let follow = scope.spawn(|| follow.connect(&lead_offer, Side::Follow, soon()));
        (lead.connect(&follow_offer, Side::Lead, soon()), follow.join().unwrap())
    });
    let (mut lead, mut follow) = (lead.unwrap(), follow.unwrap());
    lead.send_note(b"hello", soon()).unwrap();
    let mut note = [0; NOTE_MAX];
    assert_eq!(follow.recv_note(&mut note, soon()), Ok(5));
    for stream in silent.iter_mut().chain(&mut loud) {
        let mut heard = Vec::new();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        // The end of the stream or a reset; never a byte.
        let _ = stream.read_to_end(&mut heard);
        assert!(heard.is_empty(), "a stranger heard {heard:?}");
    }
}

#[test]
fn a_wrong_secret_is_refused() {
    let (mut here, mut there) = UnixStream::pair().unwrap();
    let deadline = Deadline::after(Duration::from_secs(4));
    let (lead, follow) = thread::scope(|scope| {
        let follow = scope.spawn(|| {
            let methods: Vec<Box<dyn Method>> =
                vec![Box::new(tcp(0, &Secret::new([1; 32]), Protection::None))];
            establish(&mut there, Side::Follow, methods, deadline)
        });
        let methods: Vec<Box<dyn Method>> = vec![Box::new(tcp(1, &Secret::new([2; 32]), Protection::None))];
        (establish(&mut here, Side::Lead, methods, deadline), follow.join().unwrap())
    });
    for (side, result) in [("lead", lead), ("follow", follow)] {
        match result {
            Err(EstablishError::Nothing { reasons }) => assert_eq!(reasons.len(), 1, "{side}: {reasons:?}"),
            Err(EstablishError::Control(_)) => {}
            other => panic!("{side}: {other:?}"),
        }
    }
}

/// A method that is never there.
struct Missing;

impl Method for Missing {
    fn kind(&self) -> Kind {
        Kind::Verbs
    }
    fn offer(&mut self, _deadline: Deadline) -> Result<Vec<u8>, String> {
        Err("no device".into())
    }
    fn connect(&mut self, _offer: &[u8], _side: Side, _deadline: Deadline) -> Result<Box<dyn Link>, String> {
        Err("no device".into())
    }
}

#[test]
fn the_best_common_link_is_taken_and_the_rest_explained() {
    let secret = Secret::random();
    let (mut here, mut there) = UnixStream::pair().unwrap();
    let methods = |peer: u16, shm: bool| -> Vec<Box<dyn Method>> {
        let arena = Arena::new(1 << 20).unwrap();
        let other: Box<dyn Method> =
            if shm { Box::new(ShmMethod::new(&arena, Rank(peer), &secret)) } else { Box::new(Missing) };
        vec![Box::new(Missing), other, Box::new(tcp(peer, &secret, Protection::None))]
    };
    let _ = methods(0, false).len();
    let (lead, follow) = thread::scope(|scope| {
        let follow = scope.spawn(|| establish(&mut there, Side::Follow, methods(0, true), soon()).unwrap());
        (establish(&mut here, Side::Lead, methods(1, true), soon()).unwrap(), follow.join().unwrap())
    });
    assert_eq!((lead.kind, follow.kind), (Kind::Shm, Kind::Shm));
    assert_eq!(lead.reasons, [(Kind::Verbs, "no device".to_string())]);

    let (mut here, mut there) = UnixStream::pair().unwrap();
    let different = thread::scope(|scope| {
        scope.spawn(|| establish(&mut there, Side::Follow, methods(0, false), soon()));
        establish(&mut here, Side::Lead, methods(1, true), soon())
    });
    assert!(matches!(different, Err(EstablishError::Differ { ours: Kind::Shm, .. })), "{different:?}");
}

/// What happens to the bytes of one connection after its handshake.
#[derive(Clone, Copy)]
enum Damage {
    /// One bit of the byte at this place.
    Flip(usize),
    /// Everything, from this seed.
    Replace(u64),
}

/// Opens a link whose caller goes through a proxy that damages connection `lane`.
fn damaged(protection: Protection, lane: usize, damage: Damage) -> (Box<dyn Link>, Box<dyn Link>) {
    let secret = Secret::random();
    let (mut lead, mut follow) = (tcp(1, &secret, protection), tcp(0, &secret, protection));
    let lead_offer = lead.offer(soon()).unwrap();
    let follow_offer = follow.offer(soon()).unwrap();
    let (head, address) = split(&lead_offer);
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    let detour = [head, proxy.local_addr().unwrap().to_string().as_bytes()].concat();
    thread::spawn(move || {
        for number in 0..2 {
            let (caller, _) = proxy.accept().unwrap();
            let host = TcpStream::connect(address).unwrap();
            let (from, to) = (host.try_clone().unwrap(), caller.try_clone().unwrap());
            thread::spawn(move || relay(from, to, None));
            let damage = (number == lane).then_some(damage);
            thread::spawn(move || relay(caller, host, damage));
        }
    });
    thread::scope(|scope| {
        let follow = scope.spawn(|| follow.connect(&detour, Side::Follow, soon()).unwrap());
        (lead.connect(&follow_offer, Side::Lead, soon()).unwrap(), follow.join().unwrap())
    })
}

const HANDSHAKE: usize = 80 + 32;

fn relay(mut from: TcpStream, mut to: TcpStream, damage: Option<Damage>) {
    let mut passed = 0;
    let mut bytes = [0; 4096];
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        for (i, byte) in bytes[..n].iter_mut().enumerate() {
            let Some(at) = (passed + i).checked_sub(HANDSHAKE) else { continue };
            match damage {
                Some(Damage::Flip(place)) if place == at => *byte ^= 0x10,
                Some(Damage::Replace(seed)) => {
                    let mixed = (seed + at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    *byte = (mixed >> 29) as u8;
                }
                _ => {}
            }
        }
        passed += n;
        if to.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}

#[test]
fn damaged_messages_are_found() {
    for protection in [Protection::Checksum, Protection::Encrypted] {
        for place in [0, 5, 20, 33, 47, 48, 100, 5047] {
            let (mut lead, mut follow) = damaged(protection, 1, Damage::Flip(place));
            let arena = Arena::new(1 << 20).unwrap();
            follow.post_send(arena.alloc_zeroed::<u8>(5000).unwrap().share()).unwrap();
            lead.post_recv(arena.alloc(5000).unwrap()).unwrap();
            // A damaged length may wait for bytes that never come: that ends with the stream.
            drop(follow);
            let found = lead.wait(soon());
            assert!(
                matches!(
                    found,
                    Err(LinkError::Corrupt { .. } | LinkError::Overrun { .. } | LinkError::PeerLost { .. })
                ),
                "{protection:?}, byte {place}: {found:?}"
            );
            let sure = !(4..48).contains(&place);
            assert!(
                !sure || matches!(found, Err(LinkError::Corrupt { .. })),
                "{protection:?}, byte {place}: {found:?}"
            );
            assert!(!sure || lead.counters().checksum_errors == 1);
        }
    }
}

#[test]
fn damaged_notes_are_found() {
    for protection in [Protection::Checksum, Protection::Encrypted] {
        let (mut lead, mut follow) = damaged(protection, 0, Damage::Flip(9));
        follow.send_note(b"twelve bytes", soon()).unwrap();
        let found = lead.recv_note(&mut [0; NOTE_MAX], soon());
        assert!(matches!(found, Err(LinkError::Corrupt { .. })), "{found:?}");
    }
}

#[test]
fn garbage_on_an_open_link_is_an_error_not_a_panic() {
    let arena = Arena::new(4 << 20).unwrap();
    for seed in 0..60 {
        let protection = [Protection::None, Protection::Checksum, Protection::Encrypted][seed as usize % 3];
        let lane = seed as usize / 3 % 2;
        let (mut lead, mut follow) = damaged(protection, lane, Damage::Replace(seed * 1000));
        follow.post_send(arena.alloc_zeroed::<u8>(3000).unwrap().share()).unwrap();
        for _ in 0..20 {
            follow.send_note(&[7; 50], soon()).unwrap();
        }
        lead.post_recv(arena.alloc(10_000).unwrap()).unwrap();
        drop(follow);
        let found = if lane == 0 {
            let mut result = Ok(0);
            while result.is_ok() {
                result = lead.recv_note(&mut [0; NOTE_MAX], soon());
            }
            result.map(drop)
        } else {
            match lead.wait(soon()) {
                Ok(Completion::Received { .. }) => panic!("garbage was taken for a message"),
                other => other.map(drop),
            }
        };
        assert!(found.is_err(), "seed {seed}: {found:?}");
    }
}
