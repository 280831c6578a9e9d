//! Files of a frontend's build that this site does not have.
//!
//! While one version follows another, a renderer of the other one makes pages for this site too, and
//! what they need is of its build. So a file with a hash in its name that is not in the folder is asked
//! of the renderers, which give the files of theirs.

use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use tokio::sync::Semaphore;
use url::Url;

use crate::{
    assets::{BROTLI, BuiltFile, GZIP, HASHED},
    reply::Packed,
    upstream::{Limits, Upstream},
};

const LIMITS: Limits = Limits {
    connect: Duration::from_millis(500),
    answer: Duration::from_secs(3),
    idle: Duration::from_secs(3),
};
/// The longest that one file may take, its smaller forms and the wait for a place included.
const FILE_LIMIT: Duration = Duration::from_secs(5);
/// How many files are asked for at a time.
const PLACES: usize = 4;
/// The largest file.
const MAX_BYTES: usize = 4 << 20;
/// The longest name of a file.
const MAX_LETTERS: usize = 200;
/// How often renderers are asked for a file that none had so far, twice each time: of several one may be of its
/// build, and which one takes a connection is chance.
const ATTEMPTS: usize = 4;

/// The way to the files of the renderers' builds.
#[derive(Debug)]
pub struct OtherBuilds {
    renderers: Upstream,
    places: Semaphore,
}

impl OtherBuilds {
    /// Of the renderers behind `url`.
    pub fn new(url: &Url) -> Result<Self, reqwest::Error> {
        Ok(Self { renderers: Upstream::new(url, LIMITS)?, places: Semaphore::new(PLACES) })
    }

    /// The file at `path` of the site; none where no renderer gives it in time.
    pub async fn file(&self, path: &str) -> Option<BuiltFile> {
        if !may_be_of_a_build(path) {
            return None;
        }
        let asked = async {
            let _place = self.places.acquire().await.ok()?;
            let body = self.ask(path).await?;
            let brotli = self.ask(&format!("{path}{BROTLI}")).await;
            let gzip = self.ask(&format!("{path}{GZIP}")).await;
            Some(BuiltFile { body, packed: Packed { brotli, gzip } })
        };
        tokio::time::timeout(FILE_LIMIT, asked).await.unwrap_or(None)
    }

    async fn ask(&self, path: &str) -> Option<Bytes> {
        let get = |client: &reqwest::Client, base: &str| client.get(format!("{base}{path}"));
        for _ in 0..ATTEMPTS {
            let mut answer = self.renderers.ask(&[StatusCode::NOT_FOUND], get).await.ok()?;
            match answer.status() {
                StatusCode::OK => return runtime::read_body(&mut answer, MAX_BYTES).await.ok(),
                StatusCode::NOT_FOUND => {}
                _ => return None,
            }
        }
        None
    }
}

/// Whether `path` has the form that the names of a build's files have.
fn may_be_of_a_build(path: &str) -> bool {
    let Some(name) = path.strip_prefix(HASHED) else { return false };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    name.len() <= MAX_LETTERS
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
    async fn a_file_is_found_where_the_other_build_s_renderers_are_met_first() {
        runtime::install_crypto_provider();
        // Of two renderers that one is met so often which has none, and not for ever.
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
