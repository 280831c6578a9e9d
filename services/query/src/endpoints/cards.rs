//! Properties as cards: the rows behind list items.

use contracts::{
    Locale,
    content::{Coordinates, ListingStatus, PropertyKind, PropertyType},
};
use serde::Deserialize;

use crate::schema::{LocationName, Picture, PropertyItem};

/// The columns of `read.property` that a card shows.
pub(crate) const COLUMNS: &str = "reference, language, title, summary, location_slug, \
    location_name, property_type, kind, status, price, previous_price, bedrooms, bathrooms, \
    built_area, plot_area, features, featured, reduced, new_build, listed_at, updated_at, lat, \
    lng, images";

/// How many pictures of a property a card shows, and how many its page shows before it is scrolled.
pub(crate) const ON_CARD: usize = 1;
pub(crate) const ON_PAGE: usize = 5;

/// A row of [`COLUMNS`].
#[derive(Debug, Deserialize)]
pub(crate) struct CardRow {
    pub reference: String,
    language: Locale,
    title: String,
    summary: String,
    pub location_slug: String,
    location_name: String,
    property_type: PropertyType,
    kind: PropertyKind,
    status: ListingStatus,
    price: Option<i64>,
    previous_price: Option<i64>,
    bedrooms: Option<i64>,
    bathrooms: Option<i64>,
    built_area: Option<i64>,
    plot_area: Option<i64>,
    features: Vec<String>,
    featured: bool,
    reduced: bool,
    new_build: bool,
    listed_at: String,
    updated_at: String,
    lat: Option<f64>,
    lng: Option<f64>,
    images: Vec<Picture>,
}

impl CardRow {
    /// The item, with its address in `locale` and placeholders for the first `shown` pictures.
    pub fn into_item(mut self, locale: Locale, shown: usize) -> PropertyItem {
        for picture in self.images.iter_mut().skip(shown) {
            picture.placeholder = None;
        }
        PropertyItem {
            url: property_path(locale, &self.location_slug, &self.reference),
            reference: self.reference,
            title: self.title,
            summary: self.summary,
            language: self.language,
            location: LocationName { slug: self.location_slug, name: self.location_name },
            property_type: self.property_type,
            kind: self.kind,
            status: self.status,
            price: self.price,
            previous_price: self.previous_price,
            bedrooms: self.bedrooms,
            bathrooms: self.bathrooms,
            built_area: self.built_area,
            plot_area: self.plot_area,
            features: self.features,
            featured: self.featured,
            reduced: self.reduced,
            new_build: self.new_build,
            published_at: self.listed_at,
            updated_at: self.updated_at,
            coordinates: coordinates(self.lat, self.lng),
            images: self.images,
        }
    }
}

/// The path of a property's page.
pub(crate) fn property_path(locale: Locale, location: &str, reference: &str) -> String {
    format!("{}/property-for-sale/{location}/{reference}", locale.path_prefix())
}

/// A point, where both of its numbers are known.
pub(crate) fn coordinates(lat: Option<f64>, lng: Option<f64>) -> Option<Coordinates> {
    Some(Coordinates { lat: lat?, lng: lng? })
}
