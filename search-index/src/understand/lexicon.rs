//! The phrases by which visitors ask for kinds, types, features and other filters.

use std::sync::LazyLock;

use contracts::{
    Locale,
    content::{ListingStatus, PropertyKind, PropertyType},
    vocabulary::{self, Mark, Wording},
};

use super::{FilterValue, Match, Meaning, tokens::Tokens};
use crate::spelling::{MIN_TYPO_LENGTH, fold, is_one_typo};

/// Phrases for homes that are new on the site, with the number of days.
const NEWLY_LISTED: [(i64, &str); 2] = [
    (
        7,
        "new this week|this week|esta semana|nuevo esta semana|nueva esta semana|novedades de esta semana",
    ),
    (
        30,
        "new this month|this month|este mes|new listing|newly listed|new on the market|new to market|new to the market|just listed|latest|novedad|novedades|recien llegado|recien llegado al mercado|recien publicado|nuevo en el mercado|nuevo este mes|ultimas novedades|lo ultimo",
    ),
];

/// Phrases for homes to rent.
const RENTING: &str = "rent|to rent|for rent|rental|rentals|for rental|to let|renting|long term rental|long term rent|long term let|long let|short term rental|short term let|holiday rental|holiday let|holiday letting|holiday home to rent|winter let|winter rental|monthly rental|alquiler|alquilar|en alquiler|de alquiler|para alquilar|se alquila|se alquilan|alquilo|alquiler vacacional|alquiler turistico|alquiler larga temporada|alquiler de larga temporada|larga temporada|alquiler corta temporada|alquiler de corta temporada|corta temporada|alquiler por meses|alquiler con opcion a compra|rent to buy|rent to own";

/// Phrases that mention renting but are about a home for sale: they are searched as words.
const ABOUT_RENTING: &str = "rental licence|rental license|rental income|rental potential|rental yield|rental return|rental investment|buy to let|holiday rental licence|holiday let licence|tourist licence|tourist rental licence|tourist rental license|licencia de alquiler|licencia de alquiler turistico|licencia de alquiler vacacional|licencia turistica|licencia vacacional|rentabilidad de alquiler|ingresos por alquiler|inversion para alquiler|ideal para alquilar|ideal alquiler";

/// Phrases for homes without a feature that have a word of their own.
const WITHOUT: [(&str, &str); 1] =
    [("furnished", "unfurnished|not furnished|sin muebles|sin amueblar|no amueblado|no amueblada")];

/// Features that a garage on its own may have.
const GARAGE_FEATURES: [&str; 11] = [
    "garage",
    "parking",
    "lift",
    "gated",
    "alarm",
    "storage-room",
    "wheelchair-access",
    "walk-to-beach",
    "beachfront",
    "near-golf",
    "well",
];

/// Features whose phrases mean a garage if the text mentions no home.
const GARAGE_LIKE: [&str; 2] = ["garage", "parking"];

/// Words after which a garage is a part of the home that is searched for.
const BEFORE_PARTS: [&str; 10] =
    ["with", "has", "have", "having", "con", "tenga", "home", "homes", "vivienda", "viviendas"];

/// Kinds that are a part of a home if the text already names one.
const POSSIBLE_PARTS: [PropertyKind; 6] = [
    PropertyKind::Studio,
    PropertyKind::Premises,
    PropertyKind::Bar,
    PropertyKind::Office,
    PropertyKind::Land,
    PropertyKind::Garage,
];

/// Words that connect others and have no meaning for the search.
const FILLER_WORDS: &str = "with|con|in|en|cheap|affordable|barato|barata|economico|economica|near|near to|close to|next to|beside|by|cerca|cerca de|junto a|al lado de|for|for sale|sale|venta|en venta|a la venta|se vende|se venden|vendo|the|a|an|of|at|and|or|to|to buy|buy|buying|looking for|i am looking for|i m looking for|we are looking for|we re looking for|searching for|i want|we want|i need|we need|i d like|we d like|want|show me|find|need|some|any|has|have|having|that|that has|which|which has|on|is|property|property for sale|properties|home|real estate|please|el|la|los|las|un|una|unos|unas|de|del|al menos|y|o|u|al|para|por|que|que tenga|por lo menos|mas o menos|comprar|compra|busco|buscamos|buscar|buscando|estoy buscando|quiero|queremos|necesito|necesitamos|inmueble|propiedad|propiedades|vivienda|me|my|situado|situada|located|€|£";

/// Words that differ from one in the lexicon, or from a place, by one letter, but are not typos of it.
const NOT_TYPOS: &[&str] =
    &["horse", "horses", "officer", "officers", "terraced", "packing", "estadio", "completa"];

struct Phrase {
    words: Vec<String>,
    /// `None` if the phrase stays as words.
    meaning: Option<Meaning>,
    only: Option<Locale>,
}

static LEXICON: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    let mut lexicon = Vec::new();
    let mut add = |meaning: Option<&Meaning>, phrase: &str, only| {
        let words = fold(phrase).split(' ').map(str::to_owned).collect();
        lexicon.push(Phrase { words, meaning: meaning.cloned(), only });
    };
    let mut add_entry = |meaning: &Meaning, entry: &dyn Fn(Locale) -> &'static Wording| {
        for locale in Locale::ALL {
            let entry = entry(locale);
            entry.phrases.iter().for_each(|phrase| add(Some(meaning), phrase, None));
            entry.phrases_here.iter().for_each(|phrase| add(Some(meaning), phrase, Some(locale)));
        }
    };
    for kind in PropertyKind::ALL {
        let meaning = match kind {
            PropertyKind::Garage => Meaning::Garage("garage"),
            kind => Meaning::Filter(FilterValue::Kind(*kind)),
        };
        add_entry(&meaning, &|locale| vocabulary::kind(*kind, locale));
    }
    for name in PropertyType::ALL {
        let meaning = Meaning::Filter(FilterValue::PropertyType(*name));
        add_entry(&meaning, &|locale| vocabulary::property_type(*name, locale));
    }
    for status in ListingStatus::ALL {
        let meaning = Meaning::Filter(FilterValue::Status(*status));
        add_entry(&meaning, &|locale| vocabulary::status(*status, locale));
    }
    let marks = [(FilterValue::Reduced, Mark::Reduced), (FilterValue::NewBuild, Mark::NewBuild)];
    for (filter, mark) in marks {
        add_entry(&Meaning::Filter(filter), &|locale| vocabulary::mark(mark, locale));
    }
    for feature in vocabulary::features() {
        let key = feature.key.as_str();
        let meaning = if GARAGE_LIKE.contains(&key) {
            Meaning::Garage(key)
        } else {
            Meaning::Filter(FilterValue::Feature(key))
        };
        add_entry(&meaning, &|locale| feature.entry(locale));
    }
    let mut add_phrases = |meaning: Option<Meaning>, phrases: &str| {
        phrases.split('|').for_each(|phrase| add(meaning.as_ref(), phrase, None));
    };
    for (days, phrases) in NEWLY_LISTED {
        add_phrases(Some(Meaning::Filter(FilterValue::ListedWithin(days))), phrases);
    }
    for (feature, phrases) in WITHOUT {
        add_phrases(Some(Meaning::Filter(FilterValue::WithoutFeature(feature))), phrases);
    }
    add_phrases(Some(Meaning::Filter(FilterValue::Rent)), RENTING);
    add_phrases(None, ABOUT_RENTING);
    lexicon
});

static FILLERS: LazyLock<Vec<Vec<&str>>> =
    LazyLock::new(|| FILLER_WORDS.split('|').map(|phrase| phrase.split(' ').collect()).collect());

/// Returns what the `length` words at `at` ask for, if they are a phrase of the lexicon. If `allow_typo`,
/// they must differ from it by a typo.
pub(super) fn phrase(
    tokens: Tokens<'_>,
    locale: Locale,
    at: usize,
    length: usize,
    allow_typo: bool,
) -> Option<Match> {
    let typed: Vec<&str> = (at..at + length).map(|at| tokens.word(at)).collect::<Option<_>>()?;
    let found = LEXICON
        .iter()
        .filter(|phrase| {
            phrase.words.len() == length && phrase.only.is_none_or(|only| only == locale)
        })
        .find(|phrase| {
            if allow_typo {
                is_same_with_typo(&typed, &phrase.words)
            } else {
                is_same(&typed, &phrase.words)
            }
        })?;
    Some(Match::of(at + length, found.meaning.clone()))
}

/// Returns every filter that a phrase for `locale` can mean, with the phrase in the singular.
pub(super) fn names(locale: Locale) -> impl Iterator<Item = (FilterValue, String)> {
    let phrases =
        LEXICON.iter().filter(move |phrase| phrase.only.is_none_or(|only| only == locale));
    phrases.flat_map(|phrase| {
        let meant = match &phrase.meaning {
            Some(Meaning::Filter(filter)) => vec![filter.clone()],
            // The visitor may search for a garage, or for a home with one.
            Some(Meaning::Garage(feature)) => {
                vec![FilterValue::Kind(PropertyKind::Garage), FilterValue::Feature(feature)]
            }
            Some(Meaning::NotKind(_) | Meaning::AsTyped) | None => Vec::new(),
        };
        let name = phrase.words.join(" ");
        meant.into_iter().map(move |filter| (filter, name.clone()))
    })
}

/// Returns the end of the filler words at `at`.
pub(super) fn filler(tokens: Tokens<'_>, at: usize) -> Option<usize> {
    let stands = |words: &Vec<&str>| {
        words.iter().enumerate().all(|(offset, word)| {
            tokens.word(at + offset).is_some_and(|typed| is_word(typed, word))
        })
    };
    FILLERS.iter().filter(|words| stands(words)).map(|words| at + words.len()).max()
}

/// Returns whether `typed` is a word that is never a typo of a similar one.
pub(super) fn is_not_a_typo(typed: &str) -> bool {
    NOT_TYPOS.contains(&typed)
}

/// Returns whether `kind` may be a part of another home.
pub(super) fn may_be_part(kind: PropertyKind) -> bool {
    POSSIBLE_PARTS.contains(&kind)
}

/// Returns whether the words before a garage at `at` make it a part of a home.
pub(super) fn is_part_of_home(tokens: Tokens<'_>, at: usize) -> bool {
    (0..at).filter_map(|before| tokens.word(before)).any(|word| BEFORE_PARTS.contains(&word))
}

/// Returns whether a garage on its own may have the feature.
pub(super) fn may_be_of_garage(feature: &str) -> bool {
    GARAGE_FEATURES.contains(&feature)
}

fn is_same(typed: &[&str], words: &[String]) -> bool {
    typed.iter().zip(words).all(|(typed, word)| is_word(typed, word))
}

fn is_same_with_typo(typed: &[&str], words: &[String]) -> bool {
    let mut typos = 0;
    typed.iter().zip(words).all(|(typed, word)| {
        is_word(typed, word) || {
            typos += 1;
            typos == 1 && is_typo_of(typed, word)
        }
    })
}

/// Returns whether `typed` is `word` or its plural.
fn is_word(typed: &str, word: &str) -> bool {
    typed == word
        || (word.len() > 2
            && typed.strip_prefix(word).is_some_and(|rest| matches!(rest, "s" | "es")))
}

/// Returns whether `typed` is `word` or its plural with one typo after the first letter.
pub(super) fn is_typo_of(typed: &str, word: &str) -> bool {
    typed.len() >= MIN_TYPO_LENGTH
        && word.len() >= MIN_TYPO_LENGTH
        && typed.as_bytes()[0] == word.as_bytes()[0]
        && !is_not_a_typo(typed)
        && (is_one_typo(typed, word) || is_one_typo(typed, &format!("{word}s")))
}
