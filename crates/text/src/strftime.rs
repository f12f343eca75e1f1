//! Dates for templates that state today's: the part of C's `strftime` they use, in UTC.

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// `format` at `unix_s` seconds after 1970. Directives that are not known stay as they are.
pub(crate) fn strftime(format: &str, unix_s: i64) -> String {
    let days = unix_s.div_euclid(86_400);
    let second = unix_s.rem_euclid(86_400);
    let (year, month, day) = civil_date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let weekday = DAYS[(days + 4).rem_euclid(7) as usize];
    let month_name = MONTHS[month as usize - 1];
    let hour_12 = (hour + 11) % 12 + 1;
    let day_of_year = days - days_to_year(year) + 1;
    let mut text = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        let mut directive = chars.next();
        let plain = directive == Some('-');
        if plain {
            directive = chars.next();
        }
        let two = |value: i64| if plain { value.to_string() } else { format!("{value:02}") };
        match directive {
            Some('Y') => text.push_str(&year.to_string()),
            Some('y') => text.push_str(&two(year.rem_euclid(100))),
            Some('m') => text.push_str(&two(month)),
            Some('d') => text.push_str(&two(day)),
            Some('e') => text.push_str(&format!("{day:2}")),
            Some('H') => text.push_str(&two(hour)),
            Some('I') => text.push_str(&two(hour_12)),
            Some('M') => text.push_str(&two(minute)),
            Some('S') => text.push_str(&two(second)),
            Some('p') => text.push_str(if hour < 12 { "AM" } else { "PM" }),
            Some('j') => text.push_str(&format!("{day_of_year:03}")),
            Some('B') => text.push_str(month_name),
            Some('b' | 'h') => text.push_str(&month_name[..3]),
            Some('A') => text.push_str(weekday),
            Some('a') => text.push_str(&weekday[..3]),
            Some('F') => text.push_str(&format!("{year}-{month:02}-{day:02}")),
            Some('T') => text.push_str(&format!("{hour:02}:{minute:02}:{second:02}")),
            Some('Z') => text.push_str("UTC"),
            Some('%') => text.push('%'),
            Some(other) => text.extend(['%', other]),
            None => text.push('%'),
        }
    }
    text
}

/// Year, month and day of a day counted from 1970-01-01, in the proleptic Gregorian calendar.
fn civil_date(days: i64) -> (i64, i64, i64) {
    // Years that begin in March put the leap day last; an era is 400 of them.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

/// Days from 1970-01-01 to the first of January of `year`.
fn days_to_year(year: i64) -> i64 {
    let before = year - 1;
    before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) - 719_162
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_dates() {
        let leap_day_s = 1_709_210_096; // 2024-02-29 12:34:56 UTC
        for (format, expected) in [
            ("%d %b %Y", "29 Feb 2024"),
            ("%A, %B %-d, %Y", "Thursday, February 29, 2024"),
            ("%Y-%m-%dT%H:%M:%S", "2024-02-29T12:34:56"),
            ("%j %y %I %p %%", "060 24 12 PM %"),
            ("%F %T %Q %", "2024-02-29 12:34:56 %Q %"),
        ] {
            assert_eq!(strftime(format, leap_day_s), expected, "{format}");
        }
        assert_eq!(strftime("%F %a", 0), "1970-01-01 Thu");
        assert_eq!(strftime("%F", -86_400), "1969-12-31");
        assert_eq!(strftime("%F %j", 1_735_603_200), "2024-12-31 366");
    }
}
