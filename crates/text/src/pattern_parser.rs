//! From the text of a pattern to its tree. Character classes are left to `regex-syntax`, which knows Unicode.

use crate::char_set::CharSet;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, HirKind};

#[derive(Clone, Debug)]
pub(crate) enum Node {
    Empty,
    Set(usize),
    Concat(Vec<Node>),
    Alternation(Vec<Node>),
    Repeat { body: Box<Node>, quantifier: Quantifier },
    LookAhead { negate: bool, body: Box<Node> },
    LookBehind { set: usize, negate: bool },
    Atomic(Box<Node>),
    LineStart,
    LineEnd,
    TextStart,
    TextEnd,
    WordBoundary { negate: bool },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantifier {
    pub(crate) min: usize,
    pub(crate) max: Option<usize>,
    pub(crate) greedy: bool,
    pub(crate) possessive: bool,
}

pub(crate) struct Parsed {
    pub(crate) root: Node,
    pub(crate) sets: Vec<CharSet>,
}

pub(crate) fn parse(pattern: &str) -> Result<Parsed, String> {
    let mut parser =
        Parser { pattern, at: 0, depth: 0, ignore_case: false, sets: Vec::new(), keys: Vec::new() };
    let root = parser.alternation()?;
    match parser.peek() {
        None => Ok(Parsed { root, sets: parser.sets }),
        Some(c) => Err(format!("unexpected {c:?} at byte {}", parser.at)),
    }
}

const DEPTH_MAX: usize = 50;
/// A count beyond this is a mistake or an attack.
const COUNT_MAX: usize = 1_000;

struct Parser<'p> {
    pattern: &'p str,
    at: usize,
    depth: usize,
    ignore_case: bool,
    sets: Vec<CharSet>,
    /// The source of each set, so that `\p{L}` written ten times is one set.
    keys: Vec<(String, bool)>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.pattern[self.at..].chars().next()
    }

    fn eat(&mut self, prefix: &str) -> bool {
        let found = self.pattern[self.at..].starts_with(prefix);
        if found {
            self.at += prefix.len();
        }
        found
    }

    fn alternation(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(format!("groups are nested more than {DEPTH_MAX} deep"));
        }
        let mut branches = vec![self.concat()?];
        while self.eat("|") {
            branches.push(self.concat()?);
        }
        self.depth -= 1;
        Ok(if branches.len() == 1 { branches.remove(0) } else { Node::Alternation(branches) })
    }

    fn concat(&mut self) -> Result<Node, String> {
        let mut nodes = Vec::new();
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            if self.eat("(?i)") {
                self.ignore_case = true;
                continue;
            }
            let atom = self.atom()?;
            nodes.push(self.quantified(atom)?);
        }
        Ok(match nodes.len() {
            0 => Node::Empty,
            1 => nodes.remove(0),
            _ => Node::Concat(nodes),
        })
    }

    fn atom(&mut self) -> Result<Node, String> {
        let start = self.at;
        let Some(c) = self.peek() else { return Ok(Node::Empty) };
        match c {
            '(' => self.group(),
            '[' => {
                self.skip_class()?;
                self.set(&self.pattern[start..self.at])
            }
            '\\' => self.escape(),
            '.' => {
                self.at += 1;
                self.set(r"[^\n]")
            }
            '^' => {
                self.at += 1;
                Ok(Node::LineStart)
            }
            '$' => {
                self.at += 1;
                Ok(Node::LineEnd)
            }
            '*' | '+' | '?' => Err(format!("nothing to repeat before {c:?} at byte {start}")),
            _ => {
                self.at += c.len_utf8();
                self.set(&regex_syntax::escape(&self.pattern[start..self.at]))
            }
        }
    }

    fn group(&mut self) -> Result<Node, String> {
        let start = self.at;
        let outer_case = self.ignore_case;
        let looks =
            [("(?=", false, true), ("(?!", true, true), ("(?<=", false, false), ("(?<!", true, false)];
        for (prefix, negate, ahead) in looks {
            if self.eat(prefix) {
                let body = self.group_body(start)?;
                return match (ahead, body) {
                    (true, body) => Ok(Node::LookAhead { negate, body: Box::new(body) }),
                    (false, Node::Set(set)) => Ok(Node::LookBehind { set, negate }),
                    (false, _) => Err("look-behind is supported for a single character only".into()),
                };
            }
        }
        if self.eat("(?>") {
            return Ok(Node::Atomic(Box::new(self.group_body(start)?)));
        }
        if self.eat("(?i:") {
            self.ignore_case = true;
        } else if self.eat("(?-i:") {
            self.ignore_case = false;
        } else if self.eat("(?:") {
        } else if self.pattern[self.at..].starts_with("(?") {
            let kind: String = self.pattern[self.at..].chars().take(4).collect();
            return Err(format!("groups that start with {kind:?} are not supported"));
        } else {
            self.at += 1;
        }
        let body = self.group_body(start)?;
        self.ignore_case = outer_case;
        Ok(body)
    }

    fn group_body(&mut self, start: usize) -> Result<Node, String> {
        let body = self.alternation()?;
        if self.eat(")") { Ok(body) } else { Err(format!("the group at byte {start} is not closed")) }
    }

    fn escape(&mut self) -> Result<Node, String> {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.peek() else { return Err("it ends in a backslash".into()) };
        self.at += c.len_utf8();
        match c {
            'A' => return Ok(Node::TextStart),
            'z' | 'Z' => return Ok(Node::TextEnd),
            'b' => return Ok(Node::WordBoundary { negate: false }),
            'B' => return Ok(Node::WordBoundary { negate: true }),
            '1'..='9' => return Err(format!("back-references (\\{c}) are not supported")),
            'p' | 'P' | 'x' | 'u' if self.peek() == Some('{') => {
                let Some(length) = self.pattern[self.at..].find('}') else {
                    return Err(format!("the brace at byte {} is not closed", self.at));
                };
                self.at += length + 1;
            }
            'x' | 'u' => {
                let digits = if c == 'x' { 2 } else { 4 };
                if !self.pattern.as_bytes()[self.at..].iter().take(digits).all(u8::is_ascii_hexdigit) {
                    return Err(format!("the escape at byte {start} wants {digits} hexadecimal digits"));
                }
                self.at = (self.at + digits).min(self.pattern.len());
            }
            _ => {}
        }
        self.set(&self.pattern[start..self.at])
    }

    /// Moves past a bracketed class, nested ones included.
    fn skip_class(&mut self) -> Result<(), String> {
        let start = self.at;
        let mut depth = 0;
        // A bracket closes nothing right after the opening one: `[]a]`, `[^]a]`.
        let mut first = false;
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                '\\' => {
                    self.at += self.peek().map_or(0, char::len_utf8);
                    first = false;
                }
                '[' => {
                    depth += 1;
                    self.eat("^");
                    first = true;
                }
                ']' if !first => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(());
                    }
                }
                _ => first = false,
            }
        }
        Err(format!("the class at byte {start} is not closed"))
    }

    fn set(&mut self, source: &str) -> Result<Node, String> {
        let key = (source.to_owned(), self.ignore_case);
        if let Some(index) = self.keys.iter().position(|known| *known == key) {
            return Ok(Node::Set(index));
        }
        let mut parser = ParserBuilder::new().case_insensitive(self.ignore_case).nest_limit(50).build();
        let hir =
            parser.parse(source).map_err(|error| format!("{source}: {}", last_line(&error.to_string())))?;
        let class = match hir.into_kind() {
            HirKind::Class(Class::Unicode(class)) => class,
            HirKind::Literal(literal) => {
                let text =
                    std::str::from_utf8(&literal.0).map_err(|_| format!("{source} is not a character"))?;
                let mut chars = text.chars();
                match (chars.next(), chars.next()) {
                    (Some(c), None) => {
                        let range = regex_syntax::hir::ClassUnicodeRange::new(c, c);
                        regex_syntax::hir::ClassUnicode::new([range])
                    }
                    _ => return Err(format!("{source} is not a single character")),
                }
            }
            _ => return Err(format!("{source} is not a set of characters")),
        };
        self.keys.push(key);
        self.sets.push(CharSet::from_class(&class));
        Ok(Node::Set(self.sets.len() - 1))
    }

    fn quantified(&mut self, mut atom: Node) -> Result<Node, String> {
        while let Some((min, max)) = self.counts()? {
            let (lazy, possessive) = (self.eat("?"), self.eat("+"));
            let quantifier = Quantifier { min, max, greedy: !lazy, possessive };
            atom = Node::Repeat { body: Box::new(atom), quantifier };
        }
        Ok(atom)
    }

    fn counts(&mut self) -> Result<Option<(usize, Option<usize>)>, String> {
        let counts = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.braces().map(Some),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(counts))
    }

    fn braces(&mut self) -> Result<(usize, Option<usize>), String> {
        let start = self.at;
        let wrong = || format!("the repetition at byte {start} is not {{n}}, {{n,}} or {{n,m}}");
        let length = self.pattern[start..].find('}').ok_or_else(wrong)?;
        let inner = &self.pattern[start + 1..start + length];
        self.at += length + 1;
        let count = |text: &str| text.parse::<usize>().map_err(|_| wrong());
        let (min, max) = match inner.split_once(',') {
            None => (count(inner)?, Some(count(inner)?)),
            Some((min, "")) => (count(min)?, None),
            Some(("", max)) => (0, Some(count(max)?)),
            Some((min, max)) => (count(min)?, Some(count(max)?)),
        };
        if min > COUNT_MAX || max.is_some_and(|max| max > COUNT_MAX) {
            return Err(format!("it repeats something more than {COUNT_MAX} times"));
        }
        if max.is_some_and(|max| max < min) {
            return Err(wrong());
        }
        Ok((min, max))
    }
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}
