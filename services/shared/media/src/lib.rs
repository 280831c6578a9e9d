//! Pictures at the sizes that pages ask for: fetched, scaled, encoded, and kept on disk.
//!
//! An original is fetched and decoded once for all that is made of it together; scaling and
//! encoding are done on threads of its own, last in line for the processor; the format that takes
//! long to encode never stands in the way of the others. What is fetched, decoded and in the making
//! stays within the memory that it is given, but for what takes more than that by itself and is done
//! alone, and who waits for a turn has nothing in memory yet; what is kept stays within its part of the
//! disk, and who would wait too long is told so at once.
//! It knows nothing of who may see a picture.
//! Its one invariant: what is kept under a name is what was made for it, or nothing.

mod address;
mod disk;
mod fetch;
mod workers;

use std::{
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
use secrecy::SecretString;
use url::Url;

pub use self::address::{Address, NotAnAddress, Original, WIDTHS};
use self::{
    address::{HIGHEST, WIDEST},
    disk::Disk,
    fetch::Originals,
    workers::{NotDone, Workers},
};

/// How long a decoded original is kept: a page asks for several sizes of a picture within seconds,
/// and then for none.
const DECODED_FOR: Duration = Duration::from_secs(20);
/// How long it is remembered that a picture can't be made.
const FAILURE_KEPT: Duration = Duration::from_secs(30);
const MAX_FAILURES: u64 = 10_000;

/// Where pictures come from and are kept, and what they may take.
#[derive(Debug)]
pub struct Settings {
    /// The content service, asked for originals.
    pub content_url: Url,
    /// The token for it.
    pub content_token: SecretString,
    /// Where made pictures are kept.
    pub folder: PathBuf,
    /// The most bytes of them.
    pub disk_bytes: u64,
    /// The most memory for originals as they came, in bytes.
    pub original_bytes: u64,
    /// The most memory for decoded originals that wait for their next size, in bytes.
    pub decoded_bytes: u64,
    /// The most memory that decoding, scaling and encoding take, in bytes.
    pub work_bytes: u64,
}

/// Why pictures can't be made at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder can't be used, or the threads can't be started.
    #[error("cannot keep pictures in {folder}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's word.
        #[source]
        source: io::Error,
    },
    /// An HTTP client could not be made.
    #[error("cannot make an HTTP client")]
    Client(#[from] reqwest::Error),
}

/// Why a picture could not be made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoPictureMade {
    /// There is no such file.
    #[error("there is no such file")]
    NotFound,
    /// The file is no picture that can be read.
    #[error("{0}")]
    Broken(String),
    /// Too much to do.
    #[error("too many pictures wait to be scaled")]
    Busy,
    /// The content service is away.
    #[error("the originals are away: {0}")]
    Away(String),
}

/// How much is to do, and how much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Pictures that are being made.
    pub running: usize,
    /// Pictures that wait to be made.
    pub waiting: usize,
    /// Bytes that are kept on disk.
    pub kept_bytes: u64,
    /// The most bytes that may be.
    pub max_bytes: u64,
}

/// Makes pictures, and keeps them.
#[derive(Debug)]
pub struct Media {
    originals: Originals,
    /// For all but AVIF, whose encoding takes twenty times as long.
    quick: Workers,
    patient: Workers,
    disk: Arc<Disk>,
    /// Whether the last picture could not be kept: that is one line in the log, not one a picture.
    not_kept: AtomicBool,
    decoded: Cache<Original, Arc<DynamicImage>>,
    failures: Cache<Original, NoPictureMade>,
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
            .time_to_live(DECODED_FOR)
            .weigher(|_, image: &Arc<DynamicImage>| weight(image.as_bytes().len()))
            .build();
        let failures =
            Cache::builder().max_capacity(MAX_FAILURES).time_to_live(FAILURE_KEPT).build();
        Ok(Self {
            originals: Originals::new(
                &settings.content_url,
                settings.content_token,
                settings.original_bytes,
            )?,
            quick: Workers::start(settings.work_bytes / 3).map_err(&fail)?,
            patient: Workers::start(settings.work_bytes / 3 * 2).map_err(&fail)?,
            disk: Arc::new(disk),
            not_kept: AtomicBool::new(false),
            decoded,
            failures,
        })
    }

    /// How much is to do, and how much is kept.
    pub fn load(&self) -> Load {
        let (quick, patient) = (self.quick.load(), self.patient.load());
        Load {
            running: quick.0 + patient.0,
            waiting: quick.1 + patient.1,
            kept_bytes: self.disk.bytes(),
            max_bytes: self.disk.max_bytes(),
        }
    }

    /// The body that was kept as `name`.
    pub async fn kept(&self, name: &str) -> Option<Bytes> {
        let (disk, name) = (self.disk.clone(), name.to_owned());
        tokio::task::spawn_blocking(move || disk.get(&name)).await.ok()?
    }

    /// Makes the picture at `address` and keeps it under its file name.
    pub async fn scale(&self, address: &Address) -> Result<Bytes, NoPictureMade> {
        let workers = match address.format {
            Format::Avif => &self.patient,
            Format::WebP | Format::Jpeg => &self.quick,
        };
        let body = self.made_by(workers, address, address.format).await?;
        self.keep(address.file_name(), &body).await;
        Ok(body)
    }

    /// The picture at `address` as a JPEG, whatever format it asks for: larger than AVIF is, and there
    /// in a twentieth of the time. It is not kept.
    pub async fn stand_in(&self, address: &Address) -> Result<Bytes, NoPictureMade> {
        self.made_by(&self.quick, address, Format::Jpeg).await
    }

    /// The picture at `address` in `format`, when it is its turn at `workers`.
    async fn made_by(
        &self,
        workers: &Workers,
        address: &Address,
        format: Format,
    ) -> Result<Bytes, NoPictureMade> {
        let _turn = workers.turn().await?;
        let image = self.decoded(&address.original).await?;
        let (bytes, scale) = scaling(image, address.width, format);
        Ok(workers.run(bytes, scale).await??)
    }

    /// Makes a picture by `job` of `photograph`, if there is to be one, when it is its turn, and keeps it
    /// as `name`. The job takes about so many `bytes` of memory.
    pub async fn make<F>(
        &self,
        name: String,
        photograph: Option<&Original>,
        bytes: u64,
        job: F,
    ) -> Result<Bytes, NoPictureMade>
    where
        F: FnOnce(Option<&DynamicImage>) -> Result<Bytes, ScaleError> + Send + 'static,
    {
        let turn = self.quick.turn().await?;
        let image = match photograph {
            Some(photograph) => Some(self.decoded(photograph).await?),
            None => None,
        };
        let body = self.quick.run(bytes, move || job(image.as_deref())).await??;
        drop(turn);
        self.keep(name, &body).await;
        Ok(body)
    }

    async fn keep(&self, name: String, body: &Bytes) {
        let (disk, kept) = (self.disk.clone(), body.clone());
        let written = tokio::task::spawn_blocking(move || disk.put(&name, &kept)).await;
        let Ok(written) = written else { return };
        let was_not_kept = self.not_kept.swap(written.is_err(), Ordering::Relaxed);
        match written {
            Err(error) if !was_not_kept => tracing::warn!(%error, "pictures can't be kept"),
            Ok(()) if was_not_kept => tracing::info!("pictures can be kept again"),
            _ => {}
        }
    }

    /// The picture that `original` is, no larger than the largest that is made of it, decoded once for
    /// all that is made of it together.
    async fn decoded(&self, original: &Original) -> Result<Arc<DynamicImage>, NoPictureMade> {
        if let Some(failure) = self.failures.get(original).await {
            return Err(failure);
        }
        let image =
            self.decoded.try_get_with_by_ref(original, Box::pin(self.decode(original))).await;
        if let Err(failure) = &image
            && matches!(**failure, NoPictureMade::NotFound | NoPictureMade::Broken(_))
        {
            tracing::warn!(file = %original.file, error = %failure, "no picture can be made");
            self.failures.insert(original.clone(), (**failure).clone()).await;
        }
        image.map_err(|failure| (*failure).clone())
    }

    async fn decode(&self, original: &Original) -> Result<Arc<DynamicImage>, NoPictureMade> {
        let fetched = self.originals.fetch(original).await?;
        let bytes = pictures::decoding_bytes(&fetched.bytes)?;
        let decode = move || pictures::decode_within(&fetched.bytes, WIDEST, HIGHEST);
        Ok(Arc::new(self.quick.run(bytes, decode).await??))
    }
}

/// The job that makes of `image` a picture as wide as `width` at most, and the memory that it takes.
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

impl From<NotDone> for NoPictureMade {
    fn from(not_done: NotDone) -> Self {
        match not_done {
            NotDone::Busy => Self::Busy,
            NotDone::Panicked => Self::Broken(not_done.to_string()),
        }
    }
}

impl From<ScaleError> for NoPictureMade {
    fn from(error: ScaleError) -> Self {
        Self::Broken(error.to_string())
    }
}

#[cfg(test)]
mod tests;
