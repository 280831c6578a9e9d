//! The calls: those of the read API that return one item, for clients with a ticket.

use std::{sync::Arc, time::Duration};

use answers::client;
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
use runtime::{BoundedSemaphore, Disposition, error_text, problem::Problem};
use search_parameters::Parameters;
use serde_json::{Value, json};
use tokio::{
    sync::Semaphore,
    time::{error::Elapsed, timeout},
};
use url::Url;

use crate::{
    answer::{nothing, path_and_field, preview, with_place},
    published::Published,
};

/// The header in which the door forwards the ticket.
pub const TICKET_HEADER: &str = "almijara-preview";
/// The name of the version that editors write in the Studio.
const DRAFT: &str = "draft";
/// The Studio's names for the item itself.
const MAIN: [&str; 2] = ["published", "main"];
/// The maximum length of a version's name, which is that of Directus.
const MAX_VERSION_LENGTH: usize = 64;

/// The maximum time for an answer, and for a picture.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(4);
const PICTURE_LIMIT: Duration = Duration::from_secs(20);
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// The maximum number of answers in progress: editors are few, and the content service has one thread.
const MAX_CONCURRENT: usize = 16;
/// The maximum number of pictures being fetched, and how many more may wait: a page shows tens of them, and
/// each takes the content service a while.
const MAX_CONCURRENT_PICTURES: usize = 4;
const MAX_WAITING_PICTURES: usize = 60;

/// The shared state of the calls.
#[derive(Clone, Debug)]
pub struct Previews(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    signer: Signer,
    drafts: Drafts,
    published: Published,
    studio: String,
    permits: Semaphore,
    picture_turns: BoundedSemaphore,
}

impl Previews {
    /// Returns the state for clients with a ticket of `signer`.
    pub fn new(signer: Signer, drafts: Drafts, published: Published, studio: &Url) -> Self {
        let studio = studio.as_str().trim_end_matches('/').to_owned();
        let permits = Semaphore::new(MAX_CONCURRENT);
        let picture_turns = BoundedSemaphore::new(MAX_CONCURRENT_PICTURES, MAX_WAITING_PICTURES);
        Self(Arc::new(Parts { signer, drafts, published, studio, permits, picture_turns }))
    }
}

/// Returns the routes.
pub fn router(previews: Previews) -> Router {
    Router::new()
        .route("/api/properties/{name}", get(property))
        .route("/api/locations/{name}", get(place))
        .route("/api/site", get(site))
        .route("/api/articles/{name}", get(article))
        .route("/api/pages/{name}", get(page))
        .route("/api/docs", get(first_doc))
        .route("/api/docs/{*name}", get(doc))
        .route_layer(middleware::from_fn_with_state(previews.clone(), limit_concurrency))
        .route("/media/{file}/{version}/{name}", get(picture))
        .layer(middleware::from_fn_with_state(previews.clone(), require_ticket))
        .fallback(|| async { Problem::not_found("there is no such call") })
        .with_state(previews)
}

/// Answers at most [`MAX_CONCURRENT`] requests at a time, and others with a 503, after which clients retry.
async fn limit_concurrency(
    State(Previews(parts)): State<Previews>,
    request: Request,
    next: Next,
) -> Response {
    let Ok(_permit) = parts.permits.try_acquire() else { return unavailable().into_response() };
    next.run(request).await
}

/// Rejects requests without a valid ticket, and forbids caching and indexing of the answers.
async fn require_ticket(
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

/// Returns whether `name` is a valid name of an item of `collection` in a URL.
fn is_name(collection: Collection, name: &str) -> bool {
    match collection {
        Collection::Properties => Reference::is_valid(name),
        // The first page of the documentation has an empty name.
        Collection::Docs => name.is_empty() || SlugPath::is_valid(name),
        _ => Slug::is_valid(name),
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
    let (locale, form) = match parse(Parameters::parse(query.as_deref())) {
        Ok(parsed) => parsed,
        Err(problem) => return problem.into_response(),
    };
    let (_, field) = path_and_field(collection);
    let find = async {
        let found = parts.drafts.find(collection, field, &name, &form).await?;
        // As in the read API, a reference is matched exactly or else in capitals.
        let capitals = name.to_ascii_uppercase();
        if found.is_some() || collection != Collection::Properties || capitals == name {
            return Ok(found);
        }
        parts.drafts.find(collection, field, &capitals, &form).await
    };
    let reads = async {
        let (found, published) =
            tokio::join!(find, read_published(&parts, collection, &name, locale));
        let main_name = match &found {
            Ok(Some(draft)) => draft.main_name().map(str::to_owned),
            _ => None,
        };
        let published = match main_name {
            // The draft changes the name: what is published has the old one.
            Some(name) => read_published(&parts, collection, &name, locale).await,
            None => published,
        };
        (found, published)
    };
    match both_answers(collection, timeout(ANSWER_TIMEOUT, reads).await) {
        Ok((Some(draft), published)) => {
            Json(preview(&draft, published, locale, &parts.studio)).into_response()
        }
        Ok((None, _)) => missing(),
        Err(problem) => problem.into_response(),
    }
}

/// Reads the published item of `collection` with `name`; none if `name` is not a valid one.
async fn read_published(
    parts: &Parts,
    collection: Collection,
    name: &str,
    locale: Locale,
) -> Result<Option<Value>, client::Error> {
    if !is_name(collection, name) {
        return Ok(None);
    }
    let (prefix, _) = path_and_field(collection);
    let path = format!("{prefix}{name}");
    parts.published.read(path.trim_end_matches('/'), locale).await
}

/// Answers what every page shows, for the page of a place. A place that is not published yet is included, or
/// its page would not find it. There is no `preview` here: the place's own answer has it.
async fn site(State(Previews(parts)): State<Previews>, RawQuery(query): RawQuery) -> Response {
    let mut given = Parameters::parse(query.as_deref());
    let place = given.required_text("place", Slug::MAX_LENGTH);
    let (locale, form) = match parse(given) {
        Ok(parsed) => parsed,
        Err(problem) => return problem.into_response(),
    };
    if !Slug::is_valid(&place) {
        return missing();
    }
    let collection = Collection::Locations;
    let (_, field) = path_and_field(collection);
    let reads = async {
        let find = parts.drafts.find(collection, field, &place, &form);
        tokio::join!(find, parts.published.read("/api/site", locale))
    };
    let site = match both_answers(collection, timeout(ANSWER_TIMEOUT, reads).await) {
        Ok((Some(draft), Some(site))) => with_place(site, &draft, locale),
        Ok((None, Some(site))) => site,
        Ok((_, None)) => return missing(),
        Err(problem) => return problem.into_response(),
    };
    Json(json!({ "answer": site, "preview": null })).into_response()
}

/// The answers of the content service and the query service.
type Answers = (Result<Option<Draft>, content_client::Error>, Result<Option<Value>, client::Error>);

/// Returns the draft and what is published, if both services answered in time. Logs a failure otherwise.
fn both_answers(
    collection: Collection,
    answers: Result<Answers, Elapsed>,
) -> Result<(Option<Draft>, Option<Value>), Problem> {
    let Ok(answers) = answers else {
        tracing::warn!(%collection, "a preview took too long");
        return Err(unavailable());
    };
    match answers {
        (Ok(draft), Ok(published)) => Ok((draft, published)),
        (Err(error), _) => {
            // The error itself is not logged: it may quote the item.
            match error.disposition() {
                Disposition::Halt => tracing::warn!(
                    %collection,
                    "drafts may not be read: the content service refuses PREVIEW_TOKEN"
                ),
                disposition => tracing::warn!(%collection, ?disposition, "drafts can't be read"),
            }
            Err(unavailable())
        }
        (_, Err(error)) => {
            tracing::warn!(error = error_text(&error), "published content can't be read");
            Err(unavailable())
        }
    }
}

/// Parses the language and the form of the item; any other parameter is an error.
fn parse(mut given: Parameters) -> Result<(Locale, Form), Problem> {
    let locale = given.locale();
    let version = given.text("version", MAX_VERSION_LENGTH);
    given
        .finish()
        .map_err(|search_parameters::InvalidParameters(errors)| Problem::invalid(errors))?;
    let form = match version.as_deref() {
        None | Some("") => Form::Version(DRAFT.to_owned()),
        Some(main) if MAIN.contains(&main) => Form::Main,
        Some(version) => Form::Version(version.to_owned()),
    };
    Ok((locale, form))
}

/// Answers a picture that only drafts show, as scaled by the content service. It is not stored anywhere.
async fn picture(State(Previews(parts)): State<Previews>, request: Request) -> Response {
    let Ok(address) = Address::parse(request.uri().path()) else { return missing() };
    // The content service takes seconds for an AVIF, and every browser that supports AVIF supports WebP.
    let (format, format_name) = match address.format {
        Format::Avif | Format::WebP => (Format::WebP, "webp"),
        Format::Jpeg => (Format::Jpeg, "jpg"),
    };
    let fetch = async {
        let _turn = parts.picture_turns.acquire().await?;
        Some(parts.drafts.picture(address.original.file, address.width, format_name).await)
    };
    match timeout(PICTURE_LIMIT, fetch).await {
        Ok(Some(Ok(bytes))) => {
            let media_type = HeaderValue::from_static(format.media_type());
            ([(header::CONTENT_TYPE, media_type)], bytes).into_response()
        }
        Ok(Some(Err(_))) => missing(),
        Ok(None) | Err(_) => unavailable().into_response(),
    }
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, Json(nothing())).into_response()
}

fn unavailable() -> Problem {
    Problem::unavailable("drafts can't be read at the moment", RETRY_AFTER)
}
