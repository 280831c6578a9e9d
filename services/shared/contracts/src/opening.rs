//! The agency's opening hours, in its local time.

use std::{fmt, str::FromStr};

use chrono::{Datelike, NaiveDateTime, Timelike};
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

/// A weekly opening period, in all or in some months.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpeningPeriod {
    /// The months in which it applies, 1 for January; empty for all months.
    pub months: Vec<u8>,
    /// The days of the week, 1 for Monday (ISO 8601).
    pub weekdays: Vec<u8>,
    /// The start of the period, inclusive.
    pub opens: ClockTime,
    /// The end of the period, exclusive.
    pub closes: ClockTime,
}

impl OpeningPeriod {
    /// Returns whether the agency is open at the local time `time` according to this period.
    pub fn is_open_at(&self, time: NaiveDateTime) -> bool {
        let month = u8::try_from(time.month()).unwrap_or_default();
        let weekday = u8::try_from(time.weekday().number_from_monday()).unwrap_or_default();
        let minute = ClockTime::of(time.hour(), time.minute());
        (self.months.is_empty() || self.months.contains(&month))
            && self.weekdays.contains(&weekday)
            && minute.is_some_and(|minute| (self.opens..self.closes).contains(&minute))
    }
}

/// A time of the day to the minute, written `HH:MM`. Seconds are accepted and ignored when parsing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ClockTime {
    minutes: u16,
}

impl ClockTime {
    /// A regular expression that matches its text form.
    pub const PATTERN: &'static str = "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$";

    fn of(hour: u32, minute: u32) -> Option<Self> {
        let minutes = u16::try_from(hour * 60 + minute).ok()?;
        (hour < 24 && minute < 60).then_some(Self { minutes })
    }
}

/// The error for a text that is not a time of the day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no time of the day such as 09:30")]
pub struct InvalidClockTime(String);

impl FromStr for ClockTime {
    type Err = InvalidClockTime;

    fn from_str(text: &str) -> Result<Self, InvalidClockTime> {
        let part = |part: Option<&str>| {
            part.filter(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit()))
                .and_then(|part| part.parse::<u32>().ok())
        };
        let mut parts = text.split(':');
        let (hour, minute) = (part(parts.next()), part(parts.next()));
        let seconds = parts.next().map_or(Some(0), |seconds| part(Some(seconds)));
        match (hour, minute, seconds, parts.next()) {
            (Some(hour), Some(minute), Some(0..60), None) => Self::of(hour, minute),
            _ => None,
        }
        .ok_or_else(|| InvalidClockTime(text.to_owned()))
    }
}

impl fmt::Display for ClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.minutes / 60, self.minutes % 60)
    }
}

impl TryFrom<String> for ClockTime {
    type Error = InvalidClockTime;

    fn try_from(text: String) -> Result<Self, InvalidClockTime> {
        text.parse()
    }
}

impl From<ClockTime> for String {
    fn from(time: ClockTime) -> Self {
        time.to_string()
    }
}

impl PartialSchema for ClockTime {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A time of the day to the minute, `HH:MM`."))
            .pattern(Some(Self::PATTERN))
            .into()
    }
}

impl ToSchema for ClockTime {}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> NaiveDateTime {
        text.parse().expect("a time")
    }

    fn clock(text: &str) -> ClockTime {
        text.parse().expect("a time of the day")
    }

    #[test]
    fn a_period_is_open_in_its_months_on_its_weekdays_between_its_times() {
        let summer = OpeningPeriod {
            months: vec![7, 8],
            weekdays: vec![1, 2, 3, 4, 5],
            opens: clock("09:00"),
            closes: clock("15:00:00"),
        };
        for open in ["2026-07-14T09:00:00", "2026-08-31T14:59:59"] {
            assert!(summer.is_open_at(time(open)), "{open}");
        }
        for closed in [
            "2026-07-14T08:59:59",
            "2026-07-14T15:00:00",
            "2026-07-18T10:00:00",
            "2026-09-14T10:00:00",
        ] {
            assert!(!summer.is_open_at(time(closed)), "{closed}");
        }
        let always = OpeningPeriod { months: Vec::new(), ..summer };
        assert!(always.is_open_at(time("2026-09-14T10:00:00")));
    }

    #[test]
    fn a_time_of_the_day_is_parsed_with_seconds_and_written_without() {
        assert_eq!(clock("09:30:00").to_string(), "09:30");
        assert_eq!(clock("23:59").to_string(), "23:59");
        for wrong in
            ["", "9:30", "24:00", "12:60", "12", "12:30:60", "12:30:00:00", "+9:30", "noon"]
        {
            assert!(wrong.parse::<ClockTime>().is_err(), "{wrong}");
        }
    }
}
