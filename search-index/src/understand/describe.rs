//! Describes a parsed query in a sentence.

use contracts::{
    Locale,
    content::PropertyKind,
    vocabulary::{self, Mark, Wording},
};

use super::{FilterValue, Place, Quantity, Understood, kinds};
use crate::spelling::fold;

impl Understood {
    /// Returns the query in the language of `locale`, such as "3-bed villas in Nerja under €400,000".
    pub fn describe(&self, locale: Locale, places: &[Place]) -> String {
        let say = |en: &'static str, es: &'static str| match locale {
            Locale::En => en,
            Locale::Es => es,
        };
        let (min, max) = self.limits(Quantity::Bedrooms);
        let mut sentence = with_bedrooms(&self.subject(locale), min, max, locale);
        if self.has(&FilterValue::NewBuild) {
            sentence = format!("{}{sentence}{}", say("new-build ", ""), say("", " de obra nueva"));
        }
        if self.has(&FilterValue::Rent) {
            sentence = format!("{sentence} {}", say("for sale", "en venta"));
        }
        let inside = self.all(|filter| match filter {
            FilterValue::Location(slug) => Some(name_of(slug, places)),
            _ => None,
        });
        let outside = self.all(|filter| match filter {
            FilterValue::NotLocation(slug) => Some(name_of(slug, places)),
            _ => None,
        });
        for (leading, names) in [
            (say("in", "en"), joined(inside, say("or", "o"))),
            (say("outside", "fuera de"), joined(outside, say("and", "y"))),
        ] {
            if !names.is_empty() {
                sentence = format!("{sentence} {leading} {names}");
            }
        }
        let euros = |euros| locale.euros(euros);
        let metres = |metres| format!("{} m²", locale.number(metres));
        let limits = [
            (range(self.limits(Quantity::Price), locale, euros), ""),
            (range(self.limits(Quantity::BuiltArea), locale, metres), ""),
            (
                range(self.limits(Quantity::PlotArea), locale, metres),
                say(" of land", " de parcela"),
            ),
        ];
        for (limit, of) in limits {
            if let Some(limit) = limit {
                sentence = format!("{sentence} {limit}{of}");
            }
        }
        let in_words = |feature: &Wording| in_a_sentence(&feature.name);
        let mut with: Vec<String> = self
            .all(|filter| match filter {
                FilterValue::Feature(key) => vocabulary::feature(key, locale).map(in_words),
                _ => None,
            })
            .collect();
        let bathrooms = self.first(|filter| match filter {
            FilterValue::MinBathrooms(min) => Some(*min),
            _ => None,
        });
        if let Some(min) = bathrooms {
            with.insert(
                0,
                match locale {
                    Locale::En if min == 1 => "1 bathroom".to_owned(),
                    Locale::En => format!("{min} bathrooms"),
                    Locale::Es if min == 1 => "1 baño".to_owned(),
                    Locale::Es => format!("{min} baños"),
                },
            );
        }
        let without: Vec<String> = self
            .all(|filter| match filter {
                FilterValue::WithoutFeature(key) => vocabulary::feature(key, locale).map(in_words),
                _ => None,
            })
            .collect();
        for (named, leading, last) in [
            (with, say("with", "con"), say("and", "y")),
            (without, say("without", "sin"), say("or", "ni")),
        ] {
            if let Some(all) = enumerated(&named, last) {
                sentence = format!("{sentence} {leading} {all}");
            }
        }
        for more in self.remarks(locale) {
            sentence = format!("{sentence}, {more}");
        }
        capitalised(&sentence)
    }

    /// Returns what ends the sentence: statuses, marks, the energy rating and the words.
    fn remarks(&self, locale: Locale) -> Vec<String> {
        let mut more: Vec<String> = self
            .all(|filter| match filter {
                FilterValue::Status(status) => {
                    Some(in_a_sentence(vocabulary::status(*status, locale).plural()))
                }
                _ => None,
            })
            .collect();
        if self.has(&FilterValue::Reduced) {
            more.push(in_a_sentence(vocabulary::mark(Mark::Reduced, locale).plural()));
        }
        let listed_within = self.first(|filter| match filter {
            FilterValue::ListedWithin(days) => Some(*days),
            _ => None,
        });
        if let Some(days) = listed_within {
            more.push(match (locale, days) {
                (Locale::En, 1) => "new since yesterday".to_owned(),
                (Locale::En, days) => format!("new in the last {days} days"),
                (Locale::Es, 1) => "novedades desde ayer".to_owned(),
                (Locale::Es, days) => format!("novedades de los últimos {days} días"),
            });
        }
        let letters = self.all(|filter| match filter {
            FilterValue::Energy(rating) => Some(rating.name()),
            _ => None,
        });
        let letters = letters.collect::<Vec<_>>().join("/");
        if !letters.is_empty() {
            more.push(match locale {
                Locale::En => format!("energy rating {letters}"),
                Locale::Es => format!("calificación energética {letters}"),
            });
        }
        if !self.words.is_empty() {
            let words = self.words.trim_matches('"');
            more.push(match locale {
                Locale::En => format!("“{words}”"),
                Locale::Es => format!("«{words}»"),
            });
        }
        more
    }

    /// Returns the noun of the sentence: kinds, else types, else homes. All kinds of a type are described as
    /// the type.
    fn subject(&self, locale: Locale) -> String {
        let asked: Vec<PropertyKind> = self.all(FilterValue::kind).collect();
        let mut names: Vec<&str> = Vec::new();
        for kind in &asked {
            let whole = kind.usual_type();
            let name = if kinds::of_type(whole).all(|kind| asked.contains(&kind)) {
                vocabulary::property_type(whole, locale).plural()
            } else {
                vocabulary::kind(*kind, locale).plural()
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            let types = self.all(FilterValue::property_type);
            names.extend(types.map(|name| vocabulary::property_type(name, locale).plural()));
        }
        match (names.is_empty(), locale) {
            (true, Locale::En) => "homes".to_owned(),
            (true, Locale::Es) => "inmuebles".to_owned(),
            (false, Locale::En) => joined(names.into_iter().map(in_a_sentence), "or"),
            (false, Locale::Es) => joined(names.into_iter().map(in_a_sentence), "o"),
        }
    }

    /// Returns the minimum and the maximum of `quantity`.
    fn limits(&self, quantity: Quantity) -> (Option<i64>, Option<i64>) {
        let min = self.first(|filter| match filter {
            FilterValue::Min(of, amount) if *of == quantity => Some(*amount),
            _ => None,
        });
        let max = self.first(|filter| match filter {
            FilterValue::Max(of, amount) if *of == quantity => Some(*amount),
            _ => None,
        });
        (min, max)
    }

    /// Returns what `pick` takes from the filters.
    fn all<'a, T>(
        &'a self,
        pick: impl Fn(&'a FilterValue) -> Option<T>,
    ) -> impl Iterator<Item = T> {
        self.filters.iter().filter_map(move |one| pick(&one.filter))
    }

    fn first<'a, T>(&'a self, pick: impl Fn(&'a FilterValue) -> Option<T>) -> Option<T> {
        self.all(pick).next()
    }

    fn has(&self, filter: &FilterValue) -> bool {
        self.filters.iter().any(|one| one.filter == *filter)
    }
}

/// Returns the name of the place `slug`, if it is known, or else the slug.
fn name_of<'a>(slug: &'a str, places: &'a [Place]) -> &'a str {
    places.iter().find(|place| place.slug == slug).map_or(slug, |place| &place.name)
}

/// Returns the limits in words, each as `say` returns it.
fn range(
    (min, max): (Option<i64>, Option<i64>),
    locale: Locale,
    say: impl Fn(i64) -> String,
) -> Option<String> {
    Some(match (min.map(&say), max.map(&say), locale) {
        (None, None, _) => return None,
        (Some(min), Some(max), Locale::En) => format!("between {min} and {max}"),
        (Some(min), Some(max), Locale::Es) => format!("entre {min} y {max}"),
        (Some(min), None, Locale::En) => format!("from {min}"),
        (Some(min), None, Locale::Es) => format!("desde {min}"),
        (None, Some(max), Locale::En) => format!("under {max}"),
        (None, Some(max), Locale::Es) => format!("hasta {max}"),
    })
}

/// Returns `subject` with its minimum and maximum number of bedrooms.
fn with_bedrooms(subject: &str, min: Option<i64>, max: Option<i64>, locale: Locale) -> String {
    match (min, max, locale) {
        (None, None, _) => subject.to_owned(),
        (Some(min), Some(max), Locale::En) if min != max => {
            format!("{min}- to {max}-bed {subject}")
        }
        (Some(min), Some(max), Locale::Es) if min != max => {
            format!("{subject} de {min} a {max} dormitorios")
        }
        (Some(min), _, Locale::En) => format!("{min}-bed {subject}"),
        (Some(1), _, Locale::Es) => format!("{subject} de 1 dormitorio"),
        (Some(min), _, Locale::Es) => format!("{subject} de {min} dormitorios"),
        (None, Some(1), Locale::En) => format!("{subject} of up to 1 bedroom"),
        (None, Some(max), Locale::En) => format!("{subject} of up to {max} bedrooms"),
        (None, Some(1), Locale::Es) => format!("{subject} de hasta 1 dormitorio"),
        (None, Some(max), Locale::Es) => format!("{subject} de hasta {max} dormitorios"),
    }
}

/// Joins `names` with commas, and with `last` before the last one; `None` if there are none.
fn enumerated(names: &[String], last: &str) -> Option<String> {
    Some(match names {
        [] => return None,
        [only] => only.clone(),
        [others @ .., end] => format!("{} {} {end}", others.join(", "), before(end, last)),
    })
}

/// Joins `names` with `word`.
fn joined(names: impl Iterator<Item = impl AsRef<str>>, word: &str) -> String {
    names.fold(String::new(), |sentence, name| match (sentence.as_str(), name.as_ref()) {
        ("", first) => first.to_owned(),
        (sentence, name) => format!("{sentence} {} {name}", before(name, word)),
    })
}

/// Returns the form of `word` before `name`: in Spanish, `o` becomes `u` and `y` becomes `e` before the same
/// sound.
fn before<'a>(name: &str, word: &'a str) -> &'a str {
    let name = fold(name);
    let sound = name.strip_prefix('h').unwrap_or(&name);
    match word {
        "o" if sound.starts_with('o') => "u",
        // `hielo` starts with another sound.
        "y" if sound.starts_with('i') && !sound.starts_with("ie") => "e",
        _ => word,
    }
}

/// Returns a name of the vocabulary as it is written within a sentence: with a lower-case first letter.
fn in_a_sentence(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Returns `text` with a capital first letter.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
