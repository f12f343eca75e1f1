//! Stop strings in a stream of text.

/// Watches a stream for stop strings. Text that may be the beginning of one is held back until that is decided;
/// nothing of a stop string that was found is ever emitted.
#[derive(Debug)]
pub struct StopMatcher {
    stops: Vec<String>,
    held: String,
    ready: String,
    stopped: Option<usize>,
}

/// What became certain with the last piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow<'m> {
    pub text: &'m str,
    /// The stop string that ended the stream, by its index. Text pushed afterwards is ignored.
    pub stopped_by: Option<usize>,
}

impl StopMatcher {
    /// Empty stop strings are ignored.
    pub fn new(stops: Vec<String>) -> StopMatcher {
        StopMatcher { stops, held: String::new(), ready: String::new(), stopped: None }
    }

    pub fn push(&mut self, text: &str) -> Flow<'_> {
        self.ready.clear();
        if self.stopped.is_none() {
            self.held.push_str(text);
            // The stop string that is complete first ends the stream, as it would character by character;
            // of those complete at the same character, the one that started first.
            let found = self.stops.iter().enumerate().filter(|(_, stop)| !stop.is_empty()).filter_map(
                |(index, stop)| {
                    let start = self.held.find(stop.as_str())?;
                    Some((start + stop.len(), start, index))
                },
            );
            match found.min() {
                Some((_, start, index)) => {
                    self.stopped = Some(index);
                    self.ready.push_str(&self.held[..start]);
                    self.held.clear();
                }
                None => {
                    let keep = self.held.len() - self.undecided_length();
                    self.ready.push_str(&self.held[..keep]);
                    self.held.drain(..keep);
                }
            }
        }
        Flow { text: &self.ready, stopped_by: self.stopped }
    }

    /// The text still held back, when no more comes.
    pub fn finish(&mut self) -> &str {
        self.ready.clear();
        std::mem::swap(&mut self.ready, &mut self.held);
        &self.ready
    }

    /// The longest end of the held text that is the beginning of a stop string.
    fn undecided_length(&self) -> usize {
        let length_of = |stop: &String| {
            let longest = self.held.len().min(stop.len().saturating_sub(1));
            let fits =
                |&length: &usize| stop.is_char_boundary(length) && self.held.ends_with(&stop[..length]);
            (1..=longest).rev().find(fits).unwrap_or(0)
        };
        self.stops.iter().map(length_of).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pushes `pieces`; expects the emitted pieces, then the rest or the index of the stop string.
    #[track_caller]
    fn check(stops: &[&str], pieces: &[&str], expected: &[&str], end: Result<&str, usize>) {
        let mut matcher = StopMatcher::new(stops.iter().map(|stop| stop.to_string()).collect());
        let mut stopped_by = None;
        for (piece, expected) in pieces.iter().zip(expected) {
            let flow = matcher.push(piece);
            assert_eq!(flow.text, *expected, "after {piece:?}");
            stopped_by = flow.stopped_by;
        }
        let rest = matcher.finish();
        assert_eq!(stopped_by.map_or(Ok(rest), Err), end);
    }

    #[test]
    fn holds_back_what_may_be_a_stop_string() {
        check(&["END"], &["a", "bE", "N", "x", "EN"], &["a", "b", "", "ENx", ""], Ok("EN"));
        check(&["END"], &["abEN", "Dcd", "more"], &["ab", "", ""], Err(0));
        check(&["\n\n", "User:"], &["Hi\n", "Us", "er:"], &["Hi", "\nUs"[..1].as_ref(), ""], Err(1));
        check(&["aab"], &["aa", "a", "b"], &["", "a", ""], Err(0));
        check(&["日本"], &["x日", "本y"], &["x", ""], Err(0));
        check(&["bcd", "c"], &["abcd"], &["ab"], Err(1));
        check(&[""], &["abc"], &["abc"], Ok(""));
        check(&[], &["abc"], &["abc"], Ok(""));
    }

    #[test]
    fn any_cutting_of_the_stream_gives_the_same_text() {
        let text = "ababacabab<|stop";
        for stops in [vec!["abac"], vec!["cab", "b<"], vec!["<|stop|>"], vec!["zz"]] {
            let mut results = Vec::new();
            for size in 1..=text.len() {
                let mut matcher = StopMatcher::new(stops.iter().map(|stop| stop.to_string()).collect());
                let mut out = String::new();
                let mut stopped_by = None;
                for chunk in text.as_bytes().chunks(size) {
                    let flow = matcher.push(std::str::from_utf8(chunk).unwrap());
                    out.push_str(flow.text);
                    stopped_by = flow.stopped_by;
                }
                out.push_str(matcher.finish());
                results.push((out, stopped_by));
            }
            assert!(results.iter().all(|result| *result == results[0]), "{stops:?}: {results:?}");
        }
    }
}
