//! `tandem selftest`: whether a device computes what it should, and how fast it is.

use super::devices;
use super::speed::{self, Size, Speed};
use crate::display;
use crate::failure::Advised;
use crate::locate;
use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::Instant;
use tandem_engine::{Event, Request};
use tandem_hub::ModelRef;
use tandem_runtime::{Device, Found, Model, Options, Registry, Setup};
use tandem_tensor::Backend;
use tandem_tensor::conformance::{Case, Precision, cases, chosen, pooled, rarer};
use tandem_text::Specials;

/// Check that a device computes what it should, and measure how fast it is
///
/// Every kernel is compared with a plain implementation, and a model's text with the processor's where the default model is
/// on this machine. The report can be pasted into a bug report as it is. Where a driver does wrongly what the device could do
/// without, Tandem does without it from then on, and the report says so.
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
/// Cases that are run at once on a device.
const THREADS_MAX: usize = 8;
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
    let note = |text: &str| {
        if !args.json {
            eprintln!("{text}");
        }
    };
    note("comparing kernels with the reference …");
    let cases: Vec<Case> = [cases(), rarer(), chosen(), pooled()].into_iter().flatten().collect();
    let (compared, backend) = settled(opened.backend, found.software, &cases);
    let backend = &*backend;
    note("comparing a model's text with the processor's …");
    let text = text(&registry, &device)?;
    note("measuring …");
    let speed = speed::measure(backend, Size::telling(&found));
    let ways = backend.exchange_ways();
    let seconds = start.elapsed().as_secs_f64();
    let report = Report { device, found, compared, text, speed, ways, seconds };
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
    /// How a step could pass to other ranks and back.
    ways: Vec<String>,
    seconds: f64,
}

struct Compared {
    run: usize,
    known: usize,
    /// A case's name, and what was wrong.
    failed: Vec<(String, String)>,
    left_out: Option<LeftOut>,
}

/// Fast ways of computing that the device did wrongly.
struct LeftOut {
    paths: Vec<&'static str>,
    /// What was wrong with them, and right without.
    failed: Vec<(String, String)>,
    /// Why other processes will not do without them.
    unkept: Option<String>,
}

/// Every case, some of them where the device is slow; and the backend, without those of its fast paths that it does wrongly.
fn settled(backend: Box<dyn Backend>, software: bool, cases: &[Case]) -> (Compared, Box<dyn Backend>) {
    let stride = if software { SOFTWARE_STRIDE } else { 1 };
    let chosen: Vec<&Case> = cases.iter().step_by(stride).collect();
    let failed = compare(&*backend, software, &chosen);
    let compared = Compared { run: chosen.len(), known: cases.len(), failed, left_out: None };
    if compared.failed.is_empty() {
        return (compared, backend);
    }
    let wrong: Vec<&Case> = chosen
        .into_iter()
        .filter(|case| compared.failed.iter().any(|(name, _)| *name == case.name))
        .collect();
    let all = backend.fast_paths();
    let each = all.iter().map(|path| vec![*path]);
    for paths in each.chain([all.clone()]).filter(|paths| !paths.is_empty()) {
        let Ok(other) = backend.without(&paths) else { continue };
        if compare(&*other, software, &wrong).is_empty() {
            let unkept = backend.leave_out(&paths).err();
            let left_out = Some(LeftOut { paths, failed: compared.failed, unkept });
            return (Compared { failed: Vec::new(), left_out, ..compared }, other);
        }
    }
    (compared, backend)
}

/// What differs from the reference.
fn compare(backend: &dyn Backend, software: bool, chosen: &[&Case]) -> Vec<(String, String)> {
    // Drivers compile on the threads that ask, and the plain implementation takes one; a software device has all cores at work.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if software { 1 } else { (cores / 2).clamp(1, THREADS_MAX) };
    let next = AtomicUsize::new(0);
    let compare = || {
        let mut failed = Vec::new();
        while let Some(case) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(difference) = case.run(backend, tolerance(case, backend)) {
                failed.push((case.name.clone(), difference));
            }
        }
        failed
    };
    let mut failed: Vec<(String, String)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(compare)).collect();
        let join = |thread: ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect()
    });
    failed.sort();
    failed
}

/// Devices differ in the order of their sums and in their functions; more than this is an error.
fn tolerance(case: &Case, backend: &dyn Backend) -> f32 {
    match case.precision {
        _ if backend.rounds_to_halves() => case.precision.tolerance().max(1e-2),
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
        let left_out = self.compared.left_out.as_ref();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "system": system(),
            "device": devices::facts(&self.device, &self.found),
            "passed": self.passed(),
            "cases": { "run": self.compared.run, "known": self.compared.known, "failed": failed },
            "left_out": left_out.map_or_else(Vec::new, |left_out| left_out.paths.clone()),
            "text": self.text.words(),
            "speed": match &self.speed {
                Ok(speed) => speed.json(),
                Err(error) => json!({ "error": error }),
            },
            "exchange_ways": self.ways,
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
        if let Some(left_out) = &compared.left_out {
            writeln!(out, "left out {}", left_out.words())?;
            for (case, difference) in &left_out.failed {
                writeln!(out, "         wrong with it: {case}: {difference}")?;
            }
        }
        writeln!(out, "text     {}", self.text.words())?;
        match &self.speed {
            Ok(speed) => speed.print(out)?,
            Err(error) => writeln!(out, "speed    FAILED: {error}")?,
        }
        for way in &self.ways {
            writeln!(out, "way      {way}")?;
        }
        let verdict = if self.passed() { "passed" } else { "FAILED" };
        writeln!(out, "{verdict} in {:.1} s", self.seconds)?;
        Ok(())
    }
}

impl LeftOut {
    fn words(&self) -> String {
        let kept = match &self.unkept {
            None => "Tandem does without on this driver from now on".into(),
            Some(reason) => format!("Tandem goes on using it, since {reason}: use --device cpu"),
        };
        let (paths, count) = (self.paths.join(" and "), self.failed.len());
        format!("{paths}: {count} cases were wrong with it and right without; {kept}")
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

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tandem_tensor::{
        Batch, Footprint, Limits, OpenError, PeerLost, Peers, Program, Reference, Session, WeightSource,
    };

    use super::*;

    /// The reference, but for what it does wrongly by one of its fast paths.
    #[derive(Clone)]
    struct Faulty {
        paths: Vec<&'static str>,
        wrong: &'static str,
        left_out: Arc<Mutex<Vec<String>>>,
    }

    struct FaultySession(Box<dyn Session>, Vec<f32>, bool);

    impl Backend for Faulty {
        fn name(&self) -> String {
            "faulty".into()
        }

        fn fast_paths(&self) -> Vec<&'static str> {
            self.paths.clone()
        }

        fn without(&self, paths: &[&str]) -> Result<Box<dyn Backend>, String> {
            let left = self.paths.iter().copied().filter(|path| !paths.contains(path)).collect();
            Ok(Box::new(Faulty { paths: left, ..self.clone() }))
        }

        fn leave_out(&self, paths: &[&str]) -> Result<(), String> {
            self.left_out.lock().unwrap().extend(paths.iter().map(|path| (*path).to_owned()));
            Ok(())
        }

        fn footprint(&self, program: &Program, limits: &Limits) -> Footprint {
            Reference.footprint(program, limits)
        }

        fn open(
            &self,
            program: Arc<Program>,
            limits: Limits,
            weights: &dyn WeightSource,
            progress: &(dyn Fn(u64) + Sync),
        ) -> Result<Box<dyn Session>, OpenError> {
            let session = Reference.open(program, limits, weights, progress)?;
            let wrong = self.wrong == "always" || self.paths.contains(&self.wrong);
            Ok(Box::new(FaultySession(session, Vec::new(), wrong)))
        }
    }

    impl Session for FaultySession {
        fn run(&mut self, batch: &Batch, peers: &mut dyn Peers) -> Result<(), PeerLost> {
            self.0.run(batch, peers)?;
            self.1 = self.0.result().to_vec();
            if self.2 {
                self.1.iter_mut().for_each(|value| *value = 2.0 * *value + 1.0);
            }
            Ok(())
        }

        fn result(&self) -> &[f32] {
            &self.1
        }
    }

    fn check(wrong: &'static str) -> (Compared, Vec<String>) {
        let left_out = Arc::default();
        let backend = Faulty { paths: vec!["wide", "early"], wrong, left_out: Arc::clone(&left_out) };
        let cases: Vec<Case> = cases().into_iter().take(2).collect();
        let (compared, backend) = settled(Box::new(backend), false, &cases);
        assert_eq!(compared.run, 2);
        let used = backend.fast_paths();
        assert!(left_out.lock().unwrap().iter().all(|path| !used.contains(&path.as_str())));
        let left_out = left_out.lock().unwrap().clone();
        (compared, left_out)
    }

    #[test]
    fn what_a_device_does_wrongly_is_left_out() {
        let (compared, left_out) = check("early");
        assert!(compared.failed.is_empty());
        assert_eq!(left_out, ["early"]);
        let words = compared.left_out.unwrap().words();
        assert_eq!(
            words,
            "early: 2 cases were wrong with it and right without; Tandem does without on this driver from now on"
        );
    }

    #[test]
    fn what_nothing_mends_stays_wrong() {
        let (compared, left_out) = check("always");
        assert_eq!((compared.failed.len(), left_out.len()), (2, 0));
        assert!(compared.left_out.is_none());
        let (compared, left_out) = check("nothing");
        assert!(compared.failed.is_empty() && compared.left_out.is_none() && left_out.is_empty());
    }
}
