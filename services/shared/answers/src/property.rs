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

/// A property in a list, with everything that a list knows of it.
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
    /// The language of the texts; another than asked for where there is no translation.
    pub language: Locale,
    /// Where it is listed.
    pub location: LocationName,
    /// The type that visitors choose by.
    pub property_type: PropertyType,
    /// What exactly it is.
    pub kind: PropertyKind,
    /// Where the sale stands.
    pub status: ListingStatus,
    /// Euros; none where it is told on request.
    pub price: Option<i64>,
    /// Euros before the last reduction.
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
    /// Put forward by the editors.
    pub featured: bool,
    /// Reduced in price.
    pub reduced: bool,
    /// Never lived in.
    pub new_build: bool,
    /// The energy certificate, or why there is none.
    pub energy: Option<EnergyLabel>,
    /// When it was first offered.
    pub published_at: DateTime<Utc>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
    /// Where it is.
    pub coordinates: Option<Coordinates>,
    /// Pictures in order.
    pub images: Vec<Picture>,
}

/// A property in a list of cards: the part of an item that a visitor sees before it is opened. What it
/// has not, and what does not hold of it, is left out.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardItem {
    /// The agency's reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The title.
    pub title: String,
    /// The language of the title, where that is another than asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Locale>,
    /// Where it is listed.
    pub location: LocationName,
    /// What exactly it is.
    pub kind: PropertyKind,
    /// Where the sale stands.
    pub status: ListingStatus,
    /// Euros; none where it is told on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<i64>,
    /// Euros before the last reduction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_price: Option<i64>,
    /// Bedrooms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bedrooms: Option<i64>,
    /// Bathrooms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bathrooms: Option<i64>,
    /// Built size, m².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub built_area: Option<i64>,
    /// Plot, m².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plot_area: Option<i64>,
    /// Reduced in price.
    #[serde(skip_serializing_if = "Not::not")]
    #[schema(required = false)]
    pub reduced: bool,
    /// Never lived in.
    #[serde(skip_serializing_if = "Not::not")]
    #[schema(required = false)]
    pub new_build: bool,
    /// What its energy certificate says, or that there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_rating: Option<EnergyRating>,
    /// When it was first offered.
    pub published_at: DateTime<Utc>,
    /// The cover alone; empty where it has no picture.
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

/// All of one property.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PropertyDetail {
    /// What lists show of it.
    #[serde(flatten)]
    pub item: PropertyItem,
    /// HTML.
    pub description: String,
    /// Since when less is asked for it than before, where that is so.
    pub reduced_at: Option<DateTime<Utc>>,
    /// Terraces, m².
    pub terrace_area: Option<i64>,
    /// Year of building.
    pub year_built: Option<i64>,
    /// Floor, in the editors' words.
    pub floor: Option<String>,
    /// Yearly costs.
    pub annual_costs: AnnualCosts,
    /// Which way it faces, its rooms, and what there is to watch of it; left out where nothing of
    /// that is known.
    #[serde(skip_serializing_if = "Particulars::is_empty")]
    #[schema(required = false)]
    pub particulars: Particulars,
    /// A drawing of its floors, where there is one; without a placeholder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_plan: Option<Picture>,
    /// The languages that it is written in.
    pub locales: Vec<Locale>,
    /// What it was first offered at, and each change since, the oldest first.
    pub history: Vec<Offer>,
    /// Homes like it.
    pub similar: Vec<CardItem>,
    /// The position that the answer was made from.
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

/// What a property was offered at, from a moment on.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Offer {
    /// Since when.
    pub at: DateTime<Utc>,
    /// Euros; none where it was told on request.
    pub price: Option<i64>,
    /// Where the sale stood.
    pub status: ListingStatus,
}

/// A property that was offered once: a problem that knows what to show instead.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WithdrawnProperty {
    /// What every problem says.
    #[serde(flatten)]
    pub problem: Problem,
    /// The agency's reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Where it was listed.
    pub location: LocationName,
    /// The site has that place no more: its slug stands for its name, and leads nowhere.
    #[serde(rename = "placeGone", skip_serializing_if = "Not::not")]
    #[schema(required = false)]
    pub place_gone: bool,
    /// Homes like it.
    pub similar: Vec<CardItem>,
}

/// What completes a word.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Suggestion {
    /// `location`, `reference`, `type`, `feature`, `property` or `search`.
    pub kind: String,
    /// What to show.
    pub label: String,
    /// Where it leads.
    pub url: String,
    /// How many properties it finds, where it can find several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Whether all that it leads to are homes to live in: a garage, land and premises are none.
    pub homes: bool,
    /// Euros, where it is one property whose price is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<i64>,
    /// The cover, where it is one property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<Picture>,
}

/// What completes what is being typed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Suggestions {
    /// The best first.
    pub items: Vec<Suggestion>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}
