//! Splits a typed text into words, numbers and opaque parts.

use super::{
    numbers::{EUROS, POUNDS, THOUSAND},
    quantity_words::{METRES, PLOT},
};
use crate::spelling::fold;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Letters, or a sign with a meaning: `€`, `£`, `+`, `<`, `>`.
    Word,
    /// Digits, possibly with points, commas or spaces between them.
    Number,
    /// A dash between two numbers, or its equivalent: `2/3`, `2 & 3`.
    Dash,
    /// A reference or a phrase in quotes: it is only searched as typed.
    Opaque,
}

/// A token and its position in the text, in bytes.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub start: usize,
    pub end: usize,
    pub kind: TokenKind,
    /// Its letters, folded; for a number its digits, points and commas.
    pub word: String,
    /// Whether a comma, a semicolon or the end of a line precedes it.
    pub after_comma: bool,
}

/// Returns the tokens of `text`.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut after_comma = false;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if first == '"' {
            let closing = rest[1..].find('"');
            (closing.map(|_| TokenKind::Opaque), closing.map_or(1, |inner| inner + 2))
        } else if first.is_ascii_digit() {
            (Some(TokenKind::Number), number_length(rest, Amount::from_context(&tokens)))
        } else if first.is_alphabetic() {
            reference_length(rest)
                .filter(|_| at == 0 || !text[..at].ends_with(char::is_alphanumeric))
                .map_or((Some(TokenKind::Word), word_length(rest)), |length| {
                    (Some(TokenKind::Opaque), length)
                })
        } else {
            let kind = match first {
                '€' | '£' | '+' | '<' | '>' => Some(TokenKind::Word),
                '-' | '–' | '/' | '&' => Some(TokenKind::Dash),
                _ => None,
            };
            (kind, first.len_utf8())
        };
        if let Some(kind) = kind {
            let mut word = fold(&rest[..length]);
            if kind == TokenKind::Number {
                word.retain(|sign| sign != ' ');
            }
            tokens.push(Token { start: at, end: at + length, kind, word, after_comma });
        }
        after_comma = matches!(first, ',' | ';' | '\n') || (kind.is_none() && after_comma);
        at += length;
    }
    without_hyphens(tokens)
}

/// Removes all dashes except for those between numbers.
fn without_hyphens(tokens: Vec<Token>) -> Vec<Token> {
    let number = |token: Option<&Token>| token.is_some_and(|token| token.kind == TokenKind::Number);
    let amount = |token: Option<&Token>| {
        number(token)
            || token.is_some_and(|token| matches!(&*token.word, "k" | "m" | "mil" | "€" | "£"))
    };
    let kept: Vec<bool> = (0..tokens.len())
        .map(|at| {
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            let after = tokens.get(at + 1);
            tokens[at].kind != TokenKind::Dash
                || (amount(before)
                    && (number(after)
                        || after.is_some_and(|token| matches!(&*token.word, "€" | "£"))))
        })
        .collect();
    tokens.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(token, _)| token).collect()
}

/// What a number measures, according to the words before it.
#[derive(Clone, Copy, PartialEq)]
enum Amount {
    Money,
    /// A plot was mentioned since the last number, so this is its size.
    Plot,
    Unknown,
}

impl Amount {
    fn from_context(before: &[Token]) -> Self {
        let mut words = before.iter().rev().take_while(|token| token.kind == TokenKind::Word);
        match before.last() {
            Some(last) if matches!(&*last.word, "€" | "£") => Self::Money,
            _ if words.any(|token| PLOT.contains(&&*token.word)) => Self::Plot,
            _ => Self::Unknown,
        }
    }
}

/// Returns the length in bytes of the number at the start of `text`, which measures `amount`.
fn number_length(text: &str, amount: Amount) -> usize {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let length = (1..text.len())
        .find(|at| !(digit(*at) || (matches!(bytes.get(*at), Some(b'.' | b',')) && digit(at + 1))))
        .unwrap_or(text.len());
    let first = &text[..length];
    if length > 3 || first.starts_with('0') || first.contains(['.', ',']) {
        return length;
    }
    with_spaced_thousands(text, length, amount)
}

/// Extends `length` by the following groups of a space and three digits: `300 000`.
///
/// No group is added if the last one is followed by "thousand": `3 300k` is bedrooms and a price. A single
/// group after one or two digits is added only if the context requires it: `2 120 m2` is bedrooms and a size.
fn with_spaced_thousands(text: &str, length: usize, amount: Amount) -> usize {
    let is_group = |group: &&[u8]| {
        let [space, digits @ ..] = group else { return false };
        *space == b' ' && digits.len() == 3 && digits.iter().all(u8::is_ascii_digit)
    };
    let groups = text.as_bytes()[length..].chunks(4).take_while(is_group).count();
    let end = length + 4 * groups;
    let after = &text[end..];
    let digit = |sign: char| sign.is_ascii_digit();
    let goes_on = after.strip_prefix(['.', ',']).unwrap_or(after).starts_with(digit);
    let unit = after.trim_start();
    let word = fold(unit.split(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default());
    let is_any = |words: &[&str]| words.contains(&&*word);
    let is_money =
        amount == Amount::Money || unit.starts_with(['€', '£']) || is_any(EUROS) || is_any(POUNDS);
    let are_metres =
        square_metres_length(unit).is_some() || is_any(METRES) || is_any(&["sqm", "sq", "square"]);
    // A group with a leading zero is not a separate number.
    let goes_with_it = text[length..].starts_with(" 0");
    let is_one = groups > 1
        || length == 3
        || goes_with_it
        || is_money
        || (amount == Amount::Plot && are_metres);
    if is_one && !goes_on && !is_any(THOUSAND) { end } else { length }
}

/// Returns the length in bytes of the word at the start of `text`. The digit of "m2" belongs to the word.
fn word_length(text: &str) -> usize {
    let combining = |letter: char| matches!(letter, '\u{300}'..='\u{36f}');
    square_metres_length(text)
        .or_else(|| text.find(|letter: char| !letter.is_alphabetic() && !combining(letter)))
        .unwrap_or(text.len())
}

/// Returns the length in bytes of the sign for square metres at the start of `text`.
fn square_metres_length(text: &str) -> Option<usize> {
    let is_whole = |unit: &&&str| {
        text.strip_prefix(**unit).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    ["m2", "M2", "m²", "M²", "mt2", "mts2"].iter().find(is_whole).map(|unit| unit.len())
}

/// Returns the length in bytes of the reference at the start of `text`: two or three letters and three to
/// five digits, such as `AH-1042`, `ah 1042` or `ah1042`.
pub(super) fn reference_length(text: &str) -> Option<usize> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let between = match &text.as_bytes()[letters..] {
        [b'-', ..] => 1,
        [b' ', ..] if text[..letters].eq_ignore_ascii_case("ah") => 1,
        _ => 0,
    };
    let begins = letters + between;
    let digits = text[begins..].bytes().take_while(u8::is_ascii_digit).count();
    let after = text[begins + digits..].chars().next();
    let whole = !after.is_some_and(|letter| letter.is_alphanumeric() || letter == '²');
    let is_word = ["max", "min", "eur", "gbp", "ref"]
        .iter()
        .any(|word| text[..letters].eq_ignore_ascii_case(word));
    ((2..=3).contains(&letters) && (3..=5).contains(&digits) && whole && !is_word)
        .then_some(begins + digits)
}

/// The tokens of a text, with lookups by position.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'a>(pub &'a [Token]);

impl<'a> Tokens<'a> {
    pub fn kind(self, at: usize) -> Option<TokenKind> {
        self.0.get(at).map(|token| token.kind)
    }

    /// Returns the word at `at`, if the token is one.
    pub fn word(self, at: usize) -> Option<&'a str> {
        self.0.get(at).filter(|token| token.kind == TokenKind::Word).map(|token| &*token.word)
    }

    /// Returns whether a comma precedes the token at `at`, so that it starts something else. A unit's point, a
    /// bracket or a dash does not count: `1000 sq.m. plot`, `1000 m2 (plot)`.
    pub fn is_after_comma(self, at: usize) -> bool {
        self.0.get(at).is_some_and(|token| token.after_comma)
    }

    /// Returns whether a comma or another separator precedes the token at `at`.
    pub fn is_separated(self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.0.get(before));
        let after = self.0.get(at);
        before.zip(after).is_some_and(|(before, after)| after.start > before.end + 1)
    }

    /// Returns the end of `phrase`, if it is at `at`.
    pub fn phrase(self, at: usize, phrase: &str) -> Option<usize> {
        let mut at = at;
        for word in phrase.split(' ') {
            if self.word(at)? != word {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// Returns the end of the longest of `phrases` at `at`.
    pub fn any(self, at: usize, phrases: &[&str]) -> Option<usize> {
        phrases.iter().filter_map(|phrase| self.phrase(at, phrase)).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(TokenKind, String)> {
        tokens(text).into_iter().map(|token| (token.kind, token.word)).collect()
    }

    #[test]
    fn numbers_are_separated_from_units_and_hyphens_are_removed() {
        let words = |text| seen(text).into_iter().map(|(_, word)| word).collect::<Vec<_>>();
        assert_eq!(
            words("3-bed €400k, 120m² sea-view"),
            ["3", "bed", "€", "400", "k", "120", "m2", "sea", "view"]
        );
        assert_eq!(words("200-400k"), ["200", "-", "400", "k"]);
        assert_eq!(words("2/3 bed & 1 bath"), ["2", "/", "3", "bed", "1", "bath"]);
        assert_eq!(words("1.250.000 0,4m"), ["1.250.000", "0,4", "m"]);
    }

    #[test]
    fn thousands_may_be_separated_by_spaces() {
        let words = |text| seen(text).into_iter().map(|(_, word)| word).collect::<Vec<_>>();
        assert_eq!(words("300 000€"), ["300000", "€"]);
        assert_eq!(words("1 250 000 3"), ["1250000", "3"]);
        assert_eq!(words("3 250000"), ["3", "250000"]);
        assert_eq!(words("3 250.000"), ["3", "250.000"]);
        assert_eq!(words("300 250,000"), ["300", "250,000"]);
        assert_eq!(words("3 400-500k"), ["3", "400", "-", "500", "k"]);
        assert_eq!(words("2 120 m2"), ["2", "120", "m2"]);
        assert_eq!(words("plot of 2 120 m2"), ["plot", "of", "2120", "m2"]);
        assert_eq!(words("3 200 euros"), ["3200", "euros"]);
        assert_eq!(words("1200 300"), ["1200", "300"]);
        assert_eq!(words("3 300k"), ["3", "300", "k"]);
        assert_eq!(words("3 300 mil"), ["3", "300", "mil"]);
    }

    #[test]
    fn references_and_quotes_are_opaque() {
        for text in ["AH-1042", "ah1042", "ah 1042", "\"3 bed villa\""] {
            assert_eq!(seen(text).len(), 1, "{text}");
            assert_eq!(seen(text)[0].0, TokenKind::Opaque, "{text}");
        }
        for text in ["max400", "ref1042"] {
            assert_eq!(seen(text).len(), 2, "{text}");
        }
    }
}
