//! Finds a home by a typed reference, whatever format the agency uses.

use contracts::Locale;

use crate::{
    error::Error,
    query::Sort,
    schema::TextField,
    spelling::fold,
    text::exactly,
    understand::{Place, Understood, typed_reference, understand, without_links},
    view::View,
};

impl View {
    /// Parses `text` as [`understand`] does, unless it is the reference of a home in the index. Then it always
    /// means that home, even if it looks like a price, as many references do.
    pub fn understand(
        &self,
        locale: Locale,
        text: &str,
        places: &[Place],
        pounds_per_euro: Option<f64>,
    ) -> Result<Understood, Error> {
        let (words, links) = without_links(text);
        Ok(match self.reference(&words)? {
            Some(words) => Understood { words, links, is_reference: true, ..Understood::default() },
            None => understand(locale, text, places, pounds_per_euro),
        })
    }

    /// Returns the reference, as the agency writes it, if `text` is nothing but a reference, such as
    /// `r 4567890` or `Ref. R-4567890`. Returns `None` if no home has it, sold ones included, or if it has no
    /// digit: then it is a word.
    pub fn reference(&self, text: &str) -> Result<Option<String>, Error> {
        match self.find_reference(text)? {
            None => self.find_reference(typed_reference(text)),
            found => Ok(found),
        }
    }

    fn find_reference(&self, typed: &str) -> Result<Option<String>, Error> {
        let typed = normalized(typed);
        if !typed.contains(|letter: char| letter.is_ascii_digit()) {
            return Ok(None);
        }
        // The word may also be just a part of a reference, so the complete references are compared below.
        let word = exactly(self.fields.word(TextField::Reference, &typed));
        let matches = self.matches(Some(&*word), Sort::Newest)?;
        let segments = self.catalogue.segments.iter().zip(matches.iter().flatten());
        let mut candidates = segments.flat_map(|(segment, matches)| {
            let columns = &segment.columns;
            matches.documents.ones().map(move |doc| columns.reference(doc))
        });
        Ok(candidates.find(|reference| normalized(reference) == typed).map(str::to_owned))
    }
}

/// Returns a reference in lower case, without separators and accents.
fn normalized(reference: &str) -> String {
    let mut folded = fold(reference);
    folded.retain(char::is_alphanumeric);
    folded
}
