//! The sample content for tests: copies that can be changed, with recently listed homes, and with small
//! pictures instead of the large ones, because reading those is most of the work of a stack's first start.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
    thread,
};

use anyhow::{Context, Result};
use chrono::{NaiveDate, TimeDelta, Utc};
use pictures::Format;
use serde_json::Value;
use tempfile::TempDir;

use super::root;

const WIDTH: u32 = 320;
/// The folder of the pictures.
const MEDIA: &str = "media";
const PROPERTIES: &str = "properties.json";
/// The files and fields with the days since when a home is offered, or was offered at a price.
const DAYS: [(&str, &str); 2] = [(PROPERTIES, "listed_on"), ("earlier_prices.json", "from")];

/// The same day for all copies, even if a run goes on past midnight.
static YESTERDAY: LazyLock<NaiveDate> =
    LazyLock::new(|| Utc::now().date_naive() - TimeDelta::days(1));

/// Made once per run; replaces that of the run before.
static WITH_SMALL_PICTURES: LazyLock<PathBuf> =
    LazyLock::new(|| make_pictures_small().expect("the content with small pictures"));

/// Returns the folder of the sample content with small pictures.
pub fn with_small_pictures() -> &'static Path {
    &WITH_SMALL_PICTURES
}

/// Returns a copy that can be changed. Its pictures are linked.
pub fn copy() -> Result<TempDir> {
    copy_of(with_small_pictures())
}

/// Returns a copy with the original pictures.
pub fn copy_with_large_pictures() -> Result<TempDir> {
    copy_of(&root().join("deploy/content"))
}

fn copy_of(content: &Path) -> Result<TempDir> {
    let copy = TempDir::with_prefix("almijara-content-")?;
    copy_texts(content, copy.path())?;
    std::os::unix::fs::symlink(content.join(MEDIA), copy.path().join(MEDIA))?;
    Ok(copy)
}

fn copy_texts(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    shift_days(to)
}

/// Shifts the days in the folder `content` so that its newest home was listed yesterday. So homes count
/// as new, whenever the tests run.
fn shift_days(content: &Path) -> Result<()> {
    let newest = items(&content.join(PROPERTIES))?
        .iter()
        .filter(|home| home["status"] == "published")
        .filter_map(|home| day(&home["listed_on"]))
        .max()
        .context("no home is listed")?;
    let shift = *YESTERDAY - newest;
    for (name, field) in DAYS {
        let file = content.join(name);
        let mut items = items(&file)?;
        for item in &mut items {
            if let Some(day) = day(&item[field]) {
                item[field] = (day + shift).to_string().into();
            }
        }
        write(&file, &items)?;
    }
    Ok(())
}

fn day(value: &Value) -> Option<NaiveDate> {
    value.as_str()?.parse().ok()
}

fn items(file: &Path) -> Result<Vec<Value>> {
    Ok(serde_json::from_slice(&fs::read(file)?)?)
}

fn write(file: &Path, items: &[Value]) -> Result<()> {
    Ok(fs::write(file, serde_json::to_vec_pretty(items)?)?)
}

fn make_pictures_small() -> Result<PathBuf> {
    let (content, small) =
        (root().join("deploy/content"), Path::new(env!("CARGO_TARGET_TMPDIR")).join("content"));
    if small.exists() {
        fs::remove_dir_all(&small)?;
    }
    fs::create_dir_all(small.join(MEDIA))?;
    copy_texts(&content, &small)?;
    let originals: Vec<_> = fs::read_dir(content.join(MEDIA))?.collect::<Result<_, _>>()?;
    let threads = thread::available_parallelism()?.get();
    thread::scope(|scope| {
        let parts: Vec<_> = originals
            .chunks(originals.len().div_ceil(threads))
            .map(|part| {
                let small = &small;
                scope.spawn(move || -> Result<()> {
                    for original in part {
                        let picture = pictures::decode_at_most(&fs::read(original.path())?, WIDTH)?;
                        let file = small.join(MEDIA).join(original.file_name());
                        fs::write(file, pictures::encode(&picture, Format::Jpeg)?)?;
                    }
                    Ok(())
                })
            })
            .collect();
        parts.into_iter().try_for_each(|part| part.join().ok().context("it broke down")?)
    })?;
    Ok(small)
}

/// Saves `fields` of the property `reference` in the folder `content`, as an editor does.
pub fn edit_property(content: &Path, reference: &str, fields: &Value) -> Result<()> {
    let file = content.join(PROPERTIES);
    let mut properties = items(&file)?;
    let home = properties
        .iter_mut()
        .find(|home| home["ref"] == reference)
        .with_context(|| format!("{reference} is not there"))?;
    for (name, value) in fields.as_object().context("fields are an object")? {
        home[name] = value.clone();
    }
    write(&file, &properties)
}
