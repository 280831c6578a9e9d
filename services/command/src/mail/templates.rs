//! The mail templates, and their texts in both languages.

use std::collections::HashMap;

use contracts::Locale;
use minijinja::{Environment, syntax::SyntaxConfig};
use serde_json::Value;

use crate::{Error, embedded::Embedded};

const TEMPLATES: [(&str, &str); 19] = [
    ("page.html", include_str!("../../templates/page.html")),
    ("office.subject", include_str!("../../templates/office.subject")),
    ("office.txt", include_str!("../../templates/office.txt")),
    ("office.html", include_str!("../../templates/office.html")),
    ("visitor.subject", include_str!("../../templates/visitor.subject")),
    ("visitor.txt", include_str!("../../templates/visitor.txt")),
    ("visitor.html", include_str!("../../templates/visitor.html")),
    ("sign_in.subject", include_str!("../../templates/sign_in.subject")),
    ("sign_in.txt", include_str!("../../templates/sign_in.txt")),
    ("sign_in.html", include_str!("../../templates/sign_in.html")),
    ("confirm.subject", include_str!("../../templates/confirm.subject")),
    ("confirm.txt", include_str!("../../templates/confirm.txt")),
    ("confirm.html", include_str!("../../templates/confirm.html")),
    ("homes.subject", include_str!("../../templates/homes.subject")),
    ("homes.txt", include_str!("../../templates/homes.txt")),
    ("homes.html", include_str!("../../templates/homes.html")),
    ("renewal.subject", include_str!("../../templates/renewal.subject")),
    ("renewal.txt", include_str!("../../templates/renewal.txt")),
    ("renewal.html", include_str!("../../templates/renewal.html")),
];

static WORDS: Embedded<HashMap<Locale, Value>> =
    Embedded::new("texts.json", include_str!("../../templates/texts.json"));

/// Loads the embedded templates. Tests render each of them.
pub fn templates() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    Ok(environment)
}

/// Returns the templates' texts, in every language.
pub fn words() -> Result<&'static HashMap<Locale, Value>, Error> {
    let words = WORDS.get()?;
    match Locale::ALL.into_iter().find(|locale| !words.contains_key(locale)) {
        Some(locale) => Err(WORDS.error(format!("it has no texts in {}", locale.code()))),
        None => Ok(words),
    }
}
