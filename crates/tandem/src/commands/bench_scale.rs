//! `tandem bench scale`: one model on more and more nodes of this machine.

mod chart;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use tandem_engine::{Event, Request, Tokens, Usage};
use tandem_ranks::{LinkChoice, LocalGroup, LocalNodes, Overlap, Spent};
use tandem_runtime::{ModelFile, Options};

use super::bench_links::parse_link;
use super::worker;
use crate::failure::Interrupted;
use crate::interrupt::Listener;
use crate::{display, locate};
use chart::{Chart, Curve};

/// Measure how a model's speed grows with the number of nodes
///
/// Every node is a process with its own cores. The cases take turns, so that what else the machine does falls on all of
/// them alike; medians of the rounds are printed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem bench scale --model model.gguf --nodes 1,2
  tandem bench scale --nodes 1,2,4 --cores-per-node 4 --plot scale.svg
  tandem bench scale --nodes 1,2 --delay-us 0,50,300
  tandem bench scale --nodes 1,2 --link tcp --overlap off")]
pub struct ScaleArgs {
    /// Catalogue name, hub id, .gguf file or folder; the default model if left out
    #[arg(long, short)]
    model: Option<OsString>,
    /// Numbers of nodes
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "1,2", value_parser = clap::value_parser!(u16).range(1..=16))]
    nodes: Vec<u16>,
    /// Cores of each node; by default as many as all of the largest case can have
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    cores_per_node: Option<u16>,
    /// shm or tcp
    #[arg(long, default_value = "shm", value_parser = parse_link)]
    link: LinkChoice,
    /// tensor (a part of every layer each), pipeline (some of the layers each); by default both where a delay is added, else tensor
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', value_parser = ["tensor", "pipeline"])]
    layouts: Vec<String>,
    /// Run long prompts in two halves, one computing while the other's sums travel: auto (where it pays), on, off
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = parse_overlap)]
    overlap: Overlap,
    /// Make sums so that a text is the same however many nodes divide the model
    #[arg(long)]
    exact_sums: bool,
    /// What each of several nodes gets in proportion to the others, as 2,1; equal parts by default
    #[arg(long, value_name = "X,X", value_delimiter = ',')]
    shares: Vec<f64>,
    /// Delays added to each message, to imitate slower links
    #[arg(long, value_name = "US,US", value_delimiter = ',', default_value = "0")]
    delay_us: Vec<u64>,
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=100))]
    rounds: u16,
    /// Prompt tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    prefill: u32,
    /// Generated tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    decode: u32,
    /// Conversations at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    batch: u32,
    /// Conversations at once in a second measurement of decoding; 0 leaves it out
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=256))]
    together: u32,
    /// Tokens of context to make room for
    #[arg(long, value_name = "TOKENS", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(32..))]
    context: u32,
    /// Draw the speed-up into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn parse_overlap(text: &str) -> Result<Overlap, String> {
    match text {
        "auto" => Ok(Overlap::WherePaying),
        "on" => Ok(Overlap::Always),
        "off" => Ok(Overlap::Never),
        _ => Err("expected auto, on or off".into()),
    }
}

/// Tokens per block of the cache.
const BLOCK_LEN: usize = 32;

#[derive(Clone, Debug, PartialEq)]
struct Case {
    nodes: usize,
    pipeline: bool,
    delay_us: u64,
}

/// One case in one round.
#[derive(Clone, Debug, Default)]
struct Round {
    prefill_tps: f64,
    decode_tps: f64,
    /// Of all conversations of `--together`.
    together_tps: f64,
    /// Of one prompt token, and of one decoded; they add up to its time.
    prefill_parts: Parts,
    parts: Parts,
    /// By kind of operator, rank 0.
    prefill_kinds: Value,
    decode_kinds: Value,
    /// Of the node that holds most.
    node_bytes: u64,
    /// The plan of weights and cache of all nodes together.
    planned_bytes: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    computing_us: f64,
    /// What the rank that comes last to an exchange spends in it.
    communication_us: f64,
    /// What the others wait for it.
    waiting_us: f64,
    /// Scheduling, orders, results, sampling.
    overhead_us: f64,
}

struct Row {
    case: Case,
    median: Round,
    prefill_speed_up: f64,
    decode_speed_up: f64,
    together_speed_up: f64,
    /// Against an equal part of what one node holds.
    memory_ratio: f64,
}

pub fn scale(args: &ScaleArgs) -> Result<()> {
    let located = locate::or_pull(&locate::parse(args.model.as_deref())?, None)?;
    let cases = args.cases();
    let most = cases.iter().map(|case| case.nodes).max().unwrap_or(1);
    let cores = args.cores_per_node.map_or_else(|| (super::cores() / most).max(1), usize::from);
    let vocab = ModelFile::open(&located.path)?.description()?.vocab;
    let bench =
        Bench { args, path: &located.path, cores, vocab, listener: Listener::new(Duration::from_secs(2)) };
    let mut rounds: Vec<Vec<Round>> = vec![Vec::new(); cases.len()];
    for round in 0..usize::from(args.rounds) {
        for (case, results) in cases.iter().zip(&mut rounds) {
            results.push(bench.measure(case, round)?);
        }
    }
    let rows = rows(&cases, &rounds);
    if let Some(path) = &args.plot {
        let svg = plot(args, &located.name, cores, &rows);
        std::fs::write(path, svg).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", to_json(args, &located.name, cores, &rows, &rounds))?;
        return Ok(());
    }
    print(&mut out, args, &located.name, cores, &rows)
}

impl ScaleArgs {
    /// One node as it is, then the others.
    fn cases(&self) -> Vec<Case> {
        let mut cases = vec![Case { nodes: 1, pipeline: false, delay_us: 0 }];
        let delayed = self.delay_us.iter().any(|delay| *delay > 0);
        let measured = |pipeline: bool| match self.layouts.is_empty() {
            true => delayed || !pipeline,
            false => self.layouts.iter().any(|layout| (layout == "pipeline") == pipeline),
        };
        for &delay_us in &self.delay_us {
            for pipeline in [false, true].into_iter().filter(|pipeline| measured(*pipeline)) {
                for &nodes in self.nodes.iter().filter(|nodes| **nodes > 1) {
                    cases.push(Case { nodes: nodes.into(), pipeline, delay_us });
                }
            }
        }
        cases
    }
}

struct Bench<'a> {
    args: &'a ScaleArgs,
    path: &'a Path,
    cores: usize,
    vocab: usize,
    listener: Listener,
}

impl Bench<'_> {
    fn measure(&self, case: &Case, round: usize) -> Result<Round> {
        let (prefill, decode) = (self.args.prefill as usize, self.args.decode as usize);
        let (batch, together) = (self.args.batch as usize, self.args.together as usize);
        let room = |sequences: usize| sequences * (prefill + decode + 128).next_multiple_of(64);
        let options = Options {
            threads: Some(self.cores),
            context: Some((room(batch) + room(together) + 128).max(self.args.context as usize)),
            sequences_max: batch.max(together),
            exact_sums: self.args.exact_sums,
            ..Options::default()
        };
        let nodes = LocalNodes {
            link: self.args.link,
            delay_us: case.delay_us,
            pipeline: case.pipeline,
            shares: if case.nodes > 1 { self.args.shares.clone() } else { Vec::new() },
            overlap: self.args.overlap,
            ..LocalNodes::new(case.nodes)
        };
        let group = LocalGroup::start(self.path, &options, &nodes, worker::command("rank")?, &|_, _| {})?;
        self.finish(&group, vec![self.prompt(prefill.min(32), 0)], 4)?;
        // One token more than whole blocks of the cache, so that the second time one is left to compute.
        let prefill = prefill.next_multiple_of(BLOCK_LEN) + 1;
        let first = 1 + round * (batch + together);
        let prompts: Vec<_> = (first..first + batch).map(|salt| self.prompt(prefill, salt)).collect();
        group.spent();
        let prefill_for = self.read(&group, &prompts)?;
        let prefill_tps = (batch * prefill) as f64 / prefill_for.as_secs_f64();
        let prefill_spent = group.spent();
        let (decode_tps, tokens) = self.decode(&group, prompts, decode)?;
        let spent = group.spent();
        let mut together_tps = 0.0;
        if together > 0 {
            let salts = first + batch..first + batch + together;
            let prompts: Vec<_> = salts.map(|salt| self.prompt(BLOCK_LEN + 1, salt)).collect();
            self.read(&group, &prompts)?;
            (together_tps, _) = self.decode(&group, prompts, decode)?;
        }
        let planned = group.ranks().iter().map(|rank| rank.weights_bytes + rank.cache_bytes).sum();
        Ok(Round {
            prefill_tps,
            decode_tps,
            together_tps,
            prefill_parts: Parts::of(&prefill_spent, batch * prefill, 1e6 / prefill_tps, case.pipeline),
            parts: Parts::of(&spent, tokens + batch, 1e6 / decode_tps, case.pipeline),
            prefill_kinds: kinds(&prefill_spent[0], batch * prefill),
            decode_kinds: kinds(&spent[0], tokens + batch),
            node_bytes: spent.iter().filter_map(|spent| spent.resident_bytes).max().unwrap_or(0),
            planned_bytes: planned,
        })
    }

    /// Brings prompts into the cache, one after the other, and says how long their first tokens took in all.
    fn read(&self, group: &LocalGroup, prompts: &[Vec<u32>]) -> Result<Duration> {
        let one = |prompt: &Vec<u32>| Ok(self.finish(group, vec![prompt.clone()], 1)?[0].first_token_after);
        prompts.iter().map(one).sum()
    }

    /// Decodes prompts that are in the cache, all at once: tokens per second, and tokens, of all.
    fn decode(&self, group: &LocalGroup, prompts: Vec<Vec<u32>>, tokens: usize) -> Result<(f64, usize)> {
        let done = self.finish(group, prompts, tokens + 1)?;
        let tokens: usize = done.iter().map(|usage| usage.tokens.saturating_sub(1)).sum();
        let decoding_for = done.iter().map(|usage| usage.decoding_for).max().unwrap_or_default();
        Ok((tokens as f64 / decoding_for.as_secs_f64(), tokens))
    }

    fn finish(&self, group: &LocalGroup, prompts: Vec<Vec<u32>>, tokens: usize) -> Result<Vec<Usage>> {
        let streams = prompts.into_iter().map(|prompt| {
            Ok(group.stream(Request { prompt, tokens_max: Some(tokens), ..Request::default() })?)
        });
        let streams = streams.collect::<Result<Vec<_>>>()?;
        let mut done = Vec::with_capacity(streams.len());
        for stream in streams {
            for event in stream {
                if self.listener.is_raised() {
                    return Err(Interrupted("nothing was measured").into());
                }
                match event {
                    Event::Done(usage) => done.push(usage),
                    Event::Refused(refused) => return Err(anyhow!("{refused}")),
                    Event::Failed(reason) => return Err(anyhow!("the model stopped: {reason}")),
                    _ => {}
                }
            }
        }
        Ok(done)
    }

    /// Ordinary words in no order; no two prompts begin alike, or the second would come from the prefix cache.
    fn prompt(&self, tokens: usize, salt: usize) -> Vec<u32> {
        let words = (self.vocab * 4 / 5).max(2);
        (0..tokens).map(|i| (self.vocab / 40 + (i * 7919 + salt * 977) % words) as u32).collect()
    }
}

/// Microseconds of a token.
fn kinds(spent: &Spent, tokens: usize) -> Value {
    spent.kinds_us.iter().map(|(kind, us)| (kind.clone(), json!(us / tokens.max(1) as f64))).collect()
}

impl Parts {
    fn to_json(self) -> Value {
        json!({
            "computing": self.computing_us,
            "communication": self.communication_us,
            "waiting": self.waiting_us,
            "overhead": self.overhead_us,
        })
    }

    fn of(spent: &[Spent], tokens: usize, token_us: f64, pipeline: bool) -> Parts {
        let per_token =
            |of: fn(&Spent) -> f64| spent.iter().map(move |spent| of(spent) / tokens.max(1) as f64);
        let mean = |of| per_token(of).sum::<f64>() / spent.len().max(1) as f64;
        let computing = |spent: &Spent| spent.computing_us + spent.waiting_us;
        let exchanging = |spent: &Spent| spent.exchanging_us;
        let least = per_token(exchanging).fold(f64::MAX, f64::min);
        let (computing_us, waiting_us) = match pipeline {
            // Stages follow each other, and wait for each other by design.
            true => (per_token(computing).sum(), 0.0),
            false => (mean(computing), mean(exchanging) - least),
        };
        let overhead_us = token_us - computing_us - waiting_us - least;
        Parts { computing_us, communication_us: least, waiting_us, overhead_us }
    }
}

fn rows(cases: &[Case], rounds: &[Vec<Round>]) -> Vec<Row> {
    let medians: Vec<Round> = rounds.iter().map(|rounds| median(rounds)).collect();
    let one = medians[0].clone();
    let row = |(case, median): (&Case, &Round)| Row {
        case: case.clone(),
        median: median.clone(),
        prefill_speed_up: median.prefill_tps / one.prefill_tps,
        decode_speed_up: median.decode_tps / one.decode_tps,
        together_speed_up: median.together_tps / one.together_tps.max(f64::MIN_POSITIVE),
        memory_ratio: median.node_bytes as f64 * case.nodes as f64 / one.planned_bytes.max(1) as f64,
    };
    cases.iter().zip(&medians).map(row).collect()
}

fn median(rounds: &[Round]) -> Round {
    let of = |value: fn(&Round) -> f64| {
        let mut values: Vec<f64> = rounds.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    // The parts of one round add up, those of different rounds would not.
    let decode_tps = of(|round| round.decode_tps);
    let middle = rounds.iter().find(|round| round.decode_tps == decode_tps).unwrap_or(&rounds[0]);
    Round {
        prefill_tps: of(|round| round.prefill_tps),
        decode_tps,
        together_tps: of(|round| round.together_tps),
        ..middle.clone()
    }
}

fn layout(case: &Case) -> &'static str {
    match (case.nodes, case.pipeline) {
        (1, _) => "alone",
        (_, false) => "tensor",
        (_, true) => "pipeline",
    }
}

/// For every delay: which of the measured divisions is fastest for one conversation, for several and for prompts, and whether it is
/// worth having.
fn recommendations(rows: &[Row], together: u32) -> Vec<String> {
    let mut delays: Vec<u64> = rows[1..].iter().map(|row| row.case.delay_us).collect();
    delays.dedup();
    let best = |delay: u64, speed_up: fn(&Row) -> f64| {
        let of_delay = rows[1..].iter().filter(move |row| row.case.delay_us == delay);
        let best = of_delay.max_by(|a, b| speed_up(a).total_cmp(&speed_up(b)))?;
        let (layout, nodes, speed_up) = (layout(&best.case), best.case.nodes, speed_up(best));
        Some(match speed_up > 1.0 {
            true => format!("{layout} over {nodes} nodes ({speed_up:.2}×)"),
            false => format!("one node, if the model fits, else {layout} over {nodes} ({speed_up:.2}×)"),
        })
    };
    let say = |delay: u64| {
        let link = if delay == 0 { "as it is".to_owned() } else { format!("with {delay} us added") };
        let one = best(delay, |row| row.decode_speed_up)?;
        let several = match together {
            0 => String::new(),
            _ => format!("; for {together} at once, {}", best(delay, |row| row.together_speed_up)?),
        };
        let prompts = best(delay, |row| row.prefill_speed_up)?;
        Some(format!("link {link}: for one conversation, {one}{several}; for prompts, {prompts}"))
    };
    delays.into_iter().filter_map(say).collect()
}

fn print(out: &mut impl Write, args: &ScaleArgs, name: &str, cores: usize, rows: &[Row]) -> Result<()> {
    let link = if args.link == LinkChoice::Tcp { "tcp" } else { "shm" };
    writeln!(
        out,
        "{name}: nodes of {cores} cores over {link}, {} prompt and {} generated tokens × {}, medians of {} rounds",
        args.prefill, args.decode, args.batch, args.rounds
    )?;
    writeln!(
        out,
        "{:>5} {:<8} {:>8}  {:>10} {:>6}  {:>10} {:>6}  {:>10} {:>6}  {:>9} {:>9} {:>9} {:>9}  {:>9} {:>6}",
        "nodes",
        "layout",
        "delay us",
        "prefill/s",
        "×",
        "decode/s",
        "×",
        format!("{} at once", args.together),
        "×",
        "computing",
        "exchange",
        "waiting",
        "overhead",
        "per node",
        "×"
    )?;
    for row in rows {
        let Round { prefill_tps, decode_tps, together_tps, parts, node_bytes, .. } = &row.median;
        writeln!(
            out,
            "{:>5} {:<8} {:>8}  {prefill_tps:>10.1} {:>6.2}  {decode_tps:>10.1} {:>6.2}  {together_tps:>10.1} {:>6.2}  {:>9.0} {:>9.0} {:>9.0} {:>9.0}  {:>9} {:>6.2}",
            row.case.nodes,
            layout(&row.case),
            row.case.delay_us,
            row.prefill_speed_up,
            row.decode_speed_up,
            row.together_speed_up,
            parts.computing_us,
            parts.communication_us,
            parts.waiting_us,
            parts.overhead_us,
            display::bytes(*node_bytes),
            row.memory_ratio,
        )?;
    }
    writeln!(
        out,
        "computing to overhead: us of a decoded token. per node ×: against an equal part of weights and cache"
    )?;
    for line in recommendations(rows, args.together) {
        writeln!(out, "fastest, {line}")?;
    }
    Ok(())
}

fn to_json(args: &ScaleArgs, name: &str, cores: usize, rows: &[Row], rounds: &[Vec<Round>]) -> Value {
    let row = |(row, rounds): (&Row, &Vec<Round>)| {
        let Round { prefill_tps, decode_tps, prefill_parts, parts, node_bytes, planned_bytes, .. } =
            &row.median;
        let all = |of: fn(&Round) -> f64| rounds.iter().map(of).collect::<Vec<_>>();
        json!({
            "nodes": row.case.nodes,
            "layout": layout(&row.case),
            "delay_us": row.case.delay_us,
            "prefill_tps": prefill_tps,
            "decode_tps": decode_tps,
            "together_tps": row.median.together_tps,
            "prefill_speed_up": row.prefill_speed_up,
            "decode_speed_up": row.decode_speed_up,
            "together_speed_up": row.together_speed_up,
            "prefill_us": prefill_parts.to_json(),
            "decode_us": parts.to_json(),
            "prefill_kinds_us": row.median.prefill_kinds,
            "decode_kinds_us": row.median.decode_kinds,
            "node_bytes": node_bytes,
            "planned_bytes": planned_bytes,
            "memory_ratio": row.memory_ratio,
            "prefill_tps_by_round": all(|round| round.prefill_tps),
            "decode_tps_by_round": all(|round| round.decode_tps),
            "together_tps_by_round": all(|round| round.together_tps),
        })
    };
    json!({
        "model": name,
        "cores_per_node": cores,
        "together": args.together,
        "rows": rows.iter().zip(rounds).map(row).collect::<Vec<_>>(),
        "recommendations": recommendations(rows, args.together),
    })
}

fn plot(args: &ScaleArgs, name: &str, cores: usize, rows: &[Row]) -> String {
    let mut curves = Vec::new();
    for &delay_us in &args.delay_us {
        for pipeline in [false, true] {
            let of = |row: &&Row| {
                row.case.pipeline == pipeline && row.case.delay_us == delay_us && row.case.nodes > 1
            };
            let points: Vec<_> =
                rows.iter().filter(of).map(|row| (row.case.nodes, row.decode_speed_up)).collect();
            if !points.is_empty() {
                let layout = if pipeline { "pipeline" } else { "tensor" };
                let delay = if delay_us == 0 { String::new() } else { format!(", +{delay_us} us") };
                curves.push(Curve { name: format!("Tandem, {layout}{delay}"), points, published: false });
            }
        }
    }
    // Published for Qwen3-235B on one, two and four Mac Studios joined by Thunderbolt 5.
    curves.push(Curve {
        name: "exo (published)".into(),
        points: vec![(2, 26.2 / 19.5), (4, 31.9 / 19.5)],
        published: true,
    });
    curves.push(Curve {
        name: "llama.cpp (published)".into(),
        points: vec![(2, 17.2 / 20.4), (4, 15.2 / 20.4)],
        published: true,
    });
    let name = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    Chart { title: format!("{name}: decoding against one node of {cores} cores"), curves }.to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_follows_what_was_measured() {
        let row = |nodes, pipeline, delay_us, [one, several, prompts]: [f64; 3]| Row {
            case: Case { nodes, pipeline, delay_us },
            median: Round::default(),
            prefill_speed_up: prompts,
            decode_speed_up: one,
            together_speed_up: several,
            memory_ratio: 1.0,
        };
        let rows = [
            row(1, false, 0, [1.0; 3]),
            row(2, false, 0, [1.9, 1.8, 1.9]),
            row(2, true, 0, [0.99, 1.6, 1.7]),
            row(2, false, 300, [0.8, 0.9, 1.5]),
            row(2, true, 300, [0.97, 1.5, 1.6]),
        ];
        let said = recommendations(&rows, 4);
        assert_eq!(
            said[0],
            "link as it is: for one conversation, tensor over 2 nodes (1.90×); for 4 at once, tensor over 2 nodes (1.80×); \
             for prompts, tensor over 2 nodes (1.90×)"
        );
        assert_eq!(
            said[1],
            "link with 300 us added: for one conversation, one node, if the model fits, else pipeline over 2 (0.97×); \
             for 4 at once, pipeline over 2 nodes (1.50×); for prompts, pipeline over 2 nodes (1.60×)"
        );
        assert!(!recommendations(&rows, 0)[1].contains("at once"));
    }
}
