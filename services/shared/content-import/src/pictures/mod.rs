//! Fetches pictures and feeds from the web, within limits and from public addresses only.

mod guard;

use std::time::Duration;

use bytes::Bytes;
use contracts::rules::{MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS, MAX_PICTURE_SIDE};
use imagesize::ImageType;
use reqwest::redirect;
use runtime::{BodyError, error_text, read_body};
use url::Url;
use uuid::Uuid;

use self::guard::{PublicOnly, refusal};
use crate::Error;

/// The size of the largest feed, in bytes.
const MAX_FEED_BYTES: usize = 256 << 20;
const MAX_REDIRECTS: usize = 5;
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
const PICTURE_LIMIT: Duration = Duration::from_secs(30);
const FEED_LIMIT: Duration = Duration::from_mins(5);
/// The namespace of file ids. They are derived from the content, so that the same picture is one file.
const FILE_NAMESPACE: Uuid = Uuid::from_u128(0x5b0f_1c1e_7c39_4a6e_9a53_1d5f_0a5c_0101);

/// Which addresses may be fetched from.
#[derive(Clone, Copy, Debug, Default)]
pub struct FetchLimits {
    /// Whether to allow addresses of this machine and of private networks.
    pub allow_private: bool,
}

/// Fetches feeds, and the pictures that they name.
#[derive(Clone, Debug)]
pub struct Fetcher {
    client: reqwest::Client,
    limits: FetchLimits,
}

/// A fetched picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The id of its file, derived from its bytes.
    pub file: String,
    pub bytes: Bytes,
    pub mime: &'static str,
    pub name: String,
}

impl Fetcher {
    /// Creates a fetcher with `limits`.
    ///
    /// # Errors
    /// If the HTTP client can't be created.
    pub fn new(limits: FetchLimits) -> Result<Self, Error> {
        let policy = redirect::Policy::custom(move |attempt| {
            if attempt.previous().len() > MAX_REDIRECTS {
                return attempt.error("it is redirected too often");
            }
            match refusal(attempt.url(), limits) {
                Some(reason) => attempt.error(reason),
                None => attempt.follow(),
            }
        });
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .redirect(policy)
            .dns_resolver(PublicOnly { limits })
            // The addresses that a proxy resolves can't be checked.
            .no_proxy()
            .user_agent(concat!("almijara/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| Error::Unreadable {
                what: "the web".to_owned(),
                source: error.into(),
            })?;
        Ok(Self { client, limits })
    }

    /// Fetches the feed at `url`.
    ///
    /// # Errors
    /// If it can't be fetched.
    pub async fn feed(&self, url: &Url) -> Result<Bytes, Error> {
        let fetched = self.fetch(url, MAX_FEED_BYTES, FEED_LIMIT).await;
        fetched.map_err(|why| Error::Unreadable { what: without_query(url), source: why.into() })
    }

    /// Fetches the picture at `address`. The error says why it can't be fetched or used.
    pub(crate) async fn picture(&self, address: &str) -> Result<Picture, String> {
        let url: Url =
            address.parse().map_err(|error| format!("it is not a valid address: {error}"))?;
        let bytes = self.fetch(&url, MAX_PICTURE_BYTES, PICTURE_LIMIT).await?;
        let (mime, extension) = mime_and_extension(&bytes)?;
        let name = url.path_segments().and_then(|mut parts| parts.next_back()).unwrap_or_default();
        let stem: String = name
            .rsplit_once('.')
            .map_or(name, |(stem, _)| stem)
            .chars()
            .filter(|char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_'))
            .take(80)
            .collect();
        let stem = if stem.is_empty() { "picture" } else { &stem };
        let file = Uuid::new_v5(&FILE_NAMESPACE, blake3::hash(&bytes).as_bytes()).to_string();
        Ok(Picture { file, bytes, mime, name: format!("{stem}.{extension}") })
    }

    async fn fetch(&self, url: &Url, max_bytes: usize, limit: Duration) -> Result<Bytes, String> {
        if let Some(reason) = refusal(url, self.limits) {
            return Err(reason);
        }
        let response = self.client.get(url.clone()).timeout(limit).send().await;
        let mut response = response.map_err(|error| error_text(&error.without_url()))?;
        if !response.status().is_success() {
            return Err(format!("the server answered {}", response.status()));
        }
        read_body(&mut response, max_bytes).await.map_err(|error| match error {
            BodyError::TooLarge { limit } => format!("it is larger than {} MB", limit >> 20),
            BodyError::Broken(error) => error_text(&error.without_url()),
        })
    }
}

/// Returns the MIME type and the file name extension of a picture. Fails if the site can't show it.
fn mime_and_extension(bytes: &[u8]) -> Result<(&'static str, &'static str), String> {
    const UNSUPPORTED: &str = "it is no JPEG, PNG, WebP, AVIF or GIF";
    let size = imagesize::blob_size(bytes).map_err(|_| UNSUPPORTED.to_owned())?;
    let (longer, shorter) = (size.width.max(size.height), size.width.min(size.height));
    let is_too_large =
        longer > MAX_PICTURE_SIDE as usize || longer as u64 * shorter as u64 > MAX_PICTURE_PIXELS;
    if is_too_large || shorter == 0 {
        return Err(format!("it is {} × {} pixels", size.width, size.height));
    }
    match imagesize::image_type(bytes) {
        Ok(ImageType::Jpeg) => Ok(("image/jpeg", "jpg")),
        Ok(ImageType::Png) => Ok(("image/png", "png")),
        Ok(ImageType::Webp) => Ok(("image/webp", "webp")),
        Ok(ImageType::Gif) => Ok(("image/gif", "gif")),
        Ok(ImageType::Heif(imagesize::Compression::Av1)) => Ok(("image/avif", "avif")),
        _ => Err(UNSUPPORTED.to_owned()),
    }
}

/// Returns an address without the parts that may contain a secret: query, fragment, user and password.
pub fn without_query(url: &Url) -> String {
    let mut bare = url.clone();
    bare.set_query(None);
    bare.set_fragment(None);
    // This fails only for an address without a host, which has neither user nor password.
    let _result = bare.set_password(None).and_then(|()| bare.set_username(""));
    bare.to_string()
}

#[cfg(test)]
mod tests;
