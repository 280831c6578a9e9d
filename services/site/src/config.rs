//! The role's configuration.

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
    /// The public address of the site, as visitors open it. HSTS is sent if it is https.
    #[arg(long, env = "PUBLIC_URL", default_value = "http://localhost:8080", value_parser = runtime::site_url)]
    pub public_url: Url,
    /// The address of the query service, which serves the read API and the change stream.
    #[arg(long, env = "QUERY_URL", value_parser = runtime::service_url)]
    pub query_url: Url,
    /// The address of the command service, which takes enquiries and accounts.
    #[arg(long, env = "COMMAND_URL", value_parser = runtime::service_url)]
    pub command_url: Url,
    /// The address of the frontend's server, which renders pages.
    #[arg(long, env = "RENDERER_URL", value_parser = runtime::service_url)]
    pub renderer_url: Url,
    /// The address of the content service, from which the originals of pictures are fetched.
    #[arg(long, env = "CONTENT_URL", value_parser = runtime::service_url)]
    pub content_url: Url,
    /// The token for the content service.
    #[arg(long, env = "CONTENT_TOKEN", hide_env_values = true)]
    pub content_token: SecretString,
    /// The secret that signs the tickets of editors who preview drafts. It has to be the same for the
    /// Studio's extension and the preview service. Without it, previews are off.
    #[arg(long, env = "PREVIEW_SECRET", hide_env_values = true, requires_all = ["preview_url", "studio_url"])]
    pub preview_secret: Option<SecretString>,
    /// The address of the preview service, from which pictures that only a draft shows are fetched.
    #[arg(long, env = "PREVIEW_URL", value_parser = runtime::service_url)]
    pub preview_url: Option<Url>,
    /// The address at which editors open the Studio, which may show previews in a frame.
    #[arg(long, env = "STUDIO_URL", value_parser = runtime::site_url)]
    pub studio_url: Option<Url>,
    /// The folder of the frontend's build for browsers (`frontend/build/client`).
    #[arg(long, env = "ASSETS_DIR")]
    pub assets_dir: PathBuf,
    /// A file of vector tiles (`….pmtiles`) with the streets of the map. Set it for the renderer, too.
    #[arg(long, env = "MAP_BASEMAP")]
    pub map_basemap: Option<PathBuf>,
    /// The data folder. Scaled pictures are cached in its `media`, which may be deleted at any time.
    #[arg(long, env = "DATA_DIR", default_value = ".data")]
    pub data_dir: PathBuf,
    /// Memory for cached pages, in megabytes.
    #[arg(long, env = "PAGE_CACHE_MB", default_value = "256")]
    pub page_cache_mb: NonZeroU32,
    /// Memory for cached, decoded and encoding pictures, in megabytes. A job that needs more than its
    /// share of it runs one at a time, and takes its memory in addition: up to 450 MB to encode an AVIF,
    /// and up to 640 MB to decode an original, or 800 MB if that has 16 bits a channel. With more
    /// memory, more of these jobs run at once.
    #[arg(long, env = "PICTURE_MEMORY_MB", default_value = "256")]
    pub picture_memory_mb: NonZeroU32,
    /// Disk space for cached pictures, in megabytes.
    #[arg(long, env = "MEDIA_CACHE_MB", default_value = "2048")]
    pub media_cache_mb: NonZeroU32,
    /// How long a visitor waits for an AVIF to be encoded before a JPEG is sent instead, in
    /// milliseconds.
    #[arg(long, env = "PICTURE_PATIENCE_MS", default_value_t = 500)]
    pub picture_patience_ms: u64,
    /// How many pages may be rendered at the same time. Two more renders are reserved for window
    /// sheets, which wait for pictures.
    #[arg(long, env = "RENDER_CONCURRENCY", default_value = "8")]
    pub render_concurrency: NonZeroU32,
    /// The number of expensive requests per second that one IP address may make: calls of the API,
    /// pages that have to be rendered, pictures that have to be scaled. Bursts may be four times as
    /// large. What one address may use at the same time (connections, change streams, renders, pictures
    /// being made or sent) is limited, too. 0 turns all of these limits off.
    #[arg(long, env = "RATE_LIMIT", default_value_t = 50)]
    pub rate_limit: u32,
    /// The number of your own reverse proxies between visitors and the site. Each of them appends one
    /// address to `X-Forwarded-For`. With 0 the header is ignored.
    #[arg(long, env = "TRUSTED_PROXIES", default_value_t = 0)]
    pub trusted_proxies: usize,
    /// How long a page that is known to be out of date may be served while it can't be rendered again,
    /// in seconds.
    #[arg(long, env = "PURGED_PAGE_LIMIT", default_value_t = 300)]
    pub purged_page_limit: u64,
    /// How long a page may be served if it can't be rendered again and, because the change stream is
    /// down too, may be out of date, in seconds.
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
