//! The picture of a home that is no view of it.

use serde_json::json;

use super::{Work, bare};
use crate::{
    Error,
    memory::{Remembered, mark_of_url},
    plan::{HomePlan, Plan},
    store,
};

const FIELD: &str = "floor_plan";

impl Work<'_> {
    /// `home` with the file of its floor plan. Where that can't be had it is told, what the home shows
    /// stays, and nothing is remembered, so that the next run tries again.
    pub(super) async fn with_floor_plan(
        &mut self,
        plan: &mut Plan,
        home: &HomePlan,
    ) -> Result<HomePlan, Error> {
        let mut home = home.clone();
        let is_written =
            home.stored.is_none() || home.changes.iter().any(|change| change.field == FIELD);
        let Some(url) = home.floor_plan.clone().filter(|_| is_written) else { return Ok(home) };
        match self.file_of_floor_plan(plan, &url).await? {
            Ok(file) => {
                let file = json!(file);
                for change in home.changes.iter_mut().filter(|change| change.field == FIELD) {
                    change.to = file.clone();
                }
                home.wanted.insert(FIELD.to_owned(), file);
            }
            Err(reason) => {
                self.done.failed_pictures.push((home.reference.clone(), bare(&url), reason));
                home.changes.retain(|change| change.field != FIELD);
                home.wanted.remove(FIELD);
            }
        }
        Ok(home)
    }

    /// The file of the floor plan at `url`, or why there is none.
    async fn file_of_floor_plan(
        &mut self,
        plan: &mut Plan,
        url: &str,
    ) -> Result<Result<String, String>, Error> {
        let mark = mark_of_url(url);
        let known = plan.files.get(&mark).filter(|_| !plan.options.refetch_pictures);
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
        self.done.fetched += 1;
        plan.files.insert(mark, picture.file.clone());
        Ok(Ok(picture.file))
    }
}

/// The floor plan that the feed names for `home`, where its file is known.
pub(super) fn remembered_floor_plan(plan: &Plan, home: &HomePlan) -> Option<Remembered> {
    let url = mark_of_url(home.floor_plan.as_deref()?);
    let file = plan.files.get(&url)?.clone();
    Some(Remembered { url, file: Some(file) })
}
