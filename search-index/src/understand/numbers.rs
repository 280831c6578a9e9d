//! Numbers as people write them, with multipliers and currencies.

use super::tokens::{TokenKind, Tokens};

pub(super) const EUROS: &[&str] = &["€", "euro", "euros", "eur"];
pub(super) const POUNDS: &[&str] = &[
    "£",
    "pound",
    "pounds",
    "gbp",
    "pound sterling",
    "pounds sterling",
    "sterling",
    "libra",
    "libras",
    "libras esterlinas",
];
const MILLION: &[&str] = &["m", "million", "millions", "mil millones", "millon", "millones", "mio"];
pub(super) const THOUSAND: &[&str] = &["k", "mil", "thousand"];
const NUMBERS: [&str; 10] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const NUMEROS: [&str; 10] =
    ["un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"];

/// A number, with its multiplier and currency.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub value: f64,
    /// Whether it has a multiplier or a currency.
    pub money: bool,
    /// Whether it is in pounds rather than euros.
    pub pounds: bool,
    /// The multiplier.
    pub factor: f64,
    pub end: usize,
}

/// Returns the number at `at`, with its multiplier and the currency on either side of it.
pub(super) fn number(tokens: Tokens<'_>, at: usize) -> Option<Number> {
    let sign = currency(tokens, at);
    let at = sign.map_or(at, |(end, _)| end);
    let plain = in_words(tokens, at).or_else(|| in_digits(tokens, at))?;
    let after = tokens.any(plain.end, &["de"]).unwrap_or(plain.end);
    let behind = currency(tokens, plain.end).or_else(|| currency(tokens, after));
    let currency = behind.or(sign);
    Some(Number {
        money: plain.money || currency.is_some(),
        pounds: currency.is_some_and(|(_, pounds)| pounds),
        end: behind.map_or(plain.end, |(end, _)| end),
        ..plain
    })
}

/// Converts pounds to euros at the rate `pounds_per_euro`. Amounts from ten thousand euros are rounded to
/// thousands, which is precise enough for a search.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "prices have a limit far below"
)]
pub(super) fn in_euros(pounds: i64, pounds_per_euro: f64) -> i64 {
    let euros = pounds as f64 / pounds_per_euro;
    let step = if euros < 10_000.0 { 1.0 } else { 1_000.0 };
    ((euros / step).round() * step) as i64
}

/// Returns the end of the currency at `at`, and whether it is pounds.
fn currency(tokens: Tokens<'_>, at: usize) -> Option<(usize, bool)> {
    let euros = tokens.any(at, EUROS).map(|end| (end, false));
    euros.or_else(|| tokens.any(at, POUNDS).map(|end| (end, true)))
}

fn in_words(tokens: Tokens<'_>, at: usize) -> Option<Number> {
    const WORDS: [(&str, f64); 7] = [
        ("medio millon", 5e5),
        ("half a million", 5e5),
        ("half million", 5e5),
        ("un millon y medio", 15e5),
        ("millon y medio", 15e5),
        ("a million", 1e6),
        ("un millon", 1e6),
    ];
    WORDS.into_iter().find_map(|(phrase, value)| {
        let end = tokens.phrase(at, phrase)?;
        Some(Number { value, money: true, pounds: false, factor: 1e6, end })
    })
}

fn in_digits(tokens: Tokens<'_>, at: usize) -> Option<Number> {
    let (digits, spelt) = match tokens.kind(at)? {
        TokenKind::Number => (Some(&*tokens.0[at].word), None),
        _ => (None, Some(spelt_number(tokens.word(at)?)?)),
    };
    let millions = tokens.any(at + 1, MILLION).filter(|end| {
        // "120 m" may also be metres.
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
    Some(Number { value: value * factor, money: factor > 1.0, pounds: false, factor, end })
}

fn spelt_number(word: &str) -> Option<f64> {
    let place = |names: &[&str]| names.iter().position(|name| *name == word);
    let place =
        place(&NUMBERS).or_else(|| place(&NUMEROS)).or_else(|| (word == "una").then_some(0));
    Some(f64::from(u32::try_from(place?).ok()?) + 1.0)
}

/// Parses `400.000`, `400,000`, `0.4` or `1,2`. Points and commas before three digits separate thousands. In
/// a multiplied number, a single one is the decimal separator.
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
