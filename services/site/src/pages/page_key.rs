//! Identifies the page that a request asks for: its path and the query parameters that pages know, in
//! one canonical form.
//!
//! The renderer is asked for exactly this key. What is not part of it never reaches the renderer, so two
//! requests with the same key can't mean two pages.

use std::{
    borrow::{Borrow, Cow},
    sync::Arc,
};

use contracts::{PROPERTY_LIST, SearchParameter};
use http::Uri;
use url::form_urlencoded;

/// The maximum length of path and query.
///
/// An area drawn on the map has up to sixty corners, of about twenty characters each.
pub const MAX_URL_LENGTH: usize = 2_000;

/// Paths of paginated lists. On any other path a page number has no meaning.
const LISTS: [&str; 4] = [PROPERTY_LIST, "/new-properties", "/reduced-properties", "/news"];

/// The query parameters that pages know in addition to the [`SearchParameter`]s: how a list is shown. Others
/// (for example, campaign parameters) are dropped.
const DISPLAY_PARAMETERS: [&str; 3] = ["page", "sort", "view"];

/// Former names of parameters, which addresses that visitors have saved or shared may still contain.
const FORMER_PARAMETERS: [(&str, SearchParameter); 2] = [
    ("excludedFeatures", SearchParameter::WithoutFeatures),
    ("excludedLocation", SearchParameter::NotLocation),
];

/// The normalised path and query of a page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageKey(Arc<str>);

/// Why a request does not directly identify a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPage {
    /// It is longer than [`MAX_URL_LENGTH`].
    TooLong,
    /// Its page has this other address.
    Moved(PageKey),
}

impl PageKey {
    /// Returns the key of the page that `uri` asks for. The path of `uri` has to be normalised
    /// ([`crate::path`]).
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

    /// Returns the key as a path with its query.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the shared string.
    pub const fn shared(&self) -> &Arc<str> {
        &self.0
    }

    /// Wraps a key that the cache has stored.
    pub const fn from_shared(key: Arc<str>) -> Self {
        Self(key)
    }

    /// Returns the path without the query.
    pub fn path(&self) -> &str {
        self.0.split('?').next().unwrap_or(&self.0)
    }

    /// Returns whether it asks for a page of a list by its number.
    pub fn has_page_number(&self) -> bool {
        let path = self.path().strip_prefix("/es").unwrap_or(self.path());
        let rest = LISTS.iter().find_map(|list| path.strip_prefix(list));
        if rest.is_none_or(|rest| !rest.is_empty() && !rest.starts_with('/')) {
            return false;
        }
        let query = self.0.split_once('?').map_or("", |(_, query)| query);
        query.split('&').any(|pair| pair.starts_with("page="))
    }

    /// Returns the key for logs, spans and operators. Search words are included, unless they may contain
    /// an email address that somebody typed.
    pub fn redacted(&self) -> &str {
        let is_personal = self.0.contains('@') || self.0.contains("%40");
        if is_personal { self.path() } else { &self.0 }
    }
}

impl Borrow<str> for PageKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Returns the names of the query parameters that pages know.
fn known_parameters() -> impl Iterator<Item = &'static str> {
    SearchParameter::NAMES.iter().chain(&DISPLAY_PARAMETERS).copied()
}

/// Appends the known parameters of `query`, sorted and without duplicates. Returns whether any was
/// renamed, or skipped for being empty: a form that is submitted without JavaScript sends its empty
/// fields too, and its visitor is redirected to the address that can be shared.
fn push_parameters(key: &mut String, query: &str) -> bool {
    let mut moved = false;
    let mut pairs = Vec::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let current = FORMER_PARAMETERS.iter().find(|(former, _)| *former == name);
        let name = current.map_or(name, |(_, current)| Cow::Borrowed(current.name()));
        if known_parameters().any(|known| known == name) {
            moved |= current.is_some() || value.is_empty();
            pairs.push((name, value));
        }
    }
    pairs.retain(|(_, value)| !value.is_empty());
    pairs.sort();
    pairs.dedup();
    for (index, (name, value)) in pairs.iter().enumerate() {
        key.push(if index == 0 { '?' } else { '&' });
        key.push_str(name);
        key.push('=');
        key.extend(form_urlencoded::byte_serialize(value.as_bytes()));
    }
    moved
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::select};

    use super::*;
    use crate::path::normalise;

    fn key(uri: &str) -> Result<String, NoPage> {
        let uri = uri.parse().expect("a URI");
        let uri = normalise(&uri).expect("a path");
        PageKey::of(&uri).map(|key| key.as_str().to_owned())
    }

    #[test]
    fn equivalent_addresses_have_one_key() {
        for (asked, expected) in [
            ("/", "/"),
            ("/es/property-for-sale", "/es/property-for-sale"),
            ("/a?utm_source=x&fbclid=y", "/a"),
            // A parameter of the API that no page has.
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
    fn too_long_and_moved_addresses_are_recognised() {
        let long = format!("/{}", "a".repeat(MAX_URL_LENGTH));
        assert_eq!(key(&long), Err(NoPage::TooLong));
        for (moved, to) in [
            ("/a/", "/a"),
            ("/a/b/?q=x&y=z", "/a/b?q=x"),
            ("/a?location=&propertyType=House&minPrice=&from=x", "/a?propertyType=House"),
            ("/a?q=", "/a"),
            (
                "/a?excludedFeatures=pool&excludedLocation=maro&features=lift&notLocation=nerja",
                "/a?features=lift&notLocation=maro&notLocation=nerja&withoutFeatures=pool",
            ),
            ("/a?%65xcludedFeatures=pool", "/a?withoutFeatures=pool"),
        ] {
            assert_eq!(key(moved), Err(NoPage::Moved(PageKey(to.into()))), "{moved}");
        }
    }

    #[test]
    fn a_redacted_key_has_search_words_but_no_email_address() {
        for (key, redacted) in [
            ("/property-for-sale?q=sea", "/property-for-sale?q=sea"),
            ("/property-for-sale?page=2&q=ann%40x.example", "/property-for-sale"),
            ("/ann@x.example?q=sea", "/ann@x.example"),
        ] {
            assert_eq!(PageKey(key.into()).redacted(), redacted);
        }
    }

    #[test]
    fn page_numbers_count_on_lists_only() {
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
        fn order_and_unknown_parameters_do_not_change_the_key(
            mut pairs in proptest::collection::vec((select(known_parameters().collect::<Vec<_>>()), "[a-z0-9 &=%]{1,6}"), 0..6),
            noise in "[b-z]{3,8}",
        ) {
            let address = |pairs: &[(&str, String)], noise: &str| {
                let mut query = form_urlencoded::Serializer::new(String::new());
                query.append_pair(&format!("x{noise}"), noise);
                for (name, value) in pairs {
                    query.append_pair(name, value);
                }
                format!("/property-for-sale?{}", query.finish())
            };
            let forwards = key(&address(&pairs, &noise));
            pairs.reverse();
            prop_assert_eq!(key(&address(&pairs, "other")), forwards);
        }
    }
}
