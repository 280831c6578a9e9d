//! Query parameters: every name known, every value checked, every mistake told at once.

use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

use contracts::Locale;
use runtime::problem::FieldError;

/// How often one name may be repeated.
const MAX_VALUES: usize = 50;
/// How many parameters are read at all.
const MAX_PARAMETERS: usize = 200;

/// What can't be read, name by name.
#[derive(Debug, thiserror::Error)]
#[error("parameters can't be read")]
pub struct InvalidParameters(pub Vec<FieldError>);

/// The parameters of a request, taken one by one; [`Parameters::finish`] tells what was wrong.
#[derive(Debug)]
pub struct Parameters {
    pairs: Vec<(String, String)>,
    errors: Vec<FieldError>,
}

impl Parameters {
    /// The parameters of the query part of an address.
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

    /// The values of `name` as they are.
    fn take(&mut self, name: &str) -> Vec<String> {
        let (taken, rest) =
            std::mem::take(&mut self.pairs).into_iter().partition(|(given, _)| given == name);
        self.pairs = rest;
        taken.into_iter().map(|(_, value): (_, String)| value).collect()
    }

    /// Every value of `name`, each once.
    pub fn all<T: FromStr + PartialEq>(&mut self, name: &str, right: &str) -> Vec<T> {
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
                Err(_) => self.errors.push(FieldError::new(name, right)),
            }
        }
        parsed
    }

    /// The one value of `name`.
    pub fn one<T: FromStr>(&mut self, name: &str, right: &str) -> Option<T> {
        let mut values = self.take(name);
        if values.len() > 1 {
            self.errors.push(FieldError::new(name, "one value"));
            return None;
        }
        let parsed = values.pop()?.parse();
        if parsed.is_err() {
            self.errors.push(FieldError::new(name, right));
        }
        parsed.ok()
    }

    /// The one value of `name`, a number within `range`.
    pub fn number<T: FromStr + PartialOrd + Display>(
        &mut self,
        name: &str,
        range: &RangeInclusive<T>,
    ) -> Option<T> {
        let right = format!("a whole number from {} to {}", range.start(), range.end());
        let number = self.one(name, &right)?;
        if range.contains(&number) {
            return Some(number);
        }
        self.errors.push(FieldError::new(name, right));
        None
    }

    /// The one value of `name`, a text of at most `longest` characters that may be empty.
    pub fn text(&mut self, name: &str, longest: usize) -> Option<String> {
        let text: String = self.one(name, "a text")?;
        if text.chars().count() <= longest {
            return Some(text);
        }
        self.errors.push(FieldError::new(name, format!("at most {longest} characters")));
        None
    }

    /// The same where it has to be given; empty where it is wrong.
    pub fn required_text(&mut self, name: &str, longest: usize) -> String {
        if !self.pairs.iter().any(|(given, _)| given == name) {
            self.refuse(name, "this call needs it");
        }
        self.text(name, longest).unwrap_or_default()
    }

    /// `locale`, English where it is not given.
    pub fn locale(&mut self) -> Locale {
        self.one("locale", "`en` or `es`").unwrap_or_default()
    }

    /// The same where nothing else may be asked for.
    pub fn only_locale(mut self) -> Result<Locale, InvalidParameters> {
        let locale = self.locale();
        self.finish()?;
        Ok(locale)
    }

    /// `name` is wrong, unless that is told already.
    pub fn refuse(&mut self, name: &str, right: impl Into<String>) {
        if self.errors.iter().all(|error| error.field != name) {
            self.errors.push(FieldError::new(name, right));
        }
    }

    /// Whatever was not taken is unknown; an error where anything was wrong.
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
    fn unknown_names_are_refused_by_name() {
        let parameters = Parameters::parse(Some("locale=es&colour=red"));
        assert_eq!(refused(parameters, |p| assert_eq!(p.locale(), Locale::Es)), ["colour"]);
    }

    #[test]
    fn a_call_may_ask_for_a_language_alone() {
        let asked = |query| Parameters::parse(Some(query)).only_locale().ok();
        assert_eq!(asked(""), Some(Locale::En));
        assert_eq!(asked("locale=es"), Some(Locale::Es));
        assert_eq!(asked("locale=es&page=2"), None);
    }

    #[test]
    fn every_mistake_is_told_at_once() {
        let parameters = Parameters::parse(Some("locale=fr&page=0&page=1&minPrice=x"));
        let fields = refused(parameters, |p| {
            p.locale();
            p.number("page", &(1..=100_u32));
            p.number("minPrice", &(0..=10_i64));
        });
        assert_eq!(fields, ["locale", "page", "minPrice"]);
    }

    #[test]
    fn an_empty_value_is_a_text_and_nothing_else() {
        let parameters = Parameters::parse(Some("q=&minPrice=&locale="));
        let fields = refused(parameters, |p| {
            assert_eq!(p.text("q", 10).as_deref(), Some(""));
            assert_eq!(p.number("minPrice", &(0..=10_i64)), None);
            p.locale();
        });
        assert_eq!(fields, ["minPrice", "locale"]);
    }

    #[test]
    fn what_a_call_needs_is_named() {
        let fields = refused(Parameters::parse(None), |p| drop(p.required_text("q", 10)));
        assert_eq!(fields, ["q"]);
        let fields = refused(Parameters::parse(Some("q=")), |p| drop(p.required_text("q", 10)));
        assert!(fields.is_empty());
    }

    #[test]
    fn what_is_missing_is_not_called_wrong_too() {
        let fields = refused(Parameters::parse(None), |p| {
            p.required_text("path", 10);
            p.refuse("path", "a path");
        });
        assert_eq!(fields, ["path"]);
    }
}
