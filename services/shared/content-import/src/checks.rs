//! Checks a home, as it would be after the import, against the rules of the model.

use contracts::{
    Locale, Rule, Violation,
    rules::{Need, OfferRule, is_blank},
};
use serde_json::Value;

use crate::compare::{Change, Flat};

/// The maximum length of fields, in characters, that their columns have and the rules don't.
const MAX_LENGTHS: [(&str, usize); 2] = [("title", 255), ("floor", 32)];

/// Returns the rules that a home would break after `changes`.
pub fn violations(current: Option<&Flat>, changes: &[Change]) -> Vec<Violation> {
    let none = Flat::new();
    let current = current.unwrap_or(&none);
    let after = |field: &str| {
        let change = changes.iter().find(|change| change.field == field);
        change.map(|change| &change.to).or_else(|| current.get(field)).unwrap_or(&Value::Null)
    };
    let is_published = after("status") == "published";
    let is_new = current.is_empty();
    let mut violations = Vec::new();
    for rule in Rule::of("properties") {
        let is_changed = changes.iter().any(|change| change.field == rule.field);
        let value = after(rule.field);
        let is_required = rule.need == Need::Always && (is_published || rule.field == "ref");
        if (is_new || is_changed) && (is_required || !is_blank(value)) {
            violations.extend(rule.check(value).err());
        }
    }
    let touches = |field: &str| is_new || changes.iter().any(|change| change.field == field);
    let offer_fields = OfferRule::ALL.map(OfferRule::field);
    if is_published && ["status", "kind"].into_iter().chain(offer_fields).any(touches) {
        violations.extend(OfferRule::check(after).err());
    }
    for change in changes {
        let (place, field) = change.field.rsplit_once('.').unwrap_or(("", &change.field));
        let length = change.to.as_str().map_or(0, |text| text.chars().count());
        if let Some((_, max)) =
            MAX_LENGTHS.iter().find(|(name, max)| *name == field && length > *max)
        {
            let rule = format!("must have at most {max} characters, and has {length}");
            violations.push(Violation::new(change.field.clone(), &change.to, rule));
        }
        let rule = Rule::of("properties_translations").find(|rule| rule.field == field);
        if let Some(rule) = rule.filter(|_| !place.is_empty()) {
            violations
                .extend(rule.check(&change.to).err().map(|violation| violation.within(place)));
        }
    }
    let title = |locale: &Locale| after(&format!("translations.{}.title", locale.language_tag()));
    if is_published && touches("status") && Locale::ALL.iter().all(|locale| is_blank(title(locale)))
    {
        let rule = "must be there in one language at least";
        violations.push(Violation::new("title", &Value::Null, rule));
    }
    violations
}
