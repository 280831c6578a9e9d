//! An item as the service sent it, read field by field.
//!
//! Lenient where the service itself varies: decimals and keys come as text or as numbers, a date
//! with or without its time, and a missing field is an empty one. Strict where guessing would put
//! a wrong word on a page: what has another type is reported with its field.

use std::str::FromStr;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde_json::{Map, Value};

use crate::reading::Hidden;

/// How much of a wrong value is repeated.
const FOUND_LIMIT: usize = 80;

/// One JSON object of an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'a>(&'a Map<String, Value>);

impl<'a> Raw<'a> {
    pub(crate) fn new(object: &'a Map<String, Value>) -> Self {
        Self(object)
    }

    fn get(self, field: &str) -> Option<&'a Value> {
        self.0.get(field).filter(|value| !value.is_null())
    }

    /// The raw value; null where there is none.
    pub(crate) fn json(self, field: &str) -> Value {
        self.0.get(field).cloned().unwrap_or_default()
    }

    /// A key: text or a number.
    pub(crate) fn key(self, field: &str) -> Option<String> {
        match self.get(field)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Text; none where it is blank.
    pub(crate) fn text(self, field: &str) -> Result<Option<String>, Hidden> {
        match self.get(field) {
            None => Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim().to_owned())),
            Some(other) => Err(invalid(field, other)),
        }
    }

    /// Text, empty where there is none.
    pub(crate) fn text_or_empty(self, field: &str) -> Result<String, Hidden> {
        Ok(self.text(field)?.unwrap_or_default())
    }

    /// Text that the item can't do without.
    pub(crate) fn required_text(self, field: &str) -> Result<String, Hidden> {
        self.text(field)?.ok_or_else(|| invalid(field, &Value::Null))
    }

    /// A word of a closed set.
    pub(crate) fn word<T: FromStr>(self, field: &str) -> Result<Option<T>, Hidden> {
        let Some(value) = self.get(field) else { return Ok(None) };
        match value.as_str().map(str::trim) {
            Some("") => Ok(None),
            Some(word) => word.parse().map(Some).map_err(|_| invalid(field, value)),
            None => Err(invalid(field, value)),
        }
    }

    /// A word of a closed set that the item can't do without.
    pub(crate) fn required_word<T: FromStr>(self, field: &str) -> Result<T, Hidden> {
        self.word(field)?.ok_or_else(|| self.wrong(field))
    }

    /// A whole number, also where it is written as text.
    pub(crate) fn integer(self, field: &str) -> Result<Option<i64>, Hidden> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let number = match value {
            Value::Number(number) => number.as_i64(),
            Value::String(text) if text.trim().is_empty() => return Ok(None),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number.map(Some).ok_or_else(|| invalid(field, value))
    }

    /// A number, also where it is written as text.
    pub(crate) fn decimal(self, field: &str) -> Result<Option<f64>, Hidden> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let number = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) if text.trim().is_empty() => return Ok(None),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number
            .filter(|number: &f64| number.is_finite())
            .map(Some)
            .ok_or_else(|| invalid(field, value))
    }

    /// Yes or no; no where there is nothing.
    pub(crate) fn flag(self, field: &str) -> Result<bool, Hidden> {
        match self.get(field) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(invalid(field, other)),
        }
    }

    /// A moment; a date alone is its first, and one without a zone is in UTC.
    pub(crate) fn moment(self, field: &str) -> Result<Option<DateTime<Utc>>, Hidden> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let text = value.as_str().ok_or_else(|| invalid(field, value))?.trim();
        if text.is_empty() {
            return Ok(None);
        }
        parse_moment(text).map(Some).ok_or_else(|| invalid(field, value))
    }

    /// A list of texts, without blank ones.
    pub(crate) fn texts(self, field: &str) -> Result<Vec<String>, Hidden> {
        let Some(value) = self.get(field) else { return Ok(Vec::new()) };
        let list = value.as_array().ok_or_else(|| invalid(field, value))?;
        list.iter()
            .map(|entry| entry.as_str().map(str::trim).ok_or_else(|| invalid(field, entry)))
            .filter(|entry| !matches!(entry, Ok("")))
            .map(|entry| entry.map(str::to_owned))
            .collect()
    }

    /// The item that a relation to one names, if it was read with it.
    pub(crate) fn object(self, field: &str) -> Option<Self> {
        self.get(field).and_then(Value::as_object).map(Self)
    }

    /// The items of a relation to many, if they were read with it.
    pub(crate) fn objects(self, field: &str) -> impl Iterator<Item = Self> {
        self.get(field)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_object)
            .map(Self)
    }

    /// The report that `field` holds what it may not.
    pub(crate) fn wrong(self, field: &str) -> Hidden {
        invalid(field, self.0.get(field).unwrap_or(&Value::Null))
    }
}

fn invalid(field: &str, value: &Value) -> Hidden {
    let found = value.to_string().chars().take(FOUND_LIMIT).collect();
    Hidden::Invalid { field: field.to_owned(), found }
}

pub(crate) fn parse_moment(text: &str) -> Option<DateTime<Utc>> {
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(moment.with_timezone(&Utc));
    }
    if let Ok(local) = text.parse::<NaiveDateTime>() {
        return Some(local.and_utc());
    }
    text.parse::<NaiveDate>().ok().map(|date| date.and_time(NaiveTime::MIN).and_utc())
}
