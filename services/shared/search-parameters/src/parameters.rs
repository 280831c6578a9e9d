//! Query parameters. Every name has to be known, every value is checked, and all errors are reported
//! together.

use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

use contracts::Locale;
use runtime::problem::FieldError;

/// The maximum number of values of one name.
const MAX_VALUES: usize = 50;
/// The maximum number of parameters.
const MAX_PARAMETERS: usize = 200;

/// The invalid parameters, each with what it accepts.
#[derive(Debug, thiserror::Error)]
#[error("parameters can't be read")]
pub struct InvalidParameters(pub Vec<FieldError>);

/// The parameters of a request, which are taken one by one. [`Parameters::finish`] reports the errors.
#[derive(Debug)]
pub struct Parameters {
    pairs: Vec<(String, String)>,
    errors: Vec<FieldError>,
}

impl Parameters {
    /// Parses the query part of a URL.
    pub fn parse(query: Option<&str>) -> Self {
        let mut pairs: Vec<(String, String)> =
            url::form_urlencoded::parse(query.unwrap_or_default().as_bytes())
                .take(MAX_PARAMETERS + 1)
                .map(|(name, value)| (name.into_owned(), value.into_owned()))
                .collect();
        let mut errors = Vec::new();
        if pairs.len() > MAX_PARAMETERS {
            pairs.clear();
            errors.push(FieldError::new("query", format!("at most {MAX_PARAMETERS} parameters")));
        }
        Self { pairs, errors }
    }

    /// Takes the values of `name`, unparsed.
    fn take(&mut self, name: &str) -> Vec<String> {
        let (taken, rest) =
            std::mem::take(&mut self.pairs).into_iter().partition(|(given, _)| given == name);
        self.pairs = rest;
        taken.into_iter().map(|(_, value): (_, String)| value).collect()
    }

    /// Takes the values of `name`, without duplicates. `expected` describes a valid value in an error.
    pub fn all<T: FromStr + PartialEq>(&mut self, name: &str, expected: &str) -> Vec<T> {
        let values = self.take(name);
        if values.len() > MAX_VALUES {
            self.errors.push(FieldError::new(name, format!("at most {MAX_VALUES} values")));
            return Vec::new();
        }
        let mut parsed: Vec<T> = Vec::new();
        for value in values {
            match value.parse() {
                Ok(value) if parsed.contains(&value) => {}
                Ok(value) => parsed.push(value),
                Err(_) => self.errors.push(FieldError::new(name, expected)),
            }
        }
        parsed
    }

    /// Takes the only value of `name`. `expected` describes a valid value in an error.
    pub fn one<T: FromStr>(&mut self, name: &str, expected: &str) -> Option<T> {
        let mut values = self.take(name);
        if values.len() > 1 {
            self.errors.push(FieldError::new(name, "one value"));
            return None;
        }
        let parsed = values.pop()?.parse();
        if parsed.is_err() {
            self.errors.push(FieldError::new(name, expected));
        }
        parsed.ok()
    }

    /// Takes the only value of `name`, a number within `range`.
    pub fn number<T: FromStr + PartialOrd + Display>(
        &mut self,
        name: &str,
        range: &RangeInclusive<T>,
    ) -> Option<T> {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let number = self.one(name, &expected)?;
        if range.contains(&number) {
            return Some(number);
        }
        self.errors.push(FieldError::new(name, expected));
        None
    }

    /// Takes the only value of `name`, a text of at most `max_length` characters that may be empty.
    pub fn text(&mut self, name: &str, max_length: usize) -> Option<String> {
        let text: String = self.one(name, "a text")?;
        if text.chars().count() <= max_length {
            return Some(text);
        }
        self.errors.push(FieldError::new(name, format!("at most {max_length} characters")));
        None
    }

    /// Like [`Self::text`], but it is an error if the parameter is missing. Returns an empty text after an
    /// error.
    pub fn required_text(&mut self, name: &str, max_length: usize) -> String {
        if !self.pairs.iter().any(|(given, _)| given == name) {
            self.refuse(name, "this call needs it");
        }
        self.text(name, max_length).unwrap_or_default()
    }

    /// Takes `locale`; English by default.
    pub fn locale(&mut self) -> Locale {
        self.one("locale", "`en` or `es`").unwrap_or_default()
    }

    /// Takes `locale`, and returns an error if there is any other parameter.
    pub fn only_locale(mut self) -> Result<Locale, InvalidParameters> {
        let locale = self.locale();
        self.finish()?;
        Ok(locale)
    }

    /// Records an error for `name`, unless it already has one.
    pub fn refuse(&mut self, name: &str, expected: impl Into<String>) {
        if self.errors.iter().all(|error| error.field != name) {
            self.errors.push(FieldError::new(name, expected));
        }
    }

    /// Returns all errors, if there are any. A parameter that was not taken is one: its name is unknown.
    pub fn finish(mut self) -> Result<(), InvalidParameters> {
        for (name, _) in &self.pairs {
            self.errors.push(FieldError::new(name, "no such parameter here"));
        }
        if self.errors.is_empty() { Ok(()) } else { Err(InvalidParameters(self.errors)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(mut parameters: Parameters, read: impl FnOnce(&mut Parameters)) -> Vec<String> {
        read(&mut parameters);
        match parameters.finish() {
            Err(InvalidParameters(errors)) => errors.into_iter().map(|error| error.field).collect(),
            Ok(()) => Vec::new(),
        }
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        let parameters = Parameters::parse(Some("locale=es&colour=red"));
        assert_eq!(refused(parameters, |p| assert_eq!(p.locale(), Locale::Es)), ["colour"]);
    }

    #[test]
    fn only_locale_refuses_other_parameters() {
        let locale = |query| Parameters::parse(Some(query)).only_locale().ok();
        assert_eq!(locale(""), Some(Locale::En));
        assert_eq!(locale("locale=es"), Some(Locale::Es));
        assert_eq!(locale("locale=es&page=2"), None);
    }

    #[test]
    fn all_errors_are_reported_together() {
        let parameters = Parameters::parse(Some("locale=fr&page=0&page=1&minPrice=x"));
        let fields = refused(parameters, |p| {
            p.locale();
            p.number("page", &(1..=100_u32));
            p.number("minPrice", &(0..=10_i64));
        });
        assert_eq!(fields, ["locale", "page", "minPrice"]);
    }

    #[test]
    fn an_empty_value_is_valid_only_as_a_text() {
        let parameters = Parameters::parse(Some("q=&minPrice=&locale="));
        let fields = refused(parameters, |p| {
            assert_eq!(p.text("q", 10).as_deref(), Some(""));
            assert_eq!(p.number("minPrice", &(0..=10_i64)), None);
            p.locale();
        });
        assert_eq!(fields, ["minPrice", "locale"]);
    }

    #[test]
    fn a_missing_required_text_is_an_error() {
        let fields = refused(Parameters::parse(None), |p| drop(p.required_text("q", 10)));
        assert_eq!(fields, ["q"]);
        let fields = refused(Parameters::parse(Some("q=")), |p| drop(p.required_text("q", 10)));
        assert!(fields.is_empty());
    }

    #[test]
    fn a_missing_parameter_has_a_single_error() {
        let fields = refused(Parameters::parse(None), |p| {
            p.required_text("path", 10);
            p.refuse("path", "a path");
        });
        assert_eq!(fields, ["path"]);
    }
}
