//! Machines and cables that need not be here.
//!
//! In words: `4x m3-ultra-512 tb5-mesh`, `dgx-spark + 2x m4-max-128 10gbe`. Or as JSON, where every machine has a name and every
//! cable may be another:
//!
//! ```json
//! {"machines": [{"name": "desk", "chip": "m3-ultra", "memory_gb": 512}, {"name": "rack", "cores": 16, "read_gb_per_s": 110, "memory_gb": 64}],
//!  "cable": "10gbe", "cables": [{"between": ["desk", "rack"], "round_trip_us": 40, "gb_per_s": 3}]}
//! ```

use serde::Deserialize;

use crate::{Cable, Chip, Device, Hardware, Link, Links, Machine};

/// Four of five predictions are this close, by the back-test: of GPUs whose kind was measured elsewhere, and of cores.
pub(crate) const UNCERTAINTY_GPU: f64 = 0.2;
pub(crate) const UNCERTAINTY_CORES: f64 = 0.3;
/// Of chips that nobody measured; a guess.
const UNCERTAINTY_UNSEEN: f64 = 0.35;

/// Machines, what joins them, and what they cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    pub machines: Vec<SetupMachine>,
    pub links: Links,
    /// The cable between all of them, where it is one kind.
    pub cable: Option<&'static Cable>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SetupMachine {
    pub name: String,
    /// `None` where the machine was measured, not named.
    pub chip: Option<&'static Chip>,
    pub memory_gb: u64,
    pub room_bytes: u64,
    pub device: Device,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SetupError {
    #[error("`{word}` is neither a chip nor a cable; chips: {}; cables: {}", chips(), cables())]
    Unknown { word: String },
    #[error("no machine is named; write for example `2x m3-ultra-512 tb5-mesh`")]
    Empty,
    #[error("{chip} is sold with {} GB, not {asked}", .known.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))]
    Memory { chip: String, asked: u64, known: Vec<u64> },
    #[error("{count} machines are too many: a model runs on {} at most", crate::RANKS_MAX)]
    TooMany { count: usize },
    #[error("two cables are named, `{0}` and `{1}`; name one, or describe them in a file")]
    TwoCables(String, String),
    #[error("{chip} has no Thunderbolt RDMA; choose {}", cables())]
    NoRdma { chip: String },
    #[error(
        "the ports of {chip} join {most} machines at most, and {count} are named; name fewer, or another cable"
    )]
    Mesh { chip: String, most: usize, count: usize },
    #[error("the description cannot be read: {0}")]
    Json(String),
    #[error("machine `{name}` needs a chip, or cores, read_gb_per_s and memory_gb")]
    Incomplete { name: String },
    #[error("machine `{name}`: {what} must be a positive number")]
    Number { name: String, what: &'static str },
    #[error("two machines are called `{0}`")]
    TwiceNamed(String),
    #[error("a cable ends at `{0}`, which is not one of the machines")]
    NoSuchMachine(String),
    #[error("a cable needs a kind, or round_trip_us and gb_per_s")]
    BadCable,
}

fn chips() -> String {
    Hardware::known().chips.iter().map(|chip| chip.id.as_str()).collect::<Vec<_>>().join(", ")
}

fn cables() -> String {
    Hardware::known().cables.iter().map(|cable| cable.id.as_str()).collect::<Vec<_>>().join(", ")
}

/// Where several machines stand and no cable is named.
const CABLE_DEFAULT: &str = "10gbe";

impl Setup {
    /// `4x m3-ultra-512 tb5-mesh`.
    pub fn parse(text: &str) -> Result<Setup, SetupError> {
        let hardware = Hardware::known();
        let (mut asked, mut cable, mut count) = (Vec::new(), None::<&'static Cable>, 1);
        for word in text.split([' ', ',', '+', '\t', '\n']).filter(|word| !word.is_empty()) {
            let (times, rest) = leading_count(word);
            count = times.unwrap_or(count);
            if rest.is_empty() {
                continue;
            }
            if let Some(named) = hardware.cable(rest) {
                match cable {
                    Some(other) if other != named => {
                        return Err(SetupError::TwoCables(other.id.clone(), named.id.clone()));
                    }
                    _ => cable = Some(named),
                }
                continue;
            }
            let (chip, memory_gb) = chip_named(rest)?;
            if count > crate::RANKS_MAX {
                return Err(SetupError::TooMany { count });
            }
            asked.extend(std::iter::repeat_n((chip, memory_gb), count));
            count = 1;
        }
        Setup::of(&asked, cable)
    }

    /// Machines of known chips, every two joined by the same cable.
    pub fn of(asked: &[(&'static Chip, u64)], cable: Option<&'static Cable>) -> Result<Setup, SetupError> {
        let cable = cable.or_else(|| Hardware::known().cable(CABLE_DEFAULT)).filter(|_| asked.len() > 1);
        let count = asked.len();
        match count {
            0 => return Err(SetupError::Empty),
            _ if count > crate::RANKS_MAX => return Err(SetupError::TooMany { count }),
            _ => {}
        }
        if let Some(cable) = cable.filter(|cable| cable.rdma) {
            for (chip, _) in asked {
                can_join(chip, cable, count)?;
            }
        }
        let machines = asked
            .iter()
            .enumerate()
            .map(|(index, (chip, memory_gb))| {
                let number = if count > 1 { format!(" {}", index + 1) } else { String::new() };
                SetupMachine::of(format!("{}-{memory_gb}{number}", chip.id), chip, *memory_gb)
            })
            .collect();
        let links = cable.map_or_else(Links::default, |cable| Links::mesh(count, cable.link()));
        Ok(Setup { machines, links, cable })
    }

    pub fn from_json(text: &str) -> Result<Setup, SetupError> {
        let told: Told = serde_json::from_str(text).map_err(|error| SetupError::Json(error.to_string()))?;
        let machines = told.machines.iter().map(ToldMachine::machine).collect::<Result<Vec<_>, _>>()?;
        match machines.len() {
            0 => return Err(SetupError::Empty),
            count if count > crate::RANKS_MAX => return Err(SetupError::TooMany { count }),
            _ => {}
        }
        for (index, machine) in machines.iter().enumerate() {
            if machines[..index].iter().any(|other| other.name == machine.name) {
                return Err(SetupError::TwiceNamed(machine.name.clone()));
            }
        }
        let named = |word: &str| {
            Hardware::known().cable(word).ok_or_else(|| SetupError::Unknown { word: word.to_owned() })
        };
        let cable = named(told.cable.as_deref().unwrap_or(CABLE_DEFAULT))?;
        let mut links = Links::mesh(machines.len(), cable.link());
        for cable in &told.cables {
            let end = |name: &String| {
                let found = machines.iter().position(|machine| machine.name == *name);
                found.ok_or_else(|| SetupError::NoSuchMachine(name.clone()))
            };
            let link = match (&cable.kind, cable.round_trip_us, cable.gb_per_s) {
                (Some(kind), None, None) => named(kind)?.link(),
                (None, Some(us), Some(gb)) if us > 0.0 && gb > 0.0 => {
                    Link { round_trip_us: us, bytes_per_s: gb * 1e9 }
                }
                _ => return Err(SetupError::BadCable),
            };
            links.set(end(&cable.between[0])?, end(&cable.between[1])?, link);
        }
        let cable = Some(cable).filter(|_| told.cables.is_empty() && machines.len() > 1);
        Ok(Setup { machines, links, cable })
    }

    /// In the planner's terms.
    pub fn machines(&self) -> Vec<Machine> {
        let machine = |own: &SetupMachine| Machine {
            name: own.name.clone(),
            room_bytes: own.room_bytes,
            device: own.device,
            has_file: true,
        };
        self.machines.iter().map(machine).collect()
    }

    /// The same with one machine more, like the last; `None` where the cable or the limit of ranks forbids it.
    pub fn with_one_more(&self) -> Option<Setup> {
        let chips = self.machines.iter().map(|own| Some((own.chip?, own.memory_gb)));
        let mut chips: Vec<_> = chips.collect::<Option<_>>()?;
        chips.push(*chips.last()?);
        let cable = self.cable.or_else(|| best_cable(&chips));
        Setup::of(&chips, cable).ok()
    }

    /// The same with another cable, where all are joined by one kind and all have such a port.
    pub fn with_cable(&self, cable: &'static Cable) -> Option<Setup> {
        self.cable?;
        let has_port = |chip: &Chip| chip.cables.contains(&cable.id);
        if !self.machines.iter().all(|own| own.chip.is_some_and(has_port)) {
            return None;
        }
        let chips = self.machines.iter().map(|own| Some((own.chip?, own.memory_gb)));
        Setup::of(&chips.collect::<Option<Vec<_>>>()?, Some(cable)).ok()
    }

    /// How far off a prediction may well be: by the back-test for what was measured, more for what was not.
    pub fn uncertainty(&self) -> f64 {
        self.machines.iter().map(SetupMachine::uncertainty).fold(0.0, f64::max)
    }

    /// What all cost together, where every price is known.
    pub fn price_usd(&self) -> Option<f64> {
        self.machines.iter().map(|own| own.chip?.price_usd.get(&own.memory_gb).copied()).sum()
    }
}

/// The fastest cable that people use between such machines.
pub(crate) fn best_cable(chips: &[(&'static Chip, u64)]) -> Option<&'static Cable> {
    let (first, _) = chips.first()?;
    let fits = |cable: &Cable| {
        let of = |(chip, _): &(&Chip, u64)| {
            chip.cables.contains(&cable.id) && (!cable.rdma || chip.mesh_max >= chips.len())
        };
        chips.iter().all(of)
    };
    first.cables.iter().filter_map(|id| Hardware::known().cable(id)).find(|cable| fits(cable))
}

fn can_join(chip: &Chip, cable: &Cable, count: usize) -> Result<(), SetupError> {
    let chip_id = || chip.id.clone();
    match chip.mesh_max {
        0 if cable.rdma => Err(SetupError::NoRdma { chip: chip_id() }),
        most if most < count => Err(SetupError::Mesh { chip: chip_id(), most, count }),
        _ => Ok(()),
    }
}

/// `4x` and `4xm3-ultra`: how many, and the rest.
fn leading_count(word: &str) -> (Option<usize>, &str) {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    match (word[..digits].parse(), rest.strip_prefix(['x', 'X', '×'])) {
        (Ok(count), Some(rest)) => (Some(count), rest),
        _ => (None, word),
    }
}

/// `m3-ultra-512`, or `dgx-spark`, of which there is one kind.
fn chip_named(word: &str) -> Result<(&'static Chip, u64), SetupError> {
    let hardware = Hardware::known();
    if let Some(chip) = hardware.chip(word) {
        return Ok((chip, chip.memory_gb.iter().copied().max().unwrap_or(0)));
    }
    let split = word.rsplit_once('-');
    let found = split.and_then(|(id, gb)| {
        let gb = gb.trim_end_matches(['g', 'G', 'b', 'B']).parse().ok()?;
        Some((hardware.chip(id)?, gb))
    });
    let Some((chip, memory_gb)) = found else { return Err(SetupError::Unknown { word: word.to_owned() }) };
    match chip.memory_gb.contains(&memory_gb) {
        true => Ok((chip, memory_gb)),
        false => {
            Err(SetupError::Memory { chip: chip.id.clone(), asked: memory_gb, known: chip.memory_gb.clone() })
        }
    }
}

impl SetupMachine {
    fn uncertainty(&self) -> f64 {
        match self.chip {
            Some(chip) if chip.measured || chip.reached.is_some() => UNCERTAINTY_GPU,
            Some(_) => UNCERTAINTY_UNSEEN,
            None => UNCERTAINTY_CORES,
        }
    }

    fn of(name: String, chip: &'static Chip, memory_gb: u64) -> SetupMachine {
        let (room_bytes, device) = (chip.room_bytes(memory_gb), chip.device());
        SetupMachine { name, chip: Some(chip), memory_gb, room_bytes, device }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    machines: Vec<ToldMachine>,
    cable: Option<String>,
    #[serde(default)]
    cables: Vec<ToldCable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToldMachine {
    name: String,
    chip: Option<String>,
    memory_gb: Option<u64>,
    cores: Option<usize>,
    read_gb_per_s: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToldCable {
    between: [String; 2],
    kind: Option<String>,
    round_trip_us: Option<f64>,
    gb_per_s: Option<f64>,
}

impl ToldMachine {
    fn machine(&self) -> Result<SetupMachine, SetupError> {
        let name = self.name.clone();
        let number = |what| SetupError::Number { name: self.name.clone(), what };
        match (&self.chip, self.cores, self.read_gb_per_s, self.memory_gb) {
            (Some(chip), None, None, memory_gb) => {
                let word = memory_gb.map_or_else(|| chip.clone(), |gb| format!("{chip}-{gb}"));
                let (chip, memory_gb) = chip_named(&word)?;
                Ok(SetupMachine::of(name, chip, memory_gb))
            }
            (None, Some(cores), Some(read), Some(memory_gb)) => {
                if cores == 0 {
                    return Err(number("cores"));
                }
                if !(read.is_finite() && read > 0.0) {
                    return Err(number("read_gb_per_s"));
                }
                let device = Device::cpu(cores, read * 1e9);
                // Leave a tenth to the rest of the machine.
                let room_bytes = memory_gb.saturating_mul(900_000_000);
                Ok(SetupMachine { name, chip: None, memory_gb, room_bytes, device })
            }
            _ => Err(SetupError::Incomplete { name }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let told = match Setup::parse(text) {
            Err(error) => error.to_string(),
            Ok(setup) => show(&setup),
        };
        assert_eq!(told, expected);
    }

    fn show(setup: &Setup) -> String {
        let machines: Vec<_> = setup
            .machines
            .iter()
            .map(|own| format!("{} ({} GB)", own.name, own.room_bytes / 1_000_000_000))
            .collect();
        format!("{} by {}", machines.join(", "), setup.cable.map_or("none", |cable| &cable.id))
    }

    #[test]
    fn setups_are_read_in_words() {
        check("m3-ultra-512", "m3-ultra-512 (384 GB) by none");
        check("2x m3-ultra-512 tb5-mesh", "m3-ultra-512 1 (384 GB), m3-ultra-512 2 (384 GB) by tb5-rdma");
        check(
            "2xm4-max-128gb + dgx-spark, 10GbE",
            "m4-max-128 1 (96 GB), m4-max-128 2 (96 GB), dgx-spark-128 3 (115 GB) by 10gbe",
        );
        check("2x m1-ultra-128", "m1-ultra-128 1 (96 GB), m1-ultra-128 2 (96 GB) by 10gbe");
    }

    #[test]
    fn what_cannot_be_is_refused_with_a_reason() {
        check("", "no machine is named; write for example `2x m3-ultra-512 tb5-mesh`");
        check("m3-ultra-500", "m3-ultra is sold with 96, 256, 512 GB, not 500");
        check("17x m3-ultra-512 10gbe", "17 machines are too many: a model runs on 16 at most");
        check("99999999999x m3-ultra", "99999999999 machines are too many: a model runs on 16 at most");
        check(
            "8x m3-ultra-512 tb5-mesh",
            "the ports of m3-ultra join 6 machines at most, and 8 are named; name fewer, or another cable",
        );
        check(
            "2x m2-ultra-192 tb5-mesh",
            "m2-ultra has no Thunderbolt RDMA; choose tb5-rdma, tb5-tcp, usb4-rdma, roce-200, roce-25, 25gbe, 10gbe, 2.5gbe, wifi",
        );
        check(
            "2x m3-ultra wifi 10gbe",
            "two cables are named, `wifi` and `10gbe`; name one, or describe them in a file",
        );
        let unknown = Setup::parse("2x abacus").unwrap_err().to_string();
        assert!(unknown.starts_with("`abacus` is neither a chip nor a cable; chips: m1-max, "), "{unknown}");
    }

    #[test]
    fn setups_are_read_from_files() {
        let setup = Setup::from_json(
            r#"{"machines": [{"name": "desk", "chip": "m3-ultra", "memory_gb": 512},
                             {"name": "rack", "cores": 16, "read_gb_per_s": 110, "memory_gb": 64}],
                "cables": [{"between": ["rack", "desk"], "round_trip_us": 40, "gb_per_s": 3}]}"#,
        )
        .unwrap();
        assert_eq!(show(&setup), "desk (384 GB), rack (57 GB) by none");
        assert_eq!(setup.links.get(0, 1), Link { round_trip_us: 40.0, bytes_per_s: 3e9 });
        let refused = |text: &str| Setup::from_json(text).unwrap_err().to_string();
        assert_eq!(
            refused(r#"{"machines": [{"name": "a"}]}"#),
            "machine `a` needs a chip, or cores, read_gb_per_s and memory_gb"
        );
        assert_eq!(
            refused(r#"{"machines": [{"name": "a", "chip": "m5"}, {"name": "a", "chip": "m5"}]}"#),
            "two machines are called `a`"
        );
        assert_eq!(
            refused(
                r#"{"machines": [{"name": "a", "chip": "m5"}], "cables": [{"between": ["a", "b"], "kind": "wifi"}]}"#
            ),
            "a cable ends at `b`, which is not one of the machines"
        );
        assert!(refused("{").starts_with("the description cannot be read: "));
    }
}
