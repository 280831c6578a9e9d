//! What must not be: `without pool`, `sin piscina ni jardín`, `not in Nerja`, `no apartments`.

use contracts::{Locale, content::PropertyType};

use super::{
    Match, Place,
    kinds::{self, RULED_OUT},
    lexicon::{self, GARAGE},
    named, part, quantities,
    quantity_words::MORE_THAN,
    tokens::{TokenKind, Tokens},
};

/// What turns all features and places after it into their opposite, joined by `and` too.
const WITHOUT: &[&str] = &["without", "without any", "sin", "but without", "pero sin"];
/// What does so in a home, where `and` begins something that is wanted.
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
/// The same of all that can be looked for.
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
/// What rules out places; before a feature it means something else (`outside shower`).
const ELSEWHERE: &[&str] = &["outside", "outside of", "away from", "fuera de"];
/// What rules out places and kinds.
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
/// Those that rule out by themselves.
const NOR: &[&str] = &["nor", "ni"];
const AND: &[&str] = &["and", "y", "e", "and in", "y en"];
const ARTICLES: &[&str] =
    &["a", "an", "any", "the", "el", "la", "los", "las", "un", "una", "ningun", "ninguna"];
/// What ends that which is ruled out in words.
const ENDING: &[&str] = &["with", "con", "but", "pero"];
/// What no filter can rule out, and is ruled out by whoever says so. Of all else that has no name here homes say
/// themselves that they are without it: "no chain", "sin comisión" are words to be found.
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
/// What asks for nothing, whatever it is said of.
const EITHER_WAY: &[&str] = &["with or without", "con o sin"];
/// What denies what somebody does.
const CANNOT: &[&str] = &["can t", "cannot", "won t", "don t", "doesn t", "shouldn t"];
/// What is more than something in the eyes of whoever pays for it: `don't want to pay more than`.
const MORE: &[&str] = &["more than", "mas de"];
/// How many words may stand before it.
const MAX_BETWEEN: usize = 4;

/// What turns what follows into its opposite, and of what.
struct Lead {
    phrases: &'static [&'static str],
    features: bool,
    kinds: fn(&str) -> bool,
    /// Whether `and` goes on with it.
    goes_on: bool,
}

static LEADS: [Lead; 5] = [
    // A villa may be without an office, and is none anyway.
    Lead { phrases: WITHOUT, features: true, kinds: is_home_alone, goes_on: true },
    Lead { phrases: HAVING_NO, features: true, kinds: is_home_alone, goes_on: false },
    Lead { phrases: NOT, features: true, kinds: |_| true, goes_on: false },
    Lead { phrases: ELSEWHERE, features: false, kinds: |_| false, goes_on: true },
    Lead { phrases: EXCEPT, features: false, kinds: |_| true, goes_on: true },
];

fn is_home_alone(kind: &str) -> bool {
    !lexicon::is_room_as_well(kind)
}

impl Lead {
    /// The one at `at`, and where it ends.
    fn at(tokens: Tokens<'_>, at: usize) -> Option<(&'static Self, usize)> {
        LEADS
            .iter()
            .filter_map(|lead| Some((lead, tokens.any(at, lead.phrases)?)))
            .max_by_key(|(_, end)| *end)
    }

    /// What rules out `value` of `parameter`, if a filter can.
    fn opposite(&self, parameter: &str, value: &str) -> Option<Vec<(&'static str, String)>> {
        Some(match parameter {
            "location" => vec![("excludedLocation", value.to_owned())],
            "features" | GARAGE if self.features => vec![("excludedFeatures", value.to_owned())],
            "kind" if (self.kinds)(value) => vec![(RULED_OUT, value.to_owned())],
            "propertyType" if (self.kinds)(value) => {
                let one: PropertyType = value.parse().ok()?;
                kinds::of_type(one).map(|kind| (RULED_OUT, kind.name().to_owned())).collect()
            }
            _ => return None,
        })
    }
}

/// The features, places and kinds that are ruled out at `at`.
pub(super) fn negation(
    tokens: Tokens<'_>,
    locale: Locale,
    at: usize,
    places: &[Place],
) -> Option<Match> {
    let (lead, mut end) = Lead::at(tokens, at)?;
    let mut values: Vec<(&'static str, String)> = Vec::new();
    let mut start = end;
    loop {
        start = tokens.any(start, ARTICLES).unwrap_or(start);
        let Some(next) = named(tokens, locale, start, places) else { break };
        let opposites: Option<Vec<_>> =
            next.values.iter().map(|(parameter, value)| lead.opposite(parameter, value)).collect();
        let Some(opposites) = opposites.filter(|opposites| !opposites.is_empty()) else { break };
        values.extend(opposites.into_iter().flatten());
        end = next.end;
        let joined = tokens.any(end, OR);
        let joined = joined.or_else(|| tokens.any(end, AND).filter(|_| lead.goes_on));
        let Some(after) = joined else { break };
        start = after;
    }
    (!values.is_empty()).then(|| Match::of(end, values))
}

/// The limit at `at` that something is not to be beyond: `not over 300k`, `don't want to pay more than 300k`,
/// `que no cueste más de 300.000`.
pub(super) fn limit(
    tokens: Tokens<'_>,
    locale: Locale,
    at: usize,
    places: &[Place],
) -> Option<Match> {
    let denied = tokens.any(at, NOT);
    let start = denied.or_else(|| tokens.any(at, CANNOT))?;
    if tokens.is_parted(start) {
        return None;
    }
    if let Some(found) = quantities::denied_limit(tokens, start) {
        return Some(found);
    }
    // Something else may be over a price: "no chain over 300k".
    let is_of_doing = denied.is_none() || tokens.word(start) == Some("to");
    let phrases = if is_of_doing { MORE_THAN } else { MORE };
    let more = (start + 1..=start + MAX_BETWEEN).find(|at| tokens.any(*at, phrases).is_some())?;
    let is_between =
        |at: usize| tokens.word(at).is_some() && part(tokens, locale, at, places).is_none();
    let is_one = (start..more).all(is_between) && (start..=more).all(|at| !tokens.is_parted(at));
    quantities::denied_limit(tokens, more).filter(|_| is_one)
}

/// Where what may be or not ends that stands at `at`: `with or without pool`.
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

/// Where what is ruled out at `at` of `text` ends, which no filter can say: to look for its words would find
/// what is not wanted. It has a name here, is in quotation marks, or is one of `UNWANTED`; after something
/// else that is ruled out an "or" goes on with whatever it is.
pub(super) fn unsaid(
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
    let lead = Lead::at(tokens, at).filter(|(lead, _)| lead.features);
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
        let Some(after) = passed.or_else(|| lexicon::connection(tokens, start)) else { break };
        start = after;
    }
    let goes_on = lead.is_none_or(|(lead, _)| lead.goes_on);
    let mut end = start + 1;
    while !ends(end)
        && tokens.kind(end) != Some(TokenKind::Opaque)
        && tokens.any(end, ENDING).is_none()
        && (goes_on || tokens.any(end, AND).is_none())
        && Lead::at(tokens, end).is_none()
        && known(end).is_none()
    {
        end += 1;
    }
    // "no stairs in Nerja"
    while end > start + 1 && lexicon::connection(tokens, end - 1) == Some(end) {
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
    fn kinds_and_types_that_are_ruled_out_leave_the_others() {
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
    fn what_no_filter_can_rule_out_is_no_word_and_is_told() {
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
            // Homes say so of themselves.
            ("villa no chain", "no chain", ""),
            ("not overlooked", "not overlooked", ""),
            ("sin comisión", "sin comisión", ""),
            ("not far from nerja", "not far from", ""),
            ("no lejos de la playa", "no lejos playa", ""),
            ("no chain no stairs", "no chain", "no stairs"),
        ] {
            for locale in Locale::ALL {
                let understood = understand(locale, text, &places, POUNDS_PER_EURO);
                let told = (&*understood.words, &*understood.ruled_out);
                assert_eq!(told, (words, ruled_out), "{text} ({locale})");
            }
        }
    }

    #[test]
    fn at_least_rules_out_nothing() {
        check(&[
            ("al menos un piso", "propertyType=Apartment"),
            ("por lo menos una villa", "kind=villa"),
            ("más o menos una villa", "kind=villa"),
        ]);
    }

    #[test]
    fn a_limit_that_is_denied_is_the_other_way_round() {
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
            ("no pool, over 300k", "excludedFeatures=pool&minPrice=300000"),
            ("no chain over 300k", "minPrice=300000&q=no chain"),
        ]);
    }
}
