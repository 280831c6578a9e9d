//! Plans what an import would do, home by home, without writing anything.

mod gone;
mod pictures;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use contracts::{Violation, rules::OfferRule};
use directus_setup::Directus;
use serde_json::{Value, json};

use self::pictures::new_floor_plans;
use crate::{
    Error, Feed, Listing,
    checks::violations,
    compare::{Change, Compared, Flat, compare},
    memory::{Memory, fingerprint},
    places::{Place, Places},
    store::{self, Stored},
    titles::add_texts,
};

/// The operator's options.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command")]
pub struct Options {
    /// The feed's name. Homes of different feeds are never confused.
    pub source: String,
    /// Whether the feed's values replace an editor's.
    pub overwrite: bool,
    /// Whether new homes become drafts.
    pub as_drafts: bool,
    /// Whether homes that have left the feed are archived.
    pub archive_gone: bool,
    /// Whether many homes may be archived, or lose their pictures, at once.
    pub allow_mass_removal: bool,
    /// Whether unknown places are created, if their slugs are free.
    pub create_places: bool,
    /// Whether pictures with known addresses are fetched again.
    pub refetch_pictures: bool,
    /// The feed's names for places, with their slugs.
    pub places: BTreeMap<String, String>,
}

/// What an import would do.
#[derive(Debug)]
pub struct Plan {
    /// The plan for each home.
    pub steps: Vec<HomePlan>,
    /// Places to create first.
    pub new_places: Vec<NewPlace>,
    /// Unknown places, with the references of the homes that name them.
    pub unknown_places: BTreeMap<String, Vec<String>>,
    /// What was skipped in the feed because it has no equivalent here, with how often it occurred.
    pub skipped: BTreeMap<String, usize>,
    pub(crate) options: Options,
    /// Known files, by the fingerprints of their addresses.
    pub(crate) files: HashMap<String, String>,
}

/// A place to create.
#[derive(Clone, Debug, PartialEq)]
pub struct NewPlace {
    /// Its name.
    pub name: String,
    pub(crate) point: Option<(f64, f64)>,
}

/// What the import does with a home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HomeStep {
    /// It is created and published.
    Create,
    /// It is created as a draft.
    CreateDraft,
    /// Fields or pictures change.
    Change,
    /// Nothing visible changes, but the feed's new values are remembered.
    Remember,
    /// It stays as it is.
    Leave,
    /// It can't be imported.
    Refuse,
    /// It is archived, because it has left the feed.
    Archive,
    /// It has left the feed, but stays.
    Gone,
}

/// The plan for one home.
#[derive(Clone, Debug)]
pub struct HomePlan {
    /// Its position in the feed.
    pub at: String,
    /// Its reference.
    pub reference: String,
    /// What is done with it.
    pub step: HomeStep,
    /// Fields to write.
    pub changes: Vec<Change>,
    /// Fields that keep an editor's value.
    pub kept: Vec<String>,
    /// Why it can't be imported, or becomes a draft.
    pub reasons: Vec<Violation>,
    /// How many pictures have to be fetched.
    pub fetches: usize,
    pub(crate) key: String,
    pub(crate) wanted: Flat,
    pub(crate) pictures: Option<Vec<String>>,
    pub(crate) floor_plan: Option<String>,
    pub(crate) stored: Option<Stored>,
}

/// Compares `feed` with the content of `directus`.
///
/// # Errors
/// If Directus can't be read, or if too many homes would be archived or lose their pictures.
pub async fn plan(directus: &Directus, feed: &Feed, options: &Options) -> Result<Plan, Error> {
    let stored = store::homes(directus).await?;
    let places = Places::new(&store::places(directus).await?, &options.places);
    build_plan(feed, &stored, &places, options)
}

fn build_plan(
    feed: &Feed,
    stored: &[Stored],
    places: &Places,
    options: &Options,
) -> Result<Plan, Error> {
    let files = stored
        .iter()
        .filter_map(|home| home.memory.as_ref())
        .flat_map(|memory| memory.pictures.iter().chain(&memory.floor_plan))
        .filter_map(|picture| Some((picture.url.clone(), picture.file.clone()?)))
        .collect();
    let mut plan = Plan {
        steps: Vec::with_capacity(feed.listings.len()),
        new_places: Vec::new(),
        unknown_places: BTreeMap::new(),
        skipped: feed.skipped.clone(),
        options: options.clone(),
        files,
    };
    let keys = feed.listings.iter().map(|listing| listing.key.as_str()).collect();
    let mut seen = Seen::default();
    let mut matched = BTreeSet::new();
    for listing in &feed.listings {
        let found = match find(stored, listing, &options.source, &keys) {
            Ok(found) => found,
            Err(reason) => {
                plan.steps.push(HomePlan::refused(listing, vec![reason]));
                continue;
            }
        };
        if let Some(home) = found {
            matched.insert(home.id);
        }
        let step = match seen.check_duplicate(listing) {
            Some(reason) => HomePlan::refused(listing, vec![reason]),
            None => plan.plan_home(listing, found, places),
        };
        plan.steps.push(step);
    }
    plan.add_gone_homes(stored, &matched, feed.listings.is_empty())?;
    plan.check_lost_pictures(stored)?;
    Ok(plan)
}

/// Keys and references seen in the feed so far.
#[derive(Default)]
struct Seen {
    keys: BTreeSet<String>,
    references: BTreeSet<String>,
}

impl Seen {
    /// Records the key and the reference of `listing`. Returns a violation if one of them was seen before.
    fn check_duplicate(&mut self, listing: &Listing) -> Option<Violation> {
        let duplicate = |field: &str, value: &str| {
            Some(Violation::new(field, &json!(value), "must be unique in a feed"))
        };
        if !self.keys.insert(listing.key.clone()) {
            return duplicate("id", &listing.key);
        }
        if !self.references.insert(listing.reference().to_owned()) {
            return duplicate("ref", listing.reference());
        }
        None
    }
}

/// Returns the stored home of `listing`: the one that remembers it, or else the one with its reference.
/// Fails if the latter belongs to another feed, or to another listing of this one, which has the `keys`.
fn find<'a>(
    stored: &'a [Stored],
    listing: &Listing,
    source: &str,
    keys: &BTreeSet<&str>,
) -> Result<Option<&'a Stored>, Violation> {
    let remembers = |home: &&Stored| {
        home.memory.as_ref().is_some_and(|it| it.source == source && it.key == listing.key)
    };
    if let Some(home) = stored.iter().find(remembers) {
        return Ok(Some(home));
    }
    let Some(home) = stored.iter().find(|home| home.reference() == listing.reference()) else {
        return Ok(None);
    };
    let taken = |rule: String| Err(Violation::new("ref", &json!(listing.reference()), rule));
    match &home.memory {
        Some(memory) if memory.source != source => taken(format!(
            "must belong to one feed only, and belongs to a home of `{}`",
            memory.source
        )),
        Some(memory) if keys.contains(memory.key.as_str()) => taken(format!(
            "must belong to one home only, and belongs to the home with the id `{}`",
            memory.key
        )),
        _ => Ok(Some(home)),
    }
}

impl HomePlan {
    fn refused(listing: &Listing, reasons: Vec<Violation>) -> Self {
        Self {
            at: listing.at.clone(),
            reference: listing.reference().to_owned(),
            step: HomeStep::Refuse,
            changes: Vec::new(),
            kept: Vec::new(),
            reasons,
            fetches: 0,
            key: listing.key.clone(),
            wanted: Flat::new(),
            pictures: None,
            floor_plan: None,
            stored: None,
        }
    }
}

impl Plan {
    fn plan_home(
        &mut self,
        listing: &Listing,
        found: Option<&Stored>,
        places: &Places,
    ) -> HomePlan {
        let mut wanted: Flat = listing
            .fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        let mut reasons = listing.violations.clone();
        let place = places.find(&listing.places);
        match &place {
            Some(Place::Known(id)) => {
                wanted.insert("location".to_owned(), json!(id));
            }
            Some(Place::Unknown(name)) if self.options.create_places && places.is_free(name) => {
                self.new_place(name, listing);
                wanted.insert("location".to_owned(), new_place_token(name));
            }
            Some(Place::Unknown(name)) => {
                let homes = self.unknown_places.entry(name.clone()).or_default();
                homes.push(listing.reference().to_owned());
                let rule = "must be a place of the site";
                reasons.push(Violation::new("place", &json!(name), rule));
            }
            None => {
                let rule = "must be a place of the site; it can't be empty";
                reasons.push(Violation::new("place", &Value::Null, rule));
            }
        }
        if let Some(url) = &listing.floor_plan {
            wanted.insert("floor_plan".to_owned(), self.floor_plan(url, found));
        }
        add_texts(&mut wanted, listing, found, |locale| match &place {
            Some(Place::Known(id)) => places.name(*id, locale),
            Some(Place::Unknown(name)) => name.as_str(),
            None => "",
        });
        let missing = OfferRule::check(|field| wanted.get(field).unwrap_or(&Value::Null)).err();
        let status = if missing.is_some() && may_be_draft(found) { "draft" } else { "published" };
        wanted.insert("status".to_owned(), json!(status));

        let memory = found.and_then(|home| home.memory.as_ref());
        let compared = match found {
            None => Compared {
                changes: wanted.iter().map(|(field, to)| initial_change(field, to)).collect(),
                kept: Vec::new(),
            },
            Some(home) => compare(&wanted, &home.fields, memory, self.options.overwrite),
        };
        reasons.extend(violations(found.map(|home| &home.fields), &compared.changes));
        if !reasons.is_empty() {
            return HomePlan::refused(listing, reasons);
        }
        let fetches = self.count_unknown_pictures(listing.pictures.as_deref(), found)
            + new_floor_plans(listing, &compared.changes);
        let shows_other_pictures = self.pictures_differ(listing.pictures.as_deref(), found);
        let next = self.planned_memory(listing, &wanted, found);
        let step = match found {
            None if status == "published" && !self.options.as_drafts => HomeStep::Create,
            None => HomeStep::CreateDraft,
            Some(_) if !compared.changes.is_empty() || shows_other_pictures => HomeStep::Change,
            Some(_)
                if memory.is_none_or(|memory| {
                    memory.values != next.values || memory.key != next.key
                }) =>
            {
                HomeStep::Remember
            }
            Some(_) => HomeStep::Leave,
        };
        if step == HomeStep::CreateDraft {
            reasons.extend(missing);
        }
        let changes = if found.is_some() { compared.changes } else { Vec::new() };
        HomePlan {
            at: listing.at.clone(),
            reference: listing.reference().to_owned(),
            step,
            changes,
            kept: compared.kept,
            reasons,
            fetches,
            key: listing.key.clone(),
            wanted,
            pictures: listing.pictures.clone(),
            floor_plan: listing.floor_plan.clone(),
            stored: found.cloned(),
        }
    }

    fn new_place(&mut self, name: &str, listing: &Listing) {
        let slug = crate::places::slug(name);
        if self.new_places.iter().any(|place| crate::places::slug(&place.name) == slug) {
            return;
        }
        let degrees = |field: &str| listing.fields.get(field).and_then(Value::as_f64);
        let point = degrees("lat").zip(degrees("lng"));
        self.new_places.push(NewPlace { name: name.to_owned(), point });
    }

    /// Returns what the home would remember, with its pictures unchanged.
    fn planned_memory(&self, listing: &Listing, wanted: &Flat, found: Option<&Stored>) -> Memory {
        let before = found.and_then(|home| home.memory.clone()).unwrap_or_default();
        let values = wanted.iter().map(|(field, value)| (field.clone(), fingerprint(value)));
        Memory {
            source: self.options.source.clone(),
            key: listing.key.clone(),
            values: before.values.into_iter().chain(values).collect(),
            pictures: before.pictures,
            floor_plan: before.floor_plan,
        }
    }
}

/// Returns whether a home that lacks what every offer must have may be a draft until its feed has it.
/// That is so for a new home, and for one that has been such a draft since. A feed that loses a rating
/// takes nothing off the site. If the home was to be published before, an editor who has withdrawn it
/// has the last word.
fn may_be_draft(found: Option<&Stored>) -> bool {
    let Some(home) = found else { return true };
    let last = home.memory.as_ref().and_then(|memory| memory.values.get("status"));
    let was_draft = last.is_some_and(|last| *last != fingerprint(&json!("published")));
    was_draft && home.status() != "published"
}

/// Returns the token that a home has instead of the id of a place that is yet to be created.
pub(crate) fn new_place_token(name: &str) -> Value {
    json!(format!("new place {}", crate::places::slug(name)))
}

fn initial_change(field: &str, to: &Value) -> Change {
    Change { field: field.to_owned(), from: Value::Null, to: to.clone(), overrides_editor: false }
}

#[cfg(test)]
mod tests;
