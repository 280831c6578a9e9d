//! The cookies of accounts. `__Host-`: only for this host, and only over https or on this machine.

use axum_extra::extract::{
    CookieJar,
    cookie::{Cookie, SameSite},
};
use credentials::Secret;
use time::Duration;

/// The session's secret.
const SESSION: &str = "__Host-session";
/// Identifies the browser that requested a sign-in.
const BROWSER: &str = "__Host-sign-in";
/// Identifies a browser that was signed in before.
const DEVICE: &str = "__Host-device";
/// Tells scripts that there is a session; without it they don't request the account.
const SESSION_MARKER: &str = "account";

const SESSION_LIMIT: Duration = Duration::days(90);
const BROWSER_LIMIT: Duration = Duration::minutes(15);
const DEVICE_LIMIT: Duration = Duration::days(400);

/// The secrets in a browser's cookies.
#[derive(Debug)]
pub struct PresentedSecrets {
    /// The session's secret.
    pub session: Option<Secret>,
    /// Identifies the browser that requested a sign-in.
    pub browser: Option<Secret>,
    /// Identifies a browser that was signed in before.
    pub device: Option<Secret>,
}

/// Reads the secrets from `jar`.
pub fn presented(jar: &CookieJar) -> PresentedSecrets {
    let secret = |name| jar.get(name).and_then(|cookie| Secret::parse(cookie.value()));
    PresentedSecrets { session: secret(SESSION), browser: secret(BROWSER), device: secret(DEVICE) }
}

/// Identifies the browser that requests a sign-in.
pub fn remember_browser(jar: CookieJar, browser: &Secret) -> CookieJar {
    jar.add(persistent(BROWSER, browser.as_str(), BROWSER_LIMIT))
}

/// Sets the cookies of a new session.
pub fn start_session(jar: CookieJar, session: &Secret, device: &Secret) -> CookieJar {
    let jar = extend_session(jar.remove(base_cookie(BROWSER, "")), session);
    jar.add(persistent(DEVICE, device.as_str(), DEVICE_LIMIT))
}

/// Extends the session's cookies, as the session itself is extended each time it is seen.
pub fn extend_session(jar: CookieJar, session: &Secret) -> CookieJar {
    jar.add(persistent(SESSION, session.as_str(), SESSION_LIMIT))
        .add(session_marker("1", SESSION_LIMIT))
}

/// Removes the session's cookies.
pub fn end_session(jar: CookieJar) -> CookieJar {
    jar.remove(base_cookie(SESSION, "")).remove(session_marker("", SESSION_LIMIT))
}

/// Removes all cookies of accounts.
pub fn forget_browser(jar: CookieJar) -> CookieJar {
    end_session(jar).remove(base_cookie(DEVICE, ""))
}

fn persistent(name: &'static str, value: &str, max_age: Duration) -> Cookie<'static> {
    let mut cookie = base_cookie(name, value);
    cookie.set_max_age(max_age);
    cookie
}

fn session_marker(value: &str, max_age: Duration) -> Cookie<'static> {
    let mut cookie = persistent(SESSION_MARKER, value, max_age);
    cookie.set_http_only(false);
    cookie
}

/// Creates a cookie with all attributes that the prefix `__Host-` requires. Browsers ignore a removal
/// without them too.
fn base_cookie(name: &'static str, value: &str) -> Cookie<'static> {
    Cookie::build((name, value.to_owned()))
        .path("/")
        .secure(true)
        .http_only(true)
        .same_site(SameSite::Lax)
        .build()
}
