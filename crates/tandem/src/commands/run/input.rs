//! What a person types in a conversation: text over one or several lines, or a command.

/// Lines until they make a whole.
#[derive(Debug, Default)]
pub struct Input {
    text: String,
    mode: Mode,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Fresh,
    /// The last line ended in a backslash.
    Continued,
    /// Between triple quotes.
    Quoted,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// More lines are to come.
    Unfinished,
    Nothing,
    Say(String),
    Command {
        name: String,
        rest: String,
    },
}

const QUOTES: &str = "\"\"\"";

impl Input {
    pub fn is_fresh(&self) -> bool {
        self.mode == Mode::Fresh
    }

    pub fn line(&mut self, line: &str) -> Typed {
        match self.mode {
            Mode::Quoted => self.quoted(line),
            Mode::Fresh if line.trim_start().starts_with(QUOTES) => {
                self.mode = Mode::Quoted;
                self.quoted(&line.trim_start()[QUOTES.len()..])
            }
            Mode::Fresh | Mode::Continued => {
                let was = self.mode;
                if let Some(line) = line.strip_suffix('\\') {
                    self.text.push_str(line);
                    self.text.push('\n');
                    self.mode = Mode::Continued;
                    return Typed::Unfinished;
                }
                self.text.push_str(line);
                let text = self.take();
                match text.trim() {
                    "" => Typed::Nothing,
                    trimmed if was == Mode::Fresh && trimmed.starts_with('/') => {
                        let (name, rest) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
                        Typed::Command { name: name.to_owned(), rest: rest.trim().to_owned() }
                    }
                    trimmed => Typed::Say(trimmed.to_owned()),
                }
            }
        }
    }

    /// Text between triple quotes is taken as it is, slashes and backslashes too.
    fn quoted(&mut self, line: &str) -> Typed {
        if let Some(end) = line.find(QUOTES) {
            self.text.push_str(&line[..end]);
            let text = self.take();
            return if text.trim().is_empty() { Typed::Nothing } else { Typed::Say(text.trim().to_owned()) };
        }
        self.text.push_str(line);
        self.text.push('\n');
        Typed::Unfinished
    }

    fn take(&mut self) -> String {
        self.mode = Mode::Fresh;
        std::mem::take(&mut self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[&str], expected: Typed) {
        let mut input = Input::default();
        let (last, first) = lines.split_last().unwrap();
        for line in first {
            assert_eq!(input.line(line), Typed::Unfinished, "{line}");
        }
        assert_eq!(input.line(last), expected);
        assert!(input.is_fresh() || expected == Typed::Unfinished);
    }

    fn say(text: &str) -> Typed {
        Typed::Say(text.into())
    }

    #[test]
    fn lines_and_commands() {
        check(&["hello"], say("hello"));
        check(&["  "], Typed::Nothing);
        check(&["one\\", "two"], say("one\ntwo"));
        check(&["\"\"\"one", "/two\\", "", "three\"\"\""], say("one\n/two\\\n\nthree"));
        check(&["\"\"\"one\"\"\""], say("one"));
        check(&["\"\"\"", "\"\"\""], Typed::Nothing);
        check(&["/set top_k  5 "], Typed::Command { name: "/set".into(), rest: "top_k  5".into() });
        check(&["a\\", "/set"], say("a\n/set"));
    }
}
