//! Properties, and the closed sets of words that describe them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LocationRef, Particulars, Picture};
use crate::{event::Offer, locale::Localized};

closed_set!(
    /// Where a sale stands.
    ListingStatus, "listing status", {
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
    /// Whether lists show it when no status is asked for: all but what is sold.
    pub const fn is_listed_by_default(self) -> bool {
        !matches!(self, Self::Sold)
    }
}

closed_set!(
    /// The three types that visitors choose from; the names are those of the public URLs.
    PropertyType, "property type", {
        /// Houses and villas.
        House = "House",
        /// Flats of every kind.
        Apartment = "Apartment",
        /// Premises, land, garages.
        Commercial = "Commercial",
    }
);

impl PropertyType {
    /// Whether people live in it.
    pub const fn is_home(self) -> bool {
        !matches!(self, Self::Commercial)
    }
}

closed_set!(
    /// What exactly a property is.
    PropertyKind, "kind of property", {
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
    /// Whether its offers must tell an energy rating: of all that is built to be lived or worked in, where
    /// energy makes the air inside pleasant (article 2 of Royal Decree 390/2021).
    pub const fn needs_energy_rating(self) -> bool {
        !matches!(self, Self::Land | Self::Garage)
    }
}

closed_set!(
    /// What kinds are alike in: whoever looks for one of a family has no use for one of another.
    KindFamily, "family of kinds", {
        /// To live in.
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
    /// The family that it belongs to.
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

    /// The type that visitors find it under, unless its editors say otherwise.
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

    /// The names of the kinds to live in.
    pub fn names_of_homes() -> Vec<&'static str> {
        let homes = Self::ALL.iter().filter(|kind| kind.family() == KindFamily::Home);
        homes.map(|kind| kind.name()).collect()
    }
}

closed_set!(
    /// The rating of the energy certificate, or why there is none.
    EnergyRating, "energy rating", {
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
        /// Asked for, not yet issued.
        InProcess = "in_process",
        /// The law asks for none.
        Exempt = "exempt",
    }
);

closed_set!(
    /// Why a building needs no energy certificate: article 3.2 of Royal Decree 390/2021, in its order.
    EnergyExemption, "reason for an energy exemption", {
        /// Officially protected, where works would spoil its character.
        Protected = "protected",
        /// Put up for two years at most.
        Temporary = "temporary",
        /// Industrial, agricultural or of the defence, with little need of energy.
        LowDemand = "low_demand",
        /// Touches no other building, and has less than 50 m² of usable floor.
        SmallDetached = "small_detached",
        /// Bought to be taken down or thoroughly renovated.
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

/// Lines of the net that public points lie on, a degree: 280 m by 220 m in the south of Spain.
const LINES_A_DEGREE: f64 = 400.0;

impl Coordinates {
    /// The neighbourhood instead of the door, which is not the public's to know.
    #[must_use]
    pub fn roughly(self) -> Self {
        let nearest = |degrees: f64| (degrees * LINES_A_DEGREE).round() / LINES_A_DEGREE;
        Self { lat: nearest(self.lat), lng: nearest(self.lng) }
    }
}

/// What the energy certificate says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnergyLabel {
    /// The rating of the consumption, or why there is none.
    pub rating: EnergyRating,
    /// Why it is exempt, where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exemption: Option<EnergyExemption>,
    /// Consumption, kWh per m² and year.
    pub consumption: Option<f64>,
    /// Emissions, kg of CO₂ per m² and year.
    pub emissions: Option<f64>,
    /// The rating of the emissions, where the certificate gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emissions_rating: Option<EnergyRating>,
}

/// What owning it costs in a year, in euros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnualCosts {
    /// Community of owners.
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
    /// The agency's reference, the last part of its path.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Where the sale stands.
    pub status: ListingStatus,
    /// The type that visitors choose by.
    pub property_type: PropertyType,
    /// What exactly it is.
    pub kind: PropertyKind,
    /// Euros; none where it is told on request.
    pub price: Option<i64>,
    /// Euros before the last reduction, as editors note it. What is shown is [`Reduction`](crate::Reduction).
    pub previous_price: Option<i64>,
    /// Whether editors marked it as reduced. What is shown is [`Reduction`](crate::Reduction).
    pub reduced: bool,
    /// Whether editors put it forward.
    pub featured: bool,
    /// Never lived in.
    pub new_build: bool,
    /// When its editors say that it was first offered. What is shown is [`Self::first_offered`].
    pub listed_at: DateTime<Utc>,
    /// The content service's own date of its last change. Not part of what makes two snapshots
    /// equal: the service moves it for saves that change nothing.
    pub updated_at: DateTime<Utc>,
    /// Bedrooms.
    pub bedrooms: Option<i64>,
    /// Bathrooms.
    pub bathrooms: Option<i64>,
    /// Built size, m².
    pub built_area: Option<i64>,
    /// Plot, m².
    pub plot_area: Option<i64>,
    /// Terraces, m².
    pub terrace_area: Option<i64>,
    /// Year of building.
    pub year_built: Option<i64>,
    /// Floor, in the editors' words.
    pub floor: Option<String>,
    /// Features in kebab case, sorted, each once: the editors' tags, and `pool`, `garden`,
    /// `<view>-view` for the fields that say so.
    pub features: Vec<String>,
    /// The energy certificate.
    pub energy: Option<EnergyLabel>,
    /// Yearly costs.
    pub annual_costs: AnnualCosts,
    /// Where it is.
    pub coordinates: Option<Coordinates>,
    /// The place that it is listed under.
    pub location: LocationRef,
    /// Which way it faces, its rooms, and what there is to watch of it.
    #[serde(default, skip_serializing_if = "Particulars::is_empty")]
    pub particulars: Particulars,
    /// Pictures in order.
    pub images: Vec<Picture>,
    /// A drawing of its floors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_plan: Option<Picture>,
    /// Texts.
    pub text: Localized<PropertyText>,
}

impl Property {
    /// When it was first offered, which was so at `offers` since: when its editors say so, or before, where
    /// the log knows better. Whoever takes a home off the site and lists it anew does not make it new. What
    /// was offered under another reference may be another home.
    pub fn first_offered(&self, offers: &[Offer]) -> DateTime<Utc> {
        let its = offers.iter().filter(|offer| offer.reference == self.reference);
        its.map(|offer| offer.at).fold(self.listed_at, Ord::min)
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
    fn a_public_point_is_near_and_not_the_door() {
        let door = Coordinates { lat: 36.728_6, lng: -3.950_2 };
        assert_eq!(door.roughly(), Coordinates { lat: 36.727_5, lng: -3.95 });
        assert_eq!(door.roughly().roughly(), door.roughly());
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
