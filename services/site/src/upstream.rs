//! A service behind the door, of which there may be several nodes behind one name.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use reqwest::{Client, ClientBuilder, RequestBuilder, Response};
use runtime::{BodyError, read_body};
use url::Url;

/// For how long calls wait for a service that takes no connection any more: one node alone is back by then
/// where it was replaced or restarted. Later they fail at once, until it has answered.
const REPLACEMENT: Duration = Duration::from_secs(4);
/// Between two connections that are tried meanwhile.
const PAUSE: Duration = Duration::from_millis(100);

/// The way to a service.
///
/// Connections are kept, so that what is asked next goes to the same node. Where that one has ended, or
/// can't answer, a safe call is made once more on a connection of its own, which the name leads to
/// whichever node takes it. Once: where all are in trouble, asking on would make it worse. Only a connection
/// that nobody takes is tried for a while ([`REPLACEMENT`]).
#[derive(Debug)]
pub struct Upstream {
    kept: Client,
    anew: Client,
    /// Without a slash at its end.
    base: String,
    /// When a connection was taken by nobody for the first time, and when last; none once one was taken.
    away: Mutex<Option<[Instant; 2]>>,
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

/// All of an answer.
pub type Whole = (StatusCode, HeaderMap, Bytes);

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
            away: Mutex::default(),
        })
    }

    /// Makes a call that changes nothing there, and again where the connection fails or the answer has a
    /// status of `refusals`: `make` gives it by a client and the service's address without a slash at its
    /// end. The body is still to be read.
    pub async fn ask(
        &self,
        refusals: &[StatusCode],
        make: impl Fn(&Client, &str) -> RequestBuilder,
    ) -> Result<Response, reqwest::Error> {
        loop {
            let mut answer = answer_to(make(&self.kept, &self.base)).await;
            let asks_again = match &answer {
                Ok(answer) => refusals.contains(&answer.status()),
                Err(error) => asks_again(error),
            };
            if asks_again {
                let second = answer_to(make(&self.anew, &self.base)).await;
                answer = second.or_else(|error| answer.or(Err(error)));
            }
            if !self.may_be_back(answer.as_ref().is_err_and(reqwest::Error::is_connect)) {
                return answer;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The whole answer to a call that changes nothing there; asked again where the connection fails
    /// before the last byte of it.
    pub async fn ask_whole(
        &self,
        max_bytes: usize,
        make: impl Fn(&Client, &str) -> RequestBuilder,
    ) -> Result<Whole, BodyError> {
        loop {
            let mut answer = whole(make(&self.kept, &self.base), max_bytes).await;
            if matches!(&answer, Err(BodyError::Broken(error)) if asks_again(error)) {
                answer = whole(make(&self.anew, &self.base), max_bytes).await;
            }
            if !self.may_be_back(answer.as_ref().is_err_and(is_unreached)) {
                return answer;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The whole answer to a call that is made once: for what may not be done twice. What nobody took was
    /// not made.
    pub async fn send_whole(
        &self,
        max_bytes: usize,
        make: impl Fn(&Client, &str) -> RequestBuilder,
    ) -> Result<Whole, BodyError> {
        loop {
            let answer = whole(make(&self.kept, &self.base), max_bytes).await;
            if !self.may_be_back(answer.as_ref().is_err_and(is_unreached)) {
                return answer;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Makes a call once: for what may not be done twice. What nobody took was not made.
    pub async fn send(
        &self,
        make: impl Fn(&Client, &str) -> RequestBuilder,
    ) -> Result<Response, reqwest::Error> {
        loop {
            let answer = answer_to(make(&self.kept, &self.base)).await;
            if !self.may_be_back(answer.as_ref().is_err_and(reqwest::Error::is_connect)) {
                return answer;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Whether a service that took no connection just now may do so in a moment.
    fn may_be_back(&self, is_unreached: bool) -> bool {
        let mut away = self.away.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_unreached {
            *away = None;
            return false;
        }
        let now = Instant::now();
        // What nobody has asked for that long may have come and gone again.
        let [since, _] = away.filter(|[_, last]| last.elapsed() <= REPLACEMENT).unwrap_or([now; 2]);
        *away = Some([since, now]);
        since.elapsed() <= REPLACEMENT
    }
}

/// Nobody took the connection.
fn is_unreached(error: &BodyError) -> bool {
    matches!(error, BodyError::Broken(error) if error.is_connect())
}

/// What took too long is not asked again, but for a connection that was not made in time.
fn asks_again(error: &reqwest::Error) -> bool {
    error.is_connect() || !error.is_timeout()
}

/// The answer to `call`. In its address stands what a visitor asked for, and so an error does not name it.
async fn answer_to(call: RequestBuilder) -> Result<Response, reqwest::Error> {
    call.send().await.map_err(reqwest::Error::without_url)
}

async fn whole(call: RequestBuilder, max_bytes: usize) -> Result<Whole, BodyError> {
    let mut response = answer_to(call).await.map_err(BodyError::Broken)?;
    let body = read_body(&mut response, max_bytes).await?;
    Ok((response.status(), response.headers().clone(), body))
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use axum::{Router, routing::any};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    /// A service that answers so often with 503 and then with 200; with how often it was asked.
    async fn service(refusals: usize) -> (Upstream, Arc<AtomicUsize>) {
        runtime::install_crypto_provider();
        let asked = Arc::<AtomicUsize>::default();
        let counted = asked.clone();
        let answer = async move || {
            let before = counted.fetch_add(1, Ordering::Relaxed);
            if before < refusals { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK }
        };
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(any(answer));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let limits = Limits { connect: LIMIT, answer: LIMIT, idle: LIMIT };
        (Upstream::new(&url.parse().expect("a URL"), limits).expect("a client"), asked)
    }

    fn get(client: &Client, base: &str) -> RequestBuilder {
        client.get(format!("{base}/"))
    }

    #[tokio::test]
    async fn what_is_safe_is_asked_once_more_and_not_for_ever() {
        let away = [StatusCode::SERVICE_UNAVAILABLE];
        for (refusals, refused_by, status, calls) in [
            (1, &away[..], StatusCode::OK, 2),
            (5, &away[..], StatusCode::SERVICE_UNAVAILABLE, 2),
            (1, &[], StatusCode::SERVICE_UNAVAILABLE, 1),
            (0, &away[..], StatusCode::OK, 1),
        ] {
            let (upstream, asked) = service(refusals).await;
            let answer = upstream.ask(refused_by, get).await.expect("an answer");
            assert_eq!((answer.status(), asked.load(Ordering::Relaxed)), (status, calls));
        }
    }

    #[tokio::test]
    async fn an_answer_that_breaks_off_is_asked_for_again() {
        runtime::install_crypto_provider();
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move {
            for body in ["hal", "whole"] {
                let (mut taken, _) = listener.accept().await.expect("a connection");
                let mut request = [0; 1_000];
                let _read = taken.read(&mut request).await.expect("a request");
                let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{body}");
                taken.write_all(answer.as_bytes()).await.expect("it is sent");
            }
        });
        let limits = Limits { connect: LIMIT, answer: LIMIT, idle: LIMIT };
        let upstream = Upstream::new(&url.parse().expect("a URL"), limits).expect("a client");
        let (_, _, body) = upstream.ask_whole(100, get).await.expect("an answer");
        assert_eq!(body, "whole");
    }

    #[tokio::test]
    async fn an_error_does_not_tell_what_a_visitor_asked_for() {
        runtime::install_crypto_provider();
        let limits = Limits { connect: LIMIT, answer: LIMIT, idle: LIMIT };
        let nobody = "http://127.0.0.1:1".parse().expect("a URL");
        let upstream = Upstream::new(&nobody, limits).expect("a client");
        let search = |client: &Client, base: &str| client.get(format!("{base}/?q=ann"));
        let whole = upstream.ask_whole(100, search).await.expect_err("nobody answers");
        let asked = upstream.ask(&[], search).await.expect_err("nobody answers");
        let sent = upstream.send(search).await.expect_err("nobody answers");
        let errors: [&dyn std::error::Error; 3] = [&whole, &asked, &sent];
        for told in errors.map(runtime::error_text) {
            assert!(!told.contains("q=ann"), "{told}");
        }
    }

    #[tokio::test]
    async fn a_service_that_is_being_replaced_is_waited_for() {
        runtime::install_crypto_provider();
        // Kept until its place is free for the next one.
        let before = tokio::net::TcpSocket::new_v4().expect("a socket");
        before.set_reuseaddr(true).expect("it is set");
        before.bind(([127, 0, 0, 1], 0).into()).expect("a port");
        let at = before.local_addr().expect("an address");
        let limits = Limits { connect: LIMIT, answer: LIMIT, idle: LIMIT };
        let url = format!("http://{at}").parse().expect("a URL");
        let upstream = Arc::new(Upstream::new(&url, limits).expect("a client"));
        let asked = {
            let upstream = upstream.clone();
            tokio::spawn(async move { upstream.ask(&[], get).await.map(|it| it.status()) })
        };
        let sent = {
            let upstream = upstream.clone();
            tokio::spawn(async move { upstream.send(get).await.map(|it| it.status()) })
        };
        // Both have met that nobody is there.
        while upstream.away.lock().expect("its lock").is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let listener = before.listen(8).expect("the next one");
        let router = Router::new().fallback(any(async || StatusCode::OK));
        tokio::spawn(async move { axum::serve(listener, router).await });
        assert_eq!(asked.await.expect("no panic").expect("an answer"), StatusCode::OK);
        assert_eq!(sent.await.expect("no panic").expect("an answer"), StatusCode::OK);
        assert!(upstream.away.lock().expect("its lock").is_none());
    }

    #[tokio::test]
    async fn what_may_not_be_done_twice_is_done_once() {
        let (upstream, asked) = service(1).await;
        let answer = upstream.send(get).await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(asked.load(Ordering::Relaxed), 1);
    }
}
