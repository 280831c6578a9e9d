//! Typed access to the fields of an item as the service sent it.
//!
//! It is lenient where the service itself varies: decimals and keys may be text or numbers, a date may lack
//! its time, and a missing field is empty. It is strict where a guess could put wrong content on a page: a
//! value of another type is reported with its field.

use std::str::FromStr;

use chrono::{DateTime, Utc};
use contracts::{
    Violation,
    rules::{OtherRule, is_blank, to_decimal, to_moment, to_whole},
};
use serde_json::{Map, Value};

/// One JSON object of a response.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'a>(&'a Map<String, Value>);

impl<'a> Raw<'a> {
    pub(crate) fn new(object: &'a Map<String, Value>) -> Self {
        Self(object)
    }

    fn get(self, field: &str) -> Option<&'a Value> {
        self.0.get(field).filter(|value| !value.is_null())
    }

    /// Returns the raw value; null if there is none.
    pub(crate) fn json(self, field: &str) -> Value {
        self.0.get(field).cloned().unwrap_or_default()
    }

    /// Returns a key, which may be text or a number.
    pub(crate) fn key(self, field: &str) -> Option<String> {
        match self.get(field)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Returns text; `None` if it is blank.
    pub(crate) fn text(self, field: &str) -> Result<Option<String>, Violation> {
        match self.get(field) {
            None => Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim().to_owned())),
            Some(_) => Err(self.breaks(field, OtherRule::Text)),
        }
    }

    /// Returns text; empty if there is none.
    pub(crate) fn text_or_empty(self, field: &str) -> Result<String, Violation> {
        Ok(self.text(field)?.unwrap_or_default())
    }

    /// Returns required text.
    pub(crate) fn required_text(self, field: &str) -> Result<String, Violation> {
        self.text(field)?.ok_or_else(|| self.breaks(field, OtherRule::Filled))
    }

    /// Returns a word of a closed set.
    pub(crate) fn word<T: FromStr>(self, field: &str) -> Result<Option<T>, Violation> {
        let Some(value) = self.filled(field) else { return Ok(None) };
        let word = value.as_str().and_then(|word| word.trim().parse().ok());
        word.map(Some).ok_or_else(|| self.breaks(field, OtherRule::Word))
    }

    /// Returns a required word of a closed set.
    pub(crate) fn required_word<T: FromStr>(self, field: &str) -> Result<T, Violation> {
        self.word(field)?.ok_or_else(|| self.breaks(field, OtherRule::Filled))
    }

    /// Returns an integer, which may be written as text.
    pub(crate) fn integer(self, field: &str) -> Result<Option<i64>, Violation> {
        let Some(value) = self.filled(field) else { return Ok(None) };
        to_whole(value).map(Some).ok_or_else(|| self.breaks(field, OtherRule::Whole))
    }

    /// Returns a number, which may be written as text.
    pub(crate) fn decimal(self, field: &str) -> Result<Option<f64>, Violation> {
        let Some(value) = self.filled(field) else { return Ok(None) };
        to_decimal(value).map(Some).ok_or_else(|| self.breaks(field, OtherRule::Number))
    }

    /// Returns a flag; false if there is none.
    pub(crate) fn flag(self, field: &str) -> Result<bool, Violation> {
        match self.get(field) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.breaks(field, OtherRule::Flag)),
        }
    }

    /// Returns a time. A date without a time means its start, and a time without a zone is in UTC.
    pub(crate) fn moment(self, field: &str) -> Result<Option<DateTime<Utc>>, Violation> {
        let Some(value) = self.filled(field) else { return Ok(None) };
        let moment = value.as_str().and_then(|text| to_moment(text.trim()));
        moment.map(Some).ok_or_else(|| self.breaks(field, OtherRule::Date))
    }

    /// Returns a list of texts without blank ones.
    pub(crate) fn texts(self, field: &str) -> Result<Vec<String>, Violation> {
        let Some(value) = self.get(field) else { return Ok(Vec::new()) };
        let wrong = || self.breaks(field, OtherRule::Texts);
        let list = value.as_array().ok_or_else(wrong)?;
        list.iter()
            .map(|entry| entry.as_str().map(str::trim).ok_or_else(wrong))
            .filter(|entry| !matches!(entry, Ok("")))
            .map(|entry| entry.map(str::to_owned))
            .collect()
    }

    /// Returns the item of a to-one relation, if it was read too.
    pub(crate) fn object(self, field: &str) -> Option<Self> {
        self.get(field).and_then(Value::as_object).map(Self)
    }

    /// Returns the items of a to-many relation, if they were read too.
    pub(crate) fn objects(self, field: &str) -> impl Iterator<Item = Self> {
        self.get(field)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_object)
            .map(Self)
    }

    /// Applies `read` to each entry of the list in `field`. A violation is reported with the entry's number,
    /// counted from one: `rooms[3].kind`.
    pub(crate) fn entries<T>(
        self,
        field: &str,
        read: impl Fn(Self) -> Result<T, Violation>,
    ) -> Result<Vec<T>, Violation> {
        (1_usize..)
            .zip(self.objects(field))
            .map(|(number, entry)| {
                read(entry).map_err(|broken| broken.within(&format!("{field}[{number}]")))
            })
            .collect()
    }

    /// Returns the violation of `rule` by `field`.
    pub(crate) fn breaks(self, field: &str, rule: OtherRule) -> Violation {
        rule.broken(field, self.value(field))
    }

    /// Returns the value of `field`; null if there is none.
    pub(crate) fn value(self, field: &str) -> &'a Value {
        self.0.get(field).unwrap_or(&Value::Null)
    }

    /// Returns the value, unless it is blank.
    fn filled(self, field: &str) -> Option<&'a Value> {
        self.get(field).filter(|value| !is_blank(value))
    }
}
