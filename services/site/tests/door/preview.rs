//! Previews: who may see drafts, and that no other visitor ever does.

use axum::{Router, extract::Path, routing::get};
use chrono::{TimeDelta, Utc};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use preview_ticket::{LIFETIME, Purpose, Signer};
use tokio::net::TcpListener;

use crate::world::World;

const SECRET: &str = "a-secret-of-more-than-32-characters";
const PAGE: &str = "/property-for-sale/nerja/AH-7";

async fn world() -> World {
    world_with("http://127.0.0.1:9").await
}

/// Starts a door with the preview service at `preview_url`.
async fn world_with(preview_url: &str) -> World {
    World::start_with(|config| {
        config.preview_secret = Some(SECRET.into());
        config.preview_url = Some(preview_url.parse().expect("a URL"));
        config.studio_url = Some("https://studio.example".parse().expect("a URL"));
        config.public_url = "https://homes.example".parse().expect("a URL");
    })
    .await
    .connected()
    .await
}

fn ticket(secret: &str, purpose: Purpose, ends: TimeDelta) -> String {
    let editor = "0f8470da-8519-4420-8d5d-ae4d58b58e5f".parse().expect("an id");
    Signer::new(secret.into()).expect("a secret").sign(purpose, editor, Utc::now() + ends)
}

fn with_cookie(ticket: &str) -> HeaderMap {
    let cookie = format!("language=en; almijara_preview={ticket}");
    HeaderMap::from_iter([(header::COOKIE, cookie.parse().expect("a value"))])
}

/// Returns the headers of a request from the Studio's frame.
fn framed(ticket: &str, with: &[(&'static str, &'static str)]) -> HeaderMap {
    let mut headers = with_cookie(ticket);
    for &(name, value) in [("sec-fetch-dest", "iframe")].iter().chain(with) {
        headers.append(name, HeaderValue::from_static(value));
    }
    headers
}

fn text(headers: &HeaderMap, name: &str) -> String {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

#[tokio::test]
async fn the_parameter_redirects_to_the_studio_and_back_with_a_cookie() {
    let world = world().await;
    let asked = world
        .site
        .get_with(&format!("{PAGE}?preview=studio&version=draft"), &HeaderMap::new())
        .await;
    assert_eq!(asked.status(), StatusCode::FOUND);
    assert_eq!(
        text(asked.headers(), "location"),
        "https://studio.example/almijara/ticket?back=https%3A%2F%2Fhomes.example%2Fproperty-for-sale\
         %2Fnerja%2FAH-7%3Fpreview%3Dstudio%26version%3Ddraft"
    );
    assert!(text(asked.headers(), "cache-control").contains("no-store"));

    let handover = ticket(SECRET, Purpose::Handover, TimeDelta::seconds(60));
    let back = format!("{PAGE}?preview=studio&version=draft&preview-ticket={handover}");
    let kept = world.site.get_with(&back, &HeaderMap::new()).await;
    assert_eq!(kept.status(), StatusCode::FOUND);
    assert_eq!(
        text(kept.headers(), "location"),
        format!("{PAGE}?preview=studio&version=draft&preview-given=1")
    );
    let cookie = text(kept.headers(), "set-cookie");
    for word in ["HttpOnly", "Secure", "SameSite=None", "Partitioned", "Path=/", "Max-Age=3600"] {
        assert!(cookie.contains(word), "{cookie}");
    }
    assert!(!cookie.contains(&handover), "the handover ticket is exchanged");
    let kept = cookie.split(['=', ';']).nth(1).expect("a value");

    let address = format!("{PAGE}?preview=studio&version=draft&preview-given=1");
    let once = world.site.get_with(&address, &with_cookie(kept)).await;
    assert_eq!(once.status(), StatusCode::FOUND);
    let address_of_page = text(once.headers(), "location");
    assert_eq!(address_of_page, format!("{PAGE}?preview=studio&version=draft"));
    let page = world.site.get_with(&address_of_page, &with_cookie(kept)).await;
    assert_eq!(page.status(), StatusCode::OK);
    // A browser that does not store the cookie is refused, and not redirected in a loop.
    let refused = world.site.get_with(&address, &HeaderMap::new()).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    world.close().await;
}

#[tokio::test]
async fn a_framed_preview_keeps_its_editors_language() {
    let world = world().await;
    let good = ticket(SECRET, Purpose::Preview, LIFETIME);
    let english = format!("{PAGE}?preview=studio&version=draft");
    let spanish = format!("/es{english}");
    let from_studio = ("sec-fetch-site", "cross-site");
    let by_link = ("sec-fetch-site", "same-origin");
    let spaniard = ("accept-language", "es-ES,es;q=0.9,en;q=0.5");
    let ask = async |address: &str, with: &[(&'static str, &'static str)]| {
        let answer = world.site.get_with(address, &framed(&good, with)).await;
        let said = |name| text(answer.headers(), name);
        (answer.status(), said("location"), said("set-cookie"))
    };
    let redirected = (StatusCode::FOUND, spanish.clone(), String::new());
    assert_eq!(ask(&english, &[from_studio, spaniard]).await, redirected);
    let home = ask("/?preview=studio", &[from_studio, spaniard]).await;
    assert_eq!(home.1, "/es?preview=studio");

    // An editor who follows a link chooses its language, and the Studio's next request is redirected by
    // that choice.
    for (address, language) in [(&spanish, "es"), (&english, "en")] {
        let (status, _, cookie) = ask(address, &[by_link, spaniard]).await;
        assert_eq!(status, StatusCode::OK, "{address}");
        let named = format!("almijara_preview_language={language}; Path=/; HttpOnly; Secure");
        assert!(cookie.starts_with(&named) && cookie.ends_with("Partitioned"), "{cookie}");
    }
    let chose_english = ("cookie", "almijara_preview_language=en");
    let chose_spanish = ("cookie", "almijara_preview_language=es");
    let (status, _, cookie) = ask(&english, &[from_studio, spaniard, chose_english]).await;
    assert_eq!((status, cookie), (StatusCode::OK, String::new()));
    assert_eq!(ask(&english, &[from_studio, chose_spanish]).await, redirected);
    assert_eq!(ask(&english, &[from_studio]).await.0, StatusCode::OK);
    assert_eq!(ask(&spanish, &[from_studio]).await.0, StatusCode::OK);

    // In a tab of its own, the address alone decides.
    let mut tab = with_cookie(&good);
    tab.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static("es"));
    assert_eq!(world.site.get_with(&english, &tab).await.status(), StatusCode::OK);
    world.close().await;
}

#[tokio::test]
async fn a_framed_page_without_a_valid_ticket_requests_one() {
    let world = world().await;
    let ended = ticket(SECRET, Purpose::Preview, TimeDelta::seconds(-1));
    for ticket in [ended.as_str(), ""] {
        let asked = world.site.get_with(PAGE, &framed(ticket, &[])).await;
        assert_eq!(asked.status(), StatusCode::FOUND, "{ticket}");
        assert_eq!(
            text(asked.headers(), "location"),
            "https://studio.example/almijara/ticket?back=https%3A%2F%2Fhomes.example\
             %2Fproperty-for-sale%2Fnerja%2FAH-7"
        );
        assert!(!asked.headers().contains_key("set-cookie"), "it came from the Studio");
        let followed = framed(ticket, &[("sec-fetch-site", "same-origin")]);
        let followed = world.site.get_with(PAGE, &followed).await;
        let kept = text(followed.headers(), "set-cookie");
        assert!(kept.starts_with("almijara_preview_language=en"), "{kept}");
        assert_eq!(world.site.get_with(PAGE, &with_cookie(ticket)).await.status(), StatusCode::OK);
    }
    let handover = ticket(SECRET, Purpose::Handover, TimeDelta::seconds(60));
    let back = format!("{PAGE}?preview-ticket={handover}");
    let kept = world.site.get_with(&back, &framed("", &[])).await;
    let address = text(kept.headers(), "location");
    assert_eq!(address, format!("{PAGE}?preview-given=1"));
    let refused = world.site.get_with(&address, &framed("", &[])).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN, "a browser that keeps no cookie");
    let file = world.site.get_with("/favicon.ico", &framed("", &[])).await;
    assert_eq!(file.status(), StatusCode::OK);
    world.close().await;
}

#[tokio::test]
async fn an_unavailable_preview_may_be_framed_by_the_studio() {
    let mut world = world().await;
    let good = ticket(SECRET, Purpose::Preview, LIFETIME);
    world.renderer.stop().await;
    let page = world.site.get_with(PAGE, &framed(&good, &[])).await;
    assert_eq!(page.status(), StatusCode::SERVICE_UNAVAILABLE);
    let policy = text(page.headers(), "content-security-policy");
    assert!(policy.ends_with("frame-ancestors https://studio.example"), "{policy}");
    assert!(page.text().await.expect("a body").contains("Try again"));
    world.close().await;
}

#[tokio::test]
async fn an_editor_reads_why_the_renderer_refuses_a_preview() {
    let world = world().await;
    let good = ticket(SECRET, Purpose::Preview, LIFETIME);
    world.backend.fail(PAGE, Some(StatusCode::INTERNAL_SERVER_ERROR));
    let page = world.site.get_with(PAGE, &framed(&good, &[])).await;
    assert_eq!(page.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let policy = text(page.headers(), "content-security-policy");
    assert!(policy.ends_with("frame-ancestors https://studio.example"), "{policy}");
    assert_eq!(page.text().await.expect("a body"), "an error page of the renderer");
    world.close().await;
}

#[tokio::test]
async fn a_preview_is_shown_to_its_editor_only() {
    let world = world().await;
    let good = ticket(SECRET, Purpose::Preview, LIFETIME);
    let before = world.site.get_with(PAGE, &HeaderMap::new()).await;
    assert_eq!(before.status(), StatusCode::OK);
    let renders = world.backend.renders(PAGE);

    let page = world.site.get_with(&format!("{PAGE}?version=draft"), &with_cookie(&good)).await;
    assert_eq!(page.status(), StatusCode::OK);
    let headers = page.headers();
    assert_eq!(text(headers, "cache-control"), "private, no-store");
    assert!(text(headers, "x-robots-tag").contains("noindex"));
    let policy = text(headers, "content-security-policy");
    assert!(policy.ends_with("frame-ancestors https://studio.example"), "{policy}");
    assert!(!headers.contains_key("etag") && !headers.contains_key("surrogate-key"));
    assert_eq!(world.backend.renders(PAGE), renders + 1, "it was rendered for the editor");
    let asked = world.backend.last_headers(PAGE);
    assert_eq!(text(&asked, "almijara-preview"), good);
    assert_eq!(text(&asked, "almijara-preview-version"), "draft");
    assert!(!asked.contains_key("cookie"), "the Studio's cookies stay with the door");

    // Visitors still get the page that was cached before.
    let after = world.site.get_with(PAGE, &HeaderMap::new()).await;
    assert!(text(after.headers(), "content-security-policy").contains("frame-ancestors 'none'"));
    assert_eq!(world.backend.renders(PAGE), renders + 1, "a visitor's page was rendered again");
    world.close().await;
}

/// A preview service that has no pictures, and is unavailable for the version `busy`.
async fn picture_answer(Path(address): Path<(String, String, String)>) -> StatusCode {
    let (_file, version, _name) = address;
    if version == "busy" { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::NOT_FOUND }
}

#[tokio::test]
async fn an_unavailable_draft_picture_is_not_reported_as_missing() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let router = Router::new().route("/media/{file}/{version}/{name}", get(picture_answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let world = world_with(&url).await;
    let good = ticket(SECRET, Purpose::Preview, LIFETIME);
    for (version, with, status) in [
        ("busy", with_cookie(&good), StatusCode::SERVICE_UNAVAILABLE),
        ("none", with_cookie(&good), StatusCode::NOT_FOUND),
        ("busy", HeaderMap::new(), StatusCode::NOT_FOUND),
    ] {
        let path = format!("/media/181084cc-dec9-5203-b896-9b8af8129288/{version}/160.webp");
        let answer = world.site.get_with(&path, &with).await;
        assert_eq!(answer.status(), status, "{version}");
        assert_eq!(answer.headers().contains_key("retry-after"), status != StatusCode::NOT_FOUND);
    }
    world.close().await;
}

#[tokio::test]
async fn editors_get_files_of_the_site_like_visitors() {
    let world = world().await;
    let good = ticket(SECRET, Purpose::Preview, LIFETIME);
    for (file, body) in [("/favicon.ico", "icon"), ("/sw.js", "let worker = 1;")] {
        let given = world.site.get_with(file, &with_cookie(&good)).await;
        assert_eq!(given.status(), StatusCode::OK);
        assert_eq!(given.text().await.expect("a body"), body);
        assert_eq!(world.backend.renders(file), 0, "{file} is no page");
    }
    world.close().await;
}

#[tokio::test]
async fn no_other_ticket_shows_a_draft() {
    let world = world().await;
    let other = "another-secret-of-more-than-32-characters";
    for refused in [
        "draft".to_owned(),
        ticket(other, Purpose::Preview, LIFETIME),
        ticket(SECRET, Purpose::Preview, TimeDelta::seconds(-1)),
        ticket(SECRET, Purpose::Handover, TimeDelta::seconds(50)),
    ] {
        let page = world.site.get_with(PAGE, &with_cookie(&refused)).await;
        assert_eq!(page.status(), StatusCode::OK);
        assert!(!world.backend.last_headers(PAGE).contains_key("almijara-preview"), "{refused}");
        assert!(text(page.headers(), "content-security-policy").contains("frame-ancestors 'none'"));
        let back = format!("{PAGE}?preview=on&preview-ticket={refused}");
        let kept = world.site.get_with(&back, &HeaderMap::new()).await;
        let is_handover = kept.status() == StatusCode::FOUND;
        assert_eq!(is_handover, refused == if_valid_handover(&refused), "{refused}");
        assert_eq!(kept.headers().contains_key("set-cookie"), is_handover);
    }
    // The header of a visitor's request is ignored.
    let ticket = ticket(SECRET, Purpose::Preview, LIFETIME);
    let claim = HeaderMap::from_iter([(
        "almijara-preview".parse::<http::HeaderName>().expect("a name"),
        ticket.parse().expect("a value"),
    )]);
    world.site.get_with("/claimed", &claim).await;
    assert!(!world.backend.last_headers("/claimed").contains_key("almijara-preview"));
    world.close().await;
}

/// Returns `text` if it is a valid handover ticket, and an empty string otherwise.
fn if_valid_handover(text: &str) -> String {
    let signer = Signer::new(SECRET.into()).expect("a secret");
    let holds = signer.check(text, Purpose::Handover, Utc::now()).is_ok();
    if holds { text.to_owned() } else { String::new() }
}

#[tokio::test]
async fn a_development_api_is_used_for_editors_only() {
    let world = world().await;
    let page = format!("{PAGE}?staging=next");
    world.site.get_with(&page, &HeaderMap::new()).await;
    assert!(!world.backend.last_headers(PAGE).contains_key("almijara-staging"));
    let good = ticket(SECRET, Purpose::Preview, LIFETIME);
    world.site.get_with(&page, &with_cookie(&good)).await;
    assert_eq!(text(&world.backend.last_headers(PAGE), "almijara-staging"), "next");
    world.close().await;
}

#[tokio::test]
async fn the_development_api_is_kept_for_the_following_pages_until_it_is_ended() {
    const COOKIE: &str = "almijara_preview_staging";
    let world = world().await;
    let good = ticket(SECRET, Purpose::Preview, LIFETIME);
    let chosen = format!("{COOKIE}=next");
    let with_name = |mut headers: HeaderMap| {
        headers.append(header::COOKIE, chosen.parse().expect("a value"));
        headers
    };
    let other = "/property-for-sale/nerja/AH-8";
    let used = |path| text(&world.backend.last_headers(path), "almijara-staging");

    let first = world.site.get_with(&format!("{PAGE}?staging=next"), &with_cookie(&good)).await;
    let kept = text(first.headers(), "set-cookie");
    assert!(
        kept.starts_with(&format!("{chosen}; Path=/; Max-Age=3600; HttpOnly; Secure")),
        "{kept}"
    );
    assert!(kept.ends_with("Partitioned"), "{kept}");
    let second = world.site.get_with(other, &with_name(with_cookie(&good))).await;
    assert_eq!(used(other), "next");
    assert_eq!(text(second.headers(), "cache-control"), "private, no-store");
    let framed = world.site.get_with(PAGE, &with_name(framed(&good, &[]))).await;
    assert!(text(framed.headers(), "set-cookie").starts_with(&chosen));
    assert_eq!(used(PAGE), "next");

    // Without a ticket the name is ignored: visitors get the site's own page.
    let visitor = world.site.get_with(other, &with_name(HeaderMap::new())).await;
    assert_eq!(used(other), "");
    assert!(!visitor.headers().contains_key("set-cookie"));

    // An empty parameter ends it, and so does the end of the preview.
    let forgotten = format!("{COOKIE}=; Path=/; Max-Age=0");
    let own =
        world.site.get_with(&format!("{PAGE}?staging="), &with_name(with_cookie(&good))).await;
    assert_eq!(used(PAGE), "");
    assert!(text(own.headers(), "set-cookie").starts_with(&forgotten));
    let ended =
        world.site.get_with(&format!("{PAGE}?preview="), &with_name(with_cookie(&good))).await;
    let cookies: Vec<_> = ended.headers().get_all("set-cookie").iter().collect();
    assert!(cookies.iter().any(|it| it.to_str().is_ok_and(|it| it.starts_with(&forgotten))));
    world.close().await;
}

#[tokio::test]
async fn a_development_api_that_the_renderer_refuses_is_not_kept() {
    let world = world().await;
    let good = ticket(SECRET, Purpose::Preview, LIFETIME);
    world.backend.fail(PAGE, Some(StatusCode::BAD_REQUEST));
    let page = format!("{PAGE}?staging=other");
    let refused = world.site.get_with(&page, &with_cookie(&good)).await;
    assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
    assert!(!refused.headers().contains_key("set-cookie"));
    // A name that is no longer on the list does not stay.
    let mut headers = with_cookie(&good);
    headers.append(header::COOKIE, HeaderValue::from_static("almijara_preview_staging=gone"));
    let refused = world.site.get_with(PAGE, &headers).await;
    let forgotten = text(refused.headers(), "set-cookie");
    assert!(forgotten.starts_with("almijara_preview_staging=; Path=/; Max-Age=0"), "{forgotten}");
    world.close().await;
}

#[tokio::test]
async fn an_empty_parameter_ends_the_preview() {
    let world = world().await;
    let good = ticket(SECRET, Purpose::Preview, LIFETIME);
    let ended =
        world.site.get_with(&format!("{PAGE}?preview=&version=draft"), &with_cookie(&good)).await;
    assert_eq!(ended.status(), StatusCode::FOUND);
    // The fragment tells the page's script not to resume the preview.
    assert_eq!(text(ended.headers(), "location"), format!("{PAGE}#preview="));
    assert!(text(ended.headers(), "set-cookie").contains("almijara_preview=; Path=/; Max-Age=0"));
    world.close().await;
}

#[tokio::test]
async fn without_a_studio_there_are_no_previews() {
    let world = World::start().await.connected().await;
    let page = world.site.get_with(&format!("{PAGE}?preview=draft"), &HeaderMap::new()).await;
    assert_eq!(page.status(), StatusCode::OK);
    assert_eq!(world.backend.renders(PAGE), 1);
    world.close().await;
}
