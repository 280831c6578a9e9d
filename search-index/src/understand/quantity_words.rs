//! Words that accompany numbers: limits, ranges and units.

/// Inclusive upper limits.
pub(super) const BELOW: &[&str] = &[
    "up to",
    "max",
    "maximum",
    "at most",
    "no more than",
    "not more than",
    "budget",
    "budget of",
    "hasta",
    "maximo",
    "como maximo",
    "como mucho",
    "no mas de",
    "que no pase de",
    "que no supere",
    "presupuesto",
    "presupuesto de",
];
/// Exclusive upper limits.
pub(super) const LESS_THAN: &[&str] = &[
    "under",
    "below",
    "less than",
    "fewer than",
    "cheaper than",
    "for under",
    "for less than",
    "menos de",
    "por menos de",
    "por debajo de",
    "debajo de",
    "inferior a",
    "<",
];
/// Lower limits of sizes, used only in denials.
pub(super) const BIGGER: &[&str] = &[
    "bigger than",
    "larger than",
    "greater than",
    "higher than",
    "mayor de",
    "mayor a",
    "mas grande de",
];
pub(super) const MORE_THAN: &[&str] = &["more than", "over", "above", "mas de", "superior a", ">"];
pub(super) const AT_LEAST: &[&str] = &[
    "at least",
    "no less than",
    "not less than",
    "no fewer than",
    "not fewer than",
    "no menos de",
    "min",
    "minimum",
    "from",
    "starting at",
    "starting from",
    "minimo",
    "como minimo",
    "al menos",
    "por lo menos",
    "desde",
    "a partir de",
    "minimo de",
];
pub(super) const AROUND: &[&str] = &[
    "around",
    "about",
    "approx",
    "circa",
    "alrededor de",
    "unos",
    "sobre",
    "aprox",
    "mas o menos",
];
pub(super) const EXACTLY: &[&str] =
    &["exactly", "just", "only", "exactamente", "solo", "solamente"];
pub(super) const BETWEEN: &[&str] = &["between", "entre", "from", "de", "desde"];
pub(super) const AND: &[&str] = &["and", "to", "y", "a", "hasta", "or", "o"];
pub(super) const OR_MORE: &[&str] =
    &["+", "or more", "o mas", "plus", "min", "minimum", "minimo", "como minimo"];
pub(super) const OR_LESS: &[&str] = &[
    "or less",
    "or fewer",
    "o menos",
    "max",
    "maximum",
    "at most",
    "maximo",
    "como maximo",
    "como mucho",
];
/// Words that announce a price.
pub(super) const PRICE: &[&str] = &[
    "price",
    "prices",
    "price range",
    "asking price",
    "budget",
    "precio",
    "precios",
    "precio de venta",
    "rango de precio",
    "rango de precios",
    "presupuesto",
];
/// Words that may be between them and the amount.
pub(super) const AFTER_PRICE: &[&str] = &["of", "is", "de"];
pub(super) const SQUARE_METRES: &[&str] = &[
    "m2",
    "mt2",
    "mts2",
    "sqm",
    "sq m",
    "sq metres",
    "sq meters",
    "square metres",
    "square meters",
    "square metre",
    "square meter",
    "metros cuadrados",
    "metro cuadrado",
];
/// Metres, which are lengths unless land or a building has them.
pub(super) const METRES: &[&str] = &["metros", "metres", "meters"];
pub(super) const PLOT: &[&str] = &["plot", "land", "parcela", "terreno", "solar"];
/// Parts with a size of their own, which is not the built size of a home.
pub(super) const OUTSIDE: &[&str] = &["terrace", "terraza", "garden", "jardin", "solarium"];
pub(super) const BUILT: &[&str] = &["built", "build", "construidos", "construido", "utiles"];
pub(super) const BEDROOMS: &[&str] = &[
    "bed",
    "beds",
    "bedroom",
    "bedrooms",
    "bedroomed",
    "bed room",
    "bed rooms",
    "br",
    "bdr",
    "dorm",
    "dorms",
    "dormitorio",
    "dormitorios",
    "habitacion",
    "habitaciones",
    "hab",
    "habs",
    "cuartos",
];
pub(super) const BATHROOMS: &[&str] =
    &["bath", "baths", "bathroom", "bathrooms", "bano", "banos", "cuartos de bano"];

/// Parts with rooms of their own, besides those of the home.
pub(super) const ANNEXES: &[&str] = &["annexe", "annex", "granny annexe", "granny annex", "anexo"];
