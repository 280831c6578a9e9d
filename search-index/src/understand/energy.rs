//! Energy ratings: `energy rating A`, `A or B rated`, `certificado energético B o mejor`.

use contracts::content::EnergyRating;

use super::{FilterValue, Match, tokens::Tokens};

/// The letters, best first.
const LETTERS: [(&str, EnergyRating); 7] = [
    ("a", EnergyRating::A),
    ("b", EnergyRating::B),
    ("c", EnergyRating::C),
    ("d", EnergyRating::D),
    ("e", EnergyRating::E),
    ("f", EnergyRating::F),
    ("g", EnergyRating::G),
];
const BEFORE: &[&str] = &[
    "energy",
    "energia",
    "rated",
    "rating",
    "energy rating",
    "energy class",
    "energy label",
    "energy certificate",
    "energy efficiency",
    "energy efficiency rating",
    "energy rated",
    "epc",
    "epc rating",
    "clase energetica",
    "clase",
    "certificado energetico",
    "certificado",
    "calificacion energetica",
    "calificacion",
    "eficiencia energetica",
    "etiqueta energetica",
    "etiqueta",
    "certificacion energetica",
    "letra energetica",
];
/// Words that may be between them and the letter.
const BETWEEN: &[&str] = &["of", "de", "de la", "de clase", "letra", "de letra", "de la letra"];
const AFTER: &[&str] = &["rated", "rated energy", "rating", "energy rating"];
const OR: &[&str] = &["or", "o", "u"];
const AND: &[&str] = &["and", "y"];
const TO: &[&str] = &["to", "a", "a la", "hasta", "hasta la"];
const OR_BETTER: &[&str] = &[
    "or better",
    "or above",
    "or higher",
    "and above",
    "o mejor",
    "o superior",
    "o mas",
    "or more",
];

/// Returns the requested ratings at `at`.
pub(super) fn energy(tokens: Tokens<'_>, at: usize) -> Option<Match> {
    let before = tokens.any(at, BEFORE);
    let start = before.map_or(at, |end| tokens.any(end, BETWEEN).unwrap_or(end));
    let (mut asked, end) = letters(tokens, start)?;
    let rated = tokens.any(end, AFTER).or_else(|| {
        before.and_then(|_| tokens.any(end, &["energy", "for energy", "energy certificate"]))
    });
    if before.is_none() && rated.is_none() {
        return None;
    }
    let end = rated.unwrap_or(end);
    let better = tokens.any(end, OR_BETTER);
    if better.is_some() {
        asked = (0..=asked.into_iter().max()?).collect();
    }
    asked.sort_unstable();
    asked.dedup();
    let filters = asked.into_iter().map(|letter| FilterValue::Energy(LETTERS[letter].1));
    Some(Match::of_filters(better.unwrap_or(end), filters))
}

/// Returns the rating letters at `at`, as positions in [`LETTERS`], and the end of the list.
fn letters(tokens: Tokens<'_>, at: usize) -> Option<(Vec<usize>, usize)> {
    let letter =
        |at: usize| LETTERS.iter().position(|(letter, _)| tokens.word(at) == Some(*letter));
    let first = letter(at)?;
    let mut end = at + 1;
    if let Some(after) = tokens.any(end, TO)
        && let Some(last) = letter(after).filter(|last| *last > first)
    {
        return Some(((first..=last).collect(), after + 1));
    }
    let mut all = vec![first];
    loop {
        // "B and a garage" does not ask for A, and "B e" does not ask for E.
        let is_word_as_well = |letter: &usize| matches!(LETTERS[*letter].0, "a" | "e");
        let either = tokens.any(end, OR);
        let after = either.or_else(|| tokens.any(end, AND)).unwrap_or(end);
        let next = letter(after).filter(|next| either.is_some() || !is_word_as_well(next));
        let Some(next) = next else { return Some((all, end)) };
        all.push(next);
        end = after + 1;
    }
}
