//! From an item as the service sends it to a snapshot as the log carries it.

mod check;
mod editorial;
mod legible;
mod particulars;
mod picture;
mod place;
#[cfg(test)]
mod place_tests;
mod property;
mod site;
#[cfg(test)]
mod tests;

use std::{iter::successors, str::FromStr};

use contracts::{
    AggregateId, Collection, Locale, Localized, PartCollection, Slug, Violation,
    content::{Coordinates, Snapshot},
    rules::OtherRule,
};
use serde_json::{Map, Value, json};

pub(crate) use self::check::kept_from_the_public;
use crate::{
    raw::Raw,
    reading::{Hidden, Legible, Part, Reading},
};

/// What `raw`, an item of `collection`, is to the public.
pub(crate) fn reading(collection: Collection, raw: Raw<'_>) -> Reading {
    let parts = parts(collection, raw);
    if let Some(reason) = hidden(collection, raw) {
        return Reading::Hidden { reason, parts };
    }
    let mut violations = kept_from_the_public(collection, raw);
    match snapshot(collection, raw) {
        Ok(snapshot) if violations.is_empty() => {
            let (snapshot, files) = (Box::new(snapshot), picture::files(raw));
            return Reading::Published { snapshot, parts, files };
        }
        Ok(_) => {}
        Err(slips) => violations.extend(slips),
    }
    Reading::Invalid { violations, parts }
}

/// What `item` of `collection` holds, whatever rules it breaks; none of what its own editors do not show.
pub(crate) fn as_far_as_legible(
    collection: Collection,
    item: &Map<String, Value>,
) -> Option<Legible> {
    let mut item = item.clone();
    let withdrawn_place = match hidden(collection, Raw::new(&item)) {
        Some(Hidden::NotPublished { .. }) => return None,
        Some(Hidden::NoPublishedLocation { .. }) => publish_place(&mut item),
        // Its mapping tells of it.
        Some(Hidden::NoPublishedEntry { .. }) | None => None,
    };
    let (snapshot, slips) = legible::legible(collection, &item);
    let content = snapshot.and_then(|snapshot| serde_json::to_value(snapshot).ok());
    let violations = withdrawn_place.into_iter().chain(slips).collect();
    Some(Legible { content, violations })
}

/// Has `home` read as if its place were published; gives the rule that it breaks where that is not.
pub(crate) fn publish_place(home: &mut Map<String, Value>) -> Option<Violation> {
    let place = home.get_mut("location")?.as_object_mut()?;
    let known = place::as_known(Raw::new(place));
    let status = place.insert("status".to_owned(), json!("published"))?;
    (status != "published").then(|| OtherRule::PublishedPlace.broken("location", &json!(known)))
}

/// The pictures that `raw` would be shown without, as far as the content service's word of its files
/// tells: each with its field and the rule that it breaks.
pub(crate) fn left_out(raw: Raw<'_>) -> Vec<Violation> {
    let files = picture::files(raw);
    files.iter().filter_map(|file| Some(file.left_out(file.fault?))).collect()
}

/// What `raw` would show, whoever may see it.
///
/// # Errors
/// Every rule of a field that it breaks.
pub(crate) fn snapshot(collection: Collection, raw: Raw<'_>) -> Result<Snapshot, Vec<Violation>> {
    let violations = check::violations(collection, raw);
    if violations.is_empty() {
        return mapped(collection, raw).map_err(|violation| vec![violation]);
    }
    Err(violations)
}

/// Why editors do not show the item, if they don't. Only their own word hides: whatever else keeps
/// an item from being shown is a slip. The settings have no status: they always are published.
fn hidden(collection: Collection, raw: Raw<'_>) -> Option<Hidden> {
    if collection == Collection::SiteSettings {
        return None;
    }
    if let Some(status) = withdrawn(raw) {
        return Some(Hidden::NotPublished { status });
    }
    match collection {
        Collection::Properties => {
            let place = raw.object("location")?;
            withdrawn(place).map(|_| Hidden::NoPublishedLocation { place: place::as_known(place) })
        }
        Collection::Navigation => {
            site::under_withdrawn(raw).map(|way| Hidden::NoPublishedEntry { way })
        }
        _ => None,
    }
}

/// The status of what is a draft, or archived.
fn withdrawn(raw: Raw<'_>) -> Option<String> {
    let status = raw.text("status").ok().flatten();
    status.filter(|status| is_withdrawn(status))
}

/// Whether editors take an item off the site by this status.
pub(crate) fn is_withdrawn(status: &str) -> bool {
    matches!(status, "draft" | "archived")
}

fn mapped(collection: Collection, raw: Raw<'_>) -> Result<Snapshot, Violation> {
    Ok(match collection {
        Collection::Properties => Snapshot::Properties(property::property(raw)?),
        Collection::Locations => Snapshot::Locations(place::location(raw)?),
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
    let pictures = picture::SINGLE
        .into_iter()
        .filter_map(|field| raw.object(field)?.key("id"))
        .chain(raw.objects("images").filter_map(|row| row.object("directus_files_id")?.key("id")))
        .map(|key| Part::row(PartCollection::Files, key));
    let junctions = raw
        .objects("images")
        .filter_map(|row| row.key("id"))
        .map(|key| Part::row(PartCollection::PropertyFiles, key));
    let location = raw.object("location");
    let around = place::around(location.unwrap_or(raw));
    let places = location.into_iter().chain(around).filter_map(|it| it.key("id"));
    let entries = way_up(raw, "parent")
        .into_iter()
        .filter_map(|it| it.key("id"))
        .map(|key| Part::Aggregate(AggregateId::new(Collection::Navigation, key)));
    let mut parts: Vec<Part> = translations
        .chain(pictures)
        .chain(junctions)
        .chain(places.map(Part::location))
        .chain(entries)
        .collect();
    parts.retain(|part| AggregateId::is_valid_key(part.key()));
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// The items above `item`, each of which `field` of the one before names, the nearest first: each once,
/// also where they go round.
fn way_up<'a>(item: Raw<'a>, field: &str) -> Vec<Raw<'a>> {
    let mut known = vec![item.key("id")];
    let mut above = Vec::new();
    for outer in successors(item.object(field), |outer| outer.object(field)) {
        let key = outer.key("id");
        if known.contains(&key) {
            break;
        }
        known.push(key);
        above.push(outer);
    }
    above
}

/// The texts of every language that the site speaks and that has its `leading` field, the one
/// without which there is nothing to show.
fn localized<'a, T>(
    raw: Raw<'a>,
    leading: &str,
    text: impl Fn(String, Raw<'a>) -> Result<T, Violation>,
) -> Result<Localized<T>, Violation> {
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
    text: impl Fn(String, Raw<'a>) -> Result<T, Violation>,
) -> Result<Localized<T>, Violation> {
    let texts = localized(raw, leading, text)?;
    if texts.is_empty() {
        return Err(raw.breaks("translations", OtherRule::InALanguage));
    }
    Ok(texts)
}

/// The part of an address that `field` holds.
fn slug(raw: Raw<'_>, field: &str) -> Result<String, Violation> {
    address::<Slug>(raw, field, &raw.required_text(field)?)
}

/// `text`, which `field` holds, as an `A` that stands in addresses and in tags.
fn address<A: FromStr + Into<String>>(
    raw: Raw<'_>,
    field: &str,
    text: &str,
) -> Result<String, Violation> {
    let checked: A = text.parse().map_err(|_| raw.breaks(field, OtherRule::Address))?;
    Ok(checked.into())
}

/// A point, where both of its fields are given.
fn coordinates(raw: Raw<'_>) -> Result<Option<Coordinates>, Violation> {
    let (Some(lat), Some(lng)) = (raw.decimal("lat")?, raw.decimal("lng")?) else {
        return Ok(None);
    };
    Ok(Some(Coordinates { lat, lng }))
}
