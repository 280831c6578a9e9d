//! Words that editors see, in both languages, under the keys by which Directus looks them up.

use std::collections::BTreeMap;

use contracts::Locale;
use serde::Deserialize;
use serde_json::{Value, json};

/// The languages of the Studio that get words of ours. Its own default is American, and it falls back
/// to that alone.
pub const LANGUAGES: [(&str, Locale); 3] =
    [("en-US", Locale::En), ("en-GB", Locale::En), ("es-ES", Locale::Es)];

/// The same in English and in Spanish.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Names(String, String);

impl Names {
    /// What is `english` and `spanish`.
    pub fn new(english: impl Into<String>, spanish: impl Into<String>) -> Self {
        Self(english.into(), spanish.into())
    }

    /// The words of `locale`.
    pub fn of(&self, locale: Locale) -> &str {
        match locale {
            Locale::En => &self.0,
            Locale::Es => &self.1,
        }
    }

    /// Both, for what Directus looks up in no language.
    pub fn both(&self) -> String {
        format!("{} · {}", self.0, self.1)
    }

    /// As collections and fields carry them.
    pub fn translations(&self) -> Value {
        let named = LANGUAGES.map(
            |(language, locale)| json!({ "language": language, "translation": self.of(locale) }),
        );
        json!(named)
    }
}

/// Words that are told by a key: everything but the names of collections and fields.
#[derive(Debug, Default)]
pub struct Texts(BTreeMap<String, Names>);

impl Texts {
    /// Keeps `names` under `key`, and gives what stands for them in Directus.
    pub fn key(&mut self, key: &str, names: Names) -> String {
        let key: String = key
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' })
            .collect();
        let key = format!("almijara_{}", key.trim_matches('_').to_lowercase());
        self.0.insert(key.clone(), names);
        format!("$t:{key}")
    }

    /// Every key with its words.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Names)> {
        self.0.iter().map(|(key, names)| (key.as_str(), names))
    }
}
