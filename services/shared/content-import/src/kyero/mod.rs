//! Reads Kyero v3 feeds, <https://help.kyero.com/estate-agents/xml-import-specification>, with the
//! deviations of agencies' programs: dates in any format, elements of their own, HTML in texts.

mod home;
mod xml;

pub use self::home::reference_of;
use self::{home::read_home, xml::Document};
use crate::{Error, Feed, Kinds, decode};

/// The maximum number of homes in a feed.
pub const MAX_HOMES: usize = 20_000;

/// Options of reading a feed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadOptions<'a> {
    pub kinds: &'a Kinds,
    pub keep_unknown_features: bool,
}

/// Reads a complete feed. Errors call it `what`. A truncated feed is an error, since the homes that it
/// lacks would count as sold.
///
/// # Errors
/// If it is not a valid feed.
pub fn read_kyero(
    bytes: &[u8],
    what: &str,
    kinds: &Kinds,
    keep_unknown_features: bool,
) -> Result<Feed, Error> {
    let text = decode::decode(bytes, decode::declared_encoding(bytes).as_deref(), what)?;
    let options = ReadOptions { kinds, keep_unknown_features };
    let mut feed = Feed::default();
    let mut document = Document::new(&text);
    document.expect_root("root")?;
    while let Some(element) = document.next_child()? {
        if element.name != "property" {
            continue;
        }
        if feed.listings.len() == MAX_HOMES {
            return Err(Error::not_a_feed(what, format!("it has more than {MAX_HOMES} homes")));
        }
        let at = format!("home {}", feed.listings.len() + 1);
        let listing = read_home(&element, at, &options, &mut feed);
        feed.listings.push(listing);
    }
    Ok(feed)
}

#[cfg(test)]
mod tests;
