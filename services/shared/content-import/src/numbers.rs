//! Parses numbers as people and programs write them.

use serde_json::{Value, json};

/// Parses a number with the decimal separator `decimal`, such as `1.250.000,50 €`. A separator of thousands
/// must be followed by three digits, and preceded by at most three.
pub fn number(text: &str, decimal: char) -> Option<f64> {
    let bare: String = text
        .trim()
        .trim_end_matches("EUR")
        .chars()
        .filter(|char| !char.is_whitespace() && !matches!(char, '€' | '\'' | '’'))
        .collect();
    let bare = bare.trim_end_matches("m²").trim_end_matches("m2");
    let thousands = if decimal == ',' { '.' } else { ',' };
    let (whole, rest) = match bare.split_once(decimal) {
        Some((whole, rest)) => (whole, Some(rest)),
        None => (bare, None),
    };
    let groups: Vec<&str> = whole.split(thousands).collect();
    if let [first, rest @ ..] = &groups[..]
        && !rest.is_empty()
        && (first.trim_start_matches('-').len() > 3 || rest.iter().any(|group| group.len() != 3))
    {
        return None;
    }
    let whole = groups.concat();
    let digits = whole.strip_prefix('-').unwrap_or(&whole);
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if digits.is_empty() || !are_digits(digits) || !rest.is_none_or(are_digits) {
        return None;
    }
    format!("{whole}.{}", rest.unwrap_or("0"))
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
}

/// Parses a number and rounds it. Since a whole number has no thousandths, `decimal` separates thousands
/// if it is always followed by three digits, as in `249.500`.
pub fn whole(text: &str, decimal: char) -> Option<i64> {
    let other = if decimal == ',' { '.' } else { ',' };
    let are_three = |rest: &str| rest.bytes().take_while(u8::is_ascii_digit).count() == 3;
    let is_thousands = text.contains(decimal) && text.split(decimal).skip(1).all(are_three);
    let grouped = if is_thousands { number(text, other) } else { None };
    let nearest = grouped.or_else(|| number(text, decimal))?.round();
    // No field allows larger numbers: the rules refuse them.
    #[expect(clippy::cast_possible_truncation, reason = "it is within the range of the type")]
    (nearest.abs() < 9e15).then_some(nearest as i64)
}

/// Parses a price in euros. Returns null for a price on request, which is written as nothing, 0, `x` or
/// `POA`.
pub fn price(text: &str, decimal: char) -> Option<Value> {
    if matches!(text.trim().to_lowercase().as_str(), "" | "x" | "poa") {
        return Some(Value::Null);
    }
    whole(text, decimal).map(|euros| json!(Some(euros).filter(|euros| *euros != 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_the_notations_that_people_use() {
        for (text, decimal, expected) in [
            ("250000", '.', Some(250_000.0)),
            ("250,000", '.', Some(250_000.0)),
            ("1.250.000,50 €", ',', Some(1_250_000.5)),
            ("36,7490", ',', Some(36.749)),
            ("-3.87", '.', Some(-3.87)),
            ("120 m²", '.', Some(120.0)),
            ("12,5", '.', None),
            ("2495,000", '.', None),
            ("1.2.3", '.', None),
            ("x", '.', None),
            ("", '.', None),
            ("-", '.', None),
            ("1e9", '.', None),
        ] {
            assert_eq!(number(text, decimal), expected, "{text}");
        }
    }

    #[test]
    fn three_digits_after_a_separator_of_a_whole_number_are_thousands() {
        for (text, decimal, expected) in [
            ("249.500", '.', Some(249_500)),
            ("249,500", ',', Some(249_500)),
            ("249,500", '.', Some(249_500)),
            ("1.250.000,00 €", '.', Some(1_250_000)),
            ("1,250,000.00", '.', Some(1_250_000)),
            ("2.500 m²", '.', Some(2_500)),
            ("85.5", '.', Some(86)),
            ("98,25", ',', Some(98)),
            // More than three digits before a separator: it separates no thousands.
            ("249500.000", '.', Some(249_500)),
            ("1.250.00", '.', None),
            ("99999999999999999999", '.', None),
        ] {
            assert_eq!(whole(text, decimal), expected, "{text}");
        }
    }

    #[test]
    fn a_price_is_in_euros_or_on_request() {
        for (text, expected) in [
            ("249.500", Some(json!(249_500))),
            ("0", Some(json!(null))),
            ("", Some(json!(null))),
            ("X", Some(json!(null))),
            ("POA ", Some(json!(null))),
            ("mucho", None),
        ] {
            assert_eq!(price(text, '.'), expected, "{text}");
        }
    }
}
