//! What a client has of the answer to one request, whichever attempts it came from.

/// Takes the words of attempts in order and says which are new to the client. Every attempt goes on from the tokens that the
/// client had when it began.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The attempt that is heard.
    attempt: u32,
    /// Words heard of it.
    next: u64,
    /// Tokens the client has.
    tokens: Vec<u32>,
    /// Other words the client has. A later attempt says them again; then they are skipped.
    others: usize,
    others_heard: usize,
}

/// What kind of word an attempt said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    Token(u32),
    /// Said once in every attempt.
    Other,
    /// Nothing comes after it.
    Last,
}

/// What to do with a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The client has not heard it yet.
    Pass,
    /// The client has it already, or it is of an earlier attempt.
    Skip,
    /// A word before it is missing, and will not come any more.
    Gap,
}

impl Ledger {
    /// A new attempt begins, with what the client has.
    pub fn begin(&mut self, attempt: u32) -> &[u32] {
        self.attempt = attempt;
        self.next = 0;
        self.others_heard = 0;
        &self.tokens
    }

    /// The `index`th word of an attempt.
    pub fn hear(&mut self, attempt: u32, index: u64, word: WordKind) -> Verdict {
        if attempt != self.attempt || index < self.next {
            return Verdict::Skip;
        }
        if index > self.next {
            return Verdict::Gap;
        }
        self.next += 1;
        match word {
            WordKind::Token(id) => self.tokens.push(id),
            WordKind::Other => {
                self.others_heard += 1;
                if self.others_heard <= self.others {
                    return Verdict::Skip;
                }
                self.others += 1;
            }
            WordKind::Last => {}
        }
        Verdict::Pass
    }

    /// Whether anything was heard of the present attempt.
    pub fn has_begun(&self) -> bool {
        self.next > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_follow_each_other_without_a_word_twice_or_missing() {
        use Verdict::{Gap, Pass, Skip};
        use WordKind::{Last, Other, Token};
        let mut ledger = Ledger::default();
        assert_eq!(ledger.begin(1), []);
        let heard = [(0, Other), (1, Token(5)), (1, Token(5)), (3, Token(7)), (2, Token(6))];
        let verdicts = heard.map(|(index, word)| ledger.hear(1, index, word));
        assert_eq!(verdicts, [Pass, Pass, Skip, Gap, Pass]);
        assert_eq!(ledger.begin(2), [5, 6]);
        assert!(!ledger.has_begun());
        assert_eq!(ledger.hear(1, 3, Token(7)), Skip, "of an earlier attempt");
        let heard = [(0, Other), (1, Token(7)), (2, Last)];
        let verdicts = heard.map(|(index, word)| ledger.hear(2, index, word));
        assert_eq!(verdicts, [Skip, Pass, Pass]);
    }
}
