//! `read.doc`: the documentation, a row for each locale.

use contracts::{Locale, content::Doc};
use serde_json::{Value, json};

use super::written_in;
use crate::{
    html,
    table::{Per, Table},
};

pub(super) const TABLE: Table = Table {
    name: "doc",
    per: Per::Locale,
    columns: &[
        ("slug", "text not null"),
        ("sort", "bigint"),
        ("language", "text not null"),
        ("locales", "text[] not null"),
        ("title", "text not null"),
        ("summary", "text not null"),
        ("body", "text not null"),
    ],
    indexes: &["slug, locale"],
};

pub(super) fn columns(doc: &Doc, locale: Locale) -> Option<Value> {
    let (language, text) = doc.text.get_or_fallback(locale)?;
    Some(json!({
        "slug": doc.slug,
        "sort": doc.sort,
        "language": language,
        "locales": written_in(&doc.text),
        "title": text.title,
        "summary": text.summary,
        "body": html::clean(&text.body),
    }))
}
