//! Splits a search text into plain words, quoted phrases and references.

use super::tokens::{TokenKind, tokens};

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Words that are searched individually.
    Plain(&'a str),
    /// Words that were in quotation marks.
    Quoted(&'a str),
    /// A reference.
    Reference(&'a str),
}

impl<'a> Piece<'a> {
    /// Returns the pieces of `text` in order.
    pub fn of(text: &'a str) -> Vec<Self> {
        let mut pieces = Vec::new();
        let mut at = 0;
        for token in tokens(text).into_iter().filter(|token| token.kind == TokenKind::Opaque) {
            pieces.push(Self::Plain(&text[at..token.start]));
            let typed = &text[token.start..token.end];
            pieces.push(if typed.starts_with('"') {
                Self::Quoted(typed.trim_matches('"'))
            } else {
                Self::Reference(typed)
            });
            at = token.end;
        }
        pieces.push(Self::Plain(&text[at..]));
        pieces.retain(|piece| !matches!(piece, Self::Plain(words) if words.trim().is_empty()));
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_references_are_pieces_of_their_own() {
        assert_eq!(
            Piece::of("near \"la torrecilla\", ah1042 \"open"),
            [
                Piece::Plain("near "),
                Piece::Quoted("la torrecilla"),
                Piece::Plain(", "),
                Piece::Reference("ah1042"),
                Piece::Plain(" \"open"),
            ]
        );
    }
}
