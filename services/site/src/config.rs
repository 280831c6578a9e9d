//! What the operator sets.

use std::{net::IpAddr, num::NonZeroU32, path::PathBuf};

use clap::Args;
use media::Settings;
use secrecy::SecretString;
use url::Url;

/// The public door's configuration.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Address to listen on.
    #[arg(long, env = "HOST", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Port to listen on.
    #[arg(long, env = "PORT", default_value_t = 8080, value_parser = clap::value_parser!(u16).range(1..))]
    pub port: u16,
    /// Where visitors find the site. HSTS is sent where this is https.
    #[arg(long, env = "PUBLIC_URL", default_value = "http://localhost:8080", value_parser = runtime::site_url)]
    pub public_url: Url,
    /// The query service: the read API and the change stream.
    #[arg(long, env = "QUERY_URL", value_parser = runtime::service_url)]
    pub query_url: Url,
    /// The write side: enquiries.
    #[arg(long, env = "COMMAND_URL", value_parser = runtime::service_url)]
    pub command_url: Url,
    /// The frontend's server, which renders pages.
    #[arg(long, env = "RENDERER_URL", value_parser = runtime::service_url)]
    pub renderer_url: Url,
    /// The content service, asked for the originals of pictures.
    #[arg(long, env = "CONTENT_URL", value_parser = runtime::service_url)]
    pub content_url: Url,
    /// The token for the content service.
    #[arg(long, env = "CONTENT_TOKEN", hide_env_values = true)]
    pub content_token: SecretString,
    /// Signs the tickets of editors who preview drafts; the Studio's extension and the preview service
    /// have the same. Without it there are no previews.
    #[arg(long, env = "PREVIEW_SECRET", hide_env_values = true, requires_all = ["preview_url", "studio_url"])]
    pub preview_secret: Option<SecretString>,
    /// The preview service, asked for pictures that only a draft shows.
    #[arg(long, env = "PREVIEW_URL", value_parser = runtime::service_url)]
    pub preview_url: Option<Url>,
    /// Where editors' browsers find the Studio, which may frame previews.
    #[arg(long, env = "STUDIO_URL", value_parser = runtime::site_url)]
    pub studio_url: Option<Url>,
    /// The frontend's build for browsers (`frontend/build/client`).
    #[arg(long, env = "ASSETS_DIR")]
    pub assets_dir: PathBuf,
    /// A file of vector tiles (`….pmtiles`), which gives the map its streets. The renderer has to be
    /// told of it too.
    #[arg(long, env = "MAP_BASEMAP")]
    pub map_basemap: Option<PathBuf>,
    /// Scaled pictures are kept under `media` in it; all of that may be deleted at any time.
    #[arg(long, env = "DATA_DIR", default_value = ".data")]
    pub data_dir: PathBuf,
    /// Megabytes of memory for rendered pages.
    #[arg(long, env = "PAGE_CACHE_MB", default_value = "256")]
    pub page_cache_mb: NonZeroU32,
    /// Megabytes of memory for pictures: kept, decoded, and in the making. What takes more than its part
    /// is done alone and takes it beside this: to decode one original up to 640 MB, to make one AVIF of
    /// it up to 450 MB.
    #[arg(long, env = "PICTURE_MEMORY_MB", default_value = "256")]
    pub picture_memory_mb: NonZeroU32,
    /// Megabytes of disk for pictures.
    #[arg(long, env = "MEDIA_CACHE_MB", default_value = "2048")]
    pub media_cache_mb: NonZeroU32,
    /// Milliseconds that a visitor waits for an AVIF in the making before a JPEG stands in for it.
    #[arg(long, env = "PICTURE_PATIENCE_MS", default_value_t = 500)]
    pub picture_patience_ms: u64,
    /// How many pages may be rendered at the same time. Window sheets, which wait for pictures, have two
    /// places beside these.
    #[arg(long, env = "RENDER_CONCURRENCY", default_value = "8")]
    pub render_concurrency: NonZeroU32,
    /// Requests a second that one address may make of what costs work: the API, pages that have to
    /// be rendered, pictures that have to be scaled. Four times as many at once. What an address
    /// holds at a time (connections, change streams, renders, pictures on their way) is limited too.
    /// 0: no limit at all.
    #[arg(long, env = "RATE_LIMIT", default_value_t = 50)]
    pub rate_limit: u32,
    /// How many proxies of the operator's own stand in front. Each adds one address at the right
    /// of `X-Forwarded-For`; with 0 the header is not looked at.
    #[arg(long, env = "TRUSTED_PROXIES", default_value_t = 0)]
    pub trusted_proxies: usize,
    /// Seconds for which a page known to be out of date may still be shown while it can't be
    /// rendered again.
    #[arg(long, env = "PURGED_PAGE_LIMIT", default_value_t = 300)]
    pub purged_page_limit: u64,
    /// Seconds for which pages may be shown that can neither be rendered again nor be known to be
    /// current, because the change stream is away too.
    #[arg(long, env = "UNVERIFIED_PAGE_LIMIT", default_value_t = 3600)]
    pub unverified_page_limit: u64,
}

/// How the memory for pictures is divided, in sixteenths: recently requested pictures, decoded
/// originals, fetched originals, the work of making pictures, and sharing pictures.
const CACHE_PART: u64 = 3;
const DECODED_PART: u64 = 4;
const ORIGINALS_PART: u64 = 2;
const WORK_PART: u64 = 6;
const SHARING_PART: u64 = 1;

impl Config {
    /// Returns the settings for making and storing pictures.
    pub(crate) fn media(&self) -> Settings {
        Settings {
            content_url: self.content_url.clone(),
            content_token: self.content_token.clone(),
            folder: self.data_dir.join("media"),
            disk_bytes: u64::from(self.media_cache_mb.get()) << 20,
            original_bytes: self.picture_bytes(ORIGINALS_PART),
            decoded_bytes: self.picture_bytes(DECODED_PART),
            work_bytes: self.picture_bytes(WORK_PART),
        }
    }

    /// Returns the maximum memory for recently requested pictures, in bytes.
    pub(crate) fn picture_cache_bytes(&self) -> u64 {
        self.picture_bytes(CACHE_PART)
    }

    /// Returns the maximum memory for sharing pictures, in bytes.
    pub(crate) fn sharing_picture_bytes(&self) -> u64 {
        self.picture_bytes(SHARING_PART)
    }

    fn picture_bytes(&self, sixteenths: u64) -> u64 {
        (u64::from(self.picture_memory_mb.get()) << 20) / 16 * sixteenths
    }
}
