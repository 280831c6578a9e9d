//! What a field can hold, and the readings of it that the content service allows.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde_json::Value;

use crate::{
    Locale,
    address::{Reference, Slug, SlugPath},
    content::Embed,
};

/// A path of the site: after the first slash comes neither another nor what browsers take for one, nor
/// what they pass over, or it would be the address of another site.
const PATH_PATTERN: &str = r"^/([^/\\\x00-\x1f\x7f][^\x00-\x1f\x7f]*)?$";
/// The same of a path that is asked for: what follows it in an address is no part of it.
const BARE_PATH_PATTERN: &str = r"^/([^/\\?#\x00-\x1f\x7f][^?#\x00-\x1f\x7f]*)?$";
/// A path of the site, or what leads to another site, a mailbox or a telephone. Whatever else stands in a
/// link leads to a page beside the one that it is on.
const LINK_PATTERN: &str = concat!(
    r"^(/([^/\\\x00-\x1f\x7f][^\x00-\x1f\x7f]*)?",
    r"|https?://[^/\\?#\x00-\x20\x7f][^\x00-\x20\x7f]*",
    r"|(mailto|tel):[^\x00-\x20\x7f][^\x00-\x1f\x7f]*)$",
);

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
    /// A path of the site, without a query or a fragment.
    BarePath,
    /// A path of the site, or an address of another site, of a mailbox or of a telephone.
    Link,
    /// The address of a video that pages can show.
    Video,
    /// The address of a virtual tour that pages can show.
    Tour,
    /// Any JSON.
    Json,
    /// Another item.
    Item,
}

impl Form {
    /// What it is, in words of `locale`.
    pub fn words(self, locale: Locale) -> String {
        let said = |english: &str, spanish: &str| match locale {
            Locale::En => english.to_owned(),
            Locale::Es => spanish.to_owned(),
        };
        match self {
            Self::Text => said("a text", "un texto"),
            Self::Texts => said("a list of texts", "una lista de textos"),
            Self::Flag => said("yes or no", "sí o no"),
            Self::Whole { least, most } => said(
                &format!("a whole number from {least} to {most}"),
                &format!("un número entero de {least} a {most}"),
            ),
            Self::Decimal { least, most } => said(
                &format!("a number from {least} to {most}"),
                &format!("un número de {least} a {most}"),
            ),
            Self::Moment => said("a date", "una fecha"),
            Self::Word(words) => one_of(locale, words.iter()),
            Self::Code(codes) => one_of(locale, codes.iter()),
            Self::Reference => said(Reference::WORDS, Reference::WORDS_ES),
            Self::Slug => said(Slug::WORDS, Slug::WORDS_ES),
            Self::SlugPath => said(SlugPath::WORDS, SlugPath::WORDS_ES),
            Self::Path => said(
                "a path of the site that begins with one `/`",
                "una ruta de la web que empiece por una sola `/`",
            ),
            Self::BarePath => said(
                "a path of the site that begins with one `/`, without `?` or `#`",
                "una ruta de la web que empiece por una sola `/`, sin `?` ni `#`",
            ),
            Self::Link => said(
                "a path of the site that begins with one `/`, or an address that begins with `https://`, \
                 `http://`, `mailto:` or `tel:`",
                "una ruta de la web que empiece por una sola `/`, o una dirección que empiece por \
                 `https://`, `http://`, `mailto:` o `tel:`",
            ),
            Self::Video => said(
                "the address of a video on YouTube or Vimeo",
                "la dirección de un vídeo de YouTube o Vimeo",
            ),
            Self::Tour => said(
                "the address of a virtual tour on Matterport",
                "la dirección de una visita virtual de Matterport",
            ),
            Self::Json => said("JSON", "JSON"),
            Self::Item => said("an item", "un elemento"),
        }
    }

    /// The regular expression that a text of this form matches, where it has one.
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
            Self::Path => text.is_some_and(is_path),
            Self::BarePath => text.is_some_and(is_bare_path),
            Self::Link => text.is_some_and(|text| is_path(text) || leads_elsewhere(text)),
            Self::Video => text.is_some_and(|text| Embed::video(text).is_some()),
            Self::Tour => text.is_some_and(|text| Embed::tour(text).is_some()),
            Self::Json | Self::Item => true,
        }
    }
}

/// Whether `text` is what [`PATH_PATTERN`] says.
fn is_path(text: &str) -> bool {
    text.strip_prefix('/').is_some_and(|rest| {
        !rest.starts_with(['/', '\\']) && !rest.contains(|letter: char| letter.is_ascii_control())
    })
}

/// Whether `text` is what [`BARE_PATH_PATTERN`] says.
fn is_bare_path(text: &str) -> bool {
    is_path(text) && !text.contains(['?', '#'])
}

/// Whether `text` is what [`LINK_PATTERN`] says beside a path.
fn leads_elsewhere(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let leads = match scheme {
        "http" | "https" => {
            let host = rest.strip_prefix("//").filter(|host| !host.contains(' '));
            host.is_some_and(|host| !host.is_empty() && !host.starts_with(['/', '\\', '?', '#']))
        }
        "mailto" | "tel" => !rest.is_empty() && !rest.starts_with(' '),
        _ => false,
    };
    leads && !rest.contains(|letter: char| letter.is_ascii_control())
}

fn one_of<T: ToString>(locale: Locale, choices: impl Iterator<Item = T>) -> String {
    let choices: Vec<String> = choices.map(|choice| choice.to_string()).collect();
    let choices = choices.join(", ");
    match locale {
        Locale::En => format!("one of {choices}"),
        Locale::Es => format!("uno de estos: {choices}"),
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
