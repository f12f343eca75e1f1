use std::time::Duration;

/// What the two ways of sending have cost lately: copied by the kernel, or lent.
///
/// Neither is always the better one. Between cores that share a cache the kernel's copy stays in it, and the peer finds it there; between others it
/// costs three times as much as lending. Where a hypervisor moves the cores, this changes within seconds.
#[derive(Debug, Default)]
pub(super) struct Costs {
    copied: Cost,
    lent: Cost,
    frames: u32,
}

#[derive(Debug, Default)]
struct Cost {
    ns: u64,
    bytes: u64,
}

/// The other way is tried this often.
const TRY_EVERY: u32 = 32;
/// What is older counts half.
const MEMORY: u64 = 1 << 20;

impl Costs {
    /// Whether the next frame shall be lent.
    pub(super) fn lend(&mut self) -> bool {
        self.frames = self.frames.wrapping_add(1);
        let tried = self.copied.bytes > 0 && self.lent.bytes > 0;
        // Half, since what is lent costs the peer more to read.
        let lent_is_cheaper =
            tried && 2 * self.lent.ns * self.copied.bytes < self.copied.ns * self.lent.bytes;
        lent_is_cheaper != self.frames.is_multiple_of(TRY_EVERY)
    }

    pub(super) fn add(&mut self, lent: bool, took: Duration, bytes: usize) {
        let cost = if lent { &mut self.lent } else { &mut self.copied };
        // Longer than that, and something else had the core.
        cost.ns += (took.as_nanos() as u64).min(10_000 + bytes as u64);
        cost.bytes += bytes as u64;
        if cost.bytes > MEMORY {
            cost.ns /= 2;
            cost.bytes /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of `frames` are lent where a frame costs that many microseconds.
    fn lent(costs: &mut Costs, frames: usize, copied_us: u64, lent_us: u64) -> usize {
        let mut count = 0;
        for _ in 0..frames {
            let lent = costs.lend();
            count += usize::from(lent);
            costs.add(lent, Duration::from_micros(if lent { lent_us } else { copied_us }), 256 << 10);
        }
        count
    }

    #[test]
    fn the_cheaper_way_is_taken_and_the_other_tried() {
        let mut costs = Costs::default();
        assert_eq!(lent(&mut costs, 320, 40, 40), 10, "alike: copied but for the trials");
        assert!(lent(&mut costs, 3200, 130, 45) > 2900, "cores that share nothing");
        assert!(lent(&mut costs, 3200, 40, 40) < 500, "cores that moved together");
    }
}
