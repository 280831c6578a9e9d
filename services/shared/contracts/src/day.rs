//! The day and the year in the agency's time zone. Which homes count as new, and the year that each page
//! names, change at midnight in Spain although nothing is published.

use std::time::{Duration, SystemTime};

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, TimeZone, Utc};
use chrono_tz::{Europe::Madrid, Tz};

/// Returns the day in Spain at `time`, as the number of days since 1970-01-01.
pub fn day_of(time: SystemTime) -> i64 {
    date_of(time).signed_duration_since(NaiveDate::default()).num_days()
}

/// Returns the time from `time` until midnight in Spain, also on days of 23 and 25 hours.
pub fn rest_of_day(time: SystemTime) -> Duration {
    rest_before(date_of(time).checked_add_days(Days::new(1)), time)
}

/// Returns the time from `time` until the end of the year in Spain.
pub fn rest_of_year(time: SystemTime) -> Duration {
    rest_before(NaiveDate::from_ymd_opt(date_of(time).year() + 1, 1, 1), time)
}

/// Returns the time from `time` until `day` begins in Spain.
fn rest_before(day: Option<NaiveDate>, time: SystemTime) -> Duration {
    // Spain changes its clocks at two in the morning, so each of its days has a midnight.
    let midnight =
        day.and_then(|day| Madrid.from_local_datetime(&day.and_time(NaiveTime::MIN)).earliest());
    let rest = midnight.map(|midnight| midnight.to_utc() - DateTime::<Utc>::from(time));
    rest.and_then(|rest| rest.to_std().ok()).unwrap_or_default()
}

fn date_of(time: SystemTime) -> NaiveDate {
    let local: DateTime<Tz> = DateTime::<Utc>::from(time).with_timezone(&Madrid);
    local.date_naive()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> SystemTime {
        time.parse::<DateTime<Utc>>().expect("a time").into()
    }

    #[test]
    fn the_day_ends_at_midnight_in_spain() {
        // Spain is two hours ahead of UTC in summer, one in winter.
        for (before, after) in [
            ("2026-07-01T21:59:59Z", "2026-07-01T22:00:00Z"),
            ("2026-11-22T22:59:59Z", "2026-11-22T23:00:00Z"),
        ] {
            assert_eq!(day_of(at(before)) + 1, day_of(at(after)));
            assert_eq!(rest_of_day(at(before)), Duration::from_secs(1));
            assert_eq!(rest_of_day(at(after)), Duration::from_hours(24));
        }
        assert_eq!(day_of(at("1970-01-01T12:00:00Z")), 0);
    }

    #[test]
    fn the_year_ends_at_midnight_in_spain() {
        assert_eq!(rest_of_year(at("2026-12-31T22:59:59Z")), Duration::from_secs(1));
        assert_eq!(rest_of_year(at("2026-12-31T23:00:00Z")), Duration::from_hours(24 * 365));
    }

    #[test]
    fn days_on_which_the_clocks_change_are_shorter_or_longer() {
        assert_eq!(rest_of_day(at("2026-03-28T23:00:00Z")), Duration::from_hours(23));
        assert_eq!(rest_of_day(at("2026-10-24T22:00:00Z")), Duration::from_hours(25));
    }
}
