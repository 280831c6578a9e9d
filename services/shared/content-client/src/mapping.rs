//! From an item as the service sends it to a snapshot as the log carries it.

mod editorial;
mod picture;
mod property;
mod site;
#[cfg(test)]
mod tests;

use contracts::{
    Collection, Locale, Localized, PartCollection,
    content::{Coordinates, Snapshot},
};

use crate::{
    raw::Raw,
    reading::{Hidden, Part, Reading},
};

/// What `raw`, an item of `collection`, is to the public.
pub(crate) fn reading(collection: Collection, raw: Raw<'_>) -> Reading {
    let parts = parts(collection, raw);
    let snapshot = published(collection, raw).and_then(|()| snapshot(collection, raw));
    match snapshot {
        Ok(snapshot) => Reading::Published { snapshot: Box::new(snapshot), parts },
        Err(reason) => Reading::Hidden { reason, parts },
    }
}

/// Refuses all but what is published. The settings have no status: they always are.
fn published(collection: Collection, raw: Raw<'_>) -> Result<(), Hidden> {
    if collection == Collection::SiteSettings {
        return Ok(());
    }
    match raw.text("status")?.as_deref() {
        Some("published") => Ok(()),
        Some(status @ ("draft" | "archived")) => {
            Err(Hidden::NotPublished { status: status.to_owned() })
        }
        None => Err(Hidden::NotPublished { status: "none".to_owned() }),
        Some(_) => Err(raw.wrong("status")),
    }
}

fn snapshot(collection: Collection, raw: Raw<'_>) -> Result<Snapshot, Hidden> {
    Ok(match collection {
        Collection::Properties => Snapshot::Properties(property::property(raw)?),
        Collection::Locations => Snapshot::Locations(property::location(raw)?),
        Collection::Articles => Snapshot::Articles(editorial::article(raw)?),
        Collection::Pages => Snapshot::Pages(editorial::page(raw)?),
        Collection::Docs => Snapshot::Docs(editorial::doc(raw)?),
        Collection::Team => Snapshot::Team(site::team_member(raw)?),
        Collection::Navigation => Snapshot::Navigation(site::navigation_link(raw)?),
        Collection::SiteSettings => Snapshot::SiteSettings(site::settings(raw)?),
        Collection::Redirects => Snapshot::Redirects(site::redirect(raw)?),
    })
}

/// Everything whose change changes the item.
fn parts(collection: Collection, raw: Raw<'_>) -> Vec<Part> {
    let translations = raw
        .objects("translations")
        .filter_map(|row| row.key("id"))
        .map(|key| Part::row(PartCollection::Translations(collection), key));
    let pictures = ["image", "photo", "hero"]
        .into_iter()
        .filter_map(|field| raw.object(field)?.key("id"))
        .chain(raw.objects("images").filter_map(|row| row.object("directus_files_id")?.key("id")))
        .map(|key| Part::row(PartCollection::Files, key));
    let junctions = raw
        .objects("images")
        .filter_map(|row| row.key("id"))
        .map(|key| Part::row(PartCollection::PropertyFiles, key));
    let location = raw.object("location").and_then(|location| location.key("id"));
    let mut parts: Vec<Part> =
        translations.chain(pictures).chain(junctions).chain(location.map(Part::location)).collect();
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// The texts of every language that the site speaks and that has its `leading` field, the one
/// without which there is nothing to show.
fn localized<'a, T>(
    raw: Raw<'a>,
    leading: &str,
    text: impl Fn(String, Raw<'a>) -> Result<T, Hidden>,
) -> Result<Localized<T>, Hidden> {
    let mut texts = Localized::default();
    for row in raw.objects("translations") {
        let code = row.key("languages_code").unwrap_or_default();
        let Some(locale) = Locale::from_language_tag(&code) else { continue };
        if let Some(lead) = row.text(leading)? {
            texts.set(locale, text(lead, row)?);
        }
    }
    Ok(texts)
}

/// The same, where a language at least must have it.
fn required_text<'a, T>(
    raw: Raw<'a>,
    leading: &str,
    text: impl Fn(String, Raw<'a>) -> Result<T, Hidden>,
) -> Result<Localized<T>, Hidden> {
    let texts = localized(raw, leading, text)?;
    if texts.is_empty() { Err(Hidden::NoText) } else { Ok(texts) }
}

/// A part of a path: it stands in addresses and in tags, so it holds nothing that either would
/// read otherwise.
fn slug(raw: Raw<'_>, field: &str) -> Result<String, Hidden> {
    let slug = raw.required_text(field)?;
    if is_slug(&slug) { Ok(slug) } else { Err(raw.wrong(field)) }
}

fn is_slug(text: &str) -> bool {
    text.split('/').all(|segment| {
        !segment.is_empty()
            && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
            && !segment.bytes().all(|byte| byte == b'.')
    })
}

/// A point, where both of its fields are given and it lies on the earth.
fn coordinates(raw: Raw<'_>) -> Result<Option<Coordinates>, Hidden> {
    let (Some(lat), Some(lng)) = (raw.decimal("lat")?, raw.decimal("lng")?) else {
        return Ok(None);
    };
    if lat.abs() > 90.0 {
        return Err(raw.wrong("lat"));
    }
    if lng.abs() > 180.0 {
        return Err(raw.wrong("lng"));
    }
    Ok(Some(Coordinates { lat, lng }))
}
