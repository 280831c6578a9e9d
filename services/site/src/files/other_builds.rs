//! Fetches files of frontend builds that this site node does not have.
//!
//! During an upgrade, a renderer of another version makes pages for this site node too, and these need
//! files of its build. So a file with a hash in its name that is not in the folder is requested from the
//! renderers, which serve the files of their own build.

use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use tokio::sync::Semaphore;
use url::Url;

use crate::{
    files::assets::{BROTLI, BuiltFile, GZIP, HASHED_FOLDER},
    reply::Packed,
    upstream::{Limits, Upstream},
};

const LIMITS: Limits = Limits {
    connect: Duration::from_millis(500),
    answer: Duration::from_secs(3),
    idle: Duration::from_secs(3),
};
/// The time limit for one file, including its compressed forms and the wait for a slot.
const FILE_LIMIT: Duration = Duration::from_secs(5);
/// How many files are requested concurrently.
const MAX_CONCURRENT: usize = 4;
/// The maximum size of a file, in bytes.
const MAX_BYTES: usize = 4 << 20;
/// The maximum length of a file's name.
const MAX_NAME_LENGTH: usize = 200;
/// How many times the renderers are asked for a file that none has had so far. Each time makes up to two
/// requests: of several renderers one may be of the file's build, and which one accepts a connection is
/// chance.
const ATTEMPTS: usize = 4;

/// A client for the files of the renderers' builds.
#[derive(Debug)]
pub struct OtherBuilds {
    renderers: Upstream,
    permits: Semaphore,
}

impl OtherBuilds {
    /// Creates a client for the renderers behind `url`.
    pub fn new(url: &Url) -> Result<Self, reqwest::Error> {
        Ok(Self { renderers: Upstream::new(url, LIMITS)?, permits: Semaphore::new(MAX_CONCURRENT) })
    }

    /// Returns the file at the URL path `path`; none if no renderer serves it in time.
    pub async fn file(&self, path: &str) -> Option<BuiltFile> {
        if !is_build_file_name(path) {
            return None;
        }
        let fetched = async {
            let _permit = self.permits.acquire().await.ok()?;
            let body = self.fetch(path).await?;
            let brotli = self.fetch(&format!("{path}{BROTLI}")).await;
            let gzip = self.fetch(&format!("{path}{GZIP}")).await;
            Some(BuiltFile { body, packed: Packed { brotli, gzip } })
        };
        tokio::time::timeout(FILE_LIMIT, fetched).await.unwrap_or(None)
    }

    async fn fetch(&self, path: &str) -> Option<Bytes> {
        let get = |client: &reqwest::Client, base: &str| client.get(format!("{base}{path}"));
        for _ in 0..ATTEMPTS {
            let mut answer = self.renderers.call_safe(&[StatusCode::NOT_FOUND], get).await.ok()?;
            match answer.status() {
                StatusCode::OK => return runtime::read_body(&mut answer, MAX_BYTES).await.ok(),
                StatusCode::NOT_FOUND => {}
                _ => return None,
            }
        }
        None
    }
}

/// Returns whether `path` has the form of a build's file.
fn is_build_file_name(path: &str) -> bool {
    let Some(name) = path.strip_prefix(HASHED_FOLDER) else { return false };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    name.len() <= MAX_NAME_LENGTH
        && name.bytes().all(plain)
        && ![BROTLI, GZIP].iter().any(|form| name.ends_with(form))
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use axum::{Router, routing::any};

    use super::*;

    #[tokio::test]
    async fn a_file_is_found_when_renderers_without_it_answer_first() {
        runtime::install_crypto_provider();
        // As if requests hit a renderer without the file this many times. The site gives up after a
        // limit.
        for (misses, is_found) in [(2 * ATTEMPTS - 1, true), (2 * ATTEMPTS, false)] {
            let asked = Arc::<AtomicUsize>::default();
            let answer = async move || {
                let before = asked.fetch_add(1, Ordering::Relaxed);
                if before < misses { StatusCode::NOT_FOUND } else { StatusCode::OK }
            };
            let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
            let url = format!("http://{}", listener.local_addr().expect("an address"));
            let router = Router::new().fallback(any(answer));
            tokio::spawn(async move { axum::serve(listener, router).await });
            let builds = OtherBuilds::new(&url.parse().expect("a URL")).expect("a client");
            let file = builds.file("/assets/layout-FKJexob.js").await;
            assert_eq!(file.is_some(), is_found);
        }
    }
}
