//! Long work, shown on stderr: a bar on a terminal, else a line every few seconds.

use crate::display;
use crate::interrupt::Listener;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tandem_hub::{Event, Watch};

const LINE_EVERY: Duration = Duration::from_secs(5);
/// A pull that has not heard of Ctrl-C by then waits for a silent server, and may as well be killed.
const STUCK_AFTER: Duration = Duration::from_secs(1);

/// One piece of work measured in bytes.
pub struct Progress {
    name: String,
    total_bytes: u64,
    bar: Option<ProgressBar>,
    started: (Instant, u64),
    told: Instant,
}

impl Progress {
    pub fn new(name: &str, total_bytes: u64, have_bytes: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(total_bytes), ProgressDrawTarget::stderr_with_hz(10));
            let template = "{msg} {wide_bar:.cyan/dim} {decimal_bytes:>9}/{decimal_total_bytes} {decimal_bytes_per_sec:>10} {eta:>4}";
            bar.set_style(ProgressStyle::with_template(template).expect("a valid template").progress_chars("━━─"));
            bar.set_message(display::line(name, 40));
            bar.set_position(have_bytes);
            bar.reset_eta();
            bar
        });
        let now = Instant::now();
        Progress { name: display::line(name, 60), total_bytes, bar, started: (now, have_bytes), told: now }
    }

    pub fn set(&mut self, have_bytes: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(have_bytes);
        } else if self.told.elapsed() >= LINE_EVERY {
            self.told = Instant::now();
            let (since, from_bytes) = self.started;
            let rate = have_bytes.saturating_sub(from_bytes) as f64 / since.elapsed().as_secs_f64();
            let percent = 100.0 * have_bytes as f64 / self.total_bytes.max(1) as f64;
            eprint_line(&format!(
                "{}: {} of {} ({percent:.0}%), {}/s",
                self.name,
                display::bytes(have_bytes),
                display::bytes(self.total_bytes),
                display::bytes(rate as u64)
            ));
        }
    }

    /// A line above the bar.
    pub fn note(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprint_line(text)),
            None => eprint_line(text),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Shows the loading of a model, if it takes long enough to be worth a bar.
pub struct LoadProgress {
    name: String,
    since: Instant,
    shown: Mutex<Option<Progress>>,
}

const SHOWN_AFTER: Duration = Duration::from_millis(700);

impl LoadProgress {
    pub fn new(path: &Path) -> LoadProgress {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        LoadProgress { name: format!("loading {name}"), since: Instant::now(), shown: Mutex::new(None) }
    }

    pub fn set(&self, loaded_bytes: u64, total_bytes: u64) {
        // Whoever comes while another thread draws has nothing newer to say.
        if self.since.elapsed() < SHOWN_AFTER {
            return;
        }
        if let Ok(mut shown) = self.shown.try_lock() {
            shown.get_or_insert_with(|| Progress::new(&self.name, total_bytes, 0)).set(loaded_bytes);
        }
    }
}

/// Shows a pull and lets Ctrl-C end it.
pub struct PullProgress {
    listener: Listener,
    current: Option<Progress>,
}

impl PullProgress {
    pub fn new() -> PullProgress {
        PullProgress { listener: Listener::new(STUCK_AFTER), current: None }
    }
}

impl Watch for PullProgress {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Note(text) => match &self.current {
                Some(progress) => progress.note(text),
                None => eprint_line(text),
            },
            Event::Start { name, size_bytes, have_bytes, index, count } => {
                let name =
                    if count > 1 { format!("{name} ({} of {count})", index + 1) } else { name.to_owned() };
                // The old bar goes before the new one is drawn.
                self.current = None;
                if have_bytes > 0 {
                    eprint_line(&format!("{name}: resuming at {}", display::bytes(have_bytes)));
                }
                self.current = Some(Progress::new(&name, size_bytes, have_bytes));
            }
            Event::Have { bytes } => {
                if let Some(progress) = &mut self.current {
                    progress.set(bytes);
                }
            }
            Event::Finish { .. } => self.current = None,
        }
    }

    fn cancelled(&self) -> bool {
        self.listener.is_raised()
    }
}

/// Shows a pull that a node does.
#[derive(Default)]
pub struct NodePullProgress {
    current: Option<(String, Progress)>,
}

impl NodePullProgress {
    pub fn note(&self, text: &str) {
        match &self.current {
            Some((_, progress)) => progress.note(text),
            None => eprint_line(text),
        }
    }

    pub fn file(&mut self, name: &str, total_bytes: u64, have_bytes: u64) {
        if self.current.as_ref().is_none_or(|(current, _)| current != name) {
            // The old bar goes before the new one is drawn.
            self.current = None;
            self.current = Some((name.to_owned(), Progress::new(name, total_bytes, have_bytes)));
        }
        if let Some((_, progress)) = &mut self.current {
            progress.set(have_bytes);
        }
    }
}

fn eprint_line(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", display::printable(text));
}
