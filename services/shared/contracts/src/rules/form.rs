//! The forms of field values, and the parsing of values as the content service represents them.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde_json::Value;

use crate::{
    Locale,
    address::{Reference, Slug, SlugPath},
    content::Embed,
};

/// A path of the site. Its first slash must not be followed by another slash, by a backslash, which browsers
/// treat as a slash, or by control characters, which browsers ignore: that would be the URL of another site.
const PATH_PATTERN: &str = r"^/([^/\\\x00-\x1f\x7f][^\x00-\x1f\x7f]*)?$";
/// A path of the site without a query or a fragment.
const BARE_PATH_PATTERN: &str = r"^/([^/\\?#\x00-\x1f\x7f][^?#\x00-\x1f\x7f]*)?$";
/// A path of the site, or the URL of another site, a mailbox or a telephone. Anything else in a link would be
/// relative to the page that the link is on.
const LINK_PATTERN: &str = concat!(
    r"^(/([^/\\\x00-\x1f\x7f][^\x00-\x1f\x7f]*)?",
    r"|https?://[^/\\?#\x00-\x20\x7f][^\x00-\x20\x7f]*",
    r"|(mailto|tel):[^\x00-\x20\x7f][^\x00-\x1f\x7f]*)$",
);

/// The form of a field's value, if it is not empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RuleForm {
    /// Text.
    Text,
    /// A list of texts.
    Texts,
    /// Yes or no.
    Flag,
    /// A whole number in a range.
    Whole {
        /// The minimum.
        least: i64,
        /// The maximum.
        most: i64,
    },
    /// A number in a range.
    Decimal {
        /// The minimum.
        least: f64,
        /// The maximum.
        most: f64,
    },
    /// A date, with its time or without.
    Moment,
    /// A word of a closed list.
    Word(&'static [&'static str]),
    /// A number of a closed list.
    Code(&'static [i64]),
    /// A property's reference.
    Reference,
    /// A path segment.
    Slug,
    /// Path segments separated by slashes.
    SlugPath,
    /// A path of the site, with its leading slash.
    Path,
    /// A path of the site, without a query or a fragment.
    BarePath,
    /// A path of the site, or the URL of another site, of a mailbox or of a telephone.
    Link,
    /// The URL of a video that pages can show.
    Video,
    /// The URL of a virtual tour that pages can show.
    Tour,
    /// Any JSON.
    Json,
    /// Another item.
    Item,
}

impl RuleForm {
    /// Returns a description of the form in the language of `locale`.
    pub fn words(self, locale: Locale) -> String {
        let in_locale = |english: &str, spanish: &str| match locale {
            Locale::En => english.to_owned(),
            Locale::Es => spanish.to_owned(),
        };
        match self {
            Self::Text => in_locale("a text", "un texto"),
            Self::Texts => in_locale("a list of texts", "una lista de textos"),
            Self::Flag => in_locale("yes or no", "sí o no"),
            Self::Whole { least, most } => in_locale(
                &format!("a whole number from {least} to {most}"),
                &format!("un número entero de {least} a {most}"),
            ),
            Self::Decimal { least, most } => in_locale(
                &format!("a number from {least} to {most}"),
                &format!("un número de {least} a {most}"),
            ),
            Self::Moment => in_locale("a date", "una fecha"),
            Self::Word(words) => one_of(locale, words.iter()),
            Self::Code(codes) => one_of(locale, codes.iter()),
            Self::Reference => in_locale(Reference::DESCRIPTION, Reference::DESCRIPTION_ES),
            Self::Slug => in_locale(Slug::DESCRIPTION, Slug::DESCRIPTION_ES),
            Self::SlugPath => in_locale(SlugPath::DESCRIPTION, SlugPath::DESCRIPTION_ES),
            Self::Path => in_locale(
                "a path of the site that begins with one `/`",
                "una ruta de la web que empiece por una sola `/`",
            ),
            Self::BarePath => in_locale(
                "a path of the site that begins with one `/`, without `?` or `#`",
                "una ruta de la web que empiece por una sola `/`, sin `?` ni `#`",
            ),
            Self::Link => in_locale(
                "a path of the site that begins with one `/`, or an address that begins with `https://`, \
                 `http://`, `mailto:` or `tel:`",
                "una ruta de la web que empiece por una sola `/`, o una dirección que empiece por \
                 `https://`, `http://`, `mailto:` o `tel:`",
            ),
            Self::Video => in_locale(
                "the address of a video on YouTube or Vimeo",
                "la dirección de un vídeo de YouTube o Vimeo",
            ),
            Self::Tour => in_locale(
                "the address of a virtual tour on Matterport",
                "la dirección de una visita virtual de Matterport",
            ),
            Self::Json => in_locale("JSON", "JSON"),
            Self::Item => in_locale("an item", "un elemento"),
        }
    }

    /// Returns the regular expression that a text of this form matches, if there is one.
    pub const fn pattern(self) -> Option<&'static str> {
        match self {
            Self::Reference => Some(Reference::PATTERN),
            Self::Slug => Some(Slug::PATTERN),
            Self::SlugPath => Some(SlugPath::PATTERN),
            Self::Path => Some(PATH_PATTERN),
            Self::BarePath => Some(BARE_PATH_PATTERN),
            Self::Link => Some(LINK_PATTERN),
            Self::Video => Some(Embed::VIDEO_PATTERN),
            Self::Tour => Some(Embed::TOUR_PATTERN),
            _ => None,
        }
    }

    /// Returns whether `value`, which must not be blank, has this form.
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
            Self::Reference => text.is_some_and(Reference::is_valid),
            Self::Slug => text.is_some_and(Slug::is_valid),
            Self::SlugPath => text.is_some_and(SlugPath::is_valid),
            Self::Path => text.is_some_and(is_path),
            Self::BarePath => text.is_some_and(is_bare_path),
            Self::Link => text.is_some_and(|text| is_path(text) || is_external_link(text)),
            Self::Video => text.is_some_and(|text| Embed::video(text).is_some()),
            Self::Tour => text.is_some_and(|text| Embed::tour(text).is_some()),
            Self::Json | Self::Item => true,
        }
    }
}

/// Returns whether `text` matches [`PATH_PATTERN`].
fn is_path(text: &str) -> bool {
    text.strip_prefix('/').is_some_and(|rest| {
        !rest.starts_with(['/', '\\']) && !rest.contains(|letter: char| letter.is_ascii_control())
    })
}

/// Returns whether `text` matches [`BARE_PATH_PATTERN`].
fn is_bare_path(text: &str) -> bool {
    is_path(text) && !text.contains(['?', '#'])
}

/// Returns whether `text` matches [`LINK_PATTERN`] without being a path.
fn is_external_link(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_valid = match scheme {
        "http" | "https" => {
            let host = rest.strip_prefix("//").filter(|host| !host.contains(' '));
            host.is_some_and(|host| !host.is_empty() && !host.starts_with(['/', '\\', '?', '#']))
        }
        "mailto" | "tel" => !rest.is_empty() && !rest.starts_with(' '),
        _ => false,
    };
    is_valid && !rest.contains(|letter: char| letter.is_ascii_control())
}

fn one_of<T: ToString>(locale: Locale, choices: impl Iterator<Item = T>) -> String {
    let choices: Vec<String> = choices.map(|choice| choice.to_string()).collect();
    let choices = choices.join(", ");
    match locale {
        Locale::En => format!("one of {choices}"),
        Locale::Es => format!("uno de estos: {choices}"),
    }
}

/// Parses a whole number, which may be given as text.
pub fn to_whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// Parses a finite number, which may be given as text.
pub fn to_decimal(value: &Value) -> Option<f64> {
    let number: Option<f64> = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

/// Parses a date with or without a time. A date alone is its midnight; without a zone it is in UTC.
pub fn to_moment(text: &str) -> Option<DateTime<Utc>> {
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(moment.with_timezone(&Utc));
    }
    if let Ok(local) = text.parse::<NaiveDateTime>() {
        return Some(local.and_utc());
    }
    text.parse::<NaiveDate>().ok().map(|date| date.and_time(NaiveTime::MIN).and_utc())
}

/// Returns whether a text anywhere in `value` contains U+0000, which Postgres can't store.
pub fn contains_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(entries) => entries.iter().any(contains_nul),
        Value::Object(members) => {
            members.iter().any(|(name, value)| name.contains('\0') || contains_nul(value))
        }
        _ => false,
    }
}
