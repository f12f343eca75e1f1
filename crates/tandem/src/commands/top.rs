//! `tandem top`: the cluster live in a terminal.

mod screen;
mod view;

use crate::failure::Advised;
use crate::interrupt::Listener;
use anyhow::Result;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use serde_json::Value;
use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};
use tandem_hub::Store;
use tandem_node::control::{Order, order};
use view::{Step, View};

/// Watch the cluster live in this terminal
///
/// Nodes, links, models, requests and what happens. Needs a node running on this machine; works over ssh, from 80 columns and
/// 24 lines on.
#[derive(clap::Args)]
#[command(after_help = "\
Keys:
  ↑ ↓      choose a node or a model        Tab     between nodes and models
  u        unload the chosen model         r       remove the chosen node
  l        links instead of nodes          p       pause
  q        quit

Unload and remove ask before they do it.")]
pub struct Args {
    /// Seconds between two looks
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = parse_pause)]
    every: f64,
}

fn parse_pause(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds")?;
    if (0.1..=60.0).contains(&seconds) { Ok(seconds) } else { Err("expected 0.1 to 60 seconds".into()) }
}

pub fn run(args: Args) -> Result<()> {
    let store = Store::from_env()?;
    let carry_out = move |wanted: &Order| order(store.home(), wanted).map_err(|error| error.to_string());
    // Without a node there is nothing to draw.
    let first = carry_out(&Order::State).map_err(anyhow::Error::msg)?;
    if !std::io::stdout().is_terminal() {
        let help = "`tandem nodes --json` and `tandem ps --json` are for scripts";
        return Err(Advised::new("`tandem top` draws in a terminal, and stdout is none", help).into());
    }
    let interrupted = Listener::new(Duration::from_secs(2));
    let every = Duration::from_secs_f64(args.every);
    watch(View::of(first), every, carry_out, || interrupted.is_raised())
}

/// Draws until somebody quits, and leaves the terminal as it was, also when something panics.
fn watch(
    view: View,
    every: Duration,
    carry_out: impl Fn(&Order) -> Result<Value, String> + Send + 'static,
    is_over: impl Fn() -> bool,
) -> Result<()> {
    let node = Asked::start(carry_out)?;
    let mut terminal = ratatui::try_init()?;
    let watched = follow(&mut terminal, view, every, &node, is_over);
    ratatui::restore();
    watched
}

/// The longest that a key, a signal or an answer waits to be noticed.
const NOTICE_WITHIN: Duration = Duration::from_millis(100);

fn follow(
    terminal: &mut DefaultTerminal,
    mut view: View,
    every: Duration,
    node: &Asked,
    is_over: impl Fn() -> bool,
) -> Result<()> {
    let mut looked = Instant::now();
    // Whether an answer is waited for; a node that hangs must not hold up the keys.
    let mut looking = false;
    loop {
        view.silent_s = if looking { looked.elapsed().as_secs() } else { 0 };
        if view.changed() {
            terminal.draw(|frame| screen::draw(frame, &view))?;
        }
        if event::poll(NOTICE_WITHIN)? {
            match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Press => {
                    let quits =
                        key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
                    match if quits { Step::Quit } else { view.press(key.code) } {
                        Step::Quit => return Ok(()),
                        Step::Order(order, done) => node.ask(Question::Do(order, done)),
                        Step::None => {}
                    }
                }
                Event::Resize(..) => view.touch(),
                _ => {}
            }
        }
        loop {
            match node.heard.try_recv() {
                Ok(Heard::Looked(state)) => {
                    looking = false;
                    view.take(state);
                }
                Ok(Heard::Done(said)) => view.say(said),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => anyhow::bail!("the thread that asks the node has ended"),
            }
        }
        if is_over() {
            return Ok(());
        }
        if !looking && !view.paused && looked.elapsed() >= every {
            (looking, looked) = (true, Instant::now());
            node.ask(Question::Look);
        }
    }
}

/// A thread that asks the node, so that nobody else waits for it.
struct Asked {
    questions: Sender<Question>,
    heard: Receiver<Heard>,
}

enum Question {
    Look,
    /// An order, and what to say once it is carried out.
    Do(Order, String),
}

enum Heard {
    Looked(Result<Value, String>),
    Done(String),
}

impl Asked {
    fn start(carry_out: impl Fn(&Order) -> Result<Value, String> + Send + 'static) -> std::io::Result<Asked> {
        let (questions, asked) = channel();
        let (answers, heard) = channel();
        std::thread::Builder::new().name("node".into()).spawn(move || {
            for question in asked {
                let answer = match question {
                    Question::Look => Heard::Looked(carry_out(&Order::State)),
                    Question::Do(order, done) => {
                        Heard::Done(carry_out(&order).map_or_else(|error| error, |_| done))
                    }
                };
                if answers.send(answer).is_err() {
                    return;
                }
            }
        })?;
        Ok(Asked { questions, heard })
    }

    /// If the thread has ended, the answers tell.
    fn ask(&self, question: Question) {
        let _ = self.questions.send(question);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    /// Started by the test below, in a terminal of its own.
    #[test]
    #[ignore]
    fn panics_while_it_draws() {
        let _ =
            watch(View::of(Value::Null), Duration::from_secs(60), |_| Ok(Value::Null), || panic!("planted"));
    }

    #[test]
    fn a_panic_leaves_the_terminal_as_it_was() {
        let test = std::env::current_exe().unwrap();
        let name = "commands::top::tests::panics_while_it_draws";
        // What `stty` says of the terminal before and after.
        let command = format!(
            "stty -g; '{}' --exact {name} --ignored --nocapture; stty -g",
            test.to_str().unwrap().replace('\'', "'\\''")
        );
        let ran = Command::new("script").args(["-qc", &command, "/dev/null"]).stdin(Stdio::null()).output();
        let Ok(ran) = ran else {
            eprintln!(
                "SKIPPED a_panic_leaves_the_terminal_as_it_was: no `script` to give it a terminal (Debian: bsdutils)"
            );
            return;
        };
        let said = String::from_utf8_lossy(&ran.stdout);
        let (entered, left) = (said.find("\u{1b}[?1049h"), said.find("\u{1b}[?1049l"));
        let panicked = said.find("planted");
        assert!(entered.is_some() && entered < left && left < panicked, "{said:?}");
        let lines: Vec<_> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.first(), lines.last(), "{said:?}");
    }
}
