//! Which page a request means: its path and the query parameters that pages know, in one form.
//!
//! The key is also exactly what the renderer is asked for. What is not part of the key never
//! reaches the renderer, so two requests with one key can't mean two pages.

use std::{borrow::Borrow, sync::Arc};

use http::Uri;
use url::form_urlencoded;

/// The longest path and query that is answered.
///
/// An area drawn on the map has up to sixty corners, of some twenty characters each.
pub const MAX_URL_LENGTH: usize = 2_000;

/// What has lists in parts: anywhere else a number asks for nothing of ours.
const LISTS: [&str; 4] = ["/property-for-sale", "/new-properties", "/reduced-properties", "/news"];

/// The query parameters that pages know. Others (campaign tags, for one) are dropped.
const KNOWN_PARAMETERS: [&str; 27] = [
    "area",
    "bbox",
    "energy",
    "excludedFeatures",
    "excludedLocation",
    "featured",
    "features",
    "kind",
    "location",
    "maxBedrooms",
    "maxBuilt",
    "maxPlot",
    "maxPrice",
    "minBathrooms",
    "minBedrooms",
    "minBuilt",
    "minPlot",
    "minPrice",
    "newBuild",
    "newWithin",
    "page",
    "propertyType",
    "q",
    "reduced",
    "sort",
    "status",
    "view",
];

/// Path and query of a page, normalised.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageKey(Arc<str>);

/// Why a request names no page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPage {
    /// It is longer than [`MAX_URL_LENGTH`].
    TooLong,
    /// Its page has another address: here.
    Moved(PageKey),
}

impl PageKey {
    /// The page that `uri` asks for, whose path is in the one form that the door makes.
    pub fn of(uri: &Uri) -> Result<Self, NoPage> {
        let asked = uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
        if asked.len() > MAX_URL_LENGTH {
            return Err(NoPage::TooLong);
        }
        let path = uri.path();
        let shortened = path.strip_suffix('/').filter(|path| !path.is_empty());
        if uri.query().is_none() && shortened.is_none() {
            return Ok(Self(path.into()));
        }
        let mut key = shortened.unwrap_or(path).to_owned();
        let mut moved = shortened.is_some();
        if let Some(query) = uri.query() {
            moved |= push_parameters(&mut key, query);
        }
        if key.len() > MAX_URL_LENGTH {
            return Err(NoPage::TooLong);
        }
        let key = Self(key.into());
        if moved { Err(NoPage::Moved(key)) } else { Ok(key) }
    }

    /// The key as a path with its query.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key itself, shared.
    pub const fn shared(&self) -> &Arc<str> {
        &self.0
    }

    /// The key that another part of the cache kept.
    pub const fn from_shared(key: Arc<str>) -> Self {
        Self(key)
    }

    /// The path alone.
    pub fn path(&self) -> &str {
        self.0.split('?').next().unwrap_or(&self.0)
    }

    /// Whether it asks for a part of a list by its number.
    pub fn has_page_number(&self) -> bool {
        let path = self.path().strip_prefix("/es").unwrap_or(self.path());
        let rest = LISTS.iter().find_map(|list| path.strip_prefix(list));
        if rest.is_none_or(|rest| !rest.is_empty() && !rest.starts_with('/')) {
            return false;
        }
        let query = self.0.split_once('?').map_or("", |(_, query)| query);
        query.split('&').any(|pair| pair.starts_with("page="))
    }

    /// The key for logs, spans and operators. Words that are searched for are told, unless somebody may
    /// have typed an address of theirs.
    pub fn told(&self) -> &str {
        let is_personal = self.0.contains('@') || self.0.contains("%40");
        if is_personal { self.path() } else { &self.0 }
    }
}

impl Borrow<str> for PageKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Adds what `query` says in known parameters: sorted, each pair once. Gives whether any was left out
/// for being empty: a form that is sent without a script sends its empty fields too, and its visitor
/// is led to the address that can be shared.
fn push_parameters(key: &mut String, query: &str) -> bool {
    let (mut pairs, empty): (Vec<_>, Vec<_>) = form_urlencoded::parse(query.as_bytes())
        .filter(|(name, _)| KNOWN_PARAMETERS.contains(&name.as_ref()))
        .partition(|(_, value)| !value.is_empty());
    pairs.sort();
    pairs.dedup();
    for (index, (name, value)) in pairs.iter().enumerate() {
        key.push(if index == 0 { '?' } else { '&' });
        key.push_str(name);
        key.push('=');
        key.extend(form_urlencoded::byte_serialize(value.as_bytes()));
    }
    !empty.is_empty()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::path::normalise;

    fn key(uri: &str) -> Result<String, NoPage> {
        let uri = uri.parse().expect("a URI");
        let uri = normalise(&uri).expect("a path");
        PageKey::of(&uri).map(|key| key.as_str().to_owned())
    }

    #[test]
    fn one_page_has_one_key() {
        for (asked, expected) in [
            ("/", "/"),
            ("/es/property-for-sale", "/es/property-for-sale"),
            ("/a?utm_source=x&fbclid=y", "/a"),
            // The API knows it, and no page does.
            ("/a?perPage=7&page=2", "/a?page=2"),
            ("/a?sort=newest&page=2", "/a?page=2&sort=newest"),
            (
                "/a?propertyType=House&propertyType=Apartment&propertyType=House",
                "/a?propertyType=Apartment&propertyType=House",
            ),
            ("/a?q=sea+view", "/a?q=sea+view"),
            ("/a?q=sea%20view", "/a?q=sea+view"),
            ("/%70rivacy", "/privacy"),
            ("/c%C3%B3mpeta", "/c%C3%B3mpeta"),
            ("/c%c3%b3mpeta", "/c%C3%B3mpeta"),
            ("/a?location=nerja%26page%3D3", "/a?location=nerja%26page%3D3"),
        ] {
            assert_eq!(key(asked).as_deref(), Ok(expected), "{asked}");
        }
    }

    #[test]
    fn what_is_no_page_is_told_apart() {
        let long = format!("/{}", "a".repeat(MAX_URL_LENGTH));
        assert_eq!(key(&long), Err(NoPage::TooLong));
        for (moved, to) in [
            ("/a/", "/a"),
            ("/a/b/?q=x&y=z", "/a/b?q=x"),
            ("/a?location=&propertyType=House&minPrice=&from=x", "/a?propertyType=House"),
            ("/a?q=", "/a"),
        ] {
            assert_eq!(key(moved), Err(NoPage::Moved(PageKey(to.into()))), "{moved}");
        }
    }

    #[test]
    fn words_of_a_search_are_told_and_no_mailbox_is() {
        for (key, told) in [
            ("/property-for-sale?q=sea", "/property-for-sale?q=sea"),
            ("/property-for-sale?page=2&q=ann%40x.example", "/property-for-sale"),
            ("/ann@x.example?q=sea", "/ann@x.example"),
        ] {
            assert_eq!(PageKey(key.into()).told(), told);
        }
    }

    #[test]
    fn a_part_of_a_list_is_told_by_its_number() {
        for (key, has_number) in [
            ("/news?page=2", true),
            ("/property-for-sale?location=nerja&page=99&sort=newest", true),
            ("/property-for-sale?q=page%3D2", false),
            ("/es/new-properties?page=9", true),
            ("/listings.php?page=2", false),
            ("/news&page=2", false),
            ("/newsletter?page=2", false),
            ("/property-for-sale/nerja?page=9", true),
            ("/page=2", false),
        ] {
            assert_eq!(PageKey(key.into()).has_page_number(), has_number, "{key}");
        }
    }

    proptest! {
        #[test]
        fn normalising_twice_changes_nothing(path in "/[ -~]{0,40}", query in "[a-zA-Z%+&=0-9é]{0,60}") {
            let asked = format!("{path}?sort={query}&{query}");
            if let Ok(uri) = asked.parse::<Uri>() && let Ok(uri) = normalise(&uri) {
                let (Ok(once) | Err(NoPage::Moved(once))) = PageKey::of(&uri) else {
                    return Ok(());
                };
                let again = once.as_str().parse::<Uri>().expect("a key is a URI");
                prop_assert_eq!(&*normalise(&again).expect("a path"), &again);
                prop_assert_eq!(PageKey::of(&again), Ok(once));
            }
        }

        #[test]
        fn order_and_unknown_parameters_make_no_other_page(
            mut pairs in proptest::collection::vec((0..KNOWN_PARAMETERS.len(), "[a-z0-9 &=%]{1,6}"), 0..6),
            noise in "[b-z]{3,8}",
        ) {
            let address = |pairs: &[(usize, String)], noise: &str| {
                let mut query = form_urlencoded::Serializer::new(String::new());
                query.append_pair(&format!("x{noise}"), noise);
                for (name, value) in pairs {
                    query.append_pair(KNOWN_PARAMETERS[*name], value);
                }
                format!("/property-for-sale?{}", query.finish())
            };
            let forwards = key(&address(&pairs, &noise));
            pairs.reverse();
            prop_assert_eq!(key(&address(&pairs, "other")), forwards);
        }
    }
}
