//! What must not be: `without pool`, `sin piscina ni jardín`, `not in Nerja`, `no apartments`.

use contracts::{Locale, content::PropertyType};

use super::{
    Match, Place,
    kinds::{self, RULED_OUT},
    lexicon::{self, GARAGE},
    named, part,
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

/// Where what is ruled out at `at` of `text` ends, which no filter can say: to look for its words would find
/// what is not wanted. After something else that is ruled out an "or" goes on with it.
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
        && known(end).is_none()
    {
        end += 1;
    }
    // "no stairs in Nerja"
    while end > start + 1 && lexicon::connection(tokens, end - 1) == Some(end) {
        end -= 1;
    }
    Some(end)
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
        check(&[("al menos un piso", "propertyType=Apartment")]);
    }
}
