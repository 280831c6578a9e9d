//! What answering takes, and the routes.

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
    account::{Guesses, TrustedProxy},
    assets,
    calls::{self, Roles},
    endpoints, events,
    overview::Overview,
    redirects::{self, Redirects},
    security::{same_origin, secured},
};

/// The most that is read of what is sent, in bytes: a hundred ids of the longest kind.
const MAX_BYTES: usize = 64 << 10;
/// The longest that an answer may take: longer than a role may.
const ANSWER_LIMIT: Duration = Duration::from_mins(1);

/// The console.
#[derive(Clone, Debug)]
pub struct Console(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    pool: PgPool,
    probe: WriteProbe,
    /// Where it is, as browsers name it.
    origin: String,
    is_https: bool,
    assets: PathBuf,
    proxy: TrustedProxy,
    guesses: Guesses,
    roles: Roles,
    overview: Overview,
    redirects: Option<Redirects>,
    process: Process,
}

impl Console {
    /// As `config` says.
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
            guesses: Guesses::default(),
            roles,
            overview,
            redirects: Redirects::new(config)?,
            process,
        })))
    }

    pub fn pool(&self) -> &PgPool {
        &self.0.pool
    }

    /// Something failed with `error`: where that is a write that was refused, it is remembered.
    pub fn note(&self, error: &Error) {
        if let Error::Database(error) = error {
            self.0.probe.note(error);
        }
    }

    pub fn origin(&self) -> &str {
        &self.0.origin
    }

    pub fn is_https(&self) -> bool {
        self.0.is_https
    }

    /// The cookie of a session. Where there is TLS, nothing but this host can set it.
    pub fn cookie_name(&self) -> &'static str {
        if self.is_https() { "__Host-almijara_console" } else { "almijara_console" }
    }

    pub fn proxy(&self) -> &TrustedProxy {
        &self.0.proxy
    }

    pub fn guesses(&self) -> &Guesses {
        &self.0.guesses
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

    /// Everything that an operator's browser can ask.
    pub fn router(self) -> Router {
        let session = get(endpoints::session).post(endpoints::sign_in).delete(endpoints::sign_out);
        let api = Router::new()
            .route("/api/session", session)
            .route("/api/overview", get(endpoints::overview))
            .route("/api/events", get(events::events))
            .route("/api/audit", get(endpoints::audit))
            .route("/api/redirects", post(redirects::create))
            .route("/api/{*call}", get(calls::look).post(calls::act))
            .method_not_allowed_fallback(no_such_method)
            .layer(DefaultBodyLimit::max(MAX_BYTES))
            .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, ANSWER_LIMIT))
            .with_state(self.clone());
        api.merge(assets::router(&self.0.assets))
            .layer(middleware::from_fn_with_state(self.clone(), same_origin))
            .layer(middleware::from_fn_with_state(self, secured))
    }
}

async fn no_such_method() -> Problem {
    let title = "This call does not answer this method";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", title)
}
