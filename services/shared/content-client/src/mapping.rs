//! Maps items of the content service to snapshots for the log.

mod check;
mod comparable;
mod editorial;
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

pub(crate) use self::check::publication_violations;
use crate::{
    raw::Raw,
    reading::{ComparableItem, Hidden, Part, Reading},
};

/// Maps `raw`, an item of `collection`, to a reading.
pub(crate) fn reading(collection: Collection, raw: Raw<'_>) -> Reading {
    let parts = parts(collection, raw);
    if let Some(reason) = hidden(collection, raw) {
        return Reading::Hidden { reason, parts };
    }
    let mut violations = publication_violations(collection, raw);
    match snapshot(collection, raw) {
        Ok(snapshot) if violations.is_empty() => {
            let (snapshot, files) = (Box::new(snapshot), picture::files(raw));
            return Reading::Published { snapshot, parts, files };
        }
        Ok(_) => {}
        Err(broken) => violations.extend(broken),
    }
    Reading::Invalid { violations, parts }
}

/// Returns the content of `item` even if it breaks rules; `None` if it is a draft or archived.
pub(crate) fn comparable(
    collection: Collection,
    item: &Map<String, Value>,
) -> Option<ComparableItem> {
    let mut item = item.clone();
    let withdrawn_place = match hidden(collection, Raw::new(&item)) {
        Some(Hidden::NotPublished { .. }) => return None,
        Some(Hidden::NoPublishedLocation { .. }) => publish_place(&mut item),
        // The mapping reports this violation.
        Some(Hidden::NoPublishedEntry { .. }) | None => None,
    };
    let (snapshot, broken) = comparable::comparable(collection, &item);
    let content = snapshot.and_then(|snapshot| serde_json::to_value(snapshot).ok());
    let violations = withdrawn_place.into_iter().chain(broken).collect();
    Some(ComparableItem { content, violations })
}

/// Changes `home` so that its place is read as published. Returns the broken rule if the place is not.
pub(crate) fn publish_place(home: &mut Map<String, Value>) -> Option<Violation> {
    let place = home.get_mut("location")?.as_object_mut()?;
    let label = place::editor_label(Raw::new(place));
    let status = place.insert("status".to_owned(), json!("published"))?;
    (status != "published").then(|| OtherRule::PublishedPlace.broken("location", &json!(label)))
}

/// Returns the pictures that would be omitted from `raw` according to the content service's file metadata,
/// each with its field and the rule that it breaks.
pub(crate) fn left_out(raw: Raw<'_>) -> Vec<Violation> {
    let files = picture::files(raw);
    files.iter().filter_map(|file| Some(file.left_out(file.fault?))).collect()
}

/// Returns the snapshot of `raw`, whether it is public or not.
///
/// # Errors
/// Returns every field rule that it breaks.
pub(crate) fn snapshot(collection: Collection, raw: Raw<'_>) -> Result<Snapshot, Vec<Violation>> {
    let violations = check::violations(collection, raw);
    if violations.is_empty() {
        return mapped(collection, raw).map_err(|violation| vec![violation]);
    }
    Err(violations)
}

/// Returns why editors hide the item, if they do. Only a status hides an item; anything else that keeps it
/// from being shown is a violation. The settings have no status: they are always published.
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
            withdrawn(place)
                .map(|_| Hidden::NoPublishedLocation { place: place::editor_label(place) })
        }
        Collection::Navigation => {
            site::under_withdrawn(raw).map(|way| Hidden::NoPublishedEntry { way })
        }
        _ => None,
    }
}

/// Returns the status of a draft or archived item.
fn withdrawn(raw: Raw<'_>) -> Option<String> {
    let status = raw.text("status").ok().flatten();
    status.filter(|status| is_withdrawn(status))
}

/// Returns whether this status takes an item off the site.
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

/// Returns everything that the item displays, so that a change of it changes the item.
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
    let entries = items_above(raw, "parent")
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

/// Returns the items above `item`, the nearest first, by following the relation `field`. A cycle is followed
/// once.
fn items_above<'a>(item: Raw<'a>, field: &str) -> Vec<Raw<'a>> {
    let mut visited = vec![item.key("id")];
    let mut above = Vec::new();
    for outer in successors(item.object(field), |outer| outer.object(field)) {
        let key = outer.key("id");
        if visited.contains(&key) {
            break;
        }
        visited.push(key);
        above.push(outer);
    }
    above
}

/// Returns the texts in each language of the site in which the `leading` field is filled. Without that field
/// there is nothing to show.
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

/// The same as [`localized`], but at least one language is required.
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

/// Returns the slug in `field`.
fn slug(raw: Raw<'_>, field: &str) -> Result<String, Violation> {
    address::<Slug>(raw, field, &raw.required_text(field)?)
}

/// Parses `text`, the value of `field`, as an `A` that is used in URLs and cache tags.
fn address<A: FromStr + Into<String>>(
    raw: Raw<'_>,
    field: &str,
    text: &str,
) -> Result<String, Violation> {
    let checked: A = text.parse().map_err(|_| raw.breaks(field, OtherRule::Address))?;
    Ok(checked.into())
}

/// Returns the coordinates, if both fields are filled.
fn coordinates(raw: Raw<'_>) -> Result<Option<Coordinates>, Violation> {
    let (Some(lat), Some(lng)) = (raw.decimal("lat")?, raw.decimal("lng")?) else {
        return Ok(None);
    };
    Ok(Some(Coordinates { lat, lng }))
}
