use std::time::Duration;

/// Times, counted in buckets that grow by about a fifth: fixed size, no allocation, quantiles to within that.
#[derive(Debug, Clone)]
pub struct Histogram {
    counts: [u32; BUCKETS],
    total: u64,
}

/// Four buckets per power of two, from 1 ns to about 70 s.
const BUCKETS: usize = 36 * 4;

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: [0; BUCKETS], total: 0 }
    }
}

impl Histogram {
    pub fn record(&mut self, time: Duration) {
        let bucket = Self::bucket(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        self.counts[bucket] = self.counts[bucket].saturating_add(1);
        self.total += 1;
    }

    pub fn count(&self) -> u64 {
        self.total
    }

    /// The time that a share `q` (0 to 1) of all recorded ones did not exceed; zero if there are none.
    pub fn quantile(&self, q: f64) -> Duration {
        let wanted = (q.clamp(0.0, 1.0) * self.total as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (bucket, &count) in self.counts.iter().enumerate() {
            seen += u64::from(count);
            if seen >= wanted {
                return Duration::from_nanos(Self::upper(bucket));
            }
        }
        Duration::ZERO
    }

    pub fn median(&self) -> Duration {
        self.quantile(0.5)
    }

    fn bucket(ns: u64) -> usize {
        let ns = ns.max(1);
        let power = ns.ilog2() as usize;
        let quarter = if power >= 2 { (ns >> (power - 2)) & 3 } else { (ns << (2 - power)) & 3 };
        (power * 4 + quarter as usize).min(BUCKETS - 1)
    }

    fn upper(bucket: usize) -> u64 {
        let (power, quarter) = (bucket / 4, (bucket % 4) as u64);
        ((5 + quarter) << power) >> 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_within_a_bucket() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.median(), Duration::ZERO);
        (1..=1000).for_each(|us| histogram.record(Duration::from_micros(us)));
        for (q, us) in [(0.01, 10.0), (0.5, 500.0), (0.99, 990.0), (1.0, 1000.0)] {
            let found = histogram.quantile(q).as_nanos() as f64 / 1000.0;
            assert!(found >= us * 0.99 && found <= us * 1.3, "{q}: {found} us, about {us} expected");
        }
        histogram.record(Duration::MAX);
        assert_eq!(histogram.count(), 1001);
    }
}
