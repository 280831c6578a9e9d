//! Generates titles and descriptions from a home's data, and from paragraphs about other homes.

use contracts::{
    Locale, Localized,
    content::{Property, PropertyKind, PropertyText},
};
use rand::{rngs::StdRng, seq::IndexedRandom};

const PARAGRAPH: &str = "</p>";
const PARAGRAPHS: usize = 3;

/// The paragraphs that descriptions are made of.
pub struct Texts {
    paragraphs: Localized<Vec<String>>,
}

impl Texts {
    /// Collects the paragraphs of the descriptions of `homes`.
    pub fn of(homes: &[Property]) -> Self {
        let written = |locale: Locale| {
            homes
                .iter()
                .filter_map(|home| home.text.get(locale))
                .flat_map(|text| text.description.split_inclusive(PARAGRAPH))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        Self {
            paragraphs: Localized { en: Some(written(Locale::En)), es: Some(written(Locale::Es)) },
        }
    }

    /// Returns the texts for `home`, in both languages.
    pub fn describe(&self, home: &Property, random: &mut StdRng) -> Localized<PropertyText> {
        Localized {
            en: Some(self.text(home, Locale::En, random)),
            es: Some(self.text(home, Locale::Es, random)),
        }
    }

    fn text(&self, home: &Property, locale: Locale, random: &mut StdRng) -> PropertyText {
        let place = home.location.name.get_or_fallback(locale).map_or("", |(_, name)| name);
        let kind = kind(home.kind, locale);
        let rooms = home.bedrooms.unwrap_or_default();
        let known: Vec<&str> =
            home.features.iter().filter_map(|tag| feature(tag, locale)).collect();
        let feature = known.choose(random).copied();
        let (with, built) = match locale {
            Locale::En => ("with", "built area"),
            Locale::Es => ("con", "construidos"),
        };
        let rooms = match (locale, rooms) {
            (_, 0) => String::new(),
            (Locale::En, rooms) => format!("{rooms}-bedroom "),
            (Locale::Es, 1) => " de un dormitorio".to_owned(),
            (Locale::Es, rooms) => format!(" de {rooms} dormitorios"),
        };
        let what = match locale {
            Locale::En => format!("{rooms}{kind}"),
            Locale::Es => format!("{kind}{rooms}"),
        };
        let feature = feature.map_or_else(String::new, |feature| format!(" {with} {feature}"));
        let in_place = match locale {
            Locale::En => format!(" in {place}"),
            Locale::Es => format!(" en {place}"),
        };
        let area = home.built_area.unwrap_or_default();
        let paragraphs = self.paragraphs.get(locale).map_or(&[][..], Vec::as_slice);
        let chosen: Vec<&str> =
            paragraphs.choose_multiple(random, PARAGRAPHS).map(String::as_str).collect();
        PropertyText {
            title: capitalized(&format!("{what}{feature}{in_place}")),
            summary: format!("{}{in_place}, {area} m² {built}{feature}.", capitalized(&what)),
            description: chosen.concat(),
        }
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

const fn kind(kind: PropertyKind, locale: Locale) -> &'static str {
    let (en, es) = match kind {
        PropertyKind::Villa => ("villa", "villa"),
        PropertyKind::Townhouse => ("townhouse", "casa adosada"),
        PropertyKind::VillageHouse => ("village house", "casa de pueblo"),
        PropertyKind::CountryHouse => ("country house", "finca"),
        PropertyKind::Penthouse => ("penthouse", "ático"),
        PropertyKind::Studio => ("studio", "estudio"),
        PropertyKind::Duplex => ("duplex", "dúplex"),
        PropertyKind::Land => ("building plot", "parcela"),
        PropertyKind::Garage => ("garage", "garaje"),
        PropertyKind::Premises | PropertyKind::Bar | PropertyKind::Office => ("premises", "local"),
        PropertyKind::Apartment | PropertyKind::GroundFloor => ("apartment", "apartamento"),
    };
    match locale {
        Locale::En => en,
        Locale::Es => es,
    }
}

fn feature(tag: &str, locale: Locale) -> Option<&'static str> {
    let (en, es) = match tag {
        "terrace" => ("a sunny terrace", "terraza soleada"),
        "pool" => ("a pool", "piscina"),
        "garden" => ("a garden", "jardín"),
        "sea-view" => ("views of the sea", "vistas al mar"),
        "mountain-view" => ("views of the mountains", "vistas a la sierra"),
        "garage" => ("a garage", "garaje"),
        "lift" => ("a lift", "ascensor"),
        "fireplace" => ("a fireplace", "chimenea"),
        "air-conditioning" => ("air conditioning", "aire acondicionado"),
        "roof-terrace" => ("a roof terrace", "azotea"),
        _ => return None,
    };
    Some(match locale {
        Locale::En => en,
        Locale::Es => es,
    })
}
