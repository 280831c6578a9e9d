//! Serves a cached page and, for comparison, a constant body of the same size, for a load generator:
//! `cargo run --release -p site --example cached_page`, then for each URL that it prints
//! `wrk -t1 -c16 -d10s <URL>`.

use std::{
    convert::Infallible,
    net::{Ipv4Addr, SocketAddr},
};

use axum::{
    Router,
    response::{Sse, sse::Event},
    routing::get,
};
use futures::{StreamExt, stream};
use local_servers::free_port;
use runtime::Process;
use tokio::net::TcpListener;

const BODY_BYTES: usize = 30_000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    runtime::install_crypto_provider();
    let body = "<p>Sol y mar, y una terraza.</p>\n".repeat(BODY_BYTES / 33);
    let page = body.clone();
    let world = Router::new().route("/api/changes", get(async || Sse::new(hello()))).fallback(
        async move || {
            let headers = [
                ("content-type", "text/html; charset=utf-8"),
                ("cache-control", "public, max-age=0, must-revalidate"),
                ("surrogate-key", "site list:properties location:nerja"),
                ("almijara-sequence", "1"),
                ("content-security-policy", "default-src 'self'; script-src 'self' 'sha256-abc'"),
            ];
            (headers, page)
        },
    );
    let world = serve(world).await?;
    let constant = bytes::Bytes::from(body);
    let constant = Router::new().route(
        "/page",
        get(async move || ([("content-type", "text/html; charset=utf-8")], constant.clone())),
    );
    let constant = serve(constant).await?;

    let folder = tempfile::tempdir()?;
    let port = free_port()?;
    let url: url::Url = format!("http://{world}").parse()?;
    let config = site::Config {
        host: Ipv4Addr::LOCALHOST.into(),
        port,
        public_url: url.clone(),
        query_url: url.clone(),
        command_url: url.clone(),
        renderer_url: url.clone(),
        content_url: url,
        content_token: "none".into(),
        assets_dir: folder.path().to_owned(),
        map_basemap: None,
        data_dir: folder.path().to_owned(),
        page_cache_mb: 64.try_into()?,
        picture_memory_mb: 64.try_into()?,
        media_cache_mb: 64.try_into()?,
        picture_patience_ms: 500,
        render_concurrency: 8.try_into()?,
        rate_limit: 0,
        trusted_proxies: 0,
        purged_page_limit: 60,
        unverified_page_limit: 60,
        preview_secret: None,
        preview_url: None,
        studio_url: None,
    };
    let process = Process::new();
    let site = process.clone();
    process.spawn("site", async move { site::run(config, &site).await });
    println!("cached page:   http://127.0.0.1:{port}/page\nconstant body: http://{constant}/page");
    process.wait().await?;
    Ok(())
}

fn hello() -> impl stream::Stream<Item = Result<Event, Infallible>> + Send {
    let hello = Event::default().event("hello").data("{\"sequence\":1}");
    stream::iter([Ok(hello)]).chain(stream::pending())
}

async fn serve(router: Router) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}
