//! Properties, and the closed sets of words that describe them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LocationRef, Particulars, Picture};
use crate::{closed_set, event::Offer, locale::Localized};

closed_set!(
    /// Where a sale stands.
    ListingStatus, "listing status", serialized {
        /// For sale.
        ForSale = "for_sale",
        /// Reserved: an offer is accepted, a deposit paid.
        UnderOffer = "under_offer",
        /// The private contract is signed.
        SaleAgreed = "sale_agreed",
        /// The notary's date is set.
        Pending = "pending",
        /// Sold.
        Sold = "sold",
    }
);

impl ListingStatus {
    /// Returns whether lists include it when no status is requested. All but sold ones are included.
    pub const fn is_listed_by_default(self) -> bool {
        !matches!(self, Self::Sold)
    }
}

closed_set!(
    /// The types that visitors filter by, named as in the public URLs.
    PropertyType, "property type", serialized {
        /// Houses and villas.
        House = "House",
        /// Flats of every kind.
        Apartment = "Apartment",
        /// Premises, land, garages.
        Commercial = "Commercial",
    }
);

impl PropertyType {
    /// Returns whether it is residential.
    pub const fn is_home(self) -> bool {
        !matches!(self, Self::Commercial)
    }
}

closed_set!(
    /// The exact kind of a property.
    PropertyKind, "kind of property", serialized {
        /// Detached house.
        Villa = "villa",
        /// House in a row.
        Townhouse = "townhouse",
        /// House in an old village.
        VillageHouse = "village-house",
        /// Finca or cortijo.
        CountryHouse = "country-house",
        /// Flat.
        Apartment = "apartment",
        /// Top-floor flat with terrace.
        Penthouse = "penthouse",
        /// One-room flat.
        Studio = "studio",
        /// Flat on two floors.
        Duplex = "duplex",
        /// Flat on the ground floor.
        GroundFloor = "ground-floor",
        /// Shop or premises.
        Premises = "premises",
        /// Bar or restaurant.
        Bar = "bar",
        /// Office.
        Office = "office",
        /// Land.
        Land = "land",
        /// Garage.
        Garage = "garage",
    }
);

impl PropertyKind {
    /// Returns whether its offers must state an energy rating. That applies to all buildings to live or work
    /// in whose indoor climate is controlled with energy (article 2 of Royal Decree 390/2021).
    pub const fn needs_energy_rating(self) -> bool {
        !matches!(self, Self::Land | Self::Garage)
    }
}

closed_set!(
    /// A family of kinds. Visitors who look for one family have no use for the others.
    KindFamily, "family of kinds", serialized {
        /// Homes to live in.
        Home = "home",
        /// Offices.
        Office = "office",
        /// Shops, premises, bars.
        Premises = "premises",
        /// Land.
        Land = "land",
        /// Garages.
        Garage = "garage",
    }
);

impl PropertyKind {
    /// Returns the family that it belongs to.
    pub const fn family(self) -> KindFamily {
        match self {
            Self::Villa
            | Self::Townhouse
            | Self::VillageHouse
            | Self::CountryHouse
            | Self::Apartment
            | Self::Penthouse
            | Self::Studio
            | Self::Duplex
            | Self::GroundFloor => KindFamily::Home,
            Self::Premises | Self::Bar => KindFamily::Premises,
            Self::Office => KindFamily::Office,
            Self::Land => KindFamily::Land,
            Self::Garage => KindFamily::Garage,
        }
    }

    /// Returns the type that visitors find it under, unless editors have chosen another.
    pub const fn usual_type(self) -> PropertyType {
        match self {
            Self::Villa | Self::Townhouse | Self::VillageHouse | Self::CountryHouse => {
                PropertyType::House
            }
            Self::Apartment | Self::Penthouse | Self::Studio | Self::Duplex | Self::GroundFloor => {
                PropertyType::Apartment
            }
            Self::Premises | Self::Bar | Self::Office | Self::Land | Self::Garage => {
                PropertyType::Commercial
            }
        }
    }

    /// Returns the names of the residential kinds.
    pub fn residential_names() -> Vec<&'static str> {
        let homes = Self::ALL.iter().filter(|kind| kind.family() == KindFamily::Home);
        homes.map(|kind| kind.name()).collect()
    }
}

closed_set!(
    /// The rating of the energy certificate, or why there is none.
    EnergyRating, "energy rating", serialized {
        /// Best.
        A = "A",
        /// Second.
        B = "B",
        /// Third.
        C = "C",
        /// Fourth.
        D = "D",
        /// Fifth.
        E = "E",
        /// Sixth.
        F = "F",
        /// Worst.
        G = "G",
        /// Applied for, but not issued yet.
        InProcess = "in_process",
        /// Not required by law.
        Exempt = "exempt",
    }
);

closed_set!(
    /// Why a building needs no energy certificate: article 3.2 of Royal Decree 390/2021, in its order.
    EnergyExemption, "reason for an energy exemption", serialized {
        /// Officially protected, if works would spoil its character.
        Protected = "protected",
        /// Built for use of at most two years.
        Temporary = "temporary",
        /// Industrial, agricultural or military, with a low demand for energy.
        LowDemand = "low_demand",
        /// Detached, with less than 50 m² of usable floor area.
        SmallDetached = "small_detached",
        /// Bought for demolition or a major renovation.
        DemolitionOrRenovation = "demolition_or_renovation",
    }
);

/// A point on the earth, in degrees (WGS 84).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Coordinates {
    /// Latitude, north positive.
    pub lat: f64,
    /// Longitude, east positive.
    pub lng: f64,
}

/// The grid lines per degree of the grid to which public coordinates are rounded. A cell is 280 m by 220 m
/// in the south of Spain.
const GRID_LINES_PER_DEGREE: f64 = 400.0;

impl Coordinates {
    /// Returns the approximate location, because the exact address is not public.
    #[must_use]
    pub fn rounded(self) -> Self {
        let nearest =
            |degrees: f64| (degrees * GRID_LINES_PER_DEGREE).round() / GRID_LINES_PER_DEGREE;
        Self { lat: nearest(self.lat), lng: nearest(self.lng) }
    }
}

/// The contents of the energy certificate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnergyLabel {
    /// The rating of the consumption, or why there is none.
    pub rating: EnergyRating,
    /// The reason, if the building is exempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exemption: Option<EnergyExemption>,
    /// Consumption, kWh per m² and year.
    pub consumption: Option<f64>,
    /// Emissions, kg of CO₂ per m² and year.
    pub emissions: Option<f64>,
    /// The rating of the emissions, if the certificate has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emissions_rating: Option<EnergyRating>,
}

/// The yearly costs of owning a property, in euros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnualCosts {
    /// Fees of the community of owners.
    pub community_fees: Option<i64>,
    /// Property tax (IBI).
    pub ibi: Option<i64>,
    /// Rubbish collection.
    pub garbage: Option<i64>,
}

/// A home or premises for sale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Property {
    /// The agency's reference, the last segment of its path.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The status of the sale.
    pub status: ListingStatus,
    /// The type that visitors filter by.
    pub property_type: PropertyType,
    /// Its exact kind.
    pub kind: PropertyKind,
    /// The price in euros; `None` for a price on request.
    pub price: Option<i64>,
    /// The price in euros before the last reduction, as entered by editors. It is not shown: see
    /// [`Reduction`](crate::Reduction).
    pub previous_price: Option<i64>,
    /// Whether editors marked it as reduced. It is not shown: see [`Reduction`](crate::Reduction).
    pub reduced: bool,
    /// Whether editors feature it.
    pub featured: bool,
    /// Whether it has never been lived in.
    pub new_build: bool,
    /// When it was first offered, as entered by editors. It is not shown: see [`Self::first_offered`].
    pub listed_at: DateTime<Utc>,
    /// The content service's date of its last change. It is ignored when snapshots are compared, because the
    /// service updates it even when a save changes nothing.
    pub updated_at: DateTime<Utc>,
    /// Bedrooms.
    pub bedrooms: Option<i64>,
    /// Bathrooms.
    pub bathrooms: Option<i64>,
    /// Built area, m².
    pub built_area: Option<i64>,
    /// Plot area, m².
    pub plot_area: Option<i64>,
    /// Terraces, m².
    pub terrace_area: Option<i64>,
    /// Year of building.
    pub year_built: Option<i64>,
    /// Floor, in the editors' words.
    pub floor: Option<String>,
    /// Features in kebab case, sorted, without duplicates: the editors' tags, and `pool`, `garden` and
    /// `<view>-view` from the fields for these.
    pub features: Vec<String>,
    /// The energy certificate.
    pub energy: Option<EnergyLabel>,
    /// Yearly costs.
    pub annual_costs: AnnualCosts,
    /// Its exact coordinates.
    pub coordinates: Option<Coordinates>,
    /// The place that it is listed under.
    pub location: LocationRef,
    /// Its orientation, rooms, video, tour and other details.
    #[serde(default, skip_serializing_if = "Particulars::is_empty")]
    pub particulars: Particulars,
    /// Its pictures, in order.
    pub images: Vec<Picture>,
    /// A drawing of its floors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_plan: Option<Picture>,
    /// Texts.
    pub text: Localized<PropertyText>,
}

impl Property {
    /// Returns when it was first offered: the earlier of the editors' date and the first of its `offers`. So
    /// a home does not become new by being unlisted and listed again. Offers under another reference are
    /// ignored, because they may belong to another home.
    pub fn first_offered(&self, offers: &[Offer]) -> DateTime<Utc> {
        let own_offers = offers.iter().filter(|offer| offer.reference == self.reference);
        own_offers.map(|offer| offer.at).fold(self.listed_at, Ord::min)
    }
}

/// A property's texts in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyText {
    /// The title.
    pub title: String,
    /// A sentence or two.
    pub summary: String,
    /// HTML.
    pub description: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_coordinates_are_rounded_to_a_grid() {
        let exact = Coordinates { lat: 36.728_6, lng: -3.950_2 };
        assert_eq!(exact.rounded(), Coordinates { lat: 36.727_5, lng: -3.95 });
        assert_eq!(exact.rounded().rounded(), exact.rounded());
    }

    #[test]
    fn names_are_the_same_in_text_and_json() {
        for status in ListingStatus::ALL {
            assert_eq!(status.name().parse().as_ref(), Ok(status));
            let json = serde_json::to_string(status).ok();
            assert_eq!(json, Some(format!("\"{}\"", status.name())));
        }
        assert_eq!(
            "banana".parse::<ListingStatus>().map_err(|error| error.to_string()),
            Err("`banana` is not a listing status".to_owned())
        );
    }
}
