use std::{
    fmt,
    net::{TcpListener, TcpStream},
    process::Command,
    thread,
    time::Duration,
};

use tandem_fabric::{
    Arena, Control, Deadline, Link, Method, Rank, Side, establish,
    verbs::{Rules, VerbsMethod, VerbsOptions},
};

/// Where a test runs; see `lab/guest/lab-cables` for the addresses.
pub struct Guest {
    pub role: u16,
    pub nodes: u16,
}

impl Guest {
    /// In the guest that has both ends of a cable.
    pub fn alone(test: &str) -> Option<Self> {
        Self::of(test, |nodes| nodes == 1)
    }

    pub fn among_others(test: &str) -> Option<Self> {
        Self::of(test, |nodes| nodes > 1)
    }

    fn of(test: &str, wanted: impl Fn(u16) -> bool) -> Option<Self> {
        let number = |name| std::env::var(name).ok()?.parse().ok();
        match (number("LAB_role"), number("LAB_nodes")) {
            (Some(role), Some(nodes)) if wanted(nodes) => Some(Self { role, nodes }),
            _ => {
                println!("{test} is left to the RDMA lab (lab/run)");
                None
            }
        }
    }

    /// A control channel to another guest, over the cable to it.
    pub fn call(&self, peer: u16) -> TcpStream {
        let (lo, hi) = (self.role.min(peer), self.role.max(peer));
        let port = 7000 + lo * 16 + hi;
        if self.role == lo {
            return TcpListener::bind(("0.0.0.0", port)).unwrap().accept().unwrap().0;
        }
        let address = format!("10.8.{}.{}:{port}", lo * 16 + hi, lo + 1).parse().unwrap();
        let deadline = Deadline::after(Duration::from_secs(60));
        loop {
            match TcpStream::connect_timeout(&address, Duration::from_secs(1)) {
                Ok(stream) => return stream,
                Err(error) if deadline.expired() => panic!("guest {peer} does not answer: {error}"),
                // It may still be booting.
                Err(_) => thread::sleep(Duration::from_millis(50)),
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Mode {
    pub rules: Rules,
    pub checksums: bool,
}

impl Mode {
    pub const RELIABLE: Mode = Mode { rules: Rules::Linux, checksums: false };
    pub const THUNDERBOLT: Mode = Mode { rules: Rules::Thunderbolt, checksums: false };
    pub const ALL: [Mode; 3] =
        [Mode::RELIABLE, Mode::THUNDERBOLT, Mode { rules: Rules::Linux, checksums: true }];
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.rules {
            Rules::Linux => "RC",
            Rules::Thunderbolt => "UC by Thunderbolt's rules",
        })?;
        f.write_str(if self.checksums { " with checksums" } else { "" })
    }
}

/// All modes, or those that `LAB_modes` names.
pub fn modes() -> Vec<Mode> {
    match std::env::var("LAB_modes").as_deref() {
        Ok("rc") => vec![Mode::RELIABLE],
        Ok("uc") => vec![Mode::THUNDERBOLT],
        Ok("rc,uc") => vec![Mode::RELIABLE, Mode::THUNDERBOLT],
        _ => Mode::ALL.to_vec(),
    }
}

pub fn established(
    control: &mut dyn Control,
    side: Side,
    arena: &Arena,
    peer: Rank,
    device: Option<&str>,
    mode: Mode,
) -> Box<dyn Link> {
    let Mode { rules, checksums } = mode;
    let options = VerbsOptions { device: device.map(Into::into), rules: Some(rules), checksums };
    let methods: Vec<Box<dyn Method>> = vec![Box::new(VerbsMethod::with(arena, peer, options))];
    establish(control, side, methods, Deadline::after(Duration::from_secs(30))).unwrap().link
}

pub fn listen_locally() -> (String, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    (listener.local_addr().unwrap().to_string(), listener)
}

/// What the kernel counts per device: queue pairs, regions, completion queues, protection domains.
pub fn resources() -> String {
    let output = Command::new("rdma").args(["resource", "show"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

pub fn shell(command: &str) {
    let status = Command::new("bash").args(["-c", command]).status().unwrap();
    assert!(status.success(), "{command}: {status}");
}

/// Gives the guest's cable its addresses again after its end `left` was down or flushed.
pub fn restore_cable() {
    shell(
        "ip addr replace 10.7.0.1/24 dev left
         ip neigh replace 10.7.0.2 dev left lladdr $(cat /sys/class/net/right/address) nud permanent
         ip neigh replace 10.7.0.1 dev right lladdr $(cat /sys/class/net/left/address) nud permanent
         for i in $(seq 100); do
           rdma link show | grep -c 'state ACTIVE' | grep -q 2 && exit 0
           sleep 0.05
         done
         exit 1",
    );
}
