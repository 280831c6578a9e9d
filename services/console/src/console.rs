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

/// The state of the console. Clones share it.
#[derive(Clone, Debug)]
pub struct Console(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    pool: PgPool,
    probe: WriteProbe,
    /// The origin of the console, as in the `Origin` header.
    origin: String,
    is_https: bool,
    assets: PathBuf,
    proxy: TrustedProxy,
    sign_in_throttle: SignInThrottle,
    roles: Roles,
    overview: Overview,
    redirects: Option<Redirects>,
    process: Process,
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
        Ok(Self(Arc::new(Parts {
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
        })))
    }

    pub fn pool(&self) -> &PgPool {
        &self.0.pool
    }

    /// Reports that a request failed with `error`, so that a refused write makes the role not ready.
    pub fn note_failure(&self, error: &Error) {
        if let Error::Database(error) = error {
            self.0.probe.record(error);
        }
    }

    pub fn origin(&self) -> &str {
        &self.0.origin
    }

    pub fn is_https(&self) -> bool {
        self.0.is_https
    }

    /// Returns the name of the session cookie. With TLS, its prefix ensures that only this host can set
    /// it.
    pub fn cookie_name(&self) -> &'static str {
        if self.is_https() { "__Host-almijara_console" } else { "almijara_console" }
    }

    pub fn proxy(&self) -> &TrustedProxy {
        &self.0.proxy
    }

    pub fn sign_in_throttle(&self) -> &SignInThrottle {
        &self.0.sign_in_throttle
    }

    pub fn roles(&self) -> &Roles {
        &self.0.roles
    }

    pub fn overview(&self) -> &Overview {
        &self.0.overview
    }

    pub fn redirects(&self) -> Option<&Redirects> {
        self.0.redirects.as_ref()
    }

    pub fn process(&self) -> &Process {
        &self.0.process
    }

    /// Returns all routes for operators' browsers.
    pub fn router(self) -> Router {
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
            .with_state(self.clone());
        api.merge(assets::router(&self.0.assets))
            .layer(middleware::from_fn_with_state(self.clone(), require_same_origin))
            .layer(middleware::from_fn_with_state(self, set_security_headers))
    }
}

async fn no_such_method() -> Problem {
    let title = "This call does not answer this method";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", title)
}
