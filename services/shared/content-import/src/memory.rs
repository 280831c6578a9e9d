//! What a home remembers of its import: which feed it is from, and the feed's last values.
//!
//! It is stored in the home's own field `imported`. So it is written in the same transaction as the values
//! themselves, is part of Directus's backup, and is available to whichever machine imports next. Values are
//! stored as fingerprints, which can be compared but not read.

use std::collections::BTreeMap;

use contracts::rules::{is_blank, to_decimal};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The length of a fingerprint, in hexadecimal digits.
const FINGERPRINT_LENGTH: usize = 16;

/// What one home remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Which feed it is from.
    pub source: String,
    /// Its key in that feed.
    pub key: String,
    /// A fingerprint of the feed's last value of each field.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// The feed's pictures, in the feed's order.
    #[serde(default)]
    pub pictures: Vec<RememberedPicture>,
    /// The feed's floor plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_plan: Option<RememberedPicture>,
}

/// A picture that a feed named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RememberedPicture {
    /// A fingerprint of its address.
    pub url: String,
    /// Its file. `None` if it was not fetched because the home had an editor's pictures before.
    pub file: Option<String>,
}

impl Memory {
    /// Parses the value of the field `imported`. Returns `None` if it is not a memory.
    pub fn from_value(value: &Value) -> Option<Self> {
        serde_json::from_value(value.clone()).ok()
    }

    /// Returns the value of the field `imported`.
    pub fn to_value(&self) -> Value {
        json!(self)
    }

    pub fn picture(&self, url_fingerprint: &str) -> Option<&RememberedPicture> {
        self.pictures.iter().find(|picture| picture.url == url_fingerprint)
    }
}

/// Returns the fingerprint of a value. Equal values have equal fingerprints, however they are written.
pub fn fingerprint(value: &Value) -> String {
    let hash = blake3::hash(normalized(value).to_string().as_bytes());
    hash.to_hex()[..FINGERPRINT_LENGTH].to_owned()
}

/// Returns the fingerprint of an address.
pub fn url_fingerprint(url: &str) -> String {
    fingerprint(&Value::from(url))
}

/// Returns whether two values are equal, however they are written: Directus returns `36.750000` for 36.75.
pub fn are_equal(one: &Value, other: &Value) -> bool {
    if one.is_number() || other.is_number() {
        let (one, other) = (to_decimal(one), to_decimal(other));
        return one.zip(other).is_some_and(|(one, other)| (one - other).abs() < 1e-6);
    }
    normalized(one) == normalized(other)
}

/// Returns `value` in its normal form: lists are treated as sets, and blank values become null.
fn normalized(value: &Value) -> Value {
    match value {
        Value::Array(entries) if entries.is_empty() => Value::Null,
        Value::Array(entries) => {
            let mut texts: Vec<String> = entries.iter().map(ToString::to_string).collect();
            texts.sort();
            texts.dedup();
            json!(texts)
        }
        Value::Number(number) => json!(number.as_f64()),
        Value::String(text) => json!(text.trim()),
        other => other.clone(),
    }
    .blank_to_null()
}

trait BlankToNull {
    fn blank_to_null(self) -> Self;
}

impl BlankToNull for Value {
    fn blank_to_null(self) -> Self {
        if is_blank(&self) { Self::Null } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_may_be_written_differently() {
        for (one, other) in [
            (json!("36.750000"), json!(36.75)),
            (json!(["b", "a"]), json!(["a", "b"])),
            (json!([]), json!(null)),
            (json!(" "), json!(null)),
            (json!("Villa "), json!("Villa")),
        ] {
            assert!(are_equal(&one, &other), "{one} {other}");
        }
        for (one, other) in [
            (json!(1), json!(null)),
            (json!("007"), json!("7")),
            (json!(false), json!(null)),
            (json!(["a"]), json!(["a", "b"])),
        ] {
            assert!(!are_equal(&one, &other), "{one} {other}");
            assert_ne!(fingerprint(&one), fingerprint(&other));
        }
        assert_eq!(fingerprint(&json!(250_000)), fingerprint(&json!(250_000.0)));
    }

    #[test]
    fn only_a_value_written_by_an_import_is_a_memory() {
        assert_eq!(Memory::from_value(&json!(null)), None);
        assert_eq!(Memory::from_value(&json!({ "by": "hand" })), None);
        let memory = Memory { source: "a".to_owned(), key: "1".to_owned(), ..Memory::default() };
        assert_eq!(Memory::from_value(&memory.to_value()), Some(memory));
    }
}
