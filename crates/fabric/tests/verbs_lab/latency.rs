use std::{
    net::{TcpListener, TcpStream},
    time::{Duration, Instant},
};

use tandem_fabric::{Arena, Completion, Deadline, Link, Rank, SharedBuf, Side};

use crate::guest::{Mode, established};

/// `LAB_latency` is `lead` or `follow`, `LAB_mode` is `rc` or `uc`, `LAB_sizes` and `LAB_rounds` what to measure. The lead
/// prints one line per size: mode, bytes, and the minimum, median and 99th percentile of half round trips in µs.
pub fn run() {
    let Ok(side) = std::env::var("LAB_latency") else {
        println!("latency is left to the RDMA lab (lab/run)");
        return;
    };
    let setting = |name: &str| std::env::var(name).unwrap();
    let (name, mode) = match setting("LAB_mode").as_str() {
        "uc" => ("UC", Mode::THUNDERBOLT),
        _ => ("RC", Mode::RELIABLE),
    };
    let sizes: Vec<usize> = setting("LAB_sizes").split(',').map(|size| size.parse().unwrap()).collect();
    let rounds: usize = setting("LAB_rounds").parse().unwrap();
    let arena = Arena::new(4 << 20).unwrap();
    let address = "127.0.0.1:7100";
    if side == "lead" {
        let mut control = TcpListener::bind(address).unwrap().accept().unwrap().0;
        let link = established(&mut control, Side::Lead, &arena, Rank(1), Some("rxe-left"), mode);
        let mut end = End::new(link, arena);
        for size in sizes {
            let mut half_us: Vec<f64> =
                (0..rounds).map(|_| end.ping(size).as_secs_f64() * 1e6 / 2.0).collect();
            half_us.drain(..rounds / 10);
            half_us.sort_by(f64::total_cmp);
            let at = |part: f64| half_us[((half_us.len() - 1) as f64 * part) as usize];
            println!("tandem {name} {size} {:.2} {:.2} {:.2}", at(0.0), at(0.5), at(0.99));
        }
    } else {
        let mut control = call(address);
        let link = established(&mut control, Side::Follow, &arena, Rank(0), Some("rxe-right"), mode);
        let mut end = End::new(link, arena);
        for size in sizes {
            for _ in 0..rounds {
                end.pong(size);
            }
        }
        // Leaves only when the lead has everything: its last answer may still be under way.
        while end.link.try_recv_note(&mut [0; 112]).is_ok() {}
    }
}

fn call(address: &str) -> TcpStream {
    let deadline = Deadline::after(Duration::from_secs(20));
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return stream,
            Err(error) if deadline.expired() => panic!("{error}"),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Ping-pong as perftest does it: one buffer each way, the receive posted before the send, and waiting is spinning.
struct End {
    link: Box<dyn Link>,
    outgoing: SharedBuf,
}

impl End {
    fn new(mut link: Box<dyn Link>, arena: Arena) -> Self {
        link.post_recv(arena.alloc(1 << 20).unwrap()).unwrap();
        Self { link, outgoing: arena.alloc(1 << 20).unwrap().share() }
    }

    fn ping(&mut self, size: usize) -> Duration {
        let started = Instant::now();
        self.link.post_send(self.outgoing.slice(0..size)).unwrap();
        self.wait_received();
        started.elapsed()
    }

    fn pong(&mut self, size: usize) {
        self.wait_received();
        self.link.post_send(self.outgoing.slice(0..size)).unwrap();
    }

    fn wait_received(&mut self) {
        let mut looks = 0u32;
        loop {
            match self.link.poll().unwrap() {
                Some(Completion::Received { buf, .. }) => {
                    self.link.post_recv(buf).unwrap();
                    return;
                }
                Some(Completion::Sent(_)) => {}
                None => {
                    looks += 1;
                    assert!(looks < 1 << 28, "the peer is silent");
                }
            }
        }
    }
}
