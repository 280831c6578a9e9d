//! Properties, and the history of their offers.

use chrono::{DateTime, Utc};
use contracts::{
    Locale, Version,
    content::{AnnualCosts, EnergyLabel, ListingStatus, Particulars, PropertyKind, PropertyType},
};
use serde::{Deserialize, Serialize};

use crate::Picture;

/// `read.property_card`: what lists show of a property in one language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PropertyCard {
    /// The aggregate's key.
    pub key: String,
    /// The language of the row.
    pub locale: Locale,
    /// The agency's reference.
    pub reference: String,
    /// The language of the texts; another than [`Self::locale`] where there is no translation.
    pub language: Locale,
    /// The title; the reference where there is no text in any language.
    pub title: String,
    /// A sentence or two.
    pub summary: String,
    /// The slug of the place that it is listed under.
    pub location_slug: String,
    /// The place's name.
    pub location_name: String,
    /// The type that visitors choose by.
    pub property_type: PropertyType,
    /// The exact kind.
    pub kind: PropertyKind,
    /// The status of the sale.
    pub status: ListingStatus,
    /// The asking price in euros; none if it is only given on request.
    pub price: Option<i64>,
    /// The price before the last reduction, in euros.
    pub previous_price: Option<i64>,
    /// Bedrooms.
    pub bedrooms: Option<i64>,
    /// Bathrooms.
    pub bathrooms: Option<i64>,
    /// Built size, m².
    pub built_area: Option<i64>,
    /// Plot, m².
    pub plot_area: Option<i64>,
    /// Features in kebab case.
    pub features: Vec<String>,
    /// Featured by the editors.
    pub featured: bool,
    /// Reduced in price.
    pub reduced: bool,
    /// Never lived in.
    pub new_build: bool,
    /// The energy certificate.
    pub energy: Option<EnergyLabel>,
    /// When it was first offered.
    pub listed_at: DateTime<Utc>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
    /// Latitude of the approximate location; only clients who view the home learn the exact one.
    pub lat: Option<f64>,
    /// Longitude of the same.
    pub lng: Option<f64>,
    /// Pictures in order.
    pub images: Vec<Picture>,
}

/// `read.property`: all of a property in one language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PropertyRow {
    /// What lists show of it.
    #[serde(flatten)]
    pub card: PropertyCard,
    /// The version of the aggregate that the row was made from.
    pub version: Version,
    /// When that version was captured.
    pub changed_at: DateTime<Utc>,
    /// The languages that it is written in.
    pub locales: Vec<Locale>,
    /// HTML.
    pub description: String,
    /// The key of the place that it is listed under.
    pub location_key: String,
    /// When the price was reduced, if it is reduced.
    pub reduced_at: Option<DateTime<Utc>>,
    /// Terraces, m².
    pub terrace_area: Option<i64>,
    /// Year of building.
    pub year_built: Option<i64>,
    /// Floor, in the editors' words.
    pub floor: Option<String>,
    /// Yearly costs.
    pub annual_costs: AnnualCosts,
    /// Its orientation, its rooms, and its video and tour.
    pub particulars: Particulars,
    /// The floor plan.
    pub floor_plan: Option<Picture>,
}

/// `read.offer`: the price and status of a property, from one of its versions on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferRow {
    /// The aggregate's key.
    pub key: String,
    /// The version.
    pub version: Version,
    /// When that version was captured.
    pub changed_at: DateTime<Utc>,
    /// The reference at that time.
    pub reference: String,
    /// The slug of the place that it was listed under.
    pub location_slug: String,
    /// The type that visitors choose by.
    pub property_type: PropertyType,
    /// The asking price in euros; none if it was only given on request.
    pub price: Option<i64>,
    /// The status of the sale.
    pub status: ListingStatus,
}
