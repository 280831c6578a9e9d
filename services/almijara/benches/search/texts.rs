//! Titles and descriptions, made of what a home is and of paragraphs that editors wrote of others.

use contracts::{
    Locale, Localized,
    content::{Property, PropertyKind, PropertyText},
};
use rand::{rngs::StdRng, seq::IndexedRandom};

const PARAGRAPH: &str = "</p>";
const PARAGRAPHS: usize = 3;

/// The paragraphs to describe homes with.
pub struct Texts {
    paragraphs: Localized<Vec<String>>,
}

impl Texts {
    /// Of what was written of `homes`.
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

    /// What a listing says of `home`, in both languages.
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
            title: capital(&format!("{what}{feature}{in_place}")),
            summary: format!("{}{in_place}, {area} m² {built}{feature}.", capital(&what)),
            description: chosen.concat(),
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

const fn kind(kind: PropertyKind, locale: Locale) -> &'static str {
    match (locale, kind) {
        (Locale::En, PropertyKind::Villa) => "villa",
        (Locale::En, PropertyKind::Townhouse) => "townhouse",
        (Locale::En, PropertyKind::VillageHouse) => "village house",
        (Locale::En, PropertyKind::CountryHouse) => "country house",
        (Locale::En, PropertyKind::Penthouse) => "penthouse",
        (Locale::En, PropertyKind::Studio) => "studio",
        (Locale::En, PropertyKind::Duplex) => "duplex",
        (Locale::En, PropertyKind::Land) => "building plot",
        (Locale::En, PropertyKind::Garage) => "garage",
        (Locale::En, PropertyKind::Premises | PropertyKind::Bar | PropertyKind::Office) => {
            "premises"
        }
        (Locale::En, PropertyKind::Apartment | PropertyKind::GroundFloor) => "apartment",
        (Locale::Es, PropertyKind::Villa) => "villa",
        (Locale::Es, PropertyKind::Townhouse) => "casa adosada",
        (Locale::Es, PropertyKind::VillageHouse) => "casa de pueblo",
        (Locale::Es, PropertyKind::CountryHouse) => "finca",
        (Locale::Es, PropertyKind::Penthouse) => "ático",
        (Locale::Es, PropertyKind::Studio) => "estudio",
        (Locale::Es, PropertyKind::Duplex) => "dúplex",
        (Locale::Es, PropertyKind::Land) => "parcela",
        (Locale::Es, PropertyKind::Garage) => "garaje",
        (Locale::Es, PropertyKind::Premises | PropertyKind::Bar | PropertyKind::Office) => "local",
        (Locale::Es, PropertyKind::Apartment | PropertyKind::GroundFloor) => "apartamento",
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
