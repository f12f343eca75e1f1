//! How a failure looks, and the exit code it gets.

use anstyle::{AnsiColor, Style};
use std::fmt;
use std::io::Write;
use std::process::ExitCode;
use tandem_hub::HubError;

/// A failure that comes with advice.
#[derive(Debug)]
pub struct Advised {
    message: String,
    help: String,
}

impl Advised {
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Advised {
        Advised { message: message.into(), help: help.into() }
    }
}

impl fmt::Display for Advised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Advised {}

/// Ctrl-C where there was work to stop. Says what became of it.
#[derive(Debug)]
pub struct Interrupted(pub &'static str);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interrupted; {}", self.0)
    }
}

impl std::error::Error for Interrupted {}

pub const INTERRUPTED_CODE: u8 = 130;

pub fn report(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    });
    if broken_pipe {
        // Whoever read our output has seen enough; nobody is left to tell.
        return ExitCode::SUCCESS;
    }
    let hub = error.chain().find_map(|cause| cause.downcast_ref::<HubError>());
    let advised = error.chain().find_map(|cause| cause.downcast_ref::<Advised>());
    let help = advised.map(|advised| advised.help.clone()).or_else(|| hub?.help());
    print(&message(error), help.as_deref());
    let interrupted = matches!(hub, Some(HubError::Interrupted)) || error.is::<Interrupted>();
    if interrupted { ExitCode::from(INTERRUPTED_CODE) } else { ExitCode::FAILURE }
}

pub fn print(message: &str, help: Option<&str>) {
    let error_style = AnsiColor::Red.on_default().bold();
    let help_style = Style::new().bold();
    let mut stderr = anstream::stderr().lock();
    let _ = writeln!(stderr, "{error_style}error:{error_style:#} {message}");
    if let Some(help) = help {
        let _ = writeln!(stderr, "{help_style} help:{help_style:#} {help}");
    }
}

/// The error and its causes, leaving out what an outer message already says.
fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    crate::display::printable(&text)
}
