//! Converts the content rules to Directus's field validation.

use contracts::{
    Locale, Rule,
    rules::{Need, OfferRule, RuleForm},
};
use serde_json::{Value, json};

use crate::texts::{Names, Texts};

/// Returns the validation of a field on saving, and the key of its message. Directus validates only the fields
/// that are sent, so a draft may lack others. Returns `None` if the field's type already enforces the rule.
pub fn validation(collection: &str, field: &str, texts: &mut Texts) -> Option<(Value, String)> {
    let rule = Rule::of(collection).find(|rule| rule.field == field)?;
    let condition = |operator: &str, value: Value| json!({ field: { operator: value } });
    let mut checks = Vec::new();
    match rule.form {
        RuleForm::Whole { least, most } => checks.push(condition("_between", json!([least, most]))),
        RuleForm::Decimal { least, most } => {
            checks.push(condition("_between", json!([least, most])));
        }
        RuleForm::Word(words) => checks.push(condition("_in", json!(words))),
        RuleForm::Code(codes) => checks.push(condition("_in", json!(codes))),
        // Rejects values that consist of spaces.
        RuleForm::Text if rule.need != Need::Optional => {
            checks.push(condition("_regex", json!(r"\S")));
        }
        _ => {}
    }
    if let Some(pattern) = rule.form.pattern() {
        checks.push(condition("_regex", json!(pattern)));
    }
    let filter = if rule.need == Need::Optional {
        if checks.is_empty() {
            return None;
        }
        // In a validation, `_null` and `_empty` accept any value, so `_in` is used instead.
        json!({ "_or": [condition("_in", json!([null, ""])), { "_and": checks }] })
    } else {
        checks.push(condition("_nnull", json!(true)));
        json!({ "_and": checks })
    };
    let [english, spanish] = Locale::ALL.map(|locale| sentences(rule, locale));
    let words = Names::new(english, spanish);
    let message = texts.key(&format!("rule_{collection}_{field}"), words);
    Some((json!({ "_and": [filter] }), message))
}

/// Returns the texts of `rule`, and of the requirement on offers for the same field.
fn sentences(rule: &Rule, locale: Locale) -> String {
    let mut of_offers = OfferRule::ALL.into_iter().filter(|_| rule.collection == "properties");
    let of_offers = of_offers.find(|it| it.field() == rule.field).map(|it| it.words_in(locale));
    let own = sentence(&rule.words_in(locale));
    match of_offers {
        Some(words) => format!("{own} {}", sentence(words)),
        None => own,
    }
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}
