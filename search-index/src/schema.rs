//! The index's fields, and how their texts become words.

use contracts::Locale;
use tantivy::{
    Index,
    schema::{
        FAST, Field, IndexRecordOption, STORED, STRING, Schema, SchemaBuilder, TextFieldIndexing,
        TextOptions,
    },
    tokenizer::{
        AsciiFoldingFilter, Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer,
        StopWordFilter, TextAnalyzer,
    },
};

/// The form of the index. It is part of the directory's name: raise it whenever a field, an
/// analyzer or the stored document changes, and a new index is built beside the old one.
pub const SCHEMA_VERSION: u32 = 1;

/// Words longer than this are nobody's search.
pub(crate) const LONGEST_WORD: usize = 40;
/// The analyzer that folds accents and case and leaves the word as it is.
pub(crate) const FOLDED: &str = "folded";

/// Every field by name; fast fields are read by it.
pub(crate) mod name {
    pub const KEY: &str = "key";
    pub const VERSION: &str = "version";
    pub const SOURCE: &str = "source";
    pub const REFERENCE: &str = "reference";
    pub const REFERENCE_WORDS: &str = "reference_words";
    pub const STATUS: &str = "status";
    pub const PROPERTY_TYPE: &str = "property_type";
    pub const PRICE: &str = "price";
    pub const BEDROOMS: &str = "bedrooms";
    pub const BATHROOMS: &str = "bathrooms";
    pub const BUILT_AREA: &str = "built_area";
    pub const LISTED_AT: &str = "listed_at";
    pub const REDUCED: &str = "reduced";
    pub const FEATURED: &str = "featured";
    pub const LAT: &str = "lat";
    pub const LNG: &str = "lng";
    pub const LOCATION: &str = "location";
    pub const FEATURES: &str = "features";
}

/// The fields of one language's words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextFields {
    pub title: Field,
    pub place: Field,
    /// Kind, type and features in the visitors' words.
    pub vocabulary: Field,
    pub summary: Field,
    pub description: Field,
    /// The title's words unstemmed, for completing what is being typed.
    pub typeahead: Field,
}

/// Handles to every field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub key: Field,
    pub version: Field,
    pub source: Field,
    pub reference: Field,
    pub reference_words: Field,
    pub status: Field,
    pub property_type: Field,
    pub price: Field,
    pub bedrooms: Field,
    pub bathrooms: Field,
    pub built_area: Field,
    pub listed_at: Field,
    pub reduced: Field,
    pub featured: Field,
    pub lat: Field,
    pub lng: Field,
    pub location: Field,
    pub features: Field,
    pub en: TextFields,
    pub es: TextFields,
}

impl Fields {
    /// The text fields of `locale`.
    pub const fn text(&self, locale: Locale) -> &TextFields {
        match locale {
            Locale::En => &self.en,
            Locale::Es => &self.es,
        }
    }
}

/// The schema with its handles.
pub(crate) fn build() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let fields = Fields {
        key: builder.add_text_field(name::KEY, STRING | FAST),
        version: builder.add_i64_field(name::VERSION, FAST),
        source: builder.add_text_field(name::SOURCE, STORED),
        reference: builder.add_text_field(name::REFERENCE, STRING | FAST),
        reference_words: words(&mut builder, name::REFERENCE_WORDS, FOLDED),
        status: builder.add_u64_field(name::STATUS, FAST),
        property_type: builder.add_u64_field(name::PROPERTY_TYPE, FAST),
        price: builder.add_i64_field(name::PRICE, FAST),
        bedrooms: builder.add_i64_field(name::BEDROOMS, FAST),
        bathrooms: builder.add_i64_field(name::BATHROOMS, FAST),
        built_area: builder.add_i64_field(name::BUILT_AREA, FAST),
        listed_at: builder.add_i64_field(name::LISTED_AT, FAST),
        reduced: builder.add_bool_field(name::REDUCED, FAST),
        featured: builder.add_bool_field(name::FEATURED, FAST),
        lat: builder.add_f64_field(name::LAT, FAST),
        lng: builder.add_f64_field(name::LNG, FAST),
        location: builder.add_text_field(name::LOCATION, STRING | FAST),
        features: builder.add_text_field(name::FEATURES, STRING | FAST),
        en: text_fields(&mut builder, Locale::En),
        es: text_fields(&mut builder, Locale::Es),
    };
    (builder.build(), fields)
}

fn text_fields(builder: &mut SchemaBuilder, locale: Locale) -> TextFields {
    let analyzer = analyzer_name(locale);
    let mut field =
        |part: &str, analyzer: &str| words(builder, &format!("{part}_{locale}"), analyzer);
    TextFields {
        title: field("title", analyzer),
        place: field("place", FOLDED),
        vocabulary: field("vocabulary", analyzer),
        summary: field("summary", analyzer),
        description: field("description", analyzer),
        typeahead: field("typeahead", FOLDED),
    }
}

fn words(builder: &mut SchemaBuilder, name: &str, analyzer: &str) -> Field {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(analyzer)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    builder.add_text_field(name, TextOptions::default().set_indexing_options(indexing))
}

/// The analyzer of texts in `locale`.
pub(crate) const fn analyzer_name(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "stemmed_en",
        Locale::Es => "stemmed_es",
    }
}

/// Makes the analyzers known to `index`.
pub(crate) fn register_analyzers(index: &Index) {
    index.tokenizers().register(FOLDED, folded_analyzer());
    for locale in Locale::ALL {
        index.tokenizers().register(analyzer_name(locale), stemmed_analyzer(locale));
    }
}

/// Words, lower case, without accents.
pub(crate) fn folded_analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(LONGEST_WORD))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .build()
}

/// Words without those that say nothing, without accents, reduced to their stems.
///
/// Accents go before stemming, so that a word is the same however it was typed.
fn stemmed_analyzer(locale: Locale) -> TextAnalyzer {
    let language = match locale {
        Locale::En => Language::English,
        Locale::Es => Language::Spanish,
    };
    let folded = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(LONGEST_WORD))
        .filter(LowerCaser);
    match StopWordFilter::new(language) {
        Some(stop_words) => folded
            .filter(stop_words)
            .filter(AsciiFoldingFilter)
            .filter(Stemmer::new(language))
            .build(),
        None => folded.filter(AsciiFoldingFilter).filter(Stemmer::new(language)).build(),
    }
}
