//! Breaks an answer into lines between words as it streams.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Holds a word back until it is whole, to know which line it fits on.
#[derive(Debug)]
pub struct Wrap {
    width: usize,
    column: usize,
    /// Spaces before the word; left out where a line breaks.
    gap: String,
    word: String,
}

impl Wrap {
    pub fn new(width: usize) -> Wrap {
        Wrap { width: width.max(20), column: 0, gap: String::new(), word: String::new() }
    }

    /// What of the answer so far can be shown now.
    pub fn push(&mut self, text: &str) -> String {
        let mut out = String::new();
        for c in text.chars() {
            match c {
                '\n' => {
                    self.place(&mut out);
                    self.gap.clear();
                    out.push('\n');
                    self.column = 0;
                }
                ' ' => {
                    self.place(&mut out);
                    self.gap.push(' ');
                }
                c => {
                    // Scripts without spaces break between any two characters; they are the wide ones.
                    let wide = c.width() == Some(2);
                    if wide || self.word.width() + 1 >= self.width {
                        self.place(&mut out);
                    }
                    self.word.push(c);
                    if wide {
                        self.place(&mut out);
                    }
                }
            }
        }
        out
    }

    /// The rest.
    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        self.place(&mut out);
        out
    }

    fn place(&mut self, out: &mut String) {
        if self.word.is_empty() {
            return;
        }
        let needed = self.gap.len() + self.word.width();
        if self.column > 0 && self.column + needed > self.width {
            out.push('\n');
            self.column = self.word.width();
        } else {
            out.push_str(&self.gap);
            self.column += needed;
        }
        self.gap.clear();
        out.push_str(&self.word);
        self.word.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each way of cutting the answer into pieces shows the same.
    #[track_caller]
    fn check(answer: &str, expected: &str) {
        for size in [1, 3, answer.chars().count()] {
            let mut wrap = Wrap::new(20);
            let chars: Vec<char> = answer.chars().collect();
            let mut shown: String =
                chars.chunks(size).map(|piece| wrap.push(&piece.iter().collect::<String>())).collect();
            shown.push_str(&wrap.finish());
            assert_eq!(shown, expected, "in pieces of {size}");
        }
    }

    #[test]
    fn lines_break_between_words() {
        check("one two three four five six", "one two three four\nfive six");
        check("    indented\n  too", "    indented\n  too");
        check("twenty characters ok!", "twenty characters\nok!");
        check("exactly 20 columns..\nnext", "exactly 20 columns..\nnext");
        check("aaaaaaaaaaaaaaaaaaaaaaaaaaaaa b", "aaaaaaaaaaaaaaaaaaa\naaaaaaaaaa b");
        check("日本語は言葉を空白で区切らない", "日本語は言葉を空白で\n区切らない");
    }
}
