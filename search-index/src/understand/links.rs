//! URLs that visitors paste among the words.

use std::borrow::Cow;

use contracts::{Reference, location_path};

use super::tokens::reference_length;

/// Substrings that only URLs contain.
const LINK_MARKERS: [&str; 8] = ["://", "www.", ".com/", ".es/", ".eu/", ".net/", ".org/", ".uk/"];

/// Splits `text` into words and links. The URL of a home's page on this site is replaced with the home's
/// reference in the words. The digits of the other URLs would be taken for prices.
pub fn without_links(text: &str) -> (String, String) {
    let (mut words, mut links) = (Vec::new(), Vec::new());
    for word in text.split_whitespace() {
        if !is_link(word) {
            words.push(Cow::Borrowed(word));
        } else if let Some(reference) = reference(word) {
            words.push(reference);
        } else {
            links.push(word);
        }
    }
    (words.join(" "), links.join(" "))
}

/// Returns whether `word` is a URL. No part of a word that is not a URL is one, so that a later pass never
/// finds a link.
fn is_link(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    LINK_MARKERS.iter().any(|marker| word.contains(marker))
}

/// Returns the reference of the home whose page on this site is at `link`, if it is one; in quotation marks
/// if it would otherwise be parsed as words and numbers.
fn reference(link: &str) -> Option<Cow<'_, str>> {
    let (_, path) = link.split_once(&location_path(""))?;
    let path = path.split(['?', '#']).next()?;
    let path = path.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let (_, name) = path.split_once('/')?;
    if reference_length(name) == Some(name.len()) {
        return Some(name.into());
    }
    let has_figure = name.contains(|letter: char| letter.is_ascii_digit());
    // Another site has its lists under the same path: `/property-for-sale/Nerja/3-bed-houses.html`.
    let is_page = name.rsplit('.').next().is_some_and(|end| end.eq_ignore_ascii_case("html"));
    (Reference::is_valid(name) && has_figure && !is_page && !is_link(name))
        .then(|| format!("\"{name}\"").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_removed_and_a_link_to_a_home_becomes_its_reference() {
        for (text, words, links) in [
            ("villa nerja", "villa nerja", ""),
            (
                "https://www.idealista.com/inmueble/104567890/",
                "",
                "https://www.idealista.com/inmueble/104567890/",
            ),
            ("like www.kyero.com/es/1234567 in Nerja", "like in Nerja", "www.kyero.com/es/1234567"),
            ("FOTOCASA.ES/vivienda/180000/d villa", "villa", "FOTOCASA.ES/vivienda/180000/d"),
            ("https://almijara.example/property-for-sale/nerja/AH-1042", "AH-1042", ""),
            ("(http://localhost:8080/es/property-for-sale/nerja/AH-1042/?a=1#map)", "AH-1042", ""),
            ("almijara.es/property-for-sale/nerja/AH-1042.", "AH-1042", ""),
            (
                "https://almijara.example/property-for-sale/nerja",
                "",
                "https://almijara.example/property-for-sale/nerja",
            ),
            (
                "https://www.rightmove.co.uk/property-for-sale/property-12345678.html",
                "",
                "https://www.rightmove.co.uk/property-for-sale/property-12345678.html",
            ),
            ("https://casas.example/property-for-sale/nerja/R4567890", "\"R4567890\"", ""),
            ("casas.es/es/property-for-sale/nerja/1234567?a=1", "\"1234567\"", ""),
            (
                "https://www.rightmove.co.uk/property-for-sale/Nerja/3-bed-houses.html",
                "",
                "https://www.rightmove.co.uk/property-for-sale/Nerja/3-bed-houses.html",
            ),
            ("3 bed/2 bath, 1.5m", "3 bed/2 bath, 1.5m", ""),
        ] {
            assert_eq!(without_links(text), (words.to_owned(), links.to_owned()), "{text}");
        }
    }
}
