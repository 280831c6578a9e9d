//! Fetches the new pictures of a home.

use futures::{StreamExt, TryStreamExt, stream};

use super::{Applier, strip_query};
use crate::{
    Error,
    memory::{Memory, RememberedPicture, url_fingerprint},
    plan::{HomePlan, Plan},
    store,
};

const MAX_CONCURRENT_FETCHES: usize = 4;

impl Applier<'_> {
    /// Returns the feed's pictures with their files, fetching new ones. Failures are recorded. If a
    /// picture can't be fetched again, its earlier file stays; if it was to replace another one, that
    /// one stays. Such a picture keeps its old address in the memory, so that the next run tries again.
    pub(super) async fn pictures(
        &mut self,
        plan: &mut Plan,
        home: &HomePlan,
        before: &Memory,
    ) -> Result<Vec<RememberedPicture>, Error> {
        let urls = home.pictures.clone().unwrap_or_default();
        if plan.has_editor_pictures(home.stored.as_ref()) {
            let declined =
                urls.iter().map(|url| RememberedPicture { url: url_fingerprint(url), file: None });
            return Ok(declined.collect());
        }
        let known = &plan.files;
        let options = &plan.options;
        let (directus, source) = (self.directus, self.fetcher);
        let fetched = stream::iter(&urls).map(|url| async move {
            let fingerprint = url_fingerprint(url);
            let remembered = before.picture(&fingerprint);
            let is_declined = remembered.is_some_and(|picture| picture.file.is_none());
            if is_declined && !options.overwrite {
                return Ok((url, Ok((RememberedPicture { url: fingerprint, file: None }, false))));
            }
            let file = remembered.and_then(|picture| picture.file.as_ref());
            let file =
                file.or_else(|| known.get(&fingerprint)).filter(|_| !options.refetch_pictures);
            if let Some(file) = file
                && (remembered.is_some() && !options.overwrite
                    || store::has_file(directus, file).await?)
            {
                return Ok((
                    url,
                    Ok((RememberedPicture { url: fingerprint, file: Some(file.clone()) }, false)),
                ));
            }
            let picture = match source.picture(url).await {
                Ok(picture) => picture,
                Err(reason) => return Ok::<_, Error>((url, Err(reason))),
            };
            store::add_file(directus, &picture).await?;
            Ok((url, Ok((RememberedPicture { url: fingerprint, file: Some(picture.file) }, true))))
        });
        let fetched: Vec<_> = fetched.buffered(MAX_CONCURRENT_FETCHES).try_collect().await?;
        let overwrite = plan.options.overwrite;
        let shown: Vec<&String> =
            home.stored.iter().flat_map(|it| &it.pictures).map(|(_, file)| file).collect();
        let is_shown = |picture: &RememberedPicture| {
            picture.file.as_ref().is_some_and(|it| shown.contains(&it))
        };
        let files: Vec<String> = fetched
            .iter()
            .filter_map(|(_, picture)| picture.as_ref().ok()?.0.file.clone())
            .collect();
        // Pictures that are shown, and that the feed no longer has, neither by address nor by file.
        let mut replaced = before.pictures.iter().filter(|picture| {
            let is_replaced = |file: &String| shown.contains(&file) && !files.contains(file);
            picture.file.as_ref().is_some_and(is_replaced)
                && !urls.iter().any(|url| url_fingerprint(url) == picture.url)
        });
        let mut pictures = Vec::new();
        for (url, picture) in fetched {
            match picture {
                Ok((picture, is_new)) => {
                    if let Some(file) = &picture.file {
                        plan.files.insert(picture.url.clone(), file.clone());
                    }
                    self.outcome.fetched += usize::from(is_new);
                    pictures.push(picture);
                }
                Err(reason) => {
                    let failed = (home.reference.clone(), strip_query(url), reason);
                    self.outcome.failed_pictures.push(failed);
                    match before.picture(&url_fingerprint(url)) {
                        // Overwriting shows every remembered file, so one that may be gone is not
                        // remembered.
                        Some(earlier)
                            if overwrite && earlier.file.is_some() && !is_shown(earlier) => {}
                        Some(earlier) => pictures.push(earlier.clone()),
                        None => pictures.extend(replaced.next().cloned()),
                    }
                }
            }
        }
        Ok(pictures)
    }
}
