//! Places and their nesting.

use contracts::{
    Collection, Slug, Violation,
    content::{Location, LocationRef, LocationText},
    rules::OtherRule,
};
use serde_json::Value;

use super::{coordinates, items_above, localized, picture, required_text, slug};
use crate::{fields::MAX_AROUND, raw::Raw};

pub(super) fn location(raw: Raw<'_>) -> Result<Location, Violation> {
    check_around(raw)?;
    Ok(Location {
        slug: slug(raw, "slug")?,
        ancestors: ancestors(raw),
        sort: raw.integer("sort")?,
        coordinates: coordinates(raw)?,
        image: picture::picture(raw, "image")?,
        text: required_text(raw, "name", |name, row| {
            Ok(LocationText {
                name,
                intro: row.text_or_empty("intro")?,
                description: row.text_or_empty("description")?,
            })
        })?,
    })
}

/// Returns the place of the property, if it is published.
pub(super) fn of_property(raw: Raw<'_>) -> Result<LocationRef, Violation> {
    let rule = OtherRule::PublishedPlace;
    let place = raw.object("location").ok_or_else(|| raw.breaks("location", rule))?;
    let wrong = || rule.broken("location", &Value::from(editor_label(place)));
    if place.text("status")?.as_deref() != Some("published") {
        return Err(wrong());
    }
    let name = localized(place, "name", |name, _| Ok(name)).map_err(|_| wrong())?;
    let key = place.key("id").filter(|_| !name.is_empty()).ok_or_else(wrong)?;
    let slug = slug(place, "slug").map_err(|_| wrong())?;
    Ok(LocationRef { key, slug, name, ancestors: ancestors(place) })
}

/// Describes `place` for editors: `locations/5 “maro”`, or `locations/5 (draft) “maro”`. The slug comes last,
/// because long values are truncated.
pub(super) fn editor_label(place: Raw<'_>) -> String {
    let text = |field| place.key(field).unwrap_or_else(|| "null".to_owned());
    let status = match text("status") {
        status if status == "published" => String::new(),
        status => format!(" ({status})"),
    };
    format!("{}/{}{status} “{}”", Collection::Locations, text("id"), text("slug"))
}

/// Returns the places that contain `place`, the nearest first. A cycle is followed once.
pub(super) fn around(place: Raw<'_>) -> Vec<Raw<'_>> {
    items_above(place, "part_of")
}

/// Returns the slugs of the published places that contain `place`. A withdrawn one is skipped: its content
/// stays on the site, in the places around it.
fn ancestors(place: Raw<'_>) -> Vec<String> {
    around(place).into_iter().filter_map(published_slug).collect()
}

/// Returns the slug of `place`, if it is published.
pub(super) fn published_slug(place: Raw<'_>) -> Option<String> {
    let status = place.text("status").ok().flatten();
    let slug = place.text("slug").ok().flatten()?;
    (status.as_deref() == Some("published") && Slug::is_valid(&slug)).then_some(slug)
}

/// Checks that the place is not inside itself, and not nested deeper than is read.
fn check_around(place: Raw<'_>) -> Result<(), Violation> {
    let key = place.key("id");
    let outer = around(place);
    let last = outer.last().copied().unwrap_or(place);
    let after_last = last.object("part_of");
    let rule = if after_last.is_some_and(|again| again.key("id") == key) {
        OtherRule::PlaceNotInItself
    } else if outer.len() >= MAX_AROUND && last.key("part_of").is_some() {
        OtherRule::PlaceDepth
    } else {
        return Ok(());
    };
    // The nesting, described for editors: `torrox-costa in torrox in torrox-costa`.
    let way: Vec<&str> = std::iter::once(place)
        .chain(outer)
        .chain(after_last)
        .filter_map(|place| place.value("slug").as_str())
        .collect();
    Err(rule.broken("part_of", &Value::from(way.join(" in "))))
}
