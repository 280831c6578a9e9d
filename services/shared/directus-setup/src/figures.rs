//! The texts around a home: the legal notices, and the words above the enquiry form. Editors own them. An
//! agency that was set up before they existed starts with those of the sample content.

use serde_json::{Map, Value};

use crate::{
    Directus, Error,
    plan::{Plan, SetupStep},
    schema::Current,
};

const SAMPLE: &str = include_str!("../../../../deploy/content/site_settings.json");
const SETTINGS: &str = "site_settings";
/// The prefixes of such texts among the figures, and the version of the set-up that introduced them.
const GROUPS: [(&str, u32); 2] = [("notice_", 10), ("enquiry_panel_", 12)];

/// Plans the texts that the site settings lack, once: editors may remove them later on purpose.
pub async fn plan(directus: &Directus, current: &Current, plan: &mut Plan) -> Result<(), Error> {
    let Some(before) = plan.before.filter(|_| current.has(SETTINGS)) else { return Ok(()) };
    let mut missing = words_since(before)?.peekable();
    if missing.peek().is_none() {
        return Ok(());
    }
    let path = format!("/items/{SETTINGS}");
    let mut settings = directus.get(&path, &[("fields", "id,figures")]).await?;
    // Nothing can be added before the settings are first saved.
    if settings["id"].is_null() {
        return Ok(());
    }
    let mut figures = match settings["figures"].take() {
        Value::Object(figures) => figures,
        _ => Map::new(),
    };
    let known = figures.len();
    for (name, words) in missing {
        figures.entry(name).or_insert(words);
    }
    let added = figures.len() - known;
    if added > 0 {
        plan.add(format!("words in the figures of {SETTINGS}: {added} missing"));
        plan.step(SetupStep::Patch {
            path,
            body: Value::Object(Map::from_iter([("figures".to_owned(), figures.into())])),
        });
    }
    Ok(())
}

/// Returns the texts of the sample content that were introduced after version `before` of the set-up.
fn words_since(before: u32) -> Result<impl Iterator<Item = (String, Value)>, Error> {
    let sample: Map<String, Value> = serde_json::from_str(SAMPLE).map_err(|error| {
        Error::Malformed { call: "the sample content".to_owned(), source: error.into() }
    })?;
    let figures = sample.get("figures").and_then(Value::as_object).cloned().unwrap_or_default();
    let is_new = move |name: &str| {
        GROUPS.iter().any(|(group, since)| before < *since && name.starts_with(group))
    };
    Ok(figures.into_iter().filter(move |(name, _)| is_new(name)))
}
