//! Homes, and pictures of homes, that a feed has no more. Where they are many, the feed is more likely wrong.

use std::collections::BTreeSet;

use serde_json::json;

use super::{HomePlan, Plan, Step};
use crate::{Error, Listing, compare::arranged, memory::mark, store::Stored};

/// So many homes may leave a feed or lose their pictures at once, where they are not most of them.
const FEW: usize = 5;

impl Plan {
    /// Homes of this source that its feed has no more.
    pub(super) fn gone(
        &mut self,
        stored: &[Stored],
        met: &BTreeSet<i64>,
        feed_is_empty: bool,
    ) -> Result<(), Error> {
        let ours: Vec<&Stored> = stored.iter().filter(|home| self.is_ours(home)).collect();
        let gone = ours.iter().copied().filter(|it| !met.contains(&it.id));
        let (back, gone): (Vec<&Stored>, Vec<&Stored>) = gone.partition(|it| is_brought_back(it));
        let all = ours.len() - back.len();
        let too_many = (feed_is_empty && !gone.is_empty()) || are_too_many(gone.len(), all);
        if self.options.archive_gone && too_many && !self.options.allow_mass_removal {
            return Err(Error::TooManyGone { gone: gone.len(), all });
        }
        let step = if self.options.archive_gone { Step::Archive } else { Step::Gone };
        for (homes, step, kept) in [(gone, step, None), (back, Step::Gone, Some("status"))] {
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

    /// Refuses a feed that says of many homes that they have no pictures any more.
    pub(super) fn check_lost_pictures(&self, stored: &[Stored]) -> Result<(), Error> {
        let shows_some = |home: &&Stored| self.is_ours(home) && self.shows_the_feed_s(home);
        let has_none = |home: &&HomePlan| home.pictures.as_ref().is_some_and(Vec::is_empty);
        let without = self.steps.iter().filter(has_none).filter_map(|home| home.stored.as_ref());
        let without = without.filter(shows_some).count();
        let all = stored.iter().filter(shows_some).count();
        if are_too_many(without, all) && !self.options.allow_mass_removal {
            return Err(Error::TooManyWithoutPictures { without, all });
        }
        Ok(())
    }

    /// Whether the home is of this source, and not archived.
    fn is_ours(&self, home: &Stored) -> bool {
        home.memory.as_ref().is_some_and(|memory| memory.source == self.options.source)
            && home.status() != "archived"
    }

    /// Whether the home shows pictures that go where its feed has none.
    fn shows_the_feed_s(&self, home: &Stored) -> bool {
        let shown: Vec<String> = home.pictures.iter().map(|(_, file)| file.clone()).collect();
        let before = home.memory.as_ref().map_or(&[][..], |memory| memory.pictures.as_slice());
        arranged(&shown, before, &[], self.options.overwrite) != shown
    }
}

/// Whether the home, which is not archived, has been since it left its feed: an editor has it so.
fn is_brought_back(home: &Stored) -> bool {
    let last = home.memory.as_ref().and_then(|memory| memory.values.get("status"));
    last.is_some_and(|last| *last == mark(&json!("archived")))
}

/// Whether `some` of `all` homes are so many that the feed is more likely wrong: more than a fifth, of few
/// homes more than half. One alone never is.
const fn are_too_many(some: usize, all: usize) -> bool {
    (some > FEW && some * 5 > all) || (some > 1 && some * 2 > all)
}
