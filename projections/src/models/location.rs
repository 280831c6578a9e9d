//! `read.location`: a place, a row for each locale. How many homes are for sale there is not kept
//! here: the search index counts them, so that every page and every list agree.

use contracts::{Locale, content::Location};
use serde_json::{Value, json};

use super::{picture, written_in};
use crate::{
    html,
    table::{Per, Table},
};

pub(super) const TABLE: Table = Table {
    name: "location",
    per: Per::Locale,
    columns: &[
        ("slug", "text not null"),
        ("sort", "bigint"),
        ("language", "text not null"),
        ("locales", "text[] not null"),
        ("name", "text not null"),
        ("intro", "text not null"),
        ("description", "text not null"),
        ("lat", "double precision"),
        ("lng", "double precision"),
        ("image", "jsonb"),
    ],
    indexes: &["slug, locale"],
};

pub(super) fn columns(location: &Location, locale: Locale) -> Option<Value> {
    let (language, text) = location.text.get_or_fallback(locale)?;
    Some(json!({
        "slug": location.slug,
        "sort": location.sort,
        "language": language,
        "locales": written_in(&location.text),
        "name": text.name,
        "intro": text.intro,
        "description": html::clean(&text.description),
        "lat": location.coordinates.map(|point| point.lat),
        "lng": location.coordinates.map(|point| point.lng),
        "image": picture::if_any(location.image.as_ref(), locale),
    }))
}
