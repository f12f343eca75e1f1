//! A program in a pseudo-terminal, and what its screen shows.
#![allow(dead_code)]

use crate::cli::{Home, PATIENCE};
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

pub struct Terminal {
    child: Child,
    keys: ChildStdin,
    shared: Arc<(Mutex<Screen>, Condvar)>,
}

impl Terminal {
    /// `script` gives it a terminal of its own; `None` where there is none.
    pub fn start(home: &Home, arguments: &[&str], columns: usize, rows: usize) -> Option<Terminal> {
        let program = env!("CARGO_BIN_EXE_tandem");
        let words = arguments.join(" ");
        let mut script = Command::new("script");
        script.args([
            "-qec",
            &format!("stty cols {columns} rows {rows}; exec '{program}' {words}"),
            "/dev/null",
        ]);
        home.surround(&mut script);
        script.env("TERM", "xterm-256color").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = script.spawn().ok()?;
        let (keys, mut out) = (child.stdin.take()?, child.stdout.take()?);
        let shared = Arc::new((Mutex::new(Screen::new(columns, rows)), Condvar::new()));
        let kept = Arc::clone(&shared);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = out.read(&mut bytes) {
                kept.0.lock().unwrap().take(&bytes[..count]);
                kept.1.notify_all();
            }
        });
        Some(Terminal { child, keys, shared })
    }

    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.wait_until(text, |screen| screen.contains(text));
    }

    #[track_caller]
    pub fn wait_until(&self, what: &str, is_so: impl Fn(&str) -> bool) {
        let give_up = Instant::now() + PATIENCE;
        let mut screen = self.shared.0.lock().unwrap();
        while !is_so(&screen.text()) {
            assert!(Instant::now() < give_up, "never came: {what}\n{}", screen.text());
            screen = self.shared.1.wait_timeout(screen, Duration::from_millis(200)).unwrap().0;
        }
    }

    /// Whether it ends well.
    pub fn ended(&mut self) -> bool {
        let give_up = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait().unwrap() {
                Some(status) => return status.success(),
                None => assert!(Instant::now() < give_up, "it does not end"),
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Whether the screen of before is back, with its cursor.
    pub fn is_restored(&self) -> bool {
        let screen = self.shared.0.lock().unwrap();
        !screen.alternate && screen.cursor_shown
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// As much of a terminal as programs that draw use: text, where it goes, and clearing.
struct Screen {
    columns: usize,
    cells: Vec<char>,
    at: usize,
    alternate: bool,
    cursor_shown: bool,
    /// What came and is not understood yet.
    pending: Vec<u8>,
}

impl Screen {
    fn new(columns: usize, rows: usize) -> Screen {
        let cells = vec![' '; columns * rows];
        Screen { columns, cells, at: 0, alternate: false, cursor_shown: true, pending: Vec::new() }
    }

    fn text(&self) -> String {
        let rows = self.cells.chunks(self.columns).map(|row| row.iter().collect::<String>());
        rows.map(|row| row.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    fn take(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.pending) {
            Ok(_) => self.pending.len(),
            Err(error) => error.valid_up_to(),
        };
        let text = String::from_utf8_lossy(&self.pending[..whole]).into_owned();
        let mut rest = text.as_str();
        while let Some(next) = rest.chars().next() {
            if next != '\u{1b}' {
                self.put(next);
                rest = &rest[next.len_utf8()..];
            } else if let Some(order) = rest.strip_prefix("\u{1b}[") {
                let Some(end) = order.find(|c: char| ('@'..='~').contains(&c)) else { break };
                self.obey(&order[..end], order[end..].chars().next().unwrap());
                rest = &order[end + 1..];
            } else if rest.len() > 1 {
                rest = &rest[2..];
            } else {
                break;
            }
        }
        let taken = text.len() - rest.len();
        self.pending.drain(..taken);
    }

    fn put(&mut self, letter: char) {
        match letter {
            '\r' => self.at -= self.at % self.columns,
            '\n' => self.at += self.columns,
            letter if letter.is_control() => {}
            letter => {
                if let Some(cell) = self.cells.get_mut(self.at) {
                    *cell = letter;
                }
                self.at += 1;
            }
        }
    }

    fn obey(&mut self, numbers: &str, what: char) {
        let mut given = numbers.split(';').map(|number| number.parse::<usize>().unwrap_or(1).max(1));
        let mut number = || given.next().unwrap_or(1);
        match (what, numbers) {
            ('H', _) => {
                let (row, column) = (number(), number());
                self.at = (row - 1) * self.columns + column - 1;
            }
            ('C', _) => self.at += number(),
            ('J', _) => self.cells.fill(' '),
            ('K', _) => {
                let end = (self.at / self.columns + 1) * self.columns;
                let (from, to) = (self.at.min(self.cells.len()), end.min(self.cells.len()));
                self.cells[from..to].fill(' ');
            }
            ('h', "?1049") => self.alternate = true,
            ('l', "?1049") => self.alternate = false,
            ('h', "?25") => self.cursor_shown = true,
            ('l', "?25") => self.cursor_shown = false,
            _ => {}
        }
    }
}
