//! Serves the files of the frontend's build from memory, with the compressed forms that the build made.
//!
//! Only files found by a walk of the folder are served: a request's path is looked up among their names
//! and never touches the disk, so no path can lead out of the folder. Files of a newer build are
//! discovered when one of them is requested. Files of the previous build stay in memory, because pages
//! that visitors have open still request them. A file that is in neither may belong to an earlier build
//! ([`EarlierBuilds`]), or to one that only a renderer has so far ([`OtherBuilds`]).

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant, SystemTime},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use runtime::error_text;

use crate::{
    files::{earlier_builds::EarlierBuilds, other_builds::OtherBuilds},
    reply::{Packed, Reply, etag_of},
    security::{AnswerKind, Security},
};

/// The folder of files that have a hash of their content in their names.
pub const HASHED_FOLDER: &str = "/assets/";
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ONE_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// The service worker. It must be revalidated each time: an older worker would not fit newer pages.
const SERVICE_WORKER: &str = "/sw.js";
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");
/// The maximum memory for files, in bytes, without their compressed forms.
const MAX_BYTES: u64 = 128 << 20;
/// The suffixes of the files that the build has compressed, with Brotli and gzip.
pub const BROTLI: &str = ".br";
pub const GZIP: &str = ".gz";
/// The minimum time between two walks of the folder.
const MIN_WALK_INTERVAL: Duration = Duration::from_secs(1);

/// The files of the build's folder, and those of other builds that were requested.
#[derive(Debug)]
pub struct Assets {
    folder: PathBuf,
    security: Security,
    earlier: Option<EarlierBuilds>,
    others: OtherBuilds,
    files: RwLock<HashMap<String, Asset>>,
    last_walk: Mutex<Instant>,
}

#[derive(Clone, Debug)]
struct Asset {
    reply: Arc<Reply>,
    size: u64,
    modified: Option<SystemTime>,
    packed: Option<SystemTime>,
}

/// A file of a build, and its compressed forms.
#[derive(Debug)]
pub struct BuiltFile {
    pub body: Bytes,
    pub packed: Packed,
}

/// A file found by a walk.
#[derive(Debug)]
struct FoundFile {
    url_path: String,
    disk_path: PathBuf,
    size: u64,
    modified: Option<SystemTime>,
    /// When the build compressed it, which is its last step; none if it did not.
    packed: Option<SystemTime>,
}

impl Assets {
    /// Reads the files under `folder`, and copies them to `data` for later builds. Files that are
    /// missing there are requested from the `others`.
    pub fn load(
        folder: &Path,
        data: &Path,
        security: Security,
        others: OtherBuilds,
    ) -> io::Result<Self> {
        let earlier = EarlierBuilds::open(data.join("builds"), folder);
        if let Err(error) = &earlier {
            tracing::warn!(
                folder = %data.display(), error = error_text(error),
                "files of earlier builds can't be stored: open pages have to reload after an upgrade"
            );
        }
        let assets = Self {
            folder: folder.to_owned(),
            security,
            earlier: earlier.ok(),
            others,
            files: RwLock::default(),
            last_walk: Mutex::new(Instant::now()),
        };
        assets.read_new()?;
        Ok(assets)
    }

    /// Returns the file at the URL path `path`, if it is in memory.
    pub fn get(&self, path: &str) -> Option<Arc<Reply>> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        files.get(path).map(|asset| asset.reply.clone())
    }

    /// Returns the file at `path`. If it is not in memory, looks for it in the folder, in earlier builds
    /// and in those of the renderers.
    pub async fn get_or_find(self: &Arc<Self>, path: &str) -> Option<Arc<Reply>> {
        if let Some(reply) = self.get(path) {
            return Some(reply);
        }
        let (assets, url_path) = (self.clone(), path.to_owned());
        let found = tokio::task::spawn_blocking(move || assets.find_on_disk(&url_path));
        if let Some(reply) = found.await.ok().flatten() {
            return Some(reply);
        }
        let file = self.others.file(path).await?;
        self.store_other(path, file)
    }

    fn find_on_disk(&self, path: &str) -> Option<Arc<Reply>> {
        if self.may_walk()
            && let Err(error) = self.read_new()
        {
            tracing::warn!(folder = %self.folder.display(), error = error_text(&error), "cannot read the assets");
        }
        let earlier = || self.store_other(path, self.earlier.as_ref()?.file(path)?);
        self.get(path).or_else(earlier)
    }

    fn may_walk(&self) -> bool {
        let mut last_walk = self.last_walk.lock().unwrap_or_else(PoisonError::into_inner);
        let may = last_walk.elapsed() >= MIN_WALK_INTERVAL;
        if may {
            *last_walk = Instant::now();
        }
        may
    }

    fn read_new(&self) -> io::Result<()> {
        let mut found = Vec::new();
        walk(&self.folder, "", &mut found)?;
        for file in found {
            let known = {
                let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
                files.get(&file.url_path).is_some_and(|known| known.matches(&file))
            };
            if known || !self.fits(&file.url_path, file.size) {
                continue;
            }
            let body = Bytes::from(fs::read(&file.disk_path)?);
            let mut reply = self.reply(&file.url_path, body);
            if file.packed.is_some() {
                reply = reply.with_packed(Packed {
                    brotli: packed_form(&file.disk_path, BROTLI),
                    gzip: packed_form(&file.disk_path, GZIP),
                });
            }
            let FoundFile { size, modified, packed, .. } = file;
            let asset = Asset { reply: Arc::new(reply), size, modified, packed };
            self.store(file.url_path, asset);
        }
        Ok(())
    }

    /// Stores a file of another build. If there is not enough memory, the file is returned this once
    /// without being stored.
    fn store_other(&self, path: &str, file: BuiltFile) -> Option<Arc<Reply>> {
        let size = u64::try_from(file.body.len()).ok()?;
        let reply = Arc::new(self.reply(path, file.body).with_packed(file.packed));
        if self.fits(path, size) {
            let asset = Asset { reply: reply.clone(), size, modified: None, packed: None };
            self.store(path.to_owned(), asset);
        }
        Some(reply)
    }

    fn fits(&self, path: &str, size: u64) -> bool {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let stored_bytes = files.values().map(|asset| asset.size).sum::<u64>();
        let fits = stored_bytes.saturating_add(size) <= MAX_BYTES;
        if !fits {
            tracing::warn!(file = %path, "no room in memory for an asset");
        }
        fits
    }

    fn store(&self, path: String, asset: Asset) {
        self.files.write().unwrap_or_else(PoisonError::into_inner).insert(path, asset);
    }

    fn reply(&self, url_path: &str, body: Bytes) -> Reply {
        let kind = mime_guess::from_path(url_path).first_or_octet_stream();
        let text =
            kind.type_() == "text" || matches!(kind.subtype().as_str(), "javascript" | "json");
        let kind = if text { format!("{kind}; charset=utf-8") } else { kind.to_string() };
        let mut headers = HeaderMap::with_capacity(16);
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_str(&kind)
                .unwrap_or(HeaderValue::from_static("application/octet-stream")),
        );
        let caching = match url_path {
            SERVICE_WORKER => NO_CACHE,
            path if path.starts_with(HASHED_FOLDER) => IMMUTABLE,
            _ => ONE_HOUR,
        };
        headers.insert(header::CACHE_CONTROL, caching);
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        self.security.apply(&mut headers, AnswerKind::Asset);
        Reply::new(StatusCode::OK, etag_of(&body), headers, body)
    }
}

impl Asset {
    /// Returns whether this is the version of the file that was found.
    fn matches(&self, found: &FoundFile) -> bool {
        let FoundFile { size, modified, packed, .. } = found;
        (self.size, self.modified, self.packed) == (*size, *modified, *packed)
    }
}

/// Reads the compressed form of the file at `path`, if the build made one.
fn packed_form(path: &Path, extension: &str) -> Option<Bytes> {
    fs::read(beside(path, extension)).ok().map(Bytes::from)
}

fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(extension);
    name.into()
}

/// Collects the regular files under `folder`. Skips hidden files (the build's manifest), links, and the
/// compressed forms of other files.
fn walk(folder: &Path, prefix: &str, found: &mut Vec<FoundFile>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_packed_form = [BROTLI, GZIP].iter().any(|extension| name.ends_with(extension));
        if name.starts_with('.') || is_packed_form {
            continue;
        }
        let url_path = format!("{prefix}/{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk(&entry.path(), &url_path, found)?;
        } else if kind.is_file() {
            let (metadata, disk_path) = (entry.metadata()?, entry.path());
            let modified = metadata.modified().ok();
            let packed = fs::metadata(beside(&disk_path, BROTLI)).and_then(|it| it.modified()).ok();
            found.push(FoundFile { url_path, disk_path, size: metadata.len(), modified, packed });
        }
    }
    Ok(())
}
