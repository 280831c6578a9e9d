//! The part of Directus's REST that is read.

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

/// What the handlers share.
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

    /// The content at this moment.
    pub fn content(&self) -> Arc<Content> {
        self.content.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Serves `content` from now on, and gives what is different in it.
    pub fn replace(&self, mut content: Content) -> Vec<Change> {
        let changes = changes::between(&self.content(), &content);
        if !changes.is_empty() {
            activity::record(&mut content, &changes);
            *self.content.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(content);
        }
        changes
    }

    /// The content folder.
    pub fn folder(&self) -> &std::path::Path {
        &self.folder
    }
}

/// Every address that the pack answers.
pub(crate) fn router(state: State) -> Router {
    Router::new()
        .route("/items/{collection}", get(list_items))
        .route("/items/{collection}/{key}", get(read_item))
        .route("/files", get(list_files))
        .route("/files/{key}", get(read_file))
        .route("/activity", get(list_activity))
        .route("/assets/{id}", get(assets::asset))
        .route_layer(middleware::from_fn(require_token))
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(middleware::from_fn_with_state(state.clone(), check_token))
        .route("/server/ping", get(|| async { "pong" }))
        .with_state(state)
}

/// Marks a request that came with the right token.
#[derive(Clone, Copy, Debug)]
struct Authorised;

/// Refuses a wrong token anywhere, as Directus does, and marks a right one.
async fn check_token(
    AxumState(state): AxumState<State>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(token) = presented_token(&request) {
        let right = state.token.expose_secret().as_bytes().ct_eq(token.as_bytes());
        if !bool::from(right) {
            return ApiError::InvalidCredentials.into_response();
        }
        request.extensions_mut().insert(Authorised);
    }
    next.run(request).await
}

/// Without a token nothing may be seen.
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
    list(&state, own_collection("directus_files")?, query.as_deref())
}

async fn read_file(
    AxumState(state): AxumState<State>,
    Path(key): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    read(&state, own_collection("directus_files")?, &key, query.as_deref())
}

async fn list_activity(
    AxumState(state): AxumState<State>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    list(&state, own_collection("directus_activity")?, query.as_deref())
}

/// The collection `name` of `/items/{name}`.
fn item_collection(name: &str) -> Result<&'static Collection, ApiError> {
    match collection(name) {
        Some(collection) if collection.is_item => Ok(collection),
        _ if name.starts_with("directus_") => Err(ApiError::Forbidden),
        _ => Err(ApiError::ForbiddenCollection(name.to_owned())),
    }
}

fn own_collection(name: &str) -> Result<&'static Collection, ApiError> {
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
    let mut found = match query.filter.keys(collection.key) {
        Some(keys) => table.with_keys(&keys),
        None => table.items().iter().collect(),
    };
    found.retain(|item| query.filter.matches(&content, item));
    let mut meta = Map::new();
    if query.total_count {
        meta.insert("total_count".to_owned(), json!(table.items().len()));
    }
    if query.filter_count {
        meta.insert("filter_count".to_owned(), json!(found.len()));
    }
    let page = query.page(found);
    let data: Vec<Value> =
        page.into_iter().map(|item| query.selection.apply(&content, item)).collect();
    let mut answer = Map::new();
    if !meta.is_empty() {
        answer.insert("meta".to_owned(), Value::Object(meta));
    }
    answer.insert("data".to_owned(), Value::Array(data));
    Ok(Json(Value::Object(answer)).into_response())
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

/// The one item, or its fields without values where it was never written.
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

async fn no_route(uri: Uri) -> ApiError {
    ApiError::RouteNotFound(uri.path().to_owned())
}

/// The token only reads: to write is forbidden, anything else is unknown.
async fn no_method(method: Method, uri: Uri) -> ApiError {
    if [Method::POST, Method::PATCH, Method::DELETE].contains(&method) {
        ApiError::Forbidden
    } else {
        ApiError::RouteNotFound(uri.path().to_owned())
    }
}
