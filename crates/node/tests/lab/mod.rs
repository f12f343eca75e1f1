//! Network namespaces on a bridge, which vanish with it. The bridge is in a namespace of its own, so that the machine's
//! network is not touched.
// Each test uses what it needs.
#![allow(dead_code)]

use std::net::{IpAddr, Ipv4Addr};
use std::process::{Command, Stdio};

pub struct Lab {
    name: String,
    spaces: Vec<String>,
}

impl Lab {
    /// One namespace for each name. Nothing where namespaces cannot be made.
    pub fn new(names: &[&str]) -> Option<Lab> {
        let name = format!("tdm{}", std::process::id());
        let lab = Lab { name, spaces: names.iter().map(|name| (*name).to_owned()).collect() };
        let hub = lab.space("hub");
        ip(&["netns", "add", &hub])?;
        ip(&["-n", &hub, "link", "add", "bridge", "type", "bridge", "mcast_snooping", "0"])
            .or_else(|| ip(&["-n", &hub, "link", "add", "bridge", "type", "bridge"]))?;
        ip(&["-n", &hub, "link", "set", "bridge", "up"])?;
        for name in names {
            let space = lab.space(name);
            ip(&["netns", "add", &space])?;
            let port = format!("to-{name}");
            ip(&["-n", &hub, "link", "add", &port, "type", "veth", "peer", "name", "eth0", "netns", &space])?;
            ip(&["-n", &hub, "link", "set", &port, "master", "bridge", "up"])?;
            ip(&["-n", &space, "address", "add", &format!("{}/24", lab.host(name)), "dev", "eth0"])?;
            ip(&["-n", &space, "link", "set", "lo", "up"])?;
            ip(&["-n", &space, "link", "set", "eth0", "up"])?;
        }
        Some(lab)
    }

    /// Its address in the lab.
    pub fn host(&self, name: &str) -> IpAddr {
        let number = self.spaces.iter().position(|space| space == name).expect("a namespace of the lab");
        IpAddr::V4(Ipv4Addr::new(10, 71, 0, number as u8 + 1))
    }

    /// Begins a command that runs in a namespace.
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.space(name)]);
        command
    }

    /// `up` or `down`.
    pub fn cable(&self, name: &str, state: &str) {
        ip(&["-n", &self.space("hub"), "link", "set", &format!("to-{name}"), state])
            .expect("the cable can be moved");
    }

    fn space(&self, name: &str) -> String {
        format!("{}-{name}", self.name)
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        for name in self.spaces.iter().map(String::as_str).chain(["hub"]) {
            let _ =
                Command::new("ip").args(["netns", "del", &self.space(name)]).stderr(Stdio::null()).status();
        }
    }
}

fn ip(arguments: &[&str]) -> Option<()> {
    let done = Command::new("ip").args(arguments).stderr(Stdio::null()).status().ok()?;
    done.success().then_some(())
}
