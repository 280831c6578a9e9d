//! What a home remembers of its import: which feed it is from, and what that said last.
//!
//! It stands in the home's own field `imported`, so it is written in the transaction that writes what it
//! remembers, comes back with Directus's backup, and is there whichever machine imports next. Values are
//! kept as marks, by which they can be told apart and not be read.

use std::collections::BTreeMap;

use contracts::rules::{is_blank, to_decimal};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Letters of a mark.
const MARK: usize = 16;

/// What one home remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Which feed it is from.
    pub source: String,
    /// By which that feed knows it.
    pub key: String,
    /// A mark of what it said of each field.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// Its pictures, in its order.
    #[serde(default)]
    pub pictures: Vec<Remembered>,
    /// Its floor plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_plan: Option<Remembered>,
}

/// A picture that a feed named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// A mark of its address.
    pub url: String,
    /// The file that was made of it. None where the home had pictures before the feed came.
    pub file: Option<String>,
}

impl Memory {
    /// What stands in the field `imported`, if that can be read.
    pub fn read(value: &Value) -> Option<Self> {
        serde_json::from_value(value.clone()).ok()
    }

    /// It, as the field holds it.
    pub fn written(&self) -> Value {
        json!(self)
    }

    pub fn picture(&self, url_mark: &str) -> Option<&Remembered> {
        self.pictures.iter().find(|picture| picture.url == url_mark)
    }
}

/// By which a value is told from another. Equal values have equal marks, however they are written.
pub fn mark(value: &Value) -> String {
    let hash = blake3::hash(plain(value).to_string().as_bytes());
    hash.to_hex()[..MARK].to_owned()
}

/// A mark of an address.
pub fn mark_of_url(url: &str) -> String {
    mark(&Value::from(url))
}

/// Whether two values are the same, however they are written: Directus gives `36.750000` for 36.75.
pub fn same(one: &Value, other: &Value) -> bool {
    if one.is_number() || other.is_number() {
        let (one, other) = (to_decimal(one), to_decimal(other));
        return one.zip(other).is_some_and(|(one, other)| (one - other).abs() < 1e-6);
    }
    plain(one) == plain(other)
}

/// `value` in its one form: lists are sets here, and what is empty is null.
fn plain(value: &Value) -> Value {
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
    .take_blank()
}

trait TakeBlank {
    fn take_blank(self) -> Self;
}

impl TakeBlank for Value {
    fn take_blank(self) -> Self {
        if is_blank(&self) { Self::Null } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_otherwise_is_the_same() {
        for (one, other) in [
            (json!("36.750000"), json!(36.75)),
            (json!(["b", "a"]), json!(["a", "b"])),
            (json!([]), json!(null)),
            (json!(" "), json!(null)),
            (json!("Villa "), json!("Villa")),
        ] {
            assert!(same(&one, &other), "{one} {other}");
        }
        for (one, other) in [
            (json!(1), json!(null)),
            (json!("007"), json!("7")),
            (json!(false), json!(null)),
            (json!(["a"]), json!(["a", "b"])),
        ] {
            assert!(!same(&one, &other), "{one} {other}");
            assert_ne!(mark(&one), mark(&other));
        }
        assert_eq!(mark(&json!(250_000)), mark(&json!(250_000.0)));
    }

    #[test]
    fn what_somebody_else_wrote_there_is_no_memory() {
        assert_eq!(Memory::read(&json!(null)), None);
        assert_eq!(Memory::read(&json!({ "by": "hand" })), None);
        let memory = Memory { source: "a".to_owned(), key: "1".to_owned(), ..Memory::default() };
        assert_eq!(Memory::read(&memory.written()), Some(memory));
    }
}
