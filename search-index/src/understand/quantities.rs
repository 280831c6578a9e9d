//! Numbers with what they count: rooms, euros, square metres.

use super::{
    Match,
    tokens::{TokenKind, Tokens},
};

const BELOW: &[&str] = &[
    "under",
    "below",
    "less than",
    "up to",
    "max",
    "maximum",
    "no more than",
    "not more than",
    "cheaper than",
    "budget",
    "budget of",
    "hasta",
    "menos de",
    "por menos de",
    "por debajo de",
    "maximo",
    "como maximo",
    "no mas de",
    "inferior a",
    "presupuesto",
    "presupuesto de",
    "<",
    "for under",
    "for less than",
    "debajo de",
];
const MORE_THAN: &[&str] = &["more than", "over", "above", "mas de", "superior a", ">"];
const AT_LEAST: &[&str] = &[
    "at least",
    "min",
    "minimum",
    "from",
    "starting at",
    "starting from",
    "minimo",
    "como minimo",
    "al menos",
    "desde",
    "a partir de",
    "minimo de",
];
const AROUND: &[&str] =
    &["around", "about", "approx", "circa", "alrededor de", "unos", "sobre", "aprox"];
const BETWEEN: &[&str] = &["between", "entre", "from", "de", "desde"];
const AND: &[&str] = &["and", "to", "y", "a", "hasta", "or", "o"];
const OR_MORE: &[&str] = &["+", "or more", "o mas", "plus", "minimum", "minimo", "como minimo"];
const EUROS: &[&str] = &["€", "euro", "euros", "eur"];
const MILLION: &[&str] = &["m", "million", "millions", "mil millones", "millon", "millones", "mio"];
const THOUSAND: &[&str] = &["k", "mil", "thousand"];
const SQUARE_METRES: &[&str] = &[
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
const PLOT: &[&str] = &["plot", "land", "parcela", "terreno", "solar"];
const BUILT: &[&str] = &["built", "build", "construidos", "construido", "utiles"];
const BEDROOMS: &[&str] = &[
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
const BATHROOMS: &[&str] =
    &["bath", "baths", "bathroom", "bathrooms", "bano", "banos", "cuartos de bano"];
const NUMBERS: [&str; 10] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const NUMEROS: [&str; 10] =
    ["un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"];

const MOST_EUROS: f64 = 1e9;
const MOST_ROOMS: f64 = 50.0;
const MOST_METRES: f64 = 1e6;
/// What is dearer than this is a price even if nothing says so.
const PLAIN_PRICE: f64 = 10_000.0;
/// What a limit without a unit means in thousands: `under 400`.
const IN_THOUSANDS: std::ops::RangeInclusive<f64> = 50.0..=2000.0;

/// On which side of its number a quantity lies.
#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Below,
    MoreThan,
    AtLeast,
    Around,
    Between,
    Bare,
}

/// A number and what follows from its own words.
#[derive(Clone, Copy)]
struct Number {
    value: f64,
    /// Whether thousands, millions or euros were said.
    money: bool,
    /// What it was multiplied by.
    factor: f64,
    end: usize,
}

/// The quantity that stands at `at`.
pub(super) fn quantity(tokens: Tokens<'_>, at: usize) -> Option<Match> {
    // "plot of over 1000 m2"
    if let Some(after) = tokens.any(at, PLOT) {
        let after = tokens.any(after, &["of", "de", "with", "con"]).unwrap_or(after);
        let found = measured(tokens, after, true)?;
        return found.is_area().then_some(found);
    }
    measured(tokens, at, false)
}

fn measured(tokens: Tokens<'_>, at: usize, plot: bool) -> Option<Match> {
    if let Some(after) = tokens.any(at, BETWEEN)
        && let Some(range) = range(tokens, after, plot, Bound::Between)
    {
        return Some(range);
    }
    if let Some(range) = range(tokens, at, plot, Bound::Bare) {
        return Some(range);
    }
    let bounds = [
        (BELOW, Bound::Below),
        (MORE_THAN, Bound::MoreThan),
        (AT_LEAST, Bound::AtLeast),
        (AROUND, Bound::Around),
    ];
    let (after, bound) = bounds
        .into_iter()
        .filter_map(|(phrases, bound)| Some((tokens.any(at, phrases)?, bound)))
        .max_by_key(|(after, _)| *after)
        .unwrap_or((at, Bound::Bare));
    let number = number(tokens, after)?;
    rooms(tokens, &number, bound)
        .or_else(|| area(tokens, None, &number, bound, plot))
        .or_else(|| price(None, &number, bound))
}

/// Two numbers and all that lies between them.
fn range(tokens: Tokens<'_>, at: usize, plot: bool, bound: Bound) -> Option<Match> {
    let first = number(tokens, at)?;
    let dash = (tokens.kind(first.end) == Some(TokenKind::Dash)).then_some(first.end + 1);
    let after = dash.or_else(|| tokens.any(first.end, AND))?;
    let second = number(tokens, after)?;
    if !first.money && !second.money {
        if let Some(found) = rooms(tokens, &Number { value: first.value, ..second }, Bound::AtLeast)
        {
            return Some(found);
        }
        let found = area(tokens, Some(first.value), &second, Bound::Between, plot);
        if found.is_some() {
            return found;
        }
    }
    // "200-400k": what multiplies the one multiplies the other.
    let smaller = if first.money { first.value } else { first.value * second.factor };
    if bound == Bound::Bare && !(second.money || second.value >= PLAIN_PRICE) {
        return None;
    }
    price(Some(smaller), &second, Bound::Between)
}

fn rooms(tokens: Tokens<'_>, number: &Number, bound: Bound) -> Option<Match> {
    if number.money || number.value > MOST_ROOMS || number.value.fract() != 0.0 {
        return None;
    }
    let or_more = tokens.any(number.end, OR_MORE);
    let unit = or_more.unwrap_or(number.end);
    let (parameter, end) = tokens
        .any(unit, BATHROOMS)
        .map(|end| ("minBathrooms", end))
        .or_else(|| Some(("minBedrooms", tokens.any(unit, BEDROOMS)?)))
        .or_else(|| slipped_rooms(tokens, unit))?;
    let least = match bound {
        // There is no asking for at most so many.
        Bound::Below => return Some(Match::of(end, [])),
        Bound::MoreThan => number.value + 1.0,
        _ => number.value,
    };
    let end = tokens.any(end, OR_MORE).unwrap_or(end);
    Some(Match::of(end, [(parameter, whole(least))]))
}

/// Rooms with a slip in them.
fn slipped_rooms(tokens: Tokens<'_>, at: usize) -> Option<(&'static str, usize)> {
    let word = tokens.word(at)?;
    let near = |names: &[&str]| names.iter().any(|name| super::lexicon::is_slip_of(word, name));
    [("minBedrooms", BEDROOMS), ("minBathrooms", BATHROOMS)]
        .into_iter()
        .find(|(_, names)| near(names))
        .map(|(parameter, _)| (parameter, at + 1))
}

fn area(
    tokens: Tokens<'_>,
    from: Option<f64>,
    number: &Number,
    bound: Bound,
    plot: bool,
) -> Option<Match> {
    if number.money || number.value > MOST_METRES {
        return None;
    }
    let end = tokens.any(number.end, SQUARE_METRES)?;
    let after = tokens.any(end, &["of", "de"]).unwrap_or(end);
    // A terrace's size is nobody's built size.
    if tokens.any(after, &["terrace", "terraza", "garden", "jardin", "solarium"]).is_some() {
        return None;
    }
    let (plot, end) = match tokens.any(after, PLOT) {
        Some(end) => (true, end),
        None => (plot, tokens.any(end, BUILT).unwrap_or(end)),
    };
    let [min, max] = if plot { ["minPlot", "maxPlot"] } else { ["minBuilt", "maxBuilt"] };
    Some(Match::of(end, limits([min, max], from, number.value, bound)))
}

fn price(from: Option<f64>, number: &Number, bound: Bound) -> Option<Match> {
    let bare_limit = !number.money
        && number.factor < 2.0
        && bound != Bound::Bare
        && IN_THOUSANDS.contains(&number.value);
    let factor = if bare_limit { 1000.0 } else { 1.0 };
    let value = number.value * factor;
    if !(number.money || value >= PLAIN_PRICE) || value > MOST_EUROS {
        return None;
    }
    // What somebody names as the price is the most that they would pay.
    let bound = if bound == Bound::Bare { Bound::Below } else { bound };
    let from = from.map(|from| from * factor);
    Some(Match::of(number.end, limits(["minPrice", "maxPrice"], from, value, bound)))
}

fn limits(
    [min, max]: [&'static str; 2],
    from: Option<f64>,
    value: f64,
    bound: Bound,
) -> Vec<(&'static str, String)> {
    match (bound, from) {
        (Bound::Between, Some(from)) => {
            vec![(min, whole(from.min(value))), (max, whole(from.max(value)))]
        }
        (Bound::Below, _) => vec![(max, whole(value))],
        (Bound::Around, _) => vec![(min, whole(value * 0.9)), (max, whole(value * 1.1))],
        _ => vec![(min, whole(value))],
    }
}

fn whole(value: f64) -> String {
    format!("{value:.0}")
}

/// The number at `at`, with what multiplies it and the euros on either side of it.
fn number(tokens: Tokens<'_>, at: usize) -> Option<Number> {
    for (phrase, value) in [
        ("medio millon", 5e5),
        ("half a million", 5e5),
        ("half million", 5e5),
        ("un millon y medio", 15e5),
        ("millon y medio", 15e5),
        ("a million", 1e6),
        ("un millon", 1e6),
    ] {
        if let Some(end) = tokens.phrase(at, phrase) {
            return Some(with_euros(tokens, value, 1e6, true, end));
        }
    }
    let sign = tokens.any(at, EUROS);
    let at = sign.unwrap_or(at);
    let (digits, spelt) = match tokens.kind(at)? {
        TokenKind::Number => (Some(&*tokens.0[at].word), None),
        _ => (None, Some(spelt_number(tokens.word(at)?)?)),
    };
    let millions = tokens.any(at + 1, MILLION).filter(|end| {
        // "120 m" is as likely metres.
        tokens.word(end - 1) != Some("m") || tokens.0[at].end == tokens.0[at + 1].start
    });
    let thousands = tokens.any(at + 1, THOUSAND);
    let (factor, end) = match (millions, thousands) {
        (Some(end), _) => (1e6, end),
        (None, Some(end)) => (1e3, end),
        (None, None) => (1.0, at + 1),
    };
    let value = match digits {
        Some(digits) => written_number(digits, factor > 1.0)?,
        None => spelt?,
    };
    Some(with_euros(tokens, value * factor, factor, sign.is_some() || factor > 1.0, end))
}

fn with_euros(tokens: Tokens<'_>, value: f64, factor: f64, money: bool, end: usize) -> Number {
    let after = tokens.any(end, &["de"]).unwrap_or(end);
    let euros = tokens.any(end, EUROS).or_else(|| tokens.any(after, EUROS));
    Number { value, money: money || euros.is_some(), factor, end: euros.unwrap_or(end) }
}

fn spelt_number(word: &str) -> Option<f64> {
    let place = |names: &[&str]| names.iter().position(|name| *name == word);
    let place =
        place(&NUMBERS).or_else(|| place(&NUMEROS)).or_else(|| (word == "una").then_some(0));
    Some(f64::from(u32::try_from(place?).ok()?) + 1.0)
}

/// `400.000`, `400,000`, `0.4`, `1,2`: points and commas before three digits part thousands, unless
/// the number is multiplied, where one alone begins the fraction.
fn written_number(digits: &str, multiplied: bool) -> Option<f64> {
    let groups: Vec<&str> = digits.split(['.', ',']).collect();
    let thousands = groups.len() > 1
        && groups[1..].iter().all(|group| group.len() == 3)
        && groups[0].len() <= 3
        && groups[0] != "0"
        && !(multiplied && groups.len() == 2);
    let plain = if thousands { groups.concat() } else { digits.replacen(',', ".", 1) };
    plain.parse().ok().filter(|value: &f64| value.is_finite())
}
