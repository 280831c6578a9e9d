//! What is said of numbers: on which side of them a quantity lies, and what they count.

/// Limits that their number meets.
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
/// Limits that their number does not meet.
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
/// Those of sizes, where they are denied.
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
/// What is said of an amount.
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
/// What may stand between them.
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
/// What is metres of length, unless land or a house is said to have them.
pub(super) const METRES: &[&str] = &["metros", "metres", "meters"];
pub(super) const PLOT: &[&str] = &["plot", "land", "parcela", "terreno", "solar"];
/// What has a size of its own, which is nobody's built size.
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

/// What has rooms of its own beside those of the home.
pub(super) const ANNEXES: &[&str] = &["annexe", "annex", "granny annexe", "granny annex", "anexo"];
