//! Applies a plan to Directus, one home at a time.

mod floor_plan;
mod pictures;

use std::collections::{BTreeMap, BTreeSet};

use directus_setup::{Directus, Error as Refusal};
use runtime::error_text;
use serde_json::{Map, Value, json};

use self::floor_plan::remembered_floor_plan;
use crate::{
    Error, Fetcher,
    compare::arrange_pictures,
    memory::{Memory, RememberedPicture, fingerprint},
    places::slug,
    plan::{HomePlan, HomeStep, NewPlace, Plan, new_place_token},
    store::{self, Stored},
};

/// What an import has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How many homes were created.
    pub created: usize,
    /// How many homes were changed visibly.
    pub changed: usize,
    /// How many homes were archived.
    pub archived: usize,
    /// How many pictures were fetched.
    pub fetched: usize,
    /// Homes and places that Directus refused, with its message, and homes that somebody changed meanwhile.
    pub refused: Vec<(String, String)>,
    /// Pictures that could not be fetched: the home, the address and the reason. The next run tries again.
    pub failed_pictures: Vec<(String, String, String)>,
}

/// Receives the progress of an import.
pub trait Progress {
    /// Called after each home was processed.
    fn home_processed(&mut self, home: &HomePlan);
}

impl<F: FnMut(&HomePlan)> Progress for F {
    fn home_processed(&mut self, home: &HomePlan) {
        self(home);
    }
}

/// Applies `plan`, and returns what was done. If it stops early, the next run does the rest.
///
/// The error is why it stopped: Directus can't be reached, or refuses something that every home needs.
pub async fn apply(
    directus: &Directus,
    fetcher: &Fetcher,
    plan: Plan,
    progress: impl Progress,
) -> (Outcome, Result<(), Error>) {
    let mut applier =
        Applier { directus, fetcher, outcome: Outcome::default(), places: BTreeMap::new() };
    let result = applier.apply_all(plan, progress).await;
    (applier.outcome, result)
}

struct Applier<'a> {
    directus: &'a Directus,
    fetcher: &'a Fetcher,
    outcome: Outcome,
    /// The ids of places that were created, by the token that homes have in their place.
    places: BTreeMap<String, Value>,
}

impl Applier<'_> {
    async fn apply_all(
        &mut self,
        mut plan: Plan,
        mut progress: impl Progress,
    ) -> Result<(), Error> {
        for place in std::mem::take(&mut plan.new_places) {
            let result = self.add_place(&place).await;
            self.record_refusal(&place.name, result)?;
        }
        for home in std::mem::take(&mut plan.steps) {
            if self.lacks_new_place(&home) {
                let reason = "its place could not be made".to_owned();
                self.outcome.refused.push((home.reference.clone(), reason));
            } else {
                let result = self.apply_home(&mut plan, &home).await;
                self.record_refusal(&home.reference, result)?;
            }
            progress.home_processed(&home);
        }
        Ok(())
    }

    /// Records a refusal by Directus under `name`, so that the import goes on. Returns any other error.
    fn record_refusal(&mut self, name: &str, result: Result<(), Error>) -> Result<(), Error> {
        match result {
            Err(Error::Directus(error @ Refusal::Refused { .. })) => {
                self.outcome.refused.push((name.to_owned(), error_text(&error)));
                Ok(())
            }
            result => result,
        }
    }

    async fn add_place(&mut self, place: &NewPlace) -> Result<(), Error> {
        let mut row = json!({
            "status": "published",
            "slug": slug(&place.name),
            "translations": [
                { "languages_code": "en-GB", "name": place.name },
                { "languages_code": "es-ES", "name": place.name },
            ],
        });
        if let Some((lat, lng)) = place.point {
            row["lat"] = json!(lat);
            row["lng"] = json!(lng);
        }
        let id = store::add_place(self.directus, &row).await?;
        self.places.insert(new_place_token(&place.name).to_string(), json!(id));
        Ok(())
    }

    /// Returns whether `home` is in a new place that could not be created.
    fn lacks_new_place(&self, home: &HomePlan) -> bool {
        let place = home.wanted.get("location").filter(|place| place.is_string());
        place.is_some_and(|place| !self.places.contains_key(&place.to_string()))
    }

    async fn apply_home(&mut self, plan: &mut Plan, home: &HomePlan) -> Result<(), Error> {
        match home.step {
            HomeStep::Leave | HomeStep::Refuse | HomeStep::Gone => Ok(()),
            HomeStep::Create | HomeStep::CreateDraft => {
                let home = self.with_floor_plan(plan, home).await?;
                self.create(plan, &home).await
            }
            HomeStep::Change | HomeStep::Remember => {
                let home = self.with_floor_plan(plan, home).await?;
                self.change(plan, &home).await
            }
            HomeStep::Archive => self.archive(home).await,
        }
    }

    /// Returns `value`, or the id of the created place if it is the token of a new one.
    fn resolved(&self, field: &str, value: &Value) -> Value {
        let place = (field == "location").then(|| self.places.get(&value.to_string())).flatten();
        place.unwrap_or(value).clone()
    }

    async fn create(&mut self, plan: &mut Plan, home: &HomePlan) -> Result<(), Error> {
        let pictures = self.pictures(plan, home, &Memory::default()).await?;
        let mut body = Map::new();
        let mut texts: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        for (name, value) in &home.wanted {
            let value = self.resolved(name, value);
            match text_field(name) {
                Some((code, field)) => {
                    texts.entry(code).or_default().insert(field.to_owned(), value);
                }
                None if value.is_null() => {}
                None => {
                    body.insert(name.clone(), value);
                }
            }
        }
        let texts = texts.into_iter().map(|(code, mut text)| {
            text.insert("languages_code".to_owned(), json!(code));
            Value::Object(text)
        });
        let files = arrange_pictures(&[], &[], &pictures, false);
        let rows = files
            .iter()
            .zip(1..)
            .map(|(file, sort)| json!({ "directus_files_id": file, "sort": sort }));
        body.insert("translations".to_owned(), texts.collect());
        body.insert("images".to_owned(), rows.collect());
        if home.step == HomeStep::CreateDraft {
            // The memory has the feed's own status, so no later run publishes a draft that waits for an
            // editor.
            body.insert("status".to_owned(), json!("draft"));
        }
        let memory = self.memory(plan, home, Memory::default(), pictures);
        body.insert("imported".to_owned(), memory.to_value());
        store::create_home(self.directus, &Value::Object(body)).await?;
        self.outcome.created += 1;
        Ok(())
    }

    async fn change(&mut self, plan: &mut Plan, home: &HomePlan) -> Result<(), Error> {
        let Some(stored) = &home.stored else { return Ok(()) };
        let before = stored.memory.clone().unwrap_or_default();
        let pictures = self.pictures(plan, home, &before).await?;
        let mut body = Map::new();
        let mut texts: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        for change in &home.changes {
            let value = self.resolved(&change.field, &change.to);
            match text_field(&change.field) {
                Some((code, field)) => {
                    texts.entry(code).or_default().insert(field.to_owned(), value);
                }
                None => {
                    body.insert(change.field.clone(), value);
                }
            }
        }
        if !texts.is_empty() {
            let (mut create, mut update) = (Vec::new(), Vec::new());
            for (code, mut text) in texts {
                if let Some(id) = stored.texts.get(code) {
                    text.insert("id".to_owned(), json!(id));
                    update.push(text);
                } else {
                    text.insert("languages_code".to_owned(), json!(code));
                    create.push(text);
                }
            }
            let texts = json!({ "create": create, "update": update, "delete": [] });
            body.insert("translations".to_owned(), texts);
        }
        if home.pictures.is_some() && !plan.has_editor_pictures(Some(stored)) {
            let current: Vec<String> =
                stored.pictures.iter().map(|(_, file)| file.clone()).collect();
            let overwrite = plan.options.overwrite;
            let files = arrange_pictures(&current, &before.pictures, &pictures, overwrite);
            if files != current {
                body.insert("images".to_owned(), picture_changes(&stored.pictures, &files));
            }
        }
        let memory = self.memory(plan, home, before.clone(), pictures);
        let is_visible = !body.is_empty();
        if stored.memory.as_ref() != Some(&memory) {
            body.insert("imported".to_owned(), memory.to_value());
        }
        if body.is_empty() || !self.is_as_planned(home, stored).await? {
            return Ok(());
        }
        store::change_home(self.directus, stored.id, &Value::Object(body)).await?;
        self.outcome.changed += usize::from(is_visible);
        Ok(())
    }

    async fn archive(&mut self, home: &HomePlan) -> Result<(), Error> {
        let Some(stored) = &home.stored else { return Ok(()) };
        if !self.is_as_planned(home, stored).await? {
            return Ok(());
        }
        let memory = memory_after_archiving(stored);
        let change = json!({ "status": "archived", "imported": memory.to_value() });
        store::change_home(self.directus, stored.id, &change).await?;
        self.outcome.archived += 1;
        Ok(())
    }

    /// Returns whether the home is unchanged since the plan was made, which may be hours ago. A home that
    /// somebody has changed is recorded as refused; the next run compares it again.
    async fn is_as_planned(&mut self, home: &HomePlan, stored: &Stored) -> Result<bool, Error> {
        let now = store::home(self.directus, stored.id).await?;
        let is_as_planned = now.as_ref() == Some(stored);
        if !is_as_planned {
            let reason = "it was changed while the import ran; the next run sees to it".to_owned();
            self.outcome.refused.push((home.reference.clone(), reason));
        }
        Ok(is_as_planned)
    }

    /// Returns what `home` is to remember, once its pictures are fetched.
    fn memory(
        &self,
        plan: &Plan,
        home: &HomePlan,
        before: Memory,
        pictures: Vec<RememberedPicture>,
    ) -> Memory {
        let now = home.wanted.iter();
        let now = now.map(|(name, value)| (name.clone(), fingerprint(&self.resolved(name, value))));
        Memory {
            source: plan.options.source.clone(),
            key: home.key.clone(),
            values: before.values.into_iter().chain(now).collect(),
            pictures: if home.pictures.is_some() { pictures } else { before.pictures },
            floor_plan: remembered_floor_plan(plan, home).or(before.floor_plan),
        }
    }
}

/// Returns what a home remembers that is archived because it has left its feed. If it was published, it
/// remembers the status `archived`: if it comes back, the feed's status differs from that, so it is
/// published again. A draft is left to its editor.
fn memory_after_archiving(stored: &Stored) -> Memory {
    let mut memory = stored.memory.clone().unwrap_or_default();
    if stored.status() == "published" {
        memory.values.insert("status".to_owned(), fingerprint(&json!("archived")));
    }
    memory
}

/// Splits `translations.en-GB.title` into language and field.
fn text_field(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("translations.")?.split_once('.')
}

/// Returns an address without its query, which may contain a secret.
fn strip_query(url: &str) -> String {
    url.split(['?', '#']).next().unwrap_or_default().to_owned()
}

/// Returns the change that replaces the picture rows `current` by those of `files`.
fn picture_changes(current: &[(i64, String)], files: &[String]) -> Value {
    let (mut create, mut update) = (Vec::new(), Vec::new());
    for (file, sort) in files.iter().zip(1..) {
        match current.iter().find(|(_, shown)| shown == file) {
            Some((id, _)) => update.push(json!({ "id": id, "sort": sort })),
            None => create.push(json!({ "directus_files_id": file, "sort": sort })),
        }
    }
    let kept: BTreeSet<i64> = update.iter().filter_map(|row| row["id"].as_i64()).collect();
    let delete: Vec<i64> =
        current.iter().map(|(id, _)| *id).filter(|id| !kept.contains(id)).collect();
    json!({ "create": create, "update": update, "delete": delete })
}

#[cfg(test)]
mod tests;
