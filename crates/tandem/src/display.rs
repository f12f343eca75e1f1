//! Numbers and tables for people.

use std::io::{self, Write};

/// `98.4 MB`: powers of ten, as disks and hubs count.
pub fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        1_000_000_000..1_000_000_000_000 => format!("{:.2} GB", count as f64 / 1e9),
        _ => format!("{:.2} TB", count as f64 / 1e12),
    }
}

/// `9.60 Gb/s`.
pub fn bits_per_s(bytes_per_s: f64) -> String {
    match bytes_per_s * 8.0 {
        bits if bits >= 1e9 => format!("{:.2} Gb/s", bits / 1e9),
        bits if bits >= 1e6 => format!("{:.1} Mb/s", bits / 1e6),
        bits => format!("{:.0} kb/s", bits / 1e3),
    }
}

/// What the machines draw and what that gives, of the state that a node tells, where they tell.
pub fn power(state: &serde_json::Value) -> Option<String> {
    let watts = state["energy"]["watts"].as_f64()?;
    let given = state["energy"]["tokens_per_joule"].as_f64();
    Some(format!(
        "{watts:.0} W{}",
        given.map_or(String::new(), |given| format!(", {given:.2} tokens per joule so far"))
    ))
}

/// `134.5 M`.
pub fn count(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..1_000_000 => format!("{:.1} k", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} M", count as f64 / 1e6),
        _ => format!("{:.2} B", count as f64 / 1e9),
    }
}

/// Text from a file or a server, with nothing in it that would move the cursor or ring the bell.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            // Besides control characters, those that reverse the direction of what follows.
            c if c.is_control()
                || matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                out.extend(c.escape_unicode());
            }
            c => out.push(c),
        }
    }
    out
}

/// One line of at most `width` characters.
pub fn line(text: &str, width: usize) -> String {
    let flat = printable(&text.replace('\n', "\\n").replace('\t', "\\t"));
    match flat.char_indices().nth(width.saturating_sub(1)) {
        Some((cut, _)) if flat[cut..].chars().count() > 1 => format!("{}…", &flat[..cut]),
        _ => flat,
    }
}

/// Columns as wide as their widest cell; numbers stand right.
pub struct Table {
    rows: Vec<Vec<String>>,
    right: Vec<bool>,
}

impl Table {
    /// A `>` before a title puts its column to the right.
    pub fn new(titles: &[&str]) -> Table {
        let right = titles.iter().map(|title| title.starts_with('>')).collect();
        let titles = titles.iter().map(|title| title.trim_start_matches('>').to_owned()).collect();
        Table { rows: vec![titles], right }
    }

    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into_iter().map(|cell| line(&cell, 400)).collect());
    }

    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let columns = self.right.len();
        let width_of =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width_of).collect();
        for row in &self.rows {
            let mut text = String::new();
            for (column, cell) in row.iter().enumerate() {
                let width = widths[column];
                match self.right[column] {
                    true => text.push_str(&format!("{cell:>width$}  ")),
                    false => text.push_str(&format!("{cell:<width$}  ")),
                }
            }
            writeln!(out, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (count, expected) in [
            (0, "0 B"),
            (999, "999 B"),
            (98_362_432, "98.4 MB"),
            (2_149_531_776, "2.15 GB"),
            (u64::MAX, "18446744.07 TB"),
        ] {
            assert_eq!(bytes(count), expected);
        }
    }

    #[test]
    fn nothing_moves_the_cursor() {
        assert_eq!(printable("a\u{1b}[2Jb\r\u{7}\u{202e}"), "a\\u{1b}[2Jb\\u{d}\\u{7}\\u{202e}");
        assert_eq!(line("one\ntwo", 20), "one\\ntwo");
        assert_eq!(line("abcdef", 4), "abc…");
        assert_eq!(line("abcd", 4), "abcd");
    }
}
