//! Compares words without accents, tolerating one typo.

/// The minimum length of a word in which a typo is tolerated. In a shorter word, a typo often makes another
/// word.
pub(crate) const MIN_TYPO_LENGTH: usize = 5;

/// Returns `text` in lower case without accents.
pub fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).filter_map(unaccented).collect()
}

/// Returns a lower-case letter without its accent; `None` for a combining accent.
fn unaccented(letter: char) -> Option<char> {
    Some(match letter {
        '\u{300}'..='\u{36f}' => return None,
        'à'..='å' => 'a',
        'ç' => 'c',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ñ' => 'n',
        'ò'..='ö' => 'o',
        'ù'..='ü' => 'u',
        'ý' | 'ÿ' => 'y',
        '²' => '2',
        other => other,
    })
}

/// Returns whether two words differ by exactly one typo: a letter inserted, deleted or replaced, or two
/// adjacent letters swapped.
pub(crate) fn is_one_typo(left: &str, right: &str) -> bool {
    let same = |(a, b): &(char, char)| a == b;
    let bytes = |(letter, _): (char, char)| letter.len_utf8();
    let before: usize = left.chars().zip(right.chars()).take_while(same).map(bytes).sum();
    let (left, right) = (&left[before..], &right[before..]);
    let ends = left.chars().rev().zip(right.chars().rev());
    let after: usize = ends.take_while(same).map(bytes).sum();
    let letters = |word: &str| {
        let mut letters = word[..word.len() - after].chars();
        [letters.next(), letters.next(), letters.next()]
    };
    match (letters(left), letters(right)) {
        ([Some(_), None, _], [_, None, _]) | ([None, ..], [Some(_), None, _]) => true,
        ([Some(a), Some(b), None], [Some(c), Some(d), None]) => (a, b) == (d, c),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn accents_are_ignored() {
        assert_eq!(fold("CÓMPETA Peñoncillo m²"), "competa penoncillo m2");
        assert_eq!(fold("Co\u{301}mpeta"), "competa");
    }

    #[test]
    fn a_typo_is_one_letter_or_two_swapped_neighbours() {
        for typed in ["neja", "nerjaa", "nerga", "nreja", "enrja", "xnerja"] {
            assert!(is_one_typo(typed, "nerja"), "{typed}");
        }
        for typed in ["nerja", "nja", "njera", "maro", ""] {
            assert!(!is_one_typo(typed, "nerja"), "{typed}");
        }
    }

    /// Returns all words that differ from `word` by one typo with the letters of `alphabet`.
    fn typos(word: &[char], alphabet: &[char]) -> Vec<String> {
        let mut all = Vec::new();
        for at in 0..=word.len() {
            let (head, tail) = word.split_at(at);
            let mut add = |middle: &[char], tail: &[char]| {
                all.push([head, middle, tail].concat().into_iter().collect());
            };
            for letter in alphabet {
                add(&[*letter], tail);
                if let [_, tail @ ..] = tail {
                    add(&[*letter], tail);
                }
            }
            match tail {
                [a, b, rest @ ..] => {
                    add(&[], &tail[1..]);
                    add(&[*b, *a], rest);
                }
                [_] => add(&[], &[]),
                [] => {}
            }
        }
        all
    }

    proptest! {
        #[test]
        fn a_typo_is_a_single_edit(left in "[abc]{0,6}", right in "[abc]{0,6}") {
            let letters: Vec<char> = left.chars().collect();
            let is_typo = typos(&letters, &['a', 'b', 'c']).contains(&right);
            prop_assert_eq!(is_one_typo(&left, &right), is_typo && left != right);
        }
    }
}
