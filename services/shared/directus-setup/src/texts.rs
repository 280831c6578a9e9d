//! Texts for editors in both languages, with the keys by which Directus looks them up.

use std::collections::BTreeMap;

use contracts::Locale;
use serde::Deserialize;
use serde_json::{Value, json};

/// The languages of the Studio that get texts. American English is included because it is the Studio's default
/// and its only fallback.
pub const LANGUAGES: [(&str, Locale); 3] =
    [("en-US", Locale::En), ("en-GB", Locale::En), ("es-ES", Locale::Es)];

/// A text in English and in Spanish.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Names(String, String);

impl Names {
    /// Creates a text from `english` and `spanish`.
    pub fn new(english: impl Into<String>, spanish: impl Into<String>) -> Self {
        Self(english.into(), spanish.into())
    }

    /// Returns the text in `locale`.
    pub fn of(&self, locale: Locale) -> &str {
        match locale {
            Locale::En => &self.0,
            Locale::Es => &self.1,
        }
    }

    /// Returns both texts, for places where Directus has no translations.
    pub fn both(&self) -> String {
        format!("{} · {}", self.0, self.1)
    }

    /// Returns the texts in the format of collections and fields.
    pub fn translations(&self) -> Value {
        let named = LANGUAGES.map(
            |(language, locale)| json!({ "language": language, "translation": self.of(locale) }),
        );
        json!(named)
    }
}

/// Texts with a key: all except the names of collections and fields.
#[derive(Debug, Default)]
pub struct Texts(BTreeMap<String, Names>);

impl Texts {
    /// Adds `names` with `key`, and returns the reference to them in Directus.
    pub fn key(&mut self, key: &str, names: Names) -> String {
        let key: String = key
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' })
            .collect();
        let key = format!("almijara_{}", key.trim_matches('_').to_lowercase());
        self.0.insert(key.clone(), names);
        format!("$t:{key}")
    }

    /// Returns every key with its texts.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Names)> {
        self.0.iter().map(|(key, names)| (key.as_str(), names))
    }
}
