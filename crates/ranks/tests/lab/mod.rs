//! Network namespaces on two networks, which vanish with it: a LAN, and cables for data. Both are in a namespace of their own, so that the
//! machine's network is not touched.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};

pub struct Lab {
    name: String,
    ranks: usize,
}

/// How a cable is cut.
#[derive(Clone, Copy, Debug)]
pub enum Cut {
    /// Nothing comes through any more, and both ends are up.
    Silently,
    /// The rank's own end is down. Not for one that others call: its address would be gone from the LAN too.
    Down,
}

/// Of the routes that lead over the LAN to addresses of cables.
const TABLE: &str = "100";

impl Lab {
    /// One namespace for each rank. Nothing where namespaces cannot be made.
    pub fn new(ranks: usize) -> Option<Lab> {
        let lab = Lab { name: format!("tdr{}", std::process::id()), ranks };
        let hub = lab.hub();
        ip(&["netns", "add", &hub])?;
        for bridge in ["lan", "cables"] {
            ip(&["-n", &hub, "link", "add", bridge, "type", "bridge"])?;
            ip(&["-n", &hub, "link", "set", bridge, "up"])?;
        }
        for rank in 0..ranks {
            let space = lab.space(rank);
            ip(&["netns", "add", &space])?;
            ip(&["-n", &space, "link", "set", "lo", "up"])?;
            for (bridge, address) in [("lan", lan(rank)), ("cables", cable(rank))] {
                let port = port(bridge, rank);
                ip(&[
                    "-n", &hub, "link", "add", &port, "type", "veth", "peer", "name", bridge, "netns", &space,
                ])?;
                ip(&["-n", &hub, "link", "set", &port, "master", bridge, "up"])?;
                ip(&["-n", &space, "address", "add", &format!("{address}/24"), "dev", bridge])?;
                ip(&["-n", &space, "link", "set", bridge, "up"])?;
            }
        }
        for (here, there) in lab.pairs() {
            let (space, to, via) = (lab.space(here), cable(there).to_string(), lan(there).to_string());
            ip(&["-n", &space, "route", "add", &to, "via", &via, "dev", "lan", "table", TABLE])?;
            lab.reach_over_lan(here, there, 1)?;
        }
        Some(lab)
    }

    /// A rank's address, at the end of its cable.
    pub fn address(&self, rank: usize) -> IpAddr {
        cable(rank).into()
    }

    /// What is sent to these addresses, by rank, goes over the LAN, and everything else to the same hosts over the cables.
    pub fn meet_on_the_lan(&self, addresses: &[SocketAddr]) {
        for (here, there) in self.pairs() {
            self.reach_over_lan(here, there, addresses[there].port()).expect("as it could before");
        }
    }

    /// Instead of the port that was chosen before.
    fn reach_over_lan(&self, here: usize, there: usize, port: u16) -> Option<()> {
        let (space, priority) = (self.space(here), (100 + there).to_string());
        let _ = ip(&["-n", &space, "rule", "del", "priority", &priority]);
        let (to, port) = (cable(there).to_string(), port.to_string());
        // By number, since not every machine has a list of protocols' names.
        let rule = ["to", &to, "ipproto", "6", "dport", &port, "priority", &priority, "lookup", TABLE];
        ip(&[&["-n", &space, "rule", "add"], &rule[..]].concat())
    }

    /// Begins a command that runs in a rank's namespace.
    pub fn command(&self, rank: usize) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.space(rank)]);
        command
    }

    /// Moves this thread, and those it starts, into a rank's namespace.
    #[cfg(target_os = "linux")]
    pub fn enter(&self, rank: usize) {
        use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
        use std::os::fd::AsFd;
        let path = format!("/var/run/netns/{}", self.space(rank));
        let space = std::fs::File::open(path).expect("a namespace is a file");
        move_into_link_name_space(space.as_fd(), Some(LinkNameSpaceType::Network))
            .expect("it can be entered");
    }

    #[cfg(not(target_os = "linux"))]
    pub fn enter(&self, _rank: usize) {
        panic!("there are no namespaces here");
    }

    pub fn cut(&self, rank: usize, cut: Cut) {
        match cut {
            Cut::Silently => ip(&["-n", &self.hub(), "link", "set", &port("cables", rank), "nomaster"]),
            Cut::Down => ip(&["-n", &self.space(rank), "link", "set", "cables", "down"]),
        }
        .expect("the cable can be cut");
    }

    pub fn mend(&self, rank: usize, cut: Cut) {
        match cut {
            Cut::Silently => {
                ip(&["-n", &self.hub(), "link", "set", &port("cables", rank), "master", "cables"])
            }
            Cut::Down => ip(&["-n", &self.space(rank), "link", "set", "cables", "up"]),
        }
        .expect("the cable can be mended");
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let ranks = self.ranks;
        (0..ranks).flat_map(move |here| {
            (0..ranks).filter(move |there| *there != here).map(move |there| (here, there))
        })
    }

    fn space(&self, rank: usize) -> String {
        format!("{}-{rank}", self.name)
    }

    fn hub(&self) -> String {
        format!("{}-hub", self.name)
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        for space in (0..self.ranks).map(|rank| self.space(rank)).chain([self.hub()]) {
            let _ = Command::new("ip").args(["netns", "del", &space]).stderr(Stdio::null()).status();
        }
    }
}

fn lan(rank: usize) -> Ipv4Addr {
    Ipv4Addr::new(10, 73, 0, rank as u8 + 1)
}

fn cable(rank: usize) -> Ipv4Addr {
    Ipv4Addr::new(10, 74, 0, rank as u8 + 1)
}

fn port(bridge: &str, rank: usize) -> String {
    format!("{bridge}-{rank}")
}

fn ip(arguments: &[&str]) -> Option<()> {
    let done = Command::new("ip").args(arguments).stderr(Stdio::null()).status().ok()?;
    done.success().then_some(())
}
