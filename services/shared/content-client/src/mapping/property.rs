//! Properties and the places that they are in.

use std::collections::BTreeSet;

use chrono::DateTime;
use contracts::content::{
    AnnualCosts, EnergyLabel, Location, LocationRef, LocationText, Property, PropertyText,
    PropertyType,
};

use super::{coordinates, is_slug, localized, picture, required_text, slug};
use crate::{raw::Raw, reading::Hidden};

pub(super) fn property(raw: Raw<'_>) -> Result<Property, Hidden> {
    let created = raw.moment("date_created")?.unwrap_or(DateTime::UNIX_EPOCH);
    Ok(Property {
        reference: reference(raw)?,
        status: raw.required_word("listing_status")?,
        property_type: property_type(raw)?,
        kind: raw.required_word("kind")?,
        price: raw.integer("price")?,
        previous_price: raw.integer("previous_price")?,
        reduced: raw.flag("reduced")?,
        featured: raw.flag("featured")?,
        new_build: raw.flag("new_build")?,
        listed_at: raw.moment("listed_on")?.unwrap_or(created),
        updated_at: raw.moment("date_updated")?.unwrap_or(created),
        bedrooms: raw.integer("bedrooms")?,
        bathrooms: raw.integer("bathrooms")?,
        built_area: raw.integer("built_m2")?,
        plot_area: raw.integer("plot_m2")?,
        terrace_area: raw.integer("terrace_m2")?,
        year_built: raw.integer("year_built")?,
        floor: raw.text("floor")?,
        features: features(raw)?,
        energy: energy(raw)?,
        annual_costs: AnnualCosts {
            community_fees: raw.integer("community_fees_year")?,
            ibi: raw.integer("ibi_year")?,
            garbage: raw.integer("garbage_year")?,
        },
        coordinates: coordinates(raw)?,
        location: published_location(raw)?,
        images: picture::gallery(raw, "images")?,
        text: required_text(raw, "title", |title, row| {
            Ok(PropertyText {
                title,
                summary: row.text_or_empty("summary")?,
                description: row.text_or_empty("description")?,
            })
        })?,
    })
}

pub(super) fn location(raw: Raw<'_>) -> Result<Location, Hidden> {
    Ok(Location {
        slug: slug(raw, "slug")?,
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

/// The agency's reference: the last part of an address, and of a tag.
fn reference(raw: Raw<'_>) -> Result<String, Hidden> {
    let reference = raw.required_text("ref")?;
    if is_slug(&reference) && !reference.contains('/') {
        Ok(reference)
    } else {
        Err(raw.wrong("ref"))
    }
}

fn property_type(raw: Raw<'_>) -> Result<PropertyType, Hidden> {
    match raw.required_text("property_type")?.as_str() {
        "house" => Ok(PropertyType::House),
        "apartment" => Ok(PropertyType::Apartment),
        "commercial" => Ok(PropertyType::Commercial),
        _ => Err(raw.wrong("property_type")),
    }
}

/// The place that the property names, if the public may know of it.
fn published_location(raw: Raw<'_>) -> Result<LocationRef, Hidden> {
    let place = raw.object("location").ok_or(Hidden::NoPublishedLocation)?;
    if place.text("status")?.as_deref() != Some("published") {
        return Err(Hidden::NoPublishedLocation);
    }
    let name = localized(place, "name", |name, _| Ok(name))?;
    let key = place.key("id").filter(|_| !name.is_empty()).ok_or(Hidden::NoPublishedLocation)?;
    let slug = slug(place, "slug").map_err(|_| Hidden::NoPublishedLocation)?;
    Ok(LocationRef { key, slug, name })
}

fn energy(raw: Raw<'_>) -> Result<Option<EnergyLabel>, Hidden> {
    let Some(rating) = raw.word("energy_rating")? else { return Ok(None) };
    Ok(Some(EnergyLabel {
        rating,
        consumption: raw.decimal("energy_value")?,
        emissions: raw.decimal("emissions_value")?,
        emissions_rating: raw.word("emissions_rating")?,
    }))
}

/// The editors' tags and what other fields say, as one set.
fn features(raw: Raw<'_>) -> Result<Vec<String>, Hidden> {
    let mut features: BTreeSet<String> =
        raw.texts("features")?.iter().map(|tag| kebab_case(tag)).collect();
    features.extend(
        raw.texts("views")?
            .iter()
            .map(|view| kebab_case(view))
            .map(|view| if view.ends_with("-view") { view } else { format!("{view}-view") }),
    );
    for (field, feature) in [("has_garden", "garden"), ("has_pool", "pool")] {
        if raw.flag(field)? {
            features.insert(feature.to_owned());
        }
    }
    features.remove("");
    Ok(features.into_iter().collect())
}

/// `Air conditioning ` as `air-conditioning`.
fn kebab_case(text: &str) -> String {
    text.to_lowercase()
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_kebab_case_however_they_were_typed() {
        assert_eq!(kebab_case("  Air  Conditioning"), "air-conditioning");
        assert_eq!(kebab_case("fitted_kitchen"), "fitted-kitchen");
        assert_eq!(kebab_case("--"), "");
    }
}
