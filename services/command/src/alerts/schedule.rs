//! The schedule of mails about homes, in the agency's local time.

use std::time::Duration;

use chrono::{DateTime, Datelike, Days, NaiveTime, TimeZone, Timelike, Utc, Weekday};
use chrono_tz::{Europe::Madrid, Tz};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The hour at which daily, weekly and postponed mails are sent.
const MORNING: u32 = 8;
/// The hour from which on no alerts are sent until the morning.
const EVENING: u32 = 21;
/// The maximum time that an immediate alert waits for more changes.
const MAX_PAUSE: Duration = Duration::from_mins(15);
/// Morning mails are spread over this many seconds: mail servers treat many mails at once as spam.
pub const MORNING_SPREAD: f64 = 20.0 * 60.0;

/// How often alerts are mailed.
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

    /// Returns the name that tables and forms use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AtOnce => "at_once",
            Self::Daily => "daily",
            Self::Weekly => "weekly",
            Self::Never => "never",
        }
    }

    /// Returns the frequency of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|frequency| frequency.name() == name)
    }

    /// Returns when a mail about a change at `now` is due, or `None` if there is to be no mail. An
    /// immediate one waits for `pause` first. Without a pause there is no night, as tests need it.
    pub fn due(self, now: DateTime<Utc>, pause: Duration) -> Option<DateTime<Utc>> {
        let here = now.with_timezone(&Madrid);
        match self {
            Self::AtOnce => Some(next_daytime(now + pause, pause)),
            Self::Daily => Some(next_morning(&here, |_| true)),
            Self::Weekly => Some(next_morning(&here, |day| day == Weekday::Mon)),
            Self::Never => None,
        }
    }
}

/// Returns when an immediate mail is due that was created at `created` and got another change at `now`.
pub fn due_after_change(
    created: DateTime<Utc>,
    now: DateTime<Utc>,
    pause: Duration,
) -> DateTime<Utc> {
    next_daytime((now + pause).min(created + MAX_PAUSE), pause)
}

/// Returns `time`, or the next morning if it is at night and there is a `pause`.
pub fn next_daytime(time: DateTime<Utc>, pause: Duration) -> DateTime<Utc> {
    let here = time.with_timezone(&Madrid);
    let is_day = (MORNING..EVENING).contains(&here.hour());
    if is_day || pause.is_zero() { time } else { next_morning(&here, |_| true) }
}

/// Returns the first morning after `now` on a suitable weekday.
fn next_morning(now: &DateTime<Tz>, is_suitable: impl Fn(Weekday) -> bool) -> DateTime<Utc> {
    let morning = NaiveTime::from_hms_opt(MORNING, 0, 0).unwrap_or_default();
    let mornings = (0..=7).filter_map(|days| {
        let day = now.date_naive().checked_add_days(Days::new(days))?;
        let at = Madrid.from_local_datetime(&day.and_time(morning)).earliest()?;
        (at > *now && is_suitable(day.weekday())).then(|| at.with_timezone(&Utc))
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
    fn mails_are_due_in_the_agencys_local_time() {
        use Frequency::{AtOnce, Daily, Weekly};
        // A Monday in winter; Madrid is an hour ahead of UTC.
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
    fn a_delayed_mail_is_not_due_at_night() {
        let after = |created: &str, now: &str, pause| {
            let [created, now] = [created, now].map(|time| time.parse().expect("a time"));
            let due = due_after_change(created, now, Duration::from_mins(pause));
            due.with_timezone(&Madrid).format("%a %d %H:%M").to_string()
        };
        let created = "2026-11-23T19:50:00Z";
        assert_eq!(after(created, "2026-11-23T19:52:00Z", 2), "Mon 23 20:54");
        assert_eq!(after(created, "2026-11-23T19:59:00Z", 2), "Tue 24 08:00");
        assert_eq!(after(created, "2026-11-23T23:00:00Z", 2), "Tue 24 08:00");
        assert_eq!(after("2026-11-23T19:40:00Z", "2026-11-23T19:58:00Z", 2), "Mon 23 20:55");
        assert_eq!(after(created, "2026-11-23T23:00:00Z", 0), "Mon 23 21:05", "no pause, no night");
    }
}
