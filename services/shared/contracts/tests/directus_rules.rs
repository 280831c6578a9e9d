//! The rules that deploy/directus puts into Directus are the code's own. `UPDATE_RULES=1` writes the
//! file anew.

use std::{env, fs, path::Path};

use contracts::rules::{Form, Need, RULES, Rule};
use serde_json::{Value, json};

/// A rule as the set-up of Directus reads it.
fn told(rule: &Rule) -> Value {
    let mut told = json!({
        "collection": rule.collection,
        "field": rule.field,
        "empty": rule.need == Need::Optional,
        "words": rule.words(),
    });
    match rule.form {
        Form::Whole { least, most } => told["between"] = json!([least, most]),
        Form::Decimal { least, most } => told["between"] = json!([least, most]),
        Form::Word(words) => told["in"] = json!(words),
        Form::Code(codes) => told["in"] = json!(codes),
        // Not a row of spaces.
        Form::Text if rule.need != Need::Optional => told["pattern"] = json!(r"\S"),
        _ => {}
    }
    if let Some(pattern) = rule.form.pattern() {
        told["pattern"] = json!(pattern);
    }
    told
}

/// Whether Directus's own types leave anything of the rule to be checked.
fn is_worth_telling(rule: &Value) -> bool {
    let checks = ["between", "in", "pattern"];
    rule["empty"] == false || checks.iter().any(|check| !rule[check].is_null())
}

#[test]
fn the_rules_of_directus_are_up_to_date() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../deploy/directus/setup/rules.json");
    let rules: Vec<Value> = RULES
        .iter()
        .filter(|rule| rule.collection != "directus_files")
        .map(told)
        .filter(is_worth_telling)
        .collect();
    let text = serde_json::to_string_pretty(&rules).expect("rules are JSON") + "\n";
    if env::var_os("UPDATE_RULES").is_some() {
        fs::write(&file, &text).expect("the file can be written");
    }
    let checked_in = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        checked_in == text,
        "setup/rules.json is not what the code says; UPDATE_RULES=1 writes it"
    );
}
