//! `read.property`: a property as its card and its page show it, a row for each locale.

use contracts::{
    Locale,
    content::{Coordinates, Property},
};
use serde_json::{Value, json};

use super::written_in;
use crate::{
    html,
    table::{Per, Table},
};

pub(super) const TABLE: Table = Table {
    name: "property",
    per: Per::Locale,
    columns: &[
        ("reference", "text not null"),
        ("language", "text not null"),
        ("locales", "text[] not null"),
        ("title", "text not null"),
        ("summary", "text not null"),
        ("description", "text not null"),
        ("location_key", "text not null"),
        ("location_slug", "text not null"),
        ("location_name", "text not null"),
        ("property_type", "text not null"),
        ("kind", "text not null"),
        ("status", "text not null"),
        ("price", "bigint"),
        ("previous_price", "bigint"),
        ("bedrooms", "bigint"),
        ("bathrooms", "bigint"),
        ("built_area", "bigint"),
        ("plot_area", "bigint"),
        ("terrace_area", "bigint"),
        ("year_built", "bigint"),
        ("floor", "text"),
        ("features", "text[] not null"),
        ("featured", "boolean not null"),
        ("reduced", "boolean not null"),
        ("new_build", "boolean not null"),
        ("listed_at", "timestamptz not null"),
        ("updated_at", "timestamptz not null"),
        ("lat", "double precision"),
        ("lng", "double precision"),
        ("energy", "jsonb"),
        ("annual_costs", "jsonb not null"),
        ("images", "jsonb not null"),
    ],
    indexes: &["reference, locale", "location_slug, locale"],
};

/// The row of `locale`. A property without any text is shown by its reference.
pub(super) fn columns(property: &Property, locale: Locale) -> Value {
    let text = property.text.get_or_fallback(locale);
    let point = property.coordinates.map(Coordinates::roughly);
    let place = property.location.name.get_or_fallback(locale).map(|(_, name)| name);
    json!({
        "reference": property.reference,
        "language": text.map_or(locale, |(language, _)| language),
        "locales": written_in(&property.text),
        "title": text.map_or(property.reference.as_str(), |(_, text)| &text.title),
        "summary": text.map_or("", |(_, text)| &text.summary),
        "description": text.map_or_else(String::new, |(_, text)| html::clean(&text.description)),
        "location_key": property.location.key,
        "location_slug": property.location.slug,
        "location_name": place.unwrap_or(&property.location.slug),
        "property_type": property.property_type,
        "kind": property.kind,
        "status": property.status,
        "price": property.price,
        "previous_price": property.previous_price,
        "bedrooms": property.bedrooms,
        "bathrooms": property.bathrooms,
        "built_area": property.built_area,
        "plot_area": property.plot_area,
        "terrace_area": property.terrace_area,
        "year_built": property.year_built,
        "floor": property.floor,
        "features": property.features,
        "featured": property.featured,
        "reduced": property.reduced,
        "new_build": property.new_build,
        "listed_at": property.listed_at,
        "updated_at": property.updated_at,
        "lat": point.map(|point| point.lat),
        "lng": point.map(|point| point.lng),
        "energy": property.energy,
        "annual_costs": property.annual_costs,
        "images": property.images,
    })
}
