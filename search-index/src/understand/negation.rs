//! Exclusions: `without pool`, `sin piscina ni jardín`, `not in Nerja`, `no apartments`.

use contracts::Locale;

use super::{
    FilterValue, Match, Meaning, Place, kinds, lexicon, may_be_part, named, part, quantities,
    quantity_words::MORE_THAN,
    tokens::{TokenKind, Tokens},
};

/// Negates all features and places after it, including those joined by `and`.
const WITHOUT: &[&str] = &["without", "without any", "sin", "but without", "pero sin"];
/// The same, except that `and` starts something that is wanted.
const HAVING_NO: &[&str] = &[
    "with no",
    "has no",
    "have no",
    "does not have",
    "doesn t have",
    "no tenga",
    "no tengan",
    "que no tenga",
    "que no tengan",
];
/// The same for everything that can be searched for.
const NOT: &[&str] = &[
    "no",
    "not",
    "not in",
    "not at",
    "but no",
    "but not",
    "but not in",
    "do not want",
    "don t want",
    "don t need",
    "no en",
    "no sea",
    "no sea en",
    "que no sea",
    "que no sea en",
    "no este en",
    "que no este en",
    "pero no",
    "pero no en",
    "no quiero",
    "no necesito",
];
/// Rules out places. Before a feature it means something else (`outside shower`).
const ELSEWHERE: &[&str] = &["outside", "outside of", "away from", "fuera de"];
/// Rules out places and kinds.
const EXCEPT: &[&str] = &[
    "except",
    "except in",
    "except for",
    "excluding",
    "other than",
    "anywhere but",
    "anywhere but in",
    "everywhere but",
    "excepto",
    "excepto en",
    "salvo",
    "salvo en",
    "menos",
    "menos en",
];
const OR: &[&str] = &["or", "nor", "o", "u", "ni", "or in", "nor in", "ni en", "o en"];
/// Words for "or" that rule something out on their own.
const NOR: &[&str] = &["nor", "ni"];
const AND: &[&str] = &["and", "y", "e", "and in", "y en"];
const ARTICLES: &[&str] =
    &["a", "an", "any", "the", "el", "la", "los", "las", "un", "una", "ningun", "ninguna"];
/// Words that end an exclusion for which there is no filter.
const ENDING: &[&str] = &["with", "con", "but", "pero"];
/// Things without a filter that visitors clearly want to exclude. Other negated words, such as "no chain" and
/// "sin comisión", also appear in descriptions of homes, so they are searched as words.
const UNWANTED: &[&str] = &[
    "stair",
    "stairs",
    "staircase",
    "steps",
    "hill",
    "hills",
    "slope",
    "slopes",
    "main road",
    "main roads",
    "busy road",
    "busy roads",
    "motorway",
    "escalera",
    "escaleras",
    "escalon",
    "escalones",
    "cuesta",
    "cuestas",
    "pendiente",
    "pendientes",
    "carretera",
    "carreteras",
    "autovia",
    "autopista",
];
/// Makes the following name irrelevant to the search.
const EITHER_WAY: &[&str] = &["with or without", "con o sin"];
/// Negated auxiliary verbs.
const CANNOT: &[&str] = &["can t", "cannot", "won t", "don t", "doesn t", "shouldn t"];
/// Words for a limit on what a buyer pays: `don't want to pay more than`.
const MORE: &[&str] = &["more than", "mas de"];
/// The maximum number of words between the negation and the limit.
const MAX_BETWEEN: usize = 4;

/// Words that negate what follows, and to what they apply.
struct LeadIn {
    phrases: &'static [&'static str],
    features: bool,
    /// Returns whether they rule out this kind or type.
    kinds: fn(&FilterValue) -> bool,
    /// Whether the negation continues after `and`.
    continues_after_and: bool,
}

static LEAD_INS: [LeadIn; 5] = [
    // A villa may be without an office, but it is not an office anyway, so no kind is ruled out.
    LeadIn { phrases: WITHOUT, features: true, kinds: is_home_alone, continues_after_and: true },
    LeadIn { phrases: HAVING_NO, features: true, kinds: is_home_alone, continues_after_and: false },
    LeadIn { phrases: NOT, features: true, kinds: |_| true, continues_after_and: false },
    LeadIn { phrases: ELSEWHERE, features: false, kinds: |_| false, continues_after_and: true },
    LeadIn { phrases: EXCEPT, features: false, kinds: |_| true, continues_after_and: true },
];

fn is_home_alone(kind_or_type: &FilterValue) -> bool {
    !may_be_part(kind_or_type)
}

impl LeadIn {
    /// Returns the lead-in at `at`, and its end.
    fn at(tokens: Tokens<'_>, at: usize) -> Option<(&'static Self, usize)> {
        LEAD_INS
            .iter()
            .filter_map(|lead| Some((lead, tokens.any(at, lead.phrases)?)))
            .max_by_key(|(_, end)| *end)
    }

    /// Returns the meanings that rule out `meaning`, if there are any.
    fn opposite(&self, meaning: &Meaning) -> Option<Vec<Meaning>> {
        Some(match meaning {
            Meaning::Filter(FilterValue::Location(slug)) => {
                vec![Meaning::Filter(FilterValue::NotLocation(slug.clone()))]
            }
            Meaning::Filter(FilterValue::Feature(feature)) | Meaning::Garage(feature)
                if self.features =>
            {
                vec![Meaning::Filter(FilterValue::WithoutFeature(feature))]
            }
            Meaning::Filter(filter @ FilterValue::Kind(kind)) if (self.kinds)(filter) => {
                vec![Meaning::NotKind(*kind)]
            }
            Meaning::Filter(filter @ FilterValue::PropertyType(one)) if (self.kinds)(filter) => {
                kinds::of_type(*one).map(Meaning::NotKind).collect()
            }
            _ => return None,
        })
    }
}

/// Returns the features, places and kinds that are ruled out at `at`.
pub(super) fn negation(
    tokens: Tokens<'_>,
    locale: Locale,
    at: usize,
    places: &[Place],
) -> Option<Match> {
    let (lead, mut end) = LeadIn::at(tokens, at)?;
    let mut meanings = Vec::new();
    let mut start = end;
    loop {
        start = tokens.any(start, ARTICLES).unwrap_or(start);
        let Some(next) = named(tokens, locale, start, places) else { break };
        let opposites: Option<Vec<_>> =
            next.meanings.iter().map(|meaning| lead.opposite(meaning)).collect();
        let Some(opposites) = opposites.filter(|opposites| !opposites.is_empty()) else { break };
        meanings.extend(opposites.into_iter().flatten());
        end = next.end;
        let joined = tokens.any(end, OR);
        let joined = joined.or_else(|| tokens.any(end, AND).filter(|_| lead.continues_after_and));
        let Some(after) = joined else { break };
        start = after;
    }
    (!meanings.is_empty()).then(|| Match::of(end, meanings))
}

/// Returns the negated limit at `at`: `not over 300k`, `don't want to pay more than 300k`, `que no cueste más
/// de 300.000`.
pub(super) fn limit(
    tokens: Tokens<'_>,
    locale: Locale,
    at: usize,
    places: &[Place],
) -> Option<Match> {
    let denied = tokens.any(at, NOT);
    let start = denied.or_else(|| tokens.any(at, CANNOT))?;
    if tokens.is_separated(start) {
        return None;
    }
    if let Some(found) = quantities::denied_limit(tokens, start) {
        return Some(found);
    }
    // In "no chain over 300k", the negation does not apply to the limit.
    let is_of_doing = denied.is_none() || tokens.word(start) == Some("to");
    let phrases = if is_of_doing { MORE_THAN } else { MORE };
    let more = (start + 1..=start + MAX_BETWEEN).find(|at| tokens.any(*at, phrases).is_some())?;
    let is_between =
        |at: usize| tokens.word(at).is_some() && part(tokens, locale, at, places).is_none();
    let is_one = (start..more).all(is_between) && (start..=more).all(|at| !tokens.is_separated(at));
    quantities::denied_limit(tokens, more).filter(|_| is_one)
}

/// Returns the end of something at `at` that is irrelevant to the search: `with or without pool`.
pub(super) fn either_way(
    tokens: Tokens<'_>,
    locale: Locale,
    at: usize,
    places: &[Place],
) -> Option<usize> {
    let start = tokens.any(at, EITHER_WAY)?;
    let start = tokens.any(start, ARTICLES).unwrap_or(start);
    named(tokens, locale, start, places).map(|next| next.end)
}

/// Returns the end of an exclusion at `at` of `text` for which there is no filter. Searching for its words
/// would find what the visitor does not want. The excluded thing is in the lexicon, in quotation marks, or
/// one of `UNWANTED`; after another exclusion, an "or" continues with anything.
pub(super) fn unfilterable(
    text: &str,
    tokens: Tokens<'_>,
    locale: Locale,
    at: usize,
    places: &[Place],
    is_after_another: bool,
) -> Option<usize> {
    let known = |at| part(tokens, locale, at, places);
    let ends = |at: usize| {
        at == tokens.0.len()
            || text[tokens.0[at - 1].end..tokens.0[at].start]
                .contains([',', ';', '.', '!', '?', '('])
    };
    let lead = LeadIn::at(tokens, at).filter(|(lead, _)| lead.features);
    let joined = tokens.any(at, if is_after_another { OR } else { NOR });
    let mut start = lead.map(|(_, end)| end).or(joined)?;
    loop {
        if ends(start) {
            return None;
        }
        if let Some(next) = known(start) {
            return lead.map(|_| next.end);
        }
        let passed = tokens.any(start, ARTICLES);
        let Some(after) = passed.or_else(|| lexicon::filler(tokens, start)) else { break };
        start = after;
    }
    let goes_on = lead.is_none_or(|(lead, _)| lead.continues_after_and);
    let mut end = start + 1;
    while !ends(end)
        && tokens.kind(end) != Some(TokenKind::Opaque)
        && tokens.any(end, ENDING).is_none()
        && (goes_on || tokens.any(end, AND).is_none())
        && LeadIn::at(tokens, end).is_none()
        && known(end).is_none()
    {
        end += 1;
    }
    // "no stairs in Nerja"
    while end > start + 1 && lexicon::filler(tokens, end - 1) == Some(end) {
        end -= 1;
    }
    let is_quoted = tokens.kind(start) == Some(TokenKind::Opaque);
    let is_unwanted = |at: usize| tokens.any(at, UNWANTED).is_some();
    let goes_on_with_another = lead.is_none() && is_after_another;
    (is_quoted || goes_on_with_another || (start..end).any(is_unwanted)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::understand::{
        tests::{FLATS, HOUSES, POUNDS_PER_EURO, check, places},
        understand,
    };

    #[test]
    fn ruled_out_kinds_and_types_leave_the_others() {
        let business = "kind=premises&kind=bar&kind=office&kind=land&kind=garage";
        check(&[
            ("no apartments", &*format!("{HOUSES}&{business}")),
            ("except flats or houses", business),
            ("apartment not ground floor", &*FLATS.replace("&kind=ground-floor", "")),
            ("house, not a villa", &*HOUSES.replace("kind=villa&", "")),
            ("villa, no apartments", "kind=villa"),
            ("casa, no pisos", "propertyType=House"),
        ]);
    }

    #[test]
    fn exclusions_without_a_filter_are_not_searched_and_are_reported() {
        let places = places();
        for (text, words, ruled_out) in [
            ("villa no stairs", "", "no stairs"),
            ("sin escaleras", "", "sin escaleras"),
            ("sin escaleras ni cuestas, tranquilo", "tranquilo", "sin escaleras ni cuestas"),
            ("house, not near main road", "", "not near main road"),
            ("no stairs and quiet", "quiet", "no stairs"),
            ("no stairs in nerja", "", "no stairs"),
            ("no stairs, no hills", "", "no stairs, no hills"),
            ("no pool or stairs", "", "or stairs"),
            ("villa without office", "", "without office"),
            ("not sold", "", "not sold"),
            ("no \"sea view\"", "", "no \"sea view\""),
            ("villa, no", "no", ""),
            ("no. 12", "no. 12", ""),
            ("without pool or lift", "", ""),
            // Descriptions of homes contain these.
            ("villa no chain", "no chain", ""),
            ("not overlooked", "not overlooked", ""),
            ("sin comisión", "sin comisión", ""),
            ("not far from nerja", "not far from", ""),
            ("no lejos de la playa", "no lejos playa", ""),
            ("no chain no stairs", "no chain", "no stairs"),
        ] {
            for locale in Locale::ALL {
                let understood = understand(locale, text, &places, POUNDS_PER_EURO);
                let result = (&*understood.words, &*understood.ruled_out);
                assert_eq!(result, (words, ruled_out), "{text} ({locale})");
            }
        }
    }

    #[test]
    fn al_menos_rules_out_nothing() {
        check(&[
            ("al menos un piso", "propertyType=Apartment"),
            ("por lo menos una villa", "kind=villa"),
            ("más o menos una villa", "kind=villa"),
        ]);
    }

    #[test]
    fn a_negated_limit_is_reversed() {
        check(&[
            ("don't want to pay more than 300k", "maxPrice=300000"),
            ("I can't go over 300k", "maxPrice=300000&q=I"),
            ("no quiero gastar más de 300.000 €", "maxPrice=300000"),
            ("villa que no cueste más de 300.000", "kind=villa&maxPrice=300000"),
            ("not over 300k", "maxPrice=300000"),
            ("no superior a 300.000", "maxPrice=300000"),
            ("not under 200k", "minPrice=200000"),
            ("no bigger than 100 m2", "maxBuilt=100"),
            ("no mayor de 100 m2", "maxBuilt=100"),
            ("no bigger than 100", "q=no bigger than 100"),
            ("no pool, over 300k", "withoutFeatures=pool&minPrice=300000"),
            ("no chain over 300k", "minPrice=300000&q=no chain"),
        ]);
    }
}
