//! Pictures.

use contracts::{
    PictureFault, Violation,
    content::Picture,
    rules::{MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS, MAX_PICTURE_SIDE, OtherRule},
};
use uuid::Uuid;

use crate::{raw::Raw, reading::NamedFile};

/// The media types of files that pictures are made from.
const SUPPORTED_MEDIA_TYPES: [&str; 6] =
    ["image/avif", "image/gif", "image/jpeg", "image/jpg", "image/png", "image/webp"];

/// The fields that reference one file.
pub(super) const SINGLE: [&str; 4] = ["image", "photo", "hero", "floor_plan"];

/// Returns the picture of the file in `field`, if the file is usable as a picture.
pub(super) fn picture(raw: Raw<'_>, field: &str) -> Result<Option<Picture>, Violation> {
    let Some(file) = raw.object(field) else { return Ok(None) };
    let id = file.required_text("id")?;
    let id = Uuid::try_parse(&id).map_err(|_| raw.breaks(field, OtherRule::File))?;
    // `files` reports the omitted pictures.
    let Ok((width, height)) = size(file)? else { return Ok(None) };
    let modified = file.moment("modified_on")?.map_or(0, |moment| moment.timestamp_millis());
    Ok(Some(Picture {
        file: id,
        version: format!("{modified:x}"),
        width,
        height,
        alt: file.text_or_empty("description")?,
        alt_es: file.text("description_es")?,
        placeholder: None,
    }))
}

/// Returns the width and height of `file`, or why it is unusable. The library also contains documents and
/// drawings. A file that the content service can't read has no size in pixels.
fn size(file: Raw<'_>) -> Result<Result<(u32, u32), PictureFault>, Violation> {
    if let Some(media_type) = file.text("type")?
        && !SUPPORTED_MEDIA_TYPES.contains(&media_type.as_str())
    {
        return Ok(Err(PictureFault::Kind));
    }
    if is_too_heavy(file) {
        return Ok(Err(PictureFault::TooHeavy));
    }
    let Some((width, height)) = pixels(file, "width")?.zip(pixels(file, "height")?) else {
        return Ok(Err(PictureFault::Broken));
    };
    let is_too_large = width.max(height) > MAX_PICTURE_SIDE
        || u64::from(width) * u64::from(height) > MAX_PICTURE_PIXELS;
    Ok(if is_too_large { Err(PictureFault::TooLarge) } else { Ok((width, height)) })
}

/// Returns whether `file` has too many bytes. If their number is missing or invalid, that turns out when its
/// placeholder is made.
fn is_too_heavy(file: Raw<'_>) -> bool {
    let bytes = file.integer("filesize").ok().flatten();
    bytes
        .and_then(|bytes| u64::try_from(bytes).ok())
        .is_some_and(|bytes| bytes > MAX_PICTURE_BYTES as u64)
}

/// Returns every file that `raw` references as a picture, in the editors' order.
pub(super) fn files(raw: Raw<'_>) -> Vec<NamedFile> {
    let single = SINGLE.into_iter().filter_map(|field| named(field.to_owned(), raw.object(field)?));
    let mut gallery: Vec<_> = raw
        .objects("images")
        .filter_map(|row| Some((place(row).ok()?, row.object("directus_files_id")?)))
        .collect();
    gallery.sort_by_key(|(place, _)| *place);
    let gallery = (1..)
        .zip(gallery)
        .filter_map(|(number, (_, file)): (usize, _)| named(format!("images[{number}]"), file));
    single.chain(gallery).collect()
}

fn named(field: String, file: Raw<'_>) -> Option<NamedFile> {
    Some(NamedFile {
        field,
        id: Uuid::try_parse(&file.key("id")?).ok()?,
        name: file.text_or_empty("filename_download").ok()?,
        media_type: file.text_or_empty("type").ok()?,
        fault: size(file).ok()?.err(),
    })
}

/// Returns the pictures of a property, in the editors' order.
pub(super) fn gallery(raw: Raw<'_>, field: &str) -> Result<Vec<Picture>, Violation> {
    let mut rows = Vec::new();
    for row in raw.objects(field) {
        if let Some(picture) = picture(row, "directus_files_id")? {
            rows.push((place(row)?, picture));
        }
    }
    rows.sort_by_key(|(place, _)| *place);
    Ok(rows.into_iter().map(|(_, picture)| picture).collect())
}

/// Returns the sort key of a gallery row.
fn place(row: Raw<'_>) -> Result<(i64, Option<i64>), Violation> {
    Ok((row.integer("sort")?.unwrap_or(i64::MAX), row.integer("id")?))
}

fn pixels(file: Raw<'_>, field: &str) -> Result<Option<u32>, Violation> {
    let number = file.integer(field)?;
    Ok(number.and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0))
}
