//! What `tandem top` shows, what is chosen in it, and what keys do.

use ratatui::crossterm::event::KeyCode;
use serde_json::Value;
use std::collections::VecDeque;
use std::time::Instant;
use tandem_node::control::Order;

/// What is shown, and what is chosen.
#[derive(Default)]
pub struct View {
    pub state: Value,
    /// Oldest first.
    pub tokens_per_s: VecDeque<u64>,
    pub first_token_ms: VecDeque<u64>,
    pub requests: VecDeque<u64>,
    counted: Option<(Counts, Instant)>,
    pub on_models: bool,
    pub shows_links: bool,
    pub node: usize,
    pub model: usize,
    pub paused: bool,
    asks: Option<Asks>,
    said: String,
    /// Why the last look failed.
    pub lost: Option<String>,
    /// How long the node has not answered.
    pub silent_s: u64,
    drawn_silent_s: u64,
    fresh: bool,
}

/// Something that is done only once it is confirmed.
struct Asks {
    question: String,
    order: Order,
    done: String,
}

/// What follows from a key.
pub enum Step {
    None,
    Quit,
    /// With what to say once it is carried out.
    Order(Order, String),
}

/// Of all nodes together.
#[derive(Clone, Copy, Default)]
struct Counts {
    tokens: u64,
    first_tokens: u64,
    first_token_us: u64,
}

const HISTORY_MAX: usize = 300;

impl View {
    pub fn of(state: Value) -> View {
        let mut view = View::default();
        view.take(Ok(state));
        view
    }

    /// What a look gave.
    pub fn take(&mut self, looked: Result<Value, String>) {
        self.touch();
        match looked {
            Ok(state) => {
                (self.state, self.lost) = (state, None);
                self.count();
            }
            Err(error) => self.lost = Some(error),
        }
        self.node = self.node.min(self.rows("nodes").len().saturating_sub(1));
        self.model = self.model.min(self.rows("instances").len().saturating_sub(1));
    }

    fn count(&mut self) {
        let sum = |name: &str| -> u64 {
            let vitals = self.state["vitals"].as_object().into_iter().flatten();
            vitals.filter_map(|(_, vitals)| vitals[name].as_u64()).sum()
        };
        let counts = Counts {
            tokens: sum("tokens"),
            first_tokens: sum("first_tokens"),
            first_token_us: sum("first_token_us"),
        };
        let (requests, now) = (sum("requests"), Instant::now());
        if let Some((before, at)) = self.counted.replace((counts, now)) {
            let seconds = (now - at).as_secs_f64().max(0.05);
            // A node that is gone takes its counts along.
            let grown = |now: u64, before: u64| now.saturating_sub(before);
            let firsts = grown(counts.first_tokens, before.first_tokens);
            let waited_us = grown(counts.first_token_us, before.first_token_us);
            let last_ms = self.first_token_ms.back().copied().unwrap_or(0);
            let tokens_per_s = grown(counts.tokens, before.tokens) as f64 / seconds;
            push(&mut self.tokens_per_s, tokens_per_s.round() as u64);
            push(&mut self.first_token_ms, waited_us.checked_div(firsts).map_or(last_ms, |us| us / 1000));
            push(&mut self.requests, requests);
        }
    }

    pub fn rows(&self, name: &str) -> &[Value] {
        self.state[name].as_array().map_or(&[], Vec::as_slice)
    }

    /// Whether it looks different since this was last asked.
    pub fn changed(&mut self) -> bool {
        let silent = std::mem::replace(&mut self.drawn_silent_s, self.silent_s) != self.silent_s;
        std::mem::take(&mut self.fresh) || silent
    }

    pub fn touch(&mut self) {
        self.fresh = true;
    }

    pub fn say(&mut self, said: String) {
        self.said = said;
        self.touch();
    }

    /// The last line: a question, or what was done. Whether it is a question.
    pub fn line(&self) -> Option<(&str, bool)> {
        let question = self.asks.as_ref().map(|asks| (asks.question.as_str(), true));
        question.or((!self.said.is_empty()).then_some((self.said.as_str(), false)))
    }

    pub fn press(&mut self, key: KeyCode) -> Step {
        self.touch();
        self.said.clear();
        if let Some(asks) = self.asks.take() {
            return match key {
                KeyCode::Char('y' | 'Y') => Step::Order(asks.order, asks.done),
                _ => Step::None,
            };
        }
        match key {
            KeyCode::Char('q') | KeyCode::Esc => return Step::Quit,
            KeyCode::Char('p') => self.paused = !self.paused,
            KeyCode::Char('l') => self.shows_links = !self.shows_links,
            KeyCode::Tab | KeyCode::BackTab => self.on_models = !self.on_models,
            KeyCode::Up | KeyCode::Char('k') => self.choose(|at, _| at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.choose(|at, last| (at + 1).min(last)),
            KeyCode::Char('u') => {
                self.on_models = true;
                match self.rows("instances").get(self.model).map(|it| text(&it["model"])) {
                    Some(model) => {
                        self.asks = Some(Asks {
                            question: format!("Unload {model}? y / n"),
                            done: format!("{model} is unloaded"),
                            order: Order::Unload { model },
                        });
                    }
                    None => self.said = "no model is loaded".into(),
                }
            }
            KeyCode::Char('r') => {
                self.on_models = false;
                match self.rows("nodes").get(self.node) {
                    Some(node) if node["id"] == self.state["self"] => {
                        self.said = "this is the node you look from; remove it from another".into();
                    }
                    Some(node) => {
                        let (name, id) = (text(&node["name"]), text(&node["id"]));
                        self.asks = Some(Asks {
                            question: format!("Remove {name} from the cluster for good? y / n"),
                            done: format!("{name} is removed"),
                            order: Order::Remove { node: id },
                        });
                    }
                    None => {}
                }
            }
            _ => {}
        }
        Step::None
    }

    fn choose(&mut self, of: impl Fn(usize, usize) -> usize) {
        let last = self.rows(if self.on_models { "instances" } else { "nodes" }).len().saturating_sub(1);
        let at = if self.on_models { &mut self.model } else { &mut self.node };
        *at = of(*at, last);
    }
}

fn push(values: &mut VecDeque<u64>, value: u64) {
    values.push_back(value);
    if values.len() > HISTORY_MAX {
        values.pop_front();
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
