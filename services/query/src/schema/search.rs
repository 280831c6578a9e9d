//! Search results: pages of a list, facets, the map.

use std::{collections::BTreeMap, sync::Arc};

use chrono::NaiveDate;
use contracts::{Sequence, content::ListingStatus};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{Ref, RefOr, Schema, schema::AnyOfBuilder},
};

use super::{CardItem, PropertyItem};

/// The number of properties for each choice of a facet, by parameter value, in the order of the
/// index.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = BTreeMap<String, u64>)]
pub struct Counts(pub Vec<(String, u64)>);

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(value, count)| (value, count)))
    }
}

/// The distribution of a value over buckets. Properties without the value are not counted.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Histogram {
    /// The lower bound of each bucket, ascending. A bucket ends where the next one begins; the last
    /// one is open.
    pub from: Vec<i64>,
    /// The number of properties in each bucket.
    pub counts: Vec<u64>,
}

/// The facets of a list. Each facet is counted without its own filter. The exception is features,
/// which are combined with "and": the count of one is the number of properties that remain if it is
/// added. Choices that would leave no property are listed with a count of 0.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Facets {
    /// Counts by type.
    pub property_type: Counts,
    /// Counts by kind.
    pub kind: Counts,
    /// Counts by place.
    pub location: Counts,
    /// Counts by status.
    pub status: Counts,
    /// Counts by feature.
    pub features: Counts,
    /// Counts by minimum number of bedrooms.
    pub bedrooms: Counts,
    /// Counts by minimum number of bathrooms.
    pub bathrooms: Counts,
    /// Counts by energy rating, A to G.
    pub energy: Counts,
    /// Counts by maximum number of days since the listing: 7, 30, 90.
    pub new_within: Counts,
    /// The number of properties with a reduced price.
    pub reduced: u64,
    /// The number of featured properties.
    pub featured: u64,
    /// The number of new builds.
    pub new_build: u64,
    /// Histogram of the prices, in euros.
    pub price: Histogram,
    /// Histogram of the built areas, m².
    pub built_area: Histogram,
    /// Histogram of the plot areas, m².
    pub plot_area: Histogram,
}

/// A part of the search words that became a filter.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Understood {
    /// The part as typed.
    pub text: String,
    /// The parameter that it stands for. `rent`, which is not a parameter, stands for a search for
    /// homes to rent.
    pub parameter: String,
    /// The parameter's value.
    pub value: String,
    /// The amount in pounds, if the value was converted to euros from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pounds: Option<Pounds>,
}

/// An amount in pounds, with the exchange rate used to convert it to euros.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pounds {
    /// The amount in pounds.
    pub amount: i64,
    /// Pounds per euro, as maintained by the editors.
    pub rate: f64,
    /// The date of the rate.
    pub as_of: NaiveDate,
}

/// A filter whose removal would give results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Loosen {
    /// The parameters that set it.
    pub parameters: Vec<String>,
    /// The number of matches without it.
    pub count: u64,
}

/// A page of a list, in the requested form.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PropertyAnswer {
    /// With everything that a list knows of a property.
    Whole(PropertyList),
    /// With what a card shows of it.
    Cards(CardList),
}

/// Written by hand: the derived schema is a `oneOf`, and an empty page matches both.
impl PartialSchema for PropertyAnswer {
    fn schema() -> RefOr<Schema> {
        let whole = Ref::from_schema_name(PropertyList::name());
        let cards = Ref::from_schema_name(CardList::name());
        let description = Some("A page of a list, in the requested form.");
        AnyOfBuilder::new().description(description).item(whole).item(cards).into()
    }
}

impl ToSchema for PropertyAnswer {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((PropertyList::name().into(), PropertyList::schema()));
        schemas.push((CardList::name().into(), CardList::schema()));
        PropertyList::schemas(schemas);
        CardList::schemas(schemas);
    }
}

/// A page of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PropertyList {
    /// The properties of the page.
    #[schema(value_type = Vec<PropertyItem>)]
    pub items: Vec<Arc<RawValue>>,
    /// Everything on the page except the items.
    #[serde(flatten)]
    pub page: ListPage,
}

/// A page of a list of cards.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CardList {
    /// The properties of the page.
    #[schema(value_type = Vec<CardItem>)]
    pub items: Vec<Arc<RawValue>>,
    /// Everything on the page except the items.
    #[serde(flatten)]
    pub page: ListPage,
}

/// Homes requested by their references.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChosenCards {
    /// The homes that are on the site.
    #[schema(value_type = Vec<CardItem>)]
    pub items: Vec<Arc<RawValue>>,
    /// The requested references that no home on the site has: former references, and those of homes
    /// that left the site or were never on it.
    pub gone: Vec<String>,
    /// Maps former references of homes on the site to their current ones. The cards of these homes
    /// come last.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub moved: BTreeMap<String, String>,
}

/// Everything on a page of a list except the properties.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListPage {
    /// The number of items on all pages.
    pub total: u64,
    /// The number of the page, from 1.
    pub page: u32,
    /// The number of items on a page.
    pub per_page: u32,
    /// The facets: how many properties further filters would leave.
    pub facets: Facets,
    /// The words of `q` to be matched, after the parts in `understood` were removed.
    pub words: String,
    /// The parts of `q` that became filters.
    pub understood: Vec<Understood>,
    /// The parts of `q` that were ignored; may be empty. These are URLs of other sites, and words
    /// that match none of the properties that the filters leave, if the list is shown without them.
    pub left_out: String,
    /// The parts of `q` that exclude something that no filter can express, such as "no stairs"; may
    /// be empty. They are not searched for, because properties with these words are the unwanted
    /// ones.
    pub ruled_out: String,
    /// If nothing matches: the single filters whose removal would give results, those with the most
    /// results first.
    pub loosen: Vec<Loosen>,
    /// The position in the content log that the answer reflects.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// A rectangle on the map, degrees.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MapBounds {
    /// Western edge.
    pub west: f64,
    /// Southern edge.
    pub south: f64,
    /// Eastern edge.
    pub east: f64,
    /// Northern edge.
    pub north: f64,
}

/// Properties that are too close together to be shown separately at this zoom level.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MapCluster {
    /// The latitude of their centre.
    pub lat: f64,
    /// The longitude of their centre.
    pub lng: f64,
    /// The number of properties.
    pub count: u64,
    /// The bounding box of the properties.
    pub bounds: MapBounds,
}

/// A property on the map.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MapPin {
    /// The agency's reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The path of its page.
    pub url: String,
    /// The title.
    pub title: String,
    /// Latitude.
    pub lat: f64,
    /// Longitude.
    pub lng: f64,
    /// The price in euros; null or omitted if it is on request.
    pub price: Option<i64>,
    /// The status of the sale.
    pub status: ListingStatus,
}

/// The matching properties, on the map.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PropertyMap {
    /// The number of matching properties; the same as the total of the list.
    pub total: u64,
    /// The number of matching properties without coordinates.
    pub unplaced: u64,
    /// The groups of properties that are close together.
    pub clusters: Vec<MapCluster>,
    /// The properties that are shown separately.
    pub pins: Vec<MapPin>,
    /// The position in the content log that the answer reflects.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}
