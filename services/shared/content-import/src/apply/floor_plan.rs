//! Fetches the floor plan of a home.

use serde_json::json;

use super::{Applier, strip_query};
use crate::{
    Error,
    memory::{RememberedPicture, url_fingerprint},
    plan::{HomePlan, Plan},
    store,
};

const FIELD: &str = "floor_plan";

impl Applier<'_> {
    /// Returns `home` with the file of its floor plan. If that can't be fetched, the failure is
    /// recorded, the home keeps the floor plan it shows, and nothing is remembered, so that the next run
    /// tries again.
    pub(super) async fn with_floor_plan(
        &mut self,
        plan: &mut Plan,
        home: &HomePlan,
    ) -> Result<HomePlan, Error> {
        let mut home = home.clone();
        let is_written =
            home.stored.is_none() || home.changes.iter().any(|change| change.field == FIELD);
        let Some(url) = home.floor_plan.clone().filter(|_| is_written) else { return Ok(home) };
        match self.floor_plan_file(plan, &url).await? {
            Ok(file) => {
                let file = json!(file);
                for change in home.changes.iter_mut().filter(|change| change.field == FIELD) {
                    change.to = file.clone();
                }
                home.wanted.insert(FIELD.to_owned(), file);
            }
            Err(reason) => {
                self.outcome.failed_pictures.push((
                    home.reference.clone(),
                    strip_query(&url),
                    reason,
                ));
                home.changes.retain(|change| change.field != FIELD);
                home.wanted.remove(FIELD);
            }
        }
        Ok(home)
    }

    /// Returns the file of the floor plan at `url`, or why it can't be fetched.
    async fn floor_plan_file(
        &mut self,
        plan: &mut Plan,
        url: &str,
    ) -> Result<Result<String, String>, Error> {
        let fingerprint = url_fingerprint(url);
        let known = plan.files.get(&fingerprint).filter(|_| !plan.options.refetch_pictures);
        if let Some(file) = known
            && store::has_file(self.directus, file).await?
        {
            return Ok(Ok(file.clone()));
        }
        let picture = match self.fetcher.picture(url).await {
            Ok(picture) => picture,
            Err(reason) => return Ok(Err(reason)),
        };
        store::add_file(self.directus, &picture).await?;
        self.outcome.fetched += 1;
        plan.files.insert(fingerprint, picture.file.clone());
        Ok(Ok(picture.file))
    }
}

/// Returns the floor plan that the feed names for `home`, if its file is known.
pub(super) fn remembered_floor_plan(plan: &Plan, home: &HomePlan) -> Option<RememberedPicture> {
    let url = url_fingerprint(home.floor_plan.as_deref()?);
    let file = plan.files.get(&url)?.clone();
    Some(RememberedPicture { url, file: Some(file) })
}
