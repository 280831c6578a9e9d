//! The public door of the site: rendered pages from memory, the frontend's files, pictures at the
//! size that is asked for, and the way to the API.
//!
//! It promises that a page is given as soon as it is known to be current and never after a change
//! of what it shows has arrived, but for the two cases that [`Config`] bounds and a header marks:
//! pages that can't be rendered again. It does not know what a page says: that is the renderer's.
//! Its one invariant: a cached page was made from a position in the log that has every change of
//! its tags that this process was told of.

mod admin;
mod assets;
mod basemap;
mod cache;
mod change_feed;
mod config;
mod counters;
mod door;
mod earlier_builds;
mod flights;
mod follow_changes;
mod headers;
mod language;
mod listen;
mod metric_list;
mod negotiate;
mod other_builds;
mod page;
mod page_key;
mod pages;
mod path;
mod preview;
mod preview_language;
mod private_page;
mod proxy_api;
mod purges;
mod rate;
mod renderer;
mod renderer_health;
mod reply;
mod requests;
mod rerender;
mod scaled_pictures;
mod searches;
mod security;
mod send_on;
mod shares;
mod sharing_pictures;
mod shown_pictures;
mod unavailable;
mod unpack;
mod upstream;
mod visits;
mod watched;

use std::{convert::Infallible, io, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use media::Media;
use preview_ticket::Signer;
use runtime::{Process, http::ServeError};
use tower_http::services::ServeFile;

use crate::{
    assets::Assets,
    cache::{PageCache, StaleLimits},
    change_feed::ChangeFeed,
    counters::Counters,
    door::Door,
    flights::Flights,
    follow_changes::{Checks, FollowChanges, Followers},
    other_builds::OtherBuilds,
    preview::{PreviewError, Previews},
    proxy_api::ApiProxy,
    rate::Rate,
    renderer::{Renderer, build_of},
    renderer_health::RendererHealth,
    rerender::{Rerender, WORKERS},
    scaled_pictures::ScaledPictures,
    searches::Searches,
    security::Security,
    send_on::SendOn,
    sharing_pictures::SharingPictures,
    watched::Watched,
};
pub use crate::{basemap::readable_basemap, config::Config, metric_list::METRICS};

const MEGABYTE: u64 = 1 << 20;

/// Why the door could not open, or closed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The frontend's build can't be read.
    #[error("ASSETS_DIR {folder}: {source}")]
    Assets {
        /// The folder.
        folder: PathBuf,
        /// The system's word.
        source: io::Error,
    },
    /// Pictures can't be made.
    #[error("DATA_DIR: {0}")]
    Media(#[from] media::OpenError),
    /// The fonts of this build can't be read.
    #[error("the fonts can't be read")]
    Fonts,
    /// An HTTP client could not be made.
    #[error("cannot make an HTTP client")]
    Client(#[from] reqwest::Error),
    /// Previews can't be given as they were asked for.
    #[error(transparent)]
    Preview(#[from] PreviewError),
    /// Listening or serving failed.
    #[error(transparent)]
    Serve(#[from] ServeError),
}

/// Opens the door and returns when `process` ends.
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    let shutdown = process.shutdown();
    let is_open = process.health().check("door");
    let (counters, watched) = (Arc::new(Counters::default()), Arc::new(Watched::default()));
    let security = Security::new(&config.public_url);

    let limits = StaleLimits {
        purged: Duration::from_secs(config.purged_page_limit),
        unverified: Duration::from_secs(config.unverified_page_limit),
    };
    let bytes = u64::from(config.page_cache_mb.get()) * MEGABYTE;
    let cache = Arc::new(PageCache::new(usize::try_from(bytes).unwrap_or(usize::MAX), limits));
    let renderer = Arc::new(renderer_of(&config, security.clone())?);
    let flights = Flights::new(cache.clone(), renderer.clone(), counters.clone(), watched.clone());
    let flights = Arc::new(flights);

    let rerender = Arc::new(Rerender::new(flights.clone(), cache.clone()));
    for _ in 0..WORKERS {
        process.spawn("render again", rerender.clone().run(shutdown.clone()));
    }
    let feed = Arc::new(ChangeFeed::new(shutdown.clone()));
    let followers = Followers {
        cache: cache.clone(),
        rerender: rerender.clone(),
        feed: feed.clone(),
        counters: counters.clone(),
        watched: watched.clone(),
    };
    let follow = FollowChanges::new(&config.query_url, followers)?;
    let checks = Checks {
        stream: process.health().check("change stream"),
        query: process.health().renewed_check("query service"),
    };
    let followed = follow.followed();
    process.spawn("follow changes", follow.run(checks, shutdown.clone()));
    let renderer_health = RendererHealth::new(&config.renderer_url)?;
    let told = process.health().details("renderer");
    process.spawn("renderer's health", renderer_health.watch(told, shutdown.clone()));

    // It may be put there later: each request opens it anew.
    if let Some(file) = &config.map_basemap
        && let Err(error) = readable_basemap(file)
    {
        let file = file.display();
        tracing::warn!(%file, %error, "MAP_BASEMAP can't be read: the map is without its streets");
    }

    let media = Arc::new(Media::open(config.media()).await?);
    process.answer_operators(admin::router(admin::Calls {
        cache: cache.clone(),
        flights: flights.clone(),
        renderer: renderer.clone(),
        rerender,
        media: media.clone(),
        feed: feed.clone(),
        followed,
        counters: counters.clone(),
        watched: watched.clone(),
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
        commands: SendOn::new(&config.command_url)?,
        searches,
        changes: feed,
        previews: previews(&config)?,
        rate: Rate::new(config.rate_limit, config.trusted_proxies),
        security,
        counters,
        watched,
        origin: visits::origin_of(&config.public_url),
    });
    let (forgetful, ended) = (door.clone(), shutdown.clone());
    process.spawn("forget quiet visitors", async move {
        ended.run_until_cancelled(forgetful.forget_quiet_visitors()).await;
        Ok::<_, Infallible>(())
    });
    let address = SocketAddr::new(config.host, config.port);
    let listener = listen::bind(address).await?;
    is_open.ready();
    process.spawn("door", listen::listen(listener, door, shutdown));
    Ok(())
}

fn renderer_of(config: &Config, security: Security) -> Result<Renderer, reqwest::Error> {
    let places = usize::try_from(config.render_concurrency.get()).unwrap_or(usize::MAX);
    Renderer::new(&config.renderer_url, places, security, build_of(&config.assets_dir))
}

/// Previews, where the operator has set them up.
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
