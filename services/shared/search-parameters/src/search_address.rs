//! The canonical query string of a search, as it is stored.

use std::{fmt, str::FromStr};

use contracts::{Locale, SearchParameter};
use search_index::PropertyQuery;
use url::form_urlencoded::{Serializer, parse};

use crate::{InvalidParameters, Parameters, filters};

/// The parameters that are dropped: how a list is shown, which does not change the results, and the language,
/// which is the reader's.
const IGNORED: [&str; 4] = ["locale", "page", "sort", "view"];
/// The parameters whose values are slugs of places.
const PLACE_PARAMETERS: [&str; 2] =
    [SearchParameter::Location.name(), SearchParameter::NotLocation.name()];

/// The query string of a search in canonical form: only filters, sorted by name, without duplicates or empty
/// values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SearchAddress(String);

impl SearchAddress {
    /// Returns the query string.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the search as a query for the day `today` (days since 1970), with its words in the language of
    /// `locale`.
    pub fn query(&self, locale: Locale, today: i64) -> PropertyQuery {
        // It was validated when it was parsed, so there are no errors.
        PropertyQuery { locale, ..filters(&mut Parameters::parse(Some(&self.0)), today) }
    }

    /// Returns the same search after the place with one of the `former` slugs was renamed to `current`.
    #[must_use]
    pub fn in_renamed_place(&self, former: &[String], current: &str) -> Self {
        let pairs = parse(self.0.as_bytes()).map(|(name, value)| {
            let is_renamed =
                PLACE_PARAMETERS.contains(&&*name) && former.iter().any(|slug| *slug == *value);
            (name, if is_renamed { current.into() } else { value })
        });
        let address = Serializer::new(String::new()).extend_pairs(pairs).finish();
        // Unchanged if `current` is not a valid slug.
        address.parse().unwrap_or_else(|_| self.clone())
    }
}

impl FromStr for SearchAddress {
    type Err = InvalidParameters;

    fn from_str(query: &str) -> Result<Self, InvalidParameters> {
        let mut pairs: Vec<_> = parse(query.trim_start_matches('?').as_bytes())
            .map(|(name, value)| (name, value.trim().to_owned()))
            .filter(|(name, value)| !value.is_empty() && !IGNORED.contains(&&**name))
            .collect();
        pairs.sort();
        pairs.dedup();
        let address = Serializer::new(String::new()).extend_pairs(pairs).finish();
        let mut given = Parameters::parse(Some(&address));
        filters(&mut given, 0);
        given.finish()?;
        Ok(Self(address))
    }
}

impl fmt::Display for SearchAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(query: &str) -> Result<String, Vec<String>> {
        let fields = |InvalidParameters(errors)| errors.into_iter().map(|it| it.field).collect();
        query.parse::<SearchAddress>().map(|address| address.to_string()).map_err(fields)
    }

    #[test]
    fn equal_searches_have_the_same_address() {
        let address = "features=garden&features=pool&maxPrice=300000&q=sea+view";
        for query in [
            "q=sea%20view&features=pool&maxPrice=300000&features=garden",
            "?features=pool&features=garden&features=pool&minPrice=&q=+sea+view+&maxPrice=300000",
            "locale=es&page=3&sort=oldest&view=map&features=pool&maxPrice=300000&q=sea+view&features=garden",
        ] {
            assert_eq!(read(query).as_deref(), Ok(address), "{query}");
        }
        assert_eq!(read("").as_deref(), Ok(""));
    }

    #[test]
    fn a_renamed_place_is_replaced() {
        let renamed = |query: &str| {
            let address = query.parse::<SearchAddress>().expect("a search");
            address.in_renamed_place(&["nerja".into(), "nerxa".into()], "maro").to_string()
        };
        assert_eq!(
            renamed("notLocation=nerja&location=nerja-alto&q=nerja&location=torrox"),
            "location=nerja-alto&location=torrox&notLocation=maro&q=nerja"
        );
        assert_eq!(renamed("location=torrox&location=nerxa"), "location=maro&location=torrox");
        assert_eq!(renamed("location=maro&location=nerja"), "location=maro");
        assert_eq!(renamed("kind=villa"), "kind=villa");
    }

    #[test]
    fn errors_name_the_invalid_parameter() {
        assert_eq!(read("maxPrice=much&colour=red"), Err(vec!["maxPrice".into(), "colour".into()]));
    }

    /// Addresses that releases could store. They stay in tables for years, so nothing is ever removed here; what
    /// a release accepts in addition is added. A parameter gets another name only with a migration of those tables.
    const STORED: [&str; 10] = [
        "",
        "area=-4%2C36.7%3B-3.8%2C36.7%3B-3.9%2C36.8&q=3+bed+villa+nerja",
        "bbox=-180%2C-90%2C180%2C90",
        "energy=A&energy=B&energy=C&energy=D&energy=E&energy=F&energy=G",
        "features=of-old&features=sea-view&location=nerja&notLocation=maro&withoutFeatures=lift",
        "featured=false&newBuild=true&newWithin=365&reduced=true",
        "propertyType=Apartment&propertyType=Commercial&propertyType=House&status=for_sale\
         &status=pending&status=sale_agreed&status=sold&status=under_offer",
        "maxBedrooms=50&minBathrooms=50&minBedrooms=50",
        "maxBuilt=100000000&maxPlot=100000000&maxPrice=1000000000&minBuilt=0&minPlot=0&minPrice=0",
        "kind=apartment&kind=bar&kind=country-house&kind=duplex&kind=garage&kind=ground-floor&kind=land\
         &kind=office&kind=penthouse&kind=premises&kind=studio&kind=townhouse&kind=villa\
         &kind=village-house",
    ];

    #[test]
    fn addresses_stored_by_earlier_releases_can_be_parsed() {
        for address in STORED {
            assert_eq!(read(address).as_deref(), Ok(address));
        }
        let corners = ["-4.123456789012345%2C36"; 60].join("%3B");
        assert!(
            read(&format!("area={corners}")).is_ok(),
            "the maximum of corners has not decreased"
        );
        let words = "a".repeat(200);
        assert!(read(&format!("q={words}")).is_ok(), "the maximum length has not decreased");
    }

    proptest! {
        #[test]
        fn an_address_parses_to_itself(query in "[a-zA-Z0-9=&+%; .,-]{0,60}") {
            if let Ok(address) = query.parse::<SearchAddress>() {
                prop_assert_eq!(address.as_str().parse::<SearchAddress>().ok(), Some(address));
            }
        }
    }
}
