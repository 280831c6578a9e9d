//! The rules that content keeps, as Directus's own validation of fields.

use contracts::{
    Locale, Rule,
    rules::{Form, Need, OfferRule},
};
use serde_json::{Value, json};

use crate::texts::{Names, Texts};

/// What Directus checks of a field when it is saved, and the key of what it then says. It looks at
/// what was sent and at nothing else, so a draft may lack whatever it does not name. None where
/// Directus's own types leave nothing of the rule to be checked.
pub fn validation(collection: &str, field: &str, texts: &mut Texts) -> Option<(Value, String)> {
    let rule = Rule::of(collection).find(|rule| rule.field == field)?;
    let holds = |operator: &str, value: Value| json!({ field: { operator: value } });
    let mut checks = Vec::new();
    match rule.form {
        Form::Whole { least, most } => checks.push(holds("_between", json!([least, most]))),
        Form::Decimal { least, most } => checks.push(holds("_between", json!([least, most]))),
        Form::Word(words) => checks.push(holds("_in", json!(words))),
        Form::Code(codes) => checks.push(holds("_in", json!(codes))),
        // Not a row of spaces.
        Form::Text if rule.need != Need::Optional => checks.push(holds("_regex", json!(r"\S"))),
        _ => {}
    }
    if let Some(pattern) = rule.form.pattern() {
        checks.push(holds("_regex", json!(pattern)));
    }
    let filter = if rule.need == Need::Optional {
        if checks.is_empty() {
            return None;
        }
        // `_null` and `_empty` hold for anything in a validation; `_in` says the same and means it.
        json!({ "_or": [holds("_in", json!([null, ""])), { "_and": checks }] })
    } else {
        checks.push(holds("_nnull", json!(true)));
        json!({ "_and": checks })
    };
    let [english, spanish] = Locale::ALL.map(|locale| sentences(rule, locale));
    let words = Names::new(english, spanish);
    let message = texts.key(&format!("rule_{collection}_{field}"), words);
    Some((json!({ "_and": [filter] }), message))
}

/// What `rule` says, and what an offer must tell in the same field.
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
