//! The cookies of whoever signs in. `__Host-`: from this host alone, over https or on this machine.

use axum_extra::extract::{
    CookieJar,
    cookie::{Cookie, SameSite},
};
use credentials::Secret;
use time::Duration;

/// Who is signed in.
const SESSION: &str = "__Host-session";
/// Which browser asked to be signed in.
const BROWSER: &str = "__Host-sign-in";
/// Which browser was signed in before.
const DEVICE: &str = "__Host-device";
/// That there is a session, for scripts: without it none of them asks whose.
const MARK: &str = "account";

const SESSION_LIMIT: Duration = Duration::days(90);
const BROWSER_LIMIT: Duration = Duration::minutes(15);
const DEVICE_LIMIT: Duration = Duration::days(400);

/// What a browser brings.
#[derive(Debug)]
pub struct Brought {
    /// Its session.
    pub session: Option<Secret>,
    /// What it asked to be signed in with.
    pub browser: Option<Secret>,
    /// What it was signed in with before.
    pub device: Option<Secret>,
}

/// Reads what `jar` brings.
pub fn brought(jar: &CookieJar) -> Brought {
    let secret = |name| jar.get(name).and_then(|cookie| Secret::read(cookie.value()));
    Brought { session: secret(SESSION), browser: secret(BROWSER), device: secret(DEVICE) }
}

/// Remembers which browser asked.
pub fn asked(jar: CookieJar, browser: &Secret) -> CookieJar {
    jar.add(kept(BROWSER, browser.as_str(), BROWSER_LIMIT))
}

/// Signs the browser in.
pub fn signed_in(jar: CookieJar, session: &Secret, device: &Secret) -> CookieJar {
    let jar = renewed(jar.remove(whole(BROWSER, "")), session);
    jar.add(kept(DEVICE, device.as_str(), DEVICE_LIMIT))
}

/// Lets it stay in for as long again, as its session does each time it is seen.
pub fn renewed(jar: CookieJar, session: &Secret) -> CookieJar {
    jar.add(kept(SESSION, session.as_str(), SESSION_LIMIT)).add(mark("1", SESSION_LIMIT))
}

/// Signs it out.
pub fn signed_out(jar: CookieJar) -> CookieJar {
    jar.remove(whole(SESSION, "")).remove(mark("", SESSION_LIMIT))
}

/// And forgets that it ever was in.
pub fn forgotten(jar: CookieJar) -> CookieJar {
    signed_out(jar).remove(whole(DEVICE, ""))
}

fn kept(name: &'static str, value: &str, limit: Duration) -> Cookie<'static> {
    let mut cookie = whole(name, value);
    cookie.set_max_age(limit);
    cookie
}

fn mark(value: &str, limit: Duration) -> Cookie<'static> {
    let mut cookie = kept(MARK, value, limit);
    cookie.set_http_only(false);
    cookie
}

/// With all that its name demands; a removal too is refused without it.
fn whole(name: &'static str, value: &str) -> Cookie<'static> {
    Cookie::build((name, value.to_owned()))
        .path("/")
        .secure(true)
        .http_only(true)
        .same_site(SameSite::Lax)
        .build()
}
