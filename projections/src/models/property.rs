//! The rows of properties, as their cards and pages show them, and of their price history.

use contracts::{
    Locale, Offer, Reduction,
    content::{Coordinates, Property},
};
use read_models::{OfferRow, Picture, PropertyCard, PropertyRow};

use super::{Capture, languages_of};
use crate::{excerpt, html};

/// Returns the row of `property` for `locale`; `offers` is its price history. A property without any text
/// has its reference as title.
pub(super) fn row(
    capture: Capture<'_>,
    property: &Property,
    offers: &[Offer],
    locale: Locale,
) -> PropertyRow {
    let reduction = Reduction::of(property.price, offers);
    let text = property.text.get_or_fallback(locale);
    // The exact address is private; the public sees only the approximate location.
    let spot = property.coordinates.map(Coordinates::rounded);
    let place = property.location.name.get_or_fallback(locale).map(|(_, name)| name);
    let written = text.map(|(_, text)| text);
    let description =
        written.map_or_else(String::new, |text| html::fragment(&text.description, locale));
    let card = PropertyCard {
        key: capture.key.to_owned(),
        locale,
        reference: property.reference.clone(),
        language: text.map_or(locale, |(language, _)| language),
        title: written.map_or(&property.reference, |text| &text.title).clone(),
        summary: excerpt::summary(written.map_or("", |text| text.summary.as_str()), &description),
        location_slug: property.location.slug.clone(),
        location_name: place.unwrap_or(&property.location.slug).clone(),
        property_type: property.property_type,
        kind: property.kind,
        status: property.status,
        price: property.price,
        previous_price: reduction.map(|reduction| reduction.from),
        bedrooms: property.bedrooms,
        bathrooms: property.bathrooms,
        built_area: property.built_area,
        plot_area: property.plot_area,
        features: property.features.clone(),
        featured: property.featured,
        reduced: reduction.is_some(),
        new_build: property.new_build,
        energy: property.energy.clone(),
        listed_at: property.first_offered(offers),
        updated_at: property.updated_at,
        lat: spot.map(|point| point.lat),
        lng: spot.map(|point| point.lng),
        images: property.images.iter().map(|image| Picture::of(image, locale)).collect(),
    };
    PropertyRow {
        card,
        version: capture.version,
        changed_at: capture.at,
        locales: languages_of(&property.text),
        description,
        location_key: property.location.key.clone(),
        reduced_at: reduction.map(|reduction| reduction.at),
        terrace_area: property.terrace_area,
        year_built: property.year_built,
        floor: property.floor.clone(),
        annual_costs: property.annual_costs,
        particulars: property.particulars.clone(),
        floor_plan: property.floor_plan.as_ref().map(|plan| Picture::of(plan, locale)),
    }
}

/// Returns the row of `offer`, an offer of the property `key`.
pub(crate) fn offer(key: &str, offer: &Offer) -> OfferRow {
    OfferRow {
        key: key.to_owned(),
        version: offer.version,
        changed_at: offer.at,
        reference: offer.reference.clone(),
        location_slug: offer.location.clone(),
        property_type: offer.property_type,
        price: offer.price,
        status: offer.status,
    }
}
