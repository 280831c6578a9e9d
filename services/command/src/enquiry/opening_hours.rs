//! When somebody of the agency is there to show a home.

use chrono::{DateTime, Datelike, Duration, NaiveDateTime, NaiveTime, Utc, Weekday};
use chrono_tz::Europe::Madrid;

/// How many days ahead a viewing may be proposed.
const MOST_DAYS: i64 = 60;

/// Whether a viewing may be proposed for `time` on the agency's clock: from tomorrow on, on a weekday,
/// in the hours that the contact page tells.
pub fn is_open(time: NaiveDateTime, now: DateTime<Utc>) -> bool {
    let today = now.with_timezone(&Madrid).date_naive();
    let day = time.date();
    if day <= today || day > today + Duration::days(MOST_DAYS) {
        return false;
    }
    if matches!(day.weekday(), Weekday::Sat | Weekday::Sun) {
        return false;
    }
    let within = |from: (u32, u32), until: (u32, u32)| {
        let at = |(hour, minute)| NaiveTime::from_hms_opt(hour, minute, 0);
        at(from).is_some_and(|from| from <= time.time())
            && at(until).is_some_and(|until| time.time() < until)
    };
    match day.month() {
        7 | 8 => within((9, 0), (15, 0)),
        _ => within((9, 30), (14, 0)) || within((16, 30), (19, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_viewing_is_proposed_for_a_day_to_come_in_opening_hours() {
        let now = "2026-11-23T23:30:00Z".parse().expect("a time");
        let open = |time: &str| is_open(time.parse().expect("a time"), now);
        assert!(!open("2026-11-24T10:00:00"), "it is the 24th in Torrox already");
        assert!(open("2026-11-25T09:30:00") && open("2026-11-25T18:30:00"));
        for closed in ["2026-11-25T09:00:00", "2026-11-25T14:00:00", "2026-11-28T10:00:00"] {
            assert!(!open(closed), "{closed}");
        }
        assert!(!open("2027-03-01T10:00:00"), "too far ahead");
        let summer = "2026-07-10T08:00:00Z".parse().expect("a time");
        assert!(!is_open("2026-07-14T17:00:00".parse().expect("a time"), summer));
    }
}
