//! The home that somebody means by its reference, however agencies write references.

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
    /// Understands `text` as [`understand`] does, but for the reference of a home here: that is the home,
    /// whatever it may look like. Many look like prices.
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

    /// The reference that `text` is and nothing else, as the agency writes it: `r 4567890`, `Ref. R-4567890`.
    /// None where no home has it, the sold ones among them, and where it has no figure: that is a word.
    pub fn reference(&self, text: &str) -> Result<Option<String>, Error> {
        match self.called(text)? {
            None => self.called(typed_reference(text)),
            found => Ok(found),
        }
    }

    fn called(&self, typed: &str) -> Result<Option<String>, Error> {
        let typed = bare(typed);
        if !typed.contains(|letter: char| letter.is_ascii_digit()) {
            return Ok(None);
        }
        // A part of a reference is a word of it too.
        let word = exactly(self.fields.word(TextField::Reference, &typed));
        let matches = self.matches(Some(&*word), Sort::Newest)?;
        let segments = self.catalogue.segments.iter().zip(matches.iter().flatten());
        let mut named = segments.flat_map(|(segment, matches)| {
            let columns = &segment.columns;
            matches.documents.ones().map(move |doc| columns.reference(doc))
        });
        Ok(named.find(|reference| bare(reference) == typed).map(str::to_owned))
    }
}

/// A reference without what stands between its parts.
fn bare(reference: &str) -> String {
    let mut folded = fold(reference);
    folded.retain(char::is_alphanumeric);
    folded
}
