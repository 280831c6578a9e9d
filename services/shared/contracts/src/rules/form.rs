//! What a field can hold, and the readings of it that the content service allows.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde_json::Value;

use crate::address::{Reference, Slug, SlugPath};

/// What a field holds where it holds anything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Text.
    Text,
    /// A list of texts.
    Texts,
    /// Yes or no.
    Flag,
    /// A whole number in a range.
    Whole {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
    },
    /// A number in a range.
    Decimal {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
    /// A date, with its time or without.
    Moment,
    /// A word out of a closed list.
    Word(&'static [&'static str]),
    /// A number out of a closed list.
    Code(&'static [i64]),
    /// A property's reference.
    Reference,
    /// One part of an address.
    Slug,
    /// Parts of an address with slashes between them.
    SlugPath,
    /// A path of the site, with its leading slash.
    Path,
    /// Any JSON.
    Json,
    /// Another item.
    Item,
}

impl Form {
    /// What it is, in words.
    pub fn words(self) -> String {
        match self {
            Self::Text => "a text".to_owned(),
            Self::Texts => "a list of texts".to_owned(),
            Self::Flag => "yes or no".to_owned(),
            Self::Whole { least, most } => format!("a whole number from {least} to {most}"),
            Self::Decimal { least, most } => format!("a number from {least} to {most}"),
            Self::Moment => "a date".to_owned(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::Code(codes) => {
                let codes: Vec<String> = codes.iter().map(ToString::to_string).collect();
                format!("one of {}", codes.join(", "))
            }
            Self::Reference => Reference::WORDS.to_owned(),
            Self::Slug => Slug::WORDS.to_owned(),
            Self::SlugPath => SlugPath::WORDS.to_owned(),
            Self::Path => "a path of the site that begins with `/`".to_owned(),
            Self::Json => "JSON".to_owned(),
            Self::Item => "an item".to_owned(),
        }
    }

    /// The regular expression that a text of this form matches, where it has one.
    pub const fn pattern(self) -> Option<&'static str> {
        match self {
            Self::Reference => Some(Reference::PATTERN),
            Self::Slug => Some(Slug::PATTERN),
            Self::SlugPath => Some(SlugPath::PATTERN),
            Self::Path => Some("^/"),
            _ => None,
        }
    }

    /// Whether `value`, which is not blank, is of this form.
    pub fn fits(self, value: &Value) -> bool {
        let text = value.as_str().map(str::trim);
        match self {
            Self::Text => text.is_some(),
            Self::Texts => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
            Self::Flag => value.is_boolean(),
            Self::Whole { least, most } => {
                to_whole(value).is_some_and(|number| (least..=most).contains(&number))
            }
            Self::Decimal { least, most } => {
                to_decimal(value).is_some_and(|number| (least..=most).contains(&number))
            }
            Self::Moment => text.is_some_and(|text| to_moment(text).is_some()),
            Self::Word(words) => text.is_some_and(|text| words.contains(&text)),
            Self::Code(codes) => to_whole(value).is_some_and(|code| codes.contains(&code)),
            Self::Reference => text.is_some_and(Reference::is),
            Self::Slug => text.is_some_and(Slug::is),
            Self::SlugPath => text.is_some_and(SlugPath::is),
            Self::Path => text.is_some_and(|text| text.starts_with('/')),
            Self::Json | Self::Item => true,
        }
    }
}

/// A whole number, also where it is written as text.
pub fn to_whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A finite number, also where it is written as text.
pub fn to_decimal(value: &Value) -> Option<f64> {
    let number: Option<f64> = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

/// A moment; a date alone is its first, and one without a zone is in UTC.
pub fn to_moment(text: &str) -> Option<DateTime<Utc>> {
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(moment.with_timezone(&Utc));
    }
    if let Ok(local) = text.parse::<NaiveDateTime>() {
        return Some(local.and_utc());
    }
    text.parse::<NaiveDate>().ok().map(|date| date.and_time(NaiveTime::MIN).and_utc())
}

/// Whether a text anywhere in `value` holds U+0000, which Postgres can't store.
pub fn holds_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(entries) => entries.iter().any(holds_nul),
        Value::Object(members) => {
            members.iter().any(|(name, value)| name.contains('\0') || holds_nul(value))
        }
        _ => false,
    }
}
