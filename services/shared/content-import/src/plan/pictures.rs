//! Decides which pictures a home is to show, and which of them have to be fetched.

use serde_json::{Value, json};

use super::Plan;
use crate::{Listing, compare::Change, memory::url_fingerprint, store::Stored};

impl Plan {
    /// Returns whether the home had pictures before its first import: they are an editor's.
    pub(crate) fn has_editor_pictures(&self, found: Option<&Stored>) -> bool {
        let home = found.filter(|home| home.memory.is_none() && !self.options.overwrite);
        home.is_some_and(|home| !home.pictures.is_empty())
    }

    /// Returns how many pictures have to be fetched.
    pub(super) fn count_unknown_pictures(
        &self,
        urls: Option<&[String]>,
        found: Option<&Stored>,
    ) -> usize {
        if self.has_editor_pictures(found) {
            return 0;
        }
        let memory = found.and_then(|home| home.memory.as_ref());
        let is_unknown = |url: &&String| {
            let fingerprint = url_fingerprint(url);
            let before = memory.and_then(|memory| memory.picture(&fingerprint));
            match before {
                _ if self.options.refetch_pictures => true,
                Some(before) => before.file.is_none() && self.options.overwrite,
                None => !self.files.contains_key(&fingerprint),
            }
        };
        urls.unwrap_or_default().iter().filter(is_unknown).count()
    }

    /// Returns whether the pictures have to be written: the feed's pictures or their order have changed,
    /// the operator wants to overwrite what differs, or to fetch them again.
    pub(super) fn pictures_differ(&self, urls: Option<&[String]>, found: Option<&Stored>) -> bool {
        let (Some(urls), Some(home)) = (urls, found) else { return false };
        let fingerprints: Vec<String> = urls.iter().map(|url| url_fingerprint(url)).collect();
        let Some(memory) = &home.memory else {
            return !self.has_editor_pictures(found) && !urls.is_empty();
        };
        let known: Vec<&String> = memory.pictures.iter().map(|picture| &picture.url).collect();
        let is_unchanged = known.iter().copied().eq(fingerprints.iter());
        let is_shown = !self.options.overwrite
            || memory
                .pictures
                .iter()
                .map(|picture| picture.file.as_deref())
                .eq(home.pictures.iter().map(|(_, file)| Some(file.as_str())));
        !is_unchanged || !is_shown || (self.options.refetch_pictures && !urls.is_empty())
    }

    /// Returns the home's floor plan: its file, or the token of one that is yet to be fetched.
    pub(super) fn floor_plan(&self, url: &str, found: Option<&Stored>) -> Value {
        let shown = found.and_then(|home| home.fields.get("floor_plan"));
        let is_shown = |file: &&String| shown.and_then(Value::as_str) == Some(file.as_str());
        // If the home shows another file, that is an editor's, and the feed's is not fetched again.
        let known = self.files.get(&url_fingerprint(url));
        let known = known.filter(|file| !(self.options.refetch_pictures && is_shown(file)));
        known.map_or_else(|| new_floor_plan(url), |file| json!(file))
    }
}

/// Returns how many floor plans have to be fetched for `changes`: one or none.
pub(super) fn new_floor_plans(listing: &Listing, changes: &[Change]) -> usize {
    let new = listing.floor_plan.as_deref().map(new_floor_plan);
    changes.iter().filter(|change| Some(&change.to) == new.as_ref()).count()
}

/// Returns the token that a home has instead of the file of a floor plan that is yet to be fetched.
fn new_floor_plan(url: &str) -> Value {
    json!(format!("floor plan {}", url_fingerprint(url)))
}
