//! The read-only subset of Directus's REST API.

use std::{
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
};

use axum::{
    Json, Router,
    extract::{Path, RawQuery, Request, State as AxumState},
    http::{Method, Uri, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value, json};
use subtle::ConstantTimeEq;

use crate::{
    activity, assets,
    changes::{self, Change},
    content::Content,
    errors::ApiError,
    query::Query,
    schema::{Collection, collection},
};

/// The state shared by the handlers.
#[derive(Clone, Debug)]
pub(crate) struct State {
    content: Arc<RwLock<Arc<Content>>>,
    token: SecretString,
    folder: Arc<PathBuf>,
}

impl State {
    pub fn new(content: Content, token: SecretString, folder: PathBuf) -> Self {
        Self { content: Arc::new(RwLock::new(Arc::new(content))), token, folder: Arc::new(folder) }
    }

    /// Returns a snapshot of the current content.
    pub fn content(&self) -> Arc<Content> {
        self.content.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Serves `content` from now on, and returns the differences to the previous content.
    pub fn replace(&self, mut content: Content) -> Vec<Change> {
        let changes = changes::between(&self.content(), &content);
        if !changes.is_empty() {
            activity::record(&mut content, &changes);
            *self.content.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(content);
        }
        changes
    }

    /// Returns the content folder.
    pub fn folder(&self) -> &std::path::Path {
        &self.folder
    }
}

/// Returns the routes of the content pack.
pub(crate) fn router(state: State) -> Router {
    Router::new()
        .route("/items/{collection}", get(list_items))
        .route("/items/{collection}/{key}", get(read_item))
        .route("/files", get(list_files))
        .route("/files/{key}", get(read_file))
        .route("/activity", get(list_activity))
        .route("/assets/{id}", get(assets::asset))
        .route_layer(middleware::from_fn(require_token))
        .fallback(route_not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(middleware::from_fn_with_state(state.clone(), check_token))
        .route("/server/ping", get(|| async { "pong" }))
        .with_state(state)
}

/// Marks a request with a valid token.
#[derive(Clone, Copy, Debug)]
struct Authorised;

/// Refuses an invalid token on any route, as Directus does, and marks requests with a valid one.
async fn check_token(
    AxumState(state): AxumState<State>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(token) = presented_token(&request) {
        let is_valid = state.token.expose_secret().as_bytes().ct_eq(token.as_bytes());
        if !bool::from(is_valid) {
            return ApiError::InvalidCredentials.into_response();
        }
        request.extensions_mut().insert(Authorised);
    }
    next.run(request).await
}

/// Refuses requests without a token.
async fn require_token(request: Request, next: Next) -> Response {
    if request.extensions().get::<Authorised>().is_some() {
        return next.run(request).await;
    }
    let path = request.uri().path();
    match path.strip_prefix("/items/").and_then(|rest| rest.split('/').next()) {
        Some(name) if !name.starts_with("directus_") => {
            ApiError::ForbiddenCollection(name.to_owned()).into_response()
        }
        _ => ApiError::Forbidden.into_response(),
    }
}

fn presented_token(request: &Request) -> Option<String> {
    let header = request.headers().get(header::AUTHORIZATION);
    let bearer = header.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    bearer.map(str::to_owned).or_else(|| {
        let query = request.uri().query().unwrap_or_default();
        url::form_urlencoded::parse(query.as_bytes())
            .find(|(name, _)| name == "access_token")
            .map(|(_, token)| token.into_owned())
    })
}

async fn list_items(
    AxumState(state): AxumState<State>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let collection = item_collection(&name)?;
    if collection.singleton {
        singleton(&state, collection, query.as_deref())
    } else {
        list(&state, collection, query.as_deref())
    }
}

async fn read_item(
    AxumState(state): AxumState<State>,
    Path((name, key)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    read(&state, item_collection(&name)?, &key, query.as_deref())
}

async fn list_files(
    AxumState(state): AxumState<State>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    list(&state, system_collection("directus_files")?, query.as_deref())
}

async fn read_file(
    AxumState(state): AxumState<State>,
    Path(key): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    read(&state, system_collection("directus_files")?, &key, query.as_deref())
}

async fn list_activity(
    AxumState(state): AxumState<State>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    list(&state, system_collection("directus_activity")?, query.as_deref())
}

/// Returns the collection `name`, if it is available under `/items/{name}`.
fn item_collection(name: &str) -> Result<&'static Collection, ApiError> {
    match collection(name) {
        Some(collection) if collection.is_item => Ok(collection),
        _ if name.starts_with("directus_") => Err(ApiError::Forbidden),
        _ => Err(ApiError::ForbiddenCollection(name.to_owned())),
    }
}

fn system_collection(name: &str) -> Result<&'static Collection, ApiError> {
    collection(name).ok_or(ApiError::Forbidden)
}

fn list(
    state: &State,
    collection: &'static Collection,
    query: Option<&str>,
) -> Result<Response, ApiError> {
    let query = Query::parse(collection, query)?;
    let content = state.content();
    let table = content.table(collection);
    let mut items = match query.filter.candidate_keys(collection.key) {
        Some(keys) => table.with_keys(&keys),
        None => table.items().iter().collect(),
    };
    items.retain(|item| query.filter.matches(&content, item));
    let mut meta = Map::new();
    if query.total_count {
        meta.insert("total_count".to_owned(), json!(table.items().len()));
    }
    if query.filter_count {
        meta.insert("filter_count".to_owned(), json!(items.len()));
    }
    let page = query.page(items);
    let data: Vec<Value> =
        page.into_iter().map(|item| query.selection.apply(&content, item)).collect();
    let mut body = Map::new();
    if !meta.is_empty() {
        body.insert("meta".to_owned(), Value::Object(meta));
    }
    body.insert("data".to_owned(), Value::Array(data));
    Ok(Json(Value::Object(body)).into_response())
}

fn read(
    state: &State,
    collection: &'static Collection,
    key: &str,
    query: Option<&str>,
) -> Result<Response, ApiError> {
    let query = Query::parse(collection, query)?;
    let content = state.content();
    let item = content.table(collection).get(key).ok_or(ApiError::Forbidden)?;
    Ok(Json(json!({ "data": query.selection.apply(&content, item) })).into_response())
}

/// Returns the item of a singleton; if it was never saved, all its fields are null.
fn singleton(
    state: &State,
    collection: &'static Collection,
    query: Option<&str>,
) -> Result<Response, ApiError> {
    let query = Query::parse(collection, query)?;
    let content = state.content();
    let empty = collection.fields.iter().map(|(field, _)| ((*field).to_owned(), Value::Null));
    let data = match content.table(collection).items().first() {
        Some(item) => query.selection.apply(&content, item),
        None => query.selection.apply(&content, &empty.collect()),
    };
    Ok(Json(json!({ "data": data })).into_response())
}

async fn route_not_found(uri: Uri) -> ApiError {
    ApiError::RouteNotFound(uri.path().to_owned())
}

/// The token is read-only: writes are forbidden, and other methods are unknown.
async fn method_not_allowed(method: Method, uri: Uri) -> ApiError {
    if [Method::POST, Method::PATCH, Method::DELETE].contains(&method) {
        ApiError::Forbidden
    } else {
        ApiError::RouteNotFound(uri.path().to_owned())
    }
}
