//! Which column of a table is which field of a home.

use std::collections::BTreeMap;

use contracts::{Locale, Rule, content::PropertyKind};
use serde::Deserialize;

use crate::{Error, Kinds, fold};

/// Words for yes and no, where a mapping names none.
const YES: [&str; 7] = ["1", "true", "yes", "y", "si", "s", "x"];
const NO: [&str; 5] = ["0", "false", "no", "n", "-"];
/// What isn't a field of `properties` by itself.
const OF_THE_IMPORT: [&str; 3] = ["key", "place", "pictures"];
/// What the mapping decides otherwise, or what isn't a table's to say.
const NOT_A_TABLE_S: [&str; 3] = ["status", "location", "rooms"];
const TEXTS: [&str; 3] = ["title", "summary", "description"];

/// How a table is read: a TOML file, see `deploy/docs/import.md`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// What stands between columns; a comma where nothing is said.
    delimiter: Option<String>,
    /// `windows-1252`, say; UTF-8 where nothing is said.
    pub(crate) encoding: Option<String>,
    /// What stands between the whole part of a number and the rest; a point where nothing is said.
    decimal: Option<String>,
    /// Words for yes.
    #[serde(default)]
    yes: Vec<String>,
    /// Words for no.
    #[serde(default)]
    no: Vec<String>,
    /// By the name of a field; of texts with its language: `title_en`.
    fields: BTreeMap<String, Field>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    column: Option<String>,
    constant: Option<toml::Value>,
    separator: Option<String>,
    /// What the table's words mean.
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

/// Where what it holds comes from.
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
    /// Reads a mapping.
    ///
    /// # Errors
    /// Where it is none, by its line.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mapping: Self =
            toml::from_str(text).map_err(|error| Error::Mapping(error.to_string()))?;
        mapping.targets()?;
        mapping.delimiter()?;
        mapping.kinds()?;
        for needed in ["ref", "kind", "place"] {
            if !mapping.fields.contains_key(needed) {
                return Err(Error::Mapping(format!("a home needs `{needed}`")));
            }
        }
        Ok(mapping)
    }

    pub(super) fn delimiter(&self) -> Result<u8, Error> {
        let given = self.delimiter.as_deref().unwrap_or(",").as_bytes();
        match given {
            [byte] => Ok(*byte),
            _ => Err(Error::Mapping("delimiter must be one letter: \";\" or \"\\t\"".to_owned())),
        }
    }

    pub(super) fn decimal(&self) -> char {
        if self.decimal.as_deref() == Some(",") { ',' } else { '.' }
    }

    /// What the mapping fills and from where, each once.
    fn targets(&self) -> Result<Vec<(Target, Source)>, Error> {
        self.fields.iter().map(|(name, field)| Ok((target(name)?, field.source(name)?))).collect()
    }

    /// The same, with the place of each column among `headers`.
    pub(super) fn columns(
        &self,
        headers: &::csv::StringRecord,
    ) -> Result<Vec<(Target, Source, Option<usize>)>, Error> {
        let mut columns = Vec::new();
        for (target, source) in self.targets()? {
            let column = match &source {
                Source::Constant(_) => None,
                Source::Column(name) => {
                    let at = headers.iter().position(|header| header.trim() == name);
                    let there = || headers.iter().collect::<Vec<_>>().join(", ");
                    Some(at.ok_or_else(|| {
                        Error::Mapping(format!(
                            "`{}` is of the column `{name}`, and the table has {}",
                            target.name,
                            there()
                        ))
                    })?)
                }
            };
            columns.push((target, source, column));
        }
        Ok(columns)
    }

    /// The kinds, by the words that `kind` has in the mapping too.
    pub(super) fn kinds(&self) -> Result<Kinds, Error> {
        let words = self.fields.get("kind").map(|field| field.words.clone()).unwrap_or_default();
        let kinds = words.into_iter().map(|(word, kind)| {
            let parsed: PropertyKind = kind.parse().map_err(|_| {
                let known = PropertyKind::NAMES.join(", ");
                Error::Mapping(format!("`{kind}` is no kind; there are {known}"))
            })?;
            Ok((word, parsed))
        });
        Ok(Kinds::new(kinds.collect::<Result<Vec<_>, Error>>()?))
    }

    /// What `text` means in the field, by its words.
    pub(super) fn word<'a>(&'a self, target: &Target, text: &'a str) -> &'a str {
        let folded = fold(text);
        let words = self.fields.get(&target.name).map(|field| &field.words);
        let known = words.and_then(|words| words.iter().find(|(word, _)| fold(word) == folded));
        known.filter(|_| !folded.is_empty()).map_or(text, |(_, means)| means)
    }

    pub(super) fn separator(&self, target: &Target) -> Option<&str> {
        self.fields.get(&target.name)?.separator.as_deref()
    }

    pub(super) fn flag(&self, text: &str) -> Option<bool> {
        let is_one = |own: &[String], known: &[&str]| {
            let text = text.trim();
            let own = own.iter().any(|word| fold(word) == fold(text));
            own || known.iter().any(|word| text.eq_ignore_ascii_case(word) || fold(text) == *word)
        };
        match (is_one(&self.yes, &YES), is_one(&self.no, &NO)) {
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
            _ => Err(Error::Mapping(format!("`{name}` needs either `column` or `constant`"))),
        }
    }
}

/// The field that is called `name`.
fn target(name: &str) -> Result<Target, Error> {
    let text = TEXTS.into_iter().find_map(|text| {
        let code = name.strip_prefix(text)?.strip_prefix('_')?;
        Some((text, code.parse::<Locale>().ok()?))
    });
    if let Some((field, locale)) = text {
        return Ok(Target { name: name.to_owned(), field, locale: Some(locale) });
    }
    let of_a_home = Rule::of("properties").map(|rule| rule.field);
    let mut known: Vec<&'static str> = OF_THE_IMPORT.into_iter().chain(of_a_home).collect();
    known.retain(|field| !NOT_A_TABLE_S.contains(field));
    let field = known.iter().copied().find(|field| *field == name).ok_or_else(|| {
        let known = known.join(", ");
        Error::Mapping(format!(
            "`{name}` is no field; there are {known}, and title, summary, description with _en or _es"
        ))
    })?;
    Ok(Target { name: name.to_owned(), field, locale: None })
}
