//! What a node says of itself on stderr: little by default, more when asked, for people or for programs.
//!
//! Every line carries the ids that connect it with others: `request`, `instance`, `generation`, `node_id`. Nothing of prompts and
//! answers is in it unless `--log-texts` asks for them.

use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use tracing::Level;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Text,
    Json,
}

/// How much is said, and in which form.
#[derive(clap::Args)]
pub struct LogArgs {
    /// Say more: joins, placements, requests; twice: where each request goes
    #[arg(short, long, action = clap::ArgAction::Count, help_heading = "Log")]
    verbose: u8,
    /// Log as -v does, in this form; json where no form is named
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, default_missing_value = "json", help_heading = "Log")]
    log: Option<Format>,
    /// Log prompts and answers too, with -v or --log
    #[arg(long, help_heading = "Log")]
    pub log_texts: bool,
}

/// An answer that begins so late, or stands still for so long, is worth a warning.
const LATE_MS: u64 = 10_000;
const PAUSE_MS: u64 = 2_000;

static FOR_PROGRAMS: AtomicBool = AtomicBool::new(false);

impl LogArgs {
    pub fn start(&self) {
        let level = match (self.verbose, self.log) {
            (0, None) => Level::WARN,
            (0 | 1, _) => Level::INFO,
            (2, _) => Level::DEBUG,
            _ => Level::TRACE,
        };
        FOR_PROGRAMS.store(self.log == Some(Format::Json), Ordering::Relaxed);
        let log =
            tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).with_target(false);
        // Fails only where there is a log already.
        let _ = match self.log {
            Some(Format::Json) => log.json().flatten_event(true).with_span_list(false).try_init(),
            _ => log.with_ansi(false).try_init(),
        };
    }
}

/// Something that whoever started the program should read, whatever is logged.
pub fn tell(text: &str) {
    match FOR_PROGRAMS.load(Ordering::Relaxed) {
        true => tracing::info!("{text}"),
        false => eprintln!("{text}"),
    }
}

/// The line that the server has for each request.
pub fn request(line: &Value) {
    let (text, number) = (|name: &str| line[name].as_str(), |name: &str| line[name].as_u64());
    let told = |name: &str| (!line[name].is_null()).then(|| line[name].to_string());
    macro_rules! say {
        ($level:expr, $what:literal) => {
            tracing::event!(
                $level,
                request = text("request"),
                method = text("method"),
                path = text("path"),
                status = number("status"),
                ms = number("ms"),
                key = text("key"),
                model = text("model"),
                prompt_tokens = number("prompt_tokens"),
                cached_tokens = number("cached_tokens"),
                tokens = number("tokens"),
                first_token_ms = number("first_token_ms"),
                longest_pause_ms = number("longest_pause_ms"),
                cancelled = line["cancelled"].as_bool(),
                failure = text("failure"),
                prompts = told("prompts"),
                answers = told("answers"),
                $what
            )
        };
    }
    if number("status").is_some_and(|status| status >= 500) {
        say!(Level::WARN, "request failed");
    } else if number("first_token_ms").is_some_and(|ms| ms > LATE_MS) {
        say!(Level::WARN, "request was slow to begin");
    } else if number("longest_pause_ms").is_some_and(|ms| ms > PAUSE_MS) {
        say!(Level::WARN, "request stood still");
    } else if number("status").is_some_and(|status| status >= 400) {
        say!(Level::INFO, "request refused");
    } else {
        say!(Level::INFO, "request");
    }
}
