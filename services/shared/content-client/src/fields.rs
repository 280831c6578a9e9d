//! Which fields are asked for. Reading one item is on the way from an editor's click to the page,
//! so nested items name exactly what a snapshot shows.

use contracts::Collection;

/// What a snapshot shows of a file, under the field `$at` that names it.
macro_rules! picture {
    ($at:literal) => {
        concat!(
            $at,
            ".id,",
            $at,
            ".filename_download,",
            $at,
            ".type,",
            $at,
            ".width,",
            $at,
            ".height,",
            $at,
            ".description,",
            $at,
            ".description_es,",
            $at,
            ".modified_on"
        )
    };
}

/// The `fields` of a full reading of `collection`.
pub(crate) const fn full(collection: Collection) -> &'static str {
    match collection {
        Collection::Properties => concat!(
            "*,translations.*,images.id,images.sort,",
            picture!("images.directus_files_id"),
            ",location.id,location.status,location.slug,",
            "location.translations.languages_code,location.translations.name"
        ),
        Collection::Locations | Collection::Articles | Collection::Pages => {
            concat!("*,translations.*,", picture!("image"))
        }
        Collection::Team => concat!("*,translations.*,", picture!("photo")),
        Collection::SiteSettings => concat!("*,translations.*,", picture!("hero")),
        Collection::Docs | Collection::Navigation => "*,translations.*",
        Collection::Redirects => "*",
    }
}
