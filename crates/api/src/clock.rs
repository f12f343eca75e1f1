//! Times as the dialects write them.

use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) fn unix_s() -> u64 {
    since_epoch().as_secs()
}

/// Now, as `2026-11-15T07:03:56.123456Z`.
pub(crate) fn now() -> String {
    let since = since_epoch();
    rfc3339(since.as_secs(), since.subsec_micros())
}

pub(crate) fn rfc3339(unix_s: u64, micros: u32) -> String {
    let (days, second) = (unix_s / 86_400, unix_s % 86_400);
    // Days to a date in the Gregorian calendar, counted from 1 March of year 0: leap days come last.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
}

fn since_epoch() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn dates() {
        let check = |unix_s, expected| assert_eq!(rfc3339(unix_s, 5), expected);
        check(0, "1970-01-01T00:00:00.000005Z");
        check(951_782_399, "2000-02-28T23:59:59.000005Z");
        check(951_782_400, "2000-02-29T00:00:00.000005Z");
        check(1_794_726_236, "2026-11-15T07:03:56.000005Z");
        check(4_107_542_400, "2100-03-01T00:00:00.000005Z");
    }
}
