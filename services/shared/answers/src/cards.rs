//! Properties as cards: the rows behind list items.

use contracts::{Locale, content::Coordinates};
use read_models::PropertyCard;

use crate::{CardItem, LocationName, PropertyItem};

/// How many pictures of a property a card shows.
pub const ON_CARD: usize = 1;
/// How many its page shows before it is scrolled.
pub const ON_PAGE: usize = 5;

/// The item of `card`, with its address and with placeholders for the first `shown` pictures.
pub fn item(mut card: PropertyCard, shown: usize) -> PropertyItem {
    for picture in card.images.iter_mut().skip(shown) {
        picture.placeholder = None;
    }
    PropertyItem {
        url: property_path(card.locale, &card.location_slug, &card.reference),
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
    /// What a card shows of `item` to readers of `locale`.
    pub fn of(mut item: PropertyItem, locale: Locale) -> Self {
        item.images.truncate(ON_CARD);
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

/// The path of a property's page.
pub fn property_path(locale: Locale, location: &str, reference: &str) -> String {
    format!("{}/property-for-sale/{location}/{reference}", locale.path_prefix())
}

/// A point, where both of its numbers are known.
pub fn coordinates(lat: Option<f64>, lng: Option<f64>) -> Option<Coordinates> {
    Some(Coordinates { lat: lat?, lng: lng? })
}
