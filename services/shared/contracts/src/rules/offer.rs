//! The information that an offer must contain by law. These rules involve several fields.
//!
//! Royal Decree 390/2021 requires the energy rating in every offer and advertisement of a building or a part
//! of one, unless its article 3.2 exempts it. A certificate in process has no rating yet. The decree makes no
//! exception for that, so such a home has to remain a draft.

use serde_json::Value;

use super::{Violation, is_blank};
use crate::{
    Locale,
    content::{EnergyRating, PropertyKind},
};

/// A rule for what an offer must state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferRule {
    /// The energy rating, or the exemption.
    EnergyRating,
    /// The reason for the exemption.
    EnergyExemption,
}

impl OfferRule {
    /// All rules.
    pub const ALL: [Self; 2] = [Self::EnergyRating, Self::EnergyExemption];

    /// Returns the field that an editor has to fill, in the collection of properties.
    pub const fn field(self) -> &'static str {
        match self {
            Self::EnergyRating => "energy_rating",
            Self::EnergyExemption => "energy_exemption",
        }
    }

    /// Returns what the field must be, in words that follow its name.
    pub const fn words_in(self, locale: Locale) -> &'static str {
        match (self, locale) {
            (Self::EnergyRating, Locale::En) => {
                "must be a letter from A to G, or exempt with its reason, before the home is published \
                 (Royal Decree 390/2021); in process is not enough"
            }
            (Self::EnergyRating, Locale::Es) => {
                "debe ser una letra de la A a la G, o exento con su motivo, antes de publicar el inmueble \
                 (Real Decreto 390/2021); en trámite no basta"
            }
            (Self::EnergyExemption, Locale::En) => {
                "must say why the home is exempt (Royal Decree 390/2021, article 3.2)"
            }
            (Self::EnergyExemption, Locale::Es) => {
                "debe decir por qué está exento el inmueble (Real Decreto 390/2021, artículo 3.2)"
            }
        }
    }

    /// Checks an item of the collection of properties; `field` returns the value of a field by its name.
    ///
    /// # Errors
    /// The first of these rules that it breaks. An invalid kind or rating breaks the rule of its own field,
    /// and none of these.
    pub fn check<'a>(field: impl Fn(&str) -> &'a Value) -> Result<(), Violation> {
        let word = |name| field(name).as_str().map(str::trim).unwrap_or_default();
        if !word("kind").parse::<PropertyKind>().is_ok_and(PropertyKind::needs_energy_rating) {
            return Ok(());
        }
        let broken = match word("energy_rating").parse() {
            Err(_) if is_blank(field("energy_rating")) => Self::EnergyRating,
            Ok(EnergyRating::InProcess) => Self::EnergyRating,
            Ok(EnergyRating::Exempt) if is_blank(field("energy_exemption")) => {
                Self::EnergyExemption
            }
            _ => return Ok(()),
        };
        let field_name = broken.field();
        Err(Violation::new(field_name, field(field_name), broken.words_in(Locale::En)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::content::EnergyExemption;

    fn broken(kind: &Value, rating: &Value, exemption: &Value) -> Option<Violation> {
        let of = |field: &str| match field {
            "kind" => kind,
            "energy_rating" => rating,
            "energy_exemption" => exemption,
            _ => &Value::Null,
        };
        OfferRule::check(of).err()
    }

    #[test]
    fn each_kind_needs_a_rating_or_an_exemption_with_its_reason() {
        let blank = [Value::Null, json!(""), json!("  ")];
        let reasons: Vec<Value> = EnergyExemption::NAMES.iter().map(|it| json!(it)).collect();
        for kind in PropertyKind::ALL {
            let needs = !matches!(kind, PropertyKind::Land | PropertyKind::Garage);
            let field = |rating: &Value, exemption: &Value| {
                broken(&json!(kind.name()), rating, exemption).map(|broken| broken.field)
            };
            let expected = |name: &str| needs.then(|| name.to_owned());
            for exemption in reasons.iter().chain(&blank) {
                for rating in &blank {
                    let expected = expected("energy_rating");
                    assert_eq!(field(rating, exemption), expected, "{kind} {rating}");
                }
                let found = field(&json!("in_process"), exemption);
                assert_eq!(found, expected("energy_rating"), "{kind}");
                for letter in ["A", "B", "C", "D", "E", "F", "G"] {
                    assert_eq!(field(&json!(letter), exemption), None, "{kind} {letter}");
                }
            }
            for reason in &reasons {
                assert_eq!(field(&json!("exempt"), reason), None, "{kind} {reason}");
            }
            for reason in &blank {
                let expected = expected("energy_exemption");
                assert_eq!(field(&json!("exempt"), reason), expected, "{kind} {reason}");
            }
        }
    }

    #[test]
    fn an_invalid_kind_or_rating_breaks_none_of_these_rules() {
        assert_eq!(broken(&json!("castle"), &Value::Null, &Value::Null), None);
        assert_eq!(broken(&json!("villa"), &json!("H"), &Value::Null), None);
        assert_eq!(broken(&json!("villa"), &json!(7), &Value::Null), None);
    }

    #[test]
    fn the_rules_have_words_in_both_languages() {
        for rule in OfferRule::ALL {
            let [english, spanish] = Locale::ALL.map(|locale| rule.words_in(locale));
            assert!(english.starts_with("must ") && spanish.starts_with("debe "));
            let broken = Violation::new(rule.field(), &Value::Null, english);
            assert_eq!(broken.rule_in(Locale::Es), spanish);
            assert_eq!(broken.rule_in(Locale::En), english);
        }
    }
}
