//! A content service that tests edit and make misbehave: the content pack on content in memory, behind a
//! layer of faults. Beside the pack, it stores live statuses, and serves originals.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{
    Json, Router,
    body::{Body, to_bytes},
    extract::{Path, Request, State},
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    sync::{oneshot, watch},
};
use tower::ServiceExt;

/// How the service behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// Correctly.
    Fair,
    /// Accepts the request, looks the answer up, and delays it until the mood changes.
    Stalling,
    /// Answers 500.
    Failing,
    /// Answers 403, as for a token that lost its permission.
    Forbidding,
    /// Answers 401, as for a token that was revoked.
    Refusing,
    /// Sends half of its answer and hangs up.
    Truncating,
    /// Answers 200 with an empty list, as for a token that may see no row.
    Empty,
    /// Lists half of the items that it counts.
    Short,
}

/// The service.
#[derive(Clone)]
pub struct FakeContent {
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// Items by collection and key.
type Tables = BTreeMap<String, BTreeMap<String, Value>>;

struct Shared {
    tables: Mutex<Tables>,
    /// The pack on the present content; none after a change.
    pack: Mutex<Option<Router>>,
    activity: Mutex<Vec<Value>>,
    mood: watch::Sender<Mood>,
    /// The number of reads of items that were started, including lists.
    readings: AtomicUsize,
    /// The number of requests per collection.
    asked: Mutex<BTreeMap<String, usize>>,
    /// Collections that the token may not read.
    forbidden: Mutex<BTreeSet<String>>,
    /// Collections that are answered with 500.
    failing: Mutex<BTreeSet<String>>,
    /// Collections that are never answered.
    hanging: Mutex<BTreeSet<String>>,
    /// Items, as `<collection>/<key>`, that are answered with 500.
    broken: Mutex<BTreeSet<String>>,
    originals: Mutex<BTreeMap<String, Vec<u8>>>,
    /// The number of requests for the activity log.
    activity_readings: AtomicUsize,
    /// The number of requests for originals.
    originals_asked: AtomicUsize,
    /// The properties whose next live status is held back.
    held: Mutex<BTreeMap<String, HeldRow>>,
}

/// Announces that a row has arrived, and waits until it may be stored.
struct HeldRow {
    arrived: oneshot::Sender<()>,
    may_continue: oneshot::Receiver<()>,
}

impl FakeContent {
    /// Starts a service with a place, a picture, the settings and the languages, but no property.
    pub async fn start() -> Self {
        let shared = Arc::new(Shared {
            tables: Mutex::default(),
            pack: Mutex::default(),
            activity: Mutex::default(),
            mood: watch::Sender::new(Mood::Fair),
            readings: AtomicUsize::new(0),
            asked: Mutex::default(),
            activity_readings: AtomicUsize::new(0),
            forbidden: Mutex::default(),
            failing: Mutex::default(),
            hanging: Mutex::default(),
            broken: Mutex::default(),
            originals: Mutex::default(),
            originals_asked: AtomicUsize::new(0),
            held: Mutex::default(),
        });
        let router = Router::new()
            .route("/items/{collection}", get(items))
            .route("/items/live_status", post(live_status))
            .route("/activity", get(activity))
            .route("/assets/{file}", get(original))
            .with_state(Arc::clone(&shared));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        tokio::spawn(async move { axum::serve(listener, router).await });
        let content = Self { address, shared };
        for code in ["en-GB", "es-ES"] {
            content.put("languages", code, json!({ "code": code }));
        }
        content.put("locations", "4", location(4, "nerja", "Nerja"));
        content.put("directus_files", FILE, file("A terrace"));
        content.put("site_settings", "1", settings());
        content
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stores an item without any activity or webhook.
    pub fn put(&self, collection: &str, key: &str, item: Value) {
        self.edit().entry(collection.to_owned()).or_default().insert(key.to_owned(), item);
    }

    /// Returns the live status last reported of the property `key`.
    pub fn live_status(&self, key: &str) -> Option<Value> {
        self.tables().get(LIVE_STATUS)?.get(&format!("properties/{key}")).cloned()
    }

    /// Holds back the next live status of the property `key`. The receiver reports its arrival; the
    /// sender releases it.
    pub fn hold_live_status(&self, key: &str) -> (oneshot::Receiver<()>, oneshot::Sender<()>) {
        let ((arrived, has_arrived), (release, may_continue)) =
            (oneshot::channel(), oneshot::channel());
        let mut held = locked(&self.shared.held);
        held.insert(format!("properties/{key}"), HeldRow { arrived, may_continue });
        (has_arrived, release)
    }

    /// Changes an item without any activity or webhook.
    pub fn change(&self, collection: &str, key: &str, change: impl FnOnce(&mut Value)) {
        let mut tables = self.edit();
        let table = tables.get_mut(collection).expect("the collection has items");
        change(table.get_mut(key).expect("the item is there"));
    }

    /// Deletes an item without any activity or webhook.
    pub fn delete(&self, collection: &str, key: &str) {
        self.edit().entry(collection.to_owned()).or_default().remove(key);
    }

    /// Adds a row to the activity log.
    pub fn log_activity(&self, action: &str, collection: &str, key: &str) {
        self.log_activity_at(Utc::now(), action, collection, key);
    }

    /// Adds a row with the time `now` of the clock of the service.
    pub fn log_activity_at(&self, now: DateTime<Utc>, action: &str, collection: &str, key: &str) {
        let mut rows = locked(&self.shared.activity);
        let id = rows.len() + 1;
        let timestamp = now.to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        rows.push(json!({
            "id": id, "action": action, "collection": collection, "item": key,
            "timestamp": timestamp,
        }));
        locked(&self.shared.pack).take();
    }

    pub fn set(&self, mood: Mood) {
        self.shared.mood.send_replace(mood);
    }

    /// Revokes the permission to read `collection`.
    pub fn forbid(&self, collection: &str) {
        locked(&self.shared.forbidden).insert(collection.to_owned());
    }

    /// Grants it again.
    pub fn allow(&self, collection: &str) {
        locked(&self.shared.forbidden).remove(collection);
    }

    /// Answers 500 to requests for `collection`.
    pub fn fail(&self, collection: &str) {
        locked(&self.shared.failing).insert(collection.to_owned());
    }

    /// Answers no request for `collection` any more.
    pub fn hang(&self, collection: &str) {
        locked(&self.shared.hanging).insert(collection.to_owned());
    }

    /// Returns whether it refuses requests for `collection`.
    pub fn refuses(&self, collection: &str) -> bool {
        locked(&self.shared.forbidden).contains(collection)
            || locked(&self.shared.failing).contains(collection)
    }

    /// Answers 500 to requests that include the item.
    pub fn break_item(&self, collection: &str, key: &str) {
        locked(&self.shared.broken).insert(format!("{collection}/{key}"));
    }

    /// Answers requests for the item again.
    pub fn mend_item(&self, collection: &str, key: &str) {
        locked(&self.shared.broken).remove(&format!("{collection}/{key}"));
    }

    /// Stores the bytes of a file, which can't be read without them.
    pub fn put_original(&self, file: &str, bytes: Vec<u8>) {
        let mut originals = locked(&self.shared.originals);
        originals.insert(file.to_owned(), bytes);
    }

    /// Returns the number of requests for originals so far.
    pub fn originals_asked(&self) -> usize {
        self.shared.originals_asked.load(Ordering::SeqCst)
    }

    /// Returns the number of reads of items so far.
    pub fn readings(&self) -> usize {
        self.shared.readings.load(Ordering::SeqCst)
    }

    /// Returns the number of requests for the activity log so far.
    pub fn activity_readings(&self) -> usize {
        self.shared.activity_readings.load(Ordering::SeqCst)
    }

    /// Returns the number of requests for items of `collection`.
    pub fn readings_of(&self, collection: &str) -> usize {
        let asked = locked(&self.shared.asked);
        asked.get(collection).copied().unwrap_or_default()
    }

    /// Returns every property as stored.
    pub fn properties(&self) -> BTreeMap<String, Value> {
        self.tables().get("properties").cloned().unwrap_or_default()
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        locked(&self.shared.tables)
    }

    fn edit(&self) -> MutexGuard<'_, Tables> {
        let tables = self.tables();
        locked(&self.shared.pack).take();
        tables
    }
}

impl Shared {
    /// Returns the pack on the present content.
    fn pack(&self) -> Router {
        let tables = locked(&self.tables);
        let activity = locked(&self.activity);
        let start = || {
            let content = tables.iter().filter(|(collection, _)| *collection != LIVE_STATUS);
            let files = content.map(|(collection, items)| {
                let mut items = items.values().cloned();
                let file = match collection.as_str() {
                    "site_settings" => items.next().expect("the settings"),
                    _ => items.collect(),
                };
                (collection.clone(), file)
            });
            let log = ("directus_activity".to_owned(), json!(*activity));
            content_pack::in_memory(files.chain([log]), TOKEN.into()).expect("valid content")
        };
        locked(&self.pack).get_or_insert_with(start).clone()
    }
}

/// The token that reads the content.
pub const TOKEN: &str = "token";
/// The collection that sync writes.
const LIVE_STATUS: &str = "live_status";

/// The one picture.
pub const FILE: &str = "7a014208-ac29-46a9-83dc-1dbcf74bee33";

pub fn file(alt: &str) -> Value {
    json!({
        "id": FILE, "type": "image/jpeg", "width": 2400, "height": 1600,
        "description": alt, "modified_on": "2026-05-01T10:00:00.000Z",
    })
}

pub fn location(id: i64, slug: &str, name: &str) -> Value {
    json!({
        "id": id, "status": "published", "sort": id, "slug": slug,
        "lat": "36.745", "lng": "-3.874", "image": null,
        "translations": [
            { "id": id * 10, "languages_code": "en-GB", "name": name, "intro": "A town.", "description": "" },
        ],
    })
}

fn settings() -> Value {
    let text = json!({ "id": 1, "languages_code": "en-GB", "title_suffix": "Almijara Homes" });
    json!({ "id": 1, "company_name": "Almijara Homes", "translations": [text] })
}

/// A published house in Nerja with a text of its own row and one picture.
pub fn house(id: i64, price: i64) -> Value {
    json!({
        "id": id, "status": "published", "sort": null, "ref": format!("AH-{id}"),
        "listing_status": "for_sale", "property_type": "house", "kind": "villa",
        "price": price, "energy_rating": "C", "lat": "36.75", "lng": "-3.87", "location": 4,
        "date_created": "2026-05-01T10:00:00.000Z", "date_updated": null,
        "translations": [
            { "id": id * 10, "languages_code": "en-GB", "title": format!("House {id}"), "summary": "Light" },
        ],
        "images": [{ "id": id * 10, "sort": 1, "directus_files_id": FILE }],
    })
}

/// Stores a live status in place of the previous one.
async fn live_status(State(shared): State<Arc<Shared>>, Json(row): Json<Value>) -> StatusCode {
    let item = format!("{}/{}", text_of(&row["item_collection"]), text_of(&row["item_key"]));
    let held = locked(&shared.held).remove(&item);
    if let Some(HeldRow { arrived, may_continue }) = held {
        // Both fail if the test has ended already, which is fine.
        let _ends = (arrived.send(()), may_continue.await);
    }
    locked(&shared.tables).entry(LIVE_STATUS.to_owned()).or_default().insert(item, row);
    StatusCode::OK
}

async fn items(
    State(shared): State<Arc<Shared>>,
    Path(collection): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let query = uri.query().unwrap_or_default();
    let whole_items = url::form_urlencoded::parse(query.as_bytes())
        .find(|(name, _)| name == "fields")
        .is_none_or(|(_, fields)| fields.contains('*'));
    // The answer is fixed before a test can observe the request.
    let answer = look_up(&shared, uri, headers).await;
    shared.readings.fetch_add(1, Ordering::SeqCst);
    count(&shared, &collection);
    let hangs = locked(&shared.hanging).contains(&collection);
    if hangs {
        std::future::pending::<()>().await;
    }
    if locked(&shared.forbidden).contains(&collection) {
        return refusal(StatusCode::FORBIDDEN, "FORBIDDEN");
    }
    if locked(&shared.failing).contains(&collection) {
        return refusal(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_SERVER_ERROR");
    }
    let answer = match answer {
        Ok(answer) => answer,
        Err(refusal) => return refusal,
    };
    if whole_items && is_broken(&shared, &collection, &answer) {
        return refusal(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_SERVER_ERROR");
    }
    finish(&shared, answer).await
}

fn count(shared: &Shared, collection: &str) {
    let mut asked = locked(&shared.asked);
    *asked.entry(collection.to_owned()).or_default() += 1;
}

/// Returns whether `answer` includes a broken item.
fn is_broken(shared: &Shared, collection: &str, answer: &Value) -> bool {
    let broken = locked(&shared.broken);
    let mut rows = answer["data"].as_array().into_iter().flatten();
    rows.any(|row| broken.contains(&format!("{collection}/{}", text_of(&row["id"]))))
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn activity(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap) -> Response {
    shared.activity_readings.fetch_add(1, Ordering::SeqCst);
    match look_up(&shared, uri, headers).await {
        Ok(answer) => finish(&shared, answer).await,
        Err(refusal) => refusal,
    }
}

/// Returns what the pack answers now, or its refusal.
async fn look_up(shared: &Shared, uri: Uri, headers: HeaderMap) -> Result<Value, Response> {
    // Not the request itself, which carries the parameters of this service's own routes.
    let mut request = Request::new(Body::empty());
    *request.uri_mut() = uri;
    *request.headers_mut() = headers;
    let Ok(response) = shared.pack().oneshot(request).await;
    if !response.status().is_success() {
        return Err(response);
    }
    let body = to_bytes(response.into_body(), usize::MAX).await.expect("it is in memory");
    Ok(serde_json::from_slice(&body).expect("the pack answers with JSON"))
}

async fn original(State(shared): State<Arc<Shared>>, Path(file): Path<String>) -> Response {
    shared.originals_asked.fetch_add(1, Ordering::SeqCst);
    let originals = locked(&shared.originals);
    match originals.get(&file) {
        Some(bytes) => bytes.clone().into_response(),
        None => refusal(StatusCode::FORBIDDEN, "FORBIDDEN"),
    }
}

async fn finish(shared: &Shared, answer: Value) -> Response {
    let mut mood = shared.mood.subscribe();
    // The answer was looked up before the wait.
    let mood = mood.wait_for(|mood| *mood != Mood::Stalling).await.map_or(Mood::Fair, |mood| *mood);
    match mood {
        Mood::Fair | Mood::Stalling => Json(answer).into_response(),
        Mood::Failing => refusal(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_SERVER_ERROR"),
        Mood::Forbidding => refusal(StatusCode::FORBIDDEN, "FORBIDDEN"),
        Mood::Refusing => refusal(StatusCode::UNAUTHORIZED, "INVALID_CREDENTIALS"),
        Mood::Truncating => truncated(&answer),
        Mood::Empty => Json(json!({ "data": [], "meta": { "filter_count": 0 } })).into_response(),
        Mood::Short => {
            let mut answer = answer;
            if let Some(rows) = answer["data"].as_array_mut() {
                rows.truncate(rows.len() / 2);
            }
            Json(answer).into_response()
        }
    }
}

fn refusal(status: StatusCode, code: &str) -> Response {
    let body = json!({ "errors": [{ "message": "refused", "extensions": { "code": code } }] });
    (status, Json(body)).into_response()
}

/// Announces the complete answer and closes the connection in the middle of it.
fn truncated(answer: &Value) -> Response {
    let text = answer.to_string();
    let half = text.as_bytes()[..text.len() / 2].to_vec();
    let chunks = futures::stream::iter([
        Ok(half),
        Err(std::io::Error::other("the content service hung up")),
    ]);
    ([("content-type", "application/json")], Body::from_stream(chunks)).into_response()
}

fn text_of(key: &Value) -> String {
    key.as_str().map_or_else(|| key.to_string(), str::to_owned)
}
