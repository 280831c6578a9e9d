//! The frontend's build: its files in memory, and beside them as small as the build has packed them.
//!
//! Only what a walk of the folder found is ever served: a request's path is looked up among those
//! names and never touches the disk, so no path leads out of the folder. Files that a new build
//! brings are found when one is asked for; those of the build before stay, because pages that
//! visitors have open still ask for them. What is in neither may be of an earlier build, or of one that
//! only a renderer has yet.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant, SystemTime},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::{
    earlier_builds::EarlierBuilds,
    other_builds::OtherBuilds,
    reply::{Packed, Reply, etag_of},
    security::{AnswerKind, Security},
};

/// The folder whose files have a hash of their content in their names.
pub const HASHED: &str = "/assets/";
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const SHORT: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// The service worker: an older one than the pages' would be in the way of the next.
const WORKER: &str = "/sw.js";
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");
/// The most bytes of files, as they are.
const MAX_BYTES: u64 = 128 << 20;
/// What the build puts behind the name of a file that it has packed: as Brotli, and as gzip.
pub const BROTLI: &str = ".br";
pub const GZIP: &str = ".gz";
/// How often the folder is looked through at most.
const BETWEEN_WALKS: Duration = Duration::from_secs(1);

/// The files of one folder.
#[derive(Debug)]
pub struct Assets {
    folder: PathBuf,
    security: Security,
    earlier: Option<EarlierBuilds>,
    others: OtherBuilds,
    files: RwLock<HashMap<String, Asset>>,
    walked: Mutex<Instant>,
}

#[derive(Clone, Debug)]
struct Asset {
    reply: Arc<Reply>,
    size: u64,
    modified: Option<SystemTime>,
    packed: Option<SystemTime>,
}

/// A file of a build, and its smaller forms.
#[derive(Debug)]
pub struct BuiltFile {
    pub body: Bytes,
    pub packed: Packed,
}

/// A file that a walk came across.
#[derive(Debug)]
struct FoundFile {
    url_path: String,
    disk_path: PathBuf,
    size: u64,
    modified: Option<SystemTime>,
    /// When the build packed it, which comes last.
    packed: Option<SystemTime>,
}

impl Assets {
    /// Reads the files under `folder`, and keeps copies of them in `data`; what is not there is asked of
    /// the `others`.
    pub fn load(
        folder: &Path,
        data: &Path,
        security: Security,
        others: OtherBuilds,
    ) -> io::Result<Self> {
        let earlier = EarlierBuilds::open(data.join("builds"), folder);
        if let Err(error) = &earlier {
            tracing::warn!(
                folder = %data.display(), %error,
                "files of earlier builds can't be kept: pages that are open load anew after an upgrade"
            );
        }
        let assets = Self {
            folder: folder.to_owned(),
            security,
            earlier: earlier.ok(),
            others,
            files: RwLock::default(),
            walked: Mutex::new(Instant::now()),
        };
        assets.read_new()?;
        Ok(assets)
    }

    /// The file at `path` of the site, if it is known.
    pub fn get(&self, path: &str) -> Option<Arc<Reply>> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        files.get(path).map(|asset| asset.reply.clone())
    }

    /// The file at `path`; if it is not known, after another look at the folder, at earlier builds and at
    /// those of the renderers.
    pub async fn get_or_look(self: &Arc<Self>, path: &str) -> Option<Arc<Reply>> {
        if let Some(reply) = self.get(path) {
            return Some(reply);
        }
        let (assets, asked) = (self.clone(), path.to_owned());
        let look = tokio::task::spawn_blocking(move || assets.look_on_the_disk(&asked));
        if let Some(reply) = look.await.ok().flatten() {
            return Some(reply);
        }
        let file = self.others.file(path).await?;
        self.keep_other(path, file)
    }

    fn look_on_the_disk(&self, path: &str) -> Option<Arc<Reply>> {
        if self.may_walk()
            && let Err(error) = self.read_new()
        {
            tracing::warn!(folder = %self.folder.display(), %error, "cannot read the assets");
        }
        let earlier = || self.keep_other(path, self.earlier.as_ref()?.file(path)?);
        self.get(path).or_else(earlier)
    }

    fn may_walk(&self) -> bool {
        let mut walked = self.walked.lock().unwrap_or_else(PoisonError::into_inner);
        let may = walked.elapsed() >= BETWEEN_WALKS;
        if may {
            *walked = Instant::now();
        }
        may
    }

    fn read_new(&self) -> io::Result<()> {
        let mut found = Vec::new();
        walk(&self.folder, "", &mut found)?;
        for file in found {
            let known = {
                let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
                files.get(&file.url_path).is_some_and(|known| known.is(&file))
            };
            if known || !self.has_room(&file.url_path, file.size) {
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
            self.keep(file.url_path, asset);
        }
        Ok(())
    }

    /// Keeps a file of another build; where there is no room for it, it is given this once.
    fn keep_other(&self, path: &str, file: BuiltFile) -> Option<Arc<Reply>> {
        let size = u64::try_from(file.body.len()).ok()?;
        let reply = Arc::new(self.reply(path, file.body).with_packed(file.packed));
        if self.has_room(path, size) {
            let asset = Asset { reply: reply.clone(), size, modified: None, packed: None };
            self.keep(path.to_owned(), asset);
        }
        Some(reply)
    }

    fn has_room(&self, path: &str, size: u64) -> bool {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let kept = files.values().map(|asset| asset.size).sum::<u64>();
        let has_room = kept.saturating_add(size) <= MAX_BYTES;
        if !has_room {
            tracing::warn!(file = %path, "no room in memory for an asset");
        }
        has_room
    }

    fn keep(&self, path: String, asset: Asset) {
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
            WORKER => ASK_AGAIN,
            path if path.starts_with(HASHED) => IMMUTABLE,
            _ => SHORT,
        };
        headers.insert(header::CACHE_CONTROL, caching);
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        self.security.apply(&mut headers, AnswerKind::Asset);
        Reply::new(StatusCode::OK, etag_of(&body), headers, body)
    }
}

impl Asset {
    /// Whether it is what was found.
    fn is(&self, found: &FoundFile) -> bool {
        let FoundFile { size, modified, packed, .. } = found;
        (self.size, self.modified, self.packed) == (*size, *modified, *packed)
    }
}

/// A smaller form of the file at `path`; none where the build found none.
fn packed_form(path: &Path, extension: &str) -> Option<Bytes> {
    fs::read(beside(path, extension)).ok().map(Bytes::from)
}

fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(extension);
    name.into()
}

/// Collects the plain files under `folder`. Hidden ones (the build's manifest) and links are left, and
/// so are smaller forms of others.
fn walk(folder: &Path, prefix: &str, found: &mut Vec<FoundFile>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_form = [BROTLI, GZIP].iter().any(|extension| name.ends_with(extension));
        if name.starts_with('.') || is_form {
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
