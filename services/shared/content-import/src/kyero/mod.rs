//! Kyero v3 feeds, <https://help.kyero.com/estate-agents/xml-import-specification>, and what agencies'
//! programs make of that: dates in any form, elements of their own, HTML in texts.

mod home;
mod xml;

pub use self::home::reference_of;
use self::{home::read_home, xml::Document};
use crate::{Error, Feed, Kinds, decode};

/// The most homes of one feed.
pub const MAX_HOMES: usize = 20_000;

/// What a reader may be told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    pub kinds: &'a Kinds,
    pub keep_unknown_features: bool,
}

/// Reads a feed, whole: half of one is none, since what it lacks would be taken for sold.
///
/// # Errors
/// Where it is no feed.
pub fn read_kyero(
    bytes: &[u8],
    what: &str,
    kinds: &Kinds,
    keep_unknown_features: bool,
) -> Result<Feed, Error> {
    let text = decode::decode(bytes, decode::declared(bytes).as_deref(), what)?;
    let reading = Reading { kinds, keep_unknown_features };
    let mut feed = Feed::default();
    let mut document = Document::new(&text);
    document.expect_root("root")?;
    while let Some(element) = document.next_child()? {
        if element.name != "property" {
            continue;
        }
        if feed.listings.len() == MAX_HOMES {
            return Err(Error::not_a_feed(what, &format!("it has more than {MAX_HOMES} homes")));
        }
        let at = format!("home {}", feed.listings.len() + 1);
        let listing = read_home(&element, at, &reading, &mut feed);
        feed.listings.push(listing);
    }
    Ok(feed)
}

#[cfg(test)]
mod tests;
