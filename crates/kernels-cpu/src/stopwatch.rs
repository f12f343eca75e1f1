//! Measures the parts of a step for a [`Profile`].

use std::time::Instant;

use tandem_tensor::{Kind, Profile};

/// Charges the time since the last mark to a kind; costs nothing where there is no profile.
pub(crate) struct Stopwatch<'a> {
    profile: Option<(&'a Profile, std::cell::Cell<Instant>)>,
}

impl<'a> Stopwatch<'a> {
    pub(crate) fn new(profile: Option<&'a Profile>) -> Stopwatch<'a> {
        Stopwatch { profile: profile.map(|profile| (profile, std::cell::Cell::new(Instant::now()))) }
    }

    pub(crate) fn mark(&self, kind: Kind) {
        if let Some((profile, last)) = &self.profile {
            let now = Instant::now();
            profile.add(kind, now - last.replace(now));
        }
    }
}
