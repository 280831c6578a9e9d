//! Properties: as list items, as cards, in detail, and withdrawn.

use std::{ops::Not, sync::Arc};

use chrono::{DateTime, Utc};
use contracts::{
    Locale, Sequence,
    content::{
        AnnualCosts, Coordinates, EnergyLabel, EnergyRating, ListingStatus, Particulars,
        PropertyKind, PropertyType,
    },
};
use read_models::PropertyRow;
use runtime::problem::Problem;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;

use crate::{LocationName, PAGE_PICTURES, Picture, list_item};

/// A property in a list, with all fields that lists have.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PropertyItem {
    /// The agency's reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The path of its page.
    pub url: String,
    /// The title.
    pub title: String,
    /// A sentence or two.
    pub summary: String,
    /// The language of the texts. It differs from the requested one if there is no translation.
    pub language: Locale,
    /// The place in which it is listed.
    pub location: LocationName,
    /// The type that visitors filter by.
    pub property_type: PropertyType,
    /// The exact kind of the property.
    pub kind: PropertyKind,
    /// The status of the sale.
    pub status: ListingStatus,
    /// The price in euros; null or omitted if it is on request.
    pub price: Option<i64>,
    /// The price before the last reduction, in euros.
    pub previous_price: Option<i64>,
    /// Bedrooms.
    pub bedrooms: Option<i64>,
    /// Bathrooms.
    pub bathrooms: Option<i64>,
    /// Built area, m².
    pub built_area: Option<i64>,
    /// Plot area, m².
    pub plot_area: Option<i64>,
    /// Its features, in kebab case.
    pub features: Vec<String>,
    /// Whether the editors feature it.
    pub featured: bool,
    /// Whether its price has been reduced.
    pub reduced: bool,
    /// Whether it is a new build, never lived in.
    pub new_build: bool,
    /// The energy certificate, or why there is none.
    pub energy: Option<EnergyLabel>,
    /// When it was first listed.
    pub published_at: DateTime<Utc>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
    /// Its coordinates.
    pub coordinates: Option<Coordinates>,
    /// Its pictures, in order.
    pub images: Vec<Picture>,
}

/// A property in a list of cards: what a visitor sees before opening it. Missing values and false
/// flags are omitted.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardItem {
    /// The agency's reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The title.
    pub title: String,
    /// The language of the title, if it is not the requested one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Locale>,
    /// The place in which it is listed.
    pub location: LocationName,
    /// The exact kind of the property.
    pub kind: PropertyKind,
    /// The status of the sale.
    pub status: ListingStatus,
    /// The price in euros; null or omitted if it is on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<i64>,
    /// The price before the last reduction, in euros.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_price: Option<i64>,
    /// Bedrooms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bedrooms: Option<i64>,
    /// Bathrooms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bathrooms: Option<i64>,
    /// Built area, m².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub built_area: Option<i64>,
    /// Plot area, m².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plot_area: Option<i64>,
    /// Whether its price has been reduced.
    #[serde(skip_serializing_if = "Not::not")]
    #[schema(required = false)]
    pub reduced: bool,
    /// Whether it is a new build, never lived in.
    #[serde(skip_serializing_if = "Not::not")]
    #[schema(required = false)]
    pub new_build: bool,
    /// The rating of its energy certificate, or why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_rating: Option<EnergyRating>,
    /// When it was first listed.
    pub published_at: DateTime<Utc>,
    /// The cover picture only; empty if there is none.
    #[schema(max_items = 1)]
    pub images: Vec<Picture>,
}

/// A property for lists, serialized once in each form for all lists that show it.
#[derive(Clone, Debug)]
pub struct Card {
    /// The property.
    pub item: PropertyItem,
    /// [`Self::item`] as JSON.
    pub item_json: Arc<RawValue>,
    /// Its [`CardItem`] as JSON.
    pub card_json: Arc<RawValue>,
}

impl Card {
    /// Serializes `item` for readers of `locale`.
    pub fn new(item: PropertyItem, locale: Locale) -> serde_json::Result<Self> {
        let item_json = to_raw_value(&item)?.into();
        let card_json = to_raw_value(&CardItem::of(item.clone(), locale))?.into();
        Ok(Self { item, item_json, card_json })
    }
}

/// All details of a property.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PropertyDetail {
    /// The fields that lists have as well.
    #[serde(flatten)]
    pub item: PropertyItem,
    /// HTML.
    pub description: String,
    /// When its price was reduced, if it was.
    pub reduced_at: Option<DateTime<Utc>>,
    /// Terraces, m².
    pub terrace_area: Option<i64>,
    /// Year of building.
    pub year_built: Option<i64>,
    /// Floor, in the editors' words.
    pub floor: Option<String>,
    /// Yearly costs.
    pub annual_costs: AnnualCosts,
    /// Its orientation, rooms, video and tour; omitted if none of them is known.
    #[serde(skip_serializing_if = "Particulars::is_empty")]
    #[schema(required = false)]
    pub particulars: Particulars,
    /// The floor plan, if there is one; without a placeholder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_plan: Option<Picture>,
    /// The languages that it is written in.
    pub locales: Vec<Locale>,
    /// The first offer and each change since, oldest first.
    pub history: Vec<Offer>,
    /// Similar homes.
    pub similar: Vec<CardItem>,
    /// The position in the content log that the answer reflects.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

impl PropertyDetail {
    /// Returns the details of the property in `row`, with its `history` and `similar` homes, as of the position
    /// `sequence`.
    pub fn of(
        row: PropertyRow,
        history: Vec<Offer>,
        similar: Vec<CardItem>,
        sequence: Sequence,
    ) -> Self {
        Self {
            item: list_item(row.card, PAGE_PICTURES),
            description: row.description,
            reduced_at: row.reduced_at,
            terrace_area: row.terrace_area,
            year_built: row.year_built,
            floor: row.floor,
            annual_costs: row.annual_costs,
            particulars: row.particulars,
            floor_plan: row.floor_plan.map(|plan| Picture { placeholder: None, ..plan }),
            locales: row.locales,
            history,
            similar,
            sequence,
        }
    }
}

/// The price and status of a property from a point in time on.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Offer {
    /// When it started to be offered so.
    pub at: DateTime<Utc>,
    /// The price in euros; null if it was on request.
    pub price: Option<i64>,
    /// The status of the sale.
    pub status: ListingStatus,
}

/// A problem about a property that is no longer offered, with what to show instead.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WithdrawnProperty {
    /// The fields of every problem.
    #[serde(flatten)]
    pub problem: Problem,
    /// The agency's reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The place in which it was listed.
    pub location: LocationName,
    /// Whether the place is no longer on the site. In that case its name is the slug, which leads
    /// nowhere.
    #[serde(rename = "placeGone", skip_serializing_if = "Not::not")]
    #[schema(required = false)]
    pub place_gone: bool,
    /// Similar homes.
    pub similar: Vec<CardItem>,
}

/// A suggested completion.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Suggestion {
    /// `location`, `reference`, `type`, `feature`, `property` or `search`.
    pub kind: String,
    /// The text to show.
    pub label: String,
    /// The URL that it leads to.
    pub url: String,
    /// The number of properties that it finds, if it can find several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Whether everything that it leads to is a home to live in: garages, land and premises are
    /// not.
    pub homes: bool,
    /// The price in euros, if it is a property with a public price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<i64>,
    /// The cover picture, if it is a property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<Picture>,
}

/// Completions of the typed text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Suggestions {
    /// The suggestions, best first.
    pub items: Vec<Suggestion>,
    /// The position in the content log that the answer reflects.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}
