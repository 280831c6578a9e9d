//! Quantities: numbers of rooms, euros and square metres.

use super::{
    FilterValue, Match, Meaning, Quantity, lexicon,
    numbers::{Number, number},
    quantity_words::{
        AFTER_PRICE, AND, ANNEXES, AROUND, AT_LEAST, BATHROOMS, BEDROOMS, BELOW, BETWEEN, BIGGER,
        BUILT, EXACTLY, LESS_THAN, METRES, MORE_THAN, OR_LESS, OR_MORE, OUTSIDE, PLOT, PRICE,
        SQUARE_METRES,
    },
    tokens::{TokenKind, Tokens},
};

const MAX_EUROS: f64 = 1e9;
const MAX_ROOMS: f64 = 50.0;
const MAX_METRES: f64 = 1e6;
/// The prefixes of the postcodes of Andalusia. Homes elsewhere are not searched for here, so that `49950` is
/// the price of a garage. Almería's prefix, `04`, is omitted because such a number is too low for a price.
const POSTCODES: [&str; 7] = ["11", "14", "18", "21", "23", "29", "41"];
/// A number from here on is a price even without a currency.
const PLAIN_PRICE: f64 = 10_000.0;
/// The range in which a limit without a unit means thousands of euros: `under 400`.
const IN_THOUSANDS: std::ops::RangeInclusive<f64> = 50.0..=2000.0;

/// The relation of a quantity to its number.
#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Below,
    LessThan,
    MoreThan,
    AtLeast,
    Around,
    Exactly,
    Between,
    Bare,
}

/// Rooms that are counted.
#[derive(Clone, Copy)]
enum Rooms {
    Bedrooms,
    Bathrooms,
}

/// Returns the quantity at `at`.
pub(super) fn quantity(tokens: Tokens<'_>, at: usize) -> Option<Match> {
    // "plot of over 1000 m2"
    if let Some(after) = tokens.any(at, PLOT) {
        let after = tokens.any(after, &["of", "de", "with", "con"]).unwrap_or(after);
        let found = measured(tokens, after, true)?;
        let is_of_plot = |meaning: &Meaning| {
            meaning.filter().is_some_and(|filter| filter.limits(Quantity::PlotArea))
        };
        return found.meanings.iter().all(is_of_plot).then_some(found);
    }
    let found = named_price(tokens, at).or_else(|| measured(tokens, at, false))?;
    if found.limits(Quantity::BuiltArea) {
        // "terraza de 20 m2"
        if is_of_outside(tokens, at) {
            return Some(as_typed(found.end));
        }
        // "terraza de 20 a 40 m2": this "de" does not start a range for the home.
        if is_of_outside(tokens, at + 1) {
            return None;
        }
    }
    Some(found)
}

/// Returns whether the quantity at `at` belongs to a terrace or the like.
fn is_of_outside(tokens: Tokens<'_>, at: usize) -> bool {
    at.checked_sub(2).is_some_and(|start| {
        let end = tokens.any(start, OUTSIDE);
        end.and_then(|end| after_of(tokens, end)) == Some(at)
    })
}

/// Returns the position after the "of" that follows `end`, if there is no comma before it.
fn after_of(tokens: Tokens<'_>, end: usize) -> Option<usize> {
    tokens.any(end, &["of", "de"]).filter(|_| !tokens.is_separated(end))
}

/// Turns the sizes of garages in `found` into words if the garage is a part of a home, as in `villa con garaje
/// de 20 a 40 m2`. `is_of_home` returns this for the start of the garage.
pub(super) fn ignore_sizes_of_garages(
    tokens: Tokens<'_>,
    found: &mut [(usize, Match)],
    is_of_home: impl Fn(usize) -> bool,
) {
    let mut size = None;
    for (start, one) in found {
        if let Some(size) = size
            && one.limits(Quantity::BuiltArea)
            && (*start == size || *start + 1 == size)
        {
            *start = size;
            *one = as_typed(one.end);
        }
        let is_part = one.is_garage() && is_of_home(*start);
        size = after_of(tokens, one.end).filter(|_| is_part);
    }
}

/// Returns a match that ends at `end` and is searched as typed.
fn as_typed(end: usize) -> Match {
    Match::of(end, [Meaning::AsTyped])
}

/// Returns the limit at `at` reversed, for a negation: "not more than" is "at most".
pub(super) fn denied_limit(tokens: Tokens<'_>, at: usize) -> Option<Match> {
    let bounds = [(MORE_THAN, Bound::Below), (LESS_THAN, Bound::AtLeast), (BIGGER, Bound::Below)];
    let (after, bound, phrases) = bounds
        .into_iter()
        .find_map(|(phrases, bound)| Some((tokens.any(at, phrases)?, bound, phrases)))?;
    // "no bigger than 100" is not a price.
    let may_be_price = phrases != BIGGER
        || number(tokens, after).is_some_and(|number| number.money || number.value >= PLAIN_PRICE);
    limited(tokens, after, bound, false)
        .filter(|found| !found.meanings.is_empty() && (may_be_price || !is_price(found)))
}

/// Returns the price at `at` that is announced as one: `price up to 2m`, `presupuesto máximo 200.000`.
fn named_price(tokens: Tokens<'_>, at: usize) -> Option<Match> {
    let after = after_price(tokens, at)?;
    match measured(tokens, after, false) {
        Some(found) => is_price(&found).then_some(found),
        None => price(tokens, None, &number(tokens, after)?, Bound::Below),
    }
}

/// Returns the end of the words at `at` that announce a price.
fn after_price(tokens: Tokens<'_>, at: usize) -> Option<usize> {
    let after = tokens.any(at, PRICE)?;
    Some(tokens.any(after, AFTER_PRICE).unwrap_or(after))
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
        (LESS_THAN, Bound::LessThan),
        (MORE_THAN, Bound::MoreThan),
        (AT_LEAST, Bound::AtLeast),
        (AROUND, Bound::Around),
        (EXACTLY, Bound::Exactly),
    ];
    let bound = bounds
        .into_iter()
        .filter_map(|(phrases, bound)| Some((tokens.any(at, phrases)?, bound)))
        .max_by_key(|(after, _)| *after);
    match bound {
        Some((after, bound)) => limited(tokens, after, bound, plot),
        None => bounded(tokens, at, plot, Bound::Bare),
    }
}

/// Returns the quantity at `at`, after words for the limit `bound`.
fn limited(tokens: Tokens<'_>, at: usize, bound: Bound, plot: bool) -> Option<Match> {
    // "menos de los 300.000"
    let at = tokens.any(at, &["the", "los", "las"]).unwrap_or(at);
    // "max price 200k"
    if let Some(after) = after_price(tokens, at) {
        return bounded(tokens, after, false, bound).filter(is_price);
    }
    bounded(tokens, at, plot, bound)
}

/// Returns the quantity at `at`, after the limit `bound`. Of two numbers, the one that fits the limit is used:
/// `up to 200-300k`.
fn bounded(tokens: Tokens<'_>, at: usize, plot: bool, bound: Bound) -> Option<Match> {
    if let Some(mut range) = range(tokens, at, plot, Bound::Bare) {
        range.meanings.retain(|meaning| {
            !matches!(
                (bound, meaning.filter()),
                (
                    Bound::Below | Bound::LessThan,
                    Some(FilterValue::Min(..) | FilterValue::MinBathrooms(_)),
                ) | (Bound::AtLeast | Bound::MoreThan, Some(FilterValue::Max(..)))
            )
        });
        if !range.meanings.is_empty() {
            return Some(range);
        }
    }
    let number = number(tokens, at)?;
    rooms(tokens, None, &number, bound)
        .or_else(|| area(tokens, None, &number, bound, plot))
        .or_else(|| price(tokens, None, &number, bound))
}

/// Returns the range between two numbers at `at`.
fn range(tokens: Tokens<'_>, at: usize, plot: bool, bound: Bound) -> Option<Match> {
    let first = number(tokens, at)?;
    let dash = (tokens.kind(first.end) == Some(TokenKind::Dash)).then_some(first.end + 1);
    let after = dash.or_else(|| tokens.any(first.end, AND))?;
    let second = number(tokens, after)?;
    if !first.money && !second.money {
        let found = rooms(tokens, Some(first.value), &second, Bound::Between)
            .or_else(|| area(tokens, Some(first.value), &second, Bound::Between, plot));
        if found.is_some() {
            return found;
        }
    }
    if bound == Bound::Bare && !(second.money || second.value >= PLAIN_PRICE) {
        return None;
    }
    // "200-400k", "200-400.000": the multiplier of the second number also applies to the first, if the first
    // stays the smaller one.
    let scaled = first.value * second.factor.max(1e3);
    let smaller = if first.factor > 1.0 || first.value >= PLAIN_PRICE {
        first.value
    } else if scaled <= second.value {
        scaled
    } else {
        first.value * second.factor.min(1e3)
    };
    let second = Number { pounds: first.pounds || second.pounds, ..second };
    price(tokens, Some(smaller), &second, Bound::Between)
}

fn rooms(tokens: Tokens<'_>, from: Option<f64>, number: &Number, bound: Bound) -> Option<Match> {
    let is_of_rooms = |value: f64| value <= MAX_ROOMS && value.fract() == 0.0;
    if number.money || !is_of_rooms(number.value) || !from.is_none_or(is_of_rooms) {
        return None;
    }
    let (bound, unit) = with_limit_after(tokens, number.end, bound);
    let (rooms, end) = tokens
        .any(unit, BATHROOMS)
        .map(|end| (Rooms::Bathrooms, end))
        .or_else(|| Some((Rooms::Bedrooms, tokens.any(unit, BEDROOMS)?)))
        .or_else(|| rooms_with_typo(tokens, unit))?;
    if let Some(end) = tokens.any(end, ANNEXES) {
        return Some(as_typed(end));
    }
    let (bound, end) = with_limit_after(tokens, end, bound);
    let [from, to] = [from.unwrap_or(number.value), number.value];
    let (min, max) = match bound {
        Bound::Below => (None, Some(to)),
        Bound::LessThan => (None, Some(to - 1.0)),
        Bound::MoreThan => (Some(to + 1.0), None),
        Bound::Between | Bound::Exactly => (Some(from.min(to)), Some(from.max(to))),
        _ => (Some(to), None),
    };
    let max = max.filter(|max| *max > 0.0).map(whole);
    let min = min.map(whole);
    let filters = match rooms {
        Rooms::Bedrooms => [
            min.map(|min| FilterValue::Min(Quantity::Bedrooms, min)),
            max.map(|max| FilterValue::Max(Quantity::Bedrooms, max)),
        ],
        // There is no filter for a maximum: without a minimum, the text stays.
        Rooms::Bathrooms => [min.map(FilterValue::MinBathrooms), None],
    };
    Some(Match::of_filters(end, filters.into_iter().flatten()))
}

/// Returns the limit after a quantity that ends at `end`, or else `bound`, and its end.
fn with_limit_after(tokens: Tokens<'_>, end: usize, bound: Bound) -> (Bound, usize) {
    if bound != Bound::Bare {
        return (bound, end);
    }
    let limits = [(OR_MORE, Bound::AtLeast), (OR_LESS, Bound::Below)];
    let found = limits.into_iter().find_map(|(phrases, limit)| {
        let after = tokens.any(end, phrases)?;
        // "3 bedrooms max 400k" limits what follows.
        let is_before = [BELOW, AT_LEAST].iter().any(|phrases| tokens.any(end, phrases).is_some());
        (!is_before || number(tokens, after).is_none()).then_some((limit, after))
    });
    found.unwrap_or((bound, end))
}

/// Returns the rooms at `at` whose name has a typo.
fn rooms_with_typo(tokens: Tokens<'_>, at: usize) -> Option<(Rooms, usize)> {
    let word = tokens.word(at)?;
    let near = |names: &[&str]| names.iter().any(|name| lexicon::is_typo_of(word, name));
    [(Rooms::Bedrooms, BEDROOMS), (Rooms::Bathrooms, BATHROOMS)]
        .into_iter()
        .find(|(_, names)| near(names))
        .map(|(rooms, _)| (rooms, at + 1))
}

fn area(
    tokens: Tokens<'_>,
    from: Option<f64>,
    number: &Number,
    bound: Bound,
    plot: bool,
) -> Option<Match> {
    if number.money || number.value > MAX_METRES {
        return None;
    }
    let end = tokens.any(number.end, SQUARE_METRES).or_else(|| {
        let end = tokens.any(number.end, METRES)?;
        let of = tokens.any(end, &["of", "de"]).unwrap_or(end);
        let is_of_land = plot || [PLOT, BUILT].iter().any(|names| tokens.any(of, names).is_some());
        is_of_land.then_some(end)
    })?;
    let after = tokens.any(end, &["of", "de"]).unwrap_or(end);
    // "200 m2, parcela de 1000 m2"
    let is_of = |names: &[&str]| tokens.any(after, names).filter(|_| !tokens.is_after_comma(after));
    if is_of(OUTSIDE).is_some() {
        return Some(as_typed(end));
    }
    let (plot, end) = match is_of(PLOT) {
        Some(end) => (true, end),
        None => (plot, tokens.any(after, BUILT).unwrap_or(end)),
    };
    let (bound, end) = with_limit_after(tokens, end, bound);
    let quantity = if plot { Quantity::PlotArea } else { Quantity::BuiltArea };
    Some(Match::of_filters(end, limits(quantity, from, number.value, bound)))
}

fn price(tokens: Tokens<'_>, from: Option<f64>, number: &Number, bound: Bound) -> Option<Match> {
    let bare_limit = !number.money
        && number.factor < 2.0
        && !matches!(bound, Bound::Bare | Bound::Exactly)
        && IN_THOUSANDS.contains(&number.value);
    let factor = if bare_limit { 1000.0 } else { 1.0 };
    let value = number.value * factor;
    // No home is free: a limit of zero would find nothing.
    if !(number.money || value >= PLAIN_PRICE) || !(1.0..=MAX_EUROS).contains(&value) {
        return None;
    }
    let (bound, end) = with_limit_after(tokens, number.end, bound);
    if bound == Bound::Bare && is_postcode(tokens, number) {
        return None;
    }
    // A plain price is the maximum that the visitor would pay.
    let bound = if matches!(bound, Bound::Bare | Bound::Exactly) { Bound::Below } else { bound };
    let from = from.map(|from| from * factor);
    let limits = limits(Quantity::Price, from, value, bound);
    Some(Match { pounds: number.pounds, ..Match::of_filters(end, limits) })
}

/// Returns whether the number is written like a local postcode, and not like a price: `29780`.
fn is_postcode(tokens: Tokens<'_>, number: &Number) -> bool {
    let last = &tokens.0[number.end - 1];
    !number.money
        && last.end - last.start == 5
        && last.word.bytes().all(|sign| sign.is_ascii_digit())
        && POSTCODES.iter().any(|begin| last.word.starts_with(begin))
        && !last.word.ends_with("00")
}

fn limits(quantity: Quantity, from: Option<f64>, value: f64, bound: Bound) -> Vec<FilterValue> {
    let min = |min| FilterValue::Min(quantity, whole(min));
    let max = |max| FilterValue::Max(quantity, whole(max));
    match (bound, from) {
        (Bound::Between, Some(from)) => vec![min(from.min(value)), max(from.max(value))],
        (Bound::Below | Bound::LessThan, _) => vec![max(value)],
        (Bound::Around, _) => vec![min(value * 0.9), max(value * 1.1)],
        _ => vec![min(value)],
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a larger number becomes the largest")]
fn whole(value: f64) -> i64 {
    value.round_ties_even() as i64
}

fn is_price(found: &Match) -> bool {
    found.limits(Quantity::Price)
}

#[cfg(test)]
mod tests {
    use crate::understand::tests::check;

    #[test]
    fn the_size_of_a_terrace_is_not_that_of_the_home() {
        check(&[
            ("terraza de 20 a 40 m²", "features=terrace&q=\"20 a 40 m²\""),
            ("terrace of 20 to 40 m2", "features=terrace&q=\"20 to 40 m2\""),
            ("terraza de entre 20 y 40 m2", "features=terrace&q=\"entre 20 y 40 m2\""),
            (
                "piso de 80 a 100 m2 con terraza de 20 a 40 m2",
                "propertyType=Apartment&minBuilt=80&maxBuilt=100&features=terrace&q=\"20 a 40 m2\"",
            ),
            ("parcela de 500 a 1.000 m2", "minPlot=500&maxPlot=1000"),
            ("villa 200 m2, parcela de 1000 m2", "kind=villa&minBuilt=200&minPlot=1000"),
            ("piso 120 m2, terraza", "propertyType=Apartment&minBuilt=120&features=terrace"),
            ("1000 sq.m. plot", "minPlot=1000"),
            ("1000 m2 (plot)", "minPlot=1000"),
            ("1000 m2 - plot", "minPlot=1000"),
            (
                "piso con terraza, de 80 a 100 m2",
                "propertyType=Apartment&features=terrace&minBuilt=80&maxBuilt=100",
            ),
        ]);
    }

    #[test]
    fn a_garage_has_a_size_of_its_own_beside_a_home() {
        check(&[
            ("villa con garaje de 20 a 40 m2", "kind=villa&features=garage&q=\"20 a 40 m2\""),
            ("villa, garage of 20 to 40 m2", "kind=villa&features=garage&q=\"20 to 40 m2\""),
            ("villa with a garage of 20 m2", "kind=villa&features=garage&q=\"20 m2\""),
            (
                "villa con garaje, de 80 a 100 m2",
                "kind=villa&features=garage&minBuilt=80&maxBuilt=100",
            ),
            // Here the garage itself is searched for.
            ("garaje de 20 a 40 m2", "kind=garage&minBuilt=20&maxBuilt=40"),
        ]);
    }
}
