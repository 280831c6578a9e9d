//! Finds the place of the content service that a feed means.

use std::collections::{BTreeMap, BTreeSet};

use contracts::Locale;
use serde_json::Value;

use crate::words::fold;

/// Articles that feeds write at the end of a place's name.
const ARTICLES: [&str; 4] = ["el", "la", "los", "las"];

/// The known places, by name and alias.
#[derive(Clone, Debug, Default)]
pub struct Places {
    by_name: BTreeMap<String, Match>,
    /// The operator's own names, folded, and the slugs that they mean.
    aliases: BTreeMap<String, String>,
    names: BTreeMap<(i64, Locale), String>,
    /// Slugs that are taken, also by archived places.
    slugs: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Match {
    Unique(i64),
    Ambiguous,
}

/// A place that a feed names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// An existing one, by its id.
    Known(i64),
    /// One that does not exist, by its name.
    Unknown(String),
}

impl Places {
    /// Creates it from `rows` of `locations` with their translations, and the operator's own names with
    /// their slugs.
    pub fn new(rows: &[Value], aliases: &BTreeMap<String, String>) -> Self {
        let aliases = aliases.iter().map(|(name, slug)| (fold(name), fold(slug))).collect();
        let slugs = rows.iter().filter_map(|row| row["slug"].as_str()).map(str::to_owned);
        let mut places = Self { aliases, slugs: slugs.collect(), ..Self::default() };
        for row in rows.iter().filter(|row| row["status"] != "archived") {
            let Some(id) = row["id"].as_i64() else { continue };
            let texts = row["translations"].as_array().into_iter().flatten();
            let names =
                texts.filter_map(|text| Some((&text["languages_code"], text["name"].as_str()?)));
            let names: Vec<(&Value, &str)> = names.collect();
            let slug = row["slug"].as_str();
            for locale in Locale::ALL {
                let translated = names.iter().find(|(code, _)| *code == locale.language_tag());
                let name = translated.or(names.first()).map(|(_, name)| *name).or(slug);
                places.names.insert((id, locale), name.unwrap_or_default().to_owned());
            }
            for name in names.into_iter().map(|(_, name)| name).chain(slug) {
                places.add(fold(name), id);
            }
        }
        places
    }

    fn add(&mut self, name: String, id: i64) {
        let found = self.by_name.entry(name).or_insert(Match::Unique(id));
        if *found != Match::Unique(id) {
            *found = Match::Ambiguous;
        }
    }

    /// Returns the place that `names` mean, the most exact one first. Returns `None` if all are blank.
    pub fn find(&self, names: &[String]) -> Option<Place> {
        let known = names.iter().find_map(|name| self.known(name));
        let last = names.iter().rev().find(|name| !name.trim().is_empty());
        known.map(Place::Known).or_else(|| Some(Place::Unknown(last?.trim().to_owned())))
    }

    /// Returns the id of the only place called `name`, if there is exactly one.
    fn known(&self, name: &str) -> Option<i64> {
        let folded = fold(name);
        let folded = self.aliases.get(&folded).unwrap_or(&folded);
        let with_article = ARTICLES.iter().find_map(|article| {
            Some(format!("{article} {}", folded.strip_suffix(article)?.trim_end()))
        });
        [Some(folded), with_article.as_ref()].into_iter().flatten().find_map(|name| {
            match self.by_name.get(name) {
                Some(Match::Unique(id)) => Some(*id),
                Some(Match::Ambiguous) | None => None,
            }
        })
    }

    /// Returns whether a place called `name` can be created: its slug is not empty or taken, not even by an
    /// archived place, and no other place has the name.
    pub fn is_free(&self, name: &str) -> bool {
        let slug = slug(name);
        !slug.is_empty() && !self.slugs.contains(&slug) && !self.by_name.contains_key(&fold(name))
    }

    /// Returns the place's name in `locale`, or in the other language if it has none in that one.
    pub fn name(&self, id: i64, locale: Locale) -> &str {
        self.names.get(&(id, locale)).map(String::as_str).unwrap_or_default()
    }
}

/// Returns the slug for a name: `velez-malaga` for `Vélez-Málaga`.
pub fn slug(name: &str) -> String {
    let plain: String = fold(name).chars().filter(|char| char.is_ascii() || *char == ' ').collect();
    plain.replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_are_found_by_folded_names_in_both_languages_and_by_aliases() {
        let place = |id: i64, slug: &str, en: &str, es: &str| {
            json!({ "id": id, "slug": slug, "status": "published",
                    "translations": [{ "languages_code": "en-GB", "name": en },
                                     { "languages_code": "es-ES", "name": es }] })
        };
        let rows = [
            place(1, "competa", "Cómpeta", "Cómpeta"),
            place(2, "el-morche", "El Morche", "El Morche"),
            place(3, "malaga-east", "Málaga East", "Axarquía"),
            place(4, "a", "Twins", "Twins"),
            place(5, "b", "Twins", "Twins"),
        ];
        let aliases = BTreeMap::from([("Torrox (Park)".to_owned(), "el-morche".to_owned())]);
        let places = Places::new(&rows, &aliases);
        let find = |name: &str| places.find(&[name.to_owned()]);
        for (name, id) in [("COMPETA", 1), ("Morche, El", 2), ("axarquia", 3), ("torrox park", 2)] {
            assert_eq!(find(name), Some(Place::Known(id)), "{name}");
        }
        assert_eq!(find("Twins"), Some(Place::Unknown("Twins".to_owned())), "it is ambiguous");
        assert_eq!(find("Ronda "), Some(Place::Unknown("Ronda".to_owned())));
        assert_eq!(find(" "), None);
        let exact_first = ["El Morche".to_owned(), "Competa".to_owned()];
        assert_eq!(places.find(&exact_first), Some(Place::Known(2)));
        assert_eq!(slug("Vélez-Málaga"), "velez-malaga");
    }

    #[test]
    fn a_place_has_its_name_in_each_language_or_falls_back() {
        let place =
            |id: i64, texts: Value| json!({ "id": id, "slug": "east", "translations": texts });
        let spanish = json!({ "languages_code": "es-ES", "name": "la Axarquía" });
        let english = json!({ "languages_code": "en-GB", "name": "the Axarquía" });
        let rows =
            [place(1, json!([spanish, english])), place(2, json!([spanish])), place(3, json!([]))];
        let places = Places::new(&rows, &BTreeMap::new());
        for (id, names) in [
            (1, ["the Axarquía", "la Axarquía"]),
            (2, ["la Axarquía", "la Axarquía"]),
            (3, ["east", "east"]),
        ] {
            assert_eq!(Locale::ALL.map(|locale| places.name(id, locale)), names);
        }
    }
}
