//! The fields that are requested. Reading one item is on the path from an editor's click to the page, so
//! exactly the nested fields that a snapshot needs are listed.

use contracts::Collection;

/// The fields of a file in a snapshot, under the field `$at` that references it.
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
            ".filesize,",
            $at,
            ".description,",
            $at,
            ".description_es,",
            $at,
            ".modified_on"
        )
    };
}

/// The fields of a referenced place, under the path that references it.
macro_rules! place {
    ($($at:literal),+) => {
        concat!($($at,)+ ".id,", $($at,)+ ".status,", $($at,)+ ".slug")
    };
}

/// The same for all places that contain one, under the field `$at` that references the nearest: one for each
/// of [`MAX_AROUND`], and the key of one more, to detect deeper nesting.
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

/// The maximum number of nested places that contain one: a quarter of a town of a district of a province of a
/// country. The message of [`PlaceDepth`](contracts::rules::OtherRule::PlaceDepth) has one less: how many
/// others the nearest of them may lie in.
pub(crate) const MAX_AROUND: usize = 4;

/// The fields of a menu entry above another, under the path that references it.
macro_rules! entry {
    ($($at:literal),+) => {
        concat!($($at,)+ ".id,", $($at,)+ ".status,", $($at,)+ ".menu,", $($at,)+ ".url")
    };
}

/// Returns the `fields` parameter for reading complete items of `collection`.
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
        // Menus are four entries deep. One more level is read to detect entries that are too deep, and the key
        // of the level above that to detect cycles.
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
