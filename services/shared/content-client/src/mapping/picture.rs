//! Pictures.

use contracts::content::Picture;
use uuid::Uuid;

use crate::{raw::Raw, reading::Hidden};

/// The picture that `field` names, if it names one that a browser can show.
pub(super) fn picture(raw: Raw<'_>, field: &str) -> Result<Option<Picture>, Hidden> {
    let Some(file) = raw.object(field) else { return Ok(None) };
    let id = file.required_text("id")?;
    let id = Uuid::try_parse(&id).map_err(|_| raw.wrong(field))?;
    // Documents and drawings stand in the same library, and have no size in pixels.
    let is_picture = file.text("type")?.is_none_or(|kind| kind.starts_with("image/"));
    let (Some(width), Some(height)) = (pixels(file, "width")?, pixels(file, "height")?) else {
        return Ok(None);
    };
    if !is_picture {
        return Ok(None);
    }
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

/// The pictures of a property, in the editors' order.
pub(super) fn gallery(raw: Raw<'_>, field: &str) -> Result<Vec<Picture>, Hidden> {
    let mut rows = Vec::new();
    for row in raw.objects(field) {
        let place = (row.integer("sort")?.unwrap_or(i64::MAX), row.integer("id")?);
        if let Some(picture) = picture(row, "directus_files_id")? {
            rows.push((place, picture));
        }
    }
    rows.sort_by_key(|(place, _)| *place);
    Ok(rows.into_iter().map(|(_, picture)| picture).collect())
}

fn pixels(file: Raw<'_>, field: &str) -> Result<Option<u32>, Hidden> {
    let number = file.integer(field)?;
    Ok(number.and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0))
}
