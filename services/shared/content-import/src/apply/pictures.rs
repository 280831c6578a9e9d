//! The views of a home, fetched where they are new.

use futures::{StreamExt, TryStreamExt, stream};

use super::{Work, bare};
use crate::{
    Error,
    memory::{Memory, Remembered, mark_of_url},
    plan::{HomePlan, Plan},
    store,
};

const FETCHES_AT_ONCE: usize = 4;

impl Work<'_> {
    /// The pictures of the feed, with their files. Those that can't be had are told; one that was had
    /// before stays, and so does one that another was to stand for. What stays without its address in the
    /// feed is remembered by that of before, so that the next run tries again.
    pub(super) async fn pictures(
        &mut self,
        plan: &mut Plan,
        home: &HomePlan,
        before: &Memory,
    ) -> Result<Vec<Remembered>, Error> {
        let urls = home.pictures.clone().unwrap_or_default();
        if plan.pictures_are_an_editor_s(home.stored.as_ref()) {
            let declined = urls.iter().map(|url| Remembered { url: mark_of_url(url), file: None });
            return Ok(declined.collect());
        }
        let known = &plan.files;
        let options = &plan.options;
        let (directus, fetcher) = (self.directus, self.fetcher);
        let had = stream::iter(&urls).map(|url| async move {
            let mark = mark_of_url(url);
            let remembered = before.picture(&mark);
            let is_declined = remembered.is_some_and(|picture| picture.file.is_none());
            if is_declined && !options.overwrite {
                return Ok((url, Ok((Remembered { url: mark, file: None }, false))));
            }
            let file = remembered.and_then(|picture| picture.file.as_ref());
            let file = file.or_else(|| known.get(&mark)).filter(|_| !options.refetch_pictures);
            if let Some(file) = file
                && (remembered.is_some() && !options.overwrite
                    || store::has_file(directus, file).await?)
            {
                return Ok((url, Ok((Remembered { url: mark, file: Some(file.clone()) }, false))));
            }
            let picture = match fetcher.picture(url).await {
                Ok(picture) => picture,
                Err(reason) => return Ok::<_, Error>((url, Err(reason))),
            };
            store::add_file(directus, &picture).await?;
            Ok((url, Ok((Remembered { url: mark, file: Some(picture.file) }, true))))
        });
        let had: Vec<_> = had.buffered(FETCHES_AT_ONCE).try_collect().await?;
        let overwrite = plan.options.overwrite;
        let shown: Vec<&String> =
            home.stored.iter().flat_map(|it| &it.pictures).map(|(_, file)| file).collect();
        let is_shown = |had: &Remembered| had.file.as_ref().is_some_and(|it| shown.contains(&it));
        let files: Vec<String> =
            had.iter().filter_map(|(_, picture)| picture.as_ref().ok()?.0.file.clone()).collect();
        // What is shown, and stands in the feed neither by its address nor by what it shows.
        let mut replaced = before.pictures.iter().filter(|had| {
            let stays = |file: &String| shown.contains(&file) && !files.contains(file);
            had.file.as_ref().is_some_and(stays)
                && !urls.iter().any(|url| mark_of_url(url) == had.url)
        });
        let mut pictures = Vec::new();
        for (url, picture) in had {
            match picture {
                Ok((picture, is_new)) => {
                    if let Some(file) = &picture.file {
                        plan.files.insert(picture.url.clone(), file.clone());
                    }
                    self.done.fetched += usize::from(is_new);
                    pictures.push(picture);
                }
                Err(reason) => {
                    let failed = (home.reference.clone(), bare(url), reason);
                    self.done.failed_pictures.push(failed);
                    match before.picture(&mark_of_url(url)) {
                        // To overwrite shows all that is remembered, and a file that is gone can't be.
                        Some(had) if overwrite && had.file.is_some() && !is_shown(had) => {}
                        Some(had) => pictures.push(had.clone()),
                        None => pictures.extend(replaced.next().cloned()),
                    }
                }
            }
        }
        Ok(pictures)
    }
}
