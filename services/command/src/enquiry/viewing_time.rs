//! Validates proposed viewing times.

use chrono::{DateTime, Duration, NaiveDateTime, Utc};
use chrono_tz::Europe::Madrid;
use contracts::OpeningPeriod;

/// The maximum number of days ahead.
pub const MAX_DAYS: i64 = 60;

/// Whether a viewing may be proposed for `time` in the agency's local time: from tomorrow on, and within
/// the office's `hours`. If the hours are unknown, any time is accepted and the office decides.
pub fn may_be_proposed(
    time: NaiveDateTime,
    hours: Option<&[OpeningPeriod]>,
    now: DateTime<Utc>,
) -> bool {
    let today = now.with_timezone(&Madrid).date_naive();
    let day = time.date();
    day > today
        && day <= today + Duration::days(MAX_DAYS)
        && hours.is_none_or(|hours| hours.iter().any(|period| period.is_open_at(time)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enquiry::tests::office_hours;

    #[test]
    fn a_viewing_time_is_on_a_later_day_in_opening_hours() {
        let hours = office_hours();
        let now = "2026-11-23T23:30:00Z".parse().expect("a time");
        let may = |time: &str| may_be_proposed(time.parse().expect("a time"), Some(&hours), now);
        assert!(!may("2026-11-24T10:00:00"), "it is the 24th in Torrox already");
        assert!(may("2026-11-25T09:30:00") && may("2026-11-25T18:30:00"));
        for closed in ["2026-11-25T09:00:00", "2026-11-25T14:00:00", "2026-11-28T10:00:00"] {
            assert!(!may(closed), "{closed}");
        }
        assert!(!may("2027-03-01T10:00:00"), "too far ahead");
    }

    #[test]
    fn any_time_is_accepted_if_the_hours_are_unknown() {
        let now = "2026-11-23T12:00:00Z".parse().expect("a time");
        let may = |time: &str| may_be_proposed(time.parse().expect("a time"), None, now);
        assert!(may("2026-11-28T10:00:00"));
        assert!(!may("2026-11-23T13:00:00"), "today");
    }
}
