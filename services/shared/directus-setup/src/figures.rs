//! What the law has an agency say below its homes. The words are the editors'; an agency that was set up
//! before they were starts with those of the sample content.

use serde_json::{Map, Value};

use crate::{
    Directus, Error,
    plan::{Plan, Step},
    schema::Current,
};

const SAMPLE: &str = include_str!("../../../../deploy/content/site_settings.json");
const SETTINGS: &str = "site_settings";
/// Each notice is a group of the figures, whose name begins so.
const GROUP: &str = "notice_";
/// The version of the set-up that brought them.
const SINCE: u32 = 10;

/// Adds the notices that the site settings lack, once: whoever takes one out later means it.
pub async fn plan(directus: &Directus, current: &Current, plan: &mut Plan) -> Result<(), Error> {
    if plan.before.is_none_or(|before| before >= SINCE) || !current.has(SETTINGS) {
        return Ok(());
    }
    let path = format!("/items/{SETTINGS}");
    let mut settings = directus.get(&path, &[("fields", "id,figures")]).await?;
    // Before anybody has written settings, there is nothing to add to.
    if settings["id"].is_null() {
        return Ok(());
    }
    let mut figures = match settings["figures"].take() {
        Value::Object(figures) => figures,
        _ => Map::new(),
    };
    let known = figures.len();
    for (name, notice) in notices()? {
        figures.entry(name).or_insert(notice);
    }
    let added = figures.len() - known;
    if added > 0 {
        plan.add(format!("{added} legal notices in the figures of {SETTINGS}"));
        plan.step(Step::Patch {
            path,
            body: Value::Object(Map::from_iter([("figures".to_owned(), figures.into())])),
        });
    }
    Ok(())
}

fn notices() -> Result<impl Iterator<Item = (String, Value)>, Error> {
    let sample: Map<String, Value> = serde_json::from_str(SAMPLE).map_err(|error| {
        Error::Malformed { call: "the sample content".to_owned(), reason: error.to_string() }
    })?;
    let figures = sample.get("figures").and_then(Value::as_object).cloned().unwrap_or_default();
    Ok(figures.into_iter().filter(|(name, _)| name.starts_with(GROUP)))
}
