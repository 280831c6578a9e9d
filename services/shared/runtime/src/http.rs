//! Serves HTTP, with metrics and spans for each request.

use std::{net::SocketAddr, time::Instant};

use axum::{
    Router,
    extract::{MatchedPath, Request},
    middleware::{self, Next},
    response::Response,
};
use http::Method;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span, field::Empty};

use crate::{metrics::REQUEST_SECONDS, telemetry};

/// Why a role could not listen or serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is in use or does not belong to this host.
    #[error("cannot listen on {address}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The operating system's error.
        #[source]
        source: std::io::Error,
    },
    /// Accepting connections failed.
    #[error("serving {address} failed")]
    Serve {
        /// The address.
        address: SocketAddr,
        /// The operating system's error.
        #[source]
        source: std::io::Error,
    },
}

/// Serves `router` on `address` until `shutdown`, then finishes the requests in flight.
/// Handlers see the peer by axum's `ConnectInfo<SocketAddr>`.
pub async fn serve(
    address: SocketAddr,
    router: Router,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    let listener =
        TcpListener::bind(address).await.map_err(|source| ServeError::Bind { address, source })?;
    tracing::debug!(%address, "listening");
    axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>())
        .with_graceful_shutdown(shutdown.cancelled_owned())
        .await
        .map_err(|source| ServeError::Serve { address, source })
}

/// Adds a duration metric to every request of `router`, and a span to requests that are part of a trace.
///
/// The caller decides whether there is a trace, by sending `traceparent`. So use this only for routers
/// behind the door, never for public ones.
pub fn with_request_metrics(router: Router) -> Router {
    router.layer(middleware::from_fn(observe))
}

async fn observe(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("", MatchedPath::as_str);
    let traceparent = request.headers().get("traceparent").and_then(|value| value.to_str().ok());
    let span = traceparent.map_or_else(Span::none, |_| request_span(&method, route));
    telemetry::link_parent(&span, traceparent);
    let response = answer_in(&span, next.run(request)).await;
    let seconds = ::metrics::histogram!(
        REQUEST_SECONDS,
        "http_request_method" => method_label(&method),
        "http_route" => route.to_owned(),
        "http_response_status_code" => response.status().as_str().to_owned(),
    );
    span.in_scope(|| seconds.record(began.elapsed().as_secs_f64()));
    response
}

/// Returns the span of a request to `route`, which begins a trace. It has no address: paths and queries
/// may contain tokens, and words of visitors.
pub fn request_span(method: &Method, route: &str) -> Span {
    let method = method_label(method);
    tracing::info_span!(
        parent: None,
        "request",
        otel.name = %format_args!("{method} {route}"),
        otel.kind = "server",
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
        error.type = Empty,
    )
}

/// Makes `answer` within `span`, and records its status there.
pub async fn answer_in(span: &Span, answer: impl Future<Output = Response>) -> Response {
    let response = answer.instrument(span.clone()).await;
    let status = response.status();
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("error.type", status.as_str());
        telemetry::mark_failed(span, &status);
    }
    response
}

/// Returns the method as a metric label: OpenTelemetry's `_OTHER` for unknown methods, since clients can
/// invent any number of them.
pub fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "_OTHER",
    }
}
