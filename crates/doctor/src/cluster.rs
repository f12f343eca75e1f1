//! What a node's view of its cluster tells.

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Finding;

/// The best that each link ever gave, in bytes per second, by the names of its ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    pub best: BTreeMap<String, f64>,
}

/// Half of what a plain example of the kind gives: round trip in µs at most, bytes per second at least.
fn expected(transport: &str) -> Option<(f64, f64)> {
    match transport.split([',', ' ']).next()? {
        "verbs" | "rdma" => Some((40.0, 5.5e9)),
        "shm" => Some((1000.0, 1.0e9)),
        "tcp" => Some((1500.0, 0.1e9)),
        _ => None,
    }
}

/// From the state that a node serves; `own` limits links to those of that node.
pub fn examine_cluster(state: &Value, own: Option<&str>, remembered: &mut Remembered) -> Vec<Finding> {
    let mut findings = versions(state);
    findings.extend(missing(state));
    findings.extend(strangers(state));
    findings.extend(clocks(state));
    findings.extend(frames(state));
    for node in nodes(state).filter(|node| own.is_none_or(|own| text(&node["name"]) == own)) {
        for link in node["links"].as_array().into_iter().flatten() {
            findings.extend(examine_link(text(&node["name"]), link, remembered));
        }
    }
    findings
}

fn nodes(state: &Value) -> impl Iterator<Item = &Value> {
    state["nodes"].as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn versions(state: &Value) -> Vec<Finding> {
    let why = "nodes of different versions may not understand each other";
    let mut by_version: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for node in nodes(state).filter(|node| node["live"] == true && !text(&node["software"]).is_empty()) {
        by_version.entry(text(&node["software"])).or_default().push(text(&node["name"]));
    }
    if by_version.len() > 1 {
        let told: Vec<_> =
            by_version.iter().map(|(version, names)| format!("{version} on {}", names.join(", "))).collect();
        let found = format!("nodes run different versions: {}", told.join("; "));
        return vec![Finding::bad("versions", found, why).mend("bring all nodes to the newest version")];
    }
    by_version
        .keys()
        .map(|version| Finding::good("versions", format!("all nodes run {version}"), why))
        .collect()
}

fn missing(state: &Value) -> Vec<Finding> {
    let why = "what ran there was placed anew, on less memory";
    let gone = nodes(state).filter(|node| node["live"] == false);
    gone.map(|node| {
        let name = text(&node["name"]);
        Finding::bad("members", format!("{name} is not heard"), why)
            .mend(format!("start it (`tandem up` there), look at its network, or `tandem remove {name}`"))
    })
    .collect()
}

/// Who answers where a member might be, and speaks another version.
fn strangers(state: &Value) -> Vec<Finding> {
    let why = "a node of another version is no member until it is brought to the same";
    let met = state["strangers"].as_object().into_iter().flatten();
    met.map(|(address, what)| {
        let found = format!("{address} cannot be a member: {}", text(what));
        Finding::bad("peers", found, why).mend("bring both to the newest version and start them again")
    })
    .collect()
}

/// What nodes last said is a second or two old, and more where a machine is busy.
const CLOCKS_MAX_MS: i64 = 10_000;

fn clocks(state: &Value) -> Vec<Finding> {
    let why = "join tokens expire by the clock, and logs of several nodes are read together";
    let told = |node: &Value| state["vitals"][text(&node["id"])]["unix_ms"].as_i64();
    let Some(own) = nodes(state).find(|node| node["id"] == state["self"]) else { return Vec::new() };
    let Some(here) = told(own) else { return Vec::new() };
    // Nodes of one machine have one clock.
    let others = nodes(state).filter(|node| node["live"] == true && node["machine"] != own["machine"]);
    others
        .filter_map(|node| {
            let ahead_ms = told(node)? - here;
            let (name, own) = (text(&node["name"]), text(&own["name"]));
            let way = if ahead_ms > 0 { "ahead of" } else { "behind" };
            let found = format!("the clock of {name} is {} s {way} that of {own}", ahead_ms.abs() / 1000);
            Some(match ahead_ms.abs() > CLOCKS_MAX_MS {
                true => Finding::bad("clocks", found, why)
                    .mend("let both follow a time server: `sudo timedatectl set-ntp true`, on a Mac `sudo sntp -sS pool.ntp.org`"),
                false => Finding::good("clocks", format!("the clocks of {name} and {own} agree"), why),
            })
        })
        .collect()
}

/// Nodes of one network that send frames of different sizes.
fn frames(state: &Value) -> Vec<Finding> {
    let why = "frames that are too long for the other end are dropped: small messages pass, and a link stalls at the first long one";
    // By network: which node sends what.
    let mut sizes: BTreeMap<&str, Vec<(String, u64)>> = BTreeMap::new();
    for node in nodes(state).filter(|node| node["live"] == true) {
        let networks = state["vitals"][text(&node["id"])]["networks"].as_array();
        for network in networks.into_iter().flatten() {
            let Some(mtu) = network["mtu"].as_u64() else { continue };
            let place = format!("{} ({})", text(&node["name"]), text(&network["interface"]));
            sizes.entry(text(&network["net"])).or_default().push((place, mtu));
        }
    }
    let shared = sizes.into_iter().filter(|(_, sizes)| sizes.len() > 1);
    shared
        .map(|(net, sizes)| {
            if sizes.iter().all(|(_, mtu)| *mtu == sizes[0].1) {
                return Finding::good("mtu", format!("all nodes on {net} send frames of {} bytes", sizes[0].1), why);
            }
            let told: Vec<_> = sizes
                .iter()
                .enumerate()
                .map(|(index, (place, mtu))| match index {
                    0 => format!("{place} sends at most {mtu} bytes"),
                    _ => format!("{place} {mtu}"),
                })
                .collect();
            let found = format!("frames on {net} differ: {}", told.join(", "));
            let mend = "give all interfaces of a network the same MTU: `sudo ip link set dev INTERFACE mtu 1500`, on a Mac `sudo networksetup -setMTU INTERFACE 1500`";
            Finding::bad("mtu", found, why).mend(mend)
        })
        .collect()
}

/// Less than this share of what it gave at first, and a link is throttled.
const HOLDS: f64 = 0.8;

/// What a link gave at first, and after it was kept full for a while.
pub fn examine_strain(told: &Value) -> Finding {
    let between = format!("{} – {} ({})", text(&told["from"]), text(&told["to"]), text(&told["transport"]));
    let rate = |name: &str| told[name].as_f64().unwrap_or(0.0);
    let (first, last) = (rate("first_bytes_per_s"), rate("last_bytes_per_s"));
    let why = "a link that cannot hold its rate is throttled by heat, or shares its way with something else";
    let seconds = told["seconds"].as_u64().unwrap_or(0);
    let lasting =
        if seconds.is_multiple_of(60) { format!("{} min", seconds / 60) } else { format!("{seconds} s") };
    if last < first * HOLDS {
        let found = format!(
            "{between} gives {} after {lasting} of full load, it gave {} before",
            gigabits(last),
            gigabits(first)
        );
        return Finding::bad("link", found, why)
            .mend("cool the adapter and the cable's ends, look who else uses the way, and try again");
    }
    if let Some((_, slow)) = expected(text(&told["transport"])).filter(|(_, slow)| last < *slow) {
        let found = format!(
            "{between} gives {} under full load, at least {} expected",
            gigabits(last),
            gigabits(slow)
        );
        return Finding::bad("link", found, why)
            .mend("use a cable instead of Wi-Fi, and look at the port's speed: `ethtool INTERFACE`");
    }
    Finding::good("link", format!("{between} holds {} after {lasting} of full load", gigabits(last)), why)
}

fn gigabits(bytes_per_s: f64) -> String {
    format!("{:.2} Gb/s", bytes_per_s * 8.0 / 1e9)
}

fn examine_link(from: &str, link: &Value, remembered: &mut Remembered) -> Vec<Finding> {
    let (to, transport) = (text(&link["to"]), text(&link["transport"]));
    let (Some(rate), Some(round_trip_us)) = (link["bytes_per_s"].as_f64(), link["round_trip_us"].as_f64())
    else {
        return Vec::new();
    };
    let between = format!("{from} – {to} ({transport})");
    let mut findings = Vec::new();
    let best = remembered.best.entry(format!("{from} {to}")).or_insert(rate);
    if rate < *best / 2.0 {
        let why = "a link that gave more before is throttled by heat, shared, or has fallen back";
        let found = format!("{between} gives {}, it gave {} before", gigabits(rate), gigabits(*best));
        findings.push(
            Finding::bad("link", found, why)
                .mend("let it cool and measure again; look at the cable and who else uses the link"),
        );
    }
    *best = best.max(rate);
    let why = "every token crosses the links of a divided model several times";
    let Some((late_us, slow)) = expected(transport) else { return findings };
    if rate < slow {
        let found = format!("{between} gives {}, at least {} expected", gigabits(rate), gigabits(slow));
        let mend = "use a cable instead of Wi-Fi, and look at the port's speed: `ethtool INTERFACE`";
        findings.push(Finding::bad("link", found, why).mend(mend));
    } else if round_trip_us > late_us {
        let found =
            format!("{between} takes {round_trip_us:.0} µs there and back, at most {late_us:.0} expected");
        findings.push(
            Finding::bad("link", found, why)
                .mend("use a cable instead of Wi-Fi, without switches that save power"),
        );
    } else if findings.is_empty() {
        findings.push(Finding::good(
            "link",
            format!("{between}: {round_trip_us:.0} µs, {}", gigabits(rate)),
            why,
        ));
    }
    findings
}

const REACH_WITHIN: Duration = Duration::from_secs(2);

/// Calls every other live node where it says it listens. One that is heard but cannot be called is blocked in one direction.
pub fn unreachable(state: &Value, own: &str) -> Vec<Finding> {
    let why = "a node that others can call but that cannot call them joins late and loses links; the port is blocked in one direction";
    let mut findings = Vec::new();
    for node in nodes(state).filter(|node| node["live"] == true && text(&node["name"]) != own) {
        let name = text(&node["name"]);
        let addresses: Vec<SocketAddr> = node["addresses"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|it| text(it).parse().ok())
            .collect();
        // Its own machine's address leads nowhere from another one.
        let outside: Vec<_> = addresses.iter().filter(|it| !it.ip().is_loopback()).collect();
        let tried = if outside.is_empty() { addresses.iter().collect() } else { outside };
        if tried.is_empty() {
            continue;
        }
        let reached = tried.iter().find(|address| TcpStream::connect_timeout(address, REACH_WITHIN).is_ok());
        findings.push(match reached {
            Some(address) => Finding::good("ports", format!("{name} answers at {address}"), why),
            None => {
                let tried: Vec<_> = tried.iter().map(ToString::to_string).collect();
                Finding::bad(
                    "ports",
                    format!("{name} is heard, but cannot be called at {}", tried.join(", ")),
                    why,
                )
                .mend(format!(
                    "let TCP port {} in on {name}",
                    tried[0].rsplit(':').next().unwrap_or_default()
                ))
            }
        });
    }
    findings
}
