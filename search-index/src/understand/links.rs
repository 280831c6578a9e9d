//! Addresses of pages that are pasted among the words.

use super::tokens::reference_length;

/// What an address holds and no word does.
const IN_ADDRESSES: [&str; 8] = ["://", "www.", ".com/", ".es/", ".eu/", ".net/", ".org/", ".uk/"];
/// Our homes have their pages below it, under their references.
const ABOVE_HOMES: &str = "/property-for-sale/";

/// The words of `text`, with the reference of a home in place of its page's address, and the other
/// addresses, whose figures would be taken for prices.
pub fn without_links(text: &str) -> (String, String) {
    let (mut words, mut links) = (Vec::new(), Vec::new());
    for word in text.split_whitespace() {
        if !is_link(word) {
            words.push(word);
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

/// The reference of the home whose page is at `link`, if one of ours is.
fn reference(link: &str) -> Option<&str> {
    let (_, path) = link.split_once(ABOVE_HOMES)?;
    let path = path.split(['?', '#']).next()?;
    let path = path.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let last = path.rsplit('/').next()?;
    (reference_length(last) == Some(last.len())).then_some(last)
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
            ("3 bed/2 bath, 1.5m", "3 bed/2 bath, 1.5m", ""),
        ] {
            assert_eq!(without_links(text), (words.to_owned(), links.to_owned()), "{text}");
        }
    }
}
