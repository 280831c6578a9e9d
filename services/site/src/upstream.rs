//! A client for a service behind the door, which may have several nodes behind one name.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use reqwest::{Client, ClientBuilder, RequestBuilder, Response};
use runtime::{BodyError, read_body};
use url::Url;

/// How long calls wait for a service that accepts no connections. A single node that is replaced or
/// restarted is back by then. After that, calls fail at once until the service has answered again.
const RESTART_GRACE: Duration = Duration::from_secs(4);
/// The pause between two attempts to connect.
const RETRY_PAUSE: Duration = Duration::from_millis(100);

/// A client for a service.
///
/// Connections are pooled, so that consecutive calls go to the same node. If that node has ended, or
/// can't answer, a safe call is repeated once on a new connection, which may reach another node. Only
/// once, because more retries would make an overload worse. Only attempts to connect that nobody accepts
/// are repeated for a while ([`RESTART_GRACE`]).
#[derive(Debug)]
pub struct Upstream {
    pooled: Client,
    unpooled: Client,
    /// The service's URL, without a trailing slash.
    base: String,
    /// The times of the first and the last failure to connect; none since a connection was accepted.
    connect_failures: Mutex<Option<[Instant; 2]>>,
}

/// Time limits of a service.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The limit for establishing a connection.
    pub connect: Duration,
    /// The limit for the complete answer.
    pub answer: Duration,
    /// How long an idle connection is kept.
    pub idle: Duration,
}

/// A complete answer.
pub type FullAnswer = (StatusCode, HeaderMap, Bytes);

impl Upstream {
    /// Creates a client for the service at `url`.
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
            pooled: client().build()?,
            unpooled: client().pool_max_idle_per_host(0).build()?,
            base: url.as_str().trim_end_matches('/').to_owned(),
            connect_failures: Mutex::default(),
        })
    }

    /// Makes a safe call, which is repeated if the connection fails or the answer's status is in
    /// `refusals`. `make` builds the request from a client and the service's URL without a trailing
    /// slash. The answer's body is unread.
    pub async fn call_safe(
        &self,
        refusals: &[StatusCode],
        make: impl Fn(&Client, &str) -> RequestBuilder,
    ) -> Result<Response, reqwest::Error> {
        let repeats = |answer: &Result<Response, _>| match answer {
            Ok(answer) => refusals.contains(&answer.status()),
            Err(error) => may_repeat(error),
        };
        self.call(make, send, repeats).await
    }

    /// Makes a safe call, and reads the complete answer. The call is repeated if the connection fails
    /// before the last byte.
    pub async fn call_safe_in_full(
        &self,
        max_bytes: usize,
        make: impl Fn(&Client, &str) -> RequestBuilder,
    ) -> Result<FullAnswer, BodyError> {
        let repeats = |answer: &Result<_, BodyError>| {
            answer.as_ref().is_err_and(|error| error.connection().is_some_and(may_repeat))
        };
        self.call(make, |call| send_in_full(call, max_bytes), repeats).await
    }

    /// Makes a call that must not be repeated, and reads the complete answer. A connection that was
    /// refused is retried, because the call was not sent.
    pub async fn call_once_in_full(
        &self,
        max_bytes: usize,
        make: impl Fn(&Client, &str) -> RequestBuilder,
    ) -> Result<FullAnswer, BodyError> {
        self.call(make, |call| send_in_full(call, max_bytes), |_| false).await
    }

    /// Makes a call that must not be repeated. A connection that was refused is retried, because the
    /// call was not sent.
    pub async fn call_once(
        &self,
        make: impl Fn(&Client, &str) -> RequestBuilder,
    ) -> Result<Response, reqwest::Error> {
        self.call(make, send, |_| false).await
    }

    /// Makes a call by `send`, once more on a new connection if its result `repeats`, and again for as
    /// long as a restart takes if nobody accepts a connection.
    async fn call<T, E: CallError, F: Future<Output = Result<T, E>>>(
        &self,
        make: impl Fn(&Client, &str) -> RequestBuilder,
        send: impl Fn(RequestBuilder) -> F,
        repeats: impl Fn(&Result<T, E>) -> bool,
    ) -> Result<T, E> {
        loop {
            let mut answer = send(make(&self.pooled, &self.base)).await;
            if repeats(&answer) {
                let second = send(make(&self.unpooled, &self.base)).await;
                answer = second.or_else(|error| answer.or(Err(error)));
            }
            let connection = answer.as_ref().err().and_then(CallError::connection);
            if !self.should_retry_connect(connection.is_some_and(reqwest::Error::is_connect)) {
                return answer;
            }
            tokio::time::sleep(RETRY_PAUSE).await;
        }
    }

    /// Records whether a connection was refused, and returns whether it should be retried.
    fn should_retry_connect(&self, is_connect_error: bool) -> bool {
        let mut failures = self.connect_failures.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_connect_error {
            *failures = None;
            return false;
        }
        let now = Instant::now();
        // If the service was not called for this long, it may have been available in between.
        let [since, _] =
            failures.filter(|[_, last]| last.elapsed() <= RESTART_GRACE).unwrap_or([now; 2]);
        *failures = Some([since, now]);
        since.elapsed() <= RESTART_GRACE
    }
}

/// Why a call failed.
trait CallError {
    /// Returns the error of the connection, if it was that.
    fn connection(&self) -> Option<&reqwest::Error>;
}

impl CallError for reqwest::Error {
    fn connection(&self) -> Option<&reqwest::Error> {
        Some(self)
    }
}

impl CallError for BodyError {
    fn connection(&self) -> Option<&reqwest::Error> {
        match self {
            Self::Broken(error) => Some(error),
            Self::TooLarge { .. } => None,
        }
    }
}

/// Returns whether a safe call may be repeated. One that timed out is not, unless no connection was
/// established in time.
fn may_repeat(error: &reqwest::Error) -> bool {
    error.is_connect() || !error.is_timeout()
}

/// Sends `call`, with the current trace. The URL is removed from errors, because it contains what a
/// visitor asked for.
async fn send(call: RequestBuilder) -> Result<Response, reqwest::Error> {
    let call = match runtime::telemetry::traceparent() {
        Some(traceparent) => call.header("traceparent", traceparent),
        None => call,
    };
    call.send().await.map_err(reqwest::Error::without_url)
}

async fn send_in_full(call: RequestBuilder, max_bytes: usize) -> Result<FullAnswer, BodyError> {
    let mut response = send(call).await.map_err(BodyError::Broken)?;
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

    /// Starts a service that answers 503 as many times as `refusals`, and then 200. Returns a client and
    /// a counter of requests.
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
    async fn a_safe_call_is_repeated_once() {
        let away = [StatusCode::SERVICE_UNAVAILABLE];
        for (refusals, refused_by, status, calls) in [
            (1, &away[..], StatusCode::OK, 2),
            (5, &away[..], StatusCode::SERVICE_UNAVAILABLE, 2),
            (1, &[], StatusCode::SERVICE_UNAVAILABLE, 1),
            (0, &away[..], StatusCode::OK, 1),
        ] {
            let (upstream, asked) = service(refusals).await;
            let answer = upstream.call_safe(refused_by, get).await.expect("an answer");
            assert_eq!((answer.status(), asked.load(Ordering::Relaxed)), (status, calls));
        }
    }

    #[tokio::test]
    async fn a_call_is_repeated_if_its_answer_breaks_off() {
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
        let (_, _, body) = upstream.call_safe_in_full(100, get).await.expect("an answer");
        assert_eq!(body, "whole");
    }

    #[tokio::test]
    async fn errors_do_not_contain_the_url() {
        runtime::install_crypto_provider();
        let limits = Limits { connect: LIMIT, answer: LIMIT, idle: LIMIT };
        let nobody = "http://127.0.0.1:1".parse().expect("a URL");
        let upstream = Upstream::new(&nobody, limits).expect("a client");
        let search = |client: &Client, base: &str| client.get(format!("{base}/?q=ann"));
        let whole = upstream.call_safe_in_full(100, search).await.expect_err("nobody answers");
        let asked = upstream.call_safe(&[], search).await.expect_err("nobody answers");
        let sent = upstream.call_once(search).await.expect_err("nobody answers");
        let errors: [&dyn std::error::Error; 3] = [&whole, &asked, &sent];
        for text in errors.map(runtime::error_text) {
            assert!(!text.contains("q=ann"), "{text}");
        }
    }

    #[tokio::test]
    async fn a_restarting_service_is_waited_for() {
        runtime::install_crypto_provider();
        // Holds the port until the next process takes it over.
        let before = tokio::net::TcpSocket::new_v4().expect("a socket");
        before.set_reuseaddr(true).expect("it is set");
        before.bind(([127, 0, 0, 1], 0).into()).expect("a port");
        let at = before.local_addr().expect("an address");
        let limits = Limits { connect: LIMIT, answer: LIMIT, idle: LIMIT };
        let url = format!("http://{at}").parse().expect("a URL");
        let upstream = Arc::new(Upstream::new(&url, limits).expect("a client"));
        let asked = {
            let upstream = upstream.clone();
            tokio::spawn(async move { upstream.call_safe(&[], get).await.map(|it| it.status()) })
        };
        let sent = {
            let upstream = upstream.clone();
            tokio::spawn(async move { upstream.call_once(get).await.map(|it| it.status()) })
        };
        // Both calls have been refused.
        while upstream.connect_failures.lock().expect("its lock").is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let listener = before.listen(8).expect("the next one");
        let router = Router::new().fallback(any(async || StatusCode::OK));
        tokio::spawn(async move { axum::serve(listener, router).await });
        assert_eq!(asked.await.expect("no panic").expect("an answer"), StatusCode::OK);
        assert_eq!(sent.await.expect("no panic").expect("an answer"), StatusCode::OK);
        assert!(upstream.connect_failures.lock().expect("its lock").is_none());
    }

    #[tokio::test]
    async fn an_unsafe_call_is_made_once() {
        let (upstream, asked) = service(1).await;
        let answer = upstream.call_once(get).await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(asked.load(Ordering::Relaxed), 1);
    }
}
