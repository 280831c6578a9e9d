//! Places, and which lie in which.

use contracts::{
    Collection, Slug, Violation,
    content::{Location, LocationRef, LocationText},
    rules::OtherRule,
};
use serde_json::Value;

use super::{coordinates, localized, picture, required_text, slug, way_up};
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

/// The place that the property names, if the public may know of it.
pub(super) fn of_property(raw: Raw<'_>) -> Result<LocationRef, Violation> {
    let rule = OtherRule::PublishedPlace;
    let place = raw.object("location").ok_or_else(|| raw.breaks("location", rule))?;
    let wrong = || rule.broken("location", &Value::from(as_known(place)));
    if place.text("status")?.as_deref() != Some("published") {
        return Err(wrong());
    }
    let name = localized(place, "name", |name, _| Ok(name)).map_err(|_| wrong())?;
    let key = place.key("id").filter(|_| !name.is_empty()).ok_or_else(wrong)?;
    let slug = slug(place, "slug").map_err(|_| wrong())?;
    Ok(LocationRef { key, slug, name, ancestors: ancestors(place) })
}

/// `place` as editors know it: `locations/5 “maro”`, or `locations/5 (draft) “maro”`. Its slug comes last,
/// since what is long is cut.
pub(super) fn as_known(place: Raw<'_>) -> String {
    let text = |field| place.key(field).unwrap_or_else(|| "null".to_owned());
    let status = match text("status") {
        status if status == "published" => String::new(),
        status => format!(" ({status})"),
    };
    format!("{}/{}{status} “{}”", Collection::Locations, text("id"), text("slug"))
}

/// The places that `place` is part of, the nearest first: each once, also where they go round.
pub(super) fn around(place: Raw<'_>) -> Vec<Raw<'_>> {
    way_up(place, "part_of")
}

/// The slugs of the published ones among them. One that editors have withdrawn takes nothing off the
/// site: what lies in it lies in what is around it.
fn ancestors(place: Raw<'_>) -> Vec<String> {
    around(place).into_iter().filter_map(published_slug).collect()
}

/// The slug of `place`, if the public may know of it.
pub(super) fn published_slug(place: Raw<'_>) -> Option<String> {
    let status = place.text("status").ok().flatten();
    let slug = place.text("slug").ok().flatten()?;
    (status.as_deref() == Some("published") && Slug::is(&slug)).then_some(slug)
}

/// That no place lies in itself, and none deeper than is read.
fn check_around(place: Raw<'_>) -> Result<(), Violation> {
    let key = place.key("id");
    let outer = around(place);
    let last = outer.last().copied().unwrap_or(place);
    let after_last = last.object("part_of");
    let rule = if after_last.is_some_and(|again| again.key("id") == key) {
        OtherRule::PlaceElsewhere
    } else if outer.len() >= MAX_AROUND && last.key("part_of").is_some() {
        OtherRule::PlaceNearTheTop
    } else {
        return Ok(());
    };
    // The way up, as editors know places: `torrox-costa in torrox in torrox-costa`.
    let way: Vec<&str> = std::iter::once(place)
        .chain(outer)
        .chain(after_last)
        .filter_map(|place| place.value("slug").as_str())
        .collect();
    Err(rule.broken("part_of", &Value::from(way.join(" in "))))
}
