//! Fetches, scales and encodes pictures at the sizes that pages request, and stores them on disk.
//!
//! An original is fetched and decoded once for all pictures that are made from it at about the same
//! time. Scaling and encoding run on dedicated threads of low priority. The format that is slow to
//! encode, AVIF, has threads of its own, so that the others do not queue behind it.
//!
//! Memory for fetching, decoding and encoding is bounded. Of the memory for work, AVIF has two thirds
//! and everything else one. Jobs that exceed their part by themselves run one at a time, so only one
//! job exceeds the limit, and such a job of a quick format waits for one AVIF at most. A job that waits
//! for its permit holds nothing in memory yet. Disk space is bounded too. A request that would have to
//! wait too long is rejected at once.
//!
//! This crate does not know who may see a picture. Its one invariant: what is stored under a name is
//! what was made for that name, or nothing.

mod address;
mod disk;
mod fetch;
mod workers;

use std::{
    error::Error,
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use moka::future::Cache;
use pictures::{DynamicImage, Format, ScaleError};
use runtime::error_text;
use secrecy::SecretString;
use tokio::sync::Semaphore;
use url::Url;

pub use self::address::{Address, NotAnAddress, Original, WIDTHS};
use self::{
    address::{MAX_HEIGHT, MAX_WIDTH},
    disk::Disk,
    fetch::Originals,
    workers::{JobError, Workers},
};

/// How long a decoded original is cached. A page requests several sizes of a picture within seconds, and
/// then no more.
const DECODED_TTL: Duration = Duration::from_secs(20);
/// How long it is remembered that a picture can't be made.
const FAILURE_TTL: Duration = Duration::from_secs(30);
const MAX_FAILURES: u64 = 10_000;

/// Where pictures come from, where they are stored, and the limits on memory and disk.
#[derive(Debug)]
pub struct Settings {
    /// The URL of the content service, which has the originals.
    pub content_url: Url,
    /// The token for the content service.
    pub content_token: SecretString,
    /// The folder that scaled pictures are stored in.
    pub folder: PathBuf,
    /// The maximum size of that folder, in bytes.
    pub disk_bytes: u64,
    /// The maximum memory for fetched originals that are not decoded yet, in bytes.
    pub original_bytes: u64,
    /// The maximum memory for decoded originals that are cached for the next size, in bytes.
    pub decoded_bytes: u64,
    /// The maximum memory for decoding, scaling and encoding, in bytes. One job at a time may exceed its
    /// part of it.
    pub work_bytes: u64,
}

/// Why the pictures could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder can't be used, or the threads can't be started.
    #[error("cannot store pictures in {folder}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The operating system's error.
        #[source]
        source: io::Error,
    },
    /// An HTTP client could not be made.
    #[error("cannot create an HTTP client")]
    Client(#[from] reqwest::Error),
}

/// Why a picture could not be made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PictureError {
    /// There is no such file.
    #[error("there is no such file")]
    NotFound,
    /// The file is not a picture that can be decoded.
    #[error(transparent)]
    Broken(Arc<dyn Error + Send + Sync>),
    /// Too many jobs are waiting.
    #[error("too many pictures wait to be scaled")]
    Busy,
    /// The content service is unavailable.
    #[error("originals are unavailable")]
    Unavailable(#[source] Arc<dyn Error + Send + Sync>),
}

impl PictureError {
    /// No picture can be made, because of `error`.
    pub fn broken(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Broken(error.into().into())
    }

    fn unavailable(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(error.into().into())
    }
}

/// The jobs of the picture workers, and the bytes stored on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Pictures that are being made now.
    pub running: usize,
    /// Pictures that wait to be made.
    pub waiting: usize,
    /// Bytes stored on disk.
    pub stored_bytes: u64,
    /// The maximum number of bytes stored on disk.
    pub max_bytes: u64,
}

/// Makes pictures and stores them.
#[derive(Debug)]
pub struct Media {
    originals: Originals,
    /// For all formats but AVIF, which takes twenty times as long to encode.
    fast_workers: Workers,
    avif_workers: Workers,
    disk: Arc<Disk>,
    /// Whether the last write failed. An outage is logged once, and not for every picture.
    store_failing: AtomicBool,
    decoded: Cache<Original, Arc<DynamicImage>>,
    failures: Cache<Original, PictureError>,
}

impl Media {
    /// Opens the folder and starts the threads.
    pub async fn open(settings: Settings) -> Result<Self, OpenError> {
        let Settings { folder, disk_bytes, .. } = settings;
        let fail = {
            let folder = folder.clone();
            move |source| OpenError::Folder { folder: folder.clone(), source }
        };
        let disk = tokio::task::spawn_blocking(move || Disk::open(folder, disk_bytes))
            .await
            .map_err(|_| fail(io::Error::other("opening it was given up")))?
            .map_err(&fail)?;
        let decoded = Cache::builder()
            .max_capacity(settings.decoded_bytes)
            .time_to_live(DECODED_TTL)
            .weigher(|_, image: &Arc<DynamicImage>| weight(image.as_bytes().len()))
            .build();
        let failures =
            Cache::builder().max_capacity(MAX_FAILURES).time_to_live(FAILURE_TTL).build();
        let large_job = Arc::new(Semaphore::new(1));
        let start = |max_bytes| Workers::start(max_bytes, large_job.clone()).map_err(&fail);
        Ok(Self {
            originals: Originals::new(
                &settings.content_url,
                settings.content_token,
                settings.original_bytes,
            )?,
            fast_workers: start(settings.work_bytes / 3)?,
            avif_workers: start(settings.work_bytes / 3 * 2)?,
            disk: Arc::new(disk),
            store_failing: AtomicBool::new(false),
            decoded,
            failures,
        })
    }

    /// Returns the current load.
    pub fn load(&self) -> Load {
        let (fast, avif) = (self.fast_workers.load(), self.avif_workers.load());
        Load {
            running: fast.0 + avif.0,
            waiting: fast.1 + avif.1,
            stored_bytes: self.disk.bytes(),
            max_bytes: self.disk.max_bytes(),
        }
    }

    /// Returns the body that is stored as `name`.
    pub async fn stored(&self, name: &str) -> Option<Bytes> {
        let (disk, name) = (self.disk.clone(), name.to_owned());
        tokio::task::spawn_blocking(move || disk.get(&name)).await.ok()?
    }

    /// Makes the picture at `address` and stores it under its file name.
    pub async fn scale(&self, address: &Address) -> Result<Bytes, PictureError> {
        let workers = match address.format {
            Format::Avif => &self.avif_workers,
            Format::WebP | Format::Jpeg => &self.fast_workers,
        };
        let body = self.make_with(workers, address, address.format).await?;
        self.store(address.file_name(), &body).await;
        Ok(body)
    }

    /// Makes the picture at `address` as a JPEG, whatever format it asks for: larger than an AVIF, but
    /// made in a twentieth of the time. It is not stored.
    pub async fn stand_in(&self, address: &Address) -> Result<Bytes, PictureError> {
        self.make_with(&self.fast_workers, address, Format::Jpeg).await
    }

    /// Makes the picture at `address` in `format`, as soon as `workers` have a permit for it.
    async fn make_with(
        &self,
        workers: &Workers,
        address: &Address,
        format: Format,
    ) -> Result<Bytes, PictureError> {
        let _permit = workers.acquire().await?;
        let image = self.decoded(&address.original).await?;
        let (bytes, scale) = scaling(image, address.width, format);
        Ok(workers.run(bytes, scale).await??)
    }

    /// Makes a picture by `job` from `photograph`, if there is one, and stores it as `name`. The job
    /// takes about `bytes` of memory.
    pub async fn make<F>(
        &self,
        name: String,
        photograph: Option<&Original>,
        bytes: u64,
        job: F,
    ) -> Result<Bytes, PictureError>
    where
        F: FnOnce(Option<&DynamicImage>) -> Result<Bytes, ScaleError> + Send + 'static,
    {
        let permit = self.fast_workers.acquire().await?;
        let image = match photograph {
            Some(photograph) => Some(self.decoded(photograph).await?),
            None => None,
        };
        let body = self.fast_workers.run(bytes, move || job(image.as_deref())).await??;
        drop(permit);
        self.store(name, &body).await;
        Ok(body)
    }

    async fn store(&self, name: String, body: &Bytes) {
        let (disk, body) = (self.disk.clone(), body.clone());
        let written = tokio::task::spawn_blocking(move || disk.put(&name, &body)).await;
        let Ok(written) = written else { return };
        let was_failing = self.store_failing.swap(written.is_err(), Ordering::Relaxed);
        match written {
            Err(error) if !was_failing => {
                tracing::warn!(error = error_text(&error), "pictures can't be stored on disk");
            }
            Ok(()) if was_failing => tracing::info!("pictures can be stored on disk again"),
            _ => {}
        }
    }

    /// Returns `original` decoded, reduced to the largest size that is made from it. It is decoded once
    /// for all pictures that are made from it at about the same time.
    async fn decoded(&self, original: &Original) -> Result<Arc<DynamicImage>, PictureError> {
        if let Some(failure) = self.failures.get(original).await {
            return Err(failure);
        }
        let image =
            self.decoded.try_get_with_by_ref(original, Box::pin(self.decode(original))).await;
        if let Err(failure) = &image
            && matches!(**failure, PictureError::NotFound | PictureError::Broken(_))
        {
            tracing::warn!(file = %original.file, error = error_text(&**failure), "no pictures can be made of an original");
            self.failures.insert(original.clone(), (**failure).clone()).await;
        }
        image.map_err(|failure| (*failure).clone())
    }

    async fn decode(&self, original: &Original) -> Result<Arc<DynamicImage>, PictureError> {
        let fetched = self.originals.fetch(original).await?;
        let bytes = pictures::decoding_bytes(&fetched.bytes)?;
        let decode = move || pictures::decode_within(&fetched.bytes, MAX_WIDTH, MAX_HEIGHT);
        Ok(Arc::new(self.fast_workers.run(bytes, decode).await??))
    }
}

/// Returns the memory, in bytes, that scaling `image` to at most `width` takes, and the job that does
/// it.
fn scaling(
    image: Arc<DynamicImage>,
    width: u32,
    format: Format,
) -> (u64, impl FnOnce() -> Result<Bytes, ScaleError> + Send + 'static) {
    let width = width.min(image.width());
    let height = u64::from(image.height()) * u64::from(width) / u64::from(image.width().max(1));
    let height = u32::try_from(height).unwrap_or(u32::MAX);
    let scale =
        move || pictures::scale(&image, width).and_then(|scaled| pictures::encode(&scaled, format));
    (pictures::encoding_bytes(width, height, format), scale)
}

fn weight(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

impl From<JobError> for PictureError {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Busy => Self::Busy,
            JobError::Panicked => Self::broken(error),
        }
    }
}

impl From<ScaleError> for PictureError {
    fn from(error: ScaleError) -> Self {
        Self::broken(error)
    }
}

#[cfg(test)]
mod tests;
