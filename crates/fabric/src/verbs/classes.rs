use super::{
    header::Header,
    rules::{BULK_WINDOW, EAGER_MAX, FRAME_BYTES, NOTE_SLOTS, Rules},
};

/// One of a link's connections for short things: all receives posted to it are alike.
///
/// By Thunderbolt's rules a SEND must span as many frames as the RECV it meets, so messages of different spans need
/// different connections. A few spans suffice, because a message may go in parts. The lengths that matter are 4, 8, 16 and 32 KiB: the first
/// three mostly go without a header (see [`Turn`](super::turn::Turn)) and fill 1, 2 and 4 frames; the last takes 9 with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Class {
    /// Length of a receive.
    pub slot_bytes: usize,
    /// A SEND has at least so many bytes, padded if need be.
    pub least_bytes: usize,
    /// Receives set aside for messages: as few as keep a cable busy for a round trip, because the device goes round all
    /// of them and what fits a cache is faster.
    pub message_slots: u8,
    pub receive_slots: u16,
    /// Slots where a header and what follows it are put together to be sent.
    pub send_slots: u16,
    /// SENDs under way at most.
    pub send_depth: u16,
    /// Every so many SENDs one asks for a completion, which retires those before it too.
    pub signal_every: u32,
    /// For messages of odd numbers that go without a header, and nothing else; see [`Turn`](super::turn::Turn).
    pub odd: bool,
}

/// The most classes that rules have.
pub(super) const CLASSES_MAX: usize = 7;

/// In the order of their use: two sides that could not make all connections keep to those that both have.
static THUNDERBOLT: [Class; CLASSES_MAX] =
    [first(FRAME_BYTES, 64), spanning(2, 16), spanning(4, 16), spanning(9, 8), odd(1), odd(2), odd(4)];

static LINUX: [Class; 1] = [first(EAGER_MAX + 128, 16)];

/// The class that also carries notes and control. A credit update is only sent once a quarter of a pool has been used, and a grant only for chunks
/// that were received: that bounds how much control is under way.
const fn first(slot_bytes: usize, message_slots: u8) -> Class {
    let pools = if slot_bytes == FRAME_BYTES { CLASSES_MAX as u16 + 1 } else { 2 };
    let control_slots = 4 * pools + 4 + BULK_WINDOW as u16;
    Class {
        slot_bytes,
        least_bytes: 0,
        message_slots,
        receive_slots: message_slots as u16 + NOTE_SLOTS as u16 + control_slots,
        send_slots: 64,
        send_depth: 256,
        signal_every: 16,
        odd: false,
    }
}

const fn spanning(frames: usize, message_slots: u8) -> Class {
    Class {
        slot_bytes: frames * FRAME_BYTES,
        least_bytes: (frames - 1) * FRAME_BYTES + 1,
        message_slots,
        receive_slots: message_slots as u16,
        send_slots: 8,
        send_depth: 32,
        signal_every: 1,
        odd: false,
    }
}

const fn odd(frames: usize) -> Class {
    Class { odd: true, send_slots: 0, ..spanning(frames, 16) }
}

impl Rules {
    pub(super) fn classes(self) -> &'static [Class] {
        match self {
            Rules::Linux => &LINUX,
            Rules::Thunderbolt => &THUNDERBOLT,
        }
    }
}

impl Class {
    /// What `count` SENDs or receives of this class take of a queue that counts frames.
    pub fn queue_entries(&self, count: u16, rules: Rules) -> u32 {
        match rules {
            Rules::Linux => u32::from(count),
            Rules::Thunderbolt => u32::from(count) * self.slot_bytes.div_ceil(FRAME_BYTES) as u32,
        }
    }

    /// The bytes of a message that fit behind a header. One less than there is room for: a slot filled to the last byte is a bare message.
    fn part_bytes_max(&self) -> usize {
        self.slot_bytes - Header::BYTES - 1
    }
}

/// Which class takes the next part of a message of which `rest` bytes are left, and how many of them. Never takes a frame more
/// than the rest needs: a frame costs more than a SEND.
pub(super) fn next_part(classes: &[Class], rest: usize) -> (usize, usize) {
    let bytes = Header::BYTES + rest;
    let filled = |class: &Class| !class.odd && class.slot_bytes <= bytes + FRAME_BYTES;
    let mut best = 0;
    for (at, class) in classes.iter().enumerate().skip(1) {
        if filled(class) && class.slot_bytes > classes[best].slot_bytes {
            best = at;
        }
    }
    (best, rest.min(classes[best].part_bytes_max()))
}

/// The class in which a message of `len` bytes, odd in number or not, can go without a header.
pub(super) fn bare_class(classes: &[Class], len: usize, odd: bool) -> Option<usize> {
    if !len.is_multiple_of(FRAME_BYTES) {
        return None;
    }
    let find = |odd| classes.iter().position(|class| class.slot_bytes == len && class.odd == odd);
    // Odd and even ones take turns, so one without the other is of no use.
    let (with, without) = (find(true)?, find(false)?);
    Some(if odd { with } else { without })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spans in frames of the SENDs that a message takes.
    fn spans(classes: &[Class], len: usize) -> Vec<usize> {
        let (mut rest, mut spans) = (len, Vec::new());
        while {
            let (at, taken) = next_part(classes, rest);
            let class = &classes[at];
            let sent = (Header::BYTES + taken).max(class.least_bytes);
            assert!(sent < class.slot_bytes, "{len}: {sent} bytes would be taken for a bare message");
            assert_eq!(sent.div_ceil(FRAME_BYTES), class.slot_bytes.div_ceil(FRAME_BYTES), "{len}");
            spans.push(sent.div_ceil(FRAME_BYTES));
            rest -= taken;
            rest > 0
        } {}
        spans
    }

    #[test]
    fn the_lengths_that_matter_take_few_sends() {
        for (len, expected) in [
            (0, &[1][..]),
            (4071, &[1]),
            (4072, &[2]),
            (4096, &[2]),
            (8192, &[2, 1]),
            (12288, &[4]),
            (16384, &[4, 1]),
            (20480, &[4, 2]),
            (32768, &[9]),
        ] {
            assert_eq!(spans(&THUNDERBOLT, len), expected, "{len}");
        }
        assert_eq!(spans(&THUNDERBOLT[..1], 8192), [1, 1, 1]);
        assert_eq!(next_part(&LINUX, EAGER_MAX), (0, EAGER_MAX));
    }

    #[test]
    fn every_length_spans_what_it_meets_and_no_frame_too_many() {
        for classes in (1..=CLASSES_MAX).map(|count| &THUNDERBOLT[..count]) {
            for len in (0..=EAGER_MAX).filter(|len| len % 7 == 0 || len % 4096 < 100 || len % 4096 > 3900) {
                let spans = spans(classes, len);
                let bytes = len + spans.len() * (Header::BYTES + 1);
                assert!(spans.iter().sum::<usize>() <= bytes.div_ceil(FRAME_BYTES), "{len}: {spans:?}");
            }
        }
    }

    #[test]
    fn whole_frames_go_bare_where_both_connections_exist() {
        assert_eq!(bare_class(&THUNDERBOLT, 4096, false), Some(0));
        assert_eq!(bare_class(&THUNDERBOLT, 4096, true), Some(4));
        assert_eq!(bare_class(&THUNDERBOLT, 8192, false), Some(1));
        assert_eq!(bare_class(&THUNDERBOLT, 8192, true), Some(5));
        assert_eq!(bare_class(&THUNDERBOLT, 16384, false), Some(2));
        assert_eq!(bare_class(&THUNDERBOLT, 16384, true), Some(6));
        for len in [0, 4095, 4097, 12288, 20480, 32768] {
            assert_eq!(bare_class(&THUNDERBOLT, len, false), None, "{len}");
        }
        assert_eq!(bare_class(&THUNDERBOLT[..5], 8192, false), None);
        assert_eq!(bare_class(&LINUX, EAGER_MAX, false), None);
    }
}
