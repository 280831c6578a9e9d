//! Addresses of pages that are pasted among the words.

use std::borrow::Cow;

use contracts::Reference;

use super::tokens::reference_length;

/// What an address holds and no word does.
const IN_ADDRESSES: [&str; 8] = ["://", "www.", ".com/", ".es/", ".eu/", ".net/", ".org/", ".uk/"];
/// Our homes have their pages below it, under their places and references.
const ABOVE_HOMES: &str = "/property-for-sale/";

/// The words of `text`, with the reference of a home in place of its page's address, and the other
/// addresses, whose figures would be taken for prices.
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

/// Whether `word` is an address. No part of a word that is none is one either, so that what is left
/// of words is never taken for one.
fn is_link(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    IN_ADDRESSES.iter().any(|sign| word.contains(sign))
}

/// The reference of the home whose page is at `link`, if one of ours is; in quotation marks where it would
/// be read as words and figures.
fn reference(link: &str) -> Option<Cow<'_, str>> {
    let (_, path) = link.split_once(ABOVE_HOMES)?;
    let path = path.split(['?', '#']).next()?;
    let path = path.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let (_, name) = path.split_once('/')?;
    if reference_length(name) == Some(name.len()) {
        return Some(name.into());
    }
    let has_figure = name.contains(|letter: char| letter.is_ascii_digit());
    // Another site has its lists there: `/property-for-sale/Nerja/3-bed-houses.html`.
    let is_page = name.rsplit('.').next().is_some_and(|end| end.eq_ignore_ascii_case("html"));
    (Reference::is(name) && has_figure && !is_page && !is_link(name))
        .then(|| format!("\"{name}\"").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_out_and_one_of_a_home_of_ours_means_the_home() {
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
