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

/// How many properties each choice of a facet would leave, by the value as the parameter takes it, in
/// the order in which the index counts them.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = BTreeMap<String, u64>)]
pub struct Counts(pub Vec<(String, u64)>);

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(value, count)| (value, count)))
    }
}

/// How a figure is spread over buckets. Properties without the figure are in none.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Histogram {
    /// The least figure of each bucket, ascending. A bucket ends where the next begins; the last is
    /// open.
    pub from: Vec<i64>,
    /// How many properties each bucket has.
    pub counts: Vec<u64>,
}

/// The facets of a list; each leaves its own filter out, but features, which all have to hold: the
/// number beside one is how many are left with it too. What would leave nothing is there, with a count
/// of 0.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Facets {
    /// By type.
    pub property_type: Counts,
    /// By kind.
    pub kind: Counts,
    /// By place.
    pub location: Counts,
    /// By status.
    pub status: Counts,
    /// By feature.
    pub features: Counts,
    /// By bedrooms at least.
    pub bedrooms: Counts,
    /// By bathrooms at least.
    pub bathrooms: Counts,
    /// By energy rating, A to G.
    pub energy: Counts,
    /// By days since it was listed, at most: 7, 30, 90.
    pub new_within: Counts,
    /// How many are reduced.
    pub reduced: u64,
    /// How many are featured.
    pub featured: u64,
    /// How many are new builds.
    pub new_build: u64,
    /// By price, euros.
    pub price: Histogram,
    /// By built size, m².
    pub built_area: Histogram,
    /// By plot, m².
    pub plot_area: Histogram,
}

/// A part of the words that became a filter.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Understood {
    /// The part as it was typed.
    pub text: String,
    /// The parameter that it stands for; `rent`, which is none, where homes to rent are asked for.
    pub parameter: String,
    /// The parameter's value.
    pub value: String,
    /// The pounds that were asked for, where the value is what they are worth in euros.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pounds: Option<Pounds>,
}

/// An amount in pounds, and at which rate it was made euros.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pounds {
    /// Pounds.
    pub amount: i64,
    /// Pounds for a euro, as the editors keep it.
    pub rate: f64,
    /// The day of the rate.
    pub as_of: NaiveDate,
}

/// A filter without which something would be found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Loosen {
    /// The parameters that it was given by.
    pub parameters: Vec<String>,
    /// How many would fit without it.
    pub count: u64,
}

/// A page of a list, in the form that was asked for.
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
        let description = Some("A page of a list, in the form that was asked for.");
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
    /// What the page says beside them.
    #[serde(flatten)]
    pub page: ListPage,
}

/// A page of a list of cards.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CardList {
    /// The properties of the page.
    #[schema(value_type = Vec<CardItem>)]
    pub items: Vec<Arc<RawValue>>,
    /// What the page says beside them.
    #[serde(flatten)]
    pub page: ListPage,
}

/// Homes that were asked for by name.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChosenCards {
    /// Those that are on the site.
    #[schema(value_type = Vec<CardItem>)]
    pub items: Vec<Arc<RawValue>>,
    /// The references that no home on the site has: those of homes that left it or never were on it, and
    /// former ones.
    pub gone: Vec<String>,
    /// Of former references of homes on the site, which ones they have now. Their cards come last.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub moved: BTreeMap<String, String>,
}

/// What a page of a list says beside its properties.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListPage {
    /// How many there are on all pages.
    pub total: u64,
    /// The page, from 1.
    pub page: u32,
    /// How many a page has.
    pub per_page: u32,
    /// What further choices would leave.
    pub facets: Facets,
    /// What is left of `q` as words to be found, after [`Self::understood`] was taken out.
    pub words: String,
    /// The parts of `q` that became filters.
    pub understood: Vec<Understood>,
    /// The parts of `q` that are not asked for, or empty: addresses of other sites' pages, and words
    /// that nothing has which fits what was understood, where that is shown without them.
    pub left_out: String,
    /// The parts of `q` that rule out what no filter can say, such as "no stairs", or empty: they are not
    /// asked for, since what has their words is what is not wanted.
    pub ruled_out: String,
    /// Where nothing fits: which single filter to give up, the most fruitful first.
    pub loosen: Vec<Loosen>,
    /// The position that the answer was made from.
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

/// Properties that are too near each other to be told apart at this zoom.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MapCluster {
    /// Latitude of their middle.
    pub lat: f64,
    /// Longitude of their middle.
    pub lng: f64,
    /// How many they are.
    pub count: u64,
    /// What holds them all.
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
    /// Euros; none where it is told on request.
    pub price: Option<i64>,
    /// Where the sale stands.
    pub status: ListingStatus,
}

/// What a list finds, on the map.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PropertyMap {
    /// How many fit: the list's own total.
    pub total: u64,
    /// How many of them have no coordinates.
    pub unplaced: u64,
    /// Those that stand close together.
    pub clusters: Vec<MapCluster>,
    /// Those that stand alone.
    pub pins: Vec<MapPin>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}
