//! References that are announced by a word: `Ref. AH-1042`, `referencia 1042`.

use super::tokens::{TokenKind, Tokens, tokens};

/// Words that announce a reference.
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

/// Returns the start and end of the reference that is announced by words at `at`, so that no number in it is
/// taken for a price. They are equal if the reference has no number, or is an opaque token, which is never
/// parsed anyway.
pub(super) fn announced(text: &str, tokens: Tokens<'_>, at: usize) -> Option<(usize, usize)> {
    let begin = tokens.any(at, LEADING)?;
    let is_joined = |left: usize, right: usize| {
        !text[tokens.0[left].end..tokens.0[right].start].contains(char::is_whitespace)
    };
    let belongs = |at: usize| {
        tokens.kind(at).is_some_and(|kind| kind != TokenKind::Opaque)
            && (at == begin || is_joined(at - 1, at))
    };
    let end = (begin..=tokens.0.len()).find(|at| !belongs(*at))?;
    let has_figure = (begin..end).any(|at| tokens.kind(at) == Some(TokenKind::Number));
    Some((begin, if has_figure { end } else { begin }))
}

/// Returns `text` without leading words that announce a reference.
pub fn typed_reference(text: &str) -> &str {
    let all = tokens(text);
    let begin = Tokens(&all).any(0, LEADING).unwrap_or(0);
    all.get(begin).map_or(text, |first| &text[first.start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_announce_a_reference_are_removed() {
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
