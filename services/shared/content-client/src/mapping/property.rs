//! Properties.

use std::collections::BTreeSet;

use chrono::DateTime;
use contracts::{
    Reference, Violation,
    content::{
        AnnualCosts, EnergyLabel, EnergyRating, Property, PropertyKind, PropertyText, PropertyType,
    },
    rules::OtherRule,
};
use unicode_normalization::UnicodeNormalization;

use super::{address, coordinates, particulars::particulars, picture, place, required_text};
use crate::raw::Raw;

pub(super) fn property(raw: Raw<'_>) -> Result<Property, Violation> {
    let created = raw.moment("date_created")?.unwrap_or(DateTime::UNIX_EPOCH);
    let kind: PropertyKind = raw.required_word("kind")?;
    Ok(Property {
        reference: address::<Reference>(raw, "ref", &raw.required_text("ref")?)?,
        status: raw.required_word("listing_status")?,
        property_type: property_type(raw)?,
        kind,
        // A price of zero means that the price is on request.
        price: raw.integer("price")?.filter(|euros| *euros > 0),
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
        energy: energy(raw, kind)?,
        annual_costs: AnnualCosts {
            community_fees: raw.integer("community_fees_year")?,
            ibi: raw.integer("ibi_year")?,
            garbage: raw.integer("garbage_year")?,
        },
        coordinates: coordinates(raw)?,
        location: place::of_property(raw)?,
        particulars: particulars(raw)?,
        images: picture::gallery(raw, "images")?,
        floor_plan: picture::picture(raw, "floor_plan")?,
        text: required_text(raw, "title", |title, row| {
            Ok(PropertyText {
                title,
                summary: row.text_or_empty("summary")?,
                description: row.text_or_empty("description")?,
            })
        })?,
    })
}

fn property_type(raw: Raw<'_>) -> Result<PropertyType, Violation> {
    match raw.required_text("property_type")?.as_str() {
        "house" => Ok(PropertyType::House),
        "apartment" => Ok(PropertyType::Apartment),
        "commercial" => Ok(PropertyType::Commercial),
        _ => Err(raw.breaks("property_type", OtherRule::Word)),
    }
}

/// Returns the energy label; `None` for kinds that need none, even if editors have entered one.
fn energy(raw: Raw<'_>, kind: PropertyKind) -> Result<Option<EnergyLabel>, Violation> {
    let Some(rating) = raw.word("energy_rating")?.filter(|_| kind.needs_energy_rating()) else {
        return Ok(None);
    };
    let exemption = raw.word("energy_exemption")?;
    Ok(Some(EnergyLabel {
        rating,
        exemption: exemption.filter(|_| rating == EnergyRating::Exempt),
        consumption: raw.decimal("energy_value")?,
        emissions: raw.decimal("emissions_value")?,
        emissions_rating: raw.word("emissions_rating")?,
    }))
}

/// Returns the editors' tags and the features from other fields, as one set.
fn features(raw: Raw<'_>) -> Result<Vec<String>, Violation> {
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

/// Returns `Air conditioning ` as `air-conditioning`, with composed accents.
fn kebab_case(text: &str) -> String {
    let composed: String = text.nfc().collect();
    composed
        .to_lowercase()
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
        assert_eq!(kebab_case("Ban\u{303}o turco"), "baño-turco");
        assert_eq!(kebab_case("Baño turco"), "baño-turco");
        assert_eq!(kebab_case("--"), "");
    }
}
