//! The filters that a text can ask for.

use contracts::{
    SearchParameter,
    content::{EnergyRating, ListingStatus, PropertyKind, PropertyType},
};

/// A filter with one value. Features are keys of the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FilterValue {
    /// A type.
    PropertyType(PropertyType),
    /// A kind.
    Kind(PropertyKind),
    /// The slug of a place.
    Location(String),
    /// The slug of an excluded place.
    NotLocation(String),
    /// A status.
    Status(ListingStatus),
    /// So much at least.
    Min(Quantity, i64),
    /// So much at most.
    Max(Quantity, i64),
    /// Bathrooms at least.
    MinBathrooms(i64),
    /// A feature.
    Feature(&'static str),
    /// An excluded feature.
    WithoutFeature(&'static str),
    /// An energy rating.
    Energy(EnergyRating),
    /// First offered within so many days.
    ListedWithin(i64),
    /// Reduced.
    Reduced,
    /// A new build.
    NewBuild,
    /// To rent. It filters nothing, because the index has no homes to rent.
    Rent,
}

/// A quantity with a minimum and a maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Euros.
    Price,
    /// Bedrooms.
    Bedrooms,
    /// The built size, m².
    BuiltArea,
    /// The plot, m².
    PlotArea,
}

impl Quantity {
    pub(super) const ALL: [Self; 4] =
        [Self::Price, Self::Bedrooms, Self::BuiltArea, Self::PlotArea];
}

impl FilterValue {
    /// Returns the name of the URL parameter; `rent`, which is no parameter, for homes to rent.
    pub const fn parameter(&self) -> &'static str {
        let parameter = match self {
            Self::PropertyType(_) => SearchParameter::PropertyType,
            Self::Kind(_) => SearchParameter::Kind,
            Self::Location(_) => SearchParameter::Location,
            Self::NotLocation(_) => SearchParameter::NotLocation,
            Self::Status(_) => SearchParameter::Status,
            Self::Min(Quantity::Price, _) => SearchParameter::MinPrice,
            Self::Max(Quantity::Price, _) => SearchParameter::MaxPrice,
            Self::Min(Quantity::Bedrooms, _) => SearchParameter::MinBedrooms,
            Self::Max(Quantity::Bedrooms, _) => SearchParameter::MaxBedrooms,
            Self::MinBathrooms(_) => SearchParameter::MinBathrooms,
            Self::Min(Quantity::BuiltArea, _) => SearchParameter::MinBuilt,
            Self::Max(Quantity::BuiltArea, _) => SearchParameter::MaxBuilt,
            Self::Min(Quantity::PlotArea, _) => SearchParameter::MinPlot,
            Self::Max(Quantity::PlotArea, _) => SearchParameter::MaxPlot,
            Self::Feature(_) => SearchParameter::Features,
            Self::WithoutFeature(_) => SearchParameter::WithoutFeatures,
            Self::Energy(_) => SearchParameter::Energy,
            Self::ListedWithin(_) => SearchParameter::ListedWithin,
            Self::Reduced => SearchParameter::Reduced,
            Self::NewBuild => SearchParameter::NewBuild,
            Self::Rent => return "rent",
        };
        parameter.name()
    }

    /// Returns the value, as in a URL.
    pub fn value(&self) -> String {
        match self {
            Self::PropertyType(property_type) => property_type.to_string(),
            Self::Kind(kind) => kind.to_string(),
            Self::Location(slug) | Self::NotLocation(slug) => slug.clone(),
            Self::Status(status) => status.to_string(),
            Self::Min(_, amount)
            | Self::Max(_, amount)
            | Self::MinBathrooms(amount)
            | Self::ListedWithin(amount) => amount.to_string(),
            Self::Feature(key) | Self::WithoutFeature(key) => (*key).to_owned(),
            Self::Energy(rating) => rating.to_string(),
            Self::Reduced | Self::NewBuild | Self::Rent => "true".to_owned(),
        }
    }

    /// Returns the kind, if it is one.
    pub(super) const fn kind(&self) -> Option<PropertyKind> {
        match self {
            Self::Kind(kind) => Some(*kind),
            _ => None,
        }
    }

    /// Returns the type, if it is one.
    pub(super) const fn property_type(&self) -> Option<PropertyType> {
        match self {
            Self::PropertyType(property_type) => Some(*property_type),
            _ => None,
        }
    }

    /// Returns whether it is a minimum or a maximum of `quantity`.
    pub(super) fn limits(&self, quantity: Quantity) -> bool {
        matches!(self, Self::Min(of, _) | Self::Max(of, _) if *of == quantity)
    }
}
