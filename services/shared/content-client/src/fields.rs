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

/// What is read of a place in what names it, under the path that does.
macro_rules! place {
    ($($at:literal),+) => {
        concat!($($at,)+ ".id,", $($at,)+ ".status,", $($at,)+ ".slug")
    };
}

/// The same of all the places around one, under the field `$at` that names the nearest: one for each
/// of [`MAX_AROUND`], and whether the last is part of another still.
macro_rules! places_around {
    ($at:literal) => {
        concat!(
            place!($at),
            ",",
            place!($at, ".part_of"),
            ",",
            place!($at, ".part_of", ".part_of"),
            ",",
            place!($at, ".part_of", ".part_of", ".part_of"),
            ",",
            $at,
            ".part_of.part_of.part_of.part_of"
        )
    };
}

/// How many places one can be part of, each in the next: a quarter of a town of a district of a
/// province of a country. [`PlaceNearTheTop`](contracts::rules::OtherRule::PlaceNearTheTop) says how many
/// others that makes.
pub(crate) const MAX_AROUND: usize = 4;

/// What is read of an entry that another stands under, under the path that names it.
macro_rules! entry {
    ($($at:literal),+) => {
        concat!($($at,)+ ".id,", $($at,)+ ".status,", $($at,)+ ".menu,", $($at,)+ ".url")
    };
}

/// The `fields` of a full reading of `collection`.
pub(crate) const fn full(collection: Collection) -> &'static str {
    match collection {
        Collection::Properties => concat!(
            "*,translations.*,images.id,images.sort,",
            picture!("images.directus_files_id"),
            ",",
            picture!("floor_plan"),
            ",",
            place!("location"),
            ",",
            "location.translations.languages_code,location.translations.name,",
            places_around!("location.part_of")
        ),
        Collection::Locations => {
            concat!("*,translations.*,", picture!("image"), ",", places_around!("part_of"))
        }
        Collection::Articles => concat!("*,translations.*,", picture!("image")),
        Collection::Pages => {
            concat!("*,translations.*,", picture!("image"), ",", place!("location"))
        }
        Collection::Team => concat!("*,translations.*,", picture!("photo")),
        Collection::SiteSettings => concat!("*,translations.*,", picture!("hero")),
        Collection::Docs => "*,translations.*",
        // Menus are four entries deep: one more says what is too deep, and the key of the one above that
        // whether they go round.
        Collection::Navigation => concat!(
            "*,translations.*,",
            entry!("parent"),
            ",",
            entry!("parent", ".parent"),
            ",",
            entry!("parent", ".parent", ".parent"),
            ",",
            entry!("parent", ".parent", ".parent", ".parent"),
            ",parent.parent.parent.parent.parent"
        ),
        Collection::Redirects => "*",
    }
}
