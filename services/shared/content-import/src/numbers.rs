//! Numbers as people and programs write them.

/// The number that `text` is, with `decimal` between its whole part and the rest: `1.250.000,50 €`.
/// A separator of thousands stands before three digits, or it is none.
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
    if groups.iter().skip(1).any(|group| group.len() != 3) {
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

/// The whole number nearest to what `text` is.
pub fn whole(text: &str, decimal: char) -> Option<i64> {
    let nearest = number(text, decimal)?.round();
    // What is larger is in no field, and a rule says so.
    #[expect(clippy::cast_possible_truncation, reason = "it is within the range of the type")]
    (nearest.abs() < 9e15).then_some(nearest as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_a_number() {
        for (text, decimal, expected) in [
            ("250000", '.', Some(250_000.0)),
            ("250,000", '.', Some(250_000.0)),
            ("1.250.000,50 €", ',', Some(1_250_000.5)),
            ("36,7490", ',', Some(36.749)),
            ("-3.87", '.', Some(-3.87)),
            ("120 m²", '.', Some(120.0)),
            ("12,5", '.', None),
            ("1.2.3", '.', None),
            ("x", '.', None),
            ("", '.', None),
            ("-", '.', None),
            ("1e9", '.', None),
        ] {
            assert_eq!(number(text, decimal), expected, "{text}");
        }
        assert_eq!(whole("85.5", '.'), Some(86));
        assert_eq!(whole("99999999999999999999", '.'), None);
    }
}
