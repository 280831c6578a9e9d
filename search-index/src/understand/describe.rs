//! What was understood, said back as a sentence.

use contracts::{
    Locale,
    content::PropertyKind,
    vocabulary::{self, Mark},
};

use super::{Place, Understood, kinds};
use crate::spelling::fold;

impl Understood {
    /// The question in the words of `locale`, such as "3-bed villas in Nerja under €400,000".
    pub fn describe(&self, locale: Locale, places: &[Place]) -> String {
        let say = |en: &'static str, es: &'static str| match locale {
            Locale::En => en,
            Locale::Es => es,
        };
        let mut said = with_bedrooms(
            &self.subject(locale),
            self.first("minBedrooms"),
            self.first("maxBedrooms"),
            locale,
        );
        if self.first("newBuild").is_some() {
            said = format!("{}{said}{}", say("new-build ", ""), say("", " de obra nueva"));
        }
        if self.first("rent").is_some() {
            said = format!("{said} {}", say("for sale", "en venta"));
        }
        for (parameter, leading, between) in [
            ("location", say("in", "en"), say("or", "o")),
            ("excludedLocation", say("outside", "fuera de"), say("and", "y")),
        ] {
            let names = self.all(parameter).map(|slug| {
                places.iter().find(|place| place.slug == slug).map_or(slug, |place| &place.name)
            });
            let names = joined(names, between);
            if !names.is_empty() {
                said = format!("{said} {leading} {names}");
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
                said = format!("{said} {limit}{of}");
            }
        }
        let features = |parameter| {
            let known = self.all(parameter).filter_map(move |tag| vocabulary::feature(tag, locale));
            known.map(|entry| in_a_sentence(&entry.name)).collect::<Vec<String>>()
        };
        let mut with = features("features");
        if let Some(least) = self.first("minBathrooms") {
            with.insert(
                0,
                match locale {
                    Locale::En if least == "1" => "1 bathroom".to_owned(),
                    Locale::En => format!("{least} bathrooms"),
                    Locale::Es if least == "1" => "1 baño".to_owned(),
                    Locale::Es => format!("{least} baños"),
                },
            );
        }
        let without = features("excludedFeatures");
        for (named, leading, last) in [
            (with, say("with", "con"), say("and", "y")),
            (without, say("without", "sin"), say("or", "ni")),
        ] {
            if let Some(all) = enumerated(&named, last) {
                said = format!("{said} {leading} {all}");
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
            said = format!("{said}, {more}");
        }
        capitalised(&said)
    }

    /// What is looked for: kinds, else types, else homes. Who asks for all kinds of a type asks for the type.
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

/// `subject` with how many bedrooms, at the least and at the most.
fn with_bedrooms(subject: &str, least: Option<&str>, most: Option<&str>, locale: Locale) -> String {
    match (least, most, locale) {
        (None, None, _) => subject.to_owned(),
        (Some(least), Some(most), Locale::En) if least != most => {
            format!("{least}- to {most}-bed {subject}")
        }
        (Some(least), Some(most), Locale::Es) if least != most => {
            format!("{subject} de {least} a {most} dormitorios")
        }
        (Some(least), _, Locale::En) => format!("{least}-bed {subject}"),
        (Some("1"), _, Locale::Es) => format!("{subject} de 1 dormitorio"),
        (Some(least), _, Locale::Es) => format!("{subject} de {least} dormitorios"),
        (None, Some("1"), Locale::En) => format!("{subject} of up to 1 bedroom"),
        (None, Some(most), Locale::En) => format!("{subject} of up to {most} bedrooms"),
        (None, Some("1"), Locale::Es) => format!("{subject} de hasta 1 dormitorio"),
        (None, Some(most), Locale::Es) => format!("{subject} de hasta {most} dormitorios"),
    }
}

/// `names` in a row, with `last` before the last of them; none where there are none.
fn enumerated(names: &[String], last: &str) -> Option<String> {
    Some(match names {
        [] => return None,
        [only] => only.clone(),
        [others @ .., end] => format!("{} {} {end}", others.join(", "), before(end, last)),
    })
}

/// `names` with `word` between them.
fn joined(names: impl Iterator<Item = impl AsRef<str>>, word: &str) -> String {
    names.fold(String::new(), |said, name| match (said.as_str(), name.as_ref()) {
        ("", first) => first.to_owned(),
        (said, name) => format!("{said} {} {name}", before(name, word)),
    })
}

/// `word` as it is said before `name`: in Spanish `o` becomes `u` before its own sound, and `y` becomes `e`.
fn before<'a>(name: &str, word: &'a str) -> &'a str {
    let name = fold(name);
    let sound = name.strip_prefix('h').unwrap_or(&name);
    match word {
        "o" if sound.starts_with('o') => "u",
        // That of `hielo` is another one.
        "y" if sound.starts_with('i') && !sound.starts_with("ie") => "e",
        _ => word,
    }
}

/// A name of the vocabulary as it is written within a sentence.
fn in_a_sentence(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// `text` with a great letter at its beginning.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
