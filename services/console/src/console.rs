//! The shared state of the request handlers, and the routes.

use std::{path::PathBuf, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{get, post},
};
use http::StatusCode;
use runtime::{Process, postgres::WriteProbe, problem::Problem};
use sqlx::PgPool;
use tower_http::timeout::TimeoutLayer;

use crate::{
    Config, Error,
    account::{SignInThrottle, TrustedProxy},
    assets,
    calls::{self, Roles},
    endpoints, events,
    overview::Overview,
    redirects::{self, Redirects},
    security::{require_same_origin, set_security_headers},
};

/// The maximum size of a request body, in bytes: enough for a hundred ids of maximum length.
const MAX_BYTES: usize = 64 << 10;
/// The timeout of a request: longer than the timeout of a call to a role.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);

/// The state that all calls share.
#[derive(Debug)]
pub struct Console {
    pub pool: PgPool,
    pub probe: WriteProbe,
    /// The origin of the console, as in the `Origin` header.
    pub origin: String,
    pub is_https: bool,
    pub assets: PathBuf,
    pub proxy: TrustedProxy,
    pub sign_in_throttle: SignInThrottle,
    pub roles: Roles,
    pub overview: Overview,
    pub redirects: Option<Redirects>,
    pub process: Process,
}

impl Console {
    /// Creates the console from `config`.
    pub fn new(
        config: &Config,
        pool: PgPool,
        probe: WriteProbe,
        overview: Overview,
        roles: Roles,
        process: Process,
    ) -> Result<Self, Error> {
        Ok(Self {
            pool,
            probe,
            origin: config.console_url.origin().ascii_serialization(),
            is_https: config.console_url.scheme() == "https",
            assets: config.console_assets.clone(),
            proxy: TrustedProxy::new(&config.trusted_proxy, config.trusted_header.clone()),
            sign_in_throttle: SignInThrottle::default(),
            roles,
            overview,
            redirects: Redirects::new(config)?,
            process,
        })
    }

    /// Reports that a request failed with `error`, so that a refused write makes the role not ready.
    pub fn note_failure(&self, error: &Error) {
        if let Error::Database(error) = error {
            self.probe.record(error);
        }
    }

    /// Returns the name of the session cookie. With TLS, its prefix ensures that only this host can set
    /// it.
    pub const fn cookie_name(&self) -> &'static str {
        if self.is_https { "__Host-almijara_console" } else { "almijara_console" }
    }

    /// Returns all routes for operators' browsers.
    pub fn router(self) -> Router {
        let console = Arc::new(self);
        let session = get(endpoints::session).post(endpoints::sign_in).delete(endpoints::sign_out);
        let api = Router::new()
            .route("/api/session", session)
            .route("/api/overview", get(endpoints::overview))
            .route("/api/events", get(events::events))
            .route("/api/audit", get(endpoints::audit))
            .route("/api/redirects", post(redirects::create))
            .route("/api/{*call}", get(calls::read).post(calls::act))
            .method_not_allowed_fallback(no_such_method)
            .layer(DefaultBodyLimit::max(MAX_BYTES))
            .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, ANSWER_TIMEOUT))
            .with_state(Arc::clone(&console));
        api.merge(assets::router(&console.assets))
            .layer(middleware::from_fn_with_state(Arc::clone(&console), require_same_origin))
            .layer(middleware::from_fn_with_state(console, set_security_headers))
    }
}

async fn no_such_method() -> Problem {
    let title = "This call does not answer this method";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", title)
}
