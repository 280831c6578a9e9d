//! The fields of the index, and the analyzers that split texts into words.

use contracts::Locale;
use tantivy::{
    Term,
    schema::{
        FAST, Field, IndexRecordOption, JsonObjectOptions, STORED, Schema, TextFieldIndexing,
    },
    tokenizer::{
        AsciiFoldingFilter, Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer,
        StopWordFilter, TextAnalyzer,
    },
};
use unicode_normalization::UnicodeNormalization;

/// In bytes. Longer words are not indexed. It must exceed the longest possible word of a search: a longer
/// one would be dropped from the search too, which would then find everything.
const MAX_WORD_LENGTH: usize = 1024;

/// Every field by name; fast fields are read by it.
pub(crate) mod name {
    pub const KEY: &str = "key";
    pub const VERSION: &str = "version";
    pub const SOURCE: &str = "source";
    pub const WORDS: &str = "words";
    pub const REFERENCE: &str = "reference";
    pub const STATUS: &str = "status";
    pub const PROPERTY_TYPE: &str = "property_type";
    pub const KIND: &str = "kind";
    pub const ENERGY: &str = "energy";
    pub const PRICE: &str = "price";
    pub const BEDROOMS: &str = "bedrooms";
    pub const BATHROOMS: &str = "bathrooms";
    pub const BUILT_AREA: &str = "built_area";
    pub const PLOT_AREA: &str = "plot_area";
    pub const LISTED_AT: &str = "listed_at";
    pub const REDUCED_AT: &str = "reduced_at";
    pub const FEATURED: &str = "featured";
    pub const NEW_BUILD: &str = "new_build";
    pub const LAT: &str = "lat";
    pub const LNG: &str = "lng";
    pub const LOCATION: &str = "location";
    pub const FEATURES: &str = "features";
}

/// Handles to every field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub key: Field,
    pub version: Field,
    pub source: Field,
    /// All words, each under its [`TextField`].
    ///
    /// This is one field, not one for each part, because a commit writes a dictionary for each indexed
    /// field, and each costs a millisecond however small it is.
    pub words: Field,
    pub reference: Field,
    pub status: Field,
    pub property_type: Field,
    pub kind: Field,
    pub energy: Field,
    pub price: Field,
    pub bedrooms: Field,
    pub bathrooms: Field,
    pub built_area: Field,
    pub plot_area: Field,
    pub listed_at: Field,
    pub reduced_at: Field,
    pub featured: Field,
    pub new_build: Field,
    pub lat: Field,
    pub lng: Field,
    pub location: Field,
    pub features: Field,
}

impl Fields {
    /// Returns the term for the analysed `word` in `part`.
    pub fn word(&self, part: TextField, word: &str) -> Term {
        let mut term = Term::from_field_json_path(self.words, &part.path(), false);
        term.append_type_and_str(word);
        term
    }
}

/// The part of a document in which a word is. Words of different parts are different terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextField {
    /// The aggregate's key, by which a document is replaced.
    Key,
    /// The reference, folded.
    Reference,
    /// The title, stemmed.
    Title(Locale),
    /// The place, folded.
    Place(Locale),
    /// Kind, type and features in the visitors' words, stemmed.
    Vocabulary(Locale),
    /// The summary, stemmed.
    Summary(Locale),
    /// The description, stemmed.
    Description(Locale),
    /// The title folded but not stemmed, for completing what is being typed.
    TypeAhead(Locale),
}

impl TextField {
    /// Returns the part's JSON path within the `words` field.
    pub fn path(self) -> String {
        match self {
            Self::Key => "key".to_owned(),
            Self::Reference => "reference".to_owned(),
            Self::Title(locale) => format!("title_{locale}"),
            Self::Place(locale) => format!("place_{locale}"),
            Self::Vocabulary(locale) => format!("vocabulary_{locale}"),
            Self::Summary(locale) => format!("summary_{locale}"),
            Self::Description(locale) => format!("description_{locale}"),
            Self::TypeAhead(locale) => format!("typeahead_{locale}"),
        }
    }
}

/// Builds the schema and the handles of its fields.
pub(crate) fn build() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let fields = Fields {
        key: builder.add_text_field(name::KEY, FAST),
        version: builder.add_i64_field(name::VERSION, FAST),
        source: builder.add_text_field(name::SOURCE, STORED),
        words: builder.add_json_field(name::WORDS, words_options()),
        reference: builder.add_text_field(name::REFERENCE, FAST),
        status: builder.add_u64_field(name::STATUS, FAST),
        property_type: builder.add_u64_field(name::PROPERTY_TYPE, FAST),
        kind: builder.add_u64_field(name::KIND, FAST),
        energy: builder.add_u64_field(name::ENERGY, FAST),
        price: builder.add_i64_field(name::PRICE, FAST),
        bedrooms: builder.add_i64_field(name::BEDROOMS, FAST),
        bathrooms: builder.add_i64_field(name::BATHROOMS, FAST),
        built_area: builder.add_i64_field(name::BUILT_AREA, FAST),
        plot_area: builder.add_i64_field(name::PLOT_AREA, FAST),
        listed_at: builder.add_i64_field(name::LISTED_AT, FAST),
        reduced_at: builder.add_i64_field(name::REDUCED_AT, FAST),
        featured: builder.add_bool_field(name::FEATURED, FAST),
        new_build: builder.add_bool_field(name::NEW_BUILD, FAST),
        lat: builder.add_f64_field(name::LAT, FAST),
        lng: builder.add_f64_field(name::LNG, FAST),
        location: builder.add_text_field(name::LOCATION, FAST),
        features: builder.add_text_field(name::FEATURES, FAST),
    };
    (builder.build(), fields)
}

/// The options of the `words` field. Its values are analysed words with spaces between them. Field lengths
/// are not indexed, so that a long description does not lower a home's score.
fn words_options() -> JsonObjectOptions {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("whitespace")
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    JsonObjectOptions::default().set_indexing_options(indexing)
}

/// Splits texts into words.
#[derive(Clone)]
pub(crate) struct Analyzers {
    /// Words in lower case.
    plain: TextAnalyzer,
    /// The same without accents.
    folded: TextAnalyzer,
    /// By locale: the same without stop words, reduced to stems.
    stemmed: [TextAnalyzer; 2],
}

impl Analyzers {
    pub fn new() -> Self {
        let plain = || {
            TextAnalyzer::builder(SimpleTokenizer::default())
                .filter(RemoveLongFilter::limit(MAX_WORD_LENGTH))
                .filter(LowerCaser)
        };
        Self {
            plain: plain().build(),
            folded: plain().filter(AsciiFoldingFilter).build(),
            stemmed: Locale::ALL.map(stemmed),
        }
    }

    /// Returns the words of `text` in lower case.
    pub fn plain(&mut self, text: &str) -> Vec<String> {
        tokens(&mut self.plain, text)
    }

    /// Returns the words of `text` in lower case without accents.
    pub fn folded(&mut self, text: &str) -> Vec<String> {
        tokens(&mut self.folded, text)
    }

    /// Returns the stems of the words of `text`, without stop words.
    ///
    /// Accents are removed before stemming, so that a word has the same stem however it was typed.
    pub fn stemmed(&mut self, locale: Locale, text: &str) -> Vec<String> {
        tokens(&mut self.stemmed[locale.index()], text)
    }
}

fn stemmed(locale: Locale) -> TextAnalyzer {
    let language = match locale {
        Locale::En => Language::English,
        Locale::Es => Language::Spanish,
    };
    let words = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(MAX_WORD_LENGTH))
        .filter(LowerCaser);
    let words = match StopWordFilter::new(language) {
        Some(stop_words) => words.filter(stop_words).dynamic(),
        None => words.dynamic(),
    };
    words.filter(AsciiFoldingFilter).filter(Stemmer::new(language)).build()
}

fn tokens(analyzer: &mut TextAnalyzer, text: &str) -> Vec<String> {
    // Macs write an accent after its letter (decomposed), where the tokenizer would end the word.
    let text: String = text.nfc().collect();
    let mut words = Vec::new();
    let mut stream = analyzer.token_stream(&text);
    while stream.advance() {
        words.push(stream.token().text.clone());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_of_a_search_is_too_long() {
        // A search has at most two hundred letters; U+10400 takes four bytes.
        for letters in ["x".repeat(200), "\u{10400}".repeat(200)] {
            assert!(!Analyzers::new().folded(&letters).is_empty(), "{letters}");
            assert!(!Analyzers::new().stemmed(Locale::Es, &letters).is_empty(), "{letters}");
        }
    }

    #[test]
    fn composed_and_decomposed_accents_give_the_same_word() {
        let mut analyzers = Analyzers::new();
        assert_eq!(analyzers.folded("Pen\u{303}oncillo"), ["penoncillo"]);
        assert_eq!(analyzers.plain("jardi\u{301}n"), ["jardín"]);
        let composed = analyzers.stemmed(Locale::Es, "jardín");
        assert_eq!(analyzers.stemmed(Locale::Es, "jardi\u{301}n"), composed);
    }
}
