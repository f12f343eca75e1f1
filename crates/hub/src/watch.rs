//! What a download tells while it runs.

/// Hears of a pull's progress, and may end it.
pub trait Watch {
    fn event(&mut self, event: Event<'_>);

    /// Asked between reads and waits; `true` ends the pull with [`HubError::Interrupted`](crate::HubError).
    fn cancelled(&self) -> bool;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A sentence worth one line: a retry, a fallback, a wait.
    Note(&'a str),
    /// A file begins, `have_bytes` of it already here.
    Start { name: &'a str, size_bytes: u64, have_bytes: u64, index: usize, count: usize },
    /// So much of the current file is here now. Goes back to zero when the server starts the file anew.
    Have { bytes: u64 },
    /// The current file is complete, checked and in place.
    Finish { name: &'a str },
}

/// Listens to nothing and never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Watch for Silent {
    fn event(&mut self, _: Event<'_>) {}

    fn cancelled(&self) -> bool {
        false
    }
}
