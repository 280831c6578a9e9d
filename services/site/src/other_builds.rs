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
const MOST_BYTES: usize = 4 << 20;
/// The longest name of a file.
const MOST_LETTERS: usize = 200;

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

    /// Asked once more where one renderer has none: another may.
    async fn ask(&self, path: &str) -> Option<Bytes> {
        let refusals = [StatusCode::NOT_FOUND];
        let get = |client: &reqwest::Client, base: &str| client.get(format!("{base}{path}"));
        let mut answer = self.renderers.ask(&refusals, get).await.ok()?;
        if answer.status() != StatusCode::OK {
            return None;
        }
        runtime::read_body(&mut answer, MOST_BYTES).await.ok()
    }
}

/// Whether `path` has the form that the names of a build's files have.
fn may_be_of_a_build(path: &str) -> bool {
    let Some(name) = path.strip_prefix(HASHED) else { return false };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    name.len() <= MOST_LETTERS
        && name.bytes().all(plain)
        && ![BROTLI, GZIP].iter().any(|form| name.ends_with(form))
}
