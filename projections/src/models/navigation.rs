//! `read.navigation`: menu entries, a row for each locale.

use contracts::{Locale, content::NavigationLink};
use serde_json::{Value, json};

use crate::table::{Per, Table};

pub(super) const TABLE: Table = Table {
    name: "navigation",
    per: Per::Locale,
    columns: &[
        ("language", "text not null"),
        ("menu", "text not null"),
        ("parent", "text"),
        ("sort", "bigint"),
        ("url", "text"),
        ("target", "text"),
        ("icon", "text"),
        ("badge", "text"),
        ("disabled", "boolean not null"),
        ("label", "text not null"),
        ("description", "text not null"),
    ],
    indexes: &[],
};

pub(super) fn columns(link: &NavigationLink, locale: Locale) -> Option<Value> {
    let (language, text) = link.text.get_or_fallback(locale)?;
    Some(json!({
        "language": language,
        "menu": link.menu,
        "parent": link.parent,
        "sort": link.sort,
        "url": link.url,
        "target": link.target,
        "icon": link.icon,
        "badge": link.badge,
        "disabled": link.disabled,
        "label": text.label,
        "description": text.description,
    }))
}
