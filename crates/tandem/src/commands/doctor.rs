//! `tandem doctor`: what is wrong here or in the cluster, why it matters, and what mends it.

use anyhow::Result;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use tandem_doctor::{
    Finding, Remembered, ThisSystem, Weight, examine_cluster, examine_machine, examine_strain, unreachable,
};
use tandem_hub::Store;
use tandem_node::control::{ControlError, Order, order};

/// Examine this machine and its cluster
///
/// Every check says what was found; those that should be mended say why it matters and how. Nothing is changed. Ends with 1 if
/// something should be mended, with 0 if not.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem doctor
  tandem doctor --all               also what the other nodes found on their machines
  tandem doctor --load              … and what links give after ten minutes of full load
  tandem doctor --json | jq '.[] | select(.weight == \"bad\")'")]
pub struct Args {
    /// Also what the other nodes of the cluster found
    #[arg(long)]
    all: bool,
    /// First keep the links to all other nodes full for so many minutes (10 where not said), and compare
    #[arg(long, value_name = "MINUTES", num_args = 0..=1, default_missing_value = "10", value_parser = parse_minutes)]
    load: Option<f64>,
    #[arg(long)]
    json: bool,
}

fn parse_minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= 24.0 * 60.0 => Ok(minutes),
        _ => Err("expected minutes, more than 0, such as 10 or 0.5".into()),
    }
}

pub fn run(args: Args) -> Result<()> {
    let store = Store::from_env()?;
    let here = "this machine";
    let mut findings: Vec<(String, Finding)> =
        examine_machine(&ThisSystem, store.home()).into_iter().map(|it| (here.to_owned(), it)).collect();
    match order(store.home(), &Order::State) {
        Ok(state) => {
            let kept = std::fs::read(store.home().join("node/doctor.json")).ok();
            let remembered = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
            findings.extend(of_cluster(&state, args.all, remembered));
            if let Some(minutes) = args.load {
                findings.extend(under_load(store.home(), (minutes * 60.0).ceil() as u32)?);
            }
        }
        Err(ControlError::NoNode(_)) => {
            let why = "links, versions and other machines are examined through it";
            findings.push((
                here.to_owned(),
                Finding::plain("node", "no node runs here; `tandem up` starts one", why),
            ));
        }
        Err(error) => {
            let why = "links, versions and other machines are examined through it";
            let found = format!("the node here does not answer: {error}");
            findings
                .push((here.to_owned(), Finding::bad("node", found, why).mend("start `tandem up` again")));
        }
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let listed: Vec<Value> = findings
            .iter()
            .map(|(place, finding)| {
                let mut listed = json!(finding);
                listed["place"] = place.as_str().into();
                listed
            })
            .collect();
        writeln!(out, "{:#}", json!(listed))?;
    } else {
        print(&findings, &mut out)?;
    }
    out.flush()?;
    let bad = findings.iter().filter(|(_, finding)| finding.weight == Weight::Bad).count();
    if bad > 0 {
        eprintln!("{bad} {} should be mended.", if bad == 1 { "thing" } else { "things" });
        std::process::exit(1);
    }
    Ok(())
}

/// What links give after they were kept full for so long.
fn under_load(home: &Path, seconds: u32) -> Result<Vec<(String, Finding)>> {
    eprintln!("Keeping the links to all other nodes full for {seconds} s …");
    let told = order(home, &Order::Strain { seconds })?;
    let links = told["links"].as_array().into_iter().flatten();
    Ok(links.map(|link| ("cluster".to_owned(), examine_strain(link))).collect())
}

/// `remembered` is what links gave at their best.
fn of_cluster(state: &Value, all: bool, mut remembered: Remembered) -> Vec<(String, Finding)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let nodes = state["nodes"].as_array().cloned().unwrap_or_default();
    let own = nodes
        .iter()
        .find(|node| node["id"] == state["self"])
        .map(|node| text(&node["name"]))
        .unwrap_or_default();
    let mut findings: Vec<_> = examine_cluster(state, None, &mut remembered)
        .into_iter()
        .chain(unreachable(state, &own))
        .map(|finding| ("cluster".to_owned(), finding))
        .collect();
    if all {
        for told in
            state["findings"].as_array().into_iter().flatten().filter(|told| text(&told["node"]) != own)
        {
            if let Ok(finding) = serde_json::from_value::<Finding>(told.clone()) {
                findings.push((text(&told["node"]), finding));
            }
        }
        let live = nodes.iter().filter(|node| node["live"] == true && text(&node["name"]) != own);
        for name in live.map(|node| text(&node["name"])) {
            if !findings.iter().any(|(place, _)| *place == name) {
                let why = "every node examines its machine when it starts and every five minutes";
                findings.push((name, Finding::good("machine", "nothing to mend", why)));
            }
        }
    }
    findings
}

fn print(findings: &[(String, Finding)], out: &mut impl Write) -> std::io::Result<()> {
    let mut place = "";
    for (at, finding) in findings {
        if at != place {
            place = at;
            writeln!(out, "{place}")?;
        }
        let mark = match finding.weight {
            Weight::Good => "ok ",
            Weight::Plain => "·  ",
            Weight::Bad => "BAD",
        };
        writeln!(out, "  {mark} {:10} {}", finding.check, finding.found)?;
        if finding.weight == Weight::Bad {
            writeln!(out, "                 why:  {}", finding.why)?;
        }
        if let Some(mend) = finding.mend.as_ref().filter(|_| finding.weight != Weight::Good) {
            writeln!(out, "                 mend: {mend}")?;
        }
    }
    Ok(())
}
