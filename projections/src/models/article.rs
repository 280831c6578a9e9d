//! `read.article`: news, a row for each locale.

use contracts::{Locale, content::Article};
use serde_json::{Value, json};

use super::{picture, written_in};
use crate::{
    html,
    table::{Per, Table},
};

pub(super) const TABLE: Table = Table {
    name: "article",
    per: Per::Locale,
    columns: &[
        ("slug", "text not null"),
        ("published_at", "timestamptz"),
        ("language", "text not null"),
        ("locales", "text[] not null"),
        ("image", "jsonb"),
        ("title", "text not null"),
        ("summary", "text not null"),
        ("body", "text not null"),
    ],
    indexes: &["slug, locale", "locale, published_at"],
};

pub(super) fn columns(article: &Article, locale: Locale) -> Option<Value> {
    let (language, text) = article.text.get_or_fallback(locale)?;
    Some(json!({
        "slug": article.slug,
        "published_at": article.published_at,
        "language": language,
        "locales": written_in(&article.text),
        "image": picture::if_any(article.image.as_ref(), locale),
        "title": text.title,
        "summary": text.summary,
        "body": html::clean(&text.body),
    }))
}
