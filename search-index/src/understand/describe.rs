//! Describes a parsed query in a sentence.

use contracts::{
    Locale,
    content::PropertyKind,
    vocabulary::{self, Mark},
};

use super::{Place, Understood, kinds};
use crate::spelling::fold;

impl Understood {
    /// Returns the query in the language of `locale`, such as "3-bed villas in Nerja under €400,000".
    pub fn describe(&self, locale: Locale, places: &[Place]) -> String {
        let say = |en: &'static str, es: &'static str| match locale {
            Locale::En => en,
            Locale::Es => es,
        };
        let mut sentence = with_bedrooms(
            &self.subject(locale),
            self.first("minBedrooms"),
            self.first("maxBedrooms"),
            locale,
        );
        if self.first("newBuild").is_some() {
            sentence = format!("{}{sentence}{}", say("new-build ", ""), say("", " de obra nueva"));
        }
        if self.first("rent").is_some() {
            sentence = format!("{sentence} {}", say("for sale", "en venta"));
        }
        for (parameter, leading, between) in [
            ("location", say("in", "en"), say("or", "o")),
            ("notLocation", say("outside", "fuera de"), say("and", "y")),
        ] {
            let names = self.all(parameter).map(|slug| {
                places.iter().find(|place| place.slug == slug).map_or(slug, |place| &place.name)
            });
            let names = joined(names, between);
            if !names.is_empty() {
                sentence = format!("{sentence} {leading} {names}");
            }
        }
        let euros = |euros| locale.euros(euros);
        let metres = |metres| format!("{} m²", locale.number(metres));
        let limits = [
            (self.limits("minPrice", "maxPrice", locale, euros), ""),
            (self.limits("minBuilt", "maxBuilt", locale, metres), ""),
            (self.limits("minPlot", "maxPlot", locale, metres), say(" of land", " de parcela")),
        ];
        for (limit, of) in limits {
            if let Some(limit) = limit {
                sentence = format!("{sentence} {limit}{of}");
            }
        }
        let features = |parameter| {
            let known = self.all(parameter).filter_map(move |tag| vocabulary::feature(tag, locale));
            known.map(|entry| in_a_sentence(&entry.name)).collect::<Vec<String>>()
        };
        let mut with = features("features");
        if let Some(min) = self.first("minBathrooms") {
            with.insert(
                0,
                match locale {
                    Locale::En if min == "1" => "1 bathroom".to_owned(),
                    Locale::En => format!("{min} bathrooms"),
                    Locale::Es if min == "1" => "1 baño".to_owned(),
                    Locale::Es => format!("{min} baños"),
                },
            );
        }
        let without = features("withoutFeatures");
        for (named, leading, last) in [
            (with, say("with", "con"), say("and", "y")),
            (without, say("without", "sin"), say("or", "ni")),
        ] {
            if let Some(all) = enumerated(&named, last) {
                sentence = format!("{sentence} {leading} {all}");
            }
        }
        let statuses = self.all("status").filter_map(|status| status.parse().ok());
        let mut more: Vec<String> = statuses
            .map(|status| in_a_sentence(vocabulary::status(status, locale).plural()))
            .collect();
        if self.first("reduced").is_some() {
            more.push(in_a_sentence(vocabulary::mark(Mark::Reduced, locale).plural()));
        }
        if let Some(days) = self.first("newWithin") {
            more.push(match (locale, days) {
                (Locale::En, "1") => "new since yesterday".to_owned(),
                (Locale::En, days) => format!("new in the last {days} days"),
                (Locale::Es, "1") => "novedades desde ayer".to_owned(),
                (Locale::Es, days) => format!("novedades de los últimos {days} días"),
            });
        }
        let letters = self.all("energy").collect::<Vec<_>>().join("/");
        if !letters.is_empty() {
            more.push(format!("{} {letters}", say("energy rating", "calificación energética")));
        }
        if !self.words.is_empty() {
            let words = self.words.trim_matches('"');
            more.push(match locale {
                Locale::En => format!("“{words}”"),
                Locale::Es => format!("«{words}»"),
            });
        }
        for more in more {
            sentence = format!("{sentence}, {more}");
        }
        capitalised(&sentence)
    }

    /// Returns the noun of the sentence: kinds, else types, else homes. All kinds of a type are described as
    /// the type.
    fn subject(&self, locale: Locale) -> String {
        let asked: Vec<PropertyKind> =
            self.all("kind").filter_map(|kind| kind.parse().ok()).collect();
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
            let types = self.all("propertyType").filter_map(|name| name.parse().ok());
            names.extend(types.map(|name| vocabulary::property_type(name, locale).plural()));
        }
        match (names.is_empty(), locale) {
            (true, Locale::En) => "homes".to_owned(),
            (true, Locale::Es) => "inmuebles".to_owned(),
            (false, Locale::En) => joined(names.into_iter().map(in_a_sentence), "or"),
            (false, Locale::Es) => joined(names.into_iter().map(in_a_sentence), "o"),
        }
    }

    fn limits(
        &self,
        min: &str,
        max: &str,
        locale: Locale,
        say: impl Fn(i64) -> String,
    ) -> Option<String> {
        let limit = |parameter| self.first(parameter)?.parse().ok().map(&say);
        let (min, max) = (limit(min), limit(max));
        Some(match (min, max, locale) {
            (None, None, _) => return None,
            (Some(min), Some(max), Locale::En) => format!("between {min} and {max}"),
            (Some(min), Some(max), Locale::Es) => format!("entre {min} y {max}"),
            (Some(min), None, Locale::En) => format!("from {min}"),
            (Some(min), None, Locale::Es) => format!("desde {min}"),
            (None, Some(max), Locale::En) => format!("under {max}"),
            (None, Some(max), Locale::Es) => format!("hasta {max}"),
        })
    }

    fn all(&self, parameter: &str) -> impl Iterator<Item = &str> {
        let filters = self.filters.iter().filter(move |filter| filter.parameter == parameter);
        filters.map(|filter| filter.value.as_str())
    }

    fn first(&self, parameter: &str) -> Option<&str> {
        self.all(parameter).next()
    }
}

/// Returns `subject` with its minimum and maximum number of bedrooms.
fn with_bedrooms(subject: &str, min: Option<&str>, max: Option<&str>, locale: Locale) -> String {
    match (min, max, locale) {
        (None, None, _) => subject.to_owned(),
        (Some(min), Some(max), Locale::En) if min != max => {
            format!("{min}- to {max}-bed {subject}")
        }
        (Some(min), Some(max), Locale::Es) if min != max => {
            format!("{subject} de {min} a {max} dormitorios")
        }
        (Some(min), _, Locale::En) => format!("{min}-bed {subject}"),
        (Some("1"), _, Locale::Es) => format!("{subject} de 1 dormitorio"),
        (Some(min), _, Locale::Es) => format!("{subject} de {min} dormitorios"),
        (None, Some("1"), Locale::En) => format!("{subject} of up to 1 bedroom"),
        (None, Some(max), Locale::En) => format!("{subject} of up to {max} bedrooms"),
        (None, Some("1"), Locale::Es) => format!("{subject} de hasta 1 dormitorio"),
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
