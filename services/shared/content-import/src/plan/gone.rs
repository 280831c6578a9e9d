//! Homes, and pictures of homes, that a feed has no more. Where they are many, the feed is more likely wrong.

use std::collections::BTreeSet;

use super::{HomePlan, Plan, Step};
use crate::{Error, Listing, compare::arranged, store::Stored};

/// So few homes may leave a feed or lose their pictures at once, however few there are.
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
        let gone: Vec<&Stored> = ours.iter().copied().filter(|it| !met.contains(&it.id)).collect();
        let too_many = (feed_is_empty && !gone.is_empty()) || are_too_many(gone.len(), ours.len());
        if self.options.archive_gone && too_many && !self.options.allow_mass_removal {
            return Err(Error::TooManyGone { gone: gone.len(), all: ours.len() });
        }
        let step = if self.options.archive_gone { Step::Archive } else { Step::Gone };
        for home in gone {
            let listing = Listing::default();
            self.steps.push(HomePlan {
                step,
                reference: home.reference().to_owned(),
                stored: Some(home.clone()),
                ..HomePlan::refused(&listing, Vec::new())
            });
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

/// Whether `some` of `all` homes are so many that the feed is more likely wrong.
const fn are_too_many(some: usize, all: usize) -> bool {
    some > FEW && some * 5 > all
}
