//! A set of characters: one bit per ASCII character, sorted ranges for the rest.

/// Membership is the innermost test of every pre-tokeniser, and nearly all text it sees is ASCII.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CharSet {
    ascii: u128,
    /// Ranges from U+0080 on: sorted, disjoint, both ends included.
    ranges: Box<[(u32, u32)]>,
}

impl CharSet {
    pub(crate) fn from_class(class: &regex_syntax::hir::ClassUnicode) -> CharSet {
        let mut ascii = 0u128;
        let mut ranges = Vec::new();
        for range in class.ranges() {
            let (first, last) = (range.start() as u32, range.end() as u32);
            for c in first..=last.min(127) {
                ascii |= 1 << c;
            }
            if last > 127 {
                ranges.push((first.max(128), last));
            }
        }
        CharSet { ascii, ranges: ranges.into() }
    }

    #[inline]
    pub(crate) fn contains(&self, c: char) -> bool {
        let c = c as u32;
        if c < 128 { self.ascii >> c & 1 == 1 } else { self.contains_wide(c) }
    }

    fn contains_wide(&self, c: u32) -> bool {
        let after = self.ranges.partition_point(|&(first, _)| first <= c);
        after > 0 && c <= self.ranges[after - 1].1
    }

    pub(crate) fn ascii(&self) -> u128 {
        self.ascii
    }

    pub(crate) fn has_wide(&self) -> bool {
        !self.ranges.is_empty()
    }
}
