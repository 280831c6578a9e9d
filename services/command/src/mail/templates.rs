//! The mail templates, and their texts in both languages.

use std::collections::HashMap;

use contracts::Locale;
use minijinja::{Environment, syntax::SyntaxConfig};
use serde_json::Value;

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

/// Loads the embedded templates. Tests render each of them.
pub fn templates() -> Environment<'static> {
    let mut environment = Environment::new();
    match SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build() {
        Ok(syntax) => environment.set_syntax(syntax),
        Err(error) => tracing::error!(%error, "the templates' syntax can't be set"),
    }
    for (name, source) in TEMPLATES {
        if let Err(error) = environment.add_template(name, source) {
            tracing::error!(%error, name, "a template of this build can't be read");
        }
    }
    environment
}

/// Loads the templates' texts.
pub fn words() -> HashMap<Locale, Value> {
    serde_json::from_str(include_str!("../../templates/texts.json")).unwrap_or_default()
}
