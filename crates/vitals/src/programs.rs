//! What only programs tell: NVIDIA's devices, and a Mac's power where that is allowed.

use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// What a program said last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Told {
    pub watts: Option<f64>,
    pub temperature_c: Option<f64>,
}

/// Asked by a thread that ends with this.
#[derive(Default)]
pub struct Programs {
    last: Arc<Mutex<Told>>,
}

const ASK_EVERY: Duration = Duration::from_secs(5);
/// How to ask, and how to read the answer.
type Question = (&'static str, &'static [&'static str], fn(&str) -> Option<Told>);
const QUESTIONS: [Question; 2] = [
    ("nvidia-smi", &["--query-gpu=power.draw,temperature.gpu", "--format=csv,noheader,nounits"], nvidia_smi),
    // Asks for no password: it works as root, or where the owner has allowed it.
    ("sudo", &["-n", "powermetrics", "--samplers", "cpu_power", "-i", "500", "-n", "1"], powermetrics),
];

impl Programs {
    pub fn start() -> Programs {
        let programs = Programs::default();
        let question = QUESTIONS
            .into_iter()
            .find(|(program, ..)| (*program != "sudo" || cfg!(target_os = "macos")) && in_path(program));
        if let Some(question) = question {
            let last = Arc::downgrade(&programs.last);
            // Without the thread nothing is told, which is what it would mean anyway.
            let _ = std::thread::Builder::new().name("vitals".into()).spawn(move || ask(&last, question));
        }
        programs
    }

    pub fn last(&self) -> Told {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Until nobody listens, or the program does not answer.
fn ask(last: &Weak<Mutex<Told>>, (program, arguments, read): Question) {
    while let Some(shared) = last.upgrade() {
        let mut command = Command::new(program);
        let output = command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output();
        let told = output.ok().filter(|output| output.status.success());
        let Some(told) = told.and_then(|output| read(&String::from_utf8_lossy(&output.stdout))) else {
            return;
        };
        *shared.lock().unwrap_or_else(PoisonError::into_inner) = told;
        drop(shared);
        std::thread::sleep(ASK_EVERY);
    }
}

fn in_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// One line for each device: watts, degrees. A device that does not tell says `[N/A]`.
pub fn nvidia_smi(told: &str) -> Option<Told> {
    let mut sum = Told::default();
    for line in told.lines().filter(|line| !line.trim().is_empty()) {
        let (watts, celsius) = line.split_once(',')?;
        if let Ok(watts) = watts.trim().parse::<f64>() {
            *sum.watts.get_or_insert(0.0) += watts;
        }
        if let Ok(celsius) = celsius.trim().parse::<f64>() {
            sum.temperature_c = Some(sum.temperature_c.unwrap_or(celsius).max(celsius));
        }
    }
    Some(sum)
}

pub fn powermetrics(told: &str) -> Option<Told> {
    let line = told.lines().find_map(|line| line.strip_prefix("Combined Power (CPU + GPU + ANE):"))?;
    let milliwatts: f64 = line.trim().strip_suffix("mW")?.trim().parse().ok()?;
    Some(Told { watts: Some(milliwatts / 1000.0), temperature_c: None })
}
