//! Makes list items and cards from the rows of properties.

use contracts::{Locale, content::Coordinates, property_path};
use read_models::PropertyCard;

use crate::{CardItem, LocationName, PropertyItem};

/// How many pictures of a property a card shows.
pub const CARD_PICTURES: usize = 1;
/// How many pictures of a property its page shows before scrolling.
pub const PAGE_PICTURES: usize = 5;

/// Returns the list item of `card`, with its path, and with placeholders only for the first `shown` pictures.
pub fn list_item(mut card: PropertyCard, shown: usize) -> PropertyItem {
    for picture in card.images.iter_mut().skip(shown) {
        picture.placeholder = None;
    }
    PropertyItem {
        url: card.locale.path_of(&property_path(&card.location_slug, &card.reference)),
        reference: card.reference,
        title: card.title,
        summary: card.summary,
        language: card.language,
        location: LocationName { slug: card.location_slug, name: card.location_name },
        property_type: card.property_type,
        kind: card.kind,
        status: card.status,
        price: card.price,
        previous_price: card.previous_price,
        bedrooms: card.bedrooms,
        bathrooms: card.bathrooms,
        built_area: card.built_area,
        plot_area: card.plot_area,
        features: card.features,
        featured: card.featured,
        reduced: card.reduced,
        new_build: card.new_build,
        energy: card.energy,
        published_at: card.listed_at,
        updated_at: card.updated_at,
        coordinates: coordinates(card.lat, card.lng),
        images: card.images,
    }
}

impl CardItem {
    /// Returns the part of `item` that a card shows to readers of `locale`.
    pub fn of(mut item: PropertyItem, locale: Locale) -> Self {
        item.images.truncate(CARD_PICTURES);
        Self {
            reference: item.reference,
            title: item.title,
            language: (item.language != locale).then_some(item.language),
            location: item.location,
            kind: item.kind,
            status: item.status,
            price: item.price,
            previous_price: item.previous_price,
            bedrooms: item.bedrooms,
            bathrooms: item.bathrooms,
            built_area: item.built_area,
            plot_area: item.plot_area,
            reduced: item.reduced,
            new_build: item.new_build,
            energy_rating: item.energy.map(|label| label.rating),
            published_at: item.published_at,
            images: item.images,
        }
    }
}

/// Returns the coordinates, if both numbers are known.
pub fn coordinates(lat: Option<f64>, lng: Option<f64>) -> Option<Coordinates> {
    Some(Coordinates { lat: lat?, lng: lng? })
}
