//! The verbs link on real kernel devices. These tests need the RDMA lab's guests: `lab/run` boots them and runs this
//! binary there. Anywhere else they say that they were skipped.

#[path = "verbs_lab/guest.rs"]
mod guest;
#[path = "verbs_lab/latency.rs"]
mod latency;

use std::{
    io::{Read, Write},
    net::TcpStream,
    os::unix::net::UnixStream,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use guest::{Guest, Mode, established};
use tandem_fabric::{
    Arena, Completion, Deadline, Kind, LinkError, LinkExt, LinkTerms, Lobby, Lost, Meeting, Method, Rank,
    Side,
    conformance::{self, ARENA, CASES, End},
    verbs::{Rules, VerbsMethod, VerbsOptions},
};

/// The arena both ends of these tests share: registering it anew for every case would take most of the time.
fn ends(mode: Mode, arenas: &(Arena, Arena)) -> (End, End) {
    let (mut here, mut there) = UnixStream::pair().unwrap();
    let (lead, follow) = thread::scope(|scope| {
        let follow = scope
            .spawn(|| established(&mut there, Side::Follow, &arenas.1, Rank(0), Some("rxe-right"), mode));
        let lead = established(&mut here, Side::Lead, &arenas.0, Rank(1), Some("rxe-left"), mode);
        (lead, follow.join().unwrap())
    });
    (
        End { link: lead, arena: arenas.0.clone(), side: Side::Lead },
        End { link: follow, arena: arenas.1.clone(), side: Side::Follow },
    )
}

#[test]
fn one_guest_conforms() {
    let Some(_) = Guest::alone("one_guest_conforms") else { return };
    let arenas = (Arena::new(ARENA).unwrap(), Arena::new(ARENA).unwrap());
    let before = guest::resources();
    for mode in Mode::ALL {
        for case in CASES {
            let started = Instant::now();
            conformance::run_between_threads(case, || ends(mode, &arenas));
            println!("{mode}: {} passed in {:.2} s", case.name, started.elapsed().as_secs_f64());
        }
    }
    assert_eq!(guest::resources(), before, "queue pairs, regions or other resources were left behind");
}

/// Every pair of guests at once, over the cable between them.
#[test]
fn mesh_conforms() {
    let Some(guest) = Guest::among_others("mesh_conforms") else { return };
    let before = guest::resources();
    thread::scope(|scope| {
        for peer in (0..guest.nodes).filter(|&p| p != guest.role) {
            let guest = &guest;
            scope.spawn(move || conform_with(guest, peer));
        }
    });
    assert_eq!(guest::resources(), before, "queue pairs, regions or other resources were left behind");
}

/// As long as the device waits before it sends again.
const STOOD_STILL: Duration = Duration::from_millis(268);

/// Tells the other side how a case went here, and for how long this machine stood still; what the other side says.
fn tell(control: &mut TcpStream, passed: bool, longest: Duration) -> (bool, Duration) {
    let micros = longest.as_micros() as u64;
    control.write_all(&(micros << 1 | u64::from(passed)).to_le_bytes()).unwrap();
    let mut said = [0; 8];
    control.read_exact(&mut said).unwrap();
    let said = u64::from_le_bytes(said);
    (said & 1 == 1, Duration::from_micros(said >> 1))
}

fn conform_with(guest: &Guest, peer: u16) {
    let arena = Arena::new(ARENA).unwrap();
    let side = if guest.role < peer { Side::Lead } else { Side::Follow };
    let mut control = guest.call(peer);
    for mode in guest::modes() {
        let started = Instant::now();
        let only = std::env::var("LAB_cases").unwrap_or_default();
        for case in
            CASES.iter().filter(|case| only.is_empty() || only.split(',').any(|name| name == case.name))
        {
            let what = format!("{mode} with guest {peer}: {}", case.name);
            let mut stood = Vec::new();
            loop {
                let late = Lateness::measure();
                // No device is named: the cable is found by its subnet.
                let link = established(&mut control, side, &arena, Rank(peer), None, mode);
                let outcome = (case.run)(End { link, arena: arena.clone(), side });
                let longest = late.end().longest;
                let (theirs, longest_there) = tell(&mut control, outcome.is_ok(), longest);
                if outcome.is_ok() && theirs {
                    break;
                }
                // A peer that is silent for a second is given up, and on a busy host an emulated machine can be.
                stood.push(longest.max(longest_there));
                let excused = stood.iter().all(|longest| *longest >= STOOD_STILL) && stood.len() < 3;
                assert!(excused, "{what}: {outcome:?}, the longest that a machine stood still: {stood:?}");
                println!("once more, a machine stood still for {stood:?}: {what}: {outcome:?}");
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        println!("{mode} with guest {peer}: {} cases passed in {seconds:.1} s", CASES.len());
    }
}

/// A peer that is killed is lost, before or in the middle of a long message. A reliable connection notices at once; over an unreliable one
/// nothing tells of it, and the deadline ends the wait.
#[test]
fn a_killed_peer_is_lost() {
    let Some(_) = Guest::alone("a_killed_peer_is_lost") else { return };
    let arena = Arena::new(64 << 20).unwrap();
    for (name, mode) in [("rc", Mode::RELIABLE), ("uc", Mode::THUNDERBOLT)] {
        for stage in ["before", "during"] {
            let (address, listener) = guest::listen_locally();
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "victim", "--nocapture"])
                .env("LAB_victim", address)
                .env("LAB_stage", stage)
                .env("LAB_mode", name)
                .spawn()
                .unwrap();
            let mut control = listener.accept().unwrap().0;
            let mut link = established(&mut control, Side::Lead, &arena, Rank(1), Some("rxe-left"), mode);
            let deadline = Deadline::after(Duration::from_secs(20));
            link.recv_note(&mut [0; 112], deadline).unwrap();
            if stage == "during" {
                for _ in 0..3 {
                    link.post_recv(arena.alloc(16 << 20).unwrap()).unwrap();
                }
                // The victim sends one message and a part of the next before it has to stop.
                assert!(matches!(link.wait(deadline), Ok(Completion::Received { .. })));
            } else {
                link.post_recv(arena.alloc(100).unwrap()).unwrap();
            }
            child.kill().unwrap();
            child.wait().unwrap();
            let late = Lateness::measure();
            let allowed = Duration::from_secs(if mode == Mode::RELIABLE { 20 } else { 2 });
            let deadline = Deadline::after(allowed);
            let lost = loop {
                match link.wait(deadline) {
                    Ok(_) => {}
                    Err(error) => break error,
                }
            };
            let (waited, late) = (deadline.waited(), late.end().sum);
            println!("{mode}: killed {stage} a message: {lost} (after {waited:?}, timers {late:?} late)");
            let LinkError::PeerLost { rank: Rank(1), why } = &lost else {
                panic!("{lost:?} instead of a lost peer");
            };
            if mode == Mode::RELIABLE {
                assert!(matches!(why, Lost::Transport(_)) && !deadline.expired(), "{lost:?}");
                assert_eq!(link.poll().unwrap_err(), lost);
            } else {
                assert!(matches!(why, Lost::Silent { .. }), "{lost:?}");
                assert!(waited <= allowed + Duration::from_millis(100) + late, "{waited:?}");
            }
        }
    }
}

/// How late timers are on this machine meanwhile: an emulated one on a busy host can stand still.
struct Lateness {
    ended: Arc<AtomicBool>,
    thread: thread::JoinHandle<Late>,
}

#[derive(Default)]
struct Late {
    sum: Duration,
    longest: Duration,
}

impl Lateness {
    fn measure() -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&ended);
        let thread = thread::spawn(move || {
            let step = Duration::from_millis(10);
            let mut late = Late::default();
            while !seen.load(Ordering::Relaxed) {
                let begin = Instant::now();
                thread::sleep(step);
                let this = begin.elapsed().saturating_sub(step);
                late.sum += this;
                late.longest = late.longest.max(this);
            }
            late
        });
        Self { ended, thread }
    }

    fn end(self) -> Late {
        self.ended.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}

/// The other process of `a_killed_peer_is_lost`.
#[test]
fn victim() {
    let Ok(address) = std::env::var("LAB_victim") else { return };
    let mut control = TcpStream::connect(address).unwrap();
    let arena = Arena::new(64 << 20).unwrap();
    let mode = match std::env::var("LAB_mode").as_deref() {
        Ok("uc") => Mode::THUNDERBOLT,
        _ => Mode::RELIABLE,
    };
    let mut link = established(&mut control, Side::Follow, &arena, Rank(0), Some("rxe-right"), mode);
    let deadline = Deadline::after(Duration::from_secs(30));
    link.send_note(b"ready", deadline).unwrap();
    let messages = if std::env::var("LAB_stage").as_deref() == Ok("during") { 3 } else { 0 };
    for _ in 0..messages {
        link.post_send(arena.alloc(16 << 20).unwrap().share()).unwrap();
    }
    // Killed while in here, at the latest by the guest's end.
    let _ = link.recv_note(&mut [0; 112], deadline);
}

/// A cable pulled between two messages: both ends notice, reliable or not.
#[test]
fn a_pulled_cable_is_noticed() {
    let Some(_) = Guest::alone("a_pulled_cable_is_noticed") else { return };
    let arenas = (Arena::new(1 << 20).unwrap(), Arena::new(1 << 20).unwrap());
    for mode in [Mode::RELIABLE, Mode::THUNDERBOLT] {
        let (mut here, mut there) = ends(mode, &arenas);
        here.link.post_recv(here.arena.alloc(100).unwrap()).unwrap();
        there.link.post_recv(there.arena.alloc(100).unwrap()).unwrap();
        guest::shell("ip link set left down");
        thread::scope(|scope| {
            for end in [&mut here, &mut there] {
                scope.spawn(move || {
                    let deadline = Deadline::after(Duration::from_secs(20));
                    let lost = end.link.wait(deadline).unwrap_err();
                    println!("{mode}: {lost}");
                    assert!(matches!(lost, LinkError::PeerLost { why: Lost::Transport(_), .. }), "{lost:?}");
                });
            }
        });
        drop((here, there));
        guest::shell("ip link set left up");
        guest::restore_cable();
    }
}

/// Ranks that meet elsewhere beat between the addresses of their verbs ports, too. Reliable or not, nothing else would tell of a path that
/// drops what is sent while both ports stay up and the peer computes.
#[test]
fn a_silent_cable_is_noticed_beside_the_meeting() {
    let Some(_) = Guest::alone("a_silent_cable_is_noticed_beside_the_meeting") else { return };
    // A connection to an address of one's own comes from that address, by which ranks of one host know each other. These two come from
    // each other's, as between hosts.
    guest::shell(
        "ip addr add 10.9.0.1/32 dev lo
         ip addr add 10.9.0.2/32 dev lo
         ip route change local 10.9.0.1 dev lo table local src 10.9.0.2
         ip route change local 10.9.0.2 dev lo table local src 10.9.0.1",
    );
    let lobbies = ["10.9.0.1", "10.9.0.2"].map(|host| Lobby::open(host.parse().unwrap()).unwrap());
    let addresses = lobbies.iter().map(|lobby| vec![lobby.address()]).collect();
    let meeting = Meeting::new(addresses, LinkTerms::default());
    let deadline = Deadline::after(Duration::from_secs(120));
    let attended = thread::scope(|scope| {
        let mut rank = 0;
        let ranks = lobbies.map(|lobby| {
            let (meeting, me) = (&meeting, Rank(rank));
            rank += 1;
            scope.spawn(move || meeting.attend(lobby, me, 1 << 20, deadline).unwrap())
        });
        ranks.map(|rank| rank.join().unwrap())
    });
    for link in attended.iter().flat_map(|attended| attended.links.iter().flatten()) {
        assert_eq!((link.kind, &link.reasons[..]), (Kind::Verbs, &[][..]));
        assert_eq!(link.link.routes().len(), 1);
    }
    guest::shell(
        "ip rule add to 10.7.0.0/24 ipproto 6 priority 5 blackhole
         ip rule add lookup local priority 10
         ip rule del priority 0",
    );
    let mut lost = [None, None];
    while lost.contains(&None) && !deadline.expired() {
        lost = [0, 1].map(|rank| attended[rank].pulse.lost());
        thread::yield_now();
    }
    guest::shell(
        "ip rule add lookup local priority 0; ip rule del priority 10; ip rule del priority 5
         ip addr del 10.9.0.1/32 dev lo; ip addr del 10.9.0.2/32 dev lo",
    );
    println!("{lost:?}");
    let lost = lost.map(Option::unwrap);
    assert_eq!(lost.each_ref().map(|(rank, _)| *rank), [Rank(1), Rank(0)]);
    // The first to notice closes its connections, which the other may see before it notices itself.
    let is_cut = |why: &Lost| matches!(why, Lost::Cut { route, .. } if route.here != route.there);
    assert!(lost.iter().any(|(_, why)| is_cut(why)), "{lost:?}");
}

#[test]
fn what_is_missing_is_said() {
    let Some(_) = Guest::alone("what_is_missing_is_said") else { return };
    let arena = Arena::new(1 << 20).unwrap();
    let deadline = Deadline::after(Duration::from_secs(20));
    // The kernel's RDMA devices follow its interfaces a moment later, on a busy machine a long one.
    let is_told = |device: &str, words: [&str; 2]| loop {
        let options = VerbsOptions { device: Some(device.into()), ..VerbsOptions::default() };
        let told = VerbsMethod::with(&arena, Rank(1), options).offer(deadline).map(drop);
        if told.as_ref().is_err_and(|why| words.iter().all(|word| why.contains(word))) {
            break;
        }
        assert!(!deadline.expired(), "{device}: {told:?}, expected words: {words:?}");
        thread::yield_now();
    };
    is_told("rxe-nowhere", ["rxe-left", "rxe-right"]);
    guest::shell("ip addr flush dev left");
    is_told("rxe-left", ["IPv4", "fe80::"]);
    guest::shell("ip link set left down");
    is_told("rxe-left", ["rxe-left", "down"]);
    guest::shell("ip link set left up");
    guest::restore_cable();

    let offered = |rules| {
        let options =
            VerbsOptions { device: Some("rxe-left".into()), rules: Some(rules), ..VerbsOptions::default() };
        let mut method = VerbsMethod::with(&arena, Rank(1), options);
        let offer = method.offer(deadline).unwrap();
        (method, offer)
    };
    let (mut method, _) = offered(Rules::Linux);
    let (_keep, other_rules) = offered(Rules::Thunderbolt);
    let why = method.connect(&other_rules, Side::Lead, deadline).map(drop).unwrap_err();
    assert!(why.contains("Thunderbolt"), "{why}");
    let (mut method, mut elsewhere) = offered(Rules::Linux);
    // The port's address is the first thing after the offer's head of 8 bytes.
    elsewhere[8 + 13] ^= 0xff;
    let why = method.connect(&elsewhere, Side::Lead, deadline).map(drop).unwrap_err();
    assert!(why.contains("subnet"), "{why}");
}

/// Thunderbolt devices have few queue pairs: a link that is alone takes what makes it fast, another what it needs, and when there are none left
/// that is said. Messages arrive the same over either, with headers and without.
#[test]
fn scarce_queue_pairs_are_shared() {
    let Some(_) = Guest::alone("scarce_queue_pairs_are_shared") else { return };
    let arenas = (Arena::new(1 << 20).unwrap(), Arena::new(1 << 20).unwrap());
    let deadline = Deadline::after(Duration::from_secs(60));
    let (mut here, mut there) = ends(Mode::THUNDERBOLT, &arenas);
    exchange(&mut here, &mut there, deadline);
    drop((here, there));
    let offer = || {
        let options = VerbsOptions {
            device: Some("rxe-left".into()),
            rules: Some(Rules::Thunderbolt),
            ..VerbsOptions::default()
        };
        let mut method = VerbsMethod::with(&arenas.0, Rank(1), options);
        method.offer(deadline).map(|_| method)
    };
    let _standing = offer().unwrap();
    // Only the left end lacks them; both must do without.
    let (mut here, mut there) = ends(Mode::THUNDERBOLT, &arenas);
    exchange(&mut here, &mut there, deadline);
    let why = offer().map(drop).unwrap_err();
    assert!(why.contains("no queue pair left"), "{why}");
}

/// Messages of one length at a time: in step, then in turns, then several at once.
fn exchange(here: &mut End, there: &mut End, deadline: Deadline) {
    for len in [0, 1, 4071, 4072, 4095, 4096, 4097, 8192, 12_264, 16_384, 20_000, 32_767, 32_768] {
        let mut byte = len as u8;
        let mut fill = |end: &End| {
            let mut buf = end.arena.alloc(len).unwrap();
            byte = byte.wrapping_add(1);
            buf.fill(byte);
            (buf.share(), byte)
        };
        for count in [1, 1, 1, 3] {
            let mut expected = Vec::new();
            for _ in 0..count {
                for _ in 0..2 {
                    there.link.post_recv(there.arena.alloc(40_000).unwrap()).unwrap();
                    let (buf, byte) = fill(here);
                    here.link.post_send(buf).unwrap();
                    expected.push(byte);
                    std::mem::swap(here, there);
                }
            }
            for byte in expected {
                receive(there, len, byte, deadline);
                std::mem::swap(here, there);
            }
        }
        for _ in 0..6 {
            there.link.post_recv(there.arena.alloc(40_000).unwrap()).unwrap();
            let (buf, byte) = fill(here);
            here.link.post_send(buf).unwrap();
            receive(there, len, byte, deadline);
            std::mem::swap(here, there);
        }
    }
}

fn receive(end: &mut End, len: usize, byte: u8, deadline: Deadline) {
    loop {
        match end.link.wait(deadline).unwrap() {
            Completion::Received { buf, len: got } => {
                assert_eq!(got, len);
                assert!(buf[..len].iter().all(|&b| b == byte), "not the message of {len} bytes that is next");
                return;
            }
            Completion::Sent(_) => {}
        }
    }
}

/// A machine without RDMA says what to install, load or enable; nothing else happens.
#[test]
fn absence_is_explained() {
    let arena = Arena::new(1 << 20).unwrap();
    let mut method = VerbsMethod::new(&arena, Rank(1));
    match method.offer(Deadline::after(Duration::from_secs(5))) {
        Ok(offer) => assert!(!offer.is_empty(), "this machine has RDMA"),
        Err(why) => assert!(
            ["libibverbs1", "rdma_rxe", "rdma_ctl", "macOS", "interface", "uverbs"]
                .iter()
                .any(|advice| why.contains(advice)),
            "no advice in: {why}"
        ),
    }
    let connected = method.connect(b"garbage", Side::Lead, Deadline::after(Duration::from_secs(5)));
    assert!(connected.is_err());
}

/// On a cable that drops packets (`tc … netem`, set by `lab/run --full`), reliable connections repeat what was lost; others
/// never deliver anything but what was sent, in order, and then fail.
#[test]
fn loss_is_repaired_or_noticed() {
    let Some(_) = Guest::alone("loss_is_repaired_or_noticed") else { return };
    if std::env::var_os("LAB_lossy").is_none() {
        return println!("SKIPPED loss_is_repaired_or_noticed: the cable is not lossy (lab/run --full)");
    }
    let arenas = (Arena::new(ARENA).unwrap(), Arena::new(ARENA).unwrap());
    for case in CASES.iter().filter(|case| ["sizes", "many_in_flight", "notes_in_order"].contains(&case.name))
    {
        conformance::run_between_threads(case, || ends(Mode::RELIABLE, &arenas));
    }
    let (mut here, mut there) = ends(Mode::THUNDERBOLT, &arenas);
    let deadline = Deadline::after(Duration::from_secs(5));
    let (len, count) = (10_000, 2000usize);
    let received = thread::scope(|scope| {
        scope.spawn(move || {
            for number in 0..count {
                let mut buf = here.arena.alloc(len).unwrap();
                buf.fill(number as u8);
                if here.link.post_send(buf.share()).and_then(|()| here.link.wait(deadline)).is_err() {
                    return;
                }
            }
        });
        for number in 0..count {
            let buf = there.arena.alloc(len).unwrap();
            match there.link.post_recv(buf).and_then(|()| there.link.wait(deadline)) {
                Ok(Completion::Received { buf, len: got }) => {
                    assert!(got == len && buf.iter().all(|&b| b == number as u8), "message {number} differs");
                }
                Ok(other) => panic!("{other:?}"),
                Err(error) => {
                    println!("after {number} messages: {error}");
                    drop(there);
                    return number;
                }
            }
        }
        count
    });
    assert!(received < count, "no packet was lost: the test shows nothing");
    // Answers of whole frames, most of which go without a header.
    for _ in 0..4 {
        let (here, there) = ends(Mode::THUNDERBOLT, &arenas);
        let rounds = thread::scope(|scope| {
            scope.spawn(|| answer_until_lost(there, 8192, false));
            answer_until_lost(here, 8192, true)
        });
        assert!(rounds < ANSWERS_MAX, "no packet was lost: the test shows nothing");
    }
}

const ANSWERS_MAX: usize = 5000;

/// Sends and receives in turns; every message says its round. Returns after how many rounds something was lost.
fn answer_until_lost(mut end: End, len: usize, begins: bool) -> usize {
    for round in 0..ANSWERS_MAX {
        let deadline = Deadline::after(Duration::from_secs(2));
        let mut sent = end.arena.alloc(len).unwrap();
        sent.fill(round as u8);
        let mut sent = Some(sent.share());
        let mut received = false;
        let outcome = (|| {
            end.link.post_recv(end.arena.alloc(len).unwrap())?;
            if begins {
                sent.take().map_or(Ok(()), |buf| end.link.post_send(buf))?;
            }
            while !received {
                if let Completion::Received { buf, len: got } = end.link.wait(deadline)? {
                    assert!(got == len && buf.iter().all(|&b| b == round as u8), "round {round} differs");
                    received = true;
                }
            }
            sent.take().map_or(Ok(()), |buf| end.link.post_send(buf))
        })();
        if let Err(error) = outcome {
            println!("after {round} answers: {error}");
            return round;
        }
    }
    ANSWERS_MAX
}

/// Half round trips to print beside perftest's; two processes, one per side.
#[test]
fn latency() {
    latency::run();
}
