//! The words by which visitors name kinds, types and features, beside the editors' own texts.

use contracts::{
    Locale,
    content::{PropertyKind, PropertyType},
};

/// What people call `kind` in `locale`.
pub(crate) const fn kind_words(kind: PropertyKind, locale: Locale) -> &'static str {
    match (locale, kind) {
        (Locale::En, PropertyKind::Villa) => "villa detached house chalet",
        (Locale::En, PropertyKind::Townhouse) => "townhouse town house terraced",
        (Locale::En, PropertyKind::VillageHouse) => "village house",
        (Locale::En, PropertyKind::CountryHouse) => "country house finca cortijo farmhouse",
        (Locale::En, PropertyKind::Apartment) => "apartment flat",
        (Locale::En, PropertyKind::Penthouse) => "penthouse apartment flat",
        (Locale::En, PropertyKind::Studio) => "studio apartment flat",
        (Locale::En, PropertyKind::Duplex) => "duplex apartment flat",
        (Locale::En, PropertyKind::GroundFloor) => "ground floor apartment flat",
        (Locale::En, PropertyKind::Premises) => "premises shop commercial",
        (Locale::En, PropertyKind::Bar) => "bar restaurant cafe",
        (Locale::En, PropertyKind::Office) => "office",
        (Locale::En, PropertyKind::Land) => "land plot",
        (Locale::En, PropertyKind::Garage) => "garage parking space",
        (Locale::Es, PropertyKind::Villa) => "villa chalet casa independiente",
        (Locale::Es, PropertyKind::Townhouse) => "casa adosada adosado",
        (Locale::Es, PropertyKind::VillageHouse) => "casa de pueblo",
        (Locale::Es, PropertyKind::CountryHouse) => "casa de campo finca cortijo",
        (Locale::Es, PropertyKind::Apartment) => "apartamento piso",
        (Locale::Es, PropertyKind::Penthouse) => "ático apartamento piso",
        (Locale::Es, PropertyKind::Studio) => "estudio apartamento",
        (Locale::Es, PropertyKind::Duplex) => "dúplex apartamento piso",
        (Locale::Es, PropertyKind::GroundFloor) => "planta baja bajo apartamento piso",
        (Locale::Es, PropertyKind::Premises) => "local comercial tienda",
        (Locale::Es, PropertyKind::Bar) => "bar restaurante cafetería",
        (Locale::Es, PropertyKind::Office) => "oficina",
        (Locale::Es, PropertyKind::Land) => "terreno parcela solar",
        (Locale::Es, PropertyKind::Garage) => "garaje aparcamiento plaza",
    }
}

/// What people call `property_type` in `locale`.
pub(crate) const fn type_words(property_type: PropertyType, locale: Locale) -> &'static str {
    match (locale, property_type) {
        (Locale::En, PropertyType::House) => "house home",
        (Locale::En, PropertyType::Apartment) => "apartment",
        (Locale::En, PropertyType::Commercial) => "commercial property",
        (Locale::Es, PropertyType::House) => "casa vivienda",
        (Locale::Es, PropertyType::Apartment) => "apartamento piso",
        (Locale::Es, PropertyType::Commercial) => "comercial",
    }
}

/// What people call `feature` in `locale`. English tags are their own words.
pub(crate) fn feature_words(feature: &str, locale: Locale) -> String {
    let own = feature.replace('-', " ");
    match locale {
        Locale::En => own,
        Locale::Es => FEATURES
            .iter()
            .find(|(tag, _)| *tag == feature)
            .map_or(own, |(_, words)| (*words).to_owned()),
    }
}

/// Every feature that content names, and its Spanish words.
pub(crate) const FEATURES: [(&str, &str); 35] = [
    ("air-conditioning", "aire acondicionado"),
    ("alarm", "alarma"),
    ("avocado-trees", "aguacates"),
    ("barbecue", "barbacoa"),
    ("beachfront", "primera línea de playa"),
    ("communal-pool", "piscina comunitaria"),
    ("double-glazing", "doble acristalamiento"),
    ("fireplace", "chimenea"),
    ("fitted-kitchen", "cocina equipada"),
    ("fitted-wardrobes", "armarios empotrados"),
    ("furnished", "amueblado"),
    ("garage", "garaje"),
    ("garden", "jardín"),
    ("garden-view", "vistas al jardín"),
    ("gated", "urbanización cerrada"),
    ("guest-flat", "apartamento de invitados"),
    ("heating", "calefacción"),
    ("jacuzzi", "jacuzzi"),
    ("lift", "ascensor"),
    ("mountain-view", "vistas a la montaña"),
    ("near-golf", "cerca del golf"),
    ("parking", "aparcamiento"),
    ("pool", "piscina"),
    ("pool-view", "vistas a la piscina"),
    ("private-pool", "piscina privada"),
    ("roof-terrace", "azotea terraza"),
    ("sea-view", "vistas al mar"),
    ("solar-panels", "placas solares"),
    ("solarium", "solárium"),
    ("storage-room", "trastero"),
    ("terrace", "terraza"),
    ("village-view", "vistas al pueblo"),
    ("walk-to-beach", "playa a pie"),
    ("well", "pozo"),
    ("wheelchair-access", "accesible silla de ruedas"),
];

/// What lists of `kind` are called in `locale`.
pub const fn kind_name(kind: PropertyKind, locale: Locale) -> &'static str {
    match (locale, kind) {
        (_, PropertyKind::Villa) => "villas",
        (Locale::En, PropertyKind::Townhouse) => "townhouses",
        (Locale::En, PropertyKind::VillageHouse) => "village houses",
        (Locale::En, PropertyKind::CountryHouse) => "country houses",
        (Locale::En, PropertyKind::Apartment) => "apartments",
        (Locale::En, PropertyKind::Penthouse) => "penthouses",
        (Locale::En, PropertyKind::Studio) => "studios",
        (Locale::En, PropertyKind::Duplex) => "duplexes",
        (Locale::En, PropertyKind::GroundFloor) => "ground-floor flats",
        (Locale::En, PropertyKind::Premises) => "premises",
        (Locale::En, PropertyKind::Bar) => "bars and restaurants",
        (Locale::En, PropertyKind::Office) => "offices",
        (Locale::En, PropertyKind::Land) => "land",
        (Locale::En, PropertyKind::Garage) => "garages",
        (Locale::Es, PropertyKind::Townhouse) => "adosados",
        (Locale::Es, PropertyKind::VillageHouse) => "casas de pueblo",
        (Locale::Es, PropertyKind::CountryHouse) => "casas de campo",
        (Locale::Es, PropertyKind::Apartment) => "apartamentos",
        (Locale::Es, PropertyKind::Penthouse) => "áticos",
        (Locale::Es, PropertyKind::Studio) => "estudios",
        (Locale::Es, PropertyKind::Duplex) => "dúplex",
        (Locale::Es, PropertyKind::GroundFloor) => "bajos",
        (Locale::Es, PropertyKind::Premises) => "locales",
        (Locale::Es, PropertyKind::Bar) => "bares y restaurantes",
        (Locale::Es, PropertyKind::Office) => "oficinas",
        (Locale::Es, PropertyKind::Land) => "terrenos",
        (Locale::Es, PropertyKind::Garage) => "garajes",
    }
}

/// What lists of `property_type` are called in `locale`.
pub const fn type_name(property_type: PropertyType, locale: Locale) -> &'static str {
    match (locale, property_type) {
        (Locale::En, PropertyType::House) => "houses",
        (Locale::En, PropertyType::Apartment) => "apartments and flats",
        (Locale::En, PropertyType::Commercial) => "commercial property",
        (Locale::Es, PropertyType::House) => "casas",
        (Locale::Es, PropertyType::Apartment) => "pisos y apartamentos",
        (Locale::Es, PropertyType::Commercial) => "inmuebles comerciales",
    }
}

/// What a home never lived in is called in `locale`.
pub(crate) const fn new_build_words(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "new build brand new",
        Locale::Es => "obra nueva a estrenar",
    }
}
