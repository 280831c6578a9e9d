//! The index document of one property.

use contracts::{
    Locale, Offer, Reduction, Version,
    content::{Coordinates, EnergyRating, ListingStatus, Property, PropertyKind, PropertyType},
    vocabulary::{self, Mark, Wording},
};
use serde::{Deserialize, Serialize};
use tantivy::{TantivyDocument, schema::OwnedValue};

use crate::{
    plain_text::plain_text,
    schema::{Analyzers, Fields, TextField},
};

/// The fields of a property that filters, sorting and facets use, and a fingerprint of its words.
///
/// It is stored with the document, so that an index can be compared with the content, field by field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexedProperty {
    /// The agency's reference.
    pub reference: String,
    /// The listing status.
    pub status: ListingStatus,
    /// The broad type that visitors choose by.
    pub property_type: PropertyType,
    /// The exact kind.
    pub kind: PropertyKind,
    /// The price in euros.
    pub price: Option<i64>,
    /// Bedrooms.
    pub bedrooms: Option<i64>,
    /// Bathrooms.
    pub bathrooms: Option<i64>,
    /// Built size, m².
    pub built_area: Option<i64>,
    /// Plot, m².
    pub plot_area: Option<i64>,
    /// The rating of the energy certificate, or why there is none.
    pub energy: Option<EnergyRating>,
    /// When it was first offered, microseconds since 1970.
    pub listed_at: i64,
    /// When its price was last reduced, microseconds since 1970; `None` if it is not reduced.
    pub reduced_at: Option<i64>,
    /// Whether it is featured.
    pub featured: bool,
    /// Whether it is a new build.
    pub new_build: bool,
    /// Latitude.
    pub lat: Option<f64>,
    /// Longitude.
    pub lng: Option<f64>,
    /// The slugs of its place and of the places that contain this, the smallest first.
    pub locations: Vec<String>,
    /// Features in kebab case, sorted.
    pub features: Vec<String>,
    /// A fingerprint of all its words in both languages.
    pub words: u64,
}

/// The searchable texts of a property in one language.
struct Words {
    title: String,
    place: String,
    vocabulary: String,
    summary: String,
    description: String,
}

impl Words {
    fn of(property: &Property, locale: Locale) -> Self {
        let text = property.text.get_or_fallback(locale).map(|(_, text)| text);
        let place = property.location.name.get_or_fallback(locale).map(|(_, name)| name.as_str());
        Self {
            title: text.map_or_else(|| property.reference.clone(), |text| text.title.clone()),
            place: format!("{} {}", place.unwrap_or_default(), property.location.slug),
            vocabulary: names(property, locale),
            summary: text.map(|text| text.summary.clone()).unwrap_or_default(),
            description: text.map(|text| plain_text(&text.description)).unwrap_or_default(),
        }
    }

    fn all(&self) -> [&str; 5] {
        [&self.title, &self.place, &self.vocabulary, &self.summary, &self.description]
    }

    /// Returns the analysed words, by text field.
    fn analysed(&self, locale: Locale, analyzers: &mut Analyzers) -> [(TextField, Vec<String>); 6] {
        [
            (TextField::Title(locale), analyzers.stemmed(locale, &self.title)),
            (TextField::Place(locale), analyzers.folded(&self.place)),
            (TextField::Vocabulary(locale), analyzers.stemmed(locale, &self.vocabulary)),
            (TextField::Summary(locale), analyzers.stemmed(locale, &self.summary)),
            (TextField::Description(locale), analyzers.stemmed(locale, &self.description)),
            (TextField::TypeAhead(locale), analyzers.folded(&self.title)),
        ]
    }
}

/// Returns all names and synonyms of the kind, type and features of `property` in `locale`.
fn names(property: &Property, locale: Locale) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut add = |entry: &'static Wording| {
        names.push(&entry.name);
        names.extend(entry.words.iter().map(String::as_str));
    };
    add(vocabulary::kind(property.kind, locale));
    add(vocabulary::property_type(property.property_type, locale));
    if property.new_build {
        add(vocabulary::mark(Mark::NewBuild, locale));
    }
    let mut unlisted = Vec::new();
    for tag in &property.features {
        match vocabulary::feature(tag, locale) {
            Some(entry) => add(entry),
            None => unlisted.push(tag.replace('-', " ")),
        }
    }
    names.extend(unlisted.iter().map(String::as_str));
    names.join(" ")
}

impl IndexedProperty {
    /// Returns the fields to index for `property`; `offers` are its offers, the oldest first.
    pub fn of(property: &Property, offers: &[Offer]) -> Self {
        let words = Locale::ALL.map(|locale| Words::of(property, locale));
        // Rounded, so that searches in ever smaller areas can't reveal the exact address.
        let spot = property.coordinates.map(Coordinates::rounded);
        let mut features = property.features.clone();
        features.sort_unstable();
        features.dedup();
        Self {
            reference: property.reference.clone(),
            status: property.status,
            property_type: property.property_type,
            kind: property.kind,
            price: property.price,
            bedrooms: property.bedrooms,
            bathrooms: property.bathrooms,
            built_area: property.built_area,
            plot_area: property.plot_area,
            energy: property.energy.as_ref().map(|label| label.rating),
            listed_at: property.first_offered(offers).timestamp_micros(),
            reduced_at: Reduction::of(property.price, offers).map(|it| it.at.timestamp_micros()),
            featured: property.featured,
            new_build: property.new_build,
            lat: spot.map(|point| point.lat),
            lng: spot.map(|point| point.lng),
            locations: property.location.self_and_ancestors().map(str::to_owned).collect(),
            features,
            words: fingerprint(words.iter().flat_map(Words::all)),
        }
    }

    /// Returns whether the property is in the place with this `slug`.
    pub(crate) fn is_at(&self, slug: &str) -> bool {
        self.locations.iter().any(|place| place == slug)
    }
}

/// Returns a hash of `texts`, the same in every build.
fn fingerprint<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        // No text contains the byte that ends it here.
        hasher.update(text.as_bytes()).update(&[0xff]);
    }
    let mut hash = [0; 8];
    hasher.finalize_xof().fill(&mut hash);
    u64::from_le_bytes(hash)
}

/// Returns the position of `member` in its closed set, as stored in a fast field.
pub(crate) fn ordinal<T: PartialEq>(all: &[T], member: &T) -> u64 {
    all.iter().position(|other| other == member).unwrap_or_default() as u64
}

/// Creates the document of `property` at `version`, with the offers `offers`.
pub(crate) fn document(
    fields: &Fields,
    analyzers: &mut Analyzers,
    key: &str,
    version: Version,
    property: &Property,
    offers: &[Offer],
) -> Result<TantivyDocument, serde_json::Error> {
    let indexed = IndexedProperty::of(property, offers);
    let mut document = TantivyDocument::default();
    document.add_text(fields.key, key);
    document.add_i64(fields.version, version.0);
    document.add_text(fields.source, serde_json::to_string(&indexed)?);
    document.add_text(fields.reference, &indexed.reference);
    document.add_u64(fields.status, ordinal(ListingStatus::ALL, &indexed.status));
    document.add_u64(fields.property_type, ordinal(PropertyType::ALL, &indexed.property_type));
    document.add_u64(fields.kind, ordinal(PropertyKind::ALL, &indexed.kind));
    if let Some(rating) = &indexed.energy {
        document.add_u64(fields.energy, ordinal(EnergyRating::ALL, rating));
    }
    let numbers = [
        (fields.price, indexed.price),
        (fields.bedrooms, indexed.bedrooms),
        (fields.bathrooms, indexed.bathrooms),
        (fields.built_area, indexed.built_area),
        (fields.plot_area, indexed.plot_area),
        (fields.listed_at, Some(indexed.listed_at)),
        (fields.reduced_at, indexed.reduced_at),
    ];
    for (field, number) in numbers {
        if let Some(number) = number {
            document.add_i64(field, number);
        }
    }
    document.add_bool(fields.featured, indexed.featured);
    document.add_bool(fields.new_build, indexed.new_build);
    if let (Some(lat), Some(lng)) = (indexed.lat, indexed.lng) {
        document.add_f64(fields.lat, lat);
        document.add_f64(fields.lng, lng);
    }
    for slug in &indexed.locations {
        document.add_text(fields.location, slug);
    }
    for feature in &indexed.features {
        document.add_text(fields.features, feature);
    }
    let mut words = vec![(TextField::Key, vec![key.to_owned()])];
    words.extend(words_of(property, analyzers));
    add_words(&mut document, fields, words);
    Ok(document)
}

/// Returns all words of `property` in both languages, as indexed.
pub(crate) fn words_of(
    property: &Property,
    analyzers: &mut Analyzers,
) -> Vec<(TextField, Vec<String>)> {
    let reference = analyzers.folded(&reference_words(&property.reference));
    let mut words = vec![(TextField::Reference, reference)];
    for locale in Locale::ALL {
        words.extend(Words::of(property, locale).analysed(locale, analyzers));
    }
    words
}

/// Creates the document that stays of a removed property. It has the version, so that a late, older event
/// does not bring the property back.
pub(crate) fn tombstone(fields: &Fields, key: &str, version: Version) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    document.add_text(fields.key, key);
    document.add_i64(fields.version, version.0);
    add_words(&mut document, fields, vec![(TextField::Key, vec![key.to_owned()])]);
    document
}

fn add_words(
    document: &mut TantivyDocument,
    fields: &Fields,
    words: Vec<(TextField, Vec<String>)>,
) {
    let parts =
        words.into_iter().map(|(part, words)| (part.path(), OwnedValue::Str(words.join(" "))));
    document.add_object(fields.words, parts.collect());
}

/// Returns the words by which people find a reference: typed as `AH-1001`, `AH 1001` or `ah1001`.
pub(crate) fn reference_words(reference: &str) -> String {
    let joined: String = reference.chars().filter(|letter| letter.is_alphanumeric()).collect();
    format!("{reference} {joined}")
}
