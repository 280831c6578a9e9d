//! The two languages of the site.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A language of the site.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Locale {
    /// English, at the root of the site.
    #[default]
    En,
    /// Spanish, under `/es`.
    Es,
}

impl Locale {
    /// Every locale, in the order in which the site offers them.
    pub const ALL: [Self; 2] = [Self::En, Self::Es];

    /// Returns its index in [`Self::ALL`].
    pub const fn index(self) -> usize {
        match self {
            Self::En => 0,
            Self::Es => 1,
        }
    }

    /// Returns the short code: `en` or `es`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Es => "es",
        }
    }

    /// Returns the language tag that the content service and HTML use: `en-GB` or `es-ES`.
    pub const fn language_tag(self) -> &'static str {
        match self {
            Self::En => "en-GB",
            Self::Es => "es-ES",
        }
    }

    /// Returns the locale for a `languages_code` of the content service, if the site has that language.
    pub fn from_language_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|locale| locale.language_tag() == tag)
    }

    /// Formats `number` in groups of three digits: `1,385,000` or `1.385.000`.
    pub fn number(self, number: i64) -> String {
        let separator = match self {
            Self::En => ',',
            Self::Es => '.',
        };
        let digits = number.unsigned_abs().to_string();
        let mut text = sign(number).to_owned();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(separator);
            }
            text.push(digit);
        }
        text
    }

    /// Formats an amount of whole euros: `€385,000`, or `385.000 €` with a non-breaking space.
    pub fn euros(self, euros: i64) -> String {
        match self {
            Self::En => format!("{}€{}", sign(euros), self.number(euros.saturating_abs())),
            Self::Es => format!("{}\u{a0}€", self.number(euros)),
        }
    }

    /// Returns the prefix of paths of this locale: empty or `/es`.
    pub const fn path_prefix(self) -> &'static str {
        match self {
            Self::En => "",
            Self::Es => "/es",
        }
    }

    /// Returns the path in this locale of the page whose English path is `path`, which may have a query.
    pub fn path_of(self, path: &str) -> String {
        match (self, path.strip_prefix('/')) {
            (Self::En, _) => path.to_owned(),
            // The home page has no slash after the prefix.
            (Self::Es, Some(rest)) if rest.is_empty() || rest.starts_with('?') => {
                format!("{}{rest}", self.path_prefix())
            }
            (Self::Es, _) => format!("{}{path}", self.path_prefix()),
        }
    }
}

const fn sign(number: i64) -> &'static str {
    if number < 0 { "-" } else { "" }
}

impl fmt::Display for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// The error for a locale that the site does not have.
#[derive(Debug, thiserror::Error)]
#[error("unknown locale `{0}`; known are `en` and `es`")]
pub struct UnknownLocale(String);

impl FromStr for Locale {
    type Err = UnknownLocale;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|locale| locale.code() == code)
            .ok_or_else(|| UnknownLocale(code.to_owned()))
    }
}

/// A value in each language that editors have written it in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Localized<T> {
    /// The English one.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub en: Option<T>,
    /// The Spanish one.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub es: Option<T>,
}

impl<T> Default for Localized<T> {
    fn default() -> Self {
        Self { en: None, es: None }
    }
}

impl<T> Localized<T> {
    /// Returns the value in `locale`, if there is one.
    pub const fn get(&self, locale: Locale) -> Option<&T> {
        match locale {
            Locale::En => self.en.as_ref(),
            Locale::Es => self.es.as_ref(),
        }
    }

    /// Returns the value in `locale`, or else in the other language, with the language that it is in.
    pub fn get_or_fallback(&self, locale: Locale) -> Option<(Locale, &T)> {
        let other = match locale {
            Locale::En => Locale::Es,
            Locale::Es => Locale::En,
        };
        [locale, other]
            .into_iter()
            .find_map(|candidate| self.get(candidate).map(|value| (candidate, value)))
    }

    /// Sets the value of `locale`.
    pub fn set(&mut self, locale: Locale, value: T) {
        match locale {
            Locale::En => self.en = Some(value),
            Locale::Es => self.es = Some(value),
        }
    }

    /// Returns whether no language has a value.
    pub const fn is_empty(&self) -> bool {
        self.en.is_none() && self.es.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_translation_falls_back_to_the_other_language() {
        let only_english = Localized { en: Some("Villa"), es: None };
        assert_eq!(only_english.get(Locale::Es), None);
        assert_eq!(only_english.get_or_fallback(Locale::Es), Some((Locale::En, &"Villa")));
    }

    #[test]
    fn amounts_are_formatted_for_the_locale() {
        let numbers = [0, 950, 1_000, 385_000, 1_385_000, -12_345];
        let english = ["€0", "€950", "€1,000", "€385,000", "€1,385,000", "-€12,345"];
        assert_eq!(numbers.map(|number| Locale::En.euros(number)), english);
        assert_eq!(Locale::Es.euros(1_385_000), "1.385.000\u{a0}€");
        assert_eq!(Locale::Es.number(1_000), "1.000");
    }

    #[test]
    fn a_path_of_another_locale_has_its_prefix() {
        for (path, spanish) in [
            ("/", "/es"),
            ("/?view=map", "/es?view=map"),
            ("/property-for-sale", "/es/property-for-sale"),
            ("/property-for-sale?kind=villa", "/es/property-for-sale?kind=villa"),
            (&crate::property_path("nerja", "AH-1042"), "/es/property-for-sale/nerja/AH-1042"),
        ] {
            assert_eq!(Locale::En.path_of(path), path);
            assert_eq!(Locale::Es.path_of(path), spanish);
        }
    }

    #[test]
    fn an_index_is_the_position_in_all() {
        assert_eq!(Locale::ALL.map(|locale| Locale::ALL[locale.index()]), Locale::ALL);
    }

    #[test]
    fn language_tags_round_trip() {
        for locale in Locale::ALL {
            assert_eq!(Locale::from_language_tag(locale.language_tag()), Some(locale));
            assert_eq!(locale.code().parse::<Locale>().ok(), Some(locale));
        }
        assert_eq!(Locale::from_language_tag("fr-FR"), None);
    }
}
