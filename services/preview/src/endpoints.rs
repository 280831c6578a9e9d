//! The calls: those of the read API that show one item, for who has a ticket.

use std::{sync::Arc, time::Duration};

use axum::{
    Json, Router,
    extract::{Path, RawQuery, Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use chrono::Utc;
use content_client::{Draft, Drafts, Form};
use contracts::{Collection, Locale, Reference, Slug, SlugPath};
use http::{HeaderValue, StatusCode, header};
use media::Address;
use pictures::Format;
use preview_ticket::{Purpose, Signer};
use runtime::{Disposition, Turns, problem::Problem};
use search_parameters::Parameters;
use serde_json::{Value, json};
use tokio::{
    sync::Semaphore,
    time::{error::Elapsed, timeout},
};
use url::Url;

use crate::{
    answer::{nothing, place_of, preview, with_place},
    published::{Away, Published},
};

/// The header that carries the ticket, from the door on.
pub const TICKET_HEADER: &str = "almijara-preview";
/// The name of the version that editors of the Studio write.
const DRAFT: &str = "draft";
/// What the Studio calls the item itself.
const MAIN: [&str; 2] = ["published", "main"];
/// The longest name of a version: as Directus has it.
const MAX_VERSION_LENGTH: usize = 64;

/// The longest that an answer may take, and that a picture may.
const ANSWER_LIMIT: Duration = Duration::from_secs(4);
const PICTURE_LIMIT: Duration = Duration::from_secs(20);
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// How many are answered at a time: editors are few, and the content service has one thread.
const MAX_AT_ONCE: usize = 16;
/// How many pictures are asked for at a time, and how many more may wait: a page shows tens of them, each
/// of which takes the content service a while.
const PICTURES_AT_ONCE: usize = 4;
const PICTURES_WAITING: usize = 60;

/// What answering takes.
#[derive(Clone, Debug)]
pub struct Previews(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    signer: Signer,
    drafts: Drafts,
    published: Published,
    studio: String,
    places: Semaphore,
    picture_turns: Turns,
}

impl Previews {
    /// For who has a ticket of `signer`.
    pub fn new(signer: Signer, drafts: Drafts, published: Published, studio: &Url) -> Self {
        let studio = studio.as_str().trim_end_matches('/').to_owned();
        let places = Semaphore::new(MAX_AT_ONCE);
        let picture_turns = Turns::new(PICTURES_AT_ONCE, PICTURES_WAITING);
        Self(Arc::new(Parts { signer, drafts, published, studio, places, picture_turns }))
    }
}

/// The routes.
pub fn router(previews: Previews) -> Router {
    Router::new()
        .route("/api/properties/{name}", get(property))
        .route("/api/locations/{name}", get(place))
        .route("/api/site", get(site))
        .route("/api/articles/{name}", get(article))
        .route("/api/pages/{name}", get(page))
        .route("/api/docs", get(first_doc))
        .route("/api/docs/{*name}", get(doc))
        .route_layer(middleware::from_fn_with_state(previews.clone(), a_few_at_a_time))
        .route("/media/{file}/{version}/{name}", get(picture))
        .layer(middleware::from_fn_with_state(previews.clone(), with_a_ticket))
        .fallback(|| async { Problem::not_found("there is no such call") })
        .with_state(previews)
}

/// Answers a few at a time: what is too much for now is asked again.
async fn a_few_at_a_time(
    State(Previews(parts)): State<Previews>,
    request: Request,
    next: Next,
) -> Response {
    let Ok(_place) = parts.places.try_acquire() else { return away().into_response() };
    next.run(request).await
}

/// Lets in who has a ticket, and has nobody keep what they are given.
async fn with_a_ticket(
    State(Previews(parts)): State<Previews>,
    request: Request,
    next: Next,
) -> Response {
    let ticket = request.headers().get(TICKET_HEADER).and_then(|ticket| ticket.to_str().ok());
    let checked = parts.signer.check(ticket.unwrap_or_default(), Purpose::Preview, Utc::now());
    let mut response = match checked {
        Err(refused) => {
            Problem::new(StatusCode::UNAUTHORIZED, "no-ticket", "A preview takes a ticket")
                .with_detail(refused.to_string())
                .into_response()
        }
        Ok(_) => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    response
}

async fn property(previews: State<Previews>, name: Path<String>, query: RawQuery) -> Response {
    item(Collection::Properties, previews, name, query).await
}

async fn place(previews: State<Previews>, name: Path<String>, query: RawQuery) -> Response {
    item(Collection::Locations, previews, name, query).await
}

async fn article(previews: State<Previews>, name: Path<String>, query: RawQuery) -> Response {
    item(Collection::Articles, previews, name, query).await
}

async fn page(previews: State<Previews>, name: Path<String>, query: RawQuery) -> Response {
    item(Collection::Pages, previews, name, query).await
}

async fn first_doc(previews: State<Previews>, query: RawQuery) -> Response {
    item(Collection::Docs, previews, Path(String::new()), query).await
}

async fn doc(previews: State<Previews>, name: Path<String>, query: RawQuery) -> Response {
    item(Collection::Docs, previews, name, query).await
}

/// Whether an item of `collection` may go by `name` in an address.
fn is_name(collection: Collection, name: &str) -> bool {
    match collection {
        Collection::Properties => Reference::is(name),
        // The first page of the documentation has none.
        Collection::Docs => name.is_empty() || SlugPath::is(name),
        _ => Slug::is(name),
    }
}

async fn item(
    collection: Collection,
    State(Previews(parts)): State<Previews>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    if !is_name(collection, &name) {
        return missing();
    }
    let (locale, form) = match asked(Parameters::parse(query.as_deref())) {
        Ok(asked) => asked,
        Err(problem) => return problem.into_response(),
    };
    let (_, field) = place_of(collection);
    let find = async {
        let found = parts.drafts.find(collection, field, &name, &form).await?;
        // As the read API has it: a reference is found in its letters or else in capitals.
        let capitals = name.to_ascii_uppercase();
        if found.is_some() || collection != Collection::Properties || capitals == name {
            return Ok(found);
        }
        parts.drafts.find(collection, field, &capitals, &form).await
    };
    let asking = async {
        let (found, published) =
            tokio::join!(find, read_published(&parts, collection, &name, locale));
        let main_name = match &found {
            Ok(Some(draft)) => draft.main_name().map(str::to_owned),
            _ => None,
        };
        let published = match main_name {
            // The site has it by the name that the draft changes.
            Some(name) => read_published(&parts, collection, &name, locale).await,
            None => published,
        };
        (found, published)
    };
    match answered(collection, timeout(ANSWER_LIMIT, asking).await) {
        Ok((Some(draft), published)) => {
            Json(preview(&draft, published, locale, &parts.studio)).into_response()
        }
        Ok((None, _)) => missing(),
        Err(problem) => problem.into_response(),
    }
}

/// What is published of `collection` by `name`, which an item need not have.
async fn read_published(
    parts: &Parts,
    collection: Collection,
    name: &str,
    locale: Locale,
) -> Result<Option<Value>, Away> {
    if !is_name(collection, name) {
        return Ok(None);
    }
    let (place, _) = place_of(collection);
    let path = format!("{place}{name}");
    parts.published.read(path.trim_end_matches('/'), locale.code()).await
}

/// What every page shows, on the page of a place: one that is not published is among the places too,
/// or that page would not know it. It says no more of itself: that the place's own answer does.
async fn site(State(Previews(parts)): State<Previews>, RawQuery(query): RawQuery) -> Response {
    let mut given = Parameters::parse(query.as_deref());
    let place = given.required_text("place", Slug::LONGEST);
    let (locale, form) = match asked(given) {
        Ok(asked) => asked,
        Err(problem) => return problem.into_response(),
    };
    if !Slug::is(&place) {
        return missing();
    }
    let collection = Collection::Locations;
    let (_, field) = place_of(collection);
    let asking = async {
        let find = parts.drafts.find(collection, field, &place, &form);
        tokio::join!(find, parts.published.read("/api/site", locale.code()))
    };
    let site = match answered(collection, timeout(ANSWER_LIMIT, asking).await) {
        Ok((Some(draft), Some(site))) => with_place(site, &draft, locale),
        Ok((None, Some(site))) => site,
        Ok((_, None)) => return missing(),
        Err(problem) => return problem.into_response(),
    };
    Json(json!({ "answer": site, "preview": null })).into_response()
}

/// What the content service and the query service answered.
type Both = (Result<Option<Draft>, content_client::Error>, Result<Option<Value>, Away>);

/// The draft and what is published, where both were answered in time.
fn answered(
    collection: Collection,
    both: Result<Both, Elapsed>,
) -> Result<(Option<Draft>, Option<Value>), Problem> {
    let Ok(both) = both else {
        tracing::warn!(%collection, "a preview took too long");
        return Err(away());
    };
    match both {
        (Ok(draft), Ok(published)) => Ok((draft, published)),
        (Err(error), _) => {
            // What it says of an item may hold the item's words.
            match error.disposition() {
                Disposition::Halt => tracing::warn!(
                    %collection,
                    "drafts may not be read: the content service refuses PREVIEW_TOKEN"
                ),
                disposition => tracing::warn!(%collection, ?disposition, "drafts can't be read"),
            }
            Err(away())
        }
        (_, Err(error)) => {
            tracing::warn!(%error, "what is published can't be read");
            Err(away())
        }
    }
}

/// The language and the form that are asked for, where nothing else is.
fn asked(mut given: Parameters) -> Result<(Locale, Form), Problem> {
    let locale = given.locale();
    let version = given.text("version", MAX_VERSION_LENGTH);
    given
        .finish()
        .map_err(|search_parameters::InvalidParameters(wrong)| Problem::invalid(wrong))?;
    let form = match version.as_deref() {
        None | Some("") => Form::Version(DRAFT.to_owned()),
        Some(main) if MAIN.contains(&main) => Form::Main,
        Some(version) => Form::Version(version.to_owned()),
    };
    Ok((locale, form))
}

/// A picture that only drafts show, as the content service scales it: it is kept nowhere.
async fn picture(State(Previews(parts)): State<Previews>, request: Request) -> Response {
    let Ok(address) = Address::parse(request.uri().path()) else { return missing() };
    // The content service takes seconds for an AVIF: a browser that shows that shows WebP too.
    let (format, named) = match address.format {
        Format::Avif | Format::WebP => (Format::WebP, "webp"),
        Format::Jpeg => (Format::Jpeg, "jpg"),
    };
    let asking = async {
        let _turn = parts.picture_turns.take().await?;
        Some(parts.drafts.picture(address.original.file, address.width, named).await)
    };
    match timeout(PICTURE_LIMIT, asking).await {
        Ok(Some(Ok(bytes))) => {
            let kind = HeaderValue::from_static(format.media_type());
            ([(header::CONTENT_TYPE, kind)], bytes).into_response()
        }
        Ok(Some(Err(_))) => missing(),
        Ok(None) | Err(_) => away().into_response(),
    }
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, Json(nothing())).into_response()
}

fn away() -> Problem {
    Problem::unavailable("drafts can't be read at the moment", RETRY_AFTER)
}
