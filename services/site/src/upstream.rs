//! A service behind the door, of which there may be several nodes behind one name.

use std::time::Duration;

use http::StatusCode;
use reqwest::{Client, ClientBuilder, RequestBuilder, Response};
use url::Url;

/// The way to a service.
///
/// Connections are kept, so that what is asked next goes to the same node. Where that one has ended, or
/// can't answer, a safe call is made once more on a connection of its own, which the name leads to
/// whichever node takes it.
#[derive(Debug)]
pub struct Upstream {
    kept: Client,
    anew: Client,
    /// Without a slash at its end.
    base: String,
}

/// How long the service may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Until a connection is made.
    pub connect: Duration,
    /// Until the whole answer is there.
    pub answer: Duration,
    /// For how long a connection without calls is kept.
    pub idle: Duration,
}

impl Upstream {
    /// To the service at `url`.
    pub fn new(url: &Url, limits: Limits) -> Result<Self, reqwest::Error> {
        let client = || -> ClientBuilder {
            Client::builder()
                .connect_timeout(limits.connect)
                .timeout(limits.answer)
                .pool_idle_timeout(limits.idle)
                .redirect(reqwest::redirect::Policy::none())
                .no_proxy()
        };
        Ok(Self {
            kept: client().build()?,
            anew: client().pool_max_idle_per_host(0).build()?,
            base: url.as_str().trim_end_matches('/').to_owned(),
        })
    }

    /// Makes a call that changes nothing there: `make` gives it by a client and the service's address
    /// without a slash at its end. What took too long is not asked again.
    pub async fn ask(
        &self,
        make: impl Fn(&Client, &str) -> RequestBuilder,
    ) -> Result<Response, reqwest::Error> {
        let answer = make(&self.kept, &self.base).send().await;
        let asks_again = match &answer {
            Ok(answer) => is_away(answer.status()),
            Err(error) => !error.is_timeout(),
        };
        if !asks_again {
            return answer;
        }
        match make(&self.anew, &self.base).send().await {
            Ok(second) => Ok(second),
            Err(error) => answer.or(Err(error)),
        }
    }

    /// Makes a call once: for what may not be done twice.
    pub async fn send(
        &self,
        make: impl FnOnce(&Client, &str) -> RequestBuilder,
    ) -> Result<Response, reqwest::Error> {
        make(&self.kept, &self.base).send().await
    }
}

/// Whether another node may be able to answer.
fn is_away(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT
    )
}
