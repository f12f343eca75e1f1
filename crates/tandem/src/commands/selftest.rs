//! `tandem selftest`: whether a device computes what it should, and how fast it is.

mod speed;

use super::devices;
use crate::display;
use crate::failure::Advised;
use crate::locate;
use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use speed::Speed;
use std::io::Write;
use std::path::Path;
use std::time::Instant;
use tandem_engine::{Event, Request};
use tandem_hub::ModelRef;
use tandem_runtime::{Device, Found, Model, Options, Registry, Setup};
use tandem_tensor::Backend;
use tandem_tensor::conformance::{Case, Precision, cases};
use tandem_text::Specials;

/// Check that a device computes what it should, and measure how fast it is
///
/// Every kernel is compared with a plain implementation, and a model's text with the processor's where the default model is
/// on this machine. The report can be pasted into a bug report as it is.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem selftest                    what `--device auto` would take
  tandem selftest --device gpu:1
  tandem selftest --device cpu --json")]
pub struct Args {
    /// What to check: auto, cpu, gpu or gpu:N
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    device: Device,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// On a software device, which is slow, one case of so many is run.
const SOFTWARE_STRIDE: usize = 9;
const PROMPT: &str = "The capital of France is Paris, and the capital of Italy is";
const TOKENS: usize = 24;
/// Where the processor's best two tokens are closer than this (natural logarithm), rounding may choose the other.
const TIE: f32 = 0.5;

pub fn run(args: Args) -> Result<()> {
    let start = Instant::now();
    let registry = Registry::default();
    let opened = registry.open(&args.device, Setup::default())?;
    let found = registry.found().into_iter().find(|(device, _)| *device == opened.device);
    let (device, found) = found.with_context(|| format!("{} is gone", opened.device))?;
    let backend = &*opened.backend;
    let note = |text: &str| {
        if !args.json {
            eprintln!("{text}");
        }
    };
    note("comparing kernels with the reference …");
    let compared = compare(backend, &found);
    note("comparing a model's text with the processor's …");
    let text = text(&registry, &device)?;
    note("measuring …");
    let speed = speed::measure(backend, found.software || found.api.is_empty());
    let report = Report { device, found, compared, text, speed, seconds: start.elapsed().as_secs_f64() };
    let mut out = std::io::stdout().lock();
    match args.json {
        true => writeln!(out, "{:#}", report.json())?,
        false => report.print(&mut out)?,
    }
    match report.passed() {
        true => Ok(()),
        false => Err(Advised::new(
            format!("{} does not compute what it should", report.device),
            "use --device cpu, and paste this report into a bug report",
        )
        .into()),
    }
}

struct Report {
    device: Device,
    found: Found,
    compared: Compared,
    text: Text,
    speed: Result<Speed, String>,
    seconds: f64,
}

struct Compared {
    run: usize,
    known: usize,
    /// A case's name, and what was wrong.
    failed: Vec<(String, String)>,
}

/// Every case on `backend`; some of them where it is slow.
fn compare(backend: &dyn Backend, found: &Found) -> Compared {
    let cases = cases();
    let stride = if found.software { SOFTWARE_STRIDE } else { 1 };
    let mut compared = Compared { run: 0, known: cases.len(), failed: Vec::new() };
    for case in cases.iter().step_by(stride) {
        compared.run += 1;
        if let Err(difference) = case.run(backend, tolerance(case)) {
            compared.failed.push((case.name.clone(), difference));
        }
    }
    compared
}

/// Devices differ in the order of their sums and in their functions; more than this is an error.
fn tolerance(case: &Case) -> f32 {
    match case.precision {
        Precision::Float => 1e-3,
        precision => precision.tolerance(),
    }
}

enum Text {
    Same {
        tokens: usize,
    },
    /// Only where the choice was not clear.
    Tie {
        at: usize,
        margin: f32,
    },
    Differs {
        at: usize,
        margin: f32,
        cpu: String,
        device: String,
    },
    Failed(String),
    /// The default model is not here, or the device is the processor.
    NotRun(&'static str),
}

/// What the default model says on the device, against what it says on the processor.
fn text(registry: &Registry, device: &Device) -> Result<Text> {
    if *device == Device::cpu() {
        return Ok(Text::NotRun("this is the processor"));
    }
    let Ok(located) = locate::on_this_machine(&ModelRef::default_model()) else {
        return Ok(Text::NotRun("the default model is not here; `tandem pull` brings it"));
    };
    let said = |device: &Device| said(&located.path, registry, device);
    let (expected, tokenizer) = said(&Device::cpu()).context("the processor cannot run the default model")?;
    let found = match said(device) {
        Ok((found, _)) => found,
        Err(error) => return Ok(Text::Failed(format!("{error:#}"))),
    };
    let parted = expected.iter().zip(&found).position(|(expected, found)| expected.0 != found.0);
    let Some(at) = parted else { return Ok(Text::Same { tokens: expected.len() }) };
    let margin = expected[at].1;
    let words = |tokens: &[(u32, f32)]| tokenizer(&tokens.iter().map(|token| token.0).collect::<Vec<_>>());
    Ok(match margin < TIE {
        true => Text::Tie { at, margin },
        false => Text::Differs { at, margin, cpu: words(&expected), device: words(&found) },
    })
}

type Said = (Vec<(u32, f32)>, Box<dyn Fn(&[u32]) -> String>);

/// The likeliest continuation of a prompt: tokens, and by how much each beat the next best. Also what makes text of them.
fn said(path: &Path, registry: &Registry, device: &Device) -> Result<Said> {
    let options = Options {
        device: device.clone(),
        registry: registry.clone(),
        context: Some(256),
        sequences_max: 1,
        ..Options::default()
    };
    let model = Model::open(path, &options, &|_, _| {})?;
    let prompt = model.tokenizer().encode(PROMPT, Specials::Parse);
    let request = Request { prompt, tokens_max: Some(TOKENS), logprobs: Some(2), ..Request::default() };
    let mut tokens = Vec::new();
    for event in model.tokens().stream(request)? {
        match event {
            Event::Token { id, logprobs } => {
                let margin = logprobs.as_ref().and_then(|logprobs| match logprobs.top.as_slice() {
                    [best, next, ..] => Some(best.logprob - next.logprob),
                    _ => None,
                });
                tokens.push((id, margin.unwrap_or(f32::INFINITY)));
            }
            Event::Refused(refused) => return Err(refused.into()),
            Event::Failed(reason) => return Err(anyhow!(reason)),
            _ => {}
        }
    }
    Ok((tokens, Box::new(move |ids| model.tokenizer().decode(ids))))
}

impl Report {
    fn passed(&self) -> bool {
        let text = !matches!(self.text, Text::Differs { .. } | Text::Failed(_));
        self.compared.failed.is_empty() && text && self.speed.is_ok()
    }

    fn json(&self) -> Value {
        let failed: Vec<_> = self
            .compared
            .failed
            .iter()
            .map(|(case, difference)| json!({ "case": case, "difference": difference }))
            .collect();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "system": system(),
            "device": devices::facts(&self.device, &self.found),
            "passed": self.passed(),
            "cases": { "run": self.compared.run, "known": self.compared.known, "failed": failed },
            "text": self.text.words(),
            "speed": match &self.speed {
                Ok(speed) => speed.json(),
                Err(error) => json!({ "error": error }),
            },
            "seconds": self.seconds,
        })
    }

    fn print(&self, out: &mut impl Write) -> Result<()> {
        let Report { device, found, compared, .. } = self;
        writeln!(out, "tandem {} on {}", env!("CARGO_PKG_VERSION"), system())?;
        writeln!(out, "device   {device}: {}", found.name)?;
        if !found.api.is_empty() {
            writeln!(out, "driver   {}, {}", found.api, found.driver)?;
        }
        if let (Some(free), Some(total)) = (found.free_bytes, found.total_bytes) {
            writeln!(out, "memory   {} free of {}", display::bytes(free), display::bytes(total))?;
        }
        let short = match compared.run < compared.known {
            true => format!(", of {} (a software device runs some)", compared.known),
            false => String::new(),
        };
        let right = compared.run - compared.failed.len();
        writeln!(out, "kernels  {right} of {} cases as the reference{short}", compared.run)?;
        for (case, difference) in &compared.failed {
            writeln!(out, "         WRONG {case}: {difference}")?;
        }
        writeln!(out, "text     {}", self.text.words())?;
        match &self.speed {
            Ok(speed) => speed.print(out)?,
            Err(error) => writeln!(out, "speed    FAILED: {error}")?,
        }
        let verdict = if self.passed() { "passed" } else { "FAILED" };
        writeln!(out, "{verdict} in {:.1} s", self.seconds)?;
        Ok(())
    }
}

impl Text {
    fn words(&self) -> String {
        match self {
            Text::Same { tokens } => format!("{tokens} tokens of the default model as on the processor"),
            Text::Tie { at, margin } => {
                format!("as on the processor up to token {at}, where two were close ({margin:.3})")
            }
            Text::Differs { at, margin, cpu, device } => {
                format!("WRONG at token {at}, which was clear by {margin:.3}: {device:?}, expected {cpu:?}")
            }
            Text::Failed(reason) => format!("FAILED: {reason}"),
            Text::NotRun(why) => format!("not compared: {why}"),
        }
    }
}

fn system() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}
