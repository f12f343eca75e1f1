//! A conversation on a real pseudo-terminal, which `script` of util-linux lends.

mod cli;

use cli::{Home, wait_until};
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};

/// A person at a terminal: types, and reads what is shown.
struct Terminal {
    child: Child,
    keyboard: ChildStdin,
    screen: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    /// `None` where there is no such `script`.
    fn start(home: &Home, args: &str) -> Option<Terminal> {
        let help = Command::new("script").arg("--help").output().ok()?;
        if !String::from_utf8_lossy(&help.stdout).contains("--return") {
            eprintln!("skipped: no `script` of util-linux here");
            return None;
        }
        let mut command = Command::new("script");
        command.args(["--quiet", "--return", "--flush", "--command"]);
        command.arg(format!("stty cols 60; exec {} {args}", env!("CARGO_BIN_EXE_tandem"))).arg("/dev/null");
        command.env("TANDEM_HOME", home.path("home")).env("TERM", "xterm").current_dir(&home.folder);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (keyboard, mut shown) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let screen = Arc::new(Mutex::new(Vec::new()));
        let copy = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = shown.read(&mut bytes) {
                copy.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        Some(Terminal { child, keyboard, screen })
    }

    fn shown(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().unwrap()).into_owned()
    }

    #[track_caller]
    fn sees(&self, text: &str) {
        wait_until(&format!("`{text}` in {:?}", self.shown()), || self.shown().contains(text));
    }

    /// Types, and forgets what was shown so far.
    fn types(&mut self, keys: &str) {
        self.screen.lock().unwrap().clear();
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    #[track_caller]
    fn leaves(mut self, keys: &str) {
        self.types(keys);
        assert_eq!(self.child.wait().unwrap().code(), Some(0), "{}", self.shown());
    }
}

const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";

#[test]
fn a_conversation() {
    let home = Home::new();
    home.tiny_model();
    let Some(mut terminal) = Terminal::start(&home, "run tiny.gguf --max-tokens 6 --temperature 0") else {
        return;
    };
    terminal.sees("/help lists what you can type");
    terminal.sees(">>> ");
    terminal.types("/help\r");
    terminal.sees("forget the conversation");
    terminal.types("/set top_p 9\r");
    terminal.sees("expected a number from 0 to 1");
    terminal.types("hello\\\r");
    terminal.sees("... ");
    terminal.types("world\r");
    terminal.sees("(cut off");
    terminal.sees(">>> ");
    terminal.types("/save said.txt\r");
    terminal.sees("2 turns are in said.txt");
    terminal.types("/nonsense\r");
    terminal.sees("is no command");
    terminal.leaves("/exit\r");
    let said = std::fs::read_to_string(home.path("said.txt")).unwrap();
    assert!(said.starts_with("user: hello\nworld\n\nassistant: "), "{said}");
    let history = std::fs::read_to_string(home.path("home/history")).unwrap();
    assert!(history.contains("hello\\"), "{history}");
}

/// Nothing where the answer was over before the key came, which then ended the program.
fn stop_an_answer(mut terminal: Terminal) -> Option<Terminal> {
    terminal.sees(">>> ");
    terminal.types("hello\r");
    // Past the echo of what was typed.
    wait_until("an answer", || terminal.shown().len() > 200);
    terminal.types(CTRL_C);
    wait_until("an end", || terminal.shown().contains("(stopped)") || terminal.has_ended());
    terminal.shown().contains("(stopped)").then_some(terminal)
}

#[test]
fn ctrl_c_stops_the_answer_and_then_the_program() {
    let home = Home::new();
    home.tiny_model();
    let endless = "run tiny.gguf --temperature 2 --top-k 0 --min-p 0 --max-tokens 8000";
    let mut stopped = None;
    for _ in 0..20 {
        let Some(terminal) = Terminal::start(&home, endless) else { return };
        stopped = stop_an_answer(terminal);
        if stopped.is_some() {
            break;
        }
    }
    let terminal = stopped.expect("an answer that was stopped");
    terminal.sees(">>> ");
    terminal.leaves(CTRL_C);

    let terminal = Terminal::start(&home, "run tiny.gguf").unwrap();
    terminal.sees(">>> ");
    terminal.leaves(CTRL_D);
}
