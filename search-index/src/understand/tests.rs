use contracts::content::ListingStatus;
use proptest::prelude::*;

use super::*;

pub(super) const POUNDS_PER_EURO: Option<f64> = Some(0.86);

pub(super) fn places() -> Vec<Place> {
    [
        ("torrox", "Torrox"),
        ("torrox-costa", "Torrox Costa"),
        ("nerja", "Nerja"),
        ("maro", "Maro"),
        ("el-morche", "El Morche"),
        ("competa", "Cómpeta"),
        ("torre-del-mar", "Torre del Mar"),
        ("velez-malaga", "Vélez-Málaga"),
        ("salares", "Salares"),
        ("algarrobo", "Algarrobo"),
        ("axarquia", "the Axarquía"),
    ]
    .map(|(slug, name)| Place::new(slug, name))
    .into()
}

/// Parses `text` into a query string, with the words that are left as `q`.
fn seen(locale: Locale, text: &str) -> String {
    let understood = understand(locale, text, &places(), POUNDS_PER_EURO);
    let mut all: Vec<String> = understood
        .filters
        .iter()
        .map(|one| format!("{}={}", one.filter.parameter(), one.filter.value()))
        .collect();
    if !understood.words.is_empty() {
        all.push(format!("q={}", understood.words));
    }
    all.join("&")
}

/// Checks that each text is parsed as expected, on pages of both languages.
pub(super) fn check(cases: &[(&str, &str)]) {
    for (text, wanted) in cases {
        for locale in Locale::ALL {
            assert_eq!(seen(locale, text), *wanted, "{text} ({locale})");
        }
    }
}

#[test]
fn a_whole_sentence_becomes_filters() {
    check(&[
        (
            "3 bed villa nerja under 400k with pool",
            "minBedrooms=3&kind=villa&location=nerja&maxPrice=400000&features=pool",
        ),
        (
            "piso 2 dormitorios torrox con piscina",
            "propertyType=Apartment&minBedrooms=2&location=torrox&features=pool",
        ),
        ("Villas for sale in Nerja", "kind=villa&location=nerja"),
        ("villas in the Axarquía", "kind=villa&location=axarquia"),
        ("villas en Axarquía", "kind=villa&location=axarquia"),
        (
            "casa de pueblo en Cómpeta hasta 200.000 €",
            "kind=village-house&location=competa&maxPrice=200000",
        ),
        ("villa con piscina y vistas al mar", "kind=villa&features=pool&features=sea-view"),
        ("flat near the church with lift", "propertyType=Apartment&features=lift&q=church"),
    ]);
}

#[test]
fn rooms() {
    check(&[
        ("3-bedroom", "minBedrooms=3"),
        ("3 dorm", "minBedrooms=3"),
        ("3bed", "minBedrooms=3"),
        ("tres dormitorios", "minBedrooms=3"),
        ("three bedroom", "minBedrooms=3"),
        ("2+ beds", "minBedrooms=2"),
        ("2 or more bedrooms", "minBedrooms=2"),
        ("at least 2 bedrooms", "minBedrooms=2"),
        ("más de 2 habitaciones", "minBedrooms=3"),
        ("2-3 bedrooms", "minBedrooms=2&maxBedrooms=3"),
        ("2 o 3 dormitorios", "minBedrooms=2&maxBedrooms=3"),
        ("between 2 and 4 bedrooms", "minBedrooms=2&maxBedrooms=4"),
        ("exactly 2 bedrooms", "minBedrooms=2&maxBedrooms=2"),
        ("un dormitorio", "minBedrooms=1"),
        ("2 bedrom", "minBedrooms=2"),
        ("2 bath", "minBathrooms=2"),
        ("3 beds 2 baños", "minBedrooms=3&minBathrooms=2"),
        ("hasta 3 dormitorios", "maxBedrooms=3"),
        ("up to 3 bedrooms", "maxBedrooms=3"),
        ("fewer than 3 bedrooms", "maxBedrooms=2"),
        ("3 dormitorios como máximo", "maxBedrooms=3"),
        ("3 bedrooms max 400k", "minBedrooms=3&maxPrice=400000"),
        ("2-3 bathrooms", "minBathrooms=2"),
        ("hasta 3 baños", "q=hasta 3 baños"),
        ("no menos de 3 dormitorios", "minBedrooms=3"),
        ("por lo menos 3 dormitorios", "minBedrooms=3"),
        ("2/3 bed", "minBedrooms=2&maxBedrooms=3"),
        ("2 & 3 bed flat", "minBedrooms=2&maxBedrooms=3&propertyType=Apartment"),
        ("up to 2 or 3 bedrooms", "maxBedrooms=3"),
    ]);
}

#[test]
fn prices() {
    check(&[
        ("under 400k", "maxPrice=400000"),
        ("below €400,000", "maxPrice=400000"),
        ("up to 0.4m", "maxPrice=400000"),
        ("max 400000 euros", "maxPrice=400000"),
        ("menos de 400.000", "maxPrice=400000"),
        ("hasta medio millón de euros", "maxPrice=500000"),
        ("menos de 1,2 millones", "maxPrice=1200000"),
        ("over 1.25m", "minPrice=1250000"),
        ("desde 300 mil", "minPrice=300000"),
        ("más de 300.000€", "minPrice=300000"),
        ("más o menos 200.000 €", "minPrice=180000&maxPrice=220000"),
        ("between 200k and 400k", "minPrice=200000&maxPrice=400000"),
        ("between 200 and 400k", "minPrice=200000&maxPrice=400000"),
        ("entre 200.000 y 400.000", "minPrice=200000&maxPrice=400000"),
        ("de 200.000 a 400.000 euros", "minPrice=200000&maxPrice=400000"),
        ("from 200k to 400k", "minPrice=200000&maxPrice=400000"),
        ("200-400k", "minPrice=200000&maxPrice=400000"),
        ("400k", "maxPrice=400000"),
        ("under 300", "maxPrice=300000"),
        ("around 200k", "minPrice=180000&maxPrice=220000"),
        ("€200-400k", "minPrice=200000&maxPrice=400000"),
        ("entre 900 y 1,2 millones", "minPrice=900000&maxPrice=1200000"),
        ("300k or more", "minPrice=300000"),
        ("menos de los 300.000 €", "maxPrice=300000"),
        ("villa under 300 000 euros", "kind=villa&maxPrice=300000"),
        ("hasta 90 000", "maxPrice=90000"),
        ("under €90 000", "maxPrice=90000"),
        ("under €95 500", "maxPrice=95500"),
        ("entre 50 000 y 90 000 €", "minPrice=50000&maxPrice=90000"),
        ("entre 200 000 y 1 250 000 €", "minPrice=200000&maxPrice=1250000"),
        ("nerja 3 250000", "location=nerja&maxPrice=250000&q=3"),
        ("nerja 3 300k", "location=nerja&maxPrice=300000&q=3"),
        ("nerja 3 250.000", "location=nerja&maxPrice=250000&q=3"),
        ("nerja 3 250,000", "location=nerja&maxPrice=250000&q=3"),
        ("nerja 3 300.000 €", "location=nerja&maxPrice=300000&q=3"),
        ("nerja 3 400-500k", "location=nerja&minPrice=400000&maxPrice=500000&q=3"),
        ("200 000 €", "maxPrice=200000"),
        ("between 200 000 and 300 000 euros", "minPrice=200000&maxPrice=300000"),
        ("hasta 0 €", "q=hasta 0"),
        ("between 200k & 300k", "minPrice=200000&maxPrice=300000"),
        ("200/300k", "minPrice=200000&maxPrice=300000"),
        ("200-250.000 €", "minPrice=200000&maxPrice=250000"),
        ("5.000-12.000 €", "minPrice=5000&maxPrice=12000"),
        ("budget 200-300k", "minPrice=200000&maxPrice=300000"),
        ("hasta 200-250.000 €", "maxPrice=250000"),
        ("at least 200-250k", "minPrice=200000"),
        ("max 400k and 100 m2", "maxPrice=400000&minBuilt=100"),
    ]);
}

#[test]
fn words_that_announce_a_price_are_removed() {
    check(&[
        ("casa precio máximo 250.000 €", "propertyType=House&maxPrice=250000"),
        ("villa price up to 2m", "kind=villa&maxPrice=2000000"),
        ("precio hasta 200.000", "maxPrice=200000"),
        ("flat price 150k", "propertyType=Apartment&maxPrice=150000"),
        ("min price 200k", "minPrice=200000"),
        ("maximum budget of 300k", "maxPrice=300000"),
        ("presupuesto máximo 300.000", "maxPrice=300000"),
        ("price range 200-300k", "minPrice=200000&maxPrice=300000"),
        ("price 300k or more", "minPrice=300000"),
        ("budget 300", "maxPrice=300000"),
        ("price 29780", "maxPrice=29780"),
        ("bajada de precio", "reduced=true"),
        ("price 3 bed", "minBedrooms=3&q=price"),
    ]);
}

#[test]
fn a_postcode_is_not_a_price() {
    check(&[
        ("29780 nerja", "location=nerja&q=29780"),
        ("29793", "q=29793"),
        ("nerja 30000", "location=nerja&maxPrice=30000"),
        ("29.780", "maxPrice=29780"),
        ("29780 €", "maxPrice=29780"),
        ("hasta 29780", "maxPrice=29780"),
        ("29780 max", "maxPrice=29780"),
        ("295750", "maxPrice=295750"),
        ("249500", "maxPrice=249500"),
        ("18690", "q=18690"),
        // These are not local postcodes.
        ("flat 89950", "propertyType=Apartment&maxPrice=89950"),
        ("garage 49950", "kind=garage&maxPrice=49950"),
    ]);
}

#[test]
fn pounds_are_converted_to_euros_and_retained() {
    check(&[
        ("under £200k", "maxPrice=233000"),
        ("200k pounds", "maxPrice=233000"),
        ("200.000 libras", "maxPrice=233000"),
        ("£150,000-£250,000", "minPrice=174000&maxPrice=291000"),
        ("£150-250k", "minPrice=174000&maxPrice=291000"),
        ("GBP300000", "maxPrice=349000"),
    ]);
    let pounds = |text| {
        let understood = understand(Locale::En, text, &places(), POUNDS_PER_EURO);
        understood.filters.iter().map(|filter| filter.pounds).collect::<Vec<_>>()
    };
    assert_eq!(pounds("villa for £187,500"), [None, Some(187_500)]);
    assert_eq!(pounds("between £150k and £250k"), [Some(150_000), Some(250_000)]);
    assert_eq!(pounds("villa for €187,500"), [None, None]);
    let understood = |rate| understand(Locale::En, "villa under £200k", &places(), rate);
    let max = FilterValue::Max(Quantity::Price, 250_000);
    assert_eq!(understood(Some(0.8)).filters[1].filter, max);
    // Without a rate, an amount in pounds stays words.
    assert_eq!(understood(None).words, "under £200k");
    assert_eq!(understood(None).filters.len(), 1);
}

#[test]
fn sizes() {
    check(&[
        ("120 m2", "minBuilt=120"),
        ("over 100 m²", "minBuilt=100"),
        ("menos de 90 metros cuadrados", "maxBuilt=90"),
        ("100-150 m2", "minBuilt=100&maxBuilt=150"),
        ("plot 1000m2", "minPlot=1000"),
        ("parcela de más de 1.000 m²", "minPlot=1000"),
        ("1000 m2 plot", "minPlot=1000"),
        ("2000 m2 de parcela", "minPlot=2000"),
        ("a 100 metros de la playa", "q=100 metros playa"),
        ("más de 5.000 metros de parcela", "minPlot=5000"),
        ("parcela de 3 200 m2", "minPlot=3200"),
        ("parcela de 3 200 metros cuadrados", "minPlot=3200"),
        ("plot of 3 200 sqm", "minPlot=3200"),
        ("villa 5 000 m2 plot", "kind=villa&minPlot=5000"),
        ("3 bedrooms 200 m2", "minBedrooms=3&minBuilt=200"),
        ("piso 2 120 m2", "propertyType=Apartment&minBuilt=120&q=2"),
        ("T3 120 m2", "minBuilt=120&q=T3"),
        ("90 m2 o menos", "maxBuilt=90"),
        (
            "piso 100 m2 con terraza de 20 m2",
            "propertyType=Apartment&minBuilt=100&features=terrace&q=\"20 m2\"",
        ),
        (
            "120 m2 flat, 20 m2 terrace",
            "minBuilt=120&propertyType=Apartment&features=terrace&q=\"20 m2\"",
        ),
    ]);
}

#[test]
fn places_by_name() {
    check(&[
        ("competa", "location=competa"),
        ("morche", "location=el-morche"),
        ("torrox costa", "location=torrox-costa"),
        ("torrox", "location=torrox"),
        ("nerja or maro", "location=nerja&location=maro"),
        ("velez malaga", "location=velez-malaga"),
        ("Vélez-Málaga", "location=velez-malaga"),
        ("torrecosta", "q=torrecosta"),
        ("nejra", "location=nerja"),
        ("torox costa", "location=torrox-costa"),
        ("torrox csota", "location=torrox-costa"),
        ("tore del mar", "location=torre-del-mar"),
        ("near nerja", "location=nerja"),
        ("mar", "q=mar"),
        // These words are not typos of places.
        ("terreno con algarrobos", "kind=land&q=algarrobos"),
        ("reforma completa", "q=reforma completa"),
    ]);
}

#[test]
fn the_rest_of_the_filters() {
    check(&[
        ("sold", "status=sold"),
        ("reservados", "status=under_offer"),
        ("rebajado", "reduced=true"),
        ("bajada de precio", "reduced=true"),
        ("new this week", "newWithin=7"),
        ("novedades", "newWithin=30"),
        ("energy rating A", "energy=A"),
        ("A-rated energy", "energy=A"),
        ("certificado energético B", "energy=B"),
        ("energy rating B or better", "energy=A&energy=B"),
        ("energy A or B", "energy=A&energy=B"),
        ("certificado energético A, B o C", "energy=A&energy=B&energy=C"),
        ("clase energética de la A a la C", "energy=A&energy=B&energy=C"),
        ("energy B and a garage", "energy=B&kind=garage"),
        ("obra nueva", "newBuild=true"),
        ("new-build villa", "newBuild=true&kind=villa"),
        ("atico", "kind=penthouse"),
        ("pisicna", "features=pool"),
        ("aire acondicionado", "features=air-conditioning"),
        ("sea views", "features=sea-view"),
        ("con vistas al mar", "features=sea-view"),
        ("piso con vistas", "propertyType=Apartment&q=vistas"),
        ("plaza de garaje", "kind=garage"),
        ("villa with garage", "kind=villa&features=garage"),
        ("vistas al mar y garaje", "features=sea-view&features=garage"),
        ("studio with one bathroom", "kind=studio&minBathrooms=1"),
        ("garage by the sea", "kind=garage&features=walk-to-beach"),
        ("local comercial", "kind=premises"),
        ("commercial", "propertyType=Commercial"),
        ("house with office", "propertyType=House&q=\"office\""),
    ]);
}

#[test]
fn exclusions() {
    check(&[
        ("sin piscina", "withoutFeatures=pool"),
        ("villa without a pool", "kind=villa&withoutFeatures=pool"),
        ("sin piscina ni jardín", "withoutFeatures=pool&withoutFeatures=garden"),
        ("no pool and sea view", "withoutFeatures=pool&features=sea-view"),
        ("without pool and with lift", "withoutFeatures=pool&features=lift"),
        ("unfurnished flat", "withoutFeatures=furnished&propertyType=Apartment"),
        ("not in Nerja", "notLocation=nerja"),
        ("que no sea en Nerja", "notLocation=nerja"),
        ("torrox pero no torrox costa", "location=torrox&notLocation=torrox-costa"),
        ("fuera de Nerja o Maro", "notLocation=nerja&notLocation=maro"),
        ("outside pool", "features=pool&q=outside"),
        ("no más de 300.000", "maxPrice=300000"),
        ("villa with or without pool", "kind=villa"),
        ("piso con o sin ascensor", "propertyType=Apartment"),
    ]);
}

pub(super) const HOUSES: &str = "kind=villa&kind=townhouse&kind=village-house&kind=country-house";
pub(super) const FLATS: &str =
    "kind=apartment&kind=penthouse&kind=studio&kind=duplex&kind=ground-floor";

#[test]
fn a_kind_and_another_type_mean_either() {
    check(&[
        ("villa or apartment in nerja", &*format!("kind=villa&{FLATS}&location=nerja")),
        ("adosado o piso", &*format!("kind=townhouse&{FLATS}")),
        ("pisos, áticos y villas", &*format!("{FLATS}&kind=villa")),
        ("piso o ático", "propertyType=Apartment"),
        ("a penthouse or an apartment", "propertyType=Apartment"),
        ("casa o piso", "propertyType=House&propertyType=Apartment"),
        ("apartment penthouse", "propertyType=Apartment&kind=penthouse"),
        ("villa o ático", "kind=villa&kind=penthouse"),
        ("casa o terreno en Cómpeta", &*format!("{HOUSES}&kind=land&location=competa")),
        ("local comercial u oficina", "kind=premises&kind=office"),
        ("villa or plot", "kind=villa&kind=land"),
    ]);
    assert_eq!(seen(Locale::Es, "local u oficina"), "kind=premises&kind=office");
}

#[test]
fn a_part_of_a_home_is_not_searched_for() {
    check(&[
        ("villa with separate apartment", "kind=villa&q=separate \"apartment\""),
        ("villa con apartamento independiente", "kind=villa&q=\"apartamento\" independiente"),
        ("land with a house", "kind=land&q=\"house\""),
        ("villa with a flat or studio", "kind=villa&q=\"flat\" \"studio\""),
        ("casa con oficina o estudio", "propertyType=House&q=\"oficina\" \"estudio\""),
        ("4 bed villa with 1 bed apartment", "minBedrooms=4&kind=villa&q=\"1 bed apartment\""),
        ("1 bed annexe, 4 bed villa", "minBedrooms=4&kind=villa&q=\"1 bed annexe\""),
        ("apartment with pool or villa", &*format!("{FLATS}&features=pool&kind=villa")),
    ]);
}

#[test]
fn a_place_near_a_home_is_not_searched_for() {
    check(&[
        ("nerja near restaurants", "location=nerja&q=\"restaurants\""),
        ("nerja near restaurants and shops", "location=nerja&q=\"restaurants\" \"shops\""),
        ("cerca de los restaurantes", "q=\"restaurantes\""),
        ("close to a bar or restaurant", "q=\"bar\" \"restaurant\""),
        ("near restaurants, shops", "q=\"restaurants, shops\""),
        ("near restaurants, studio", "kind=studio&q=\"restaurants\""),
        ("shop near the beach", "kind=premises&features=walk-to-beach"),
    ]);
}

#[test]
fn a_studio_or_rooms_set_a_maximum_of_bedrooms() {
    check(&[
        ("studio or 1 bed nerja", "maxBedrooms=1&location=nerja"),
        ("estudio o un dormitorio", "maxBedrooms=1"),
        ("a studio or a 2 bed", "maxBedrooms=2"),
        ("1 bed flat or studio", "maxBedrooms=1&propertyType=Apartment"),
        ("1 bed or studio", "maxBedrooms=1"),
        ("studio or villa", "kind=studio&kind=villa"),
        // The rooms belong to the house, or have no maximum.
        ("3 bed villa or studio", "minBedrooms=3&kind=villa&kind=studio"),
        ("studio or 3 bed villa", "kind=studio&minBedrooms=3&kind=villa"),
        ("3 bed house or studio", &*format!("minBedrooms=3&{HOUSES}&kind=studio")),
        ("studio or 2+ bed", "kind=studio&minBedrooms=2"),
        ("studio or 2-3 bed", "maxBedrooms=3"),
    ]);
}

#[test]
fn homes_to_rent_are_recognised() {
    check(&[
        ("villa to rent in Nerja", "kind=villa&rent=true&location=nerja"),
        ("alquiler", "rent=true"),
        ("piso en alquiler", "propertyType=Apartment&rent=true"),
        ("flat with rental licence", "propertyType=Apartment&q=rental licence"),
        ("licencia turística", "q=licencia turística"),
    ]);
}

#[test]
fn other_text_stays_words() {
    check(&[
        ("AH-1042", "q=AH-1042"),
        ("ah1042", "q=ah1042"),
        ("ah 1042", "q=ah 1042"),
        ("Ref. AH-1042", "q=AH-1042"),
        ("referencia AH-1042", "q=AH-1042"),
        ("villa, reference number ah1042", "kind=villa&q=ah1042"),
        // No number in a reference is a price.
        ("ref 1042", "q=\"1042\""),
        ("REF-10423", "q=\"10423\""),
        ("nerja ref. V-250000", "location=nerja&q=\"V-250000\""),
        ("\"3 bed villa\"", "q=\"3 bed villa\""),
        ("house for horses", "propertyType=House&q=horses"),
        ("Burriana", "q=Burriana"),
    ]);
    assert_eq!(seen(Locale::Es, "solares"), "kind=land");
    assert_eq!(seen(Locale::En, "solar"), "features=solar-panels");
}

#[test]
fn a_garage_is_searched_for_if_no_home_is_named() {
    check(&[
        ("parking nerja", "kind=garage&location=nerja"),
        ("parking space", "kind=garage"),
        ("aparcamiento en Nerja", "kind=garage&location=nerja"),
        ("plaza de aparcamiento", "kind=garage"),
        ("plaza de garaje torrox", "kind=garage&location=torrox"),
        ("garage for sale", "kind=garage"),
        ("parking under 30k", "kind=garage&maxPrice=30000"),
        ("parking near the beach", "kind=garage&features=walk-to-beach"),
        ("garage with parking", "kind=garage&features=parking"),
        ("villa with parking", "kind=villa&features=parking"),
        ("piso con garaje", "propertyType=Apartment&features=garage"),
        ("parking, piso", "features=parking&propertyType=Apartment"),
        ("3 bed parking", "minBedrooms=3&features=parking"),
        ("sea view and parking", "features=sea-view&features=parking"),
        ("nerja with a garage", "location=nerja&features=garage"),
        ("vivienda en nerja con aparcamiento", "location=nerja&features=parking"),
        ("homes that have parking", "features=parking"),
        ("villa without parking", "kind=villa&withoutFeatures=parking"),
    ]);
}

#[test]
fn a_link_is_not_a_price_and_a_link_to_a_home_is_its_reference() {
    check(&[
        ("https://www.idealista.com/inmueble/104567890/", ""),
        ("https://www.fotocasa.es/es/comprar/vivienda/nerja/3-dormitorios/180000/d", ""),
        ("kyero.com/en/property/1234567-villa-nerja-120m2", ""),
        ("villa like https://www.rightmove.co.uk/properties/145000000#/", "kind=villa&q=like"),
        ("https://almijara.example/property-for-sale/nerja/AH-1042", "q=AH-1042"),
        ("https://almijara.example/es/property-for-sale/nerja/AH-1042?utm=3", "q=AH-1042"),
        ("https://almijara.example/property-for-sale/nerja/R4567890", "q=\"R4567890\""),
    ]);
    let text = "villa https://www.idealista.com/inmueble/104567890/";
    let understood = understand(Locale::En, text, &places(), POUNDS_PER_EURO);
    assert_eq!(understood.links, "https://www.idealista.com/inmueble/104567890/");
}

#[test]
fn filters_may_stand_without_the_words() {
    let stands =
        |text| understand(Locale::En, text, &places(), POUNDS_PER_EURO).is_specific_without_words();
    for text in ["pet friendly villa", "nerja burriana", "villa \"by the sea\"", "villa to rent"] {
        assert!(stands(text), "{text}");
    }
    for text in ["pet friendly", "villa AH-1042", "pet friendly to rent", ""] {
        assert!(!stands(text), "{text}");
    }
}

#[test]
fn a_parsed_text_is_described() {
    let description = |locale, text| {
        understand(locale, text, &places(), POUNDS_PER_EURO).describe(locale, &places())
    };
    assert_eq!(
        description(Locale::En, "villa nerja 3 bed under 400k"),
        "3-bed villas in Nerja under €400,000"
    );
    assert_eq!(
        description(Locale::Es, "villa nerja 3 dormitorios hasta 400.000 con piscina y garaje"),
        "Villas de 3 dormitorios en Nerja hasta 400.000\u{a0}€ con piscina y garaje"
    );
    assert_eq!(
        description(Locale::En, "flat with communal pool, walking distance to the beach, reserved"),
        "Apartments with shared pool and walk to the beach, reserved"
    );
    assert_eq!(
        description(Locale::Es, "bar vendido"),
        "Bares y restaurantes, con la venta cerrada"
    );
    assert_eq!(
        description(Locale::En, "reduced, plot over 1200 m2, burriana"),
        "Homes from 1,200 m² of land, reduced, “burriana”"
    );
    assert_eq!(
        description(
            Locale::En,
            "new build villa up to 3 bedrooms not in nerja or maro without pool or lift"
        ),
        "New-build villas of up to 3 bedrooms outside Nerja and Maro without pool or lift"
    );
    assert_eq!(
        description(Locale::Es, "casa sin muebles, certificado energético A o B"),
        "Casas sin muebles, calificación energética A/B"
    );
    assert_eq!(
        description(
            Locale::Es,
            "villa en alquiler de 2 a 3 dormitorios que no sea en nerja sin piscina"
        ),
        "Villas de 2 a 3 dormitorios en venta fuera de Nerja sin piscina"
    );
}

/// Describes `filters`.
fn described(locale: Locale, filters: &[FilterValue], places: &[Place]) -> String {
    let filters = filters.iter().map(|filter| UnderstoodFilter {
        text: filter.value(),
        filter: filter.clone(),
        pounds: None,
        is_substitute: false,
    });
    let understood = Understood { filters: filters.collect(), ..Understood::default() };
    understood.describe(locale, places)
}

/// Kinds have different genders, and may be listed together.
#[test]
fn spanish_descriptions_avoid_words_that_agree_in_gender() {
    let description = |locale, filters: &[FilterValue]| described(locale, filters, &[]);
    for (filter, spanish) in [
        (FilterValue::Status(ListingStatus::UnderOffer), "Villas, con reserva"),
        (FilterValue::Status(ListingStatus::SaleAgreed), "Villas, con venta acordada"),
        (FilterValue::Status(ListingStatus::Pending), "Villas, pendientes de firma"),
        (FilterValue::Status(ListingStatus::Sold), "Villas, con la venta cerrada"),
        (FilterValue::Reduced, "Villas, con precio rebajado"),
        (FilterValue::Feature("furnished"), "Villas con muebles"),
        (FilterValue::ListedWithin(30), "Villas, novedades de los últimos 30 días"),
        (FilterValue::ListedWithin(1), "Villas, novedades desde ayer"),
    ] {
        let filters = [FilterValue::Kind(PropertyKind::Villa), filter];
        assert_eq!(description(Locale::Es, &filters), spanish);
    }
    let listed_within = |days| description(Locale::En, &[FilterValue::ListedWithin(days)]);
    assert_eq!(listed_within(1), "Homes, new since yesterday");
    assert_eq!(listed_within(7), "Homes, new in the last 7 days");
}

#[test]
fn spanish_conjunctions_change_before_the_same_sound() {
    let description =
        |filters: &[FilterValue], places: &[Place]| described(Locale::Es, filters, places);
    let commercial = [PropertyKind::Premises, PropertyKind::Office].map(FilterValue::Kind);
    assert_eq!(description(&commercial, &[]), "Locales comerciales u oficinas");
    let places = [("iznate", "Iznate"), ("nerja", "Nerja"), ("otivar", "Otívar")]
        .map(|(slug, name)| Place::new(slug, name));
    let outside = ["nerja", "iznate"].map(|slug| FilterValue::NotLocation(slug.to_owned()));
    assert_eq!(description(&outside, &places), "Inmuebles fuera de Nerja e Iznate");
    let inside = [
        FilterValue::Kind(PropertyKind::Villa),
        FilterValue::Location("nerja".to_owned()),
        FilterValue::Location("otivar".to_owned()),
    ];
    assert_eq!(description(&inside, &places), "Villas en Nerja u Otívar");
}

#[test]
fn all_kinds_of_a_type_are_described_as_the_type() {
    let description = |locale, text| {
        understand(locale, text, &places(), POUNDS_PER_EURO).describe(locale, &places())
    };
    assert_eq!(
        description(Locale::En, "villa or apartment in nerja"),
        "Villas or apartments in Nerja"
    );
    assert_eq!(description(Locale::Es, "adosado o piso"), "Adosados o pisos");
}

fn typed() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => proptest::sample::select(&[
            "3", "bed", "villa", "house", "nerja", "torrox", "costa", "under", "400k", "between",
            "and", "200.000", "€", "m2", "plot", "with", "office", "garage", "sin", "pool", "sea",
            "view", "energy", "rating", "a", "b", "or", "£", "rent", "sin", "not", "ni", "y", "-", "\"", "AH-1042", "near", "de", "bajo", "2+", "un",
            "millon", "new", "this", "week", "garaje", "land", "hasta", "dorm", "parking",
            "https://www.idealista.com/inmueble/104567890/",
            "www.almijara.example/property-for-sale/nerja/AH-1042",
            "www.almijara.example/property-for-sale/nerja/R4567890", "R4567890", "ref",
            "300 000", "flat", "penthouse", "studio", "stairs", "chain", "more", "than", "terrace", "price", "max", "/", "29780",
        ][..]).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ];
    (
        proptest::collection::vec(word, 0..14),
        prop_oneof![3 => Just(" "), 1 => Just(""), 1 => Just("-")],
    )
        .prop_map(|(words, between)| words.join(between))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn parsing_the_remaining_words_gives_no_filters(text in typed(), spanish in any::<bool>()) {
        let locale = if spanish { Locale::Es } else { Locale::En };
        let understood = understand(locale, &text, &places(), POUNDS_PER_EURO);
        let again = understand(locale, &understood.words, &places(), POUNDS_PER_EURO);
        prop_assert_eq!(&again.words, &understood.words);
        prop_assert!(again.filters.is_empty(), "{:?}", again);
        prop_assert!(understood.filters.len() <= text.len() * 3);
    }

    #[test]
    fn single_valued_filters_occur_once(text in typed()) {
        let understood = understand(Locale::En, &text, &places(), POUNDS_PER_EURO);
        let parameters = understood.filters.iter().map(|one| one.filter.parameter());
        let mut limits: Vec<_> =
            parameters.filter(|name| name.starts_with("min") || name.starts_with("max")).collect();
        let all = limits.len();
        limits.sort_unstable();
        limits.dedup();
        prop_assert_eq!(limits.len(), all);
    }

    #[test]
    fn a_link_to_another_site_gives_no_filter(text in typed(), number in 0_u32..2_000_000_000) {
        let of = |text: &str| understand(Locale::En, text, &places(), POUNDS_PER_EURO);
        let plain = of(&text);
        for link in [
            format!("https://www.kyero.com/en/property/{number}-villa"),
            format!("idealista.com/inmueble/{number}/"),
        ] {
            for text in [format!("{text} {link}"), format!("{link} {text}")] {
                let with_link = of(&text);
                prop_assert_eq!(&with_link.words, &plain.words);
                prop_assert_eq!(&with_link.filters, &plain.filters);
            }
        }
    }

    #[test]
    fn any_text_can_be_parsed(text in any::<String>()) {
        let understood = understand(Locale::En, &text, &places(), POUNDS_PER_EURO);
        prop_assert!(understood.words.len() <= text.len() + 2 * understood.filters.len() + 2);
    }
}
