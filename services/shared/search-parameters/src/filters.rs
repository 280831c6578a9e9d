//! The filters that list and map share: their parameters, and the query they make.

use std::{str::FromStr, time::SystemTime};

use contracts::{
    Locale, SearchParameter, Slug,
    content::{EnergyRating, ListingStatus, PropertyKind, PropertyType},
    day_of,
};
use search_index::{Filter, PropertyQuery, Sort};
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use crate::{
    areas::{Area, Bounds},
    parameters::Parameters,
};

const MAX_TEXT_LENGTH: usize = 200;
const MAX_EUROS: i64 = 1_000_000_000;
const MAX_SQUARE_METRES: i64 = 100_000_000;

/// The parameters, for the document; [`filters`] reads them.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the parameters, which are read one by one")]
#[derive(Debug)]
pub struct FilterParameters {
    /// The language of the texts, and of the words in `q`.
    locale: Option<Locale>,
    /// A search in words. Parts that express a filter become that filter, and replace the value of
    /// a parameter that can have only one. The other words have to match, except those that the
    /// list reports in `leftOut` and `ruledOut`; the map ignores the same ones.
    #[param(max_length = 200, example = "3 bed villa nerja under 400k")]
    q: Option<String>,
    /// Types; a property has to be of one of them.
    #[param(max_items = 50)]
    property_type: Option<Vec<PropertyType>>,
    /// Kinds; a property has to be of one of them.
    #[param(max_items = 50)]
    kind: Option<Vec<PropertyKind>>,
    /// Slugs of places; a property has to be in one of them or in one of their parts.
    #[param(max_items = 50)]
    location: Option<Vec<Slug>>,
    /// Slugs of places; a property must not be in any of them or of their parts.
    #[param(max_items = 50)]
    not_location: Option<Vec<Slug>>,
    /// Statuses; a property has to have one of them. Defaults to all except sold.
    #[param(max_items = 50)]
    status: Option<Vec<ListingStatus>>,
    /// The minimum price in euros. A property without a price matches no price limit; the same
    /// holds for sizes.
    #[param(minimum = 0, maximum = 1_000_000_000)]
    min_price: Option<i64>,
    /// The maximum price in euros.
    #[param(minimum = 0, maximum = 1_000_000_000)]
    max_price: Option<i64>,
    /// The minimum number of bedrooms.
    #[param(minimum = 0, maximum = 50)]
    min_bedrooms: Option<i64>,
    /// The maximum number of bedrooms. A property without this number matches no limit.
    #[param(minimum = 0, maximum = 50)]
    max_bedrooms: Option<i64>,
    /// The minimum number of bathrooms.
    #[param(minimum = 0, maximum = 50)]
    min_bathrooms: Option<i64>,
    /// The minimum built area, m².
    #[param(minimum = 0, maximum = 100_000_000)]
    min_built: Option<i64>,
    /// The maximum built area, m².
    #[param(minimum = 0, maximum = 100_000_000)]
    max_built: Option<i64>,
    /// The minimum plot area, m².
    #[param(minimum = 0, maximum = 100_000_000)]
    min_plot: Option<i64>,
    /// The maximum plot area, m².
    #[param(minimum = 0, maximum = 100_000_000)]
    max_plot: Option<i64>,
    /// Features; a property has to have all of them.
    #[param(max_items = 50)]
    features: Option<Vec<Feature>>,
    /// Features; a property must not have any of them.
    #[param(max_items = 50)]
    without_features: Option<Vec<Feature>>,
    /// Energy ratings; a property has to have one of them.
    #[param(max_items = 50)]
    energy: Option<Vec<EnergyLetter>>,
    /// The maximum number of days since the property was listed.
    #[param(minimum = 1, maximum = 365)]
    new_within: Option<i64>,
    /// `true`: only properties with a reduced price; `false`: only others.
    reduced: Option<bool>,
    /// `true`: only featured properties; `false`: only others.
    featured: Option<bool>,
    /// `true`: only new builds; `false`: only others.
    new_build: Option<bool>,
    /// A map area: west,south,east,north in degrees.
    #[param(example = "-4,36.7,-3.8,36.8")]
    bbox: Option<Bounds>,
    /// A drawn area: 3 to 60 corners, `lng,lat;lng,lat;…` in degrees.
    #[param(example = "-4,36.7;-3.8,36.7;-3.9,36.8")]
    area: Option<Area>,
}

/// Returns the current day in Spain, in days since 1970: a home stays new until midnight there.
pub fn today() -> i64 {
    day_of(SystemTime::now())
}

/// Takes the filters out of `given` and returns their query, sorted newest first. `today` counts the days
/// since 1970.
pub fn filters(given: &mut Parameters, today: i64) -> PropertyQuery {
    let euros = 0..=MAX_EUROS;
    let rooms = 0..=50_i64;
    let size = 0..=MAX_SQUARE_METRES;
    let places = |given: &mut Parameters, name: &str| {
        let slugs = given.all::<Slug>(name, "a place's slug").into_iter();
        slugs.map(String::from).collect()
    };
    let features = |given: &mut Parameters, name: &str| {
        let features = given.all(name, "a feature's name").into_iter();
        features.map(|Feature(name)| name).collect()
    };
    let energy = given
        .all::<EnergyLetter>(SearchParameter::Energy.name(), "a letter from A to G")
        .into_iter();
    PropertyQuery {
        locale: given.locale(),
        text: given
            .text(SearchParameter::Words.name(), MAX_TEXT_LENGTH)
            .filter(|text| !text.is_empty()),
        reference: None,
        property_types: given
            .all(SearchParameter::PropertyType.name(), "House, Apartment or Commercial"),
        kinds: given
            .all(SearchParameter::Kind.name(), "a kind of property, such as villa or penthouse"),
        locations: places(given, SearchParameter::Location.name()),
        not_locations: places(given, SearchParameter::NotLocation.name()),
        statuses: given.all(
            SearchParameter::Status.name(),
            "for_sale, under_offer, sale_agreed, pending or sold",
        ),
        statuses_from_text: false,
        min_price: given.number(SearchParameter::MinPrice.name(), &euros),
        max_price: given.number(SearchParameter::MaxPrice.name(), &euros),
        min_bedrooms: given.number(SearchParameter::MinBedrooms.name(), &rooms),
        max_bedrooms: given.number(SearchParameter::MaxBedrooms.name(), &rooms),
        min_bathrooms: given.number(SearchParameter::MinBathrooms.name(), &rooms),
        min_built: given.number(SearchParameter::MinBuilt.name(), &size),
        max_built: given.number(SearchParameter::MaxBuilt.name(), &size),
        min_plot: given.number(SearchParameter::MinPlot.name(), &size),
        max_plot: given.number(SearchParameter::MaxPlot.name(), &size),
        features: features(given, SearchParameter::Features.name()),
        without_features: features(given, SearchParameter::WithoutFeatures.name()),
        energy: energy.map(|EnergyLetter(letter)| letter).collect(),
        listed_within: given.number(SearchParameter::ListedWithin.name(), &(1..=365)),
        today,
        reduced: given.one(SearchParameter::Reduced.name(), "true or false"),
        featured: given.one(SearchParameter::Featured.name(), "true or false"),
        new_build: given.one(SearchParameter::NewBuild.name(), "true or false"),
        bounds: given
            .one(SearchParameter::Bounds.name(), "west,south,east,north in degrees")
            .map(|Bounds(bounds)| bounds),
        area: given
            .one(SearchParameter::Area.name(), "3 to 60 corners, lng,lat;lng,lat")
            .map(|Area(polygon)| polygon),
        sort: Sort::Newest,
        offset: 0,
        limit: 0,
    }
}

/// Returns the names of the parameters that set `filter` in `query`.
pub fn parameters_of(filter: Filter, query: &PropertyQuery) -> Vec<String> {
    let range = |min_parameter: SearchParameter, min: Option<i64>, max_parameter, max| {
        let limits = [(min_parameter, min), (max_parameter, max)].into_iter();
        limits.filter(|(_, limit)| limit.is_some()).map(|(it, _)| it.to_string()).collect()
    };
    let parameter = match filter {
        Filter::Words => SearchParameter::Words,
        Filter::PropertyType => SearchParameter::PropertyType,
        Filter::Kind => SearchParameter::Kind,
        Filter::Location => SearchParameter::Location,
        Filter::NotLocation => SearchParameter::NotLocation,
        Filter::Status => SearchParameter::Status,
        Filter::Price => {
            let (min, max) = (SearchParameter::MinPrice, SearchParameter::MaxPrice);
            return range(min, query.min_price, max, query.max_price);
        }
        Filter::Bedrooms => SearchParameter::MinBedrooms,
        Filter::MaxBedrooms => SearchParameter::MaxBedrooms,
        Filter::Bathrooms => SearchParameter::MinBathrooms,
        Filter::BuiltArea => {
            let (min, max) = (SearchParameter::MinBuilt, SearchParameter::MaxBuilt);
            return range(min, query.min_built, max, query.max_built);
        }
        Filter::PlotArea => {
            let (min, max) = (SearchParameter::MinPlot, SearchParameter::MaxPlot);
            return range(min, query.min_plot, max, query.max_plot);
        }
        Filter::Features => SearchParameter::Features,
        Filter::WithoutFeatures => SearchParameter::WithoutFeatures,
        Filter::Energy => SearchParameter::Energy,
        Filter::ListedWithin => SearchParameter::ListedWithin,
        Filter::Reduced => SearchParameter::Reduced,
        Filter::Featured => SearchParameter::Featured,
        Filter::NewBuild => SearchParameter::NewBuild,
        Filter::Bounds => SearchParameter::Bounds,
        Filter::Area => SearchParameter::Area,
    };
    vec![parameter.to_string()]
}

/// A feature, by its name in the facets.
#[derive(Debug, PartialEq, ToSchema)]
#[schema(min_length = 1)]
pub struct Feature(String);

impl FromStr for Feature {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        if name.is_empty() { Err(()) } else { Ok(Self(name.to_owned())) }
    }
}

/// A rating that is a letter.
#[derive(Debug, PartialEq)]
pub struct EnergyLetter(EnergyRating);

impl FromStr for EnergyLetter {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.parse() {
            Ok(EnergyRating::InProcess | EnergyRating::Exempt) | Err(_) => Err(()),
            Ok(letter) => Ok(Self(letter)),
        }
    }
}

impl PartialSchema for EnergyLetter {
    fn schema() -> RefOr<Schema> {
        let letters = ["A", "B", "C", "D", "E", "F", "G"];
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(letters)).into()
    }
}

impl ToSchema for EnergyLetter {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::InvalidParameters;

    fn parse(query: &str) -> Result<PropertyQuery, Vec<String>> {
        let mut given = Parameters::parse(Some(query));
        let read = filters(&mut given, 20_000);
        match given.finish() {
            Ok(()) => Ok(read),
            Err(InvalidParameters(errors)) => {
                Err(errors.into_iter().map(|error| error.field).collect())
            }
        }
    }

    #[test]
    fn every_parameter_of_the_api_is_parsed() {
        let query = parse(
            "locale=es&q=piscina&propertyType=House&propertyType=Apartment&location=nerja\
             &status=for_sale&minPrice=100000&maxPrice=500000&minBedrooms=2&minBathrooms=1\
             &minBuilt=80&maxBuilt=200&minPlot=500&maxPlot=9000&features=pool&features=garden\
             &kind=villa&kind=country-house&energy=A&energy=G&newWithin=30\
             &notLocation=maro&withoutFeatures=lift&maxBedrooms=3&newBuild=true\
             &reduced=true&featured=false&bbox=-4,36,-3,37&area=-4,36;-3,36;-3,37",
        )
        .expect("every parameter is in the API");
        assert_eq!(query.locale, Locale::Es);
        assert_eq!(query.property_types, [PropertyType::House, PropertyType::Apartment]);
        assert_eq!(query.kinds, [PropertyKind::Villa, PropertyKind::CountryHouse]);
        assert_eq!(query.features, ["pool", "garden"]);
        assert_eq!(query.energy, [EnergyRating::A, EnergyRating::G]);
        assert_eq!((query.min_bedrooms, query.max_bedrooms), (Some(2), Some(3)));
        assert_eq!(
            (&*query.locations, &*query.not_locations),
            (&["nerja".to_owned()][..], &["maro".to_owned()][..])
        );
        assert_eq!(
            (query.without_features, query.new_build),
            (vec!["lift".to_owned()], Some(true))
        );
        assert_eq!((query.min_built, query.max_built), (Some(80), Some(200)));
        assert_eq!((query.min_plot, query.max_plot), (Some(500), Some(9_000)));
        assert_eq!((query.listed_within, query.today), (Some(30), 20_000));
        assert!(query.bounds.is_some_and(|bounds| bounds.contains(36.5, -3.5)));
        let area = query.area.expect("an area");
        assert!(area.contains(36.2, -3.5) && !area.contains(36.9, -3.9));
    }

    #[test]
    fn every_parameter_is_described_and_read() {
        let described = FilterParameters::into_params(|| None).into_iter();
        let described: BTreeSet<String> = described.map(|parameter| parameter.name).collect();
        let names = SearchParameter::NAMES.iter().copied().chain(["locale"]);
        assert_eq!(described, names.map(str::to_owned).collect());
        for name in SearchParameter::NAMES {
            let mut given = Parameters::parse(Some(&format!("{name}=x")));
            filters(&mut given, 20_000);
            assert_eq!(given.text(name, 10), None, "{name} is left");
        }
    }

    #[test]
    fn errors_name_the_invalid_parameter() {
        let corners = |number: usize| vec!["-4,36"; number].join(";");
        for (query, field) in [
            ("propertyType=Castle", "propertyType"),
            ("kind=castle", "kind"),
            ("energy=H", "energy"),
            ("energy=exempt", "energy"),
            ("newWithin=0", "newWithin"),
            ("newWithin=366", "newWithin"),
            ("maxPlot=-1", "maxPlot"),
            ("bbox=1,2,3", "bbox"),
            ("bbox=-4,36,-3,91", "bbox"),
            ("bbox=-4, 36,-3,37", "bbox"),
            ("bbox=-4,36,-3,1e1", "bbox"),
            ("bbox=", "bbox"),
            ("area=-4,36;-3,36", "area"),
            ("area=-4,36;-3,36;-3", "area"),
            ("area=-4,36;-3,36;-3,NaN", "area"),
            ("area=-4,36;-3,36;-3,91", "area"),
            ("minPrice=-1", "minPrice"),
            ("minPrice=", "minPrice"),
            ("location=a%20b", "location"),
            ("features=", "features"),
            ("withoutFeatures=", "withoutFeatures"),
            ("notLocation=a%20b", "notLocation"),
            ("maxBedrooms=51", "maxBedrooms"),
            ("newBuild=1", "newBuild"),
            ("reduced=yes", "reduced"),
            ("colour=red", "colour"),
        ] {
            assert_eq!(parse(query).unwrap_err(), [field], "{query}");
        }
        assert!(parse(&format!("area={}", corners(60))).is_ok());
        assert_eq!(parse(&format!("area={}", corners(61))).unwrap_err(), ["area"]);
    }

    #[test]
    fn a_filter_is_reported_by_the_parameters_that_set_it() {
        let query = parse("maxPrice=100000&minPlot=1&maxPlot=2").expect("valid parameters");
        assert_eq!(parameters_of(Filter::Price, &query), ["maxPrice"]);
        assert_eq!(parameters_of(Filter::PlotArea, &query), ["minPlot", "maxPlot"]);
        assert_eq!(parameters_of(Filter::Words, &query), ["q"]);
    }
}
