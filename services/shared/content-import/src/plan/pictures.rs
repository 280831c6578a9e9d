//! Which pictures a home is to show, and which of them have to be fetched.

use serde_json::{Value, json};

use super::Plan;
use crate::{Listing, compare::Change, memory::mark_of_url, store::Stored};

impl Plan {
    /// Whether the home had pictures before any feed told of it: they are an editor's.
    pub(crate) fn pictures_are_an_editor_s(&self, found: Option<&Stored>) -> bool {
        let home = found.filter(|home| home.memory.is_none() && !self.options.overwrite);
        home.is_some_and(|home| !home.pictures.is_empty())
    }

    /// How many pictures have to be fetched.
    pub(super) fn unknown_pictures(
        &self,
        urls: Option<&[String]>,
        found: Option<&Stored>,
    ) -> usize {
        if self.pictures_are_an_editor_s(found) {
            return 0;
        }
        let memory = found.and_then(|home| home.memory.as_ref());
        let is_unknown = |url: &&String| {
            let mark = mark_of_url(url);
            let before = memory.and_then(|memory| memory.picture(&mark));
            match before {
                _ if self.options.refetch_pictures => true,
                Some(before) => before.file.is_none() && self.options.overwrite,
                None => !self.files.contains_key(&mark),
            }
        };
        urls.unwrap_or_default().iter().filter(is_unknown).count()
    }

    /// Whether the feed has other pictures than it had, or another order of them.
    pub(super) fn pictures_differ(&self, urls: Option<&[String]>, found: Option<&Stored>) -> bool {
        let (Some(urls), Some(home)) = (urls, found) else { return false };
        let marks: Vec<String> = urls.iter().map(|url| mark_of_url(url)).collect();
        let Some(memory) = &home.memory else {
            return !self.pictures_are_an_editor_s(found) && !urls.is_empty();
        };
        let known: Vec<&String> = memory.pictures.iter().map(|picture| &picture.url).collect();
        let is_as_it_was = known.iter().copied().eq(marks.iter());
        let is_shown = !self.options.overwrite
            || memory
                .pictures
                .iter()
                .map(|picture| picture.file.as_deref())
                .eq(home.pictures.iter().map(|(_, file)| Some(file.as_str())));
        !is_as_it_was || !is_shown || (self.options.refetch_pictures && !urls.is_empty())
    }

    /// What the home's floor plan is to be: its file, or what stands for one that is yet to be fetched.
    pub(super) fn floor_plan(&self, url: &str, found: Option<&Stored>) -> Value {
        let shown = found.and_then(|home| home.fields.get("floor_plan"));
        let is_shown = |file: &&String| shown.and_then(Value::as_str) == Some(file.as_str());
        // Another than the feed's is an editor's, and not fetched again.
        let known = self.files.get(&mark_of_url(url));
        let known = known.filter(|file| !(self.options.refetch_pictures && is_shown(file)));
        known.map_or_else(|| new_floor_plan(url), |file| json!(file))
    }
}

/// How many floor plans have to be fetched for `changes`: one or none.
pub(super) fn new_floor_plans(listing: &Listing, changes: &[Change]) -> usize {
    let new = listing.floor_plan.as_deref().map(new_floor_plan);
    changes.iter().filter(|change| Some(&change.to) == new.as_ref()).count()
}

/// By which a floor plan that is yet to be fetched stands in a home.
fn new_floor_plan(url: &str) -> Value {
    json!(format!("floor plan {}", mark_of_url(url)))
}
