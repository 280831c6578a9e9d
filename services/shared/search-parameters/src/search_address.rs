//! A search as it is kept.

use std::{fmt, str::FromStr};

use contracts::Locale;
use search_index::PropertyQuery;
use url::form_urlencoded::{Serializer, parse};

use crate::{InvalidParameters, Parameters, filters};

/// How a list is shown, which changes nothing of what is found, and the language, which is its
/// reader's.
const NOT_KEPT: [&str; 4] = ["locale", "page", "sort", "view"];
/// What names places.
const PLACES: [&str; 2] = ["excludedLocation", "location"];

/// The query part of a search's address: its filters, names in order, nothing said twice or in vain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SearchAddress(String);

impl SearchAddress {
    /// As an address has it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What it asks for on the day `today`, counted from 1970, its words in the language of `locale`.
    pub fn query(&self, locale: Locale, today: i64) -> PropertyQuery {
        // It was read before, so nothing in it is wrong.
        PropertyQuery { locale, ..filters(&mut Parameters::parse(Some(&self.0)), today) }
    }

    /// The same search where the place that had one of the `former` slugs is called `now`.
    #[must_use]
    pub fn in_renamed_place(&self, former: &[String], now: &str) -> Self {
        let pairs = parse(self.0.as_bytes()).map(|(name, value)| {
            let is_renamed = PLACES.contains(&&*name) && former.iter().any(|slug| *slug == *value);
            (name, if is_renamed { now.into() } else { value })
        });
        let address = Serializer::new(String::new()).extend_pairs(pairs).finish();
        // As it is where `now` is nothing that it could name.
        address.parse().unwrap_or_else(|_| self.clone())
    }
}

impl FromStr for SearchAddress {
    type Err = InvalidParameters;

    fn from_str(query: &str) -> Result<Self, InvalidParameters> {
        let mut kept: Vec<_> = parse(query.trim_start_matches('?').as_bytes())
            .map(|(name, value)| (name, value.trim().to_owned()))
            .filter(|(name, value)| !value.is_empty() && !NOT_KEPT.contains(&&**name))
            .collect();
        kept.sort();
        kept.dedup();
        let address = Serializer::new(String::new()).extend_pairs(kept).finish();
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
    fn a_search_has_one_address() {
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
    fn a_place_that_is_renamed_is_the_same_in_it() {
        let renamed = |query: &str| {
            let address = query.parse::<SearchAddress>().expect("a search");
            address.in_renamed_place(&["nerja".into(), "nerxa".into()], "maro").to_string()
        };
        assert_eq!(
            renamed("excludedLocation=nerja&location=nerja-alto&q=nerja&location=torrox"),
            "excludedLocation=maro&location=nerja-alto&location=torrox&q=nerja"
        );
        assert_eq!(renamed("location=torrox&location=nerxa"), "location=maro&location=torrox");
        assert_eq!(renamed("location=maro&location=nerja"), "location=maro");
        assert_eq!(renamed("kind=villa"), "kind=villa");
    }

    #[test]
    fn what_is_wrong_in_it_is_named() {
        assert_eq!(read("maxPrice=much&colour=red"), Err(vec!["maxPrice".into(), "colour".into()]));
    }

    /// What a release could keep. It waits in tables for years, so nothing is taken from here; what a release
    /// takes besides is added.
    const KEPT: [&str; 10] = [
        "",
        "area=-4%2C36.7%3B-3.8%2C36.7%3B-3.9%2C36.8&q=3+bed+villa+nerja",
        "bbox=-180%2C-90%2C180%2C90",
        "energy=A&energy=B&energy=C&energy=D&energy=E&energy=F&energy=G",
        "excludedFeatures=lift&excludedLocation=maro&features=of-old&features=sea-view&location=nerja",
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
    fn what_an_earlier_release_kept_can_still_be_read() {
        for address in KEPT {
            assert_eq!(read(address).as_deref(), Ok(address));
        }
        let corners = ["-4.123456789012345%2C36"; 60].join("%3B");
        assert!(read(&format!("area={corners}")).is_ok(), "as many corners as ever");
        let words = "a".repeat(200);
        assert!(read(&format!("q={words}")).is_ok(), "as many words as ever");
    }

    proptest! {
        #[test]
        fn an_address_is_its_own(query in "[a-zA-Z0-9=&+%; .,-]{0,60}") {
            if let Ok(address) = query.parse::<SearchAddress>() {
                prop_assert_eq!(address.as_str().parse::<SearchAddress>().ok(), Some(address));
            }
        }
    }
}
