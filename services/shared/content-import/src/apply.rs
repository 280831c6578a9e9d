//! Does what a plan says, a home at a time.

mod floor_plan;
mod pictures;

use std::collections::{BTreeMap, BTreeSet};

use directus_setup::{Directus, Error as Refusal};
use serde_json::{Map, Value, json};

use self::floor_plan::remembered_floor_plan;
use crate::{
    Error, Fetcher,
    compare::arranged,
    memory::{Memory, Remembered, mark},
    places::slug,
    plan::{HomePlan, NewPlace, Plan, Step, new_place_mark},
    store::{self, Stored},
};

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Homes that are new.
    pub created: usize,
    /// Homes in which something was written.
    pub changed: usize,
    /// Homes that were archived.
    pub archived: usize,
    /// Pictures that were fetched.
    pub fetched: usize,
    /// Homes and places that Directus refused, with its words, and homes that were changed meanwhile.
    pub refused: Vec<(String, String)>,
    /// Pictures that could not be had: the home, the address, why. The next run tries them again.
    pub failed_pictures: Vec<(String, String, String)>,
}

/// Who is told how far it is.
pub trait Progress {
    /// The home was seen to.
    fn seen_to(&mut self, home: &HomePlan);
}

impl<F: FnMut(&HomePlan)> Progress for F {
    fn seen_to(&mut self, home: &HomePlan) {
        self(home);
    }
}

/// Does what `plan` says, and gives what was done. Where it is stopped, the next run does the rest.
///
/// The error is why it was stopped: Directus can't be reached, or doesn't take what every home needs.
pub async fn apply(
    directus: &Directus,
    fetcher: &Fetcher,
    plan: Plan,
    progress: impl Progress,
) -> (Done, Result<(), Error>) {
    let mut work = Work { directus, fetcher, done: Done::default(), places: BTreeMap::new() };
    let ended = work.all(plan, progress).await;
    (work.done, ended)
}

struct Work<'a> {
    directus: &'a Directus,
    fetcher: &'a Fetcher,
    done: Done,
    /// Places that were made, by what stands for them in homes.
    places: BTreeMap<String, Value>,
}

impl Work<'_> {
    async fn all(&mut self, mut plan: Plan, mut progress: impl Progress) -> Result<(), Error> {
        for place in std::mem::take(&mut plan.new_places) {
            let made = self.place(&place).await;
            self.told(&place.name, made)?;
        }
        for home in std::mem::take(&mut plan.steps) {
            if self.lacks_its_place(&home) {
                let reason = "its place could not be made".to_owned();
                self.done.refused.push((home.reference.clone(), reason));
            } else {
                let done = self.home(&mut plan, &home).await;
                self.told(&home.reference, done)?;
            }
            progress.seen_to(&home);
        }
        Ok(())
    }

    /// What Directus refused of `whose` is told, and the rest goes in.
    fn told(&mut self, whose: &str, done: Result<(), Error>) -> Result<(), Error> {
        match done {
            Err(Error::Directus(error @ Refusal::Refused { .. })) => {
                self.done.refused.push((whose.to_owned(), error.to_string()));
                Ok(())
            }
            done => done,
        }
    }

    async fn place(&mut self, place: &NewPlace) -> Result<(), Error> {
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
        self.places.insert(new_place_mark(&place.name).to_string(), json!(id));
        Ok(())
    }

    /// Whether `home` is in a place that was to be made and is not there.
    fn lacks_its_place(&self, home: &HomePlan) -> bool {
        let place = home.wanted.get("location").filter(|place| place.is_string());
        place.is_some_and(|place| !self.places.contains_key(&place.to_string()))
    }

    async fn home(&mut self, plan: &mut Plan, home: &HomePlan) -> Result<(), Error> {
        match home.step {
            Step::Leave | Step::Refuse | Step::Gone => Ok(()),
            Step::Create | Step::CreateDraft => {
                let home = self.with_floor_plan(plan, home).await?;
                self.create(plan, &home).await
            }
            Step::Change | Step::Remember => {
                let home = self.with_floor_plan(plan, home).await?;
                self.change(plan, &home).await
            }
            Step::Archive => self.archive(home).await,
        }
    }

    /// `value`, or the place that was made for it.
    fn settled(&self, field: &str, value: &Value) -> Value {
        let place = (field == "location").then(|| self.places.get(&value.to_string())).flatten();
        place.unwrap_or(value).clone()
    }

    async fn create(&mut self, plan: &mut Plan, home: &HomePlan) -> Result<(), Error> {
        let pictures = self.pictures(plan, home, &Memory::default()).await?;
        let mut body = Map::new();
        let mut texts: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        for (name, value) in &home.wanted {
            let value = self.settled(name, value);
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
        let files = arranged(&[], &[], &pictures, false);
        let rows = files
            .iter()
            .zip(1..)
            .map(|(file, sort)| json!({ "directus_files_id": file, "sort": sort }));
        body.insert("translations".to_owned(), texts.collect());
        body.insert("images".to_owned(), rows.collect());
        if home.step == Step::CreateDraft {
            // What is remembered is what the feed says, so no later run publishes what waits for an editor.
            body.insert("status".to_owned(), json!("draft"));
        }
        let memory = self.memory(plan, home, Memory::default(), pictures);
        body.insert("imported".to_owned(), memory.written());
        store::create_home(self.directus, &Value::Object(body)).await?;
        self.done.created += 1;
        Ok(())
    }

    async fn change(&mut self, plan: &mut Plan, home: &HomePlan) -> Result<(), Error> {
        let Some(stored) = &home.stored else { return Ok(()) };
        let before = stored.memory.clone().unwrap_or_default();
        let pictures = self.pictures(plan, home, &before).await?;
        let mut body = Map::new();
        let mut texts: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        for change in &home.changes {
            let value = self.settled(&change.field, &change.to);
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
        if home.pictures.is_some() && !plan.pictures_are_an_editor_s(Some(stored)) {
            let current: Vec<String> =
                stored.pictures.iter().map(|(_, file)| file.clone()).collect();
            let overwrite = plan.options.overwrite;
            let files = arranged(&current, &before.pictures, &pictures, overwrite);
            if files != current {
                body.insert("images".to_owned(), rows_of(&stored.pictures, &files));
            }
        }
        let memory = self.memory(plan, home, before.clone(), pictures);
        let is_seen = !body.is_empty();
        if stored.memory.as_ref() != Some(&memory) {
            body.insert("imported".to_owned(), memory.written());
        }
        if body.is_empty() || !self.is_as_planned(home, stored).await? {
            return Ok(());
        }
        store::change_home(self.directus, stored.id, &Value::Object(body)).await?;
        self.done.changed += usize::from(is_seen);
        Ok(())
    }

    async fn archive(&mut self, home: &HomePlan) -> Result<(), Error> {
        let Some(stored) = &home.stored else { return Ok(()) };
        if !self.is_as_planned(home, stored).await? {
            return Ok(());
        }
        let memory = memory_of_gone(stored);
        let change = json!({ "status": "archived", "imported": memory.written() });
        store::change_home(self.directus, stored.id, &change).await?;
        self.done.archived += 1;
        Ok(())
    }

    /// Whether nobody has written the home since the plan was made, which may be hours. Where somebody has
    /// it is told, and the next run compares anew.
    async fn is_as_planned(&mut self, home: &HomePlan, stored: &Stored) -> Result<bool, Error> {
        let now = store::home(self.directus, stored.id).await?;
        let is_as_planned = now.as_ref() == Some(stored);
        if !is_as_planned {
            let reason = "it was changed while the import ran; the next run sees to it".to_owned();
            self.done.refused.push((home.reference.clone(), reason));
        }
        Ok(is_as_planned)
    }

    fn memory(
        &self,
        plan: &Plan,
        home: &HomePlan,
        before: Memory,
        pictures: Vec<Remembered>,
    ) -> Memory {
        let now = home.wanted.iter();
        let now = now.map(|(name, value)| (name.clone(), mark(&self.settled(name, value))));
        Memory {
            source: plan.options.source.clone(),
            key: home.key.clone(),
            values: before.values.into_iter().chain(now).collect(),
            pictures: if home.pictures.is_some() { pictures } else { before.pictures },
            floor_plan: remembered_floor_plan(plan, home).or(before.floor_plan),
        }
    }
}

/// What a home remembers that has left its feed. One that was published remembers that it is archived: where
/// it comes back, the feed says something else, and it is published again. A draft stays an editor's.
fn memory_of_gone(stored: &Stored) -> Memory {
    let mut memory = stored.memory.clone().unwrap_or_default();
    if stored.status() == "published" {
        memory.values.insert("status".to_owned(), mark(&json!("archived")));
    }
    memory
}

/// `translations.en-GB.title` as its language and its field.
fn text_field(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("translations.")?.split_once('.')
}

/// An address without its query, which may be a secret.
fn bare(url: &str) -> String {
    url.split(['?', '#']).next().unwrap_or_default().to_owned()
}

/// What makes the rows `current` those of `files`.
fn rows_of(current: &[(i64, String)], files: &[String]) -> Value {
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
