//! A search as it is kept.

use std::{fmt, str::FromStr};

use contracts::Locale;
use search_index::PropertyQuery;
use url::form_urlencoded::{Serializer, parse};

use crate::{InvalidParameters, Parameters, filters};

/// How a list is shown, which changes nothing of what is found, and the language, which is its
/// reader's.
const NOT_KEPT: [&str; 4] = ["locale", "page", "sort", "view"];

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
    fn what_is_wrong_in_it_is_named() {
        assert_eq!(read("maxPrice=much&colour=red"), Err(vec!["maxPrice".into(), "colour".into()]));
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
