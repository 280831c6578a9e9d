//! `read.page`: guides, legal texts and landing pages, a row for each locale.

use contracts::{Locale, content::Page};
use serde_json::{Value, json};

use super::{picture, written_in};
use crate::{
    html,
    table::{Per, Table},
};

pub(super) const TABLE: Table = Table {
    name: "page",
    per: Per::Locale,
    columns: &[
        ("slug", "text not null"),
        ("kind", "text not null"),
        ("language", "text not null"),
        ("locales", "text[] not null"),
        ("image", "jsonb"),
        ("title", "text not null"),
        ("intro", "text not null"),
        ("body", "text not null"),
        ("meta_description", "text not null"),
        ("faq", "jsonb not null"),
    ],
    indexes: &["slug, locale"],
};

pub(super) fn columns(page: &Page, locale: Locale) -> Option<Value> {
    let (language, text) = page.text.get_or_fallback(locale)?;
    Some(json!({
        "slug": page.slug,
        "kind": page.kind,
        "language": language,
        "locales": written_in(&page.text),
        "image": picture::if_any(page.image.as_ref(), locale),
        "title": text.title,
        "intro": text.intro,
        "body": html::clean(&text.body),
        "meta_description": text.meta_description,
        "faq": text.faq,
    }))
}
