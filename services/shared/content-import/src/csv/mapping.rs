//! The mapping from a table's columns to the fields of a home.

use std::collections::BTreeMap;

use contracts::{Locale, Rule, content::PropertyKind};
use serde::Deserialize;

use crate::{Error, Kinds, fold};

/// Words for yes and no that are always known.
const YES: [&str; 7] = ["1", "true", "yes", "y", "si", "s", "x"];
const NO: [&str; 5] = ["0", "false", "no", "n", "-"];
/// Fields of the import that are no fields of `properties`.
const IMPORT_FIELDS: [&str; 3] = ["key", "place", "pictures"];
/// Fields of `properties` that a table can't set: they are derived, or not the table's to decide.
const EXCLUDED_FIELDS: [&str; 3] = ["status", "location", "rooms"];
const TEXTS: [&str; 3] = ["title", "summary", "description"];

/// How a table is read: a TOML file, see `deploy/docs/import.md`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// The separator of columns; a comma by default.
    delimiter: Option<String>,
    /// The encoding, such as `windows-1252`; UTF-8 by default.
    pub(crate) encoding: Option<String>,
    /// The decimal separator; a point by default.
    decimal: Option<String>,
    /// More words for yes.
    #[serde(default)]
    yes: Vec<String>,
    /// More words for no.
    #[serde(default)]
    no: Vec<String>,
    /// The fields by name. The names of texts end with the language: `title_en`.
    fields: BTreeMap<String, Field>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    column: Option<String>,
    constant: Option<toml::Value>,
    separator: Option<String>,
    /// What words in the table mean.
    #[serde(default)]
    words: BTreeMap<String, String>,
}

/// A field that a mapping fills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// Its name in the mapping.
    pub name: String,
    pub field: &'static str,
    pub locale: Option<Locale>,
}

/// Where a field's value comes from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Column(String),
    Constant(String),
}

impl Source {
    pub fn name(&self) -> String {
        match self {
            Self::Column(name) => format!("column `{name}`"),
            Self::Constant(_) => "constant".to_owned(),
        }
    }
}

impl Mapping {
    /// Parses and checks a mapping.
    ///
    /// # Errors
    /// If it is invalid. Syntax errors name the line.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mapping: Self = toml::from_str(text).map_err(Error::mapping)?;
        mapping.targets()?;
        mapping.delimiter()?;
        mapping.kinds()?;
        for needed in ["ref", "kind", "place"] {
            if !mapping.fields.contains_key(needed) {
                return Err(Error::mapping(format!("a home needs `{needed}`")));
            }
        }
        Ok(mapping)
    }

    pub(super) fn delimiter(&self) -> Result<u8, Error> {
        let bytes = self.delimiter.as_deref().unwrap_or(",").as_bytes();
        match bytes {
            [byte] => Ok(*byte),
            _ => Err(Error::mapping("delimiter must be one letter: \";\" or \"\\t\"")),
        }
    }

    pub(super) fn decimal(&self) -> char {
        if self.decimal.as_deref() == Some(",") { ',' } else { '.' }
    }

    /// Returns the fields that the mapping fills, each with its source.
    fn targets(&self) -> Result<Vec<(Target, Source)>, Error> {
        self.fields.iter().map(|(name, field)| Ok((target(name)?, field.source(name)?))).collect()
    }

    /// Returns the same with the index of each column among `headers`.
    pub(super) fn columns(
        &self,
        headers: &::csv::StringRecord,
    ) -> Result<Vec<(Target, Source, Option<usize>)>, Error> {
        let mut columns = Vec::new();
        for (target, source) in self.targets()? {
            let column = match &source {
                Source::Constant(_) => None,
                Source::Column(name) => {
                    let index = headers.iter().position(|header| header.trim() == name);
                    let names = || headers.iter().collect::<Vec<_>>().join(", ");
                    Some(index.ok_or_else(|| {
                        Error::mapping(format!(
                            "`{}` uses the column `{name}`, but the table has {}",
                            target.name,
                            names()
                        ))
                    })?)
                }
            };
            columns.push((target, source, column));
        }
        Ok(columns)
    }

    /// Returns the known kinds, with the mapping's own words for them.
    pub(super) fn kinds(&self) -> Result<Kinds, Error> {
        let words = self.fields.get("kind").map(|field| field.words.clone()).unwrap_or_default();
        let kinds = words.into_iter().map(|(word, kind)| {
            let parsed: PropertyKind = kind.parse().map_err(|_| {
                let known = PropertyKind::NAMES.join(", ");
                Error::mapping(format!("`{kind}` is not a kind of home; the kinds are {known}"))
            })?;
            Ok((word, parsed))
        });
        Ok(Kinds::new(kinds.collect::<Result<Vec<_>, Error>>()?))
    }

    /// Returns what `text` means in the field, or `text` itself if the field's words don't have it.
    pub(super) fn word<'a>(&'a self, target: &Target, text: &'a str) -> &'a str {
        let folded = fold(text);
        let words = self.fields.get(&target.name).map(|field| &field.words);
        let known = words.and_then(|words| words.iter().find(|(word, _)| fold(word) == folded));
        known.filter(|_| !folded.is_empty()).map_or(text, |(_, meaning)| meaning)
    }

    pub(super) fn separator(&self, target: &Target) -> Option<&str> {
        self.fields.get(&target.name)?.separator.as_deref()
    }

    /// Parses yes or no. Yes wins where a word means both.
    pub(super) fn flag(&self, text: &str) -> Option<bool> {
        let is_one_of = |own: &[String], known: &[&str]| {
            let text = text.trim();
            let own = own.iter().any(|word| fold(word) == fold(text));
            own || known.iter().any(|word| text.eq_ignore_ascii_case(word) || fold(text) == *word)
        };
        match (is_one_of(&self.yes, &YES), is_one_of(&self.no, &NO)) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        }
    }
}

impl Field {
    fn source(&self, name: &str) -> Result<Source, Error> {
        match (&self.column, &self.constant) {
            (Some(column), None) => Ok(Source::Column(column.clone())),
            (None, Some(toml::Value::String(text))) => Ok(Source::Constant(text.clone())),
            (None, Some(value)) => Ok(Source::Constant(value.to_string())),
            _ => Err(Error::mapping(format!("`{name}` needs either `column` or `constant`"))),
        }
    }
}

/// Returns the field that a mapping calls `name`.
fn target(name: &str) -> Result<Target, Error> {
    let text = TEXTS.into_iter().find_map(|text| {
        let code = name.strip_prefix(text)?.strip_prefix('_')?;
        Some((text, code.parse::<Locale>().ok()?))
    });
    if let Some((field, locale)) = text {
        return Ok(Target { name: name.to_owned(), field, locale: Some(locale) });
    }
    let home_fields = Rule::of("properties").map(|rule| rule.field);
    let mut known: Vec<&'static str> = IMPORT_FIELDS.into_iter().chain(home_fields).collect();
    known.retain(|field| !EXCLUDED_FIELDS.contains(field));
    let field = known.iter().copied().find(|field| *field == name).ok_or_else(|| {
        let known = known.join(", ");
        Error::mapping(format!(
            "`{name}` is not a field; the fields are {known}, and title, summary, description with _en or _es"
        ))
    })?;
    Ok(Target { name: name.to_owned(), field, locale: None })
}
