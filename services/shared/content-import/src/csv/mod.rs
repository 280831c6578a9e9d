//! Reads tables with one home per row, by a mapping from columns to fields.

mod mapping;

use std::io::Read as _;

use chrono::{Datelike, NaiveDate};
use contracts::{Locale, Rule, Violation, content::PropertyKind, rules::RuleForm};
use serde_json::{Value, json};

pub use self::mapping::Mapping;
use self::mapping::{Source, Target};
use crate::{
    Error, Feed, Kinds, Listing, decode, fold,
    kyero::{MAX_HOMES, reference_of},
    numbers::{number, price, whole},
    texts,
    words::{set_features, type_of},
};

/// The default separator of a column with several entries.
const SEPARATOR: &str = ",";

/// Reads a table by `mapping`. Errors call it `what`.
///
/// # Errors
/// If it is not a table, or lacks a column of the mapping.
pub fn read_csv(
    bytes: &[u8],
    what: &str,
    mapping: &Mapping,
    keep_unknown_features: bool,
) -> Result<Feed, Error> {
    let text = decode::decode(bytes, mapping.encoding.as_deref(), what)?;
    let mut reader =
        ::csv::ReaderBuilder::new().delimiter(mapping.delimiter()?).from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| Error::not_a_feed(what, error))?.clone();
    let columns = mapping.columns(&headers)?;
    let kinds = mapping.kinds()?;
    let mut feed = Feed::default();
    for row in reader.records() {
        let row = row.map_err(|error| Error::not_a_feed(what, error))?;
        if feed.listings.len() == MAX_HOMES {
            return Err(Error::not_a_feed(what, format!("it has more than {MAX_HOMES} homes")));
        }
        let line = row.position().map(::csv::Position::line).unwrap_or_default();
        let mut listing = Listing { at: format!("line {line}"), ..Listing::default() };
        let mut features = None;
        for (target, source, column) in &columns {
            let found = match source {
                Source::Constant(value) => value.as_str(),
                Source::Column(_) => column.and_then(|at| row.get(at)).unwrap_or_default().trim(),
            };
            let cell = Cell { target, source: source.name(), text: mapping.word(target, found) };
            match target.field {
                "features" => features = Some(entries(mapping, target, cell.text)),
                _ => read_cell(&mut listing, mapping, &kinds, &cell),
            }
        }
        if let Some(names) = features {
            let has_pool = listing.fields.get("has_pool").and_then(Value::as_bool);
            let from_columns = listing.fields.clone();
            set_features(&mut listing, &mut feed, &names, has_pool, keep_unknown_features);
            // A field with its own column takes precedence over the list of features.
            listing.fields.extend(from_columns);
        }
        if listing.key.is_empty() {
            let reference = listing.reference().to_owned();
            listing.key = reference;
        }
        listing.fields.entry("listing_status").or_insert_with(|| json!("for_sale"));
        feed.listings.push(listing);
    }
    if ends_within_quotes(&text, mapping.delimiter()?, feed.listings.len()) {
        return Err(Error::not_a_feed(what, "it ends within quotes: a part is missing"));
    }
    Ok(feed)
}

/// Returns whether a quote in `text`, a table of `rows` rows, is never closed. Then a line that is appended
/// becomes part of the last row instead of a new one.
fn ends_within_quotes(text: &str, delimiter: u8, rows: usize) -> bool {
    let longer = text.as_bytes().chain(&b"\n-"[..]);
    let mut reader = ::csv::ReaderBuilder::new();
    let reader = reader.delimiter(delimiter).flexible(true).from_reader(longer);
    reader.into_byte_records().count() == rows
}

/// A field's value in one row.
struct Cell<'a> {
    target: &'a Target,
    /// The column's name, or that it is a constant.
    source: String,
    text: &'a str,
}

fn entries(mapping: &Mapping, target: &Target, text: &str) -> Vec<String> {
    let separator = mapping.separator(target).unwrap_or(SEPARATOR);
    let entries = text.split(separator).map(|entry| mapping.word(target, entry.trim()).to_owned());
    entries.filter(|entry| !entry.is_empty()).collect()
}

fn read_cell(listing: &mut Listing, mapping: &Mapping, kinds: &Kinds, cell: &Cell<'_>) {
    let Cell { target, text, .. } = cell;
    if let Some(locale) = target.locale {
        return set_text(listing, locale, target.field, text);
    }
    match target.field {
        "key" => (*text).clone_into(&mut listing.key),
        "ref" => {
            listing.fields.insert("ref", json!(reference_of(text)));
        }
        "place" => {
            if !text.is_empty() {
                listing.places.push((*text).to_owned());
            }
        }
        // An empty cell says nothing, as with texts: the pictures stay.
        "pictures" => {
            let urls = entries(mapping, target, text);
            listing.pictures = Some(urls).filter(|urls| !urls.is_empty());
        }
        "kind" => match kinds.kind(text) {
            Some(kind) => set_kind(listing, kind),
            None => {
                add_violation(
                    listing,
                    cell,
                    "must be a kind that is known (its `words` say which)",
                );
            }
        },
        field => match value(mapping, target, text) {
            Ok(value) => {
                listing.fields.insert(field, value);
            }
            Err(rule) => add_violation(listing, cell, &rule),
        },
    }
}

fn set_kind(listing: &mut Listing, kind: PropertyKind) {
    listing.fields.insert("kind", json!(kind.name()));
    listing.fields.entry("property_type").or_insert_with(|| json!(type_of(kind)));
}

fn set_text(listing: &mut Listing, locale: Locale, field: &'static str, text: &str) {
    let text = match field {
        "description" => texts::body(text),
        _ => texts::paragraphs(text).join(" "),
    };
    listing.add_text(locale, field, text);
}

fn add_violation(listing: &mut Listing, cell: &Cell<'_>, rule: &str) {
    let field = format!("{} ({})", cell.target.field, cell.source);
    listing.violations.push(Violation::new(field, &Value::from(cell.text), rule));
}

/// Parses `text` as the field's form in the rules requires.
fn value(mapping: &Mapping, target: &Target, text: &str) -> Result<Value, String> {
    let Some(rule) = Rule::of("properties").find(|rule| rule.field == target.field) else {
        return Err("must be a field of a home".to_owned());
    };
    if text.is_empty() {
        return Ok(if rule.form == RuleForm::Flag { json!(false) } else { Value::Null });
    }
    let invalid = || rule.words();
    let decimal = mapping.decimal();
    match rule.form {
        RuleForm::Whole { .. } if rule.field == "price" => price(text, decimal).ok_or_else(invalid),
        RuleForm::Whole { .. } => whole(text, decimal).map(|it| json!(it)).ok_or_else(invalid),
        RuleForm::Decimal { .. } => number(text, decimal).map(|it| json!(it)).ok_or_else(invalid),
        RuleForm::Flag => mapping.flag(text).map(Value::Bool).ok_or_else(invalid),
        RuleForm::Moment => day(text).map(Value::from).ok_or_else(invalid),
        RuleForm::Texts => Ok(json!(entries(mapping, target, text))),
        RuleForm::Word(words) => {
            let folded = fold(text);
            let word = words.iter().find(|word| fold(word) == folded);
            word.map(|word| json!(word)).ok_or_else(invalid)
        }
        _ => Ok(json!(text)),
    }
}

/// Parses a day, in the ISO or the Spanish order (whose year may have two digits), and returns it as
/// `2026-11-24`.
fn day(text: &str) -> Option<String> {
    let text = text.split(['T', ' ']).next()?;
    let long = ["%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y"];
    let short = ["%d/%m/%y", "%d-%m-%y", "%d.%m.%y"];
    let mut days =
        long.iter().chain(&short).filter_map(|form| NaiveDate::parse_from_str(text, form).ok());
    // The formats with a long year also accept `24/11/26`, as a day of the year 26.
    days.find(|day| (1900..=2200).contains(&day.year())).map(|day| day.to_string())
}

#[cfg(test)]
mod tests;
