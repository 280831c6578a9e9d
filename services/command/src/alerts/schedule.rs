//! When mails about homes go out, on the agency's clock.

use std::time::Duration;

use chrono::{DateTime, Datelike, Days, NaiveTime, TimeZone, Timelike, Utc, Weekday};
use chrono_tz::{Europe::Madrid, Tz};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Mails of the day and of the week, and those that waited for the night to end, go out from then on.
const MORNING: u32 = 8;
/// After it nobody is written to until the morning.
const EVENING: u32 = 21;
/// So long after it was begun a mail at once goes out, however much still happens.
const MAX_PAUSE: Duration = Duration::from_mins(15);
/// Mails of the morning go out over so long, in seconds: mail servers take many at once for spam.
pub const MORNING_SPREAD: f64 = 20.0 * 60.0;

/// How often somebody wants to hear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Frequency {
    /// As soon as it has been quiet for a moment, but not at night.
    AtOnce,
    /// At eight in the morning.
    Daily,
    /// On Mondays at eight.
    Weekly,
    /// Not at all.
    Never,
}

impl Frequency {
    const ALL: [Self; 4] = [Self::AtOnce, Self::Daily, Self::Weekly, Self::Never];

    /// As tables and forms name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AtOnce => "at_once",
            Self::Daily => "daily",
            Self::Weekly => "weekly",
            Self::Never => "never",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|frequency| frequency.name() == name)
    }

    /// When a mail goes out that something happened for at `now`; a mail at once waits for `pause`
    /// first. Without a pause the night is a day, as tests need it. None where there is to be no mail.
    pub fn due(self, now: DateTime<Utc>, pause: Duration) -> Option<DateTime<Utc>> {
        let here = now.with_timezone(&Madrid);
        match self {
            Self::AtOnce => Some(by_day(now + pause, pause)),
            Self::Daily => Some(next_morning(&here, |_| true)),
            Self::Weekly => Some(next_morning(&here, |day| day == Weekday::Mon)),
            Self::Never => None,
        }
    }
}

/// When a mail at once goes out that was begun at `begun` and for which more happened at `now`.
pub fn after_more(begun: DateTime<Utc>, now: DateTime<Utc>, pause: Duration) -> DateTime<Utc> {
    by_day((now + pause).min(begun + MAX_PAUSE), pause)
}

/// `time`, or the morning after it where that is at night and there is a `pause`.
pub fn by_day(time: DateTime<Utc>, pause: Duration) -> DateTime<Utc> {
    let here = time.with_timezone(&Madrid);
    let is_day = (MORNING..EVENING).contains(&here.hour());
    if is_day || pause.is_zero() { time } else { next_morning(&here, |_| true) }
}

/// The first morning after `now` of a day that is `right`.
fn next_morning(now: &DateTime<Tz>, right: impl Fn(Weekday) -> bool) -> DateTime<Utc> {
    let morning = NaiveTime::from_hms_opt(MORNING, 0, 0).unwrap_or_default();
    let mornings = (0..=7).filter_map(|days| {
        let day = now.date_naive().checked_add_days(Days::new(days))?;
        let at = Madrid.from_local_datetime(&day.and_time(morning)).earliest()?;
        (at > *now && right(day.weekday())).then(|| at.with_timezone(&Utc))
    });
    mornings.min().unwrap_or_else(|| now.with_timezone(&Utc))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(frequency: Frequency, now: &str) -> String {
        let now: DateTime<Utc> = now.parse().expect("a time");
        let due = frequency.due(now, Duration::from_mins(2)).expect("a time");
        due.with_timezone(&Madrid).format("%a %d %H:%M").to_string()
    }

    #[test]
    fn mails_go_out_on_the_agencys_clock() {
        use Frequency::{AtOnce, Daily, Weekly};
        // A Monday in winter, an hour behind Madrid.
        assert_eq!(due(AtOnce, "2026-11-23T10:00:00Z"), "Mon 23 11:02");
        assert_eq!(due(AtOnce, "2026-11-23T19:59:00Z"), "Tue 24 08:00");
        assert_eq!(due(AtOnce, "2026-11-23T05:00:00Z"), "Mon 23 08:00");
        assert_eq!(due(Daily, "2026-11-23T06:59:00Z"), "Mon 23 08:00");
        assert_eq!(due(Daily, "2026-11-23T07:00:00Z"), "Tue 24 08:00");
        assert_eq!(due(Weekly, "2026-11-23T07:00:00Z"), "Mon 30 08:00");
        assert_eq!(due(Weekly, "2026-11-22T12:00:00Z"), "Mon 23 08:00");
        // Clocks go forward in this night.
        assert_eq!(due(Daily, "2026-03-28T20:00:00Z"), "Sun 29 08:00");
        assert_eq!(Frequency::Never.due(Utc::now(), Duration::ZERO), None);
    }

    #[test]
    fn a_mail_that_waited_for_more_does_not_go_out_at_night() {
        let after = |begun: &str, now: &str, pause| {
            let [begun, now] = [begun, now].map(|time| time.parse().expect("a time"));
            let due = after_more(begun, now, Duration::from_mins(pause));
            due.with_timezone(&Madrid).format("%a %d %H:%M").to_string()
        };
        let begun = "2026-11-23T19:50:00Z";
        assert_eq!(after(begun, "2026-11-23T19:52:00Z", 2), "Mon 23 20:54");
        assert_eq!(after(begun, "2026-11-23T19:59:00Z", 2), "Tue 24 08:00");
        assert_eq!(after(begun, "2026-11-23T23:00:00Z", 2), "Tue 24 08:00");
        assert_eq!(after("2026-11-23T19:40:00Z", "2026-11-23T19:58:00Z", 2), "Mon 23 20:55");
        assert_eq!(after(begun, "2026-11-23T23:00:00Z", 0), "Mon 23 21:05", "no pause, no night");
    }
}
