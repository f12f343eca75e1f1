use super::sys;

/// What a device lets us do. Thunderbolt's rules can be forced on any device, which is how they are tested without a Mac.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// Reliable connections: the device acknowledges, repeats and keeps order.
    Linux,
    /// macOS over a Thunderbolt cable: unreliable connections, SEND and RECV only, no gather, nothing inline. Queues
    /// count 4 KiB frames, and a SEND must span as many frames as the RECV it meets.
    Thunderbolt,
}

/// Thunderbolt moves and counts messages in frames of this many bytes.
pub const FRAME_BYTES: usize = 4096;

impl Rules {
    /// The rules of a port, from the link layer that it reports.
    pub fn of_link_layer(link_layer: u8) -> Self {
        if link_layer == sys::LINK_LAYER_THUNDERBOLT { Rules::Thunderbolt } else { Rules::Linux }
    }

    pub(super) fn qp_type(self) -> i32 {
        match self {
            Rules::Linux => sys::QPT_RC,
            Rules::Thunderbolt => sys::QPT_UC,
        }
    }

    /// Queue entries that one bulk chunk takes.
    pub(super) fn bulk_chunk_slots(self) -> u32 {
        match self {
            Rules::Linux => 1,
            Rules::Thunderbolt => (BULK_CHUNK_BYTES / FRAME_BYTES) as u32,
        }
    }
}

/// Messages up to this length are sent at once into a slot of the peer and copied from there; longer ones wait for the
/// peer's buffer and go straight into it. Tensor-parallel exchanges (8–32 KiB) are below it.
pub(super) const EAGER_MAX: usize = 32 << 10;

/// Long messages travel in chunks of this size, several in flight. Whole frames, far below the 16,773,120 B limit; small enough that
/// even a slow device acknowledges a window of them long before it would repeat it.
pub(super) const BULK_CHUNK_BYTES: usize = 64 << 10;

/// Chunks for which the receiver has posted buffers ahead.
pub(super) const BULK_WINDOW: u32 = 8;

/// Receive slots set aside for notes.
pub(super) const NOTE_SLOTS: u8 = 32;

/// Queue pairs of a Thunderbolt device, those of all processes together.
pub(super) const THUNDERBOLT_PAIRS_MAX: usize = 10;

/// Of those, what links leave for others when they take more than they need.
pub(super) const THUNDERBOLT_PAIRS_SPARED: usize = 2;

/// Registered regions of a Thunderbolt device.
pub(super) const THUNDERBOLT_REGIONS_MAX: usize = 100;
