//! What says that a reference follows: `Ref. AH-1042`, `referencia 1042`.

use super::tokens::{TokenKind, Tokens, tokens};

/// Words that lead to a reference.
const LEADING: &[&str] = &[
    "ref",
    "ref n",
    "ref no",
    "ref nº",
    "reference",
    "reference no",
    "reference number",
    "referencia",
    "referencia n",
    "referencia nº",
    "numero de referencia",
];

/// Where the reference that is led to at `at` begins, and where it ends: no figure in it is a price. One that
/// is left alone anyway, or that has no figure, ends where it begins.
pub(super) fn led_to(text: &str, tokens: Tokens<'_>, at: usize) -> Option<(usize, usize)> {
    let begin = tokens.any(at, LEADING)?;
    let is_one_with = |left: usize, right: usize| {
        !text[tokens.0[left].end..tokens.0[right].start].contains(char::is_whitespace)
    };
    let stands = |at: usize| {
        tokens.kind(at).is_some_and(|kind| kind != TokenKind::Opaque)
            && (at == begin || is_one_with(at - 1, at))
    };
    let end = (begin..=tokens.0.len()).find(|at| !stands(*at))?;
    let has_figure = (begin..end).any(|at| tokens.kind(at) == Some(TokenKind::Number));
    Some((begin, if has_figure { end } else { begin }))
}

/// `text` without the words before it that lead to a reference.
pub fn typed_reference(text: &str) -> &str {
    let all = tokens(text);
    let begin = Tokens(&all).any(0, LEADING).unwrap_or(0);
    all.get(begin).map_or(text, |first| &text[first.start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_to_a_reference_is_no_part_of_it() {
        for (text, reference) in [
            ("Ref. AH-1042", "AH-1042"),
            ("REF:R4567890", "R4567890"),
            ("Referencia nº 1042", "1042"),
            ("AH-1042", "AH-1042"),
            ("referee 1042", "referee 1042"),
            ("ref", "ref"),
            ("", ""),
        ] {
            assert_eq!(typed_reference(text), reference, "{text}");
        }
    }
}
