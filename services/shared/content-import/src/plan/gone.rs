//! Homes that have left a feed, and homes whose pictures have. If they are many, the feed is more likely
//! wrong.

use std::collections::BTreeSet;

use serde_json::json;

use super::{HomePlan, HomeStep, Plan};
use crate::{Error, Listing, compare::arrange_pictures, memory::fingerprint, store::Stored};

/// This many homes may always leave a feed or lose their pictures at once, unless they are more than half.
const ALLOWED_LOSSES: usize = 5;

impl Plan {
    /// Adds steps for the homes of this source that have left its feed. Fails if too many would be
    /// archived.
    pub(super) fn add_gone_homes(
        &mut self,
        stored: &[Stored],
        matched: &BTreeSet<i64>,
        feed_is_empty: bool,
    ) -> Result<(), Error> {
        let homes_of_source: Vec<&Stored> =
            stored.iter().filter(|home| self.is_from_source(home)).collect();
        let gone = homes_of_source.iter().copied().filter(|it| !matched.contains(&it.id));
        let (restored, gone): (Vec<&Stored>, Vec<&Stored>) =
            gone.partition(|it| is_restored_by_editor(it));
        let all = homes_of_source.len() - restored.len();
        let too_many = (feed_is_empty && !gone.is_empty()) || are_too_many(gone.len(), all);
        if self.options.archive_gone && too_many && !self.options.allow_mass_removal {
            return Err(Error::TooManyGone { gone: gone.len(), all });
        }
        let step = if self.options.archive_gone { HomeStep::Archive } else { HomeStep::Gone };
        for (homes, step, kept) in [(gone, step, None), (restored, HomeStep::Gone, Some("status"))]
        {
            self.steps.extend(homes.into_iter().map(|home| HomePlan {
                step,
                reference: home.reference().to_owned(),
                kept: kept.map(str::to_owned).into_iter().collect(),
                stored: Some(home.clone()),
                ..HomePlan::refused(&Listing::default(), Vec::new())
            }));
        }
        Ok(())
    }

    /// Fails if too many homes would lose all their pictures.
    pub(super) fn check_lost_pictures(&self, stored: &[Stored]) -> Result<(), Error> {
        let shows_some =
            |home: &&Stored| self.is_from_source(home) && self.shows_feed_pictures(home);
        let has_none = |home: &&HomePlan| home.pictures.as_ref().is_some_and(Vec::is_empty);
        let without = self.steps.iter().filter(has_none).filter_map(|home| home.stored.as_ref());
        let without = without.filter(shows_some).count();
        let all = stored.iter().filter(shows_some).count();
        if are_too_many(without, all) && !self.options.allow_mass_removal {
            return Err(Error::TooManyWithoutPictures { without, all });
        }
        Ok(())
    }

    /// Returns whether the home is from this source, and not archived.
    fn is_from_source(&self, home: &Stored) -> bool {
        home.memory.as_ref().is_some_and(|memory| memory.source == self.options.source)
            && home.status() != "archived"
    }

    /// Returns whether the home shows pictures that would be removed if its feed had none.
    fn shows_feed_pictures(&self, home: &Stored) -> bool {
        let shown: Vec<String> = home.pictures.iter().map(|(_, file)| file.clone()).collect();
        let before = home.memory.as_ref().map_or(&[][..], |memory| memory.pictures.as_slice());
        arrange_pictures(&shown, before, &[], self.options.overwrite) != shown
    }
}

/// Returns whether the home, which is not archived, was archived by an earlier run: an editor has
/// restored it since.
fn is_restored_by_editor(home: &Stored) -> bool {
    let last = home.memory.as_ref().and_then(|memory| memory.values.get("status"));
    last.is_some_and(|last| *last == fingerprint(&json!("archived")))
}

/// Returns whether `some` of `all` homes are so many that the feed is more likely wrong: more than a
/// fifth, or more than half if they are few. A single home never is.
const fn are_too_many(some: usize, all: usize) -> bool {
    (some > ALLOWED_LOSSES && some * 5 > all) || (some > 1 && some * 2 > all)
}
