//! The public door of the site: serves rendered pages from memory, the frontend's files and pictures in
//! the requested size, and proxies the API.
//!
//! It serves a page as soon as the page is known to be current, and never after a change of what the
//! page shows has arrived. The exceptions are bounded by [`Config`] and marked by a header: pages that
//! can't be rendered again. It does not know what a page contains: that is the renderer's task. Its one
//! invariant: a cached page was made from a position in the log that includes every change of its tags
//! that this process has received.

mod admin;
mod calls;
mod config;
mod counters;
mod door;
mod files;
mod follow_changes;
mod headers;
mod limits;
mod listen;
mod metric_list;
mod negotiate;
mod observations;
mod pages;
mod path;
mod pictures;
mod previews;
mod reply;
mod request_span;
mod requests;
mod searches;
mod security;
mod unpack;
mod upstream;

use std::{convert::Infallible, io, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use media::Media;
use preview_ticket::Signer;
use runtime::{Process, error_text, http::ServeError};
use tower_http::services::ServeFile;

use crate::{
    calls::{change_feed::ChangeFeed, proxy_api::ApiProxy, visits, write_proxy::WriteProxy},
    counters::Counters,
    door::Door,
    files::{assets::Assets, other_builds::OtherBuilds},
    follow_changes::{ChangeConsumers, Checks, FollowChanges},
    limits::rate::Rate,
    observations::Observations,
    pages::{
        cache::{PageCache, StaleLimits},
        flights::Flights,
        renderer::{Renderer, build_of},
        renderer_health::RendererHealth,
        rerender::{Rerender, WORKERS},
    },
    pictures::{scaled::ScaledPictures, sharing::SharingPictures},
    previews::preview::{PreviewError, Previews},
    searches::Searches,
    security::Security,
};
pub use crate::{config::Config, files::basemap::readable_basemap, metric_list::METRICS};

const MEGABYTE: u64 = 1 << 20;

/// Why the door could not start, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The frontend's build can't be read.
    #[error("ASSETS_DIR {folder} can't be read")]
    Assets {
        /// The folder.
        folder: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The picture store can't be opened.
    #[error("DATA_DIR can't be used")]
    Media(#[from] media::OpenError),
    /// The fonts of this build can't be read.
    #[error("the fonts can't be read")]
    Fonts,
    /// An HTTP client could not be made.
    #[error("cannot create an HTTP client")]
    Client(#[from] reqwest::Error),
    /// Previews can't be set up as configured.
    #[error(transparent)]
    Preview(#[from] PreviewError),
    /// Listening or serving failed.
    #[error(transparent)]
    Serve(#[from] ServeError),
}

/// Starts the door, whose tasks run until `process` ends.
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    let shutdown = process.shutdown();
    let is_open = process.health().check(admin_answers::checks::DOOR);
    let (counters, observations) =
        (Arc::new(Counters::default()), Arc::new(Observations::default()));
    let security = Security::new(&config.public_url);

    let limits = StaleLimits {
        purged: Duration::from_secs(config.purged_page_limit),
        unverified: Duration::from_secs(config.unverified_page_limit),
    };
    let bytes = u64::from(config.page_cache_mb.get()) * MEGABYTE;
    let cache = Arc::new(PageCache::new(usize::try_from(bytes).unwrap_or(usize::MAX), limits));
    let renderer = Arc::new(new_renderer(&config, security.clone())?);
    let flights =
        Flights::new(cache.clone(), renderer.clone(), counters.clone(), observations.clone());
    let flights = Arc::new(flights);

    let rerender = Arc::new(Rerender::new(flights.clone(), cache.clone()));
    for _ in 0..WORKERS {
        process.spawn("render again", rerender.clone().run(shutdown.clone()));
    }
    let feed = Arc::new(ChangeFeed::new(shutdown.clone()));
    let consumers = ChangeConsumers {
        cache: cache.clone(),
        rerender: rerender.clone(),
        feed: feed.clone(),
        counters: counters.clone(),
        observations: observations.clone(),
    };
    let follow = FollowChanges::new(&config.query_url, consumers)?;
    let checks = Checks {
        stream: process.health().check("change stream"),
        query: process.health().renewed_check("query service"),
    };
    let connected = follow.connected();
    process.spawn("follow changes", follow.run(checks, shutdown.clone()));
    let renderer_health = RendererHealth::new(&config.renderer_url)?;
    let details = process.health().detail("renderer");
    process.spawn("renderer's health", renderer_health.watch(details, shutdown.clone()));

    // The file may be added later: it is opened anew for each request.
    if let Some(file) = &config.map_basemap
        && let Err(error) = readable_basemap(file)
    {
        let file = file.display();
        tracing::warn!(%file, error = error_text(&error), "MAP_BASEMAP can't be read: the map shows no streets");
    }

    let media = Arc::new(Media::open(config.media()).await?);
    process.serve_admin_calls(admin::router(admin::Calls {
        cache: cache.clone(),
        flights: flights.clone(),
        renderer: renderer.clone(),
        rerender,
        media: media.clone(),
        feed: feed.clone(),
        connected,
        counters: counters.clone(),
        observations: observations.clone(),
    }));
    let pictures = ScaledPictures::new(
        &config,
        media.clone(),
        cache.clone(),
        security.clone(),
        counters.clone(),
    )?;
    let sharing =
        SharingPictures::new(&config, media, cache.clone(), security.clone(), counters.clone())?;
    let searches = Arc::new(Searches::new(&config.command_url)?);
    process.spawn("searches", searches.clone().run(shutdown.clone()));
    let door = Arc::new(Door {
        cache,
        flights,
        renderer,
        assets: load_assets(&config, security.clone()).await?,
        basemap: config.map_basemap.as_deref().map(ServeFile::new),
        pictures,
        sharing,
        api: ApiProxy::new(&config.query_url)?,
        commands: WriteProxy::new(&config.command_url)?,
        searches,
        changes: feed,
        previews: previews(&config)?,
        rate: Rate::new(config.rate_limit, config.trusted_proxies),
        security,
        counters,
        observations,
        origin: visits::origin_of(&config.public_url),
    });
    let (cleanup, stop) = (door.clone(), shutdown.clone());
    process.spawn("forget quiet visitors", async move {
        stop.run_until_cancelled(cleanup.forget_idle_visitors()).await;
        Ok::<_, Infallible>(())
    });
    let address = SocketAddr::new(config.host, config.port);
    let listener = listen::bind(address).await?;
    is_open.ready();
    process.spawn("door", listen::listen(listener, door, shutdown));
    Ok(())
}

fn new_renderer(config: &Config, security: Security) -> Result<Renderer, reqwest::Error> {
    let places = usize::try_from(config.render_concurrency.get()).unwrap_or(usize::MAX);
    Renderer::new(&config.renderer_url, places, security, build_of(&config.assets_dir))
}

/// Returns the previews, if the operator has configured them.
fn previews(config: &Config) -> Result<Option<Previews>, PreviewError> {
    let (Some(secret), Some(studio), Some(service)) =
        (&config.preview_secret, &config.studio_url, &config.preview_url)
    else {
        return Ok(None);
    };
    Previews::new(Signer::new(secret.clone())?, studio, service).map(Some)
}

async fn load_assets(config: &Config, security: Security) -> Result<Arc<Assets>, Error> {
    let (folder, data) = (config.assets_dir.clone(), config.data_dir.clone());
    let fail = |source| Error::Assets { folder: config.assets_dir.clone(), source };
    let others = OtherBuilds::new(&config.renderer_url)?;
    let load = move || Assets::load(&folder, &data, security, others);
    let assets = tokio::task::spawn_blocking(load)
        .await
        .map_err(|_| fail(io::Error::other("reading them was given up")))?
        .map_err(fail)?;
    Ok(Arc::new(assets))
}
