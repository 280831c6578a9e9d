//! What visitors call kinds, types, features and the rest of what can be asked for.

use std::sync::LazyLock;

use contracts::Locale;

use super::{Found, tokens::Tokens};
use crate::{
    spelling::{SHORTEST_FORGIVEN, fold, is_one_slip},
    vocabulary::FEATURES,
};

/// Phrases of both languages, without accents and in the singular, with what they ask for.
const PHRASES: &[(&str, &str, &str)] = &[
    (
        "kind",
        "villa",
        "villa|vila|chalet|chale|detached house|detached villa|casa independiente|villa independiente|chalet independiente",
    ),
    (
        "kind",
        "townhouse",
        "townhouse|town house|terraced house|terrace house|semi detached|adosado|adosada|casa adosada|chalet adosado|pareado",
    ),
    (
        "kind",
        "village-house",
        "village house|village home|townhouse in the village|casa de pueblo|casa pueblo|casa en el pueblo",
    ),
    (
        "kind",
        "country-house",
        "country house|country home|countryside house|country property|rural house|finca|cortijo|farmhouse|farm house|casa de campo|casa campo|casa rural|finca rustica",
    ),
    ("kind", "penthouse", "penthouse|pent house|atico|atico duplex"),
    ("kind", "studio", "studio|studio apartment|studio flat|estudio|apartamento estudio"),
    ("kind", "duplex", "duplex|duplex apartment|maisonette"),
    (
        "kind",
        "ground-floor",
        "ground floor|ground floor apartment|ground floor flat|garden apartment|planta baja|piso bajo|bajo con jardin|piso en planta baja|apartamento en planta baja",
    ),
    (
        "kind",
        "premises",
        "premises|shop|business premises|commercial premises|shop premises|local comercial|tienda",
    ),
    ("kind", "bar", "bar|restaurant|cafe|bar restaurant|restaurante|bar restaurante|cafeteria"),
    ("kind", "office", "office|oficina|despacho"),
    (
        "kind",
        "land",
        "land|plot|building plot|building land|rustic land|terreno|parcela|terreno rustico|terreno urbano|parcela urbana|parcela rustica",
    ),
    ("propertyType", "House", "house|casa"),
    ("propertyType", "Apartment", "apartment|flat|piso|apartamento|apto|condo"),
    ("propertyType", "Commercial", "commercial|commercial property|comercial|business|negocio"),
    ("status", "sold", "sold|vendido|vendida|ya vendido"),
    ("status", "under_offer", "reserved|under offer|reservado|reservada|con reserva"),
    ("status", "sale_agreed", "sale agreed|venta acordada"),
    (
        "reduced",
        "true",
        "reduced|price reduced|reduced price|reduced in price|price reduction|price drop|price cut|rebajado|rebajada|bajada de precio|precio rebajado|rebaja|rebaja de precio|reducido|precio reducido|ha bajado de precio",
    ),
    (
        "newWithin",
        "7",
        "new this week|this week|esta semana|nuevo esta semana|nueva esta semana|novedades de esta semana",
    ),
    (
        "newWithin",
        "30",
        "new this month|this month|este mes|new listing|newly listed|new on the market|new to market|new to the market|just listed|latest|novedad|novedades|recien llegado|recien publicado|nuevo en el mercado|nuevo este mes|ultimas novedades|lo ultimo",
    ),
    ("features", "pool", "swimming pool|alberca|pileta"),
    ("features", "private-pool", "own pool|piscina propia|private swimming pool|pool privada"),
    (
        "features",
        "communal-pool",
        "shared pool|community pool|communal swimming pool|piscina comunal|piscina compartida",
    ),
    (
        "features",
        "sea-view",
        "ocean view|view of the sea|view to the sea|view over the sea|seaview|sea vista|vista mar|vista del mar|vista al mar|vista hacia el mar|mirando al mar",
    ),
    (
        "features",
        "mountain-view",
        "view of the mountains|mountain vista|vista montana|vista a la montana|vista a la sierra|vista a las montanas",
    ),
    ("features", "village-view", "vista al pueblo|view of the village"),
    ("features", "pool-view", "vista a la piscina"),
    ("features", "garden-view", "vista al jardin"),
    ("features", "roof-terrace", "rooftop terrace|roof terraza|azotea|terraza en la azotea"),
    (
        "features",
        "parking",
        "parking space|parking place|car park|off street parking|plaza de aparcamiento|plaza de parking",
    ),
    ("features", "lift", "elevator"),
    ("features", "air-conditioning", "aircon|air con|air conditioned|a c|aire"),
    ("features", "furnished", "amueblada|fully furnished|con muebles"),
    ("features", "heating", "central heating|calefaccion central"),
    ("features", "fireplace", "log burner|wood burner"),
    ("features", "storage-room", "storage|storeroom|store room"),
    ("features", "double-glazing", "double glazed|doble cristal"),
    ("features", "barbecue", "bbq|barbeque"),
    (
        "features",
        "beachfront",
        "beach front|seafront|sea front|frontline|front line|frontline beach|front line beach|first line|first line beach|on the beach|on the seafront|primera linea|en primera linea|en primera linea de playa|pie de playa|a pie de playa|frente al mar|frente a la playa",
    ),
    (
        "features",
        "walk-to-beach",
        "walk to the beach|walking distance to the beach|walking distance to beach|near the beach|near beach|close to the beach|close to beach|by the beach|near the sea|close to the sea|by the sea|cerca de la playa|cerca playa|cerca del mar|junto a la playa|junto al mar|andando a la playa|a pie de la playa",
    ),
    (
        "features",
        "solar-panels",
        "solar power|solar energy|panel solar|paneles solares|placa fotovoltaica|energia solar",
    ),
    (
        "features",
        "wheelchair-access",
        "wheelchair|wheelchair accessible|wheelchair friendly|step free|silla de ruedas|accesible|accesible en silla de ruedas|adaptado|adaptada|minusvalidos",
    ),
    ("features", "gated", "gated community|gated complex|urbanizacion privada|recinto cerrado"),
    ("features", "jacuzzi", "hot tub|hidromasaje"),
    (
        "features",
        "avocado-trees",
        "avocado|avocados|avocado grove|avocado plantation|aguacate|aguacates",
    ),
    ("features", "near-golf", "golf|golf course|campo de golf"),
    (
        "features",
        "guest-flat",
        "guest house|guest apartment|guest accommodation|casa de invitados|piso de invitados",
    ),
    ("features", "fitted-wardrobes", "armario empotrado|built in wardrobe"),
];

/// What means something else, or nothing, in the other language.
const LOCAL: &[(Locale, &str, &str, &str)] = &[
    (Locale::En, "features", "solar-panels", "solar"),
    (Locale::Es, "kind", "land", "solar|solar urbano"),
    (Locale::Es, "kind", "premises", "local"),
    (Locale::Es, "kind", "ground-floor", "bajo"),
];

/// What a garage is called: with a home a feature of it, alone what is looked for.
const GARAGE: &str = "garage|garage space|garaje|plaza de garaje|plaza garaje|cochera";

/// Kinds that are part of a home where the text names one already.
const ROOMS_AS_WELL: [&str; 6] = ["studio", "premises", "bar", "office", "land", "garage"];

/// Words that connect and say nothing themselves.
const CONNECTING: &str = "with|con|in|en|cheap|affordable|barato|barata|economico|economica|near|near to|close to|next to|beside|by|cerca|cerca de|junto a|al lado de|for|for sale|sale|venta|en venta|a la venta|se vende|se venden|vendo|the|a|an|of|at|and|or|to|to buy|buy|buying|looking for|i am looking for|i'm looking for|searching for|i want|want|show me|find|need|some|any|has|have|having|that has|which has|is|property|property for sale|properties|home|real estate|please|el|la|los|las|un|una|unos|unas|de|del|y|o|u|al|para|por|que|que tenga|con vistas|comprar|compra|busco|buscar|buscando|quiero|necesito|inmueble|propiedad|propiedades|vivienda|me|my|situado|situada|located|€";

/// Words that turn what follows into its opposite, which no filter can ask for.
const NEGATIONS: [&str; 4] = ["without", "sin", "no", "not"];

/// Words of their own that are one slip from ours.
const OWN_WORDS: &[&str] =
    &["horse", "horses", "officer", "officers", "terraced", "packing", "estadio"];

struct Phrase {
    words: Vec<String>,
    parameter: &'static str,
    value: String,
    only: Option<Locale>,
}

static LEXICON: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    let mut lexicon = Vec::new();
    let mut add = |only, parameter, value: &str, phrases: &str| {
        for phrase in phrases.split('|') {
            let words = fold(phrase).split(' ').map(str::to_owned).collect();
            lexicon.push(Phrase { words, parameter, value: value.to_owned(), only });
        }
    };
    for (parameter, value, phrases) in PHRASES {
        add(None, parameter, value, phrases);
    }
    for (only, parameter, value, phrases) in LOCAL {
        add(Some(*only), parameter, value, phrases);
    }
    for (tag, spanish) in FEATURES {
        let english = tag.replace('-', " ");
        // "well" says too little, and a garage is looked after on its own.
        if !matches!(tag, "well" | "garage") {
            add(None, "features", tag, &english);
        }
        if tag != "garage" {
            add(None, "features", tag, spanish);
        }
    }
    add(None, "garage", "garage", GARAGE);
    lexicon
});

static CONNECTIONS: LazyLock<Vec<Vec<&str>>> =
    LazyLock::new(|| CONNECTING.split('|').map(|phrase| phrase.split(' ').collect()).collect());

/// What the phrase of `length` words at `at` asks for, if one is; `slip` where one may be forgiven.
pub(super) fn phrase(
    tokens: Tokens<'_>,
    locale: Locale,
    at: usize,
    length: usize,
    slip: bool,
) -> Option<Found> {
    let typed: Vec<&str> = (at..at + length).map(|at| tokens.word(at)).collect::<Option<_>>()?;
    if at > 0 && tokens.word(at - 1).is_some_and(|word| NEGATIONS.contains(&word)) {
        return None;
    }
    let found = LEXICON
        .iter()
        .filter(|phrase| {
            phrase.words.len() == length && phrase.only.is_none_or(|only| only == locale)
        })
        .find(|phrase| {
            if slip { is_slipped(&typed, &phrase.words) } else { is_same(&typed, &phrase.words) }
        })?;
    Some(Found::of(at + length, [(found.parameter, found.value.clone())]))
}

/// Every phrase for `locale`, in the singular, with its parameter and value.
pub(super) fn names(locale: Locale) -> impl Iterator<Item = (&'static str, &'static str, String)> {
    let phrases =
        LEXICON.iter().filter(move |phrase| phrase.only.is_none_or(|only| only == locale));
    phrases.map(|phrase| {
        // Alone, a garage is what is looked for.
        let parameter = if phrase.parameter == "garage" { "kind" } else { phrase.parameter };
        (parameter, phrase.value.as_str(), phrase.words.join(" "))
    })
}

/// Where the connecting words at `at` end.
pub(super) fn connection(tokens: Tokens<'_>, at: usize) -> Option<usize> {
    let stands = |words: &Vec<&str>| {
        words.iter().enumerate().all(|(offset, word)| {
            tokens.word(at + offset).is_some_and(|typed| is_word(typed, word))
        })
    };
    CONNECTIONS.iter().filter(|words| stands(words)).map(|words| at + words.len()).max()
}

/// Whether `kind` may be a part of another home.
pub(super) fn is_room_as_well(kind: &str) -> bool {
    ROOMS_AS_WELL.contains(&kind)
}

fn is_same(typed: &[&str], words: &[String]) -> bool {
    typed.iter().zip(words).all(|(typed, word)| is_word(typed, word))
}

fn is_slipped(typed: &[&str], words: &[String]) -> bool {
    let mut slips = 0;
    typed.iter().zip(words).all(|(typed, word)| {
        is_word(typed, word) || {
            slips += 1;
            slips == 1 && is_slip_of(typed, word)
        }
    })
}

/// Whether `typed` is `word`, or its plural.
fn is_word(typed: &str, word: &str) -> bool {
    typed == word
        || (word.len() > 2
            && typed.strip_prefix(word).is_some_and(|rest| matches!(rest, "s" | "es")))
}

/// Whether `typed` is meant to be `word`, or its plural, and has one slip after its first letter.
pub(super) fn is_slip_of(typed: &str, word: &str) -> bool {
    typed.len() >= SHORTEST_FORGIVEN
        && word.len() >= SHORTEST_FORGIVEN
        && typed.as_bytes()[0] == word.as_bytes()[0]
        && !OWN_WORDS.contains(&typed)
        && (is_one_slip(typed, word) || is_one_slip(typed, &format!("{word}s")))
}
