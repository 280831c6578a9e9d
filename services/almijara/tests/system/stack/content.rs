//! The sample content as tests have it: copies to change, with homes that were listed lately, and small
//! pictures in the place of those that visitors see. To look at each of those is most of what a stack
//! does that starts from nothing.

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
/// Its pictures.
const MEDIA: &str = "media";
const PROPERTIES: &str = "properties.json";
/// The days from which on it tells what was asked for a home.
const DAYS: [(&str, &str); 2] = [(PROPERTIES, "listed_on"), ("earlier_prices.json", "from")];

/// One day for all copies, also of a run that goes on past midnight.
static YESTERDAY: LazyLock<NaiveDate> =
    LazyLock::new(|| Utc::now().date_naive() - TimeDelta::days(1));

/// Made once, in the place of those of the run before.
static WITH_SMALL_PICTURES: LazyLock<PathBuf> =
    LazyLock::new(|| make_pictures_small().expect("the content with small pictures"));

/// The sample content with small pictures.
pub fn with_small_pictures() -> &'static Path {
    &WITH_SMALL_PICTURES
}

/// A copy of it, to change; its pictures are the same ones.
pub fn copy() -> Result<TempDir> {
    copy_of(with_small_pictures())
}

/// A copy with the pictures that visitors see.
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
    list_lately(to)
}

/// Moves the days in the folder `content` so that its newest home is yesterday's: what is new for some days
/// is so whenever the tests run.
fn list_lately(content: &Path) -> Result<()> {
    let newest = items(&content.join(PROPERTIES))?
        .iter()
        .filter(|home| home["status"] == "published")
        .filter_map(|home| day(&home["listed_on"]))
        .max()
        .context("no home is listed")?;
    let later = *YESTERDAY - newest;
    for (name, field) in DAYS {
        let file = content.join(name);
        let mut items = items(&file)?;
        for item in &mut items {
            if let Some(day) = day(&item[field]) {
                item[field] = (day + later).to_string().into();
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
